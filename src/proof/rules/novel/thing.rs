//! A thing that no source speaks of: `wine`, `airport`, a `medical` policy.

use crate::{
    newsroom::{ConcernType, SpanKind, Standing},
    proof::{
        ledger::{Found, Ledger},
        rule::{Gravity, Measured, Rule, SUMMARIES},
        sources::known::known,
        words::{
            lexicon::{Entry, entries},
            list::{Words, words},
        },
    },
};

/// A thing in no source.
pub static RULE: Rule = Rule {
    name: "novel.thing",
    kind: SpanKind::Support,
    standing: Standing::NotFound,
    concern_type: ConcernType::UnsupportedFact,
    gravity: Gravity::Note,
    why: "No source speaks of this, in this word or another.",
    source: "WordNet's fields of things, food, animals and plants, and its relational adjectives; any synonym in a source excuses the word.",
    measured: Some(Measured { right: 94, of: 114, on: SUMMARIES }),
};

/// What goes without saying where people eat, buy, stay or live.
static GENERAL: Words = words(
    "facilities facility furniture hotel house houses meal meals product products restaurant restaurants shop shops store stores",
);

/// Enters every word for a thing that no source speaks of.
pub fn check(ledger: &mut Ledger<'_, '_>) {
    if !ledger.asks(&RULE) {
        return;
    }
    let desk = ledger.desk;
    for (at, field) in desk.fields.iter().enumerate() {
        for token in &field.reading.tokens {
            if token.stop
                || token.quoted()
                || token.aside()
                || token.capital
                || GENERAL.contains(&token.word)
                || desk.archive.seen(&token.word).is_some()
            {
                continue;
            }
            // `spoke` is a part of a wheel, but also what somebody said: each word that it can be a form of must name a thing.
            let entries = entries(&token.word);
            let pins = |entry: &Entry| entry.is_thing() || entry.is_relational() && entry.word() == token.word;
            if !entries.is_empty() && entries.iter().all(pins) && !known(&desk.archive, &token.word, &token.stem) {
                ledger.enter(Found {
                    kind: None,
                    rule: &RULE,
                    field: at,
                    start: token.start,
                    end: token.end,
                    note: format!("No source speaks of “{}”, in this word or another.", token.word),
                    passage: None,
                    replacement: None,
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::proof::trial::notes;

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
