//! The desk without a screen: the same events as progress lines, plain lines and JSON lines. Also a result table, a
//! story's report, and what waits for an editor.
//!
//! Data goes to standard output, messages for a person to standard error.

mod afterwards;
mod bar;
mod calls;
mod check_formats;
mod failed_steps;
mod gate;
mod hits;
mod ledger;
mod listeners;
mod memory;
mod paint;
mod places;
mod plain;
mod progress;
mod report;
mod requests;
mod research;
mod retention;
mod style;
mod table;
mod trial;
mod wrapped;
mod write;

pub use afterwards::{dispatched_line, kept_line, planned_json, planned_line, reply_lines, sharing_lines};
pub use bar::Bar;
pub use calls::{call_json, context_reduction};
pub use check_formats::CheckFormat;
pub use failed_steps::{failed_step_json, failed_steps_table};
pub use gate::{gate_report, possible};
pub use hits::{hit_lines, hits_json};
pub use ledger::{RowsShown, ledger_json, ledger_lines};
pub use listeners::{PlainLines, Quiet, listener};
pub use memory::{memory_json, memory_table, record_json, record_text};
pub use paint::Paint;
pub use places::{LineNumbers, in_file, listen};
pub use plain::{event_line, log_line, state_line};
pub use progress::ProgressLines;
pub use report::story_report;
pub use requests::request_lines;
pub use retention::{swept_json, swept_table};
pub use style::style_at_gate;
pub use table::{ResultRow, RowState, RunsBeside, aligned, lasted, results_table, runs_table, set_in, terminal_width};
pub use trial::{trial_json, trial_text};
pub use write::{asked, data, json, megabytes, message, messages, painted, plain_data, question, wipe};
