pub mod certainty;
pub mod meaning;
pub mod name;
pub mod novel;
pub mod number;
pub mod quotation;
pub mod support;
pub mod title;
