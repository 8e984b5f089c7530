//! A value outside of what the draft says: `more than 5,000` for 4,987, 12 degrees for −12, `thousands` for 430.
//!
//! Why: the digits are near or the same, so that a search for them finds nothing wrong.

use crate::{
    reading::{Bound, Sign, bounds::lower_end, currencies::named, figure::alike},
    rules::{
        number::{figure::DraftFigure, rivals::is_named},
        prelude::*,
    },
    sources::{
        around, common, counted, is_label, of_line, of_the_day, siblings,
        sums::{last_place, rounded},
        tables,
        units::unit,
    },
};
use copydesk_text::words::{NumberWord, number_word};

pub static RULE: Rule = Rule {
    name: "number.bound",
    why: "The source's value is outside of what this says.",
    source: "The bound, the sign or the vague size of a figure is compared with the value that the passage has for the same.",
    measured: Some(Measured { right: 29, of: 29, on: SUMMARIES }),
    ..Rule::FIGURE
};

/// A bound is about a value that is off by at most so much.
const NEAR: std::ops::RangeInclusive<f64> = 0.6..=1.5;

/// Below this, a bound may be off by more than its last digit.
const FEW: f64 = 100.0;

/// How a bound of the draft stands to the values in the passages.
pub enum BoundCheck {
    /// There is no bound, or no value for the same.
    Open,
    /// A value keeps it.
    Kept,
    /// No value keeps it.
    Broken(Fault),
}

/// Compares a bound with the values that the passages have for the same.
pub fn checked(draft: &DraftFigure<'_>) -> BoundCheck {
    let (archive, reading, figure) = (draft.archive, draft.reading, draft.figure);
    let bound = Bound::of(reading, figure);
    if matches!(bound, Bound::Exact | Bound::About) || figure.value <= 0.0 || figure.partner.is_some() {
        return BoundCheck::Open;
    }
    let own = around(reading, figure);
    let noun = draft.noun();
    let mut nearest: Option<(SourceLine, &Figure, f64)> = None;
    for place in draft.places() {
        let Some(source) = archive.reading(place) else { continue };
        for theirs in siblings(source, place.line) {
            let counts = match (figure.kind, noun, counted(source, theirs)) {
                (FigureKind::Count, Some(own), Some(other)) => own.stem == other.stem || own.word == "people",
                (FigureKind::Money(_) | FigureKind::Percent | FigureKind::Points | FigureKind::Measure(_), ..) => true,
                _ => false,
            };
            // "90 boats in May and 110 in June"
            let day = of_the_day(reading, figure, source, place.line);
            let counts = counts || day.is_some_and(|of| of.start == theirs.start);
            // "Under two hours" for 2 hours 25 minutes
            let scale = unit(reading, figure).zip(unit(source, theirs)).filter(|(own, other)| own.0 == other.0);
            let converted = scale.map(|(own, other)| theirs.value * other.1 / own.1);
            if !(counts && figure.comparable(theirs) || converted.is_some())
                || is_label(source, theirs)
                || day.is_some_and(|of| of.start != theirs.start)
                || common(&own, &around(source, theirs)) == 0
            {
                continue;
            }
            let value = converted.unwrap_or(theirs.value);
            let told = Bound::of(source, theirs);
            let same = figure.same(theirs);
            // A round number may stand for what is a little more.
            let close = same || NEAR.contains(&(value / figure.value));
            if same && !bound.opposes(told) || !same && bound.holds(figure.value, value) {
                // "More than 2,300" hardly tells of 2,800, but "at least a dozen" tells of 14.
                let fair = close && !same && (figure.value < FEW || (value - figure.value).abs() <= last_place(figure));
                return if fair { BoundCheck::Kept } else { BoundCheck::Open };
            }
            let off = (value - figure.value).abs();
            if close && nearest.is_none_or(|(.., known)| off < known) {
                nearest = Some((place, theirs, off));
            }
        }
    }
    let Some((place, theirs, _)) = nearest else { return BoundCheck::Open };
    // "Just under £10,000" for £9,950, though £11,480 stands beside it.
    if !figure.same(theirs) && rounded(archive, reading, figure).is_some() {
        return BoundCheck::Open;
    }
    let agrees = |(at, theirs): &(SourceLine, &Figure)| {
        *at != place && archive.reading(*at).is_some_and(|source| !bound.opposes(Bound::of(source, theirs)))
    };
    if draft.matches.iter().any(agrees) {
        return BoundCheck::Open;
    }
    BoundCheck::Broken(fault(draft, place, theirs))
}

