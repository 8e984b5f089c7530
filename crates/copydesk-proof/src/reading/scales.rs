//! The scale and unit that a table's heading, title or first cell gives its figures: `Cost (€ million)`, `in thousands`, `'000`.

use std::ops::Range;

use crate::reading::{
    Figure, FigureKind,
    cells::{Cell, cells as split, is_record, raw_lines},
    currencies,
};
use crate::words::{WordList, words};
use copydesk_text::words::number_word;

/// The scale that a heading gives the figures under it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Scale {
    factor: Option<f64>,
    currency: Option<char>,
    percent: bool,
}

/// A title is at most so long, and at most so many lines above its table.
const LONGEST_TITLE: usize = 140;
const FAR: usize = 3;

/// Gives the figures of a text's tables the scales of their headings. Numbers in a heading itself are no figures.
pub fn apply(text: &str, figures: &mut Vec<Figure>) {
    let (mut headings, mut labels): (Vec<Range<usize>>, Vec<Range<usize>>) = Default::default();
    // The lines above a table, and the scale that they give it.
    let mut above: Vec<(usize, &str)> = Vec::new();
    let mut titled: Option<Scale> = None;
    let mut heads: Vec<Scale> = Vec::new();
    for (first, line) in raw_lines(text) {
        if line.trim().is_empty() {
            continue;
        }
        let Some(cells) = cells(line) else {
            // "Actual  Revised  Adopted" under the years is a second line of names.
            if !heads.is_empty() && line.trim().contains("  ") && !line.contains(|c: char| c.is_ascii_digit()) {
                continue;
            }
            (titled, heads) = (None, Vec::new());
            above.push((first, line));
            continue;
        };
        let at = |part: &Range<usize>| first + part.start..first + part.end;
        let said = |part: &Range<usize>| line.get(part.clone()).unwrap_or_default();
        let near = above.iter().rev().take(FAR).take_while(|(_, line)| line.len() <= LONGEST_TITLE);
        let told =
            || near.map(|(at, line)| (*at..at + line.len(), Scale::of(line))).find(|(_, told)| told.factor.is_some());
        let whole = *titled.get_or_insert_with(|| {
            told().map_or(Scale::default(), |(place, told)| {
                labels.push(place);
                told
            })
        });
        above.clear();
        // A row of names and scales without values heads the columns.
        let own: Vec<Scale> = cells
            .iter()
            .map(|(name, value)| if name.is_empty() { Scale::of(said(value)) } else { Scale::default() })
            .collect();
        let named = cells.iter().all(|(name, _)| name.is_empty());
        if named
            && (own.iter().skip(1).any(|scale| scale.factor.is_some())
                || heads.is_empty()
                    && (line.starts_with('|') || cells.iter().skip(1).all(|(_, value)| is_year(said(value)))))
        {
            let scaled = cells.iter().zip(&own).filter(|(_, scale)| **scale != Scale::default());
            headings.extend(scaled.map(|((_, value), _)| at(value)));
            heads = own;
            continue;
        }
        let corner = heads.first().copied().filter(|_| heads.len() == cells.len()).unwrap_or_default();
        let mut row = corner;
        for (place, (name, value)) in cells.iter().enumerate() {
            let head = (heads.len() + place).checked_sub(cells.len()).and_then(|at| heads.get(at)).copied();
            let named = Scale::of(said(name));
            let column = named.or(head.unwrap_or_default());
            if place == 0 {
                let own = Scale::of(said(value)).or(named);
                if own.factor.is_some() {
                    labels.push(at(value));
                }
                row = own.or(corner);
            }
            if named != Scale::default() {
                headings.push(at(name));
            }
            let rest = match cells.first().filter(|_| place > 0).map(|(_, label)| said(label)) {
                Some(label) if is_of_a_share(label) => Scale { factor: Some(1.0), ..whole },
                // A count of people or a price of one thing is in no table's millions.
                Some(label) if is_counted(label) => Scale::default(),
                _ => whole,
            };
            let scale = column.or(row).or(rest);
            if scale == Scale::default() || place == 0 && column == Scale::default() {
                continue;
            }
            let value = at(value);
            let low = figures.partition_point(|figure| figure.start < value.start);
            let high = figures.partition_point(|figure| figure.start < value.end);
            for figure in figures.get_mut(low..high).unwrap_or_default() {
                scale.give(figure, column != Scale::default());
            }
        }
    }
    let within = |places: &[Range<usize>], figure: &Figure| {
        let at = places.partition_point(|place| place.end <= figure.start);
        places.get(at).is_some_and(|place| place.start <= figure.start)
    };
    labels.sort_by_key(|label| label.start);
    figures.retain(|figure| {
        let scale = !text.get(figure.start..figure.end).unwrap_or_default().contains(|c: char| c.is_ascii_digit());
        let dated = matches!(figure.kind, FigureKind::Year | FigureKind::Date);
        dated || !(within(&headings, figure) || scale && within(&labels, figure))
    });
}

