//! Do the sources support what a sentence says?

pub mod completed;
pub mod new_fact;
pub mod none;
