//! A word for the other side: the draft has `hinders`, its source has `boosts`.
//!
//! Why: dictionaries list few opposites, and a writer who reverses a sentence uses other words. Lists collect the
//! words for and against the same thing. A passage must share the words around, and no source may use a word for the
//! draft's side.

use std::{collections::HashMap, sync::LazyLock};

use crate::{
    rules::{meaning::sentence::DraftSentence, prelude::*},
    words::lexicon,
};
use copydesk_text::inflection::bases;

pub static RULE: Rule = Rule {
    name: "meaning.opposed",
    kind: SpanKind::Certainty,
    standing: Standing::Denied,
    concern_type: ConcernType::UnsupportedFact,
    gravity: Gravity::Note,
    why: "The source uses a word for the opposite here.",
    source: "Lists of words that speak for and against the same thing.",
    measured: Some(Measured { right: 10, of: 14, on: SUMMARIES }),
};

/// Words for something, and words against it.
static SIDES: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
    let lines = include_str!("../../../../../assets/words/sides.txt").lines();
    lines.filter_map(|line| line.split_once(" | ")).collect()
});

/// The sides of a word: the index of the pair, and which of the two.
static SIDE_OF: LazyLock<HashMap<&str, Vec<(usize, bool)>>> = LazyLock::new(|| {
    let mut map: HashMap<&str, Vec<(usize, bool)>> = HashMap::new();
    for (index, (one, other)) in SIDES.iter().enumerate() {
        for (words, side) in [(one, false), (other, true)] {
            for word in words.split_ascii_whitespace() {
                map.entry(word).or_default().push((index, side));
            }
        }
    }
    map
});

/// Enters the words of a sentence that take the other side than their source.
pub fn check(ledger: &mut LedgerWriter<'_, '_>, sentence: &DraftSentence<'_, '_>) {
    if !ledger.asks(&RULE) {
        return;
    }
    for (at, token) in sentence.own() {
        let said = sentence.archive.seen(&token.word).is_some();
        if sentence.names(token) || token.stop || said || sentence.denied(at) {
            continue;
        }
        let (own, other) = sides(&token.word);
        let has = |words: &[&str]| words.iter().any(|word| sentence.archive.has(word));
        if !has(&other) || has(&own) {
            continue;
        }
        let alike = lexicon::entries(&token.word).into_iter().flat_map(lexicon::LexiconEntry::like);
        if alike.filter(|word| !other.contains(word)).any(|word| sentence.archive.has(word)) {
            continue;
        }
        let Some(there) = sentence.best(at, other.iter().copied()) else { continue };
        if there.company > 0 && !there.denied {
            let note = format!("The source says “{}” here, not “{}”.", there.word, token.word);
            ledger.enter(sentence.found(&RULE, token, note, sentence.archive.sentence(there.place)));
        }
    }
}

/// The dictionary's words on the other side than a word.
pub fn other_side(word: &str) -> impl Iterator<Item = &'static str> {
    sides(word).1.into_iter()
}

/// The dictionary's words on the same side as a word.
pub fn own_side(word: &str) -> impl Iterator<Item = &'static str> {
    sides(word).0.into_iter()
}

/// The dictionary's words on a word's own side, and on the other.
fn sides(word: &str) -> (Vec<&'static str>, Vec<&'static str>) {
    let (mut own, mut other) = (Vec::new(), Vec::new());
    for base in bases(word) {
        for &(index, second) in SIDE_OF.get(base.as_str()).into_iter().flatten() {
            let Some(&(one, two)) = SIDES.get(index) else { continue };
            let (mine, theirs) = if second { (two, one) } else { (one, two) };
            own.extend(mine.split_ascii_whitespace());
            other.extend(theirs.split_ascii_whitespace());
        }
    }
    other.retain(|word| !own.contains(word));
    (own, other)
}

#[cfg(test)]
mod tests {
    use crate::testing::notes;

    const SOURCE: &str =
        "The method boosts performance across noise levels. It was not a cheap hall. The tour was fast.";

    fn found(draft: &str) -> Vec<(String, String)> {
        notes(draft, SOURCE).into_iter().map(|row| (row.rule, row.text)).collect()
    }

    #[test]
    fn a_word_from_the_other_side_is_noted_with_what_the_source_says() {
        assert_eq!(
            notes("The method hinders performance across noise levels.", SOURCE)
                .into_iter()
                .map(|row| (row.rule, row.text, row.note))
                .collect::<Vec<_>>(),
            [(
                "meaning.opposed".to_owned(),
                "hinders".to_owned(),
                Some("The source says “boosts” here, not “hinders”.".to_owned())
            )]
        );
    }

    #[test]
    fn a_word_from_the_same_side_or_denied_is_not() {
        for draft in ["The method improves performance.", "The hall was costly.", "The tour was not slow."] {
            assert!(found(draft).iter().all(|(rule, _)| rule != "meaning.opposed"), "{draft}: {:?}", found(draft));
        }
    }
}
