//! The trial of a model: small cases with known answers, the marks of an answer, and the judgement of a model by its marks.
//!
//! A newsroom reads a reviewer's "no concerns" as consent. So a model that finds nothing is to be known before it is trusted. Asks no
//! model: the desk does that with the agents and prompts of a story.

mod cases;
mod estimate;
mod judgement;
mod marks;

pub use cases::{TrialCases, TrialCasesError};
pub use estimate::{StoryEstimate, TrialCall};
pub use judgement::{Judgement, RightOf, TrialFitness, TrialReport, TriedVerdict};
pub use marks::{ReviewMarks, TrialRole, WritingMarks, review_marks, writing_marks};
