//! Evaluations: their tables with intervals and tests, and the forms of them: for a terminal, in Markdown, as a page, in JSON.
//!
//! Whoever has the JSON can compute each figure again; `.ci/recompute.py` does.

mod page;
mod statistics;
mod story_tables;
mod tables;
#[cfg(test)]
mod tests;
mod texts;

pub(crate) use page::evaluations_page;
pub(crate) use statistics::{MeasuredShare, float};
pub(crate) use story_tables::{StoryMeasured, StoryUnit, story_notes, story_tables};
pub(crate) use tables::{EvalBasis, EvalCell, EvalTable, Evaluation, TablesAndUnits, count, percent};
pub(crate) use texts::{evaluation_markdown, evaluation_text};
