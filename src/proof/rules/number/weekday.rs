//! A date whose weekday every source tells otherwise.
//!
//! Why: readers go to a meeting by its weekday, and the date beside it proves which of the two is wrong.

use crate::{
    newsroom::{ConcernType, SpanKind, Standing},
    proof::{
        ledger::Fault,
        reading::figure::Figure,
        rule::{Gravity, Rule},
        sources::{archive::SourceLine, texts::ProofTexts},
    },
};

/// The rule.
pub static RULE: Rule = Rule {
    name: "number.weekday",
    kind: SpanKind::Date,
    standing: Standing::Contradicted,
    concern_type: ConcernType::InferredFact,
    gravity: Gravity::Concern,
    why: "The source has another weekday for this date.",
    source: "Where the source names the weekday of a date, every other one is wrong.",
    measured: None,
};

/// A date whose weekday every source tells otherwise.
pub fn weekday(
    desk: &ProofTexts<'_>,
    field: usize,
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
    let source = desk.archive.reading(*place)?;
    let right = source.tokens.get(rival.tokens.start)?;
    let right = source.text.get(right.start..right.end)?;
    let reading = &desk.fields.get(field)?.reading;
    let wrong = reading.tokens.get(figure.tokens.start)?;
    Some(
        Fault::new(&RULE, field, figure.start..figure.end)
            .note(format!("The source has {right} for this date."))
            .passage(desk.archive.sentence(*place))
            .replacement(Some(if agreed {
                format!("{right}{}", reading.text.get(wrong.end..figure.end)?)
            } else {
                String::new()
            })),
    )
}

#[cfg(test)]
mod tests {
    use crate::proof::rules::number::given::{found, one};

    #[test]
    fn the_weekday_must_fit_the_date() {
        assert_eq!(
            found("The board votes on Friday, October 22."),
            one("number.weekday", "Friday, October 22", "Thursday, October 22")
        );
    }
}
