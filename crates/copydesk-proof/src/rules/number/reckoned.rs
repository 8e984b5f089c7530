//! A figure that the reporter worked out: 366 votes ahead for 2,016 and 1,650, £4.50 a month for £54 a year. Or 23 in all for twelve, eight
//! and three.
//!
//! Why: a reader asks next how much that is more, each, or together. No source has such a figure, and it is right all the same. Two figures
//! of the sentence or of its passages must lead there. Then nobody is accused.

use crate::{
    reading::{Bound, near},
    rules::{number::figure::DraftFigure, prelude::*},
    sources::{
        companions,
        derivation::averages,
        is_label, siblings,
        sums::{last_place, works, works_out},
    },
};

/// At most so many figures lead to another one.
const MOST: usize = 40;

/// At most so many places of each other figure of the sentence are read.
const PLACES: usize = 3;

/// Words right behind a figure that make it a rate.
static RATES: WordList = words("apiece each per every monthly weekly daily yearly annually a an je pro par por al");

/// Words that make it one wherever they stand in its sentence.
static EACH: WordList = words("each every apiece per");

/// A figure without "about" is off by at most so much of itself.
const CLOSE: f64 = 0.02;

/// So many sentences of the draft before and behind are read too.
const ROUND: usize = 2;

/// A smaller figure follows from too much: the word that tells of it is at most so many words away.
const SMALL: f64 = 100.0;
const BESIDE: usize = 4;

/// So many days, weeks or months make a year, or a month.
const TIMES: [f64; 5] = [12.0, 52.0, 365.0, 7.0, 30.0];

/// A figure beside the draft's, with the sentence that has it.
struct Given {
    place: (usize, usize),
    value: f64,
    kind: FigureKind,
}

/// Whether two figures are amounts of one kind.
fn alike(one: FigureKind, other: FigureKind) -> bool {
    one == other || money_or_count(one) && money_or_count(other)
}

