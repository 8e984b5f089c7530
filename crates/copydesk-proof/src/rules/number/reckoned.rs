//! A figure that the reporter worked out: 366 votes ahead for 2,016 and 1,650, £4.50 a month for £54 a year, 224 who stayed of 246.
//!
//! Why: a reader asks next how much that is more, each, or left. No source has such a figure, and it is right all the same. The sentence must
//! say that something is worked out, and two figures of it or of its passages must lead there. Then nobody is accused.

use crate::{
    binding::{Alignment, day_of},
    reading::{Bound, near},
    rules::prelude::*,
    sources::{
        companions,
        derivation::averages,
        is_label, siblings,
        sums::{last_place, rounded, works, works_out},
    },
};

/// At most so many figures lead to another one.
const MOST: usize = 40;

/// The two passages with most of the sentence are read, and at most so many places of each other figure of the sentence.
const PASSAGES: usize = 2;
const PLACES: usize = 3;

/// Words right behind a figure that make it a rate.
static RATES: WordList = words("apiece each per every monthly weekly daily yearly annually a an je pro par por al");

/// Or so many words before it.
const BEFORE: usize = 6;

/// A figure without "about" is off by at most so much of itself.
const CLOSE: f64 = 0.02;

/// So many sentences of the draft before and behind are read too.
const ROUND: usize = 2;

/// Words of a rate by time.
static TIMED: WordList =
    words("day days daily week weeks weekly month months monthly year years yearly annually hour hours");

/// A smaller figure follows from too much.
const SMALL: f64 = 100.0;

/// The word that tells of a small one is at most so many words away.
const BESIDE: usize = 4;

/// What a rate can be of: so many of it make a year, or a month.
const TIMES: [f64; 8] = [12.0, 52.0, 365.0, 7.0, 30.0, 31.0, 60.0, 24.0];

