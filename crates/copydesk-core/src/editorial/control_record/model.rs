//! The control record as plain data, and the material that it is read from.

use serde::Serialize;

use copydesk_newsroom::{
    Correction, Disclosure, EventRecord, ExaminedObject, Journal, ListedRun, Status, StoryDelivery, StoryWithdrawal,
};

/// The notice in each record.
pub const NOTICE: &str = "This record is evidence of what Copydesk logged. It is not legal advice, and it does not show what a person \
                          understood, or read elsewhere.";

/// A run with its journal and its events.
#[derive(Debug)]
pub struct RecordedRun {
    pub run: ListedRun,
    pub journal: Journal,
    pub events: Vec<EventRecord>,
}

/// The desk's audit log at the moment of the record.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct CheckedLog {
    pub events: u64,
    /// Its last link, hex.
    pub head: String,
    /// The changes that a check of the whole desk found; empty if there are none.
    pub flaws: Vec<String>,
}

/// The story's canonical file as it lies on the disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArticleOnDisk {
    pub path: String,
    /// The folder of the run that wrote it.
    pub artifacts_dir: Option<String>,
    /// The version that it has now; none if there is no article in it.
    pub version: Option<String>,
}

/// The whole record of one run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ControlRecord {
    /// `copydesk control record 1`: fields are only ever added.
    pub format: &'static str,
    pub notice: &'static str,
    /// `channel/slug`.
    pub story: String,
    pub title: String,
    pub run: String,
    /// ISO 8601, UTC; so are all times.
    pub opened_at: String,
    pub ended_at: Option<String>,
    /// How far the article has come, in a sentence.
    pub standing: String,
    pub disclosure: RecordedDisclosure,
    /// When, by whom and why the version was taken back; null if it was not.
    pub withdrawn: Option<StoryWithdrawal>,
    /// The corrections that the run makes, oldest first.
    pub corrections: Vec<Correction>,
    /// The article as it stands; none before the first draft.
    pub article: Option<RecordedArticle>,
    /// Every signature under a run of the story, oldest first.
    pub signatures: Vec<RecordedSignature>,
    /// The parts that an editor had on the screen, in the order of time.
    pub examined: Vec<ExaminedRow>,
    /// The parts of the run that, by the log, no editor had on the screen; only views before the signature count, if there is one.
    pub not_examined: Vec<NotExamined>,
    pub overruled: Vec<OverruledRow>,
    /// The findings of the proof that an editor let stand.
    pub accepted: Vec<AcceptedRow>,
    pub edits: Vec<EditRow>,
    /// Every decision, also those above.
    pub decisions: Vec<DecisionRow>,
    /// The deliveries that left the house.
    pub deliveries: Vec<DeliveryRow>,
    pub log: CheckedLog,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RecordedDisclosure {
    pub setting: Disclosure,
    /// The line that readers see; null if the newsroom discloses nothing.
    pub line: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RecordedArticle {
    pub round: u32,
    pub headline: String,
    /// SHA-256 of its fields, hex.
    pub version: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RecordedSignature {
    pub run: String,
    pub by: String,
    pub at: String,
    pub round: u32,
    /// The version that was signed.
    pub version: String,
    /// The last link of the audit log before it, hex.
    pub chain: String,
    /// Whether the version that was signed is still the story's article.
    pub stands: bool,
    /// Why it does not stand, a sentence each.
    pub void_because: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExaminedRow {
    pub at: String,
    pub by: String,
    pub run: String,
    /// Where the run waited, such as `r1.gate`; null if it did not wait.
    pub gate: Option<String>,
    /// In words.
    pub what: String,
    /// The words that are in question there.
    pub excerpt: Option<String>,
    /// For a draft: whether it is exactly the version that was signed.
    pub is_signed_version: Option<bool>,
    #[serde(flatten)]
    pub part: ExaminedObject,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NotExamined {
    /// In words.
    pub what: String,
    #[serde(flatten)]
    pub part: ExaminedObject,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OverruledRow {
    pub round: u32,
    pub concern: u32,
    pub excerpt: String,
    /// The agent's verdict and its reason.
    pub verdict: Status,
    pub rationale: String,
    /// The status that counts instead.
    pub now: Status,
    pub by: String,
    pub at: String,
    pub reason: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AcceptedRow {
    pub round: u32,
    pub finding: u32,
    pub text: String,
    pub note: String,
    pub by: String,
    pub at: String,
    pub reason: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EditRow {
    pub round: u32,
    pub by: String,
    pub at: String,
    /// The concern whose fix was made; null for an edit by hand.
    pub concern: Option<u32>,
    /// The versions before and after.
    pub from_version: String,
    pub to_version: String,
    pub changes: Vec<EditedWords>,
    /// Whether it was undone.
    pub undone: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EditedWords {
    /// The article's field, by its contract name.
    pub field: String,
    pub removed: String,
    pub added: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DecisionRow {
    /// 0 before the first draft.
    pub round: u32,
    pub at: String,
    pub by: String,
    /// The decision and its reason, in words.
    pub what: String,
    /// Whether a later decision undid it.
    pub undone: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DeliveryRow {
    pub at: String,
    pub run: String,
    #[serde(flatten)]
    pub delivery: StoryDelivery,
}