/// Whether figures of the sentence or of its passages lead to this one.
pub fn reckoned(draft: &DraftFigure<'_>) -> bool {
    let (reading, figure) = (draft.reading, draft.figure);
    let share = matches!(figure.kind, FigureKind::Percent | FigureKind::Points);
    if figure.partner.is_some() || !share && !money_or_count(figure.kind) {
        return false;
    }
    let own = draft.tokens();
    let near = figure.tokens.start.saturating_sub(BESIDE)..figure.tokens.end + BESIDE;
    let small = figure.value < SMALL && figure.slack <= 0.0;
    let works_near = || draft.range.clone().zip(own).any(|(at, token)| near.contains(&at) && works(token));
    let worked = if small { works_near() } else { works_out(reading, figure) };
    let mut behind = reading.tokens.get(figure.tokens.end..draft.range.end).unwrap_or_default().iter().take(3);
    // "Per cent" is no rate.
    let each = |pair: &[Token]| matches!(pair, [each, next] if EACH.contains(&each.word) && next.word != "cent");
    let rate = behind.any(|token| RATES.contains(&token.word))
        || own.windows(2).any(each)
        || own.last().is_some_and(|token| EACH.contains(&token.word))
        || averages(reading, figure);
    let fits = fitting(reading, figure);
    let given = given(draft);
    // A wrong figure of two digits is hardly the sum or the difference of two in one sentence by chance.
    let digits = format!("{}", figure.value).trim_end_matches('0').bytes().filter(u8::is_ascii_digit).count();
    // "Twelve came, eight called and three wrote, making 23 in all", and the rows of a table.
    let summed = || {
        given.iter().enumerate().any(|(at, first)| {
            let row =
                given.iter().skip(at).filter(|next| next.place.0 == first.place.0 && alike(first.kind, next.kind));
            let sums = row.scan(0.0, |sum, next| {
                *sum += next.value;
                Some(*sum)
            });
            sums.skip(1).any(&fits)
        })
    };
    // "It costs 640,000; 150,000 is there, and 350,000 was asked for": that leaves 140,000.
    let left = || {
        given.iter().any(|whole| {
            let parts = given.iter().filter(|part| part.value < whole.value && alike(part.kind, whole.kind));
            let parts: Vec<f64> = parts.map(|part| part.value).collect();
            let mut pairs =
                parts.iter().enumerate().flat_map(|(at, one)| parts.iter().skip(at + 1).map(move |two| one + two));
            pairs.any(|both| fits(whole.value - both))
        })
    };
    worked && (summed() || digits > 1 && left())
        || given.iter().enumerate().any(|(at, one)| {
            let by_time = rate && TIMES.iter().any(|times| fits(one.value / times) || fits(one.value * times));
            // "39% were not seen" for 61% who were
            let rest = worked && share && one.kind == FigureKind::Percent && fits(100.0 - one.value);
            by_time
                || rest
                || given.iter().skip(at + 1).any(|two| {
                    let alike = alike(one.kind, two.kind);
                    let together = worked || one.place == two.place && digits > 1;
                    let (low, high) = (one.value.min(two.value), one.value.max(two.value));
                    // From 12 to 15 per cent are three points.
                    let apart = figure.kind != FigureKind::Percent || one.kind != FigureKind::Percent;
                    let sum = together && alike && (apart && fits(high - low) || fits(high + low));
                    let parts = || {
                        [low / high, (high - low) / high, (high - low) / low].into_iter().any(|part| fits(part * 100.0))
                    };
                    let quotient =
                        low > 0.0 && (share && alike && parts() || rate && (fits(high / low) || fits(low / high)));
                    // "It will cost £57,500 with the buyer's premium of 25 per cent", "at most 30,000 rupees for 24 fields"
                    let of = |share: &Given, whole: &Given| {
                        let by = share.value / 100.0;
                        share.kind == FigureKind::Percent
                            && [by, 1.0 + by, 1.0 - by].iter().any(|by| fits(whole.value * by))
                    };
                    // Nobody pays for 1.4 of a thing: that is a length.
                    let whole = |given: &Given| rate || given.kind != FigureKind::Count || given.value.fract() == 0.0;
                    let times = alike && whole(one) && whole(two) && low > 1.0 && fits(low * high);
                    let product = figure.value >= 10.0 && !share && (times || of(one, two) || of(two, one));
                    sum || quotient || product
                })
        })
}

/// The figures of the sentence, of those around it, of its passages, and of the places of its other figures.
fn given(draft: &DraftFigure<'_>) -> Vec<Given> {
    let (archive, reading, figure, line) = (draft.archive, draft.reading, draft.figure, draft.line);
    let mut given: Vec<Given> = Vec::new();
    let mut take = |reading: &ParsedText<'_>, place: (usize, usize)| {
        let amount = |other: &&Figure| {
            let dated =
                matches!(other.kind, FigureKind::Date | FigureKind::Year | FigureKind::Fraction | FigureKind::Time);
            !dated && !std::ptr::eq(*other, figure) && !is_label(reading, other)
        };
        let both = |other: &Figure| [Some(other.value), other.written.other].into_iter().flatten();
        let all = siblings(reading, place.1).iter().filter(amount);
        given.extend(all.flat_map(|other| both(other).map(move |value| Given { place, value, kind: other.kind })));
    };
    for line in line.saturating_sub(ROUND)..=(line + ROUND).min(reading.lines.len().saturating_sub(1)) {
        take(reading, (usize::MAX, line));
    }
    let beside = companions(reading, figure).flat_map(|other| archive.equal(other).into_iter().take(PLACES));
    let mut places = draft.places();
    places.extend(beside.map(|(place, _)| place));
    places.sort_unstable();
    places.dedup();
    for place in places {
        if let Some(source) = archive.reading(place) {
            take(source, (place.source, place.line));
        }
    }
    given.truncate(MOST);
    given
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
                "The repair costs £640,000. The reserve holds £150,000. A bid for £350,000 has been made.",
                "The reserve holds £150,000, and the bid for £350,000 would leave the repair £140,000 short.",
                "The reserve holds £150,000, and the bid for £350,000 would leave the repair £160,000 short.",
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
