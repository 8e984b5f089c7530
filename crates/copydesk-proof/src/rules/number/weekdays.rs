//! A weekday that the passage does not have, beside another one there: `due on Thursday` where the source has Friday.
//!
//! Why: a weekday has no digits, so that no search for a figure finds it.

use crate::{
    binding::Alignment,
    reading::weekday,
    rules::{number::contradicted, prelude::*},
    sources::{common, of_line, siblings},
};

/// A passage is about the same thing if it has so much of the sentence.
const SAME: f64 = 0.8;

/// Enters the only weekday of each sentence whose passage has another one alone.
pub fn check(ledger: &mut LedgerWriter<'_, '_>) {
    let texts = ledger.texts;
    for Spot { field, index: line, item } in texts.sentences().filter(|spot| !spot.item.heading) {
        let Some(at) = only_day(&field.reading, item.tokens.clone()) else { continue };
        let told = ledger.carried(field, &(at..at + 1)) >= SAME;
        let alignment = ledger.aligned(field, line);
        if let Some(fault) = other(texts, field, at, &alignment).filter(|_| told) {
            ledger.enter(fault);
        }
    }
}

/// The only weekday of a sentence in the text's own voice, by its index, if it belongs to no date.
fn only_day(reading: &ParsedText<'_>, tokens: std::ops::Range<usize>) -> Option<usize> {
    let day = |at: &usize| reading.tokens.get(*at).is_some_and(|token| !token.quoted() && weekday(token).is_some());
    let mut days = tokens.filter(day);
    let only = days.next().filter(|_| days.next().is_none())?;
    let dated = siblings(reading, reading.tokens.get(only)?.line).iter().any(|figure| figure.tokens.contains(&only));
    (!dated).then_some(only)
}

fn other(texts: &ProofTexts<'_>, field: &DraftField<'_>, at: usize, alignment: &Alignment) -> Option<Fault> {
    let reading = &field.reading;
    let token = reading.tokens.get(at)?;
    let own = of_line(reading, token.line);
    let window = alignment.windows.first()?;
    let source = texts.archive.reading(window.place)?;
    let told = window.lines.clone().max_by_key(|line| (common(&own, &of_line(source, *line)), usize::MAX - line))?;
    let days = |lines: std::ops::Range<usize>| {
        lines.flat_map(|line| source.line_tokens(line)).filter(|token| weekday(token).is_some())
    };
    let mut there = days(told..told + 1);
    let theirs = there.next().filter(|_| there.next().is_none())?;
    // Another sentence of the paragraph may have the day.
    if days(source.paragraph(told)).any(|other| weekday(other) == weekday(token)) {
        return None;
    }
    let shown = source.slice(theirs.start..theirs.end);
    let passage = texts.archive.sentence(SourceLine { line: told, ..window.place });
    Some(
        Fault::new(&contradicted::RULE, field, token.start..token.end)
            .note(format!("The source has {shown} here."))
            .passage(passage)
            .replacement(Some(shown.to_owned())),
    )
}

#[cfg(test)]
mod tests {
    use crate::testing::check_texts;

    #[test]
    fn a_weekday_is_that_of_the_passage() {
        let source = "The verdict on the pier is due on Friday, the court said. The pier opened on Monday.\n\nOn Tuesday the keeper \
                      closed the gate, and on Wednesday he opened it.";
        let found =
            |draft: &str| check_texts(draft, source).into_iter().map(|f| (f.text, f.replacement)).collect::<Vec<_>>();
        assert_eq!(
            found("The verdict on the pier is due on Thursday."),
            [("Thursday".to_owned(), Some("Friday".to_owned()))]
        );
        for fine in [
            "The verdict on the pier is due on Friday.",
            "The verdict on the pier is due on Friday, a lawyer said on Thursday.",
            "The keeper closed the gate on Tuesday.",
            "The keeper opened the gate on Wednesday.",
            "A lawyer expects the verdict this Thursday.",
        ] {
            assert_eq!(found(fine), [], "{fine}");
        }
    }
}
