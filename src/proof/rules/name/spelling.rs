//! A misspelt name: the sources have one that differs by a letter or two.
//!
//! Why: readers trust a story less if a name in it is wrong, and the person named notices first.

use crate::{
    newsroom::SourceSpan,
    proof::{
        reading::{possessive, shouted},
        rules::prelude::*,
        words::{base, distance, slips},
    },
};

pub static RULE: Rule = Rule {
    name: "name.spelling",
    kind: SpanKind::Name,
    standing: Standing::Misspelt,
    why: "The sources spell this name differently.",
    source: "A name that differs by one or two letters from one name of the sources, and from no other, is that name (Damerau-Levenshtein distance).",
    measured: Some(Measured { right: 2, of: 2, on: SUMMARIES }),
    ..Rule::USUAL
};

/// The finding at a word that the sources do not have, if it resembles a name that they have.
pub fn misspelt(texts: &ProofTexts<'_>, field: &DraftField<'_>, word: &Token) -> Option<Fault> {
    let (right, only) = near_miss(texts, base(&word.word))?;
    let written = written_as(texts, &right)?;
    let mark = possessive(&field.reading, word);
    Some(
        Fault::new(&RULE, field, word.start..word.end - mark)
            .note(format!("The sources write {written}."))
            .passage(occurrence(texts, &right))
            .replacement(Some(if only { written } else { String::new() })),
    )
}

/// The sources' capitalised word that this one is most likely a misspelling of, and whether no other is as near.
fn near_miss(texts: &ProofTexts<'_>, word: &str) -> Option<(String, bool)> {
    let most = slips(word);
    let mut found: Vec<(usize, &str)> = texts
        .archive
        .capitals()
        .filter(|known| known.chars().count() > 3 && known.chars().next() == word.chars().next())
        .filter(|known| texts.archive.seen(known).is_some_and(|seen| !seen.lower))
        .filter_map(|known| distance(word, known, most).map(|apart| (apart, known)))
        .collect();
    found.sort_unstable();
    let (apart, right) = found.first().copied()?;
    let only = found.iter().filter(|(other, known)| *other <= apart && base(known) != base(right)).count() == 0;
    Some((right.to_owned(), only))
}

/// A word as the sources write it, not in capitals if they ever write it otherwise.
fn written_as(texts: &ProofTexts<'_>, word: &str) -> Option<String> {
    let mut shown: Option<&str> = None;
    for reading in &texts.archive.readings {
        for token in reading.tokens.iter().filter(|token| token.capital && base(&token.word) == word) {
            let text = reading.slice(token.start..token.end - possessive(reading, token));
            if !shouted(reading, token) {
                return Some(text.to_owned());
            }
            shown.get_or_insert(text);
        }
    }
    shown.map(str::to_owned)
}

fn occurrence(texts: &ProofTexts<'_>, word: &str) -> Option<SourceSpan> {
    texts.archive.readings.iter().enumerate().find_map(|(source, reading)| {
        let token = reading.tokens.iter().find(|token| token.capital && base(&token.word) == word)?;
        texts.archive.sentence(SourceLine { source, line: token.line })
    })
}
