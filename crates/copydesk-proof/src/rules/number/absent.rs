//! A figure that no source has: it may be a rounding or a sum, contradict the passage on the same thing, or simply be
//! missing.
//!
//! Why: every figure comes from somewhere. If the sources neither give it nor lead to it, it was made up or comes
//! from elsewhere, and then the draft must say from where.

use crate::{
    binding::day_of,
    reading::{month, near, weekday},
    rules::{
        number::{
            adding::{adds_up, counts_names},
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
        spoken::told,
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
    measured: Some(Measured { right: 36, of: 61, on: SUMMARIES }),
    ..RULE
};

/// A count that is meant for another one is off by at most so much.
const LIKE: std::ops::RangeInclusive<f64> = 0.25..=4.0;

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
        || counts_names(archive, figure)
        || adds_up(archive, reading, figure)
        || restated(archive, reading, figure)
        || told(archive, figure)
        || told_by_its_day(archive, figure)
        || told_about(archive, reading, figure)
        || told_as_height(archive, figure)
        || of_a_share(reading, figure)
        || told_bare(archive, reading, figure)
        || begins_a_range(archive, figure)
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
        let another = |(own, theirs): (&Token, &Token)| own.stem != theirs.stem || figure.partner.is_some();
        let one_is_a_tally = figure.partner.is_some() != rival.partner.is_some();
        // 31 votes are not meant for 987, unless a scale is wrong.
        let ratio = (figure.value / rival.value).abs();
        let scale = ratio > 0.0 && near(ratio.log10(), ratio.log10().round());
        let unlike = figure.kind == FigureKind::Count && !plainly && !scale && !LIKE.contains(&ratio);
        let of_another = figure.kind == FigureKind::Count && !plainly && (nouns.is_some_and(another) || one_is_a_tally);
        if !small && !of_another && !unlike && strength > 6.0 && shared >= least || plainly && strength > 9.0 {
            return Some(contradicted(texts, field, figure, (place, rival), contested));
        }
    }
    // A month alone is often the reporter's own: the source says "next month".
    if small || figure.bare_month() {
        return None;
    }
    let rule = if figure.kind == FigureKind::Count && figure.partner.is_none() { &COUNT } else { &RULE };
    Some(Fault::new(rule, field, figure.start..figure.end).note(match figure.kind {
        FigureKind::Year | FigureKind::Date => "No source gives this date.".to_owned(),
        FigureKind::Time => "No source gives this time.".to_owned(),
        _ => RULE.why.to_owned(),
    }))
}

/// A day that a text tells by its weekday is at most so many days from the day of the text.
const WEEKS: i64 = 14;

/// Whether a source tells a day from its own: `Friday` or `yesterday` under the date of its heading.
fn told_by_its_day(archive: &SourceArchive<'_>, figure: &Figure) -> bool {
    archive.readings.iter().any(|source| {
        let Some(head) = day_of(source) else { return false };
        let Some((day, own)) = figure.day(figure.year.or(head.year)).zip(head.day(head.year)) else { return false };
        let apart = i64::from(day.since(own).map_or(i32::MAX, |span| span.get_days()));
        let named = u8::try_from(day.weekday().to_monday_zero_offset()).ok();
        let told = |token: &Token| match token.word.as_str() {
            "yesterday" => apart == -1,
            "today" | "tonight" => apart == 0,
            "tomorrow" => apart == 1,
            _ => weekday(token).is_some() && weekday(token) == named,
        };
        let so = figure.written.weekday.is_none() || figure.written.weekday == named;
        so && apart.abs() <= WEEKS && source.tokens.iter().any(told)
    })
}

/// Whether a source has a height as rosters give it: `6-2` under `Ht`.
fn told_as_height(archive: &SourceArchive<'_>, figure: &Figure) -> bool {
    let is = |other: &Figure| other.partner.is_some_and(|inches| near(other.value * 12.0 + inches, figure.value));
    let headed =
        |source: &ParsedText<'_>| source.tokens.iter().any(|token| matches!(&*token.word, "ht" | "hgt" | "height"));
    let measure = matches!(figure.kind, FigureKind::Measure(_));
    measure && archive.readings.iter().any(|source| headed(source) && source.figures.iter().any(is))
}

/// Whether a date is the first day of a range in a source: `2-5 May`.
fn begins_a_range(archive: &SourceArchive<'_>, figure: &Figure) -> bool {
    let is = |pair: &[Token]| {
        let [first, last, named] = pair else { return false };
        let day = |token: &Token| token.word.parse::<u32>().ok().filter(|day| (1..=31).contains(day));
        let (Some(begin), Some(end), Some(month)) = (day(first), day(last), month(named)) else { return false };
        begin < end && near(f64::from(month * 100 + begin), figure.value)
    };
    figure.kind == FigureKind::Date && archive.readings.iter().any(|source| source.tokens.windows(3).any(is))
}

