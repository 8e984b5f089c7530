//! A run is a journal: what it was opened with, and one immutable entry for each finished step.

use std::{
    any::{Any, TypeId},
    collections::{BTreeSet, HashMap},
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use serde::{Deserialize, Serialize};

use super::{
    ArticleReviewResult, Choice, Claims, Concern, ConcernMapping, ConcernMappingResult, Decided, Decision, Dossier,
    DossierParagraph, Draft, DraftSection, EvidenceFound, Failure, FoundSource, GateOutcome, HiddenText, LookUp,
    NumberedSource, OpenedCitation, Opening, Opinions, Outcome, Proof, Publication, PublishingNote, QuestionCoverage,
    RecordedSource, ResearchErrand, ResearchTurn, Review, ShownSources, Source, SourceJudgement, SourcePlace, Step,
    Tier, ToolResult, Triaged, Usage, Verdict, WriterFeedback, Writing,
};

/// One entry of the journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The step that is done.
    pub step: Step,
    /// The result of the step.
    pub outcome: Outcome,
    /// When it was finished: ISO 8601, UTC.
    pub at: String,
    /// Tokens that the step's calls used, rejected answers included.
    pub usage: Usage,
    /// The places of the sources that its model was shown; none if it was shown them whole, or no model was asked.
    pub shown: Option<ShownSources>,
}

/// A run: what it was opened with and what is done. Entries are only ever added.
#[derive(Debug, Clone, PartialEq)]
pub struct Journal {
    /// The sources, settings and rules of the run.
    pub opening: Opening,
    entries: Vec<Entry>,
    index: Index,
}

/// Values that were worked out from the run. They are no part of it when runs are compared.
#[derive(Debug, Clone, Default)]
struct Index {
    /// Where each step's entry stands, so that a run of a thousand concerns asks a thousand questions, not a million.
    places: HashMap<Step, usize>,
    failed: Option<usize>,
    /// Where calls of tools stand: most runs have none.
    tools: Vec<usize>,
    /// Where decisions stand. A screen asks for them many times a frame.
    decided: Vec<usize>,
    /// Where the entries of each round stand.
    of_round: HashMap<u32, Vec<usize>>,
    /// How many rounds have a parsed review, and the latest round that has a draft.
    reviewed: u32,
    drafted: u32,
    /// Whether a source was added, removed or found on the way: otherwise nobody looks through the entries for one.
    changes_sources: bool,
    derived: Arc<Mutex<DerivedValues>>,
}

/// A `OnceLock` of a type, by the type and two numbers.
type DerivedValues = HashMap<(TypeId, u32, u32), Arc<dyn Any + Send + Sync>>;

impl PartialEq for Index {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Journal {
    /// A run in which nothing is done yet.
    pub fn new(opening: Opening) -> Self {
        Self { opening, entries: Vec::new(), index: Index::default() }
    }

    /// A value that follows from the drafts, reviews, concerns and sources of the run, worked out for the first who asks. A type stands
    /// for one question, `round` and `number` for what it is about.
    pub fn once<T: Any + Clone + Send + Sync>(&self, round: u32, number: u32, work_out: impl FnOnce() -> T) -> T {
        let mut known = self.index.derived.lock().unwrap_or_else(PoisonError::into_inner);
        let of = (TypeId::of::<T>(), round, number);
        let cell = Arc::clone(known.entry(of).or_insert_with(|| Arc::new(OnceLock::<T>::new())));
        drop(known);
        cell.downcast::<OnceLock<T>>().unwrap_or_default().get_or_init(work_out).clone()
    }

    /// Adds an entry.
    pub fn push(&mut self, entry: Entry) {
        let place = self.entries.len();
        self.index.places.insert(entry.step, place);
        self.index.of_round.entry(entry.step.round()).or_default().push(place);
        match entry.outcome {
            Outcome::Failure(_) => self.index.failed = self.index.failed.or(Some(place)),
            Outcome::Tool(_) => self.index.tools.push(place),
            Outcome::Decision(_) => self.index.decided.push(place),
            Outcome::Concerns(_) => self.index.reviewed = self.index.reviewed.saturating_add(1),
            _ => {}
        }
        let drafted = match (entry.step, &entry.outcome) {
            (Step::Draft, Outcome::Draft(_)) => 1,
            (Step::Revise { round }, Outcome::Draft(_)) => round.saturating_add(1),
            _ => 0,
        };
        self.index.drafted = self.index.drafted.max(drafted);
        let changes_sources = match &entry.outcome {
            Outcome::Turn(turn) => turn.findings.is_some(),
            Outcome::Decision(decision) => decision.choice.changes_sources(),
            _ => false,
        };
        self.index.changes_sources |= changes_sources;
        if changes_sources || matches!(entry.outcome, Outcome::Draft(_) | Outcome::Review(_) | Outcome::Concerns(_)) {
            self.index.derived = Arc::default();
        }
        self.entries.push(entry);
    }

