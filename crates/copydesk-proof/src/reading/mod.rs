//! A text in the form that the rules read: tokens, sentences, figures, dates, names, speakers, quotations.

pub mod bounds;
pub mod calendar;
pub mod cells;
pub mod currencies;
pub mod figure;
pub mod figures;
pub mod grammar;
pub mod halves;
pub mod hedges;
pub mod interruptions;
mod inverted;
pub mod measures;
mod names;
pub mod numerals;
pub mod people;
pub mod resemblance;
mod roster;
pub mod scales;
pub mod signs;
pub mod speakers;
pub mod stream;
pub mod text;
pub mod token;

pub use bounds::Bound;
pub use calendar::{month, weekday};
pub use figure::{Figure, FigureKind, Sign, Written, Zone, near};
pub use hedges::denies;
pub use inverted::names;
pub use names::{is_address, opens, possessive, shouted};
pub use people::Name;
pub use roster::{KnownPerson, Roster};
pub use speakers::{Voice, led, voice};
pub use stream::{Stream, StreamMatch};
pub use text::{ParsedText, TextLine};
pub use token::{Forms, Token};
