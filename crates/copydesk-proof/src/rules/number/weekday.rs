//! A date for which every source has another weekday.
//!
//! Why: readers go to a meeting by its weekday, and the date shows which of the two is wrong.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    name: "number.weekday",
    kind: SpanKind::Date,
    standing: Standing::Contradicted,
    concern_type: ConcernType::InferredFact,
    why: "The source has another weekday for this date.",
    source: "If the source names the weekday of a date, every other one is wrong.",
    ..Rule::USUAL
};

/// A date for which every source has another weekday.
pub fn weekday(
    texts: &ProofTexts<'_>,
    field: &DraftField<'_>,
    figure: &Figure,
    matches: &[(SourceLine, &Figure)],
) -> Option<Fault> {
    let mine = figure.weekday?;
    let told: Vec<&(SourceLine, &Figure)> = matches.iter().filter(|(_, theirs)| theirs.weekday.is_some()).collect();
    let (place, rival) = told.first().copied()?;
    if told.iter().any(|(_, theirs)| theirs.weekday == Some(mine)) {
        return None;
    }
    let agreed = told.iter().all(|(_, theirs)| theirs.weekday == rival.weekday);
    let source = texts.archive.reading(*place)?;
    let right = source.tokens.get(rival.tokens.start)?;
    let right = source.text.get(right.start..right.end)?;
    let reading = &field.reading;
    let wrong = reading.tokens.get(figure.tokens.start)?;
    Some(
        Fault::new(&RULE, field, figure.start..figure.end)
            .note(format!("The source has {right} for this date."))
            .passage(texts.archive.sentence(*place))
            .replacement(
                reading.text.get(wrong.end..figure.end).filter(|_| agreed).map(|date| format!("{right}{date}")),
            ),
    )
}

#[cfg(test)]
mod tests {
    use crate::rules::number::given::{found, one};

    #[test]
    fn the_weekday_must_fit_the_date() {
        assert_eq!(
            found("The board votes on Friday, October 22."),
            one("number.weekday", "Friday, October 22", "Thursday, October 22")
        );
    }
}
