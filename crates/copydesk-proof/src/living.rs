//! Finds the persons of a passage who may be living, because misleading text about them can harm them.
//!
//! A person is a name of two to four capitalised words that neither begins nor ends like a place or an office. A
//! surname counts if the texts have the full name, and so does a name after a personal title. A person is dead only
//! if a text says so in one of these ways:
//! - *the late Ann Lee* (or *his late …*, *Lee's late …*);
//! - *Ann Lee died*, *Ann Lee, who died*, *Ann Lee, 84, died*; also *has died*, *passed away*, *was killed*, *was buried*, *dies*;
//! - *Ann Lee (1900–1980)*, if the years are a lifetime apart (20 to 115), because terms of office look the same;
//! - *Ann Lee's death*, *funeral*, *burial*, *obituary*, *widow*; *the death of Ann Lee*; not *her death threats*.
//!
//! Limits: it knows English only, so in other languages everybody may be living. One text's *Lee* may be another's. A
//! company's or a character's name counts as a person's. A death that is told in other words is missed. Each of these
//! asks once too often rather than once too seldom.

use std::ops::Range;

use crate::{
    reading::{Name, ParsedText, Roster, Token, month, names, weekday},
    words::{COMMON, WordList, base, first_names_agree, is_title, words},
};
use copydesk_text::words::words as words_of;

/// First words of names that belong to no person.
static NO_FIRST_NAME: WordList = words(include_str!("../../../assets/words/no_first_name.txt"));

/// Titles that also stand before offices and places.
static NO_PERSONAL_TITLE: WordList = words(include_str!("../../../assets/words/no_personal_title.txt"));

/// Nouns that only a dead person has, after a possessive or before *of*.
static OF_THE_DEAD: WordList = words("death funeral burial obituary widow widower murder assassination suicide");

/// Words after *death* that tell of no dead person.
static NO_DEATH: WordList = words("threat threats penalty sentence row toll wish trap");

/// The years of a lifetime.
const LIFE: std::ops::RangeInclusive<u32> = 20..=115;

/// The persons whom `passage` names, each once and as it writes them, except those whom one of `texts` shows to be
/// dead.
#[must_use]
pub fn living(passage: &str, texts: &[&str]) -> Vec<String> {
    let here = ParsedText::new(passage);
    let readings: Vec<ParsedText<'_>> = texts.iter().map(|text| ParsedText::new(text)).collect();
    let all: Vec<Vec<Name>> = readings.iter().map(names).collect();
    let roster = Roster::new(readings.iter().zip(all.iter().map(Vec::as_slice)));
    let named = readings.iter().zip(&all);
    let dead = named.flat_map(|(reading, names)| names.iter().filter(|name| is_dead(reading, name)));
    let dead: Vec<&Name> = dead.collect();
    let mut found: Vec<String> = Vec::new();
    for name in names(&here) {
        let written = here.slice(name.start..name.end).to_owned();
        if is_person(&here, &name, &roster) && !dead.iter().any(|dead| may_be(dead, &name)) && !found.contains(&written)
        {
            found.push(written);
        }
    }
    found
}

fn is_person(reading: &ParsedText<'_>, name: &Name, roster: &Roster) -> bool {
    let full = |name: &Name| {
        let first = name.first().unwrap_or_default();
        (2..=4).contains(&name.words.len())
            && name.personal()
            && !NO_FIRST_NAME.contains(first)
            && !COMMON.contains(first)
    };
    let titled = name.titled && !NO_PERSONAL_TITLE.contains(reading.word_before(name.tokens.start, 1));
    let day = |token: &Token| month(token).is_some() || weekday(token).is_some();
    let dated = reading.tokens.get(name.tokens.clone()).is_some_and(|tokens| tokens.iter().any(day));
    name.personal() && !dated && (full(name) || titled || roster.of(name.last()).iter().any(|known| full(&known.name)))
}

/// Whether both can be one person. Another capitalised word may stand before the name: *Yesterday Ann Lee*.
fn may_be(dead: &Name, name: &Name) -> bool {
    let firsts = |name: &Name| name.words.split_last().map(|(_, firsts)| firsts.to_vec()).unwrap_or_default();
    let (theirs, ours) = (firsts(dead), firsts(name));
    let agree = |one: &String| ours.iter().any(|other| first_names_agree(one, other));
    dead.last() == name.last() && (theirs.is_empty() || ours.is_empty() || theirs.iter().any(agree))
}

fn is_dead(reading: &ParsedText<'_>, name: &Name) -> bool {
    name.words.first().is_some_and(|first| first == "late" && name.words.len() > 1)
        || is_late(reading, name)
        || is_mourned(reading, name)
        || has_died(reading, name)
        || has_life_span(reading.text.get(name.end..).unwrap_or_default())
}

/// The words of the name's sentence before its titles, the nearest first.
fn before<'r>(reading: &'r ParsedText<'_>, name: &Name) -> impl Iterator<Item = &'r Token> {
    let line = reading.tokens.get(name.tokens.start).map(|token| token.line);
    let there = reading.tokens.get(..name.tokens.start).unwrap_or_default();
    there.iter().rev().take_while(move |token| Some(token.line) == line).skip_while(|token| is_title(&token.word))
}

/// The words of the name's sentence after it.
fn behind<'r>(reading: &'r ParsedText<'_>, name: &Name) -> impl Iterator<Item = &'r Token> {
    let line = reading.tokens.get(name.tokens.start).map(|token| token.line);
    let there = reading.tokens.get(name.tokens.end..).unwrap_or_default();
    there.iter().take_while(move |token| Some(token.line) == line)
}

