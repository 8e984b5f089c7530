//! A run is a journal: what it was opened with, and one immutable entry for each finished step.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::{
    ArticleResponse, ArticleReviewRaw, ArticleReviewResult, Choice, ConcernMappingResult, Decided, Decision, Finding,
    Gates, MemoryRecord, Passage, Source, Step, Topic, Usage, Verdict, WriterFeedback,
};

/// Everything that a run is decided by and that no step of it produced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opening {
    /// The run's name (seed 002, section 6.1).
    pub run_id: String,
    /// When it was opened: ISO 8601, UTC.
    pub opened_at: String,
    /// The folder of its artifacts, as configured.
    pub artifacts_dir: String,
    /// The topic.
    pub topic: Topic,
    /// Sources beyond the topic's own text.
    pub more_sources: Vec<Source>,
    /// The draft that was handed in, where the loop starts from one.
    pub given_draft: Option<ArticleResponse>,
    /// The newsroom desk that the story belongs to, where one was named.
    pub desk: Option<String>,
    /// Who decides its gates.
    #[serde(default)]
    pub gates: Gates,
    /// `editor_max_rounds` of this run; an editor may add rounds (`editorial::decisions::max_rounds`).
    pub max_rounds: u32,
    /// The step that is asked anew although its answer is known: an editor went back to it to have it done again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anew: Option<Step>,
    /// Whether a search service for outside evidence is configured.
    pub seeks_evidence: bool,
    /// Digest of the prompts and settings that shape the run: no secrets, no addresses of screens.
    pub pins: String,
}

impl Opening {
    /// All sources: the topic's own text first, under the title of the recording or document.
    #[must_use]
    pub fn sources(&self) -> Vec<Source> {
        let own = Source { name: self.topic.source_metadata.video_title.clone(), text: self.topic.source_text.clone() };
        std::iter::once(own).chain(self.more_sources.iter().cloned()).collect()
    }
}

/// A draft and what the desk had to say about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Draft {
    /// The draft, after the footnote check.
    pub article: ArticleResponse,
    /// URLs, DOIs and footnotes that the writer added without a citation of this run, taken out.
    pub stripped: Vec<String>,
    /// To-dos that the writer could not do, each with the reason.
    pub undone: Vec<String>,
}

/// A review as it came, with the ledger rows behind its bullets where a program wrote them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Review {
    /// The bullets.
    pub raw: ArticleReviewRaw,
    /// Findings of the proof, in the order of their bullets; empty where a model reviewed.
    pub findings: Vec<Finding>,
}

/// What was known before a specialist was asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LookUp {
    /// What was looked up.
    pub query: String,
    /// The query as it is compared.
    pub normalized_query: String,
    /// The model whose earlier verdicts count.
    pub model_name: String,
    /// Digest of the knowledge base; null for a search outside.
    pub kb_index_version: Option<String>,
    /// First 16 hex digits of the key's SHA-256.
    pub cache_key_hash: String,
    /// The record that the institutional memory holds for this key.
    pub remembered: Option<MemoryRecord>,
    /// Passages of the knowledge base; empty where a record was found.
    pub passages: Vec<Passage>,
}

/// What a search outside the house returned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EvidenceFound {
    /// The prompt that was sent.
    pub prompt: String,
    /// The answer's text.
    pub response: String,
    /// The citations that came with it, as the service gave them.
    pub citations: Vec<String>,
}

/// What the gate decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GateOutcome {
    /// Every effective verdict is KEEP, or there was no concern.
    Passed,
    /// Back to the writer.
    Revise,
    /// The round was the last one allowed.
    RoundsUsedUp,
    /// An editor accepted the draft as it stands.
    Stet,
    /// An editor's own text is the next draft.
    Edited,
    /// An editor gave the story up.
    Spiked,
}

/// Why a human should look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Flag {
    /// The rounds were used up with concerns open.
    RoundsUsedUp,
    /// The offline writer left to-dos undone that it cannot do.
    ToDosUndone,
}

impl Flag {
    /// The flag in an editor's words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::RoundsUsedUp => "rounds used up with concerns open",
            Self::ToDosUndone => "the writer left to-dos undone",
        }
    }
}

