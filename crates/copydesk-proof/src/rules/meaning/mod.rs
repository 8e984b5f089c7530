//! Does one word of a sentence reverse what the source says?

pub mod antonym;
pub mod attributed;
pub mod check;
pub mod denied;
pub mod narrowed;
pub mod opposed;
pub mod replaced;
pub mod rivalled;
pub mod sentence;
pub mod turned;
pub mod voted;
