//! One open story: its journal as far as it is read, and what the screen shows of it.

use std::{collections::HashMap, sync::Arc};

use crate::editorial::{decisions, report, vouching};
use crate::newsroom::{ArticleResponse, Entry, EventRecord, Journal, ListedRun, Passage, Source, Wait};
use crate::ports::{CallRow, CallText, RunKey};
use crate::proof::Bearing;
use crate::tui::screens::{
    concerns::picked::Picked,
    story::tabs::{Pane, Tab},
};
use crate::tui::{
    app::ticket::Ticket,
    screens::{
        article::{model::Printed, signing::Signing},
        changes::{
            comparisons::{Comparisons, Pair},
            model::Compared,
        },
        concerns::{self, model::ConcernRow, panes},
        live::{
            model::Live,
            rail::{self, RailRow},
        },
        proof::model::ProofPage,
    },
    widgets::page::Page,
};

fn empty() -> Page {
    Page::new(Arc::from(""))
}

/// An open story.
#[derive(Debug, Clone)]
pub struct StoryView {
    /// The run that is shown.
    pub key: RunKey,
    /// As the records list it.
    pub run: ListedRun,
    /// What is done.
    pub journal: Arc<Journal>,
    /// The run's sources.
    pub sources: Vec<Source>,
    /// The number of the last entry that has been read.
    pub seq: i64,
    /// The page.
    pub tab: Tab,
    /// The round whose concerns and draft are shown.
    pub round: u32,
    /// Whether the latest round is shown as it comes.
    pub follows: bool,
    /// The rail, as of the last change.
    pub rail: Vec<RailRow>,
    /// First row of the rail on the screen, counted from its end while the story is followed.
    pub rail_top: usize,
    /// The concerns of `round`.
    pub concerns: Vec<ConcernRow>,
    /// The selected concern, as a place in `concerns`.
    pub concern: usize,
    /// First row of the list of concerns on the screen.
    pub concern_top: usize,
    /// The decision that is on its way to the database, and its choice in a word: until it is there, no other is made.
    pub deciding: Option<(Ticket, &'static str)>,
    /// The round of a hand edit that is kept and was not saved as a decision.
    pub undecided_edit: Option<u32>,
    /// The pane with the focus.
    pub pane: Pane,
    /// The draft of `round`, with the excerpts marked.
    pub draft: Printed,
    /// What was said about the selected concern.
    pub verdict_page: Page,
    /// The name of the source that is shown, and its text with the passage marked.
    pub source_name: String,
    /// The source's text.
    pub source_page: Page,
    /// The passage that it was laid out for.
    source_of: Option<Bearing>,
    /// The concern, with its round, beside which a passage stands that was looked for; until another one is selected it stays.
    passage_beside: Option<(u32, Option<u32>)>,
    /// Where the excerpts of a round's concerns stand in its draft, as far as they were looked for.
    places: Option<(u32, panes::Places)>,
    /// The passages that bear on concerns, by round and concern, as far as they were looked for.
    pub bearings: HashMap<(u32, u32), Option<Bearing>>,
    /// What is being written, or was written last.
    pub live_page: Page,
    /// The draft of `round` held against the sources.
    pub proof: ProofPage,
    /// The numbers of the findings that hold the sign-off back, where the run waits for it.
    pub held_back: Vec<u32>,
    /// The article as it would be printed.
    pub article: Printed,
    /// What should be known before it is signed.
    pub signing: Signing,
    /// Two drafts compared.
    pub compared: Option<Compared>,
    /// Which two are to be shown.
    pub comparing: Option<Pair>,
    /// All that were compared.
    pub comparisons: Comparisons,
    /// The calls of the run.
    pub calls: Picked<CallRow>,
    /// The texts of the selected call.
    pub call: Option<Box<CallText>>,
    /// They as they are shown.
    pub call_page: Page,
    /// Whether keys move in the call's text, not in the list.
    pub in_call: bool,
    /// Whether calls are shown as they were sent and received.
    pub raw: bool,
    /// The audit log of the run.
    pub log: Picked<EventRecord>,
    /// The runs of the story.
    pub runs: Picked<(RunKey, ListedRun)>,
}

impl StoryView {
    /// A story just read.
    #[must_use]
    pub fn new(key: RunKey, run: ListedRun, journal: Arc<Journal>, seq: i64) -> Self {
        let mut story = Self {
            key,
            run,
            sources: journal.opening.sources(),
            journal,
            seq,
            tab: Tab::Live,
            round: 0,
            follows: true,
            rail: Vec::new(),
            rail_top: 0,
            concerns: Vec::new(),
            concern: 0,
            concern_top: 0,
            deciding: None,
            undecided_edit: None,
            pane: Pane::List,
            draft: Printed::default(),
            verdict_page: empty(),
            source_name: String::new(),
            source_page: empty(),
            source_of: None,
            passage_beside: None,
            places: None,
            bearings: HashMap::new(),
            live_page: empty(),
            proof: ProofPage::default(),
            held_back: Vec::new(),
            article: Printed::default(),
            signing: Signing::default(),
            compared: None,
            comparing: None,
            comparisons: Comparisons::default(),
            calls: Picked::default(),
            call: None,
            call_page: empty(),
            in_call: false,
            raw: false,
            log: Picked::default(),
            runs: Picked::default(),
        };
        story.follow();
        story
    }