/// A step that could not be done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Failure {
    /// What happened and what to do, for a person.
    pub message: String,
}

/// The end of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Publication {
    /// When: ISO 8601, UTC.
    pub generated_at: String,
    /// Whether a round passed.
    pub success: bool,
    /// Why a human should look, where one should.
    pub flags: Vec<Flag>,
}

/// What came out of a step.
#[expect(clippy::large_enum_variant, reason = "entries are few, and read far more often than moved")]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Of [`Step::Draft`] and [`Step::Revise`].
    Draft(Draft),
    /// Of [`Step::Review`].
    Review(Review),
    /// Of [`Step::Parse`].
    Concerns(ArticleReviewResult),
    /// Of [`Step::Map`].
    Mapping(ConcernMappingResult),
    /// Of [`Step::LookUp`].
    LookUp(LookUp),
    /// Of [`Step::Search`].
    Evidence(EvidenceFound),
    /// Of [`Step::Judge`].
    Verdict(Verdict),
    /// Of [`Step::Decide`].
    Decision(Decision),
    /// Of [`Step::Gate`].
    Gate(GateOutcome),
    /// Of [`Step::Feedback`].
    Feedback(WriterFeedback),
    /// Of [`Step::Publish`].
    Publication(Publication),
    /// Of any step that could not be done.
    Failure(Failure),
}

/// One entry of the journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The step that is done.
    pub step: Step,
    /// What came out.
    pub outcome: Outcome,
    /// When it was finished: ISO 8601, UTC.
    pub at: String,
    /// Tokens that the step's calls used, rejected answers included.
    pub usage: Usage,
}

/// A run: what it was opened with and what is done. Entries are only ever added.
#[derive(Debug, Clone, PartialEq)]
pub struct Journal {
    /// What the run was opened with.
    pub opening: Opening,
    entries: Vec<Entry>,
    /// Where each step's entry stands, so that a run of a thousand concerns asks a thousand questions, not a million.
    places: HashMap<Step, usize>,
    failed: Option<usize>,
}

impl Journal {
    /// A run in which nothing is done yet.
    #[must_use]
    pub fn new(opening: Opening) -> Self {
        Self { opening, entries: Vec::new(), places: HashMap::new(), failed: None }
    }

    /// Adds an entry.
    pub fn push(&mut self, entry: Entry) {
        let place = self.entries.len();
        self.places.insert(entry.step, place);
        if matches!(entry.outcome, Outcome::Failure(_)) {
            self.failed.get_or_insert(place);
        }
        self.entries.push(entry);
    }

    /// What is done, in the order of commitment.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// What came out of `step`, where it is done.
    #[must_use]
    pub fn outcome(&self, step: Step) -> Option<&Outcome> {
        self.places.get(&step).and_then(|place| self.entries.get(*place)).map(|entry| &entry.outcome)
    }

    /// The draft that `round` reviews.
    #[must_use]
    pub fn draft(&self, round: u32) -> Option<&Draft> {
        let step = if round <= 1 { Step::Draft } else { Step::Revise { round: round - 1 } };
        match self.outcome(step) {
            Some(Outcome::Draft(draft)) => Some(draft),
            _ => None,
        }
    }

    /// The review of `round`.
    #[must_use]
    pub fn review(&self, round: u32) -> Option<&Review> {
        match self.outcome(Step::Review { round }) {
            Some(Outcome::Review(review)) => Some(review),
            _ => None,
        }
    }

    /// The concerns of `round`.
    #[must_use]
    pub fn concerns(&self, round: u32) -> Option<&ArticleReviewResult> {
        match self.outcome(Step::Parse { round }) {
            Some(Outcome::Concerns(concerns)) => Some(concerns),
            _ => None,
        }
    }

    /// The mapping of `round`.
    #[must_use]
    pub fn mapping(&self, round: u32) -> Option<&ConcernMappingResult> {
        match self.outcome(Step::Map { round }) {
            Some(Outcome::Mapping(mapping)) => Some(mapping),
            _ => None,
        }
    }

    /// What was looked up for a concern.
    #[must_use]
    pub fn look_up(&self, round: u32, concern: u32) -> Option<&LookUp> {
        match self.outcome(Step::LookUp { round, concern }) {
            Some(Outcome::LookUp(look_up)) => Some(look_up),
            _ => None,
        }
    }

