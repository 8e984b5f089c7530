//! A text as the rules see it: tokens, sentences, figures, dates, names, speakers, quotations.

pub mod calendar;
pub mod figure;
pub mod figures;
pub mod halves;
pub mod hedges;
pub mod interruptions;
pub mod people;
pub mod resemblance;
pub mod speakers;
pub mod stream;
pub mod text;
pub mod token;
