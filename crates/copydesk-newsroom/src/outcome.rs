//! The results of steps.

use serde::{Deserialize, Serialize};

use super::{
    ArticlePlan, ArticleResponse, ArticleReviewRaw, ArticleReviewResult, Claims, ConcernMappingResult, Decision,
    Dossier, Doubt, DraftSection, Finding, Flag, Headlines, Ledger, MemoryRecord, OpenedCitation, Opinions, Passage,
    PublishingNote, QuestionCoverage, ResearchTurn, SentenceSources, ToolResult, Triaged, Verdict, WriterFeedback,
    WrittenSection,
};

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

impl From<ArticleResponse> for Draft {
    /// An article as it is, with nothing stripped and nothing left undone.
    fn from(article: ArticleResponse) -> Self {
        Self { article, stripped: Vec::new(), undone: Vec::new() }
    }
}

/// The result of the proof that runs before the reviewer is asked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proof {
    /// The findings, in the order of the draft.
    pub findings: Vec<Finding>,
    /// The ledger that they were taken from; none if it was not kept.
    pub kept: Option<KeptLedger>,
}

/// A ledger as the journal keeps it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeptLedger {
    /// The whole ledger.
    pub ledger: Ledger,
    /// For each finding of the proof, the index of its row; none for one that only the draft before shows.
    pub findings: Vec<Option<usize>>,
    /// Where the sources speak of each sentence.
    pub sources: Vec<SentenceSources>,
    /// The sentences that do not match, if a model is asked about them.
    pub doubts: Vec<Doubt>,
}

/// A review: the reviewer's bullets, then those that a program wrote, with the findings behind them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Review {
    /// The bullets.
    pub raw: ArticleReviewRaw,
    /// All findings of the proof, in the order of the draft. Their numbers count from 1.
    pub findings: Vec<Finding>,
    /// The findings that the last bullets stand for, in their order; empty if each finding has one, in the order of the findings.
    pub last_bullets: Vec<LastBullet>,
    /// The reviewer's bullets that speak of the same words as findings. Those findings have no bullet of their own.
    pub shared: Vec<SharedBullet>,
}

/// A bullet of the reviewer and the findings about the same words, by their numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SharedBullet {
    /// The bullet, from 1: its concern's number.
    pub bullet: u32,
    pub findings: Vec<u32>,
}

/// The findings, by number, that a bullet written by a program stands for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LastBullet {
    /// One concern: a finding, and after it its doubles.
    Findings(Vec<u32>),
    /// A group: all other findings of one kind; without a finding, the reviewer's own concerns beyond the limit.
    Group(Vec<u32>),
}

impl Review {
    /// A review in which each finding has a bullet.
    pub fn new(raw: ArticleReviewRaw, findings: Vec<Finding>) -> Self {
        Self { raw, findings, last_bullets: Vec::new(), shared: Vec::new() }
    }

    /// How many of its concerns are the reviewer's own, of as many as it has; none if there are fewer than a program wrote.
    pub fn before(&self, concerns: usize) -> Option<usize> {
        let written = if self.has_a_bullet_each() { self.findings.len() } else { self.last_bullets.len() };
        concerns.checked_sub(written)
    }

    /// Whether each finding has a bullet of its own, in the order of the findings.
    pub fn has_a_bullet_each(&self) -> bool {
        self.last_bullets.is_empty() && self.shared.is_empty()
    }
}

/// The record and the passages that were found before a specialist was asked.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LookUp {
    /// The query.
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
    /// Passages of the story's sources and of the knowledge base that bear on the claim; empty if a record was found.
    pub passages: Vec<Passage>,
    /// The questions that the passages were asked.
    pub questions: Vec<String>,
    /// Tokens of the passages; none if nothing was retrieved.
    pub retrieved_tokens: Option<u64>,
    /// Tokens of the story's whole sources, which would have been read otherwise.
    pub source_tokens: Option<u64>,
    /// Why passages were found by their words alone, if they were.
    pub words_only: Option<String>,
    /// Whether that is because the embedder failed: then the verdict is not remembered.
    pub degraded: bool,
}

