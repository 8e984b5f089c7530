//! Judgement: `a significant milestone`, `expressed concern`, without such a word in any source.
//!
//! Why: of the sentences that a small model adds, most have no figure and no name that could be false. They lend weight and feelings.
//! A report takes such words from a source.

use crate::{rules::prelude::*, words::list::WordGroups};
use copydesk_text::inflection::bases;

pub static RULE: Rule = Rule {
    name: "comment.judged",
    kind: SpanKind::Sentence,
    standing: Standing::NotFound,
    concern_type: ConcernType::Editorializing,
    why: "No source judges or feels this.",
    source: "Words that judge, weigh or lend a feeling (assets/words/judging.txt) must stand in a source, in any form, or a word that says the same.",
    gravity: Gravity::Note,
    measured: Some(Measured { right: 76, of: 118, on: SUMMARIES }),
};

static JUDGING: WordGroups = WordGroups::new(include_str!("../../../../assets/words/judging.txt"));

/// They say the same as others of their line, and also other things: a key to the house, Major Smith. They are not looked for in a draft.
static AMBIGUOUS: WordList = words("key major");

/// Enters the words that judge.
pub fn check(ledger: &mut LedgerWriter<'_, '_>) {
    if ledger.asks(&RULE) {
        enter_where(ledger, |_| true, faults);
    }
}

/// The words of a sentence that judge, one finding for each stretch from mark to mark.
fn faults(sentence: &DraftSentence<'_>) -> Vec<Fault> {
    let reading = sentence.reading;
    let stretch = |at: usize| reading.grammar(sentence.line).stretch(at);
    let judging: Vec<(usize, &Token)> = sentence.own().filter(|(_, token)| is_own(sentence.archive, token)).collect();
    let stretches = judging.chunk_by(|(one, _), (other, _)| stretch(*one) == stretch(*other));
    let found = stretches.filter_map(|words| {
        let span = reading.span_of(&stretch(words.first()?.0))?;
        let said: Vec<String> = words.iter().map(|(_, token)| format!("“{}”", token.word)).collect();
        let note = format!("No source says {}.", said.join(" or "));
        Some(sentence.found(&RULE, span, note, None))
    });
    found.collect()
}

/// Whether a word judges, and no source has it or one that says the same.
fn is_own(archive: &SourceArchive<'_>, token: &Token) -> bool {
    let bases = bases(&token.word);
    let mut groups = bases.iter().flat_map(|base| JUDGING.beside(base)).peekable();
    groups.peek().is_some()
        && !AMBIGUOUS.contains(&token.word)
        && !groups.any(|word| archive.has(word))
        && !bases.iter().any(|base| archive.has(base))
}

#[cfg(test)]
mod tests {
    use crate::testing::notes;

    const SOURCE: &str = "The council voted seven to two for a new dock. Dana Ruiz said the old one was built in 1931 and that a second engineer \
                          would look at the piles. “It is a major decision,” she said.";

    fn found(draft: &str) -> Vec<(String, String)> {
        let noted = notes(draft, SOURCE).into_iter().filter(|row| row.rule == "comment.judged");
        noted.map(|row| (row.text, row.note.unwrap_or_default())).collect()
    }

    #[test]
    fn judgement_and_feeling_that_no_source_has_are_found_with_their_words() {
        for (draft, text, note) in [
            (
                "The council voted for a new dock, which was a remarkable milestone for the town.",
                "which was a remarkable milestone for the town",
                "No source says “remarkable” or “milestone”.",
            ),
            (
                "Ms Ruiz emphasized that a second engineer would look at it.",
                "Ms Ruiz emphasized that a second engineer would look at it",
                "No source says “emphasized”.",
            ),
        ] {
            assert_eq!(found(draft), [(text.to_owned(), note.to_owned())], "{draft}");
        }
    }

    #[test]
    fn a_judgement_of_a_source_in_other_words_and_a_quoted_one_are_not() {
        for fine in
            ["It is an important vote, Ms Ruiz said.", "The vote was “crucial”.", "The council voted for a new dock."]
        {
            assert_eq!(found(&fine.replace("an important", "a major")), [], "{fine}");
        }
    }
}
