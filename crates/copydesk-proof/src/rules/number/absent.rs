//! A figure that no source has: it may be a rounding or a sum, contradict the passage on the same thing, or simply be
//! missing.
//!
//! Why: every figure comes from somewhere. If the sources neither give it nor lead to it, it was made up or comes
//! from elsewhere, and then the draft must say from where.

use crate::{
    binding::day_of,
    reading::{Bound, near},
    rules::{
        number::{
            contradicted::{contradicted, slipped},
            figure::DraftFigure,
            rivals::{Rival, accompanied, candidate, same_count},
        },
        prelude::*,
    },
    sources::{Bond, around, common, counted, derived::derivation_of, of_line, restated::restated},
};

/// Spelled-out counts up to this one are often the reporter's own count.
pub const SMALL: f64 = 12.0;

pub static RULE: Rule = Rule {
    name: "number.not_found",
    standing: Standing::NotFound,
    why: "No source gives this figure, and it follows from no figure there.",
    source: "The rule first tries sums, differences, shares, halves and roundings of the sources' figures.",
    measured: Some(Measured { right: 6, of: 6, on: SUMMARIES }),
    ..Rule::FIGURE
};

/// An amount that no source has, without a passage that is clearly about the same thing. It is often the reporter's own: counted, or worked out.
pub static UNSURE: Rule = Rule {
    name: "number.uncounted",
    gravity: Gravity::Note,
    measured: Some(Measured { right: 29, of: 42, on: SUMMARIES }),
    ..RULE
};

/// A count that is meant for another one is off by at most so much.
const LIKE: std::ops::RangeInclusive<f64> = 0.25..=4.0;

/// The best passage of a sentence is about the same thing if it has this part of the sentence, by the weight of the words.
pub const MOSTLY: f64 = 0.7;

/// A small count is the passage's if that has nearly all of the sentence.
const NEARLY: f64 = 0.8;

/// A figure is about the same thing if the words that it shares with the draft's figure weigh so much. A rare word weighs about 5.
const SURELY: f64 = 19.0;

/// A slip of the pen in fewer than three digits is as likely another figure.
const SLIP: f64 = 100.0;

/// So many digits make an amount of money exact.
const EXACT: usize = 2;

/// Whether a figure is an amount of money with two digits or more, without "about": nobody works that out from figures that are not there.
fn precise(reading: &ParsedText<'_>, figure: &Figure) -> bool {
    let digits = format!("{:.2}", figure.value).replace('.', "");
    let digits = digits.trim_end_matches('0').bytes().filter(u8::is_ascii_digit).count();
    matches!(figure.kind, FigureKind::Money(_)) && digits >= EXACT && Bound::of(reading, figure) == Bound::Exact
}

/// The source's figure with two neighbouring digits of this one exchanged: 1,197 for 1,179. In a figure of three digits that can be chance,
/// unless both count the same.
fn transposed<'c>(draft: &DraftFigure<'c>) -> Option<(SourceLine, &'c Figure)> {
    let (archive, figure) = (draft.archive, draft.figure);
    if !matches!(figure.kind, FigureKind::Count | FigureKind::Money(_) | FigureKind::Measure(_)) || figure.spelled {
        return None;
    }
    let written = figure.value.to_string();
    let significant = written.replace('.', "").trim_matches('0').len();
    if significant < SURE_DIGITS - 1 {
        return None;
    }
    let alike = |(place, theirs): &(SourceLine, &Figure)| {
        let noun = || archive.reading(*place).and_then(|source| counted(source, theirs));
        theirs.kind == figure.kind
            && (significant >= SURE_DIGITS
                || draft.noun().zip(noun()).is_some_and(|(own, theirs)| own.stem == theirs.stem))
    };
    (1..written.len()).find_map(|at| {
        let mut digits = written.clone().into_bytes();
        digits.swap(at - 1, at);
        let value: f64 = String::from_utf8(digits).ok()?.parse().ok()?;
        let whole = value >= 1.0 && value.to_string().len() == written.len() && !near(value, figure.value);
        let asked = Figure { value, ..figure.clone() };
        let same = |(_, theirs): &(SourceLine, &Figure)| near(theirs.value, value);
        archive.equal(&asked).into_iter().find(|place| whole && same(place) && alike(place))
    })
}

/// So many digits of another figure stand by chance in another order too seldom to ask what they count.
const SURE_DIGITS: usize = 4;

