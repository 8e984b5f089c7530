//! Evaluations: their tables with intervals and tests, and the four forms of them.
//!
//! Whoever has the JSON can compute each figure again; `.ci/recompute.py` does.

mod judgements;
mod markdown;
mod page;
mod statistics;
mod stories;
mod tables;
mod terminal;
#[cfg(test)]
mod tests;

pub use judgements::{
    AskedQuestion, TablesAndUnits, context_evaluation, planted_evaluation, proof_evaluation, retrieval_evaluation,
};
pub use markdown::evaluation_markdown;
pub use page::evaluations_page;
pub use statistics::{MeanInterval, PairedTests, mcnemar};
pub use stories::{EvalVariant, StoryMeasured, StoryUnit, story_notes, story_tables};
pub use tables::{EvalBasis, EvalCell, EvalColumn, EvalRow, EvalTable, Evaluation};
pub use terminal::evaluation_text;
