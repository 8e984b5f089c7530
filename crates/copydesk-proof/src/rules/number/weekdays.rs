//! A weekday that the passage does not have, beside another one there: `due on Thursday` where the source has Friday.
//!
//! Why: a weekday has no digits, so that no search for a figure finds it.

use crate::{
    reading::weekday,
    rules::{number::contradicted, prelude::*},
    sources::{common, of_line},
};

/// A passage is about the same thing if it has so much of the sentence.
const SAME: f64 = 0.8;

/// The fault of the only weekday of a sentence in the text's own voice, if it belongs to no date, and the passage has another one alone.
pub fn fault(sentence: &DraftSentence<'_>) -> Option<Fault> {
    let &DraftSentence { archive, field, reading, .. } = sentence;
    let words = sentence.range.clone().zip(sentence.tokens());
    let mut days = words.filter(|(_, token)| !token.quoted() && weekday(token).is_some());
    let (at, token) = days.next().filter(|_| days.next().is_none())?;
    let dated = sentence.figures().iter().any(|figure| figure.tokens.contains(&at));
    if dated || sentence.ledger.carried(field, &(at..at + 1)) < SAME {
        return None;
    }
    let own = of_line(reading, token.line);
    let alignment = sentence.alignment();
    let window = alignment.windows.first()?;
    let source = archive.reading(window.place)?;
    let told = window.lines.clone().max_by_key(|line| (common(&own, &of_line(source, *line)), usize::MAX - line))?;
    let days =
        |lines: Range<usize>| lines.flat_map(|line| source.line_tokens(line)).filter(|token| weekday(token).is_some());
    let mut there = days(told..told + 1);
    let theirs = there.next().filter(|_| there.next().is_none())?;
    // Another sentence of the paragraph may have the day.
    if days(source.paragraph(told)).any(|other| weekday(other) == weekday(token)) {
        return None;
    }
    let shown = source.slice(theirs.start..theirs.end);
    let place = SourceLine { line: told, ..window.place };
    let note = format!("The source has {shown} here.");
    let found = sentence.found(&contradicted::RULE, token.start..token.end, note, Some(place));
    Some(found.replacement(Some(shown.to_owned())))
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
