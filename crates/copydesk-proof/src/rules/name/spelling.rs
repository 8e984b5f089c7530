//! A misspelt name: the sources have one that differs by a letter or two.
//!
//! Why: readers trust a story less if a name in it is wrong, and the person named notices first.

use crate::{
    reading::{possessive, shouted},
    rules::{name::not_found::is_surname, prelude::*},
    sources::known::of_a_place,
    words::{base, distance, entries, names::is_adverb, slips},
};

pub static RULE: Rule = Rule {
    name: "name.spelling",
    kind: SpanKind::Name,
    standing: Standing::Misspelt,
    why: "The sources spell this name differently.",
    source: "A name that differs by one or two letters from one name of the sources, and from no other, is that name (Damerau-Levenshtein distance).",
    measured: Some(Measured { right: 4, of: 4, on: SUMMARIES }),
    ..Rule::USUAL
};

/// The finding at a word that the sources do not have, if it resembles a name that they have.
pub fn misspelt(texts: &ProofTexts<'_>, field: &DraftField<'_>, word: &Token) -> Option<Fault> {
    let name = base(&word.word);
    // A Texan comes from Texas.
    let people = !is_surname(texts, &field.reading, word) && of_a_place(&texts.archive, name);
    // An administration is nothing administrative: two words of the dictionary are no two spellings of a name.
    let words = |right: &str| !entries(name).is_empty() && !entries(right).is_empty();
    told(texts, field, word, near_miss(texts, name, slips(name)).filter(|(right, _)| !people && !words(right))?)
}

/// The same at the first word of a sentence. It may be any word, so that it must be in no dictionary and one letter off.
pub fn misspelt_at_the_head(texts: &ProofTexts<'_>, field: &DraftField<'_>, word: &Token) -> Option<Fault> {
    let name = base(&word.word);
    let ordinary = !entries(name).is_empty() || is_adverb(name) || of_a_place(&texts.archive, name);
    told(texts, field, word, near_miss(texts, name, slips(name).min(1)).filter(|_| !ordinary)?)
}

/// The finding at a surname too short to resemble another by itself, if the sources have the first name beside one a letter off.
pub fn near_person(texts: &ProofTexts<'_>, field: &DraftField<'_>, name: &Name) -> Option<Fault> {
    let last = field.reading.tokens.get(name.tokens.end.checked_sub(1)?)?;
    let first = name.first()?;
    let initial = |word: &str| word.chars().next();
    let mut near = texts.roster.everyone().map(|known| &known.name).filter(|known| {
        known.first() == Some(first)
            && known.last() != name.last()
            && initial(known.last()) == initial(name.last())
            && distance(known.last(), name.last(), 1).is_some()
    });
    let right = near.next()?.last().to_owned();
    let only = near.all(|other| other.last() == right);
    told(texts, field, last, (right, only))
}

/// The finding at a word for which the sources have another one, as they write it: not in capitals if they ever write it otherwise. It is put
/// right if there is `only` one.
fn told(texts: &ProofTexts<'_>, field: &DraftField<'_>, word: &Token, (right, only): (String, bool)) -> Option<Fault> {
    let right = right.as_str();
    let places = || {
        texts.archive.readings.iter().enumerate().flat_map(|(source, reading)| {
            let same = reading.tokens.iter().filter(move |token| token.capital && base(&token.word) == right);
            same.map(move |token| (source, reading, token))
        })
    };
    let (source, _, first) = places().next()?;
    let plain = places().find(|(_, reading, token)| !shouted(reading, token)).or_else(|| places().next());
    let written =
        plain.map(|(_, reading, token)| reading.slice(token.start..token.end - possessive(reading, token)))?;
    let passage = texts.archive.sentence(SourceLine { source, line: first.line });
    let span = word.start..word.end - possessive(&field.reading, word);
    let found = Fault::new(&RULE, field, span).note(format!("The sources write {written}.")).passage(passage);
    Some(found.replacement(only.then(|| written.to_owned())))
}

/// The sources' capitalised word that this one is most likely a misspelling of, at most so many letters off, and whether no other is as
/// near.
fn near_miss(texts: &ProofTexts<'_>, word: &str, most: usize) -> Option<(String, bool)> {
    let mut found: Vec<(usize, &str)> = texts
        .archive
        .capitals()
        .filter(|known| known.chars().count() > 3 && known.chars().next() == word.chars().next())
        .filter(|known| texts.archive.seen(known).is_some_and(|seen| !seen.lower))
        .filter(|known| !texts.foreign || romanised(known) != romanised(word))
        .filter_map(|known| distance(word, known, most).map(|apart| (apart, known)))
        .collect();
    found.sort_unstable();
    let (apart, right) = found.first().copied()?;
    let only = found.iter().filter(|(other, known)| *other <= apart && base(known) != base(right)).count() == 0;
    Some((right.to_owned(), only))
}

/// A name from another script in one of its forms: `Ivanov`, `Iwanow` and `Sergei`, `Sergej` are written so in different languages.
fn romanised(word: &str) -> String {
    let mut form = word.to_owned();
    for (one, other) in
        [("tsch", "ch"), ("tch", "ch"), ("sch", "sh"), ("kh", "h"), ("ou", "u"), ("ph", "f"), ("ff", "v"), ("x", "ks")]
    {
        form = form.replace(one, other);
    }
    let letter = |letter: char| match letter {
        'w' => 'v',
        'i' | 'j' => 'y',
        'c' | 'q' => 'k',
        'z' => 's',
        letter => letter,
    };
    let mut letters: Vec<char> = form.chars().map(letter).collect();
    letters.dedup();
    letters.into_iter().collect()
}