    /// The pages that the dossier of an assignment rests on, in the order in which they were read. Empty before there is a dossier.
    pub fn dossier_pages(&self) -> Vec<NumberedSource<'_>> {
        if self.dossier().is_none() {
            return Vec::new();
        }
        let mut pages = self.kept_in_passes();
        pages.sort_by_key(|page| page.number);
        pages.dedup_by_key(|page| page.number);
        pages
    }

    /// The places of the sources that the dossier chose, in its order. Empty if there is no dossier.
    pub fn dossier_places(&self) -> Vec<SourcePlace> {
        let Some(dossier) = self.dossier() else { return Vec::new() };
        let texts: Vec<(&str, &str)> = self.texts().collect();
        let place = |paragraph: &DossierParagraph| {
            let (start, end) = (paragraph.at, paragraph.at + (paragraph.end - paragraph.start));
            let source = texts.iter().position(|(name, _)| *name == paragraph.source)?;
            texts.get(source)?.1.get(start..end)?;
            Some(SourcePlace { source, start, end, speaker: None })
        };
        dossier.paragraphs.iter().filter_map(place).collect()
    }

    /// The sources that a draft is written from: what the dossier chose of each, else all of them whole.
    pub fn writing_sources(&self) -> Vec<Source> {
        let places = self.dossier_places();
        if places.is_empty() {
            return self.sources();
        }
        let chosen_of = |(number, (name, text)): (usize, (&str, &str))| {
            let of_it = places.iter().filter(|place| place.source == number);
            let chosen: Vec<&str> = of_it.filter_map(|place| text.get(place.start..place.end)).collect();
            (!chosen.is_empty()).then(|| Source { name: name.to_owned(), text: chosen.join("\n\n") })
        };
        self.texts().enumerate().filter_map(chosen_of).collect()
    }

    /// The finished steps, in the order of commitment.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The entries that are decisions of an editor.
    fn decided(&self) -> impl DoubleEndedIterator<Item = &Entry> {
        self.index.decided.iter().filter_map(|place| self.entries.get(*place))
    }

    /// The rounds that an editor decided on, each once.
    pub fn decided_rounds(&self) -> BTreeSet<u32> {
        self.decided().map(|entry| entry.step.round()).collect()
    }

    /// The entries of a round.
    fn of_round(&self, round: u32) -> impl Iterator<Item = &Entry> {
        let places = self.index.of_round.get(&round).into_iter().flatten();
        places.filter_map(|place| self.entries.get(*place))
    }

    /// The outcome of `step`, if it is done.
    pub fn outcome(&self, step: Step) -> Option<&Outcome> {
        self.index.places.get(&step).and_then(|place| self.entries.get(*place)).map(|entry| &entry.outcome)
    }

    /// All sources. The story's own text is the first, under the title of the recording or document; of an assignment, the pages of its
    /// dossier stand there. Then come those that were given, then those that were found or added on the way. A draft never sees a source
    /// change its place.
    pub fn sources(&self) -> Vec<Source> {
        self.texts().map(|(name, text)| Source { name: name.to_owned(), text: text.to_owned() }).collect()
    }

