//! The offices that a text gives people: right before a name, or right behind it between commas or in brackets.

use std::ops::Range;

use crate::{
    proof::{
        reading::{Name, ParsedText},
        words::list::WordGroups,
    },
    text::words::stem,
};

static OFFICES: WordGroups = WordGroups::new(include_str!("../../../../assets/words/offices.txt"));

/// The names of an office.
pub fn names_of(office: usize) -> impl Iterator<Item = &'static str> {
    OFFICES.all().nth(office).into_iter().flatten()
}

/// Qualifiers: they make an office a lower or a former one.
const QUALIFIERS: [&str; 8] = ["deputy", "vice", "acting", "interim", "assistant", "associate", "former", "retired"];

/// A qualifier stands at most so many words before its office.
const BEFORE: usize = 4;

/// Up to so many words from a name, an office is taken as theirs.
const REACH: usize = 12;

/// An office that a text gives somebody.
#[derive(Debug)]
pub struct Title {
    pub office: usize,
    pub qualifier: Option<&'static str>,
    pub range: Range<usize>,
}

/// The office that a word names.
fn office(word: &str) -> Option<usize> {
    OFFICES.all().position(|mut names| names.any(|name| name == word))
}

fn qualifier(word: &str) -> Option<&'static str> {
    QUALIFIERS.into_iter().find(|known| *known == word)
}

/// The offices right before a name (`Deputy Fire Chief Omar Haddad`) and right behind it, between commas or in brackets (`Ana
/// Reyes, the mayor,`, `Ana Reyes (Vice-Chair)`).
pub fn titles(reading: &ParsedText<'_>, name: &Name) -> impl Iterator<Item = Title> {
    [before(reading, name), behind(reading, name)].into_iter().flatten().filter_map(|place| whole(reading, place))
}

/// Whether nothing but a space or a hyphen stands between two words.
fn touches(reading: &ParsedText<'_>, one: usize, other: usize) -> bool {
    let both = reading.tokens.get(one).zip(reading.tokens.get(other));
    let gap = both.and_then(|(one, other)| reading.text.get(one.end..other.start));
    matches!(gap, Some(" " | "\u{A0}" | "-" | "\n"))
}

/// The place of an office right before a name.
fn before(reading: &ParsedText<'_>, name: &Name) -> Option<usize> {
    let line = reading.tokens.get(name.tokens.start)?.line;
    let place = name.tokens.start.checked_sub(1)?;
    let token = reading.tokens.get(place)?;
    let held = token.line == line && office(&token.word).is_some() && touches(reading, place, name.tokens.start);
    held.then_some(place)
}

/// The place of an office behind a name: after a comma or a bracket and perhaps an article, and not itself followed
/// by a name.
fn behind(reading: &ParsedText<'_>, name: &Name) -> Option<usize> {
    let at = |index: usize| reading.tokens.get(index);
    let line = at(name.tokens.start)?.line;
    let first = at(name.tokens.end)?;
    let set_off = reading.text.get(name.end..first.start).is_some_and(|gap| matches!(gap.trim(), "," | "("));
    let mut tail = name.tokens.end..=name.tokens.end + BEFORE;
    let place = tail.find(|&index| at(index).is_some_and(|token| office(&token.word).is_some()))?;
    let close = (name.tokens.end..place).all(|index| {
        touches(reading, index, index + 1)
            && at(index).is_some_and(|token| token.stop || token.capital || qualifier(&token.word).is_some())
    });
    let names = at(place + 1).is_some_and(|next| next.capital && touches(reading, place, place + 1));
    (set_off && close && !names && at(place)?.line == line).then_some(place)
}

/// The office at a place, with its qualifier.
fn whole(reading: &ParsedText<'_>, place: usize) -> Option<Title> {
    let at = |index: usize| reading.tokens.get(index);
    let line = at(place)?.line;
    let mut first = place;
    let mut found = None;
    while let Some(index) =
        first.checked_sub(1).filter(|&index| place - index <= BEFORE && touches(reading, index, index + 1))
    {
        let token = at(index).filter(|token| token.line == line)?;
        let qualifies = qualifier(&token.word);
        if qualifies.is_none() && (token.stop || !token.capital) {
            break;
        }
        found = qualifies.or(found);
        first = index;
        if qualifies.is_some() {
            break;
        }
    }
    let start = if found.is_some() { first } else { place };
    Some(Title { office: office(&at(place)?.word)?, qualifier: found, range: at(start)?.start..at(place)?.end })
}

/// Whether an office stands anywhere near a name in its sentence.
pub fn near(reading: &ParsedText<'_>, name: &Name, office: usize) -> bool {
    let Some(line) = reading.tokens.get(name.tokens.start).map(|token| token.line) else { return false };
    let around = name.tokens.start.saturating_sub(REACH)..name.tokens.end + REACH;
    let end = around.end.min(reading.tokens.len());
    let tokens = reading.tokens.get(around.start..end).unwrap_or_default();
    tokens.iter().any(|token| {
        token.line == line && {
            // "who chairs the committee"
            let plain = stem(&token.word);
            names_of(office).any(|word| stem(word) == plain)
        }
    })
}
