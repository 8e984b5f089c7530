//! One open story: what is read of its run, what is selected, and what each of its pages keeps.

use std::sync::Arc;

use crate::app::Ticket;
use crate::screens::article::page::ArticlePage;
use crate::screens::article::{SigningBeside, signing};
use crate::screens::ask::AskPage;
use crate::screens::calls::model::CallsPage;
use crate::screens::changes::DraftPair;
use crate::screens::changes::model::ChangesPage;
use crate::screens::changes::model::TwoRuns;
use crate::screens::concerns::page::ConcernsPage;
use crate::screens::concerns::{ConcernRow, ExcerptPlaces};
use crate::screens::live::rail::LivePage;
use crate::screens::live::{Live, rail};
use crate::screens::proof::model::ProofPage;
use crate::screens::sources::SourcesPage;
use crate::screens::story::{Pane, Tab};
use crate::widgets::{Picked, ScrolledText};
use copydesk_core::agents::would_come_back;
use copydesk_core::editorial::changes::{FollowUp, Progress};
use copydesk_core::editorial::extract::Extract;
use copydesk_core::editorial::silence::{self, ClaimsToRead};
use copydesk_core::editorial::{check_worth, decisions, flags, remarks, report, vouching};
use copydesk_core::ports::RunKey;
use copydesk_newsroom::{Claim, Entry, EventRecord, Journal, ListedRun, Outcome, Passage, Source, Wait};

/// An open story.
pub struct StoryView {
    /// The run that is shown.
    pub key: RunKey,
    pub run: ListedRun,
    pub journal: Arc<Journal>,
    pub sources: Vec<Source>,
    /// The number of the last entry that was read.
    pub seq: i64,
    /// The page that is shown.
    pub tab: Tab,
    /// The round whose concerns and draft are shown.
    pub round: u32,
    /// Whether the latest round is shown as it comes.
    pub follows: bool,
    pub gate: AtGate,
    pub live: LivePage,
    pub concerns: ConcernsPage,
    pub changes: ChangesPage,
    pub article: ArticlePage,
    pub calls: CallsPage,
    /// The audit log of the run.
    pub log: Picked<EventRecord>,
    /// The runs of the story.
    pub runs: Picked<(RunKey, ListedRun)>,
    /// The open run's article beside another one's.
    pub two_runs: TwoRuns,
    /// The proof of the draft of `round`.
    pub proof: ProofPage,
    /// The sources and the research. Read when its page is shown, and while it is.
    pub sources_page: SourcesPage,
    /// The question to the sources and its answer, as the page was left.
    pub asked: Option<Box<AskPage>>,
}