/// Whether two figures lead to this one in a way that the sentence tells of.
pub fn reckoned(archive: &SourceArchive<'_>, reading: &ParsedText<'_>, figure: &Figure, alignment: &Alignment) -> bool {
    let amount = |kind: FigureKind| !matches!(kind, FigureKind::Date | FigureKind::Year | FigureKind::Fraction);
    if !amount(figure.kind) || figure.kind == FigureKind::Time || figure.partner.is_some() {
        return false;
    }
    let line = reading.line_of(&figure.tokens);
    let word = |at: usize| reading.tokens.get(at).filter(|token| token.line == line).map_or("", |token| &token.word);
    let (first, end) = (figure.tokens.start, figure.tokens.end);
    let before = reading.tokens.get(first.saturating_sub(BEFORE)..first).unwrap_or_default();
    let each = before.iter().any(|token| token.line == line && matches!(&*token.word, "each" | "per" | "every"));
    let times = |pair: &[Token]| match pair {
        [a, time] => a.word == "a" && matches!(&*time.word, "day" | "week" | "month" | "year"),
        _ => false,
    };
    let each = each || reading.line_tokens(line).windows(2).any(times);
    let rate = each || averages(reading, figure) || (end..end + 3).any(|at| RATES.contains(word(at)));
    let by_time = reading.line_tokens(line).iter().any(|token| TIMED.contains(&token.word));
    let by = before.last().is_some_and(|token| token.word == "by");
    // Many figures lead to a small one: the word must stand beside it.
    let small = figure.value < SMALL && figure.slack <= 0.0;
    let behind = reading.tokens.get(end..).unwrap_or_default().iter().take(BESIDE);
    let beside = || before.iter().rev().take(BESIDE).chain(behind).any(|token| token.line == line && works(token));
    let told = if small { beside() } else { works_out(reading, figure) };
    let worked = by || figure.kind == FigureKind::Points || told;
    if worked && exact(figure) && rest(archive, figure) {
        return true;
    }
    if lasts_years(archive, reading, figure, alignment) || of_one_sentence(archive, reading, figure, alignment) {
        return true;
    }
    // Few products have two digits that count.
    let product = figure.value >= 10.0 && money_or_count(figure.kind);
    if !rate && !worked && !product {
        return false;
    }
    let mut values: Vec<(f64, FigureKind)> = Vec::new();
    let take = |values: &mut Vec<(f64, FigureKind)>, reading: &ParsedText<'_>, line: usize| {
        let itself = |other: &Figure| std::ptr::eq(other, figure);
        let all = siblings(reading, line).iter().filter(|other| amount(other.kind) && !is_label(reading, other));
        let all = all.filter(|other| !itself(other));
        let both = |other: &Figure| [Some(other.value), other.written.other].into_iter().flatten();
        values.extend(all.flat_map(|other| both(other).map(move |value| (value, other.kind))));
        values.extend(results(reading.line_text(line)).map(|seconds| (seconds, FigureKind::Count)));
    };
    for line in line.saturating_sub(ROUND)..=(line + ROUND).min(reading.lines.len().saturating_sub(1)) {
        take(&mut values, reading, line);
    }
    let own = values.len();
    let windows = alignment.windows.iter().take(PASSAGES).map(|window| window.place);
    let beside = companions(reading, figure).flat_map(|other| {
        let equal = archive.equal(other);
        // "Nearly 19,000" for 18,940
        let rounded = equal.is_empty().then(|| rounded(archive, reading, other)).flatten();
        let rounded = rounded.and_then(|from| {
            let line = archive.readings.get(from.source)?.line_at(from.range.start);
            Some(SourceLine { source: from.source, line })
        });
        equal.into_iter().take(PLACES).map(|(place, _)| place).chain(rounded)
    });
    let mut places: Vec<SourceLine> = windows.chain(beside).collect();
    places.dedup();
    for (place, source) in places.iter().filter_map(|place| Some((place, archive.reading(*place)?))) {
        take(&mut values, source, place.line);
    }
    // The sentences beside them lead to an amount, but not to a percentage or a small number.
    let percent = figure.kind == FigureKind::Percent;
    if !small && !percent {
        for (place, source) in places.iter().filter_map(|place| Some((place, archive.reading(*place)?))) {
            let paragraph = source.paragraph(place.line);
            let beside = archive.window(*place, 1).filter(|line| paragraph.contains(line) && *line != place.line);
            beside.for_each(|line| take(&mut values, source, line));
        }
    }
    values.truncate(MOST);
    let fits = fitting(reading, figure);
    values.iter().enumerate().any(|(at, (one, kind))| {
        let rate = rate && (!small || at < own);
        let rated = rate && by_time && TIMES.iter().any(|times| fits(one / times) || fits(one * times));
        let rest = worked && percent && fits(100.0 - one);
        rated
            || rest
            || values.iter().enumerate().skip(at + 1).any(|(next, (two, other))| {
                let rate = rate && (!small || next < own);
                let alike = kind == other || money_or_count(*kind) && money_or_count(*other);
                let (low, high) = (one.min(*two), one.max(*two));
                // From 12 to 15 per cent are three points.
                let apart = !(percent && *kind == FigureKind::Percent);
                let sum = worked && alike && (apart && fits(high - low) || fits(high + low));
                let share = percent
                    && alike
                    && low > 0.0
                    && [low / high, (high - low) / high, (high - low) / low].iter().any(|share| fits(share * 100.0));
                // "It will cost £57,500 with the buyer's premium of 25 per cent", "at most 2.4 lakh" for 1.2 lakh each of two.
                let of_percent = |amount: &f64, share: &f64, kind: &FigureKind| {
                    *kind == FigureKind::Percent
                        && [share / 100.0, 1.0 + share / 100.0, 1.0 - share / 100.0].iter().any(|by| fits(amount * by))
                };
                // Nobody pays for 1.4 of a thing: that is a length.
                let whole = |value: f64, kind: FigureKind| rate || kind != FigureKind::Count || value.fract() == 0.0;
                let whole = whole(*one, *kind) && whole(*two, *other);
                let times = whole && money_or_count(*kind) && money_or_count(*other) && *one > 0.0 && *two > 0.0;
                let itself = near(*one, figure.value) || near(*two, figure.value);
                let times = !itself && times && [1.0, 100.0].iter().any(|pence| fits(one * two / pence))
                    || of_percent(one, two, other)
                    || of_percent(two, one, kind);
                sum || share || product && times || rate && low > 0.0 && (fits(high / low) || fits(low / high))
            })
    })
}

