//! A name that no source has.
//!
//! Why: either the name was made up, or it comes from elsewhere, and then the draft must say from where.

use crate::{
    reading::{month, shouted, weekday},
    rules::{name::parties, prelude::*},
    sources::{
        abbreviations::{self, shortened},
        known,
    },
    words::{COMMON, base, entries, is_title, nicknames::is_first_name, spelt_out},
};
use copydesk_text::words::unaccented;

pub static RULE: Rule = Rule {
    name: "name.not_found",
    kind: SpanKind::Name,
    standing: Standing::NotFound,
    why: "No source has this name.",
    source: "A story has its names from its sources. Weekdays, nationalities and first words of sentences do not count as names.",
    measured: Some(Measured { right: 65, of: 80, on: SUMMARIES }),
    ..Rule::USUAL
};

/// The finding at a name, of whose words the sources do not know `unknown`.
pub fn stranger(texts: &ProofTexts<'_>, field: &DraftField<'_>, name: &Name, unknown: &[&Token]) -> Option<Fault> {
    let tokens = field.reading.tokens.get(name.tokens.clone())?;
    // If a run contains a known name, the rest is the reporter's own words. A new name is unknown throughout, or an
    // unknown surname behind a known first name.
    let whole = unknown.len() == tokens.iter().filter(|token| token.capital).count()
        || unknown.last().is_some_and(|last| Some(last.start) == tokens.last().map(|t| t.start));
    // "Falls" may be a word of the sources; "Garlow Falls" is a place that none of them names.
    let stranger = tokens
        .iter()
        .filter(|token| token.capital)
        .all(|token| !texts.archive.seen(base(&token.word)).is_some_and(|seen| seen.capital));
    let short = name.tokens.clone().any(|index| shortened(texts, &field.reading, index));
    let spelt = name.tokens.clone().any(|at| abbreviations::spells_out(texts, &field.reading, at));
    ((whole || stranger) && !short && !spelt).then(|| Fault::new(&RULE, field, name.start..name.end))
}

/// Whether the sources have a word only in capitals, without its accents: `JOSE` for José.
fn in_capitals(texts: &ProofTexts<'_>, word: &str) -> bool {
    let plain = unaccented(word);
    let mut all = texts.archive.readings.iter().flat_map(|reading| {
        let same = |token: &&Token| base(&token.word) == plain;
        reading.tokens.iter().filter(same).map(|token| shouted(reading, token))
    });
    plain != word && all.next() == Some(true) && all.all(|loud| loud)
}

/// Whether the sources have a Vietnamese word with the marks that a draft may leave out: `Nguyễn` for Nguyen.
pub fn without_marks(texts: &ProofTexts<'_>, word: &str) -> bool {
    let marked = |known: &str| known.contains(|c: char| matches!(c, '\u{1EA0}'..='\u{1EF9}' | 'ơ' | 'ư' | 'đ'));
    let accented = texts.archive.accented();
    let mut same = accented.iter().filter(|(_, plain)| plain == word).peekable();
    word.is_ascii() && same.peek().is_some() && same.chain(accented).any(|(known, _)| marked(known))
}

/// Whether the sources have a word with one letter where this one has two, or the other way round: `Müller` and `Mueller`.
fn in_two_letters(texts: &ProofTexts<'_>, word: &str) -> bool {
    let plain = spelt_out(word);
    if plain != word {
        return texts.archive.seen(&plain).is_some();
    }
    texts.archive.accented().iter().any(|(known, _)| spelt_out(known) == word)
}

/// Whether the sources have a word before another one in capitals, and never in small letters: JÜRGEN KRAUSS.
fn begins_a_name(texts: &ProofTexts<'_>, word: &str) -> bool {
    let never_small = texts.archive.seen(word).is_some_and(|seen| seen.capital && !seen.lower);
    let places = texts.stream.places(texts.stream.look_up(word)).iter().take(PLACES);
    never_small
        && places.filter_map(|place| usize::try_from(*place).ok()).any(|place| {
            let source = texts.stream.source_of(place);
            let at = texts.stream.bases.get(source).map_or(0, |base| place - base);
            let Some(reading) = texts.archive.readings.get(source) else { return false };
            let Some([one, two]) = reading.tokens.get(at..at + 2) else { return false };
            two.capital && !two.stop && reading.slice(one.end..two.start) == " " && entries(word).is_empty()
        })
}

/// A word is looked at in so many places of the sources.
const PLACES: usize = 50;

/// Whether a word stands behind a first name, or behind the other half of a surname.
pub fn is_surname(texts: &ProofTexts<'_>, reading: &ParsedText<'_>, token: &Token) -> bool {
    let first = |word: &str| is_first_name(word) || begins_a_name(texts, word);
    let at = reading.tokens.partition_point(|other| other.start < token.start);
    at.checked_sub(1).and_then(|at| reading.tokens.get(at)).is_some_and(|before| {
        let gap = reading.slice(before.end..token.start);
        before.capital && (gap == "-" || gap == " " && first(base(&before.word)))
    })
}

/// Whether no source has a word in any form, nor anything that it could stand for.
pub fn is_unknown(texts: &ProofTexts<'_>, reading: &ParsedText<'_>, token: &Token) -> bool {
    let word = base(&token.word);
    let days =
        matches!(word, "mondays" | "tuesdays" | "wednesdays" | "thursdays" | "fridays" | "saturdays" | "sundays");
    let general = days || COMMON.contains(word) || is_title(word) || month(token).is_some() || weekday(token).is_some();
    let short = word.chars().count() < 3 || word.starts_with(|c: char| c.is_ascii_digit());
    // "The Bergs" and "the Berliners", not "Ada Bergs", "Lie-Bergs" and "Ada Berger".
    let surname = is_surname(texts, reading, token);
    let plural = word.strip_suffix('s').is_some_and(|one| texts.archive.seen(one).is_some());
    // Initials of words in the sources: PTA, NSU.
    let initials =
        || shouted(reading, token) && word.chars().count() <= 5 && abbreviations::stands_for_words(texts, token);
    let inflected = !surname && (plural || texts.archive.knows(&token.stem));
    !(general || short || inflected || token.stop)
        && texts.archive.seen(word).is_none()
        && (surname || texts.archive.seen(&format!("{word}s")).is_none())
        && (surname || !known::of_a_place(&texts.archive, word))
        && !known::by_another_form(&texts.archive, word)
        && !abbreviations::explained(texts, reading, token)
        && !initials()
        && !abbreviations::coded(texts, word)
        && !parties::shortened(texts, word)
        && !in_capitals(texts, word)
        && !without_marks(texts, word)
        && !in_two_letters(texts, word)
}
