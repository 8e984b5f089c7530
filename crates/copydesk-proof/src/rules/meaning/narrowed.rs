//! The added `only` or `always`: the draft says how far something goes, and its sources do not.
//!
//! Why: `only` excludes everything else and `always` every exception, and hardly anybody notices. A source must say
//! how far the same thing goes.

use crate::{
    reading::denies,
    rules::{meaning::sentence::DraftSentence, prelude::*},
    sources::Vicinity,
    words::{
        Class,
        extent::{excludes, includes},
    },
};

pub static RULE: Rule = Rule {
    name: "meaning.narrowed",
    kind: SpanKind::Certainty,
    standing: Standing::Denied,
    concern_type: ConcernType::UnsupportedFact,
    gravity: Gravity::Note,
    why: "No source says “only” or “always” about this.",
    source: "If the draft says only, alone, always or every, a source must have such a word, or just, all, never or limited, near the same thing.",
    measured: Some(Measured { right: 10, of: 10, on: SUMMARIES }),
};

/// The draft's word can narrow so many content words after it, and up to this distance.
const NARROWED: usize = 2;
const BEHIND: usize = 5;

/// The words that the sources narrow and those that they widen.
pub struct Extent<'a> {
    /// The words near one that narrows.
    narrow: Vicinity<'a>,
    /// The words near one that allows no exception.
    wide: Vicinity<'a>,
}

impl<'a> Extent<'a> {
    pub fn read(archive: &'a SourceArchive<'_>) -> Self {
        Self { narrow: Vicinity::of(archive, Class::NARROWS), wide: Vicinity::of(archive, Class::WIDENS) }
    }
}

/// Enters the words of a sentence that narrow what no source narrows.
pub fn check(ledger: &mut LedgerWriter<'_, '_>, sentence: &DraftSentence<'_, '_>, extent: &Extent<'_>) {
    if !ledger.asks(&RULE) {
        return;
    }
    for (at, token) in sentence.own().filter(|(_, token)| excludes(&token.word) || includes(&token.word)) {
        // "Not only" narrows nothing.
        let before = at.checked_sub(1).and_then(|at| sentence.tokens.get(at));
        if before.is_some_and(denies) {
            continue;
        }
        let behind = sentence.tokens.get(at + 1..).unwrap_or_default().iter().take(BEHIND);
        let mut narrowed =
            behind.filter(|token| !token.stop).take(NARROWED).map(|token| token.stem.as_str()).peekable();
        // "by itself alone": a word at the end of a sentence narrows what is before it.
        let before = if narrowed.peek().is_none() { sentence.around(at, BEHIND) } else { Vec::new() };
        let said = if excludes(&token.word) { &extent.narrow } else { &extent.wide };
        if !narrowed.chain(before).any(|stem| said.has(stem)) {
            let note = format!("No source says “{}” about this.", token.word);
            ledger.enter(sentence.found(&RULE, token, note, None));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::notes;

    const SOURCE: &str = "The agent offers home, life and health insurance. The hall was full long before the speeches began, and the band went on playing until the last guests had found a seat. Only the client can change the plan. The hall has just two doors.";

    fn found(draft: &str) -> Vec<(String, String)> {
        notes(draft, SOURCE).into_iter().map(|row| (row.rule, row.text)).collect()
    }

    #[test]
    fn an_only_that_no_source_has_there_is_noted() {
        let noted = |word: &str| [("meaning.narrowed".to_owned(), word.to_owned())];
        assert_eq!(found("The agent offers only health insurance."), noted("only"));
        assert_eq!(found("The agent offers health insurance alone."), noted("alone"));
        assert_eq!(found("The agent always offers life insurance."), noted("always"));
    }

    #[test]
    fn an_only_that_a_source_has_in_other_words_is_not() {
        assert_eq!(found("The plan can be changed by the client alone."), []);
        assert_eq!(found("The hall has only two doors."), []);
        // Not only: nothing is narrowed.
        let narrowed = found("The agent offers not only health insurance.").into_iter().map(|(rule, _)| rule);
        assert!(!narrowed.collect::<Vec<_>>().contains(&"meaning.narrowed".to_owned()));
    }
}