    /// Name and text of each of [`Self::sources`], without a copy. The text of a source that an editor removed or distrusts is empty.
    pub fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        let removed = self.no_witnesses();
        let kept = move |(name, text)| (name, if removed.contains(name) { "" } else { text });
        let pages = self.dossier_pages().into_iter().map(|page| (page.name(), page.source.text.as_str()));
        // An assignment is a wish, not a source.
        let given = self.opening.texts().skip(usize::from(self.dossier().is_some()));
        pages.chain(given).chain(self.later_sources().into_iter().map(|(name, text, _)| (name, text))).map(kept)
    }

    /// The text of that name which research found and the story rests on.
    pub fn found_source(&self, name: &str) -> Option<NumberedSource<'_>> {
        let later = self.later_sources().into_iter().filter_map(|(.., found)| found);
        self.dossier_pages().into_iter().chain(later).find(|found| found.name() == name)
    }

    /// Sources that are not of the opening, in order: name, text, and the found source it is, if it was found.
    pub fn later_sources(&self) -> Vec<(&str, &str, Option<NumberedSource<'_>>)> {
        let mut later: Vec<(&str, &str, Option<NumberedSource<'_>>)> = Vec::new();
        if !self.index.changes_sources {
            return later;
        }
        let adds_sources = |entry: &&Entry| match (entry.step, &entry.outcome) {
            (Step::Decide { .. }, Outcome::Decision(decision)) => matches!(decision.choice, Choice::AddSource { .. }),
            (Step::Turn { errand: ResearchErrand::Round(_), .. }, Outcome::Turn(turn)) => turn.findings.is_some(),
            _ => false,
        };
        let rounds: BTreeSet<u32> = self.entries.iter().filter(adds_sources).map(|entry| entry.step.round()).collect();
        let pages = self.dossier_pages();
        for round in rounds {
            for decided in self.decisions(round).into_iter().filter(|decided| !decided.undone) {
                if let Choice::AddSource { name, text, .. } = &decided.decision.choice {
                    later.push((name.as_str(), text.as_str(), None));
                }
            }
            for found in self.kept_sources(ResearchErrand::Round(round)) {
                let mut earlier = later.iter().filter_map(|(.., earlier)| earlier.as_ref()).chain(&pages);
                if !earlier.any(|earlier| earlier.number == found.number) {
                    later.push((found.name(), found.source.text.as_str(), Some(found)));
                }
            }
        }
        later
    }

    /// The hidden text of a source that an editor added.
    pub fn hidden_in_added(&self, source: &str) -> Vec<HiddenText> {
        // One that was undone can be added again under its name.
        let mut decisions = self.decided().rev().filter_map(|entry| entry.outcome.try_as_decision_ref());
        let added = decisions.find_map(|decision| match &decision.choice {
            Choice::AddSource { name, hidden, .. } if name == source => Some(hidden.clone()),
            _ => None,
        });
        added.unwrap_or_default()
    }

    /// The sources that were written down from recordings: those that were given, and those that an editor added.
    pub fn recordings(&self) -> impl Iterator<Item = &RecordedSource> {
        // One that was undone can be added again under its name.
        let decisions = self.entries.iter().rev().filter_map(|entry| entry.outcome.try_as_decision_ref());
        let added = decisions.filter_map(|decision| match &decision.choice {
            Choice::AddSource { recorded, .. } => recorded.as_deref(),
            _ => None,
        });
        self.opening.recorded.iter().chain(added)
    }

    /// The source of that name, if it was written down from a recording.
    pub fn recording(&self, source: &str) -> Option<&RecordedSource> {
        self.recordings().find(|recorded| recorded.source == source)
    }

    /// Returns the tier of the source of that name: found by the Reporter, or the story's own.
    pub fn tier(&self, name: &str) -> Tier {
        if self.found_source(name).is_some() { Tier::Found } else { Tier::Source }
    }

    /// The decisions of an editor that a source is no witness any more, with its name, in their order; none that was undone.
    pub fn no_witness_decisions(&self) -> Vec<(&str, &Decision)> {
        let mut all = Vec::new();
        if !self.index.changes_sources {
            return all;
        }
        for entry in self.decided() {
            let (Step::Decide { round, number }, Outcome::Decision(decision)) = (entry.step, &entry.outcome) else {
                continue;
            };
            if let Choice::RemoveSource { name, .. } | Choice::DistrustSource { name, .. } = &decision.choice {
                let undone = |choice: &Choice| matches!(choice, Choice::Undo { number: of } if *of == number);
                if !self.decisions(round).iter().any(|later| undone(&later.decision.choice)) {
                    all.push((name.as_str(), decision));
                }
            }
        }
        all
    }

    /// A source's own text as it was brought, also if nothing may rest on it.
    pub fn brought(&self, name: &str) -> Option<&str> {
        let given = self.opening.texts().find(|(known, _)| *known == name).map(|(_, text)| text);
        let later = || self.later_sources().into_iter().find(|(known, ..)| *known == name).map(|(_, text, _)| text);
        let read = || {
            let read = self.read_sources().into_iter().find(|read| read.name() == name)?;
            Some(read.source.text.as_str())
        };
        given.or_else(later).or_else(read)
    }

    /// The names of the sources that an editor removed or distrusts.
    fn no_witnesses(&self) -> BTreeSet<&str> {
        self.no_witness_decisions().into_iter().map(|(name, _)| name).collect()
    }

    /// Whether nothing may rest on the source of that name: an editor removed or distrusts it.
    pub fn is_no_witness(&self, name: &str) -> bool {
        self.no_witness_decisions().iter().any(|(known, _)| *known == name)
    }

    /// The sources that an editor distrusts, with their reasons, in the order of the decisions; a source that was removed is not among them.
    pub fn distrusted(&self) -> Vec<(&str, &str)> {
        let all = self.no_witness_decisions();
        let is_removed = |name: &str| {
            let mut of_it = all.iter().filter(|(known, _)| *known == name);
            of_it.any(|(_, decision)| matches!(decision.choice, Choice::RemoveSource { .. }))
        };
        let mut distrusted: Vec<(&str, &str)> = Vec::new();
        for (name, decision) in &all {
            if let Choice::DistrustSource { reason, .. } = &decision.choice
                && !is_removed(name)
            {
                // The last reason stands.
                distrusted.retain(|(known, _)| known != name);
                distrusted.push((name, reason));
            }
        }
        distrusted
    }

    /// Every text that research read, each once, with its number.
    pub fn read_sources(&self) -> Vec<NumberedSource<'_>> {
        let tools = self.index.tools.iter().filter_map(|place| self.entries.get(*place));
        let mut results: Vec<(Step, &ToolResult)> =
            tools.filter_map(|entry| Some((entry.step, entry.outcome.try_as_tool_ref()?))).collect();
        // Calls of one turn end in any order.
        results.sort_by_key(|(step, _)| *step);
        let mut read: Vec<NumberedSource<'_>> = Vec::new();
        for (step, result) in results {
            let Step::Tool { errand, .. } = step else { continue };
            // What another agent looks at before its own step becomes no source of the story.
            if errand.serves().is_some() {
                continue;
            }
            for source in &result.found {
                if !read.iter().any(|known| known.source.digest == source.digest) {
                    read.push(NumberedSource { number: read.len() + 1, errand, source });
                }
            }
        }
        read
    }

    /// The sources that the findings of an errand rest on.
    pub fn kept_sources(&self, errand: ResearchErrand) -> Vec<NumberedSource<'_>> {
        let Some(findings) = self.findings(errand).and_then(|turn| turn.findings.as_ref()) else { return Vec::new() };
        let named: BTreeSet<&str> = findings.iter().map(|finding| finding.source.as_str()).collect();
        self.read_sources().into_iter().filter(|read| named.contains(read.id().as_str())).collect()
    }

    /// How far a source that research read can be trusted, as it was judged last. None if no finding rests on it.
    pub fn judgement(&self, id: &str) -> Option<&SourceJudgement> {
        let mut turns = self.entries.iter().rev().filter_map(|entry| entry.outcome.try_as_turn_ref());
        turns.find_map(|turn| turn.judged.iter().find(|judged| judged.source == id))
    }

    /// The credibility of the source of that name: 1 of the story's own, the score by rules of one that was found, 0 of one on which nothing
    /// may rest.
    pub fn credibility(&self, name: &str) -> Option<f64> {
        if self.is_no_witness(name) {
            return Some(0.0);
        }
        let Some(found) = self.found_source(name) else { return Some(1.0) };
        self.judgement(&found.id()).map(|judged| judged.rules.score)
    }

    /// The passes that are back with their findings.
    pub fn passes(&self) -> impl Iterator<Item = ResearchErrand> {
        (1..).map(ResearchErrand::Pass).take_while(|errand| self.findings(*errand).is_some())
    }

    /// The sources that the findings of the passes rest on; one may be there several times.
    pub fn kept_in_passes(&self) -> Vec<NumberedSource<'_>> {
        self.passes().flat_map(|errand| self.kept_sources(errand)).collect()
    }

    /// The turn that ended an errand with its findings.
    pub fn findings(&self, errand: ResearchErrand) -> Option<&ResearchTurn> {
        (1..).map_while(|turn| self.turn(errand, turn)).find(|turn| turn.findings.is_some())
    }

    /// The pages that a specialist opened before its verdict on a concern.
    pub fn checked_pages(&self, round: u32, concern: u32) -> Vec<&FoundSource> {
        let errand = ResearchErrand::Check { round, concern };
        let turns = (1..).map_while(|turn| Some((turn, self.turn(errand, turn)?)));
        let calls = turns.flat_map(|(turn, done)| (1..).zip(&done.calls).map(move |(call, _)| (turn, call)));
        calls.filter_map(|(turn, call)| self.tool(errand, turn, call)).flat_map(|result| &result.found).collect()
    }

    /// The draft that `round` reviews.
    pub fn draft(&self, round: u32) -> Option<&Draft> {
        let outcome = match round {
            0 | 1 => self.outcome(Step::Write(Writing::Again)).or_else(|| self.outcome(Step::Draft)),
            round => self.outcome(Step::Revise { round: round - 1 }),
        };
        outcome?.try_as_draft_ref()
    }

    /// The latest round that has a draft; 0 before the first.
    pub fn latest_draft(&self) -> u32 {
        self.index.drafted
    }

    /// The opinions of models on the sentences of the draft of `round` that the proof could not bind.
    pub fn opinions(&self, round: u32) -> impl Iterator<Item = &Opinions> {
        self.of_round(round).filter_map(|entry| entry.outcome.try_as_opinions_ref())
    }

    /// The concerns of `round`; none before its review is parsed.
    pub fn concern_list(&self, round: u32) -> &[Concern] {
        self.concerns(round).map(|result| result.concerns.as_slice()).unwrap_or_default()
    }

    /// The concern of that id.
    pub fn concern(&self, round: u32, concern: u32) -> Option<&Concern> {
        self.concern_list(round).iter().find(|known| known.concern_id == concern)
    }

    /// Who looks at the concern of that id, and of what type it is.
    pub fn mapping_of(&self, round: u32, concern: u32) -> Option<&ConcernMapping> {
        self.mapping(round)?.mappings.iter().find(|mapping| mapping.concern_id == concern)
    }

    /// Whether the specialist has decided a concern.
    pub fn is_judged(&self, round: u32, concern: u32) -> bool {
        self.verdict(round, concern).is_some()
    }

    /// The verdicts of `round` so far, in concern order.
    pub fn verdicts(&self, round: u32) -> Vec<Verdict> {
        let entries = self.of_round(round);
        let mut verdicts: Vec<Verdict> =
            entries.filter_map(|entry| entry.outcome.try_as_verdict_ref()).cloned().collect();
        verdicts.sort_by_key(|verdict| verdict.concern_id);
        verdicts
    }

    /// The decisions of the editor at the gate and the sign-off of `round`, in order.
    pub fn decisions(&self, round: u32) -> Vec<Decided<'_>> {
        let mut decisions: Vec<Decided<'_>> = Vec::new();
        for entry in self.decided().filter(|entry| entry.step.round() == round) {
            let (Step::Decide { number, .. }, Outcome::Decision(decision)) = (entry.step, &entry.outcome) else {
                continue;
            };
            if let Choice::Undo { number } = decision.choice
                && let Some(earlier) = decisions.iter_mut().find(|earlier| earlier.number == number)
            {
                earlier.undone = true;
            }
            decisions.push(Decided { round, number, at: &entry.at, decision, undone: false });
        }
        decisions
    }

    /// The decision of the gate of `round`.
    pub fn gate(&self, round: u32) -> Option<GateOutcome> {
        self.outcome(Step::Gate { round })?.try_as_gate_ref().copied()
    }

    /// The step that could not be done, with its reason, if there is one.
    pub fn failure(&self) -> Option<(Step, &Failure)> {
        let entry = self.entries.get(self.index.failed?)?;
        Some((entry.step, entry.outcome.try_as_failure_ref()?))
    }

    /// How many rounds have a parsed review.
    pub fn rounds(&self) -> u32 {
        self.index.reviewed
    }

    /// Every citation that a verdict of this run carries.
    pub fn citations(&self) -> Vec<String> {
        let verdicts = self.entries.iter().filter_map(|entry| entry.outcome.try_as_verdict_ref());
        verdicts.filter_map(|verdict| verdict.citations.clone()).flatten().collect()
    }

    /// Tokens of the whole run: prompt and answer, as far as the servers said.
    pub fn tokens(&self) -> (u64, u64) {
        self.entries.iter().fold((0, 0), |(prompt, answer), entry| {
            (
                prompt.saturating_add(entry.usage.prompt_tokens.unwrap_or(0)),
                answer.saturating_add(entry.usage.completion_tokens.unwrap_or(0)),
            )
        })
    }
}

