//! All for many: the draft says of all what its passage says of some.

use crate::rules::{passage::sentence::AlignedSentence, prelude::*};
use copydesk_text::tagger::Tag;

pub static RULE: Rule = Rule {
    name: "certainty.extent",
    kind: SpanKind::Certainty,
    standing: Standing::Inflated,
    concern_type: ConcernType::CertaintyInflation,
    why: "The source says this of another part of them.",
    source: "All, most, many, some and none stand before the same noun.",
    ..Rule::USUAL
};

/// From none to all.
static PARTS: [&[&str]; 5] = [
    &["no", "none", "neither"],
    &["few", "some", "several", "certain", "couple"],
    &["many", "numerous", "various"],
    &["most", "majority"],
    &["all", "every", "each", "unanimous", "unanimously", "both"],
];

/// The noun follows within so many words.
const BEHIND: usize = 4;

fn part(word: &str) -> Option<usize> {
    PARTS.iter().position(|words| words.contains(&word))
}

/// Whether a hyphen follows: `all-inclusive`.
fn joined(sentence: &AlignedSentence<'_, '_>, at: usize) -> bool {
    sentence
        .token(at)
        .is_some_and(|token| sentence.field.reading.text.get(token.end..).is_some_and(|rest| rest.starts_with('-')))
}

pub fn check(ledger: &mut LedgerWriter<'_, '_>, sentence: &AlignedSentence<'_, '_>) {
    if !ledger.looks(&RULE) {
        return;
    }
    for (at, token) in sentence.own() {
        let Some(own) = part(&token.word).filter(|_| !joined(sentence, at)) else { continue };
        let Some(noun) = (at + 1..=at + BEHIND)
            .filter(|at| sentence.range.contains(at))
            .take_while(|at| !sentence.grammar().tag(*at).is_verb())
            .find(|at| sentence.grammar().tag(*at).is_noun())
            // "Most of the difference" is a part of one thing.
            .filter(|at| {
                sentence.grammar().tag(*at) == Tag::Plural || matches!(token.word.as_str(), "every" | "each" | "no")
            })
            .and_then(|at| sentence.token(at))
        else {
            continue;
        };
        let parts = sentence.passages.iter().flat_map(|passage| {
            let words = passage.words.iter().enumerate();
            let beside = words.filter(|(there, _)| {
                let behind = passage.words.get(there + 1..).unwrap_or_default().iter().take(BEHIND);
                behind.clone().any(|other| other.stem == noun.stem)
            });
            beside.filter_map(|(_, other)| Some((part(&other.word)?, *other, passage.place)))
        });
        let parts: Vec<(usize, &Token, SourceLine)> = parts.collect();
        let near = |other: usize| {
            other.abs_diff(own) < 2 && own != PARTS.len() - 1 && other != PARTS.len() - 1 && own != 0 && other != 0
        };
        if parts.iter().any(|(other, ..)| *other == own || near(*other)) {
            continue;
        }
        let Some((_, other, place)) = parts.first() else { continue };
        let note = format!("The source says “{} {}”, not “{}”.", other.word, noun.word, token.word);
        if let Some(fault) = sentence.found(&RULE, at..at + 1, note, Some(*place)) {
            ledger.enter(fault);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_texts;

    const SOURCE: &str =
        "Many residents of the island said that the ferry was late. Some coverage of the flood is included.";

    fn found(draft: &str) -> Vec<String> {
        let found = check_texts(draft, SOURCE).into_iter().filter(|found| found.rule == "certainty.extent");
        found.map(|found| found.text).collect()
    }

    #[test]
    fn all_are_not_many() {
        assert_eq!(found("All residents of the island said that the ferry was late."), ["All"]);
        assert_eq!(found("Numerous residents of the island said that the ferry was late."), [""; 0]);
        assert_eq!(found("All-inclusive coverage of the flood is included."), [""; 0]);
    }
}