/// A value that the sources have only on the other side of zero.
pub fn across_zero(draft: &DraftFigure<'_>) -> Option<Fault> {
    let (archive, figure) = (draft.archive, draft.figure);
    let sign = match figure.written.sign {
        Sign::Plain => Sign::Minus,
        Sign::Minus => Sign::Plain,
        Sign::Down => return None,
    };
    let mut other = figure.clone();
    other.written.sign = sign;
    // Also by the name of a place.
    let own: Vec<&str> = draft.tokens().iter().filter(|token| !token.stop).map(|token| token.stem.as_str()).collect();
    let found = archive.equal(&other).into_iter().find(|(place, theirs)| {
        // In a table the name of a row stands far from its last cell.
        let told = |source: &ParsedText<'_>| {
            let record = tables::may_be_record(source, place.line);
            let theirs = if record { of_line(source, place.line) } else { around(source, theirs) };
            common(&own, &theirs) > 0
        };
        theirs.written.sign == sign
            && (theirs.kind == figure.kind || theirs.kind == FigureKind::Count)
            && archive.reading(*place).is_some_and(told)
    });
    found.map(|(place, theirs)| fault(draft, place, theirs))
}

/// Words for a loss, and words for the same amount on the other side of zero.
static LOSSES: WordList = words("loss losses deficit deficits shortfall");
static PROFITS: WordList = words("profit profits surplus surpluses gain");
static GAINS: WordList = words("profit profits result results surplus earnings balance gain income");

/// `A loss of 45` where the sources have 45 only as a result or a profit, and a profit where they have it only as a loss.
pub fn turned(draft: &DraftFigure<'_>) -> Option<Fault> {
    let (archive, figure) = (draft.archive, draft.figure);
    let before = draft.reading.between(0, figure.start);
    let [word, of] = before.get(before.len().checked_sub(2)?..)? else { return None };
    let loses = LOSSES.contains(&word.word);
    // "The loss of 310 jobs"
    let things = figure.kind == FigureKind::Count && draft.noun().is_some();
    if things || of.word != "of" || !loses && !PROFITS.contains(&word.word) {
        return None;
    }
    let rounded = |theirs: &&Figure| figure.comparable(theirs) && (theirs.value - figure.value).abs() <= figure.slack;
    let mut same = archive.equal(figure);
    if same.is_empty() {
        let all = archive.readings.iter().enumerate();
        same.extend(all.flat_map(|(source, text)| {
            let near = text.figures.iter().filter(rounded);
            near.map(move |theirs| (SourceLine { source, line: text.line_of(&theirs.tokens) }, theirs))
        }));
    }
    let other = |(place, theirs): &(SourceLine, &Figure)| {
        let has = |list: &WordList| archive.tokens(*place).iter().any(|token| list.contains(&token.word));
        let plain = theirs.written.sign == Sign::Plain;
        if loses { plain && has(&GAINS) } else { !plain && has(&LOSSES) && !has(&PROFITS) }
    };
    let (place, theirs) = *same.first().filter(|_| same.iter().all(other))?;
    Some(fault(draft, place, theirs))
}

/// Words before a value that say on which side of it the other values are.
static BEFORE: WordList = words(
    "at least most up to no not more less fewer over under above below than as many much nearly almost about minus negative",
);

fn fault(draft: &DraftFigure<'_>, place: SourceLine, theirs: &Figure) -> Fault {
    let (source, figure) = (draft.archive.reading(place), draft.figure);
    // The same value differs by the words before it.
    let before = source.map_or(&[][..], |source| source.between(0, theirs.start));
    let words = before.iter().rev().take_while(|token| theirs.same(figure) && BEFORE.contains(&token.word));
    let start = words.last().map_or(theirs.start, |token| token.start);
    // Of "150 to 200" all is shown.
    let lower = source.and_then(|source| lower_end(source, theirs)).filter(|_| theirs.same(figure));
    let start = lower.map_or(start, |lower| lower.start);
    let shown = source.map_or("", |source| source.slice(start..theirs.end));
    let note = format!("The source has {} here.", one_line(shown).trim_end_matches('.'));
    draft.fault(&RULE, note, Some(place))
}

/// Words of a vague size, with the least and the most that they fairly tell of.
const VAGUE: &[(&str, f64, f64)] = &[
    ("couple", 2.0, 3.0),
    ("handful", 2.0, 12.0),
    ("dozens", 18.0, 400.0),
    ("scores", 30.0, 600.0),
    ("hundreds", 150.0, 5_000.0),
    ("thousands", 1_500.0, 100_000.0),
    ("millions", 1_500_000.0, 5e8),
    ("billions", 1.5e9, 5e11),
];

