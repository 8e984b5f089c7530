//! A person whom the draft first mentions by surname alone, though the sources know the full name.
//!
//! Why: a reader who meets “Calloway” before “Inez Calloway” has to search. It is a matter of style, so the rule is a
//! note.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    name: "name.first_mention",
    kind: SpanKind::Name,
    standing: Standing::Unchecked,
    concern_type: ConcernType::AttributionGap,
    gravity: Gravity::Note,
    why: "The first mention needs the full name. The sources have it.",
    source: "News style gives a full name at the first mention and the surname afterwards.",
    measured: None,
};

/// Enters each surname of the body that was not introduced before.
pub fn check(ledger: &mut LedgerWriter<'_, '_>) {
    if !ledger.asks(&RULE) {
        return;
    }
    let texts = ledger.texts;
    for field in texts.fields.iter().filter(|field| field.is_body()) {
        let mut known: Vec<&str> = Vec::new();
        for name in &field.names {
            let Some(first) = field.reading.tokens.get(name.tokens.start) else { continue };
            let met = known.contains(&name.last());
            known.push(name.last());
            if met || name.words.len() != 1 || name.titled || first.quoted() || first.stop || !name.personal() {
                continue;
            }
            // "Park" at the head of a sentence, or in the sources in small letters, is a word.
            let word = texts.archive.seen(&first.word).is_none_or(|seen| seen.lower);
            let Some(full) = texts.roster.resolve(name).filter(|_| !word) else {
                continue;
            };
            let Some(source) = texts.archive.readings.get(full.text) else { continue };
            let shown = one_line(source.slice(full.name.start..full.name.end));
            let line = source.tokens.get(full.name.tokens.start).map_or(0, |token: &Token| token.line);
            ledger.enter(
                Fault::new(&RULE, field, name.start..name.end)
                    .note(format!("The first mention needs the full name. The sources have {shown}."))
                    .passage(texts.archive.sentence(SourceLine { source: full.text, line }))
                    .replacement(full.plain.then_some(shown)),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        check::ledger,
        rule::Gravity,
        testing::{check_texts, texts},
    };

    const SOURCE: &str =
        "Inez Calloway and Thomas Pruitt spoke. Mayor Brandvold left. Kim Ostrander and Beth Ostrander met.";

    fn noted(draft: &str) -> Vec<(String, Option<String>)> {
        let (article, sources) = texts(draft, SOURCE);
        let rows = ledger(&article, &sources, Gravity::Note).rows;
        let rows = rows.into_iter().filter(|row| row.rule == "name.first_mention");
        rows.map(|row| (row.text, row.replacement)).collect()
    }

    #[test]
    fn a_bare_surname_is_introduced_first() {
        let bare = |text: &str, full: &str| vec![(text.to_owned(), Some(full.to_owned()))];
        assert_eq!(noted("Then Calloway spoke. She left."), bare("Calloway", "Inez Calloway"));
        for fine in [
            "Inez Calloway spoke. Then Calloway left.",
            "Mayor Brandvold left.",
            "Then Brandvold left.",
            "Then Ostrander met nobody.",
            "She said “so Pruitt spoke and left.”",
            "The Ostranders met.",
        ] {
            assert_eq!(noted(fine), [], "{fine}");
        }
        // A note joins no review.
        assert_eq!(check_texts("Then Calloway spoke.", SOURCE), []);
    }
}