/// Whether an amount has so many digits that no two figures lead to it by chance.
fn exact(figure: &Figure) -> bool {
    let digits = format!("{}", figure.value);
    digits.trim_end_matches('0').bytes().filter(u8::is_ascii_digit).count() >= DIGITS && money_or_count(figure.kind)
}

/// So many digits in front of the zeros.
const DIGITS: usize = 4;

/// Whether it is the difference of two amounts of one sentence of a source.
fn rest(archive: &SourceArchive<'_>, figure: &Figure) -> bool {
    archive.readings.iter().any(|source| {
        source.figures.windows(PLACES).any(|row| {
            let apart = |one: &Figure, two: &Figure| {
                one.comparable(figure) && two.comparable(figure) && near((one.value - two.value).abs(), figure.value)
            };
            row.first().is_some_and(|one| row.iter().skip(1).any(|two| apart(one, two)))
        })
    })
}

/// Whether it is the sum or the difference of two figures of one sentence, or one row, of its passages: £650 over for £6,150 against £5,500.
/// A wrong figure of two digits hardly is so by chance.
fn of_one_sentence(
    archive: &SourceArchive<'_>,
    reading: &ParsedText<'_>,
    figure: &Figure,
    alignment: &Alignment,
) -> bool {
    let digits = format!("{}", figure.value);
    if digits.trim_end_matches('0').bytes().filter(u8::is_ascii_digit).count() < 2 {
        return false;
    }
    let fits = fitting(reading, figure);
    let places = alignment
        .windows
        .iter()
        .flat_map(|window| window.lines.clone().map(move |line| SourceLine { line, ..window.place }));
    places.into_iter().any(|place| {
        let Some(source) = archive.reading(place) else { return false };
        let share = |kind: FigureKind| matches!(kind, FigureKind::Percent | FigureKind::Points);
        let alike = |other: &&Figure| {
            figure.comparable(other)
                || money_or_count(figure.kind) && money_or_count(other.kind)
                || share(figure.kind) && share(other.kind)
                || share(figure.kind) && other.kind == FigureKind::Count
        };
        let all: Vec<&Figure> = siblings(source, place.line).iter().filter(alike).take(MOST).collect();
        all.iter().enumerate().any(|(at, one)| {
            all.iter().skip(at + 1).any(|two| fits((one.value - two.value).abs()) || fits(one.value + two.value))
        })
    })
}

/// Whether a count of years lies between two years of the sentence and its passages, or between one of them and the day of the source:
/// `their first final in 31 years`, `more than 17 years`.
fn lasts_years(archive: &SourceArchive<'_>, reading: &ParsedText<'_>, figure: &Figure, alignment: &Alignment) -> bool {
    let next = reading.tokens.get(figure.tokens.end).map_or("", |token| token.word.as_str());
    if figure.kind != FigureKind::Count || !matches!(next, "year" | "years" | "seasons" | "years'" | "year-old") {
        return false;
    }
    let year = |figure: &Figure| match figure.kind {
        FigureKind::Year => Some(figure.value),
        _ => figure.year.map(f64::from),
    };
    let line = reading.line_of(&figure.tokens);
    let mut own: Vec<f64> = siblings(reading, line).iter().filter_map(year).collect();
    let mut others = Vec::new();
    for window in &alignment.windows {
        let Some(source) = archive.reading(window.place) else { continue };
        own.extend(window.lines.clone().flat_map(|line| siblings(source, line)).filter_map(year));
        others.extend(day_of(source).and_then(year));
    }
    others.extend(&own);
    let is = |years: f64| near(years, figure.value) || near(years, figure.value + 1.0);
    own.iter().take(MOST).any(|one| others.iter().take(MOST).any(|other| is((one - other).abs())))
}

fn money_or_count(kind: FigureKind) -> bool {
    matches!(kind, FigureKind::Money(_) | FigureKind::Count)
}

