pub mod class;
pub mod demonyms;
pub mod denials;
pub mod lexicon;
pub mod list;
pub mod nicknames;
pub mod spelling;
pub mod thesaurus;