/// A figure that no source has: it may be a rounding or a sum, contradict the passage on the same thing, or simply be missing.
///
/// An amount is reported as a concern only if a passage is clearly about the same thing, or if it can be a slip of the pen for the passage's.
/// Reporters work amounts out, and a loose passage cannot tell such a figure from a wrong one. In another language than English nothing is
/// read of `more than` and `the rest`. Days and times are seldom worked out: for them a passage with another one is enough.
pub fn absent(draft: &DraftFigure<'_>) -> Option<Fault> {
    let texts = draft.ledger.texts;
    let (archive, reading, figure) = (draft.archive, draft.reading, draft.figure);
    let told_by_year = || archive.readings.iter().any(|source| by_the_year(reading, figure, source));
    if derivation_of(texts, reading, figure).is_some() || restated(archive, reading, figure) || told_by_year() {
        return None;
    }
    if let Some((place, theirs)) = in_another_currency(draft).or_else(|| transposed(draft)) {
        return Some(contradicted(draft, place, theirs, false));
    }
    let small = figure.kind == FigureKind::Fraction
        || figure.kind == FigureKind::Count
            && figure.value <= SMALL
            && figure.value.fract() == 0.0
            && (figure.spelled || figure.partner.is_none());
    // A source seldom has points: they are the difference of its shares.
    let points = figure.kind == FigureKind::Points;
    let dated = matches!(figure.kind, FigureKind::Year | FigureKind::Date | FigureKind::Time);
    let carried = draft.carried();
    let told = carried >= MOSTLY;
    let mut sure = told || precise(reading, figure) && !texts.foreign;
    let candidate = candidate(draft, &Bond::of(archive, reading, figure));
    if let Some(Rival { place, figure: rival, strength, contested }) = candidate {
        let source = archive.reading(place)?;
        let plainly = same_count(draft, place, rival);
        let shared = common(&around(reading, figure), &around(source, rival));
        let least = if matches!(figure.kind, FigureKind::Year | FigureKind::Date) { 2 } else { 1 };
        // A post that was advertised three times does not contradict "95 nurses".
        let nouns = draft.noun().zip(counted(source, rival));
        let another = |(own, theirs): (&Token, &Token)| own.stem != theirs.stem || figure.partner.is_some();
        let one_is_a_tally = figure.partner.is_some() != rival.partner.is_some();
        // 31 votes are not meant for 987, unless a scale is wrong.
        let ratio = (figure.value / rival.value).abs();
        let scale = ratio > 0.0 && near(ratio.log10(), ratio.log10().round());
        let unlike = figure.kind == FigureKind::Count && !plainly && !scale && !LIKE.contains(&ratio);
        let of_another = figure.kind == FigureKind::Count && !plainly && (nouns.is_some_and(another) || one_is_a_tally);
        // In notes of a few lines each word weighs little.
        let strong = strength > 6.0 || told && plainly;
        let alone = plainly && (strength > 9.0 || carried >= NEARLY && !of_another);
        if !small && !of_another && !unlike && strong && shared >= least || alone {
            let close = strength >= SURELY || figure.value >= SLIP && slipped(figure, rival);
            let found = contradicted(draft, place, rival, contested);
            let apart = adds(source, rival) && !adds(reading, figure);
            return Some(if !apart && (sure || dated || close && !texts.foreign && !points) {
                found
            } else {
                Fault { rule: &UNSURE, ..found }
            });
        }
        // "6'8" tall and 240 pounds": of two measures one is right.
        let measured = matches!(figure.kind, FigureKind::Measure(_)) && accompanied(draft, place, 0);
        sure |= dated && shared > 0 || measured;
    }
    // A month alone is often the reporter's own: the source says "next month".
    if small || figure.bare_month() {
        return None;
    }
    // Counts and shares are often the reporter's own.
    let own =
        figure.kind == FigureKind::Count && figure.partner.is_none() || figure.kind == FigureKind::Percent || points;
    let rule = if sure && !own { &RULE } else { &UNSURE };
    let note = match figure.kind {
        FigureKind::Year | FigureKind::Date => "No source gives this date.",
        FigureKind::Time => "No source gives this time.",
        _ => RULE.why,
    };
    Some(draft.fault(rule, note.to_owned(), None))
}

/// Whether a source that says its day tells of the year by it, in a sentence on the same: `by the end of next year`.
fn by_the_year(reading: &ParsedText<'_>, figure: &Figure, source: &ParsedText<'_>) -> bool {
    let head = day_of(source).and_then(|day| day.year).filter(|_| figure.kind == FigureKind::Year);
    let off = head.map(|head| figure.value - f64::from(head));
    let word = [("last", -1.0), ("this", 0.0), ("next", 1.0)];
    let word = word.into_iter().find(|(_, years)| off.is_some_and(|off| near(*years, off)));
    let Some((word, _)) = word else { return false };
    let own = of_line(reading, reading.line_of(&figure.tokens));
    (0..source.lines.len()).any(|line| {
        let told = |pair: &[Token]| matches!(pair, [one, year] if one.word == word && year.word == "year");
        source.line_tokens(line).windows(2).any(told) && common(&own, &of_line(source, line)) > 0
    })
}

