//! Was each quotation said so, word for word, and by the one who is named?

pub mod altered;
pub mod check;
pub mod elision;
pub mod not_found;
pub mod pieces;
pub mod sound;
pub mod speaker;
