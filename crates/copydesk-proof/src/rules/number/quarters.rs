//! The wrong stretch of time: `the second quarter` for Q3, the figure of FY2022 for fiscal 2023.

use crate::{reading::near, rules::prelude::*, sources::siblings};

pub static RULE: Rule = Rule {
    name: "number.ordinal",
    why: "The source has this of another quarter, half or year.",
    source: "The figure beside the stretch of time, which the source has beside another one.",
    ..Rule::FIGURE
};

/// A stretch of time that figures are told of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Period {
    Quarter(u32),
    Half(u32),
    Year(u32),
    /// `2023-24`, by its first year.
    Season(u32),
}

impl Period {
    fn alike(self, other: Self) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(&other)
    }
}

/// The stretches of a sentence whose figure a source gives for another one.
pub fn faults(sentence: &DraftSentence<'_>) -> Vec<Fault> {
    let &DraftSentence { archive, field, reading, line, .. } = sentence;
    let own = pairs(reading, line).into_iter().filter(|(.., figure)| !sentence.quotes(figure));
    let aligned = sentence.places();
    own.filter_map(|(period, words, figure)| {
        let mut other = None;
        for (place, theirs) in archive.equal(figure) {
            let source = archive.reading(place)?;
            let there = pairs(source, place.line);
            let (said, ..) = there.iter().find(|(.., figure)| figure.start == theirs.start)?;
            if *said == period {
                return None;
            }
            // Two years are two stories, unless the source tells of both.
            let both = there.iter().any(|(beside, ..)| *beside == period) || row_of(source, place.line, theirs, period);
            let part = !matches!(period, Period::Year(_) | Period::Season(_)) && aligned.contains(&place);
            other = other.or(Some(place).filter(|_| said.alike(period) && (both || part)));
        }
        Some(Fault::new(&RULE, field, reading.span_of(&words)?).passage(archive.sentence(other?)))
    })
    .collect()
}

/// Whether a row near that of a figure gives one of its kind for another stretch of time.
fn row_of(source: &ParsedText<'_>, line: usize, figure: &Figure, period: Period) -> bool {
    let labelled = |line: usize| source.line_text(line).contains(':');
    let is = |(other, _, theirs): &(Period, Range<usize>, &Figure)| *other == period && theirs.comparable(figure);
    let mut rows = line.saturating_sub(ROWS)..(line + ROWS).min(source.lines.len());
    let of_it = |line: usize| pairs(source, line).iter().any(is);
    let paragraph = source.paragraph(line);
    // "FY 2022/23 £4.1 million. FY 2023/24 £4.6 million."
    let mut beside = [line.wrapping_sub(1), line + 1].into_iter().filter(|line| paragraph.contains(line));
    beside.any(of_it) || labelled(line) && rows.any(|line| labelled(line) && of_it(line))
}

/// Words between a quarter and its year.
static IN_YEAR: WordList = words("of in the for fiscal financial year fy");

/// The words between a figure and its stretch of time are at most so many.
const NEAR: usize = 4;

/// Rows of one table are at most so many lines apart.
const ROWS: usize = 12;

/// The stretches of a sentence with their words and their figures, if these take turns: `$4m in Q1, $5m in Q2`.
fn pairs<'r>(reading: &'r ParsedText<'_>, line: usize) -> Vec<(Period, Range<usize>, &'r Figure)> {
    let tokens = reading.lines.get(line).map_or(0..0, |line| line.tokens.clone());
    let mut periods: Vec<(Period, Range<usize>)> = tokens.filter_map(|at| part(reading, at)).collect();
    let mut figures: Vec<&Figure> = Vec::new();
    for figure in siblings(reading, line) {
        let at = figure.tokens.start;
        // "1H" is no hour.
        if figure.kind != FigureKind::Year && periods.iter().any(|(_, words)| words.contains(&at)) {
            continue;
        }
        match figure.kind {
            // The year of a quarter, and the second of a season.
            FigureKind::Year => {
                let joins = |period: Period, words: &Range<usize>| match period {
                    // "The first quarter of fiscal 2024"
                    Period::Quarter(_) | Period::Half(_) => {
                        let between = reading.tokens.get(words.end..at).unwrap_or_default();
                        words.start <= at
                            && between.len() < 4
                            && between.iter().all(|token| IN_YEAR.contains(&token.word))
                    }
                    Period::Year(first) => at == words.end && near(figure.value, f64::from(first) + 1.0),
                    Period::Season(_) => false,
                };
                match periods.iter_mut().find(|(period, words)| joins(*period, words)) {
                    Some((period, words)) => {
                        if let Period::Year(first) = *period {
                            *period = Period::Season(first);
                        }
                        words.end = words.end.max(figure.tokens.end);
                    }
                    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a year")]
                    None => periods.push((Period::Year(figure.value as u32), figure.tokens.clone())),
                }
            }
            FigureKind::Count | FigureKind::Money(_) | FigureKind::Percent => figures.push(figure),
            _ => return Vec::new(),
        }
    }
    periods.sort_by_key(|(_, words)| words.start);
    if let [(period, words)] = periods.as_slice()
        && figures.len() > 1
    {
        let first = reading.lines.get(line).map_or(0, |line| line.tokens.start);
        let rest = reading.tokens.get(words.end - 1).and_then(|last| reading.text.get(last.end..)).unwrap_or_default();
        let heads = words.start <= first + 1 && rest.starts_with(':');
        // "Fiscal 2024: borrowed $61 million, paid back $48 million", "earned 4.6 per cent in the fourth quarter, and paid out"
        let near = |figure: &&Figure| figure.tokens.end <= words.start && words.start - figure.tokens.end <= NEAR;
        let nearest = figures.iter().copied().rfind(near).map(|figure| figure.start);
        let of_it = figures.into_iter().filter(|figure| heads || Some(figure.start) == nearest);
        return of_it.map(|figure| (*period, words.clone(), figure)).collect();
    }
    let of_figures = figures.iter().map(|figure| (figure.tokens.start, false));
    let mut all: Vec<(usize, bool)> = periods.iter().map(|(_, words)| (words.start, true)).chain(of_figures).collect();
    all.sort_unstable();
    let take_turns = all.chunk_by(|(_, one), (_, other)| one == other).all(|run| run.len() == 1);
    if periods.len() != figures.len() || !take_turns {
        return Vec::new();
    }
    periods.into_iter().zip(figures).map(|((period, words), figure)| (period, words, figure)).collect()
}

