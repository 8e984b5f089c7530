//! A date that falls on another weekday than the draft says, by the calendar or by the sources.
//!
//! Why: a full date determines its weekday, whatever the sources say. One of the two is wrong, and readers will come
//! on the wrong day.

use jiff::civil;

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    name: "number.calendar",
    kind: SpanKind::Date,
    standing: Standing::Contradicted,
    concern_type: ConcernType::InferredFact,
    why: "This date falls on another weekday.",
    source: "The Gregorian calendar. The year is the date's own, that of the same date in a source, or the only one of the draft. \
             Without a year, the weekday that a source names.",
    ..Rule::USUAL
};

const WEEKDAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// The finding if the draft names the wrong weekday. `matches` are the same date in the sources.
pub fn impossible(
    texts: &ProofTexts<'_>,
    field: &DraftField<'_>,
    figure: &Figure,
    matches: &[(SourceLine, &Figure)],
) -> Option<Fault> {
    let told = figure.weekday?;
    let named = matches.iter().find(|(_, theirs)| theirs.weekday.is_some());
    let confirmed = matches.iter().any(|(_, theirs)| theirs.weekday == Some(told));
    let years = match figure.year {
        Some(year) => vec![year],
        // If a source has the same weekday, it knows the year better than a guess.
        None if confirmed => return None,
        None => possible_years(texts, matches),
    };
    if years.iter().any(|year| weekday(*year, figure) == Some(told)) {
        return None;
    }
    let dated = years.first().and_then(|year| Some((*year, weekday(*year, figure)?)));
    let (note, right) = match (dated, named) {
        (Some((year, right)), _) => {
            let name = WEEKDAYS.get(usize::from(right))?;
            (format!("In {year} this date is a {name}."), name)
        }
        (None, Some((_, theirs))) if !confirmed => {
            let name = WEEKDAYS.get(usize::from(theirs.weekday?))?;
            (format!("The source has {name} for this date."), name)
        }
        (None, _) => return None,
    };
    let reading = &field.reading;
    let first = reading.tokens.get(figure.tokens.start)?;
    // Only a source with the date can tell which of the two is wrong.
    let known = named.or_else(|| matches.iter().find(|(_, theirs)| theirs.value.to_bits() == figure.value.to_bits()));
    let replacement = known.and_then(|_| Some(format!("{right}{}", reading.text.get(first.end..figure.end)?)));
    Some(
        Fault::new(&RULE, field, figure.start..figure.end)
            .note(note)
            .passage(known.and_then(|(place, _)| texts.archive.sentence(*place)))
            .replacement(replacement),
    )
}

/// The years in which a date without a year can fall: those of the same date in the sources. If one of these has no
/// year either, every year for which its source has a date. Otherwise the year of the draft's dates.
fn possible_years(texts: &ProofTexts<'_>, matches: &[(SourceLine, &Figure)]) -> Vec<u32> {
    let mut years: Vec<u32> = Vec::new();
    for (place, theirs) in matches {
        years.extend(theirs.year);
        if theirs.year.is_none()
            && let Some(source) = texts.archive.reading(*place)
        {
            years.extend(
                source.figures.iter().filter(|date| date.kind == FigureKind::Date).filter_map(|date| date.year),
            );
        }
    }
    if years.is_empty() {
        years.extend(only_year(texts));
    }
    years
}

/// The weekday of a date, Monday 0; none if there is no such day.
pub fn weekday(year: u32, figure: &Figure) -> Option<u8> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a month times 100 and a day")]
    let day = figure.value as u16;
    let date = civil::Date::new(i16::try_from(year).ok()?, (day / 100).try_into().ok()?, (day % 100).try_into().ok()?);
    u8::try_from(date.ok()?.weekday().to_monday_zero_offset()).ok()
}

/// The year of the draft's dates, if all that have one agree.
fn only_year(texts: &ProofTexts<'_>) -> Option<u32> {
    let figures = texts.fields.iter().flat_map(|field| &field.reading.figures);
    let mut years = figures.filter(|figure| figure.kind == FigureKind::Date).filter_map(|figure| figure.year);
    let first = years.next()?;
    years.all(|year| year == first).then_some(first)
}

#[cfg(test)]
mod tests {
    use crate::{
        rules::number::given::{self, one},
        testing::check_texts,
    };

    fn found(draft: &str, source: &str) -> Vec<(String, String, Option<String>)> {
        check_texts(draft, source).into_iter().map(|f| (f.rule, f.text, f.replacement)).collect()
    }

    #[test]
    fn a_full_date_proves_its_weekday() {
        let wrong = |text: &str, new: &str| vec![("number.calendar".to_owned(), text.to_owned(), Some(new.to_owned()))];
        let source = "The board votes on October 22, 2026. The park opened on May 5.";
        assert_eq!(
            found("The board votes on Friday, October 22, 2026.", source),
            wrong("Friday, October 22, 2026", "Thursday, October 22, 2026")
        );
        // The year is the source's.
        assert_eq!(
            found("The board votes on Friday, October 22.", source),
            wrong("Friday, October 22", "Thursday, October 22")
        );
        assert_eq!(found("The board votes on Thursday, October 22.", source), []);
        assert_eq!(found("The board votes on Thursday, October 22, 2026.", source), []);
        // No year anywhere, no finding.
        assert_eq!(found("The park opened on Monday, May 5.", "The park opened on May 5."), []);
        // If the draft gives no year, a source with the weekday is believed.
        assert_eq!(found("It met on Monday, May 5.", "It met on Monday, May 5. In 2026 it met on June 1, 2026."), []);
        // A later year of the same day is no year of this one.
        let source = "Minutes, October 6, 2026. The lane opened on March 2. The trial runs to March 2, 2027.";
        assert_eq!(found("The lane opened on Monday, March 2.", source), []);
        assert_eq!(found("The lane opened on Friday, March 2.", source).len(), 1);
        assert_eq!(found("It met on Monday, February 30, 2026.", "It met on Monday, February 30, 2026."), []);
    }

    #[test]
    fn the_source_names_the_weekday_where_nobody_names_the_year() {
        assert_eq!(
            given::found("The board votes on Friday, October 22."),
            one("number.calendar", "Friday, October 22", "Thursday, October 22")
        );
    }

    #[test]
    fn a_date_copied_with_its_wrong_weekday_is_wrong_all_the_same() {
        let source = "The board votes on Friday, October 22, 2026.";
        assert_eq!(found(source, source).first().map(|(rule, ..)| rule.as_str()), Some("number.calendar"));
    }
}
