//! A capitalised word that no source has: a nationality, a weekday beside another weekday, a single name.

use crate::{
    newsroom::{ConcernType, SpanKind, Standing},
    proof::{
        ledger::{Fault, LedgerWriter},
        reading::{
            calendar::{month, weekday},
            people::{opens, shouted},
            text::ParsedText,
            token::Token,
        },
        rule::{Gravity, Measured, Rule, SUMMARIES},
        sources::{
            abbreviations::{self, shortened},
            known::{self, known},
            texts::{ProofTexts, Spot},
        },
    },
};

/// A capitalised word in no source.
pub static RULE: Rule = Rule {
    name: "novel.name",
    kind: SpanKind::Name,
    standing: Standing::NotFound,
    concern_type: ConcernType::UnsupportedFact,
    gravity: Gravity::Note,
    why: "No source has this name.",
    source: "A capital letter within a sentence; initials that a source has written together stand for their words.",
    measured: Some(Measured { right: 33, of: 33, on: SUMMARIES }),
};

/// Enters every capitalised word that no source has.
pub fn check(ledger: &mut LedgerWriter<'_, '_>) {
    if !ledger.asks(&RULE) {
        return;
    }
    let desk = ledger.desk;
    for Spot { at, field, index, item: token } in desk.words() {
        let names = token.capital && !token.stop && !token.quoted() && !token.aside();
        if !names || !addressed(desk, token).unwrap_or_else(|| is_new(desk, &field.reading, index, token)) {
            continue;
        }
        ledger.enter(
            Fault::new(&RULE, at, token.start..token.end)
                .note(format!("No source has “{}”.", field.reading.slice(token.start..token.end))),
        );
    }
}

/// A weekday or month can follow from a date or from `tomorrow`; it is new only where a source names another one.
fn follows(desk: &ProofTexts<'_>, token: &Token) -> bool {
    let all = || desk.archive.readings.iter().flat_map(|reading| &reading.tokens);
    weekday(token).is_some() && !all().any(|other| weekday(other).is_some())
        || month(token).is_some() && !all().any(|other| month(other).is_some())
}

/// Whether no source has a capitalised word, nor anything that it follows from.
fn is_new(desk: &ProofTexts<'_>, reading: &ParsedText<'_>, index: usize, token: &Token) -> bool {
    !opens(reading, index)
        && !known(&desk.archive, &token.word, &token.stem)
        && !known::of_a_place(&desk.archive, &token.word)
        && !known::by_another_form(&desk.archive, &token.word)
        && !follows(desk, token)
        && !initials(reading, token)
        && !abbreviations::explained(desk, reading, token)
        && !shortened(&desk.archive, reading, index)
}

/// Forms of address.
const ADDRESS: [&str; 4] = ["mr", "mrs", "ms", "miss"];

/// Whether a form of address is not that of the sources, where they have one: `Mrs.` for `Mr.` is somebody else. By itself it is
/// a matter of manners.
fn addressed(desk: &ProofTexts<'_>, token: &Token) -> Option<bool> {
    let has = |word: &str| desk.archive.seen(word).is_some_and(|seen| seen.capital);
    ADDRESS.contains(&token.word.as_str()).then(|| !has(&token.word) && ADDRESS.iter().any(|other| has(other)))
}

/// Whether a word is but initials: what they stand for may be written out in a source.
fn initials(reading: &ParsedText<'_>, token: &Token) -> bool {
    shouted(reading, token) && token.word.chars().count() < 5
}

#[cfg(test)]
mod tests {
    use crate::proof::trial::notes;

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
