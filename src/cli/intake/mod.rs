//! Reads what a person hands in: topics, sources, drafts, house style. Finds out what a word on the command line means.

pub(crate) mod assigned;
pub(crate) mod belonging;
pub(crate) mod choice;
pub(crate) mod dictionary;
pub(crate) mod drafts;
pub mod files;
pub(crate) mod house_style;
pub(crate) mod own_draft;
pub(crate) mod recordings;
pub(crate) mod sources;
pub(crate) mod story;
pub mod topics;
pub(crate) mod typed;
pub(crate) mod watch;
pub mod words;
