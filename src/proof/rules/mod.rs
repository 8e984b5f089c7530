//! The rules, a folder a family. Each folder has a `check.rs`, which walks through the draft, and a file a rule.

pub mod certainty;
pub mod meaning;
pub mod name;
pub mod novel;
pub mod number;
pub mod quotation;
pub mod support;
pub mod title;
