//! Feedback to the writer, the editor's report and the canonical result (docs/reference/contract.md).

use serde::{Deserialize, Serialize};

use super::{ArticleMetadata, ArticleResponse, Concern, ConcernMapping, Verdict};

/// One round of review.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IterationReport {
    /// The round, from 1.
    pub iteration_number: u32,
    /// The concerns of the review.
    pub concerns: Vec<Concern>,
    /// Who looked at each concern.
    pub mappings: Vec<ConcernMapping>,
    /// The effective verdicts.
    pub verdicts: Vec<Verdict>,
    /// The feedback to the writer; null in the last round.
    pub feedback_to_writer: Option<WriterFeedback>,
    /// The draft that was reviewed.
    pub article_draft: ArticleResponse,
}

/// How the run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum FinalStatus {
    /// A round passed.
    Success,
    /// The rounds were used up, or the run could not go on.
    Failed,
}

/// The whole editorial report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EditorReport {
    /// The rounds, in order.
    pub iterations: Vec<IterationReport>,
    /// How many rounds were reviewed.
    pub total_iterations: u32,
    /// How the run ended.
    pub final_status: FinalStatus,
    /// The kept draft's concerns that were not settled; null on success.
    pub blocking_concerns: Option<Vec<Concern>>,
}

/// The canonical output: one JSON file a topic (docs/reference/contract.md).
///
/// On failure `article`, `metadata` and `editor_report` hold what there is: the best draft so far, metadata as soon as
/// a draft exists, and the report over the rounds that were reviewed. If nothing exists they are null.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArticleGenerationResult {
    /// Whether a round passed.
    pub success: bool,
    /// The final article, or the best draft.
    pub article: Option<ArticleResponse>,
    /// The article's origin.
    pub metadata: Option<ArticleMetadata>,
    /// The reviews and decisions of the run.
    pub editor_report: Option<EditorReport>,
    /// Where the run's artifacts are, as configured.
    pub artifacts_dir: Option<String>,
    /// The error, for a person; null on success.
    pub error: Option<String>,
}

/// Feedback for one revision, compiled without a model (docs/reference/contract.md).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WriterFeedback {
    /// The round that this feedback closes, from 1.
    pub iteration: u32,
    /// 1 to 10.
    pub rating: u8,
    /// Always false: feedback is only sent when the round did not pass.
    pub passed: bool,
    /// The to-dos in order, in one text.
    pub reasoning: String,
    /// Up to five rationales of verdicts that keep the text.
    pub improvement_suggestions: Vec<String>,
    /// The tasks, in concern order.
    pub todo_list: Vec<String>,
    /// The verdicts that this feedback was compiled from.
    pub verdicts: Vec<Verdict>,
}