/// Words before an amount that comes on top of another: "a further £1.8 million" is no total.
static ADDED: WordList = words("further additional extra another more");

fn adds(reading: &ParsedText<'_>, figure: &Figure) -> bool {
    reading.words_before(figure.tokens.start, 2).iter().any(|token| ADDED.contains(&token.word))
}

/// The same amount in another currency, of the same thing.
fn in_another_currency<'c>(draft: &DraftFigure<'c>) -> Option<(SourceLine, &'c Figure)> {
    let figure = draft.figure;
    let money = |figure: &Figure| matches!(figure.kind, FigureKind::Money(sign) if sign != '\0');
    if !money(figure) {
        return None;
    }
    let own = of_line(draft.reading, draft.line);
    let all = draft.archive.readings.iter().enumerate().flat_map(|(source, text)| {
        text.figures.iter().map(move |theirs| (SourceLine { source, line: text.line_of(&theirs.tokens) }, text, theirs))
    });
    let same = |theirs: &Figure| money(theirs) && near(theirs.value, figure.value) && !figure.comparable(theirs);
    let mut found = all.filter(|(_, _, theirs)| same(theirs));
    found
        .find(|(place, text, _)| common(&own, &of_line(text, place.line)) > 0)
        .map(|(place, _, theirs)| (place, theirs))
}

#[cfg(test)]
mod tests {
    use super::{Gravity, Standing};
    use crate::{
        check::ledger,
        testing::{check_texts, notes, rules_of, texts},
    };

    const SOURCE: &str = "Of 4,870 households 1,870 got a survey in May.";

    fn rules(draft: &str) -> Vec<(String, String)> {
        check_texts(draft, SOURCE).into_iter().map(|f| (f.rule, f.text)).collect()
    }

    #[test]
    fn a_figure_from_nowhere_is_found_and_one_that_follows_is_not() {
        let nowhere = rules("In May 4,870 households got $91,400.");
        assert_eq!(nowhere, [("number.not_found".to_owned(), "$91,400".to_owned())]);
        assert_eq!(rules("In May 3,000 households got no survey."), []);
        // Another figure of something else is not what the draft should have said.
        let nurses = "A survey says that 95 nurses work there in May.";
        assert_eq!(rules(nurses), []);
        let noted: Vec<String> = notes(nurses, SOURCE).into_iter().map(|row| row.rule).collect();
        assert!(noted.contains(&"number.uncounted".to_owned()), "{noted:?}");
        // Without the notes, somebody should still read it.
        let (article, sources) = texts(nurses, SOURCE);
        let rows = ledger(&article, &sources, Gravity::Concern).rows;
        let row = rows.iter().find(|row| row.text == "95").unwrap();
        assert_eq!((row.standing, row.concern_type), (Standing::Unchecked, None));
    }

    #[test]
    fn two_digits_exchanged_are_an_error_wherever_the_figure_stands() {
        let source =
            "During the year 1,197 persons were charged. The average is 83,600 cases a day. A hall has 8,900 seats.";
        for (draft, wrong) in [
            ("By the next spring the figure was 1,179, the minister said.", true),
            ("They counted 86,300 cases.", true),
            ("They counted 86,300 nurses.", false),
            ("They counted 9,800 of them.", false),
        ] {
            let found = rules_of(draft, source).contains(&"number.contradicted".to_owned());
            assert_eq!(found, wrong, "{draft}");
        }
    }

    #[test]
    fn a_year_is_told_by_the_day_of_the_source() {
        let source = "Wednesday, 22 October 2025\n\nThe average wait should reach ten weeks by the end of next year.";
        for (draft, wrong) in [
            ("The average wait should reach ten weeks by the end of 2026.", false),
            ("The average wait should reach ten weeks by the end of 2027.", true),
        ] {
            assert_eq!(!check_texts(draft, source).is_empty(), wrong, "{draft}");
        }
    }

    #[test]
    fn in_notes_of_a_few_lines_the_same_thing_has_the_same_number() {
        for (draft, source, wrong) in [
            ("Seven people were hurt in the crash.", "Nine people were hurt in the crash.", "Seven"),
            ("The county has 12,402 farms.", "The county has 1,240 farms.", "12,402"),
            ("They found lead in nine of the twelve wells.", "They found lead in five of the twelve wells.", "nine"),
            ("The painting fetched €3 million.", "The painting: sold for CHF 3 million", "€3 million"),
        ] {
            let found: Vec<String> = check_texts(draft, source).into_iter().map(|found| found.text).collect();
            assert_eq!(found, [wrong], "{draft}");
            assert_eq!(check_texts(source, source), [], "{source}");
        }
    }
}
