//! The notice on what is under embargo.

use jiff::Timestamp;

/// The notice that stands on what is under embargo.
#[must_use]
pub fn embargo_line(until: &str) -> String {
    let read = until.parse::<Timestamp>();
    let until = read.map_or_else(|_| until.to_owned(), |until| until.strftime("%Y-%m-%d %H:%M UTC").to_string());
    format!("EMBARGOED UNTIL {until}")
}