/// Whether a value is the figure, as exactly as the draft gives it.
fn fitting(reading: &ParsedText<'_>, figure: &Figure) -> impl Fn(f64) -> bool {
    let bound = Bound::of(reading, figure);
    let told = figure.value;
    let decimals = [1.0, 10.0, 100.0].into_iter().find(|places| near((told * places).round(), told * places));
    let whole = figure.slack.max(0.5 / decimals.unwrap_or(1_000.0));
    // "$3 million" is no $2.8 million that two others lead to.
    let whole = if bound == Bound::Exact && figure.kind != FigureKind::Percent {
        whole.min(CLOSE * told.abs()).max(1e-9)
    } else {
        whole
    };
    let off = if bound == Bound::Exact { whole } else { last_place(figure).max(whole) };
    move |value: f64| (value - told).abs() <= off * 1.000_1 && (bound == Bound::Exact || bound.holds(told, value))
}

/// The seconds of results such as `4:03.18`.
fn results(line: &str) -> impl Iterator<Item = f64> {
    let words = line.split(|c: char| !(c.is_ascii_digit() || matches!(c, ':' | '.')));
    words.filter_map(|word| {
        let (minutes, seconds) =
            word.trim_end_matches('.').split_once(':').filter(|(_, seconds)| seconds.contains('.'))?;
        Some(minutes.parse::<f64>().ok()? * 60.0 + seconds.parse::<f64>().ok()?)
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_texts, rules_of};

    #[test]
    fn years_products_and_sums_of_one_sentence_are_worked_out() {
        let source = "The club reached its first final since 1994. Sunday 21 September 2025\n\nSpending on lights was £6,150 against £5,500. \
                      Each grower gets 1,250 rupees a field, for at most 24 fields.";
        for fine in [
            "The club is in its first final in 31 years, since 1994.",
            "Spending on lights came in £650 over.",
            "A grower gets at most 30,000 rupees for 24 fields.",
        ] {
            assert_eq!(check_texts(fine, source), [], "{fine}");
        }
        for wrong in ["Spending on lights came in £850 over.", "Spending on lights was £6,250."] {
            assert_eq!(check_texts(wrong, source).len(), 1, "{wrong}");
        }
    }

    #[test]
    fn what_two_figures_lead_to_is_worked_out() {
        for (source, draft, wrong) in [
            (
                "Harbour,Mirela Popescu,Labour,2016\nHarbour,Gordon Teale,Tory,1650\n",
                "In Harbour, Mirela Popescu held off Gordon Teale by 366 votes.",
                "In Harbour, Mirela Popescu held off Gordon Teale by 386 votes.",
            ),
            (
                "Rent goes up from £48 to £54 a year.",
                "The rent rises from £48 to £54 a year, or £4.50 a month.",
                "The rent rises from £48 to £54 a year, or £4.90 a month.",
            ),
            (
                "The city paid $148,200 for 312 lamps.",
                "The city paid $148,200, or $475 a lamp, for 312 lamps.",
                "The city paid $148,200, or $485 a lamp, for 312 lamps.",
            ),
            (
                "Journey time Aldery - Quenby 1 h 05 min (until now 1 h 18 min)",
                "The journey from Aldery to Quenby will be 13 minutes shorter.",
                "The journey from Aldery to Quenby will be 33 minutes shorter.",
            ),
            (
                "Nuria Lie,ESP,4:03.18\nKeziah Dahl,KEN,4:03.52\n",
                "Nuria Lie won in 4:03.18, 0.34 seconds ahead of Keziah Dahl.",
                "Nuria Lie won in 4:03.18, 0.84 seconds ahead of Keziah Dahl.",
            ),
            (
                "The pair took £615,000 from 37 customers, of which £92,250 has been recovered.",
                "The pair took more than £16,000 on average from each of 37 customers, and £522,750 is still missing.",
                "The pair took more than £19,000 on average from each of 37 customers, and £522,750 is still missing.",
            ),
        ] {
            assert_eq!(check_texts(draft, source), [], "{draft}");
            assert_ne!(rules_of(wrong, source), [""; 0], "{wrong}");
        }
    }
}
