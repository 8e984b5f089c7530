//! The rules of the editorial loop, as pure functions over plain data: what is a bullet, what comes next, what passes,
//! what goes back to the writer, what may stand in a footnote, which files a run leaves.
//!
//! No I/O, no clock, no model. docs/reference/contract.md is the contract of these rules.

pub mod artifacts;
pub mod bullets;
pub mod by_hand;
pub mod changes;
pub mod choices;
pub mod citations;
pub mod conflict;
pub mod consent;
pub mod context;
pub mod control_record;
pub mod coverage;
pub mod credibility;
pub mod dated;
pub mod decisions;
pub mod distribution;
pub mod dossier;
pub mod drafts;
pub mod errand_limits;
pub mod evidence;
pub mod excerpts;
pub mod expiry;
pub mod export;
pub mod extract;
pub mod feedback;
pub mod flags;
pub mod footnotes;
pub mod gate;
pub mod grouping;
pub mod hints;
pub mod listener;
pub mod memory_file;
pub mod memory_key;
pub mod next_steps;
mod page_frame;
pub mod proof_page;
pub mod publisher;
pub mod publishing;
pub mod questions;
pub mod reopening;
pub mod repeated;
pub mod report;
pub mod research;
pub mod research_report;
pub mod retrieval;
pub mod run_id;
pub mod run_page;
pub mod savings;
pub mod second_opinion;
pub mod sections;
mod sensitive;
pub mod subject;
pub mod topic_file;
pub mod vouching;