    /// The pane with the focus on the page that is shown.
    #[must_use]
    pub fn shown_pane(&self) -> Pane {
        if self.tab == Tab::Proof { self.proof.pane } else { self.pane }
    }

    /// Whether a search stands in the text that is shown.
    #[must_use]
    pub fn is_searching(&self) -> bool {
        match (self.tab, self.shown_pane()) {
            (Tab::Concerns, Pane::List | Pane::Draft) | (Tab::Article, _) => {
                let printed = if self.tab == Tab::Article { &self.article } else { &self.draft };
                printed.hit().is_some()
            }
            (Tab::Concerns, Pane::Verdict) => self.verdict_page.hit().is_some(),
            (Tab::Concerns, Pane::Source) => self.source_page.hit().is_some(),
            (Tab::Proof, Pane::List | Pane::Draft) => self.proof.draft.hit().is_some(),
            (Tab::Proof, Pane::Verdict) => self.proof.told.hit().is_some(),
            (Tab::Proof, Pane::Source) => self.proof.page().is_some_and(|page| page.hit().is_some()),
            (Tab::Live, _) => self.live_page.hit().is_some(),
            (Tab::Calls, _) => self.call_page.hit().is_some(),
            (Tab::Changes, _) => self.compared.as_ref().is_some_and(|compared| compared.hit().is_some()),
            (Tab::Log | Tab::Runs, _) => false,
        }
    }

    /// Where the run waits for its editor.
    #[must_use]
    pub fn waits(&self) -> Option<Wait> {
        decisions::waits(&self.journal)
    }

    /// The latest round that has a draft; 0 before the first.
    #[must_use]
    pub fn latest_round(&self) -> u32 {
        self.journal.latest_draft()
    }

    /// Shows the latest round where it is followed, and reads its concerns anew.
    pub fn follow(&mut self) {
        if self.follows || self.round == 0 {
            let latest = self.latest_round();
            if latest != self.round {
                self.round = latest;
                self.concern = 0;
            }
        }
        self.read_concerns();
    }

    /// Shows another round.
    pub fn show_round(&mut self, round: u32) {
        let latest = self.latest_round();
        self.round = round.clamp(1.min(latest), latest);
        self.follows = self.round == latest;
        self.concern = 0;
        self.read_concerns();
    }

    fn read_concerns(&mut self) {
        self.concerns = concerns::model::rows(&self.journal, self.round);
        self.concern = self.concern.min(self.concerns.len().saturating_sub(1));
        self.lay_panes();
        self.lay_article();
        self.show_proof();
        self.held_back = match self.waits() {
            Some(Wait::SignOff { round }) => {
                vouching::unsettled(&self.journal, round).map(|(number, _)| number).collect()
            }
            _ => Vec::new(),
        };
    }

    /// Makes the texts beside the list of concerns anew.
    pub fn lay_panes(&mut self) {
        match self.journal.draft(self.round) {
            Some(draft) => {
                let known = self.places();
                let (marks, shown) = known.map_or((Vec::new(), None), |places| panes::excerpts(places, self.concern));
                self.draft.set(&draft.article, marks, shown);
            }
            None => self.draft.clear(),
        }
        // What says the same stays where its reader is.
        let verdict = panes::verdict(self.selected_concern());
        if verdict.text() != self.verdict_page.text() {
            self.verdict_page = verdict;
        }
        self.lay_source();
    }

    /// The passage that bears on the selected concern, as far as it was looked for.
    #[must_use]
    pub fn bearing(&self) -> Option<&Bearing> {
        let concern = self.selected_concern()?;
        self.bearings.get(&(self.round, concern.id))?.as_ref()
    }

