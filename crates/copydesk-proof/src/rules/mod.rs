//! The rules. Each family has a folder, each rule has a file. A folder's `check.rs` walks through the draft and asks
//! its rules. A file begins with `use crate::rules::prelude::*`.

pub mod certainty;
pub mod comment;
pub mod meaning;
pub mod name;
pub mod number;
pub mod passage;
pub mod prelude;
pub mod quotation;
pub mod speech;
pub mod support;