/// The parts of a decision: the one that is being saved, and the facts that it depends on.
#[derive(Debug, Clone, Default)]
pub struct AtGate {
    /// The decision that is being saved, and its choice in a word. No other is made before it is saved.
    pub deciding: Option<(Ticket, &'static str)>,
    /// The round of a hand edit that is kept and not yet saved as a decision.
    pub undecided_edit: Option<u32>,
    /// Whether the draft that waits at a gate would come back from its writer as it is.
    pub comes_back: bool,
    /// The numbers of the findings that block the sign-off, if the run waits for it.
    pub held_back: Vec<u32>,
    /// The to-dos that the draft of `left_in` leaves: until they are followed up, those that its writer said it left.
    pub left: Vec<FollowUp>,
    pub left_in: u32,
    /// The parts that the draft of `left_in` takes from its sources, if the program extracted it; none until that is known.
    pub extract: Option<Extract>,
    /// How many journal entries there were when the follow-up was requested.
    pub followed_up: usize,
    /// The claim of the waiting draft that would mislead most if it were wrong, with the reason in a word.
    pub check_first: Option<(&'static str, String)>,
    /// That its sources do not carry it, or that a quotation should be listened to: a sentence each.
    pub warnings: Vec<String>,
    /// The claims of the waiting draft that its editor reads, in numbers.
    pub to_read: ClaimsToRead,
    /// That the waiting draft is far below its length, if it is.
    pub short: Option<String>,
    /// How many findings of the waiting draft a specialist's KEEP set aside.
    pub set_aside: usize,
}

impl StoryView {
    /// A story just read.
    pub fn new(key: RunKey, run: ListedRun, journal: Arc<Journal>, seq: i64) -> Self {
        let mut story = Self {
            key,
            run,
            sources: journal.sources(),
            journal,
            seq,
            tab: Tab::Live,
            round: 0,
            follows: true,
            gate: AtGate::default(),
            live: LivePage::default(),
            concerns: ConcernsPage::default(),
            changes: ChangesPage::default(),
            article: ArticlePage::default(),
            calls: CallsPage::default(),
            log: Picked::default(),
            runs: Picked::default(),
            two_runs: TwoRuns::default(),
            proof: ProofPage::default(),
            sources_page: SourcesPage::default(),
            asked: None,
        };
        story.follow();
        story
    }

    /// The run that stands beside the open one: the selected one, or the first other one.
    pub fn other_run(&self) -> Option<RunKey> {
        let selected = self.runs.row().map(|(key, _)| *key).filter(|key| *key != self.key);
        selected.or_else(|| self.runs.rows.as_ref()?.iter().map(|(key, _)| *key).find(|key| *key != self.key))
    }

    /// The pane with the focus on the page that is shown.
    pub fn shown_pane(&self) -> Pane {
        if self.tab == Tab::Proof { self.proof.pane } else { self.concerns.pane }
    }

    /// Whether the text that is shown is being searched.
    pub fn is_searching(&self) -> bool {
        let text: Option<&dyn ScrolledText> = match (self.tab, self.shown_pane()) {
            (Tab::Article, _) => Some(&self.article.printed),
            (Tab::Concerns, Pane::List | Pane::Draft) => Some(&self.concerns.draft),
            (Tab::Concerns, Pane::Verdict) => Some(&self.concerns.verdict),
            (Tab::Concerns, Pane::Source) => Some(&self.concerns.source),
            (Tab::Proof, Pane::List | Pane::Draft) => Some(&self.proof.draft),
            (Tab::Proof, Pane::Verdict) => Some(&self.proof.told),
            (Tab::Proof, Pane::Source) => Some(&self.proof.source_page),
            (Tab::Live, _) if self.waits().is_some() => Some(&self.concerns.draft),
            (Tab::Live, _) => Some(&self.live.text),
            (Tab::Calls, _) => Some(&self.calls.page),
            (Tab::Changes, _) => self.changes.compared.as_ref().map(|compared| compared as _),
            (Tab::Sources, _) => Some(&self.sources_page.list.page),
            (Tab::Log | Tab::Runs, _) => None,
        };
        text.is_some_and(|text| text.hit().is_some())
    }

    /// The decision that the run waits for.
    pub fn waits(&self) -> Option<Wait> {
        decisions::waits(&self.journal)
    }

    /// The latest round that has a draft; 0 before the first.
    pub fn latest_round(&self) -> u32 {
        self.journal.latest_draft()
    }

    /// The drafts that are compared beside the concerns of the round: what became of its draft, else what it became from.
    pub fn compared_drafts(&self) -> Option<DraftPair> {
        match self.round {
            0 => None,
            round if round < self.latest_round() => Some((round, round + 1)),
            round => Some((round - 1, round)).filter(|(from, _)| *from > 0),
        }
    }

    /// Shows the latest round if it is followed, and reads its concerns again.
    pub fn follow(&mut self) {
        if self.follows || self.round == 0 {
            self.round = self.latest_round();
        }
        self.read_round();
    }

    /// Shows another round.
    pub fn show_round(&mut self, round: u32) {
        let latest = self.latest_round();
        self.round = round.clamp(1.min(latest), latest);
        self.follows = self.round == latest;
        self.read_round();
    }

    /// Reads the page of sources again, if it is shown.
    pub fn lay_sources(&mut self) {
        if self.tab == Tab::Sources {
            self.sources_page.read(&self.journal);
        }
    }

    fn read_round(&mut self) {
        self.concerns.read(self.round, &self.journal, &self.sources);
        self.changes.read_accepted(&self.journal);
        self.article.lay(&self.journal, self.round);
        self.lay_sources();
        self.show_proof();
        self.gate.held_back = match self.waits() {
            Some(Wait::SignOff { round }) => {
                vouching::unsettled(&self.journal, round).map(|(number, _)| number).collect()
            }
            _ => Vec::new(),
        };
        self.gate.comes_back =
            matches!(self.waits(), Some(Wait::Gate { round }) if would_come_back(&self.journal, round));
        let claims = self.waits().and_then(|wait| self.journal.claims(wait.round()));
        let is_open = |claim: &Claim, round: u32| silence::stands(&self.journal, round, claim);
        let waiting = self.waits().map_or(0, Wait::round);
        let first = claims
            .and_then(|claims| check_worth::to_check_first(&claims.claims).find(|(_, claim)| is_open(claim, waiting)));
        self.gate.check_first = first.map(|(reason, claim)| (reason, claim.text.clone()));
        self.gate.to_read = ClaimsToRead::of(&self.journal, waiting);
        let asked = &self.journal.opening.topic.target_length_words;
        self.gate.short = self.journal.draft(waiting).and_then(|draft| remarks::short(&draft.article, asked));
        self.gate.set_aside = vouching::set_aside(&self.journal, waiting).count();
        let is_drafted = |wait: &Wait| matches!(wait, Wait::Gate { .. } | Wait::SignOff { .. });
        let warnings = || flags::weak_sources(&self.journal).into_iter().chain(flags::unsure_words(&self.journal));
        self.gate.warnings = self.waits().filter(is_drafted).into_iter().flat_map(|_| warnings()).collect();
        let round = signing::round(&self.journal);
        if self.gate.left_in != round {
            let undone = report::undone(&self.journal, round).into_iter();
            self.gate.left = undone.map(|to_do| FollowUp { to_do, progress: Progress::NotDone }).collect();
            (self.gate.left_in, self.gate.followed_up, self.gate.extract) = (round, 0, None);
        }
    }

    /// Makes the texts beside the list of concerns again.
    pub fn lay_panes(&mut self) {
        self.concerns.lay(&self.journal, &self.sources);
    }

    /// Takes in where the excerpts of a round's concerns stand.
    pub fn set_places(&mut self, round: u32, places: ExcerptPlaces) {
        self.concerns.set_places(round, places);
        self.lay_panes();
    }

    /// Shows a passage in its source, beside the selected concern. False if no source of this run has it.
    pub fn show_passage(&mut self, passage: &Passage) -> bool {
        self.concerns.show_passage(passage, &self.journal, &self.sources)
    }

    /// Makes the notes for the sign-off again, if there is more to note.
    pub fn lay_signing(&mut self) {
        let replies = self.run.open_replies();
        let beside = SigningBeside { left: &self.gate.left, sheet: self.gate.extract.as_ref(), replies: &replies };
        self.article.lay_signing(&self.journal, &self.changes.known, beside);
    }

    /// Shows the proof of the draft of `round`, if it is made.
    pub fn show_proof(&mut self) {
        self.proof.show(self.round, &self.journal, &self.sources);
    }

    /// Moves the selection in the proof.
    pub fn select_row(&mut self, by: isize) {
        self.proof.select(by, &self.journal, &self.sources);
    }

    /// Takes in entries that were added to the run.
    pub fn add(&mut self, entries: Vec<(i64, Entry)>) {
        let mut changes = false;
        let before = self.latest_round();
        let journal = Arc::make_mut(&mut self.journal);
        for (seq, entry) in entries {
            if seq > self.seq {
                self.seq = seq;
                changes |= matches!(entry.outcome, Outcome::Decision(_) | Outcome::Turn(_) | Outcome::Dossier(_));
                journal.push(entry);
            }
        }
        // Sources are found, added and removed on the way. Another one may then bear on a concern.
        let sources = if changes { journal.sources() } else { Vec::new() };
        if changes && sources != self.sources {
            self.sources = sources;
            self.concerns.bearings.clear();
        }
        if self.latest_round() > before {
            self.changes.forget_latest(before);
        }
        self.follow();
    }

    /// Makes the rail again.
    pub fn lay_rail(&mut self, live: Option<&Live>, at_work: bool) {
        self.live.rail = rail::rail(&self.journal, live, at_work);
    }

    pub fn selected_concern(&self) -> Option<&ConcernRow> {
        self.concerns.row()
    }
}