/// The result of a search outside the house.
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

/// The decision of the gate.
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

/// A step that could not be done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Failure {
    /// The error and the advice, for a person.
    pub message: String,
    /// Whether this is a failed step: it failed after its last retry.
    pub dead_letter: bool,
    /// Whether its call could have passed a budget and was not made.
    pub over_budget: bool,
}

impl Failure {
    /// One that no redelivery would have mended.
    pub fn of(message: impl Into<String>) -> Self {
        Self { message: message.into(), dead_letter: false, over_budget: false }
    }
}

/// The end of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Publication {
    /// When: ISO 8601, UTC.
    pub generated_at: String,
    /// Whether a round passed.
    pub success: bool,
    /// Why a human should look, if one should.
    pub flags: Vec<Flag>,
}

/// The result of a step.
#[expect(clippy::large_enum_variant, reason = "entries are few, and read far more often than moved")]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, strum::EnumTryAs)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Of [`Step::Draft`](super::Step::Draft), of the draft that is written once more, and of [`Step::Revise`](super::Step::Revise).
    Draft(Draft),
    /// Of [`Step::Write`](super::Step::Write): the plan of a draft in sections.
    ArticlePlan(ArticlePlan),
    /// Of [`Step::Write`](super::Step::Write): the text of a section.
    Prose(WrittenSection),
    /// Of [`Step::Write`](super::Step::Write): the headlines.
    Heads(Headlines),
    /// Of [`Step::Prove`](super::Step::Prove).
    Proof(Proof),
    /// Of [`Step::Opinion`](super::Step::Opinion).
    Opinions(Opinions),
    /// Of [`Step::Sections`](super::Step::Sections); none if the draft is reviewed as a whole.
    Sections(Vec<DraftSection>),
    /// Of [`Step::ReviewSection`](super::Step::ReviewSection).
    Bullets(ArticleReviewRaw),
    /// Of [`Step::Review`](super::Step::Review).
    Review(Review),
    /// Of [`Step::Parse`](super::Step::Parse).
    Concerns(ArticleReviewResult),
    /// Of [`Step::Map`](super::Step::Map).
    Mapping(ConcernMappingResult),
    /// Of [`Step::Turn`](super::Step::Turn).
    Turn(ResearchTurn),
    /// Of [`Step::Tool`](super::Step::Tool).
    Tool(ToolResult),
    /// Of [`Step::Coverage`](super::Step::Coverage).
    Coverage(QuestionCoverage),
    /// Of [`Step::Dossier`](super::Step::Dossier).
    Dossier(Dossier),
    /// Of [`Step::Triage`](super::Step::Triage): each verdict that asks for a change, in concern order.
    Triage(Vec<Triaged>),
    /// Of [`Step::Plan`](super::Step::Plan); and of [`Step::Questions`](super::Step::Questions): none if the memory has the answer, or
    /// nobody can write them.
    Questions(Vec<String>),
    /// Of [`Step::LookUp`](super::Step::LookUp).
    LookUp(LookUp),
    /// Of [`Step::Search`](super::Step::Search).
    Evidence(EvidenceFound),
    /// Of [`Step::Open`](super::Step::Open): each citation of the search, in its order.
    Opened(Vec<OpenedCitation>),
    /// Of [`Step::Judge`](super::Step::Judge).
    Verdict(Verdict),
    /// Of [`Step::Claims`](super::Step::Claims).
    Claims(Claims),
    /// Of [`Step::Decide`](super::Step::Decide).
    Decision(Decision),
    /// Of [`Step::Gate`](super::Step::Gate).
    Gate(GateOutcome),
    /// Of [`Step::Prepare`](super::Step::Prepare): what the Publisher notes.
    Prepared(Vec<PublishingNote>),
    /// Of [`Step::Feedback`](super::Step::Feedback).
    Feedback(WriterFeedback),
    /// Of [`Step::Publish`](super::Step::Publish).
    Publication(Publication),
    /// Of any step that could not be done.
    Failure(Failure),
}
