//! More for less: the draft says `more aggressive`, the passage `less aggressively`.

use crate::{
    reading::grammar::tells_when,
    rules::{
        passage::sentence::{AlignedPassage, AlignedSentence},
        prelude::*,
    },
    words::Class,
};

pub static RULE: Rule = Rule {
    name: "meaning.degree",
    why: "The passage says less where the draft says more, or the other way round.",
    source: "More, less, fewer, most, least, before, after, above and below stand beside the same word.",
    measured: Some(Measured { right: 18, of: 18, on: SUMMARIES }),
    ..Rule::OPPOSITE
};

/// The opposites of words that need a word beside them.
const PAIRS: [(&str, &str); 13] = [
    ("more", "less"),
    ("more", "fewer"),
    ("most", "least"),
    ("most", "fewest"),
    ("higher", "lower"),
    ("larger", "smaller"),
    ("bigger", "smaller"),
    ("greater", "smaller"),
    ("above", "below"),
    ("before", "after"),
    ("longest", "shortest"),
    ("highest", "lowest"),
    ("largest", "smallest"),
];

/// The word that both describe follows within so many words.
const BEHIND: usize = 3;

fn opposed(one: &str, other: &str) -> bool {
    PAIRS.iter().any(|(a, b)| (*a, *b) == (one, other) || (*b, *a) == (one, other))
}

pub fn check(ledger: &mut LedgerWriter<'_, '_>, sentence: &AlignedSentence<'_, '_>) {
    if !ledger.looks(&RULE) {
        return;
    }
    for (at, token) in sentence.own() {
        let Some(described) = described(sentence, at) else { continue };
        let mut found = sentence.passages.iter().flat_map(|passage| {
            let words = passage.words.iter().enumerate();
            let beside = words.filter(|(there, other)| {
                let before = there.checked_sub(1).and_then(|at| passage.words.get(at));
                let next = passage.words.get(there + 1);
                let timed =
                    || next.is_some_and(|next| begins(other, next)) && first_event(sentence, at, passage, other);
                if before.is_some_and(|before| tells_when(before, other)) && !timed() {
                    return false;
                }
                let behind = passage.words.get(there + 1..).unwrap_or_default().iter().take(BEHIND);
                behind.clone().any(|other| other.stem == described.stem)
            });
            beside.map(|(_, other)| (passage.place, *other))
        });
        let same = found.clone().any(|(_, other)| other.word == token.word);
        let other = found.find(|(_, other)| opposed(&token.word, &other.word));
        let Some((place, other)) = other.filter(|_| !same) else { continue };
        // "More or fewer boats": the draft speaks of both.
        let also = sentence.own().any(|(here, own)| {
            own.word == other.word && self::described(sentence, here).is_some_and(|word| word.stem == described.stem)
        });
        let note = format!("The source says “{}” here, not “{}”.", other.word, token.word);
        if let Some(fault) = sentence.found(&RULE, at..at + 1, note, Some(place)).filter(|_| !also) {
            ledger.enter(fault);
        }
    }
}

/// The word that a word of degree describes.
fn described<'d>(sentence: &AlignedSentence<'d, '_>, at: usize) -> Option<&'d Token> {
    let token = sentence.token(at)?;
    let before = at.checked_sub(1).and_then(|at| sentence.token(at));
    if !PAIRS.iter().any(|(one, other)| token.word == *one || token.word == *other)
        || before.is_some_and(|before| tells_when(before, token))
            && !sentence.token(at + 1).is_some_and(|next| begins(token, next))
    {
        return None;
    }
    let behind = (at + 1..=at + BEHIND).filter(|at| sentence.range.contains(at));
    behind.filter_map(|at| sentence.token(at)).find(|token| !token.stop)
}

/// Whether a word begins another event right behind `before` or `after`: `three days before the company closed`.
fn begins(token: &Token, next: &Token) -> bool {
    next.start == token.end + 1
        && (matches!(&*next.word, "the" | "a" | "an" | "his" | "her" | "its" | "their") || next.capital)
}

/// Whether the passage's sentence has a word of the event that the draft's sentence names before `before` or `after`.
fn first_event(sentence: &AlignedSentence<'_, '_>, at: usize, passage: &AlignedPassage<'_>, there: &Token) -> bool {
    let own = (sentence.range.start..at.saturating_sub(1)).filter_map(|at| sentence.token(at));
    own.filter(|token| !token.stop && !token.class.has(Class::NUMBER))
        .any(|token| passage.words.iter().any(|other| other.line == there.line && other.stem == token.stem))
}

#[cfg(test)]
mod tests {
    use crate::testing::check_texts;

    const SOURCE: &str = "There were fewer fires in the harbour last year, but more thefts as compared with 2019.";

    fn found(draft: &str) -> Vec<String> {
        let found = check_texts(draft, SOURCE).into_iter().filter(|found| found.rule == "meaning.degree");
        found.map(|found| found.text).collect()
    }

    #[test]
    fn after_for_before_is_found_between_the_same_events() {
        let source = "The auditor resigned on 9 May, three days before the company published its accounts.";
        let found = |draft: &str| check_texts(draft, source).into_iter().map(|found| found.text).collect::<Vec<_>>();
        assert_eq!(found("The auditor resigned three days after the company published its accounts."), ["after"]);
        assert_eq!(found("The auditor resigned three days before the company published its accounts."), [""; 0]);
        assert_eq!(found("The company published its accounts three days after the auditor resigned."), [""; 0]);
    }

    #[test]
    fn more_for_fewer_is_found_also_if_the_two_change_places() {
        assert_eq!(found("The harbour saw more fires last year."), ["more"]);
        assert_eq!(found("The harbour saw more fires than in 2019, but fewer thefts."), ["more", "fewer"]);
        assert_eq!(found("The harbour saw fewer fires than in 2019, but more thefts."), [""; 0]);
        let source = "Fourteen people died in the harbour. The year before, seven died.";
        assert_eq!(check_texts("Fourteen people died in the harbour, after seven the year before.", source), []);
    }
}