    /// Where the excerpts stand in the draft that is shown, once they were looked for.
    #[must_use]
    pub fn places(&self) -> Option<&panes::Places> {
        let (_, places) =
            self.places.as_ref().filter(|(round, of)| *round == self.round && of.len() == self.concerns.len())?;
        Some(places)
    }

    /// Takes in where the excerpts of a round's concerns stand.
    pub fn set_places(&mut self, round: u32, places: panes::Places) {
        self.places = Some((round, places));
        self.lay_panes();
    }

    /// Whether the words of the selected concern were looked for and are not in the draft.
    #[must_use]
    pub fn has_no_excerpt(&self) -> bool {
        self.places().and_then(|places| places.get(self.concern)).is_some_and(Option::is_none)
    }

    /// Shows the two drafts that are to be shown, once they are compared. Until then those that were stay.
    pub fn lay_comparison(&mut self) {
        let Some(pair) = self.comparing.filter(|pair| self.compared.as_ref().is_none_or(|shown| shown.pair() != *pair))
        else {
            return;
        };
        let layout = self.compared.as_ref().map(|compared| compared.state.layout).unwrap_or_default();
        if let Some(comparison) = self.comparisons.of(pair) {
            self.compared = Some(Compared::new(pair, Arc::clone(comparison), layout));
        } else if self.comparisons.has(pair) {
            self.compared = None;
        }
    }

    /// Shows the source with the passage that bears on the selected concern. Where that is the one that is shown already, its
    /// reader stays.
    pub fn lay_source(&mut self) {
        if self.passage_beside.is_some_and(|beside| beside == self.beside()) {
            return;
        }
        if self.passage_beside.take().is_some() {
            self.source_page = empty();
        }
        let bearing = self.bearing().cloned();
        if self.source_of == bearing && !self.source_page.text().is_empty() {
            return;
        }
        (self.source_name, self.source_page) = panes::source(&self.sources, bearing.as_ref());
        self.source_of = bearing;
    }

    fn beside(&self) -> (u32, Option<u32>) {
        (self.round, self.selected_concern().map(|concern| concern.id))
    }

    /// Shows a passage in its source, beside the concern that is selected. False where no source of this run has it.
    pub fn show_passage(&mut self, passage: &Passage) -> bool {
        let Some((name, page)) = panes::passage(&self.sources, passage) else { return false };
        (self.source_name, self.source_page, self.source_of) = (name, page, None);
        self.passage_beside = Some(self.beside());
        self.pane = Pane::Source;
        true
    }

    /// Makes what should be known before signing anew, where the journal has grown.
    pub fn lay_signing(&mut self) {
        if self.signing.read(&self.journal, &self.comparisons) {
            self.article.set_notes(Arc::from(self.signing.notes.as_slice()));
        }
    }

    /// Shows the proof of the draft of `round`, as far as it was made.
    pub fn show_proof(&mut self) {
        self.proof.show(self.round, &self.journal, &self.sources);
    }

    /// Puts the rows of the proof in the order that is wanted.
    pub fn arrange_proof(&mut self) {
        self.proof.arrange(&self.journal, &self.sources);
    }

    /// Selects the row of the proof `by` places on.
    pub fn select_row(&mut self, by: isize) {
        self.proof.select(by, &self.journal, &self.sources);
    }

    /// Makes the article anew.
    pub fn lay_article(&mut self) {
        match shown_article(&self.journal, self.round) {
            Some(article) => self.article.set(article, Vec::new(), None),
            None => self.article.clear(),
        }
    }

    /// Takes entries in that were added to the run.
    pub fn add(&mut self, entries: Vec<(i64, Entry)>) {
        let journal = Arc::make_mut(&mut self.journal);
        for (seq, entry) in entries {
            if seq > self.seq {
                self.seq = seq;
                journal.push(entry);
            }
        }
        // What was compared may have a newer draft, or decisions that ask for more.
        if let Some(compared) = &self.compared
            && self.follows
            && compared.state.to < self.latest_round()
        {
            self.compared = None;
            self.comparing = None;
        }
        self.follow();
    }

    /// Makes the rail anew.
    pub fn lay_rail(&mut self, live: Option<&Live>, at_work: bool) {
        self.rail = rail::rail(&self.journal, live, at_work);
    }

    /// The selected concern.
    #[must_use]
    pub fn selected_concern(&self) -> Option<&ConcernRow> {
        self.concerns.get(self.concern)
    }
}

/// The article that a page shows, copies and saves: the one that is kept once the run has ended, else the draft of the round.
#[must_use]
pub fn shown_article(journal: &Journal, round: u32) -> Option<&ArticleResponse> {
    journal.draft(report::shown_round(journal, round)).map(|draft| &draft.article)
}
