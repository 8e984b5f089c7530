//! The commands, one file each, with its arguments.

pub(crate) mod backup;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod dead;
pub(crate) mod decide;
pub(crate) mod delete;
pub(crate) mod dictionary;
pub(crate) mod doctor;
pub(crate) mod eval;
pub(crate) mod export;
pub(crate) mod fork;
pub(crate) mod gc;
pub(crate) mod init;
pub(crate) mod kb;
pub(crate) mod list;
pub(crate) mod man;
pub(crate) mod memory;
pub(crate) mod pause;
pub(crate) mod plain;
pub(crate) mod priority;
pub(crate) mod replay;
pub(crate) mod resume;
pub(crate) mod run;
pub(crate) mod screen;
pub(crate) mod show;
pub(crate) mod worker;
