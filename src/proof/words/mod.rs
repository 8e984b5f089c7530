//! Lists of words, and what a single word says: whether it denies, narrows, gives words to somebody.

pub mod calendar;
pub mod class;
pub mod corrections;
pub mod demonyms;
pub mod denials;
pub mod extent;
pub mod lexicon;
pub mod list;
pub mod names;
pub mod nicknames;
pub mod speech;
pub mod spelling;
pub mod thesaurus;
