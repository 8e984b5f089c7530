//! A figure that no source has: rounded, redone, contradicted by the passage on the same thing, or simply not there.
//!
//! Why: a figure comes from somewhere. What the sources' figures neither give nor lead to, somebody made up or knew from
//! elsewhere, and elsewhere must be named.

use crate::{
    newsroom::{ConcernType, SpanKind, Standing},
    proof::{
        ledger::Fault,
        reading::figure::{Figure, FigureKind, near},
        rule::{Gravity, Measured, Rule, SUMMARIES},
        rules::number::{
            contradicted::contradicted,
            rivals::{Rival, candidate, same_count},
        },
        sources::{
            archive::SourceArchive,
            bindings::{Bond, around, common, counted},
            derived::derivation_of,
            texts::ProofTexts,
            withdrawals::Withdrawal,
        },
    },
};

/// Spelled-out counts up to this one are often the reporter's own counting of a list.
pub const SMALL: f64 = 12.0;

/// The rule.
pub static RULE: Rule = Rule {
    name: "number.not_found",
    kind: SpanKind::Number,
    standing: Standing::NotFound,
    concern_type: ConcernType::InferredFact,
    gravity: Gravity::Concern,
    why: "No source gives this figure, and it follows from no figure there.",
    source: "Sums, differences, shares, halves and roundings of the sources' figures are redone first.",
    measured: Some(Measured { right: 5, of: 5, on: SUMMARIES }),
};

/// A figure that no source has: rounded, redone, contradicted by the passage on the same thing, or simply not there.
pub fn absent(desk: &ProofTexts<'_>, field: usize, figure: &Figure, taken_back: &[Withdrawal]) -> Option<Fault> {
    let archive = &desk.archive;
    let reading = &desk.fields.get(field)?.reading;
    if derivation_of(desk, reading, figure).is_some() || told_in_a_word(archive, figure) {
        return None;
    }
    let small = figure.kind == FigureKind::Fraction
        || figure.kind == FigureKind::Count
            && figure.value <= SMALL
            && figure.value.fract() == 0.0
            && (figure.spelled || figure.partner.is_none());
    let candidate = candidate(archive, &Bond::of(archive, reading, figure), taken_back);
    if let Some(Rival { place, figure: rival, strength, contested }) = candidate {
        let plainly = same_count(reading, figure, archive, place, rival);
        let shared =
            archive.reading(place).map_or(0, |source| common(&around(reading, figure), &around(source, rival)));
        let least = if matches!(figure.kind, FigureKind::Year | FigureKind::Date) { 2 } else { 1 };
        // "95 nurses" is not contradicted by a post that was advertised three times.
        let nouns = counted(reading, figure).zip(archive.reading(place).and_then(|source| counted(source, rival)));
        let of_another = figure.kind == FigureKind::Count && !plainly && nouns.is_some();
        if !small && !of_another && strength > 6.0 && shared >= least || plainly && strength > 9.0 {
            return Some(contradicted(desk, field, figure, (place, rival), contested));
        }
    }
    if small {
        return None;
    }
    Some(Fault::new(&RULE, field, figure.start..figure.end).note(match figure.kind {
        FigureKind::Year | FigureKind::Date => "No source gives this date.".to_owned(),
        FigureKind::Time => "No source gives this time.".to_owned(),
        _ => RULE.why.to_owned(),
    }))
}

/// Words around the larger number of a tally among which its one is looked for.
const AROUND: usize = 6;

/// Whether a figure is the one of a tally whose larger number a source has with `one` beside it: `4–1` and `four votes to one`.
/// By itself the word is no figure.
fn told_in_a_word(archive: &SourceArchive<'_>, figure: &Figure) -> bool {
    let Some(larger) = figure.partner.filter(|larger| *larger > figure.value && near(figure.value, 1.0)) else {
        return false;
    };
    let larger = Figure { value: larger, partner: None, ..figure.clone() };
    archive.equal(&larger).into_iter().any(|(place, theirs)| {
        let around = theirs.tokens.start.saturating_sub(AROUND)..theirs.tokens.end + AROUND;
        let tokens = archive.reading(place).map_or(&[][..], |reading| &reading.tokens);
        let around = tokens.get(around.start..around.end.min(tokens.len())).unwrap_or_default();
        around.iter().any(|token| token.line == place.line && token.word == "one")
    })
}

#[cfg(test)]
mod tests {
    use crate::proof::trial::check_texts;

    fn rules(draft: &str) -> Vec<(String, String)> {
        let source = "Of 4,870 households 1,870 got a survey in May.";
        check_texts(draft, source).into_iter().map(|f| (f.rule, f.text)).collect()
    }

    #[test]
    fn a_figure_from_nowhere_is_found_and_one_that_follows_is_not() {
        let nowhere = rules("The survey cost $91,400.");
        assert_eq!(nowhere, [("number.not_found".to_owned(), "$91,400".to_owned())]);
        assert_eq!(rules("In May 3,000 households got no survey."), []);
        // Another figure of something else is not what the draft should have said.
        let nurses = rules("A survey says that 95 nurses work there in May.");
        assert_eq!(nurses, [("number.not_found".to_owned(), "95".to_owned())]);
    }
    #[test]
    fn the_one_of_a_tally_may_be_a_word() {
        let texts = |draft: &str, source: &str| {
            check_texts(draft, source)
                .into_iter()
                .filter(|found| found.rule == super::RULE.name)
                .map(|found| found.text)
                .collect::<Vec<_>>()
        };
        let source = "The plan passed by four votes to one on Tuesday. Nine were there.";
        assert_eq!(texts("The plan passed, 4-1.", source), [""; 0]);
        assert_eq!(texts("One stayed away: the plan failed, 1–4.", source), [""; 0]);
        assert_eq!(texts("The plan passed, 4-2.", source), ["2"]);
        assert_eq!(texts("The plan passed, 9-1.", source), ["1"]);
        assert_eq!(texts("The plan passed, 4-1.", "The plan passed by four votes on Tuesday."), ["1"]);
    }
}
