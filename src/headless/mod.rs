//! The desk without a screen: the same events as progress lines, a result table, JSON lines, a story's report.
//!
//! Data goes to standard output, messages for a person to standard error.

mod json;
mod paint;
mod progress;
mod report;
mod table;
mod write;

pub use json::JsonLines;
pub use paint::Paint;
pub use progress::Progress;
pub use report::story_report;
pub use table::{ResultRow, RowState, results_table, runs_table};
pub use write::{data, megabytes, message, painted, question};
