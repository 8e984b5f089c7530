//! The rules of the editorial loop, as pure functions over plain data. They decide the form of a bullet, the next step, and whether a
//! round passes. They make the to-dos for the writer, choose the footnotes that may stand, and list the files that a run leaves.
//!
//! No I/O, no clock, no model. docs/reference/contract.md is the contract of these rules.

pub mod accusations;
pub mod aliasing;
pub mod artifacts;
pub mod bullets;
pub mod by_hand;
pub mod changes;
pub mod check_worth;
pub mod choices;
pub mod citations;
pub mod conflict;
pub mod consent;
pub mod context;
pub mod control_record;
pub mod corrections;
pub mod coverage;
pub mod credibility;
pub mod dated;
pub mod decisions;
pub mod distribution;
pub mod dossier;
pub mod drafting;
pub mod errand_limits;
pub mod event_words;
pub mod evidence;
pub mod excerpts;
pub mod expiry;
pub mod export;
pub mod extract;
pub mod flags;
pub mod footnotes;
pub mod gate;
pub mod grouping;
mod listed;
pub mod listener;
pub mod memory_file;
pub mod memory_key;
pub mod next_steps;
pub mod own_notes;
pub mod page_bars;
pub mod page_frame;
pub mod page_remarks;
pub mod passage_use;
pub mod proof_page;
pub mod publisher;
pub mod publishing;
pub mod remarks;
pub mod reopening;
pub mod repeated;
pub mod replies;
pub mod report;
pub mod research;
pub mod research_report;
pub mod retrieval;
pub mod returned;
pub mod run_id;
pub mod run_page;
pub mod same_words;
pub mod savings;
pub mod second_opinion;
pub mod sections;
mod sensitive;
pub mod silence;
pub mod subject;
pub mod target_length;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod topic_file;
pub mod trial;
pub mod version;
pub mod vouching;

pub use copydesk_documents::drafts;