/// The quarter or half that begins at a word, with its words: `Q3`, `3Q`, `3Q23`, `the third quarter`, `H1`.
fn part(reading: &ParsedText<'_>, at: usize) -> Option<(Period, Range<usize>)> {
    // "Q3'23"
    let own = reading.word(at).split('\'').next().unwrap_or_default();
    let period = |kind: &str, number: u32| match (kind, number) {
        ("q" | "quarter", 1..=4) => Some(Period::Quarter(number)),
        ("h" | "half", 1..=2) => Some(Period::Half(number)),
        _ => None,
    };
    let short = own.find(['q', 'h']).and_then(|letter| {
        let (before, kind) = (own.get(..letter)?, own.get(letter..=letter)?);
        let behind = own.get(letter + 1..)?;
        let number = if before.is_empty() { behind } else { before };
        period(
            kind,
            number.parse().ok().filter(|_| before.is_empty() || behind.bytes().all(|byte| byte.is_ascii_digit()))?,
        )
    });
    if let Some(period) = short {
        return Some((period, at..at + 1));
    }
    let number = match own {
        "first" | "1st" => 1,
        "second" | "2nd" => 2,
        "third" | "3rd" => 3,
        "fourth" | "4th" | "final" => 4,
        _ => return None,
    };
    period(reading.word(at + 1), number).map(|period| (period, at..at + 2))
}

#[cfg(test)]
mod tests {
    use crate::testing::rules_of;

    #[test]
    fn another_quarter_is_found() {
        let source = "Orders for trams rose in Q1 to 30.";
        for (draft, found) in [
            ("Orders for trams rose in the third quarter to 30.", true),
            ("Orders for trams rose in the first quarter to 30.", false),
        ] {
            assert_eq!(rules_of(draft, source).contains(&"number.ordinal".to_owned()), found, "{draft}");
        }
        let source = "Sales H2: $820 million\nSales H1: $764 million\n\nFiscal 2024: borrowed $61 million, paid back $48 million\n\
                      Fiscal 2023: borrowed $44 million, paid back $47 million\n";
        for (draft, found) in [
            ("It sold goods for $820 million in the first half.", true),
            ("It sold goods for $764 million in the first half.", false),
            ("It borrowed $61 million in fiscal 2023.", true),
            ("It borrowed $44 million in fiscal 2023, and paid back $47 million.", false),
            ("It borrowed $61 million in fiscal 2023, and paid back $47 million.", true),
        ] {
            assert_eq!(rules_of(draft, source), vec!["number.ordinal"; usize::from(found)], "{draft}");
        }
        let source = "The tram earned $41m in FY2019 and $37m in FY2018. In 2Q19 the ferry earned $12m, in 3Q19 $14m. The first half brought \
                      the bus $21m, H2 $23m. The school had 310 pupils in 2018/19, 290 in 2019/20. The mill made $9m in H1.";
        for (draft, found) in [
            ("The tram earned $37 million in fiscal 2019.", true),
            ("The tram earned $41 million in fiscal 2019.", false),
            ("The tram earned $41 million between 2018 and 2019.", false),
            ("In the second quarter of 2019 the ferry earned $14 million.", true),
            ("In the third quarter of 2019 the ferry earned $14 million.", false),
            ("The second half brought the bus $23 million.", false),
            ("The school had 310 pupils in 2019-20.", true),
            ("The school had 290 pupils in 2019-20.", false),
            ("The mill made $9 million in the second half.", true),
            ("The mill made $9 million in the first half.", false),
            ("The ferry earned $14 million in the second quarter of fiscal 2019.", true),
            ("The ferry earned $14 million in the third quarter of fiscal 2019.", false),
        ] {
            assert_eq!(rules_of(draft, source), vec!["number.ordinal"; usize::from(found)], "{draft}");
        }
        let source = "Library budget: FY 2022/23 £4.1 million. FY 2023/24 £4.6 million.";
        for (draft, found) in [
            ("The library budget was £4.6 million in 2022-23.", true),
            ("The library budget was £4.6 million in 2023-24.", false),
        ] {
            assert_eq!(rules_of(draft, source), vec!["number.ordinal"; usize::from(found)], "{draft}");
        }
    }
}
