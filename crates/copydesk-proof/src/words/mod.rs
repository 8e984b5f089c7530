//! Lists of words, and what they say about a single word. Does it deny, narrow, or say who spoke?

pub mod calendar;
pub mod changes;
pub mod class;
pub mod corrections;
pub mod demonyms;
pub mod denials;
pub mod lexicon;
pub mod list;
pub mod names;
pub mod nicknames;
pub mod short_forms;
pub mod speech;
pub mod spelling;
pub mod thesaurus;

pub use class::Class;
pub use lexicon::{LexiconEntry, entries};
pub use list::{WordList, words};
pub use names::{COMMON, base, is_title};
pub use nicknames::first_names_agree;
pub use spelling::{across_the_atlantic, distance, slips, spelt_out};
pub use thesaurus::canonical;
