//! Quotations: did the person named say these words?

pub mod altered;
pub mod check;
pub mod elision;
pub mod not_found;
pub mod pieces;
pub mod sound;
pub mod speaker;
pub mod unclosed;
