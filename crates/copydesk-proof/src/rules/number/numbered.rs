//! The number that tells one of several things of a kind from the others: stage six for Stage IV, type 2 for type 1, a man in his seventies.
//!
//! Why: such a number counts nothing, so that small ones pass as the reporter's own count.

use crate::{
    reading::token::decade,
    rules::{number::ordinal::RULE, prelude::*},
    sources::{common, of_line},
};
use copydesk_text::words::{NumberWord, number_word};

/// Nouns that stand before their number.
static NUMBERED: WordList = words(
    "stage phase step chapter article section act volume level title class category grade type room unit platform gate tier band zone",
);

/// The two sentences share so many words.
const SHARED: usize = 2;

/// Enters every such number if the sources only have others behind its noun.
pub fn check(ledger: &mut LedgerWriter<'_, '_>) {
    let texts = ledger.texts;
    for Spot { field, index: line, item } in texts.sentences().filter(|spot| !spot.item.heading) {
        for at in item.tokens.clone() {
            if let Some(found) = other(texts, field, line, at) {
                ledger.enter(found);
            }
        }
    }
}

/// The number that a word has behind or in itself, and the word that it is looked for by.
fn number(reading: &ParsedText<'_>, at: usize) -> Option<u32> {
    let token = reading.tokens.get(at)?;
    if let Some(decade) = decade(&token.word) {
        let before = reading.tokens.get(at.checked_sub(1)?)?;
        return matches!(&*before.word, "his" | "her" | "their").then_some(decade);
    }
    let next = reading.tokens.get(at + 1).filter(|next| next.line == token.line)?;
    if !NUMBERED.contains(&token.word) || reading.text.get(token.end..next.start) != Some(" ") {
        return None;
    }
    match number_word(&next.word) {
        Some(NumberWord::Unit(value)) => Some(value),
        _ => next.word.parse().ok().or_else(|| roman(reading.text.get(next.start..next.end)?)),
    }
}

/// The value of a number in Roman capitals up to 39.
fn roman(word: &str) -> Option<u32> {
    let digit = |letter: char| match letter {
        'I' => Some(1),
        'V' => Some(5),
        'X' => Some(10),
        _ => None,
    };
    let digits = word.chars().map(digit).collect::<Option<Vec<u32>>>()?;
    let next = digits.iter().skip(1).chain([&0]);
    let sum: i64 = digits.iter().zip(next).map(|(one, next)| i64::from(*one) * if one < next { -1 } else { 1 }).sum();
    u32::try_from(sum).ok().filter(|sum| *sum > 0)
}

/// The decades of a life: each has a word of its own.
const DECADES: [&str; 8] =
    ["twenties", "thirties", "forties", "fifties", "sixties", "seventies", "eighties", "nineties"];

fn other(texts: &ProofTexts<'_>, field: &DraftField<'_>, line: usize, at: usize) -> Option<Fault> {
    let (archive, reading) = (&texts.archive, &field.reading);
    let token = reading.tokens.get(at).filter(|token| !token.quoted())?;
    let own = number(reading, at)?;
    let decades = decade(&token.word).is_some();
    let words = of_line(reading, line);
    let asked = if decades { DECADES.to_vec() } else { vec![token.word.as_str()] };
    let mut found = None;
    for (place, word) in asked.into_iter().flat_map(|word| archive.places_of(word).map(move |place| (place, word))) {
        let source = archive.reading(place)?;
        let there = archive.line(place)?.tokens.clone();
        let is = |at: &usize| source.tokens.get(*at).is_some_and(|token| token.word == word);
        for number in there.filter(is).filter_map(|at| number(source, at)) {
            if number == own {
                return None;
            }
            if found.is_none() && common(&words, &of_line(source, place.line)) >= SHARED {
                found = Some(place);
            }
        }
    }
    let shown = if decades { token } else { reading.tokens.get(at + 1)? };
    Some(Fault::new(&RULE, field, shown.start..shown.end).passage(archive.sentence(found?)))
}

#[cfg(test)]
mod tests {
    use crate::testing::rules_of;

    #[test]
    fn another_of_several_things_of_a_kind_is_found() {
        let source = "The rail office approved Stage IV of the tunnel. Work on Stage V begins in May. They found a man in his sixties on the pier.";
        for (draft, wrong) in [
            ("The rail office approved stage six of the tunnel.", true),
            ("The rail office approved stage four of the tunnel.", false),
            ("The rail office approved phase 2 of the tunnel.", false),
            ("They found a man in his seventies on the pier.", true),
            ("They found a man in his sixties on the pier.", false),
        ] {
            assert_eq!(rules_of(draft, source).contains(&"number.ordinal".to_owned()), wrong, "{draft}");
        }
    }
}