/// Each outcome that one step has, if the step is done: its name, its type, the step, and the kind of outcome.
macro_rules! outcomes {
    ($($(#[$doc:meta])+ $name:ident($($of:ident: $type:ty),*) -> $held:ty: $step:expr, $kind:ident;)+) => {
        impl Journal {$(
            $(#[$doc])+
            pub fn $name(&self $(, $of: $type)*) -> Option<&$held> {
                let held: &$held = self.outcome($step)?.$kind()?;
                Some(held)
            }
        )+}
    };
}

outcomes! {
    /// A turn of an errand.
    turn(errand: ResearchErrand, turn: u32) -> ResearchTurn: Step::Turn { errand, turn }, try_as_turn_ref;
    /// The result of a call of a tool, if it is done.
    tool(errand: ResearchErrand, turn: u32, call: u32) -> ToolResult: Step::Tool { errand, turn, call }, try_as_tool_ref;
    /// The questions of an assignment.
    plan() -> [String]: Step::Plan, try_as_questions_ref;
    /// Whether a pass answered its questions.
    coverage(pass: u32) -> QuestionCoverage: Step::Coverage { pass }, try_as_coverage_ref;
    /// The dossier that an assignment's research ended with.
    dossier() -> Dossier: Step::Dossier, try_as_dossier_ref;
    /// Which way each verdict of `round` goes.
    triage(round: u32) -> [Triaged]: Step::Triage { round }, try_as_triage_ref;
    /// The findings of the proof in the draft of `round`, if the proof has a step of its own.
    proof(round: u32) -> Proof: Step::Prove { round }, try_as_proof_ref;
    /// The sections that the draft of `round` is reviewed in; none before they are looked for.
    sections(round: u32) -> [DraftSection]: Step::Sections { round }, try_as_sections_ref;
    /// The review of `round`.
    review(round: u32) -> Review: Step::Review { round }, try_as_review_ref;
    /// The concerns of `round`.
    concerns(round: u32) -> ArticleReviewResult: Step::Parse { round }, try_as_concerns_ref;
    /// The mapping of `round`.
    mapping(round: u32) -> ConcernMappingResult: Step::Map { round }, try_as_mapping_ref;
    /// The questions that a model wrote for a concern; none of them where it was not asked.
    questions(round: u32, concern: u32) -> [String]: Step::Questions { round, concern }, try_as_questions_ref;
    /// The look-up for a concern.
    look_up(round: u32, concern: u32) -> LookUp: Step::LookUp { round, concern }, try_as_look_up_ref;
    /// The evidence that a search outside found for a concern.
    evidence(round: u32, concern: u32) -> EvidenceFound: Step::Search { round, concern }, try_as_evidence_ref;
    /// The citations of a concern's search, each with the result of opening it, once they were opened.
    opened(round: u32, concern: u32) -> [OpenedCitation]: Step::Open { round, concern }, try_as_opened_ref;
    /// The specialist's verdict on a concern.
    verdict(round: u32, concern: u32) -> Verdict: Step::Judge { round, concern }, try_as_verdict_ref;
    /// The claims of the draft of `round`, if they were checked.
    claims(round: u32) -> Claims: Step::Claims { round }, try_as_claims_ref;
    /// The Publisher's notes on the draft of `round`, once it has looked.
    prepared(round: u32) -> [PublishingNote]: Step::Prepare { round }, try_as_prepared_ref;
    /// The feedback that closed `round`.
    feedback(round: u32) -> WriterFeedback: Step::Feedback { round }, try_as_feedback_ref;
    /// How the run ended, if it has.
    publication() -> Publication: Step::Publish, try_as_publication_ref;
}
