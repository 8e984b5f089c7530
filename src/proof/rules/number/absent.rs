//! A figure that no source has: it may be a rounding or a sum, contradict the passage on the same thing, or simply be
//! missing.
//!
//! Why: every figure comes from somewhere. If the sources neither give it nor lead to it, it was made up or comes
//! from elsewhere, and then the draft must say from where.

use crate::proof::{
    reading::near,
    rules::{
        number::{
            contradicted::contradicted,
            rivals::{Rival, candidate, same_count},
        },
        prelude::*,
    },
    sources::{
        Bond, Withdrawal, around, common, counted,
        derived::derivation_of,
        of_line,
        restated::{of_a_share, restated},
        siblings,
    },
};

/// Spelled-out counts up to this one are often the reporter's own count.
pub const SMALL: f64 = 12.0;

pub static RULE: Rule = Rule {
    name: "number.not_found",
    kind: SpanKind::Number,
    standing: Standing::NotFound,
    concern_type: ConcernType::InferredFact,
    gravity: Gravity::Concern,
    why: "No source gives this figure, and it follows from no figure there.",
    source: "The rule first tries sums, differences, shares, halves and roundings of the sources' figures.",
    measured: Some(Measured { right: 12, of: 12, on: SUMMARIES }),
};

/// A count that no source has. It is often the reporter's own count of what a source lists.
pub static COUNT: Rule = Rule {
    name: "number.uncounted",
    gravity: Gravity::Note,
    measured: Some(Measured { right: 39, of: 64, on: SUMMARIES }),
    ..RULE
};

/// A figure that no source has: it may be a rounding or a sum, contradict the passage on the same thing, or simply be
/// missing.
pub fn absent(
    texts: &ProofTexts<'_>,
    field: &DraftField<'_>,
    figure: &Figure,
    taken_back: &[Withdrawal],
) -> Option<Fault> {
    let archive = &texts.archive;
    let reading = &field.reading;
    if derivation_of(texts, reading, figure).is_some()
        || told_in_a_word(archive, figure)
        || adds_up(archive, reading, figure)
        || restated(archive, reading, figure)
        || of_a_share(reading, figure)
    {
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
        // A post that was advertised three times does not contradict "95 nurses".
        let nouns = counted(reading, figure).zip(archive.reading(place).and_then(|source| counted(source, rival)));
        let of_another = figure.kind == FigureKind::Count && !plainly && nouns.is_some();
        if !small && !of_another && strength > 6.0 && shared >= least || plainly && strength > 9.0 {
            return Some(contradicted(texts, field, figure, (place, rival), contested));
        }
    }
    if small {
        return None;
    }
    let rule = if figure.kind == FigureKind::Count && figure.partner.is_none() { &COUNT } else { &RULE };
    Some(Fault::new(rule, field, figure.start..figure.end).note(match figure.kind {
        FigureKind::Year | FigureKind::Date => "No source gives this date.".to_owned(),
        FigureKind::Time => "No source gives this time.".to_owned(),
        _ => RULE.why.to_owned(),
    }))
}

/// Words of a sentence that adds figures up, wherever the sources have them.
static TOGETHER: WordList = words("together combined altogether");
static TOTAL: WordList = words("total totals together combined altogether");

/// Words before a share that is not meant to the digit.
static ABOUT: WordList = words("about around roughly nearly almost approximately some");

/// At most so many values are added up in pairs.
const VALUES: usize = 120;

/// At most so many figures of a sentence are taken for a part.
const PARTS: usize = 8;

/// A share that is told roughly is off by at most so many points.
const ROUGHLY: f64 = 0.6;

