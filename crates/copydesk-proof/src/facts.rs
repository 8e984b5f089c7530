//! The bare facts of a text: its people, dates and times, figures and quotations, each with its place. Nothing is compared here.

use std::ops::Range;

use crate::{
    named,
    reading::{Figure, FigureKind, ParsedText, Roster, Voice, names, voice},
};
use copydesk_newsroom::NameInText;

/// Fewest words of a quotation: less is a word that somebody coined.
const QUOTED: usize = 4;

/// Most words behind a figure that say what it counts.
const COUNTED: usize = 2;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TextFactKind {
    Person,
    /// A date, a year or a time of day.
    Time,
    /// With what it counts, as far as the words behind it say so.
    Figure,
    /// Without its marks.
    Quotation,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextFact {
    pub kind: TextFactKind,
    /// Its bytes in the text.
    pub range: Range<usize>,
    /// Who says it, if the text tells: by the fullest name that the text has.
    pub speaker: Option<String>,
}

/// The facts of a text: its people, then dates, times and figures, then its quotations, each in order.
#[must_use]
pub fn facts(text: &str) -> Vec<TextFact> {
    let reading = ParsedText::new(text);
    let all = names(&reading);
    let roster = Roster::new([(&reading, all.as_slice())]);
    let fact = |kind, range| TextFact { kind, range, speaker: None };
    let is_told = |name: &NameInText| name.person || !name.no_person && is_described(text, &name.range);
    let people = named(text).into_iter().filter(is_told).map(|name| fact(TextFactKind::Person, name.range));
    let figures = reading.figures.iter().filter(|figure| !is_a_number_of_a_list(&reading, figure)).map(|figure| {
        match figure.kind {
            FigureKind::Date | FigureKind::Time | FigureKind::Year => {
                fact(TextFactKind::Time, figure.start..figure.end)
            }
            _ => fact(TextFactKind::Figure, figure.start..counted(&reading, figure)),
        }
    });
    let quotations = reading.quotations.iter().enumerate().filter_map(|(at, quotation)| {
        let range = quotation.start..quotation.end;
        if reading.between(range.start, range.end).len() < QUOTED {
            return None;
        }
        let named = match voice(&reading, &all, at) {
            Voice::Named(name) => all.get(name).map(|name| roster.written(&reading, name).to_owned()),
            Voice::Somebody | Voice::Untold => None,
        };
        let label = reading.label(reading.line_at(range.start));
        let speaker = named.or_else(|| label.map(|label| reading.slice(label.clone()).to_owned()));
        Some(TextFact { speaker, ..fact(TextFactKind::Quotation, range) })
    });
    people.chain(figures).chain(quotations).collect()
}

/// Whether a full name is followed by what the person is or does, as in notes: `Olga Brandt, harbour master`.
fn is_described(text: &str, name: &Range<usize>) -> bool {
    let is_full = text.get(name.clone()).is_some_and(|name| name.contains(' '));
    let behind = text.get(name.end..).and_then(|behind| behind.strip_prefix(", "));
    is_full && behind.is_some_and(|behind| behind.starts_with(char::is_lowercase))
}

/// Whether a figure only numbers the item of a list, or is a "one" that counts nothing.
fn is_a_number_of_a_list(reading: &ParsedText<'_>, figure: &Figure) -> bool {
    let line = reading.lines.get(reading.line_at(figure.start));
    let behind = reading.text.get(figure.end..).unwrap_or_default();
    let opens = line.is_some_and(|line| line.start == figure.start);
    figure.spelled && figure.value < 2.0 || opens && behind.starts_with([')', '.']) && figure.kind == FigureKind::Count
}

/// The end of the words behind a figure that say what it counts: `nine engines`, `12 people`.
fn counted(reading: &ParsedText<'_>, figure: &Figure) -> usize {
    let mut end = figure.end;
    let tokens = reading.tokens.get(figure.tokens.end..).unwrap_or_default();
    for token in tokens.iter().skip_while(|token| token.start < figure.end).take(COUNTED) {
        let is_next = reading.text.get(end..token.start).is_some_and(|gap| matches!(gap, " " | "-"));
        if !is_next || token.stop || token.counts {
            break;
        }
        end = token.end;
        if is_plural(&token.word) {
            return end;
        }
    }
    // Without a plural it is open which word is counted: `14 keep full pay`.
    if figure.kind == FigureKind::Count { figure.end } else { end }
}

/// Whether a folded word looks like things that are counted, or is a unit.
fn is_plural(word: &str) -> bool {
    word.ends_with('s') && !word.ends_with("ss")
        || matches!(word, "people" | "men" | "women" | "children" | "staff" | "crew" | "police" | "feet" | "fish")
        || matches!(
            word,
            "min" | "hr" | "km" | "mi" | "cm" | "mm" | "ft" | "kg" | "lb" | "oz" | "ha" | "mph" | "kph" | "kw" | "mw"
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_facts_of_notes_are_found_with_what_figures_count_and_who_spoke() {
        let text = "Call at 4:12 a.m. on 22 Sept 2026, nine engines and 45 firefighters.\nChief Stephen Hask came at five. \
                    \"We had flames through the roof,\" Hask said.\n1. Loss of $1.2 million";
        let found = facts(text);
        let of = |kind| -> Vec<&str> {
            found.iter().filter(|fact| fact.kind == kind).map(|fact| text.get(fact.range.clone()).unwrap()).collect()
        };
        assert_eq!(of(TextFactKind::Person), ["Stephen Hask"]);
        assert_eq!(of(TextFactKind::Time)[..2], ["4:12 a.m.", "22 Sept 2026"]);
        let figures = of(TextFactKind::Figure);
        for figure in ["nine engines", "45 firefighters", "$1.2 million"] {
            assert!(figures.contains(&figure), "{figures:?}");
        }
        let said = found.iter().find(|fact| fact.kind == TextFactKind::Quotation).unwrap();
        assert_eq!(said.speaker.as_deref(), Some("Stephen Hask"));
        assert!(text.get(said.range.clone()).unwrap().starts_with("We had flames through the roof"));
    }

    #[test]
    fn a_person_is_known_by_a_role_and_a_figure_counts_what_stands_in_the_plural() {
        let text = "Olga Brandt, harbour master: crew of 14 keep full pay. 1,150 people cross, four staff live there. A bus goes \
                    every 40 min from the pier.";
        let found = facts(text);
        let of = |kind| -> Vec<&str> {
            found.iter().filter(|fact| fact.kind == kind).map(|fact| text.get(fact.range.clone()).unwrap()).collect()
        };
        assert_eq!(of(TextFactKind::Person), ["Olga Brandt"]);
        assert_eq!(of(TextFactKind::Figure), ["14", "1,150 people", "four staff", "40 min"]);
    }
}
