//! A thing that no source mentions: `wine`, `airport`, a `medical` policy.

use crate::{
    rules::prelude::*,
    sources::known::known,
    words::{LexiconEntry, entries},
};

pub static RULE: Rule = Rule {
    name: "novel.thing",
    kind: SpanKind::Support,
    standing: Standing::NotFound,
    concern_type: ConcernType::UnsupportedFact,
    gravity: Gravity::Note,
    why: "No source mentions this, in this word or another.",
    source: "WordNet's words for things, food, animals and plants, and its relational adjectives. If a source has a synonym, the word is fine.",
    measured: Some(Measured { right: 55, of: 83, on: SUMMARIES }),
};

/// Words that need no source in a story about eating, buying, staying or living somewhere.
static GENERAL: WordList = words(
    "facilities facility furniture hotel house houses meal meals product products restaurant restaurants shop shops store stores",
);

pub fn check(ledger: &mut LedgerWriter<'_, '_>) {
    if !ledger.asks(&RULE) {
        return;
    }
    let texts = ledger.texts;
    for Spot { field, item: token, .. } in texts.words() {
        if token.stop
            || token.quoted()
            || token.aside()
            || token.capital
            || GENERAL.contains(&token.word)
            || texts.archive.seen(&token.word).is_some()
        {
            continue;
        }
        // `spoke` is a part of a wheel, but also a form of `speak`: all words that it can be a form of must name a
        // thing.
        let entries = entries(&token.word);
        let pins = |entry: &LexiconEntry| entry.is_thing() || entry.is_relational() && entry.word() == token.word;
        if !entries.is_empty() && entries.iter().all(pins) && !known(&texts.archive, &token.word, &token.stem) {
            ledger.enter(
                Fault::new(&RULE, field, token.start..token.end)
                    .note(format!("No source mentions “{}”, in this word or another.", token.word)),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::notes;

    const SOURCE: &str = "The council met about the park. Somebody brought a cake, and the youngsters sang.";

    #[test]
    fn a_thing_that_no_source_speaks_of_is_noted() {
        let found = notes("The council met about the airport. Somebody brought wine.", SOURCE);
        assert_eq!(
            found.iter().map(|row| (row.rule.as_str(), row.text.as_str())).collect::<Vec<_>>(),
            [("novel.thing", "airport"), ("novel.thing", "wine")]
        );
    }

    #[test]
    fn another_word_for_it_and_a_notion_are_not() {
        for draft in [
            "The kids sang in the park.",
            "Cakes were brought.",
            "The discussion had a purpose.",
            "Somebody spoke.",
            "The shop brought a meal.",
        ] {
            assert_eq!(notes(draft, SOURCE), [], "{draft}");
        }
    }
}
