//! Does one word of a sentence reverse what the source says?

pub mod antonym;
pub mod check;
pub mod denied;
pub mod rivalled;
pub mod sentence;
pub mod sides;
pub mod voted;
