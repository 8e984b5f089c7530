//! The added reason: `because of a drop in orders`, where the passage gives no reason, or another.

use std::ops::Range;

use crate::proof::rules::{passage::sentence::AlignedSentence, prelude::*};

pub static RULE: Rule = Rule {
    name: "cause.unfounded",
    kind: SpanKind::Certainty,
    standing: Standing::NotFound,
    gravity: Gravity::Note,
    why: "The passage does not give this reason.",
    source: "What follows because, due to, thanks to, as a result of, blamed on and the like must stand in the passage.",
    measured: Some(Measured { right: 22, of: 38, on: SUMMARIES }),
    ..Rule::USUAL
};

/// Words that begin a reason, each with the words right behind it; the reason follows.
static BEGIN: [&[&str]; 14] = [
    &["because"],
    &["due", "to"],
    &["owing", "to"],
    &["thanks", "to"],
    &["as", "a", "result", "of"],
    &["in", "response", "to"],
    &["prompted", "by"],
    &["caused", "by"],
    &["driven", "by"],
    &["fuelled", "by"],
    &["fueled", "by"],
    &["blamed", "on"],
    &["fearing"],
    &["hoping"],
];

/// The passage has so much of the rest of the sentence, at least.
const REST: f64 = 0.5;

/// And less than so much of the reason.
const REASON: f64 = 0.5;

/// A reason has so many words at most.
const LONGEST: usize = 16;

pub fn check(ledger: &mut LedgerWriter<'_, '_>, sentence: &AlignedSentence<'_, '_>) {
    if !ledger.looks(&RULE) {
        return;
    }
    for (at, _) in sentence.own() {
        let Some(begin) = BEGIN.iter().find(|words| {
            words.iter().enumerate().all(|(offset, word)| sentence.token(at + offset).is_some_and(|t| t.word == *word))
        }) else {
            continue;
        };
        let reason = reason(sentence, at, begin.len());
        let share = |inside: bool| {
            let words: Vec<_> =
                sentence.alignment.words.iter().filter(|word| reason.contains(&word.at) == inside).collect();
            let total: f64 = words.iter().map(|word| word.weight).sum();
            let held: f64 = words.iter().filter(|word| word.held.is_some()).map(|word| word.weight).sum();
            (held, total)
        };
        let (mine, rest) = (share(true), share(false));
        if mine.1 > 0.0
            && rest.1 > 0.0
            && mine.0 < REASON * mine.1
            && rest.0 >= REST * rest.1
            && let Some(fault) = sentence.found(
                &RULE,
                reason,
                RULE.why.to_owned(),
                sentence.passages.first().map(|passage| passage.place),
            )
        {
            ledger.enter(fault);
        }
    }
}

/// The words of a reason, from the word that begins it to the next mark.
fn reason(sentence: &AlignedSentence<'_, '_>, at: usize, begin: usize) -> Range<usize> {
    let reading = &sentence.field.reading;
    let mut end = (at + begin).min(sentence.range.end);
    while end < sentence.range.end && end - at < LONGEST {
        let gap = sentence.token(end - 1).zip(sentence.token(end));
        let gap = gap.map_or("", |(one, two)| reading.slice(one.end..two.start));
        if gap.contains([',', ';', ':', '(', ')', '–', '—', '"', '“', '”']) {
            break;
        }
        end += 1;
    }
    at..end
}