fn is_year(cell: &str) -> bool {
    let cell = cell.strip_prefix("FY").unwrap_or(cell).trim_start();
    cell.len() == 4 && cell.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a row counts people, or is about one thing of many.
fn is_counted(label: &str) -> bool {
    let label = label.to_lowercase();
    ["employee", "staff", "headcount", "people", "number of", " per ", "shares"].iter().any(|word| label.contains(word))
}

/// Whether a row is about one share: such a row has the table's currency, and not its scale.
fn is_of_a_share(label: &str) -> bool {
    let label = label.to_lowercase().replace('-', " ");
    label.contains("per share") || label.split_whitespace().any(|word| word == "eps")
}

/// The cells of a line, if it is a table's row.
fn cells(line: &str) -> Option<Vec<Cell>> {
    if line.starts_with("- ") {
        return is_record(line).then(|| split(line));
    }
    let mut cells = split(line);
    if line.starts_with('|') {
        return Some(cells);
    }
    // "Sales (€m): 4.8", "Net result: (1,240)"
    if let Some((label, value)) = line.split_once(": ")
        && label.len() < LONGEST_LABEL
        && value.trim().len() <= LONGEST_VALUE
        && if Scale::of(label).factor.is_some() { label.ends_with(')') } else { is_amount(value.trim()) }
    {
        cells = vec![(0..0, 0..label.len()), (0..0, label.len() + 2..line.trim_end().len())];
    }
    if cells.len() < 2 {
        return None;
    }
    let said = |(_, value): &Cell| line.get(value.clone()).unwrap_or_default();
    let label = cells.first().map_or("", said);
    let titled = label.len() <= LONGEST_LABEL
        && label.contains(char::is_alphabetic)
        && !label.ends_with(['.', ':', '?', '!', ';', ',']);
    let short = |word: &str| word.chars().filter(|c| c.is_alphabetic()).count() <= 3;
    let figure = |cell: &str| cell.contains(|c: char| c.is_ascii_digit()) && cell.split(' ').all(short);
    let mut values = cells.iter().skip(1).map(said);
    let row = titled && (values.clone().all(figure) || values.any(|cell| Scale::of(cell).factor.is_some()));
    row.then_some(cells)
}

/// Whether a value is one number and nothing else, perhaps in an account's brackets.
fn is_amount(value: &str) -> bool {
    value.contains(|c: char| c.is_ascii_digit())
        && value.chars().all(|c| c.is_ascii_digit() || matches!(c, '(' | ')' | ',' | '.' | '-' | '−' | ' ' | '\u{A0}'))
}

/// A row's label is at most so long, and its only value.
const LONGEST_LABEL: usize = 60;
const LONGEST_VALUE: usize = 20;

/// Units of a heading that says no more than how many of them: `Thousand litres`.
static UNITS: WordList = words(
    "tonnes tons kilograms kg litres liters gallons barrels bushels people persons head passengers visitors visits homes jobs units euros \
     pounds dollars acres hectares kilometres miles kwh mwh",
);

impl Scale {
    /// Reads a heading. Only a bracket, an `in`, or a sign of a currency before a scale make it one.
    fn of(heading: &str) -> Self {
        let lower = heading.to_lowercase().replace(['’', '‘'], "'");
        let words: Vec<&str> = lower
            .split(|c: char| !(c.is_alphanumeric() || matches!(c, '%' | '\'' | '$' | '£' | '€' | '¥' | '₹')))
            .filter(|word| !word.is_empty())
            .collect();
        let mut found = Self::default();
        let bracketed = lower.contains('(') || lower.contains(',');
        for (at, whole) in words.iter().enumerate() {
            let before = at.checked_sub(1).and_then(|at| words.get(at)).copied().unwrap_or_default();
            let before_that = at.checked_sub(2).and_then(|at| words.get(at)).copied().unwrap_or_default();
            let word = whole.trim_matches(['$', '£', '€', '¥', '₹']);
            // "€m", "k€", "USDm", "TEUR"
            let (word, code) = coded(word).map_or((word, None), |(scale, money)| (scale, Some(money)));
            let sign = whole.chars().find_map(currencies::sign).or(code);
            let factor = match word {
                "million" | "millions" | "mn" | "mln" | "m" | "mio" | "millionen" | "millones" => 1e6,
                "thousand" | "thousands" | "'000" | "000" | "000s" | "'000s" | "k" | "tsd" | "tausend" | "milliers" => {
                    1e3
                }
                "t" if code.is_some() => 1e3,
                "lakh" | "lakhs" => 1e5,
                "crore" | "crores" | "cr" => 1e7,
                "billion" | "billions" | "bn" | "mrd" | "milliarden" | "milliards" => 1e9,
                "trillion" | "trillions" | "tn" => 1e12,
                "%" | "percent" | "percentage" | "pct" | "cent" if word != "cent" || before == "per" => {
                    found.percent = true;
                    continue;
                }
                _ => {
                    let money =
                        sign.or_else(|| currencies::named(word).filter(|_| found.factor.is_some() || bracketed));
                    found.currency = found.currency.or(money);
                    continue;
                }
            };
            let short = word.len() < 3;
            // "SEK m", "US$ mn"
            let last = at + 1 == words.len();
            let code = before.len() == 3 && heading.contains(&before.to_uppercase());
            let coded = last && (code && currencies::named(before).is_some() || before.ends_with(['$', '£', '€', '¥']));
            // "Million tonnes", but not "Thousand Oaks"
            let leads = at == 0 && !short && words.get(1).is_some_and(|unit| words.len() == 2 && UNITS.contains(unit));
            let told = coded
                || leads
                || sign.is_some()
                || before == "in"
                || before_that == "in" && currencies::named(before).is_some()
                || before.chars().all(|c| currencies::sign(c).is_some()) && !before.is_empty()
                || currencies::named(before).is_some() && (bracketed || !short)
                || words.get(at + 1).is_some_and(|next| currencies::named(next).is_some()) && bracketed
                || word.contains("000")
                || !short && bracketed;
            // "4 million" and "one thousand" are figures.
            let times = lower.contains("×1") || lower.contains("× 1") || lower.contains("x 1") || lower.contains("(x1");
            let counted = sign.is_none()
                && !times
                && (before.ends_with(|c: char| c.is_ascii_digit()) || number_word(before).is_some())
                && [' ', ',', '.', '\'', '\u{A0}', '\u{202F}']
                    .iter()
                    .any(|gap| lower.contains(&format!("{before}{gap}{word}")));
            if told && !counted {
                found.factor = Some(factor);
                let before_sign = || before.chars().find_map(currencies::sign).filter(|_| coded);
                found.currency = sign.or(found.currency).or_else(|| currencies::named(before)).or_else(before_sign);
            }
        }
        if found.factor.is_some() || found.percent {
            return found;
        }
        // A price alone is no scale of a table, but "Price (TWD)" tells the currency of its column.
        let inner =
            lower.split_once('(').and_then(|(_, rest)| rest.split_once(')')).map_or("", |(inner, _)| inner.trim());
        let mut letters = inner.chars();
        let sign = letters.next().and_then(currencies::sign).filter(|_| letters.next().is_none());
        Self { currency: currencies::named(inner).or(sign), ..Self::default() }
    }

    /// This scale, or another one if this says nothing.
    fn or(self, other: Self) -> Self {
        if self == Self::default() { other } else { self }
    }

    /// Gives a figure the scale, if it has none of its own. A number such as 2024 is a year unless its own column says what it counts.
    fn give(self, figure: &mut Figure, own: bool) {
        let bare = match figure.kind {
            FigureKind::Count => true,
            FigureKind::Year => own && !figure.written.decade,
            FigureKind::Money(_) => self.factor.is_some(),
            _ => false,
        };
        if !bare || figure.slack > 0.0 || figure.spelled {
            return;
        }
        if self.percent {
            figure.kind = if figure.kind == FigureKind::Count { FigureKind::Percent } else { figure.kind };
            return;
        }
        let Some(factor) = self.factor else {
            if figure.kind == FigureKind::Count {
                figure.kind = self.currency.map_or(figure.kind, FigureKind::Money);
            }
            return;
        };
        let place = if figure.value.fract() == 0.0 { 1.0 } else { 0.1 };
        figure.value *= factor;
        figure.written.other = figure.written.other.map(|value| value * factor);
        figure.slack = if factor > 1.0 { place * factor / 2.0 } else { 0.0 };
        if !matches!(figure.kind, FigureKind::Money(_)) {
            figure.kind = self.currency.map_or(FigureKind::Count, FigureKind::Money);
        }
    }
}

/// The factor and the currency of a word that has both: `msek`, `keur`.
pub fn coded_factor(word: &str) -> Option<(f64, char)> {
    let (scale, sign) = coded(word)?;
    let factor = match scale {
        "m" | "mn" | "mln" => 1e6,
        "bn" => 1e9,
        _ => 1e3,
    };
    Some((factor, sign))
}

/// The scale and the currency of a word that has both.
fn coded(word: &str) -> Option<(&str, char)> {
    let parts = [
        word.split_at_checked(3),
        word.len().checked_sub(3).and_then(|at| word.split_at_checked(at)).map(|(one, two)| (two, one)),
    ];
    let scale = |scale: &str| matches!(scale, "m" | "mn" | "mln" | "bn" | "k" | "t" | "000" | "'000");
    parts.into_iter().flatten().find_map(|(code, rest)| Some((rest, currencies::named(code).filter(|_| scale(rest))?)))
}

#[cfg(test)]
mod tests {

    use crate::reading::{FigureKind, ParsedText};

    fn last(text: &str) -> (f64, FigureKind) {
        let figures = ParsedText::new(text).figures;
        figures.last().map(|figure| (figure.value, figure.kind)).unwrap()
    }

    #[test]
    fn thousands_are_no_scale() {
        assert!((last("The roof costs  310,000 francs.").0 - 310_000.0).abs() < 1.0);
        assert!((last("- Town: Thousand Oaks; Shops: 31").0 - 31.0).abs() < 1e-6);
    }

    #[test]
    fn a_heading_scales_what_stands_under_it() {
        let scaled = last("| Name | Shares (×1,000) |\n|---|---|\n| Lie | 7.5 |\n").0;
        assert!((scaled - 7_500.0).abs() < 1e-6, "{scaled}");
        for text in [
            "- Ward: Elm; Budget (£m): 38",
            "- Ward: Elm; Budget in million pounds: 38",
            "- Ward: Elm; Million pounds: 38",
            "- Ward: Elm; Budget, £ millions: 38",
            "- Budget (£ million): Elm ward; 2024: 38",
            "Budgets of the wards, in £ million\n- Ward: Elm; 2024: 38",
            "- Ward: Elm; Budget (£'000): 38,000",
        ] {
            assert!(matches!(last(text), (38e6, FigureKind::Money('£' | 'q'))), "{text}: {:?}", last(text));
        }
        for text in [
            "Costs of the wards (£m)\n\n| Ward | 2023 | 2024 |\n|---|---|---|\n| Elm | 31 | 38 |",
            "| Ward | 2023, £m | 2024 (£m) |\n|---|---|---|\n| Elm | 31 | 38 |",
            "| £m | 2023 | 2024 |\n| Elm | 31 | 38 |",
            "- Elm ward (GBP million); 2023: 31; 2024: 38",
            "All figures are in millions of pounds\nWard     2023    2024\nElm        31      38",
            "Elm ward £m     31     38",
            "Elm ward (£m): 38",
            "| MGBP | 2023 | 2024 |\n| Elm | 31 | 38 |",
            "m£        2023    2024\nElm        31      38",
            "Ward\t2023, £m\t2024, £m\nElm\t31\t38",
            "Accounts of the ward, in million pounds\nStaff: 31\nElm: 38",
        ] {
            assert!(matches!(last(text), (38e6, FigureKind::Money('£' | 'q'))), "{text}: {:?}", last(text));
        }
        for text in [
            "The ward (old) has 4 million trees.\n\n| Ward | Trees |\n| Elm | 38 |",
            "In £m\nWard     2023    2024\nStaff      31      38",
            "It is told in thousands.  38",
        ] {
            assert_eq!(last(text), (38.0, FigureKind::Count), "{text}");
        }
        let share = "(In millions of dollars, except per share data)\n\nSales     1,482    1,390\nDiluted EPS     $ 0.71    0.55";
        assert_eq!(last(share), (0.55, FigureKind::Money('$')));
        assert_eq!(last("- Ward: Elm; Trees (000s): 38"), (38_000.0, FigureKind::Count));
        assert_eq!(last("- Ward: Elm; Price (EUR): 38"), (38.0, FigureKind::Money('€')));
        assert_eq!(last("- Ward: Elm; Price (£): 38"), (38.0, FigureKind::Money('£')));
        assert_eq!(last("- Ward: Elm; Turnout (%): 38"), (38.0, FigureKind::Percent));
        assert_eq!(last("- Ward: Elm; Trees in the million-tree plan: 38"), (38.0, FigureKind::Count));
    }
}