/// *the late Ann Lee*
fn is_late(reading: &ParsedText<'_>, name: &Name) -> bool {
    let mut before = before(reading, name);
    before.next().is_some_and(|word| word.word == "late")
        && before.next().is_some_and(|word| {
            matches!(word.word.as_str(), "the" | "his" | "her" | "their" | "my" | "our") || word.word.ends_with("'s")
        })
}

/// *Ann Lee's funeral*, *the death of Ann Lee*
fn is_mourned(reading: &ParsedText<'_>, name: &Name) -> bool {
    let mut words = behind(reading, name);
    if is_possessive(reading, &name.tokens) {
        return words.next().is_some_and(|word| OF_THE_DEAD.contains(&word.word))
            && words.next().is_none_or(|next| !NO_DEATH.contains(&next.word));
    }
    let mut before = before(reading, name);
    before.next().is_some_and(|word| word.word == "of")
        && before.next().is_some_and(|word| OF_THE_DEAD.contains(&word.word))
}

/// *Ann Lee died*, *Ann Lee, 84, who had died*
fn has_died(reading: &ParsedText<'_>, name: &Name) -> bool {
    if is_possessive(reading, &name.tokens) {
        return false;
    }
    let said: Vec<&str> = behind(reading, name)
        .map(|token| token.word.as_str())
        .skip_while(|word| word.starts_with(|c: char| c.is_ascii_digit()))
        .skip_while(|word| matches!(*word, "who" | "had" | "has"))
        .take(2)
        .collect();
    matches!(
        said.as_slice(),
        ["died" | "dies", ..] | ["passed", "away"] | ["was", "killed" | "murdered" | "assassinated" | "buried"]
    ) && said.get(1).is_none_or(|next| *next != "down")
}

fn is_possessive(reading: &ParsedText<'_>, name: &Range<usize>) -> bool {
    let last = name.end.checked_sub(1).and_then(|last| reading.tokens.get(last));
    last.is_some_and(|last| base(&last.word).len() < last.word.len())
}

/// *(1900–1980)* behind a name.
fn has_life_span(behind: &str) -> bool {
    let years = behind.trim_start_matches(' ').strip_prefix('(').and_then(|rest| rest.split_once(')'));
    let Some((years, _)) = years else { return false };
    let found = words_of(years);
    let [from, to] = found.as_slice() else { return false };
    let year = |text: &str| text.parse::<u32>().ok().filter(|_| text.len() == 4);
    let between = years.get(from.end..to.start).unwrap_or_default().trim();
    let span = year(from.text).zip(year(to.text)).and_then(|(from, to)| to.checked_sub(from));
    matches!(between, "-" | "–" | "—" | "‑") && span.is_some_and(|span| LIFE.contains(&span))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn persons_are_told_from_places_and_offices() {
        for (passage, named) in [
            ("Ann Lee and Tom Oduya took the money.", vec!["Ann Lee", "Tom Oduya"]),
            ("Mayor Brandvold took the money in Lower Brandle.", vec!["Brandvold"]),
            ("The Parks Department of New York and City Hall took it on Monday.", vec![]),
            ("Lee took the money; Lee was seen.", vec!["Lee"]),
            ("Oduya took the money.", vec![]),
            ("The company took the money.", vec![]),
            ("He met Ann Lee in May.", vec!["Ann Lee"]),
        ] {
            assert_eq!(living(passage, &[passage, "Later Ann Lee spoke."]), named, "{passage}");
        }
    }

    #[test]
    fn who_is_called_dead_is_not_living() {
        for dead in [
            "The late Ann Lee took the money.",
            "Her late Mayor Ann Lee took it.",
            "THE LATE Ann Lee took it.",
            "Tom's late Ann Lee took it.",
            "Ann Lee died in May.",
            "Ann Lee, who died in May, took it.",
            "Ann Lee, 84, has died.",
            "Dr. Ann Lee passed away.",
            "Ann Lee was killed there.",
            "Ann Lee dies",
            "Ann Lee (1900–1980) took it.",
            "Ann Lee (1900 - 1980) took it.",
            "Ann Lee’s funeral is on Monday.",
            "Lee's death was sudden.",
            "They spoke after the death of Mayor Ann Lee.",
            "An obituary of A. Lee stood there.",
        ] {
            assert_eq!(
                living("Yesterday Ann Lee was called a thief.", &["Text.", dead]),
                Vec::<String>::new(),
                "{dead}"
            );
        }
    }

    #[test]
    fn whoever_is_not_called_dead_may_be_living() {
        for alive in [
            "Tom Lee died in May.",
            "Ann Lee (2010–2018) was mayor.",
            "Ann Lee (page 1900) took it.",
            "Ann Lee (1900, 1980) took it.",
            "Ann Lee (1900–1980 took it.",
            "Ann Lee's death threats were read out.",
            "Ann Lee's son died in May.",
            "Ann Lee said that Tom died.",
            "Ann Lee nearly died.",
            "Ann Lee came late. Ann Lee stayed.",
            "They met the death of Ann Lee's hopes.",
            "It was late. Ann Lee died down.",
            "It was the latest of Ann Lee.",
        ] {
            assert_eq!(living("Ann Lee was called a thief.", &[alive]), ["Ann Lee"], "{alive}");
        }
        assert_eq!(living("Ann Lee stole.", &[]), ["Ann Lee"]);
    }
}