/// Whether a figure follows from figures of the sources that stand far apart. A round one that the draft calls two together is their
/// sum, as it rounds. A total is the sum of a figure beside it and one of a source. A rough share is that of a figure beside it in the
/// largest of a source.
fn adds_up(archive: &SourceArchive<'_>, reading: &ParsedText<'_>, figure: &Figure) -> bool {
    let at = reading.line_of(&figure.tokens);
    let has = |list: &WordList| reading.line_tokens(at).iter().any(|token| list.contains(&token.word));
    let (together, total) = (figure.slack > 0.0 && has(&TOGETHER), has(&TOTAL));
    let before = figure.tokens.start.checked_sub(1).and_then(|at| reading.tokens.get(at));
    let share = figure.kind == FigureKind::Percent && before.is_some_and(|token| ABOUT.contains(&token.word));
    if !together && !total && !share {
        return false;
    }
    let beside = || siblings(reading, at).iter().filter(|other| other.start != figure.start && other.value > 0.0);
    // "Together the two" are of the sentence before.
    let lines = at.saturating_sub(1)..=at;
    let spoken: Vec<&str> = lines.flat_map(|line| of_line(reading, line)).collect();
    archive.readings.iter().any(|source| {
        let part = |other: &&Figure| figure.comparable(other) && other.value > 0.0 && other.value < figure.value;
        let off = figure.slack.max(figure.value * 1e-9);
        let fits = |sum: f64| (sum - figure.value).abs() <= off;
        let parts: Vec<&Figure> = source.figures.iter().filter(part).take(VALUES).collect();
        let with = |own: &Figure| parts.iter().any(|other| fits(own.value + other.value));
        // Two that the draft does not speak of make no sum of its.
        let bears = |other: &&Figure| common(&spoken, &of_line(source, source.line_of(&other.tokens))) > 0;
        let two = || {
            let parts: Vec<&Figure> = parts.iter().copied().filter(bears).collect();
            let second =
                |(at, one): (usize, &&Figure)| parts.iter().skip(at + 1).any(|two| fits(one.value + two.value));
            parts.iter().enumerate().any(second)
        };
        let largest = |part: &Figure| {
            let whole = source.figures.iter().filter(|other| part.comparable(other)).map(|other| other.value);
            whole.fold(0.0_f64, f64::max)
        };
        let shares = |own: &Figure| {
            let whole = largest(own);
            own.value < whole && (own.value / whole * 100.0 - figure.value).abs() <= ROUGHLY
        };
        let amount = |own: &&Figure| matches!(own.kind, FigureKind::Count | FigureKind::Money(_));
        together && two()
            || total && beside().filter(part).any(with)
            || share && beside().filter(amount).take(PARTS).any(shares)
    })
}

/// The `one` of a tally is looked for up to so many words from its larger number.
const AROUND: usize = 6;

/// Whether a figure is the one of a tally whose larger number a source has with `one` beside it: `4–1` and `four
/// votes to one`. The word alone counts as no figure.
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
    use crate::proof::trial::{check_texts, notes};

    const SOURCE: &str = "Of 4,870 households 1,870 got a survey in May.";

    fn rules(draft: &str) -> Vec<(String, String)> {
        check_texts(draft, SOURCE).into_iter().map(|f| (f.rule, f.text)).collect()
    }

    #[test]
    fn a_figure_from_nowhere_is_found_and_one_that_follows_is_not() {
        let nowhere = rules("The survey cost $91,400.");
        assert_eq!(nowhere, [("number.not_found".to_owned(), "$91,400".to_owned())]);
        assert_eq!(rules("In May 3,000 households got no survey."), []);
        // Another figure of something else is not what the draft should have said.
        let nurses = "A survey says that 95 nurses work there in May.";
        assert_eq!(rules(nurses), []);
        let noted: Vec<String> = notes(nurses, SOURCE).into_iter().map(|row| row.rule).collect();
        assert!(noted.contains(&"number.uncounted".to_owned()), "{noted:?}");
    }
    #[test]
    fn a_total_of_figures_far_apart_is_one() {
        let source = "The mast cost $1.24 million.\n\nNobody paid.\n\nIn another year the keel cost $852,000.";
        assert_eq!(check_texts("Together the two cost nearly $2.1 million.", source), []);
        assert_eq!(check_texts("Together the two cost nearly $2.6 million.", source).len(), 1);
        let others = format!("{source} The pier in Oslo drew $1.3 million. Bergen gave $1.33 million.");
        assert_eq!(check_texts("Together the two cost nearly $2.6 million.", &others).len(), 1);
        let source = "The club cut the fee by 75 points in May.\n\nNobody paid.\n\nThe mast cost $5 million. The crew got $259,440.";
        assert_eq!(check_texts("The crew got $259,440, roughly five percent of the money.", source), []);
        assert_eq!(check_texts("The crew got $259,440, roughly nine percent of the money.", source).len(), 1);
        let source = "The harbour raised $4,000 in May.\n\nNobody paid.\n\nThe crew gave $1,500.";
        assert_eq!(check_texts("The crew gave $1,500, which brought the total to $5,500.", source), []);
        assert_eq!(check_texts("The crew gave $1,500, which brought the total to $6,500.", source).len(), 1);
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
