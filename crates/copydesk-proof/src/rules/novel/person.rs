//! A person whom no source mentions: a sister, a landlord, a colleague.
//!
//! A draft often mentions people by their relation to others. If no source has the word for it, no source has the
//! person.

use crate::{rules::prelude::*, sources::known::known, words::list::WordGroups};
use copydesk_text::inflection::bases;

pub static RULE: Rule = Rule {
    name: "novel.person",
    kind: SpanKind::Support,
    standing: Standing::NotFound,
    concern_type: ConcernType::UnsupportedFact,
    gravity: Gravity::Note,
    why: "No source mentions such a person.",
    source: "A list of words for people in the family, at home, at work and at school. If a source has a synonym, the word is fine.",
    measured: Some(Measured { right: 1, of: 2, on: SUMMARIES }),
};

/// Words for what people are to each other.
static RELATIONS: WordList = words(include_str!("../../../../../assets/words/relations.txt"));

/// What people are called among friends: any word of a line is that somebody.
static FAMILIAR: WordGroups = WordGroups::new(include_str!("../../../../../assets/words/familiar.txt"));

/// Whether a source has an informal word for such a person.
fn familiar(archive: &SourceArchive<'_>, bases: &[String]) -> bool {
    let groups =
        FAMILIAR.all().filter(|group| group.clone().next().is_some_and(|word| bases.iter().any(|base| base == word)));
    groups.flatten().any(|word| archive.has(word))
}

pub fn check(ledger: &mut LedgerWriter<'_, '_>) {
    if !ledger.asks(&RULE) {
        return;
    }
    let texts = ledger.texts;
    for Spot { field, item: token, .. } in texts.own_words() {
        let bases = bases(&token.word);
        let relation = bases.iter().any(|base| RELATIONS.contains(base));
        if relation && !familiar(&texts.archive, &bases) && !known(&texts.archive, &token.word, &token.stem) {
            ledger.enter(
                Fault::new(&RULE, field, token.start..token.end)
                    .note(format!("No source mentions a “{}”.", token.word)),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::notes;

    #[test]
    fn somebody_whom_no_source_speaks_of_is_noted() {
        let source = "Rick shares the flat with a roommate, and his mom calls on Sundays.";
        let found = |draft: &str| notes(draft, source).into_iter().map(|row| (row.rule, row.text)).collect::<Vec<_>>();
        assert_eq!(
            found("Rick shares the flat with his sisters."),
            [("novel.person".to_owned(), "sisters".to_owned())]
        );
        assert_eq!(found("Rick shares the flat with a roommate; his mother calls."), []);
        assert_eq!(notes("Her boyfriend and her sister came.", "My bf and my sis came."), []);
    }
}