/// Whether a passage has the digits of an amount or a share without its unit, which may stand in a heading: `Interim dividend (pence) 2.4`
/// for 2.4p, `NDP 48` in a poll for 48 per cent.
fn told_bare(archive: &SourceArchive<'_>, reading: &ParsedText<'_>, figure: &Figure) -> bool {
    let text = reading.slice(figure.start..figure.end);
    let digits: String = text.chars().filter(|c| c.is_ascii_digit() || *c == '.').collect();
    let (Ok(value), true) = (digits.trim_end_matches('.').parse::<f64>(), !figure.spelled) else { return false };
    let own = around(reading, figure);
    // "£2.8m" for 2,810,000 under a "£"
    let scaled = |theirs: &Figure| figure.slack > 0.0 && (theirs.value - figure.value).abs() <= figure.slack;
    let bare = |theirs: &Figure| {
        let is = near(theirs.value, value) || scaled(theirs);
        is && theirs.kind == FigureKind::Count && theirs.partner.is_none()
    };
    matches!(figure.kind, FigureKind::Money(_) | FigureKind::Percent)
        && archive.readings.iter().any(|source| {
            let line = |theirs: &Figure| of_line(source, source.line_of(&theirs.tokens));
            source.figures.iter().filter(|theirs| bare(theirs)).any(|theirs| common(&own, &line(theirs)) > 0)
        })
}

/// Whether a source has a time close to one that the draft gives as near: `shortly after midnight` for 00:07.
fn told_about(archive: &SourceArchive<'_>, reading: &ParsedText<'_>, figure: &Figure) -> bool {
    let word = |steps: usize| {
        let at = figure.tokens.start.checked_sub(steps);
        at.and_then(|at| reading.tokens.get(at)).map_or("", |token| token.word.as_str())
    };
    let minutes = match word(1) {
        "after" | "past" => 0.0..=NEARLY,
        "before" => -NEARLY..=0.0,
        "around" | "about" | "towards" => -NEARLY..=NEARLY,
        _ => return false,
    };
    let near = matches!(word(1), "around" | "about" | "towards")
        || matches!(word(2), "just" | "shortly" | "soon" | "little" | "immediately" | "right");
    let is = |theirs: &Figure| {
        let off = (theirs.value - figure.value + 720.0).rem_euclid(1_440.0) - 720.0;
        theirs.kind == FigureKind::Time && minutes.contains(&off)
    };
    figure.kind == FigureKind::Time && near && archive.readings.iter().flat_map(|source| &source.figures).any(is)
}

/// Minutes for which a time may be told as near an hour.
const NEARLY: f64 = 20.0;

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
    use super::{Gravity, Standing};
    use crate::{
        check::ledger,
        testing::{check_texts, notes, texts},
    };

    #[test]
    fn a_roster_has_heights() {
        let roster = "ROSTER No. Name Ht Wt\n11 Keisha Lambert 6-2 170\n23 Ana Prodan 6-6 195\n";
        assert_eq!(check_texts("Keisha Lambert, a 6-foot-2 guard, wears No. 11. Ana Prodan is 6ft 6in.", roster), []);
        assert_eq!(check_texts("Ana Prodan is 6ft 7in.", roster).len(), 1);
    }

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
        // Without the notes, somebody should still read it.
        let (article, sources) = texts(nurses, SOURCE);
        let rows = ledger(&article, &sources, Gravity::Concern).rows;
        let row = rows.iter().find(|row| row.text == "95").unwrap();
        assert_eq!((row.standing, row.concern_type), (Standing::Unchecked, None));
    }

    #[test]
    fn a_source_may_have_a_figure_without_its_unit_and_a_day_in_a_range() {
        let source =
            "Fieldwork: 2-5 May 2025. Interim dividend (pence) 2.4 2.4\nFree reserves at year end (£) 2,810,000";
        for fine in ["The poll began on May 2.", "The interim dividend is 2.4p.", "Free reserves stood at £2.8m."] {
            assert_eq!(check_texts(fine, source), [], "{fine}");
        }
        for wrong in ["The poll began on May 3.", "The interim dividend is 2.6p.", "Free reserves stood at £2.4m."] {
            assert_eq!(check_texts(wrong, source).len(), 1, "{wrong}");
        }
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
