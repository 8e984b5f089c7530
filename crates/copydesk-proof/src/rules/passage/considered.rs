//! The done deed: the draft does what its passage only considers, proposes or asks for.

use crate::{
    reading::hedges::{considers, softens},
    rules::{
        passage::sentence::{AlignedPassage, AlignedSentence},
        prelude::*,
    },
    words::Class,
};
use copydesk_text::tagger::Tag;

pub static RULE: Rule = Rule {
    name: "certainty.considered",
    kind: SpanKind::Certainty,
    standing: Standing::Inflated,
    concern_type: ConcernType::CertaintyInflation,
    why: "The source only considers this.",
    source: "Consider, propose, plan, ask for, subject to and the like stand right before the same verb or its noun.",
    ..Rule::USUAL
};

/// Words with which another clause begins: "the plans that we reviewed".
static OTHER: WordList = words("i we you he she it they who which that");

/// The considered action follows within so many words.
const BEHIND: usize = 4;

/// Words of one family have so many first letters in common, at least.
const FAMILY: usize = 4;

/// Words within so many words of it stand beside it.
const REACH: usize = 3;

pub fn check(ledger: &mut LedgerWriter<'_, '_>, sentence: &AlignedSentence<'_, '_>) {
    let own: Vec<Token> = sentence.own().map(|(_, token)| token.clone()).collect();
    // "He said it would": that is no hedge of the reporter's. "The plan" is a thing.
    let says = own.iter().any(|token| token.class.has(Class::SAYS));
    let skips = |at: usize, token: &Token| says && token.word == "would" || sentence.grammar().tag(at).is_noun();
    let plain = sentence.own().filter(|(at, token)| !skips(*at, token));
    let plain: Vec<Token> = plain.map(|(_, token)| token.clone()).collect();
    let open = |token: &Token| considers(token) || token.class.has(Class::TURNS);
    if !ledger.looks(&RULE) || softens(&plain) || plain.iter().any(open) {
        return;
    }
    for (at, token) in sentence.own() {
        let tag = sentence.grammar().tag(at);
        // "Needs a court to approve it" does not say that it did.
        let wanted = at.checked_sub(1).is_some_and(|before| sentence.grammar().tag(before) == Tag::To);
        if token.stop || wanted || !tag.is_verb() {
            continue;
        }
        let like = sentence.archive.alike(token);
        let mut places = sentence.passages.iter().flat_map(|passage| {
            let words = passage.words.iter().enumerate();
            let like = &like;
            let words = words.filter(move |(_, other)| {
                other.stem == token.stem || like.contains(&other.stem_id) && of_family(other, token)
            });
            words.map(move |(there, _)| (passage, there))
        });
        let considered = |(passage, there): &(&AlignedPassage<'_>, usize)| {
            let from = there.saturating_sub(BEHIND);
            let before = passage.words.get(from..*there).unwrap_or_default();
            let by = before.iter().rposition(|other| considers(other));
            by.is_some_and(|by| {
                let between = before.get(by + 1..).unwrap_or_default();
                let other = between.iter().any(|token| OTHER.contains(&token.word));
                let things = between.iter().filter(|token| !token.stop).count();
                !other && things < 2 && before.get(by).is_some_and(|word| acts(sentence.archive, passage.place, word))
            })
        };
        let plain = places.clone().any(|place| !considered(&place));
        // Other words that both have stand beside it.
        let company =
            |(passage, there): &(&AlignedPassage<'_>, usize)| {
                let beside = there.saturating_sub(REACH)..passage.words.len().min(there + REACH + 1);
                passage.words.get(beside).unwrap_or_default().iter().any(|other| {
                    !other.stop && other.stem != token.stem && own.iter().any(|own| own.stem == other.stem)
                })
            };
        let Some((passage, _)) = places.find(company).filter(|_| !plain) else { continue };
        let note = format!("The source only considers “{}”.", token.word);
        if let Some(fault) = sentence.found(&RULE, at..at + 1, note, Some(passage.place)) {
            ledger.enter(fault);
        }
    }
}

/// Whether two words begin alike: `adopt` and `adoption`.
fn of_family(one: &Token, other: &Token) -> bool {
    one.word.chars().zip(other.word.chars()).take_while(|(one, other)| one == other).count() >= FAMILY
}

/// Whether a word names an act, and no thing: "plans to build" and "a plan to build", but not "health plans cover".
fn acts(archive: &SourceArchive<'_>, place: SourceLine, token: &Token) -> bool {
    let Some(reading) = archive.reading(place) else { return false };
    let at = reading.tokens.partition_point(|other| other.start < token.start);
    let next = reading.tokens.get(at + 1).map_or("", |next| next.word.as_str());
    !reading.grammar(token.line).tag(at).is_noun()
        || matches!(next, "to" | "for" | "of") && !token.word.starts_with("plan")
}

#[cfg(test)]
mod tests {
    use crate::testing::check_texts;

    const SOURCE: &str = "The board will consider adoption of the harbour plan in June. The lease of the pier remains subject to court \
                          approval. The health plans cover the crew of the ferry. The council is weighing the sale of the old mill. Scientists studying the reef found a new coral. The plans we reviewed for the ferry office were complete.";

    fn found(draft: &str) -> Vec<String> {
        let found = check_texts(draft, SOURCE).into_iter().filter(|found| found.rule == "certainty.considered");
        found.map(|found| found.text).collect()
    }

    #[test]
    fn what_is_only_considered_is_not_done() {
        assert_eq!(found("Berg said the board would adopt the harbour plan in June."), ["adopt"]);
        assert_eq!(found("The court approved the lease of the pier."), ["approved"]);
        assert_eq!(found("The council has sold the old mill."), ["sold"]);
    }

    #[test]
    fn what_is_told_as_considered_may_stand() {
        for fine in [
            "The board will consider adopting the harbour plan in June.",
            "The lease of the pier still needs a court to approve it.",
            "The health plans cover the crew of the ferry.",
            "Scientists found a new coral on the reef.",
            "The office reviewed the plans of the ferry.",
            "The court refused to approve the lease of the pier.",
        ] {
            assert_eq!(found(fine), [""; 0], "{fine}");
        }
    }
}