/// The words of a vague size that no number of the passages for the same thing fits.
pub fn faults(sentence: &DraftSentence<'_>) -> Vec<Fault> {
    sentence.range.clone().filter_map(|at| vague(sentence, at)).collect()
}

fn vague(sentence: &DraftSentence<'_>, at: usize) -> Option<Fault> {
    let &DraftSentence { archive, reading, line, .. } = sentence;
    let token = reading.tokens.get(at).filter(|token| !token.quoted())?;
    let word = |at: usize| sentence.word(at);
    let (before, before_that) = (at.checked_sub(1).map_or("", word), at.checked_sub(2).map_or("", word));
    let several = match number_word(&token.word) {
        #[expect(clippy::cast_precision_loss, reason = "scales are powers of ten far below 2^53")]
        Some(NumberWord::Scale(scale)) if matches!(before, "several" | "few") => Some(scale as f64),
        _ => None,
    };
    let (mut least, mut most) = match several {
        Some(scale) => (1.5 * scale, 15.0 * scale),
        None => VAGUE.iter().find(|(word, ..)| *word == token.word).map(|(_, least, most)| (*least, *most))?,
    };
    let mut first = at;
    if before == "of"
        && let Some(factor) = match before_that {
            "tens" | "dozens" => Some(10.0),
            "hundreds" => Some(100.0),
            "thousands" => Some(1_000.0),
            _ => None,
        }
    {
        (least, most, first) = (least * factor, most * factor, at - 2);
    }
    // "Hundreds of thousands" is read from its last word.
    let next = word(at + 1);
    let article = matches!(token.word.as_str(), "couple" | "handful");
    if next == "of" && VAGUE.iter().any(|(vague, ..)| *vague == word(at + 2)) || article && before != "a" {
        return None;
    }
    let mut behind =
        (at + 1..at + 4).filter(|at| !matches!(word(*at), "of" | "the" | "more" | "other" | "its" | "their"));
    let noun = behind.next().and_then(|at| reading.tokens.get(at)).filter(|noun| noun.line == line);
    let money = noun.and_then(|noun| named(&noun.word));
    let mut own = of_line(reading, line);
    own.retain(|stem| noun.is_none_or(|noun| noun.stem != *stem) && token.stem != *stem);
    let mut found = None;
    for place in sentence.places() {
        let source = archive.reading(place)?;
        if archive.tokens(place).iter().any(|theirs| theirs.word == token.word) {
            return None;
        }
        for theirs in siblings(source, place.line) {
            let counts = match theirs.kind {
                FigureKind::Count if money.is_none() => noun.is_some_and(|noun| {
                    !noun.stop
                        && (counted(source, theirs).is_some_and(|other| other.stem == noun.stem)
                            || is_named(source, place.line, theirs, noun))
                }),
                // "Billions in taxes": no thing is counted.
                FigureKind::Money(sign) if least >= 1e6 => {
                    money.map_or(noun.is_none_or(|noun| noun.stop), |own| alike(own, sign))
                }
                _ => false,
            };
            if !counts || common(&own, &of_line(source, place.line)) == 0 {
                continue;
            }
            if (least..=most).contains(&theirs.value) {
                return None;
            }
            found = found.or(Some((place, theirs)));
        }
    }
    let (place, theirs) = found?;
    let shown = one_line(archive.reading(place)?.slice(theirs.start..theirs.end));
    let span = reading.tokens.get(first)?.start..token.end;
    Some(sentence.found(&RULE, span, format!("The source has {shown} here."), Some(place)))
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_texts, rules_of};

    #[test]
    fn the_note_has_the_words_before_the_value() {
        let found = check_texts("No more than 300 riders were hurt.", "The depot said at least 300 riders were hurt.");
        assert!(found.iter().any(|found| found.note == "The source has at least 300 here."), "{found:?}");
        let twice = rules_of("At most 300 riders were hurt, it said.", "At least 300 riders were hurt, it said.");
        assert!(!twice.contains(&"meaning.antonym".to_owned()), "{twice:?}");
    }

    fn bound(draft: &str, source: &str) -> bool {
        rules_of(draft, source).contains(&"number.bound".to_owned())
    }

    #[test]
    fn a_bound_that_the_value_breaks_is_found() {
        let range = "Repairs will cost between £250,000 and £300,000.";
        assert!(bound("Repairs will cost more than £300,000.", range));
        assert!(!bound("Repairs will cost at least £250,000.", range));
        let long = "The concert lasted 2 hours 25 minutes. Fog: 14 flights were cancelled.";
        assert!(bound("The concert lasted under two hours.", long));
        assert!(!bound("The concert lasted more than two hours.", long));
        assert_eq!(rules_of("At least a dozen flights were cancelled because of fog.", long), [""; 0]);
        for range in ["The union hopes to sign up 150 to 200 boats.", "The union hopes to sign up 150–200 boats."] {
            assert!(bound("The union hopes to sign up more than 200 boats.", range), "{range}");
            assert!(!bound("The union hopes to sign up at least 150 boats.", range), "{range}");
            assert!(!bound("The union hopes to sign up as many as 200 boats.", range), "{range}");
        }
        let source = "The depot repaired 1,960 bicycles last year, at a cost of £71,400. At most 300 riders were hurt.";
        for wrong in [
            "The depot repaired more than 2,000 bicycles.",
            "The depot repaired at least 1,970 bicycles.",
            "The depot repaired fewer than 1,900 bicycles.",
            "The depot repaired bicycles at a cost of under £70,000.",
            "At least 300 riders were hurt.",
        ] {
            assert!(bound(wrong, source), "{wrong}");
        }
        for fine in [
            "The depot repaired nearly 2,000 bicycles.",
            "The depot repaired more than 1,900 bicycles.",
            "The depot repaired bicycles at a cost of over £70,000.",
            "No more than 300 riders were hurt.",
            "About 2,000 bicycles were repaired at the depot.",
        ] {
            assert!(!bound(fine, source), "{fine}");
        }
    }

    #[test]
    fn a_value_across_zero_is_found() {
        let source =
            "The lake was −7 degrees at dawn. Sales changed by −3.1 per cent at the depot, a gain of 9 points.";
        assert!(bound("The lake was 7 degrees at dawn.", source));
        assert!(!bound("The lake was minus 7 degrees at dawn.", source));
        assert!(!bound("Sales fell by 3.1 per cent at the depot.", source));
        assert!(bound("Sales at the depot grew by 3.1 per cent.", source));
        let lakes = "Night of the lakes: Ruud −7 °C, Lie −12 °C. At dawn the marsh was at −3 degrees.";
        assert!(
            bound("The marsh fell to 3 degrees at dawn.", lakes)
                && bound("It was 12 degrees on Lie, the office said.", lakes)
        );
        assert!(bound("The depot made a loss of £4 million.", "The depot reported a result of £4 million."));
        assert!(!bound("The depot made a loss of £4 million.", "The depot reported a result of −£4 million."));
        let table = "(in thousand pounds)\nGross profit    16,270   14,787\nNet loss        (2,315)  (4,080)\n";
        assert!(bound("The depot made a net profit of £2.3 million.", table));
        assert!(!bound("The depot made a net loss of £2.3 million.", table));
        let record =
            "- Depot: Lie; Result for the year (GBP): -340,000\n- Depot: Ruud; Result for the year (GBP): 91,000\n";
        assert!(bound("The depot at Lie closed with a surplus of £340,000.", record));
        assert!(!bound("The depot at Lie closed with a deficit of £340,000.", record));
    }

    #[test]
    fn the_figure_of_another_month_keeps_no_bound() {
        let source = "The depot repaired 1,960 bicycles in May and 2,035 in June, 40 more than before.";
        for wrong in [
            "The depot repaired more than 2,000 bicycles in May.",
            "The depot repaired fewer than 2,000 bicycles in June.",
        ] {
            assert!(!rules_of(wrong, source).is_empty(), "{wrong}");
        }
        for fine in [
            "The depot repaired nearly 2,000 bicycles in May.",
            "More than 2,000 bicycles were repaired at the depot in June.",
        ] {
            assert!(!bound(fine, source), "{fine}");
        }
    }

    #[test]
    fn a_vague_size_fits_its_number() {
        let source = "The parade drew 260 riders. The fund helped 14,000 families.";
        assert!(bound(
            "The festival received thousands of entries.",
            "Festival\nEntries received: 84\nEntries chosen: 12"
        ));
        assert!(bound("The parade drew thousands of riders.", source));
        assert!(bound("The fund helped dozens of families.", source));
        assert!(bound("The fund helped hundreds of thousands of families.", source));
        assert!(bound("The parade drew several thousand riders.", source));
        assert!(bound("The fund lost billions of euros.", "The fund lost 61 million euros."));
        assert!(bound("The fund lost billions in the crash.", "The fund lost £61 million in the crash."));
        assert!(!bound("The fund lost millions in the crash.", "The fund lost £61 million in the crash."));
        for fine in [
            "The parade drew hundreds of riders.",
            "The parade drew a few hundred riders.",
            "The fund helped thousands of families.",
            "The parade drew dozens of flags.",
        ] {
            assert!(!bound(fine, source), "{fine}");
        }
    }
}