    /// What was found outside for a concern.
    #[must_use]
    pub fn evidence(&self, round: u32, concern: u32) -> Option<&EvidenceFound> {
        match self.outcome(Step::Search { round, concern }) {
            Some(Outcome::Evidence(found)) => Some(found),
            _ => None,
        }
    }

    /// Whether the specialist has decided a concern.
    #[must_use]
    pub fn is_judged(&self, round: u32, concern: u32) -> bool {
        matches!(self.outcome(Step::Judge { round, concern }), Some(Outcome::Verdict(_)))
    }

    /// The verdicts of `round` so far, in concern order.
    #[must_use]
    pub fn verdicts(&self, round: u32) -> Vec<Verdict> {
        let mut verdicts: Vec<Verdict> = self
            .entries
            .iter()
            .filter(|entry| entry.step.round() == round)
            .filter_map(|entry| match &entry.outcome {
                Outcome::Verdict(verdict) => Some(verdict.clone()),
                _ => None,
            })
            .collect();
        verdicts.sort_by_key(|verdict| verdict.concern_id);
        verdicts
    }

    /// What the editor decided at the gate and the sign-off of `round`, in order.
    #[must_use]
    pub fn decisions(&self, round: u32) -> Vec<Decided<'_>> {
        let mut decisions: Vec<Decided<'_>> = Vec::new();
        for entry in &self.entries {
            let (Step::Decide { round: of, number }, Outcome::Decision(decision)) = (entry.step, &entry.outcome) else {
                continue;
            };
            if of != round {
                continue;
            }
            if let Choice::Undo { number } = decision.choice
                && let Some(earlier) = decisions.iter_mut().find(|earlier| earlier.number == number)
            {
                earlier.undone = true;
            }
            decisions.push(Decided { round, number, at: &entry.at, decision, undone: false });
        }
        decisions
    }

    /// What the gate of `round` decided.
    #[must_use]
    pub fn gate(&self, round: u32) -> Option<GateOutcome> {
        match self.outcome(Step::Gate { round }) {
            Some(Outcome::Gate(outcome)) => Some(*outcome),
            _ => None,
        }
    }

    /// The feedback that closed `round`.
    #[must_use]
    pub fn feedback(&self, round: u32) -> Option<&WriterFeedback> {
        match self.outcome(Step::Feedback { round }) {
            Some(Outcome::Feedback(feedback)) => Some(feedback),
            _ => None,
        }
    }

    /// The step that could not be done, with its reason, where there is one.
    #[must_use]
    pub fn failure(&self) -> Option<(Step, &Failure)> {
        let entry = self.entries.get(self.failed?)?;
        match &entry.outcome {
            Outcome::Failure(failure) => Some((entry.step, failure)),
            _ => None,
        }
    }

    /// How the run ended, where it has.
    #[must_use]
    pub fn publication(&self) -> Option<&Publication> {
        match self.outcome(Step::Publish) {
            Some(Outcome::Publication(publication)) => Some(publication),
            _ => None,
        }
    }

    /// How many rounds have a parsed review.
    #[must_use]
    pub fn rounds(&self) -> u32 {
        u32::try_from(self.entries.iter().filter(|entry| matches!(entry.outcome, Outcome::Concerns(_))).count())
            .unwrap_or(u32::MAX)
    }

    /// Every citation that a verdict of this run carries.
    #[must_use]
    pub fn citations(&self) -> Vec<String> {
        self.entries
            .iter()
            .filter_map(|entry| match &entry.outcome {
                Outcome::Verdict(verdict) => verdict.citations.clone(),
                _ => None,
            })
            .flatten()
            .collect()
    }

    /// Tokens of the whole run: prompt and answer, as far as the servers said.
    #[must_use]
    pub fn tokens(&self) -> (u64, u64) {
        self.entries.iter().fold((0, 0), |(prompt, answer), entry| {
            (
                prompt.saturating_add(entry.usage.prompt_tokens.unwrap_or(0)),
                answer.saturating_add(entry.usage.completion_tokens.unwrap_or(0)),
            )
        })
    }
}
