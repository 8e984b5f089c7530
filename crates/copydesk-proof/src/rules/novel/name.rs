//! A capitalised word that no source has: a nationality, another weekday, a single name.

use crate::{
    reading::{month, opens, shouted, weekday},
    rules::prelude::*,
    sources::{
        abbreviations::{self, shortened},
        known::{self, known},
    },
};

pub static RULE: Rule = Rule {
    name: "novel.name",
    kind: SpanKind::Name,
    standing: Standing::NotFound,
    concern_type: ConcernType::UnsupportedFact,
    gravity: Gravity::Note,
    why: "No source has this name.",
    source: "A capital letter within a sentence marks a name. Initials stand for their words.",
    measured: Some(Measured { right: 104, of: 160, on: SUMMARIES }),
};

pub fn check(ledger: &mut LedgerWriter<'_, '_>) {
    if !ledger.asks(&RULE) {
        return;
    }
    let texts = ledger.texts;
    for Spot { field, index, item: token } in texts.words() {
        let names = token.capital && !token.stop && !token.quoted() && !token.aside();
        if !names || !addressed(texts, token).unwrap_or_else(|| is_new(texts, &field.reading, index, token)) {
            continue;
        }
        ledger.enter(
            Fault::new(&RULE, field, token.start..token.end)
                .note(format!("No source has “{}”.", field.reading.slice(token.start..token.end))),
        );
    }
}

/// A weekday or month can follow from a date or from `tomorrow`. It counts as new only if a source names another one.
fn follows(texts: &ProofTexts<'_>, token: &Token) -> bool {
    let all = || texts.archive.readings.iter().flat_map(|reading| &reading.tokens);
    weekday(token).is_some() && !all().any(|other| weekday(other).is_some())
        || month(token).is_some() && !all().any(|other| month(other).is_some())
}

/// Whether no source has a capitalised word, or anything that it follows from.
fn is_new(texts: &ProofTexts<'_>, reading: &ParsedText<'_>, index: usize, token: &Token) -> bool {
    !opens(reading, index)
        && !known(&texts.archive, &token.word, &token.stem)
        && !known::of_a_place(&texts.archive, &token.word)
        && !known::by_another_form(&texts.archive, &token.word)
        && !follows(texts, token)
        && !initials(reading, token)
        && !abbreviations::explained(texts, reading, token)
        && !shortened(texts, reading, index)
}

const ADDRESS: [&str; 4] = ["mr", "mrs", "ms", "miss"];

/// Whether the sources use only other forms of address: `Mrs.` for `Mr.` is another person. None if the word is no
/// form of address.
fn addressed(texts: &ProofTexts<'_>, token: &Token) -> Option<bool> {
    let has = |word: &str| texts.archive.seen(word).is_some_and(|seen| seen.capital);
    ADDRESS.contains(&token.word.as_str()).then(|| !has(&token.word) && ADDRESS.iter().any(|other| has(other)))
}

/// Whether a word is initials. A source may have what they stand for.
fn initials(reading: &ParsedText<'_>, token: &Token) -> bool {
    shouted(reading, token) && token.word.chars().count() < 5
}

#[cfg(test)]
mod tests {
    use crate::testing::notes;

    fn found(draft: &str, source: &str) -> Vec<String> {
        notes(draft, source).into_iter().filter(|row| row.rule == "novel.name").map(|row| row.text).collect()
    }

    #[test]
    fn a_nationality_and_another_weekday_are_noted() {
        let source = "She looked for Italian music on Tuesday.";
        assert_eq!(found("She looked for Spanish music on Friday.", source), ["Spanish", "Friday"]);
        assert_eq!(found("She looked for Italian music on Tuesday.", source), [""; 0]);
    }

    #[test]
    fn what_follows_from_the_source_is_not() {
        let source = "It was sunny in LA, and we meet tomorrow.";
        assert_eq!(found("It was sunny in Los Angeles, and they meet on Friday.", source), [""; 0]);
        assert_eq!(found("It was sunny, said the TV.", source), [""; 0]);
        assert_eq!(found("It was sunny in Los Angeles.", "so sunny in la today"), [""; 0]);
        assert_eq!(found("It was sunny, and Mr. La was glad.", source), [""; 0]);
        assert_eq!(found("The agent called Mrs. Lund about it.", "The agent called Mr. Lund about it."), ["Mrs"]);
    }
}
