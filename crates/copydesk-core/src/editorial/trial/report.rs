//! The results of a trial.

use super::{
    estimate::{StoryEstimate, TrialCall},
    marks::{ReviewMarks, WritingMarks},
    role::TrialRole,
};
use copydesk_newsroom::Specialist;

/// A count out of a total.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RightOf {
    pub right: usize,
    pub of: usize,
}

/// A verdict of the trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TriedVerdict {
    pub specialist: Specialist,
    /// Whether the words may stand.
    pub keep: bool,
    /// Whether the specialist let them; none if its answer was no use.
    pub kept: Option<bool>,
}

/// The results of a trial.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TrialReport {
    /// The model of each role; several if its agents have several.
    pub models: Vec<(TrialRole, String)>,
    /// In order.
    pub calls: Vec<TrialCall>,
    /// None if there was no draft.
    pub writing: Option<WritingMarks>,
    /// None if no model reviews.
    pub review: Option<ReviewMarks>,
    pub mapping: RightOf,
    pub verdicts: Vec<TriedVerdict>,
}

impl TrialReport {
    /// The number of usable answers.
    #[must_use]
    pub fn readable(&self) -> RightOf {
        let right = self.calls.iter().filter(|call| call.problem.is_none()).count();
        RightOf { right, of: self.calls.len() }
    }

    /// How many verdicts were right.
    #[must_use]
    pub fn right_verdicts(&self) -> RightOf {
        let right = self.verdicts.iter().filter(|verdict| verdict.kept == Some(verdict.keep)).count();
        RightOf { right, of: self.verdicts.len() }
    }

    /// Estimates the time and the tokens of a story.
    #[must_use]
    pub fn estimate(&self) -> Option<StoryEstimate> {
        StoryEstimate::from(&self.calls)
    }

    /// Its figures in one line.
    #[must_use]
    pub fn line(&self) -> String {
        let of = |RightOf { right, of }: RightOf, what: &str| format!("{right} of {of} {what}");
        let mut parts = vec![of(self.readable(), "answers read")];
        if let Some(marks) = &self.review {
            parts.push(of(RightOf { right: marks.found(), of: marks.errors.len() }, "errors found"));
            parts.push(of(RightOf { right: marks.accused, of: marks.true_sentences }, "true sentences accused"));
        }
        parts.push(of(self.mapping, "concerns mapped right"));
        parts.push(of(self.right_verdicts(), "verdicts right"));
        format!("Trial of the models: {}", parts.join(", "))
    }
}
