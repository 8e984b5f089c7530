//! The scale and unit that a table's heading, title or first cell gives its figures: `Cost (€ million)`, `in thousands`, `'000`.

use crate::reading::{Figure, FigureKind, currencies};

/// The scale that a heading gives the figures under it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Scale {
    factor: Option<f64>,
    currency: Option<char>,
    percent: bool,
}

/// Gives the figures of a text's tables the scales of their headings. Numbers in a heading itself are no figures.
pub fn apply(text: &str, figures: &mut Vec<Figure>) {
    if !text.starts_with("- ") && !text.contains("\n- ") {
        return;
    }
    let mut titled = Scale::default();
    let mut begun = false;
    let mut start = 0;
    let mut headings = Vec::new();
    for line in text.split_inclusive('\n') {
        let (first, end) = (start, start + line.len());
        start = end;
        let cells = line.strip_prefix("- ").filter(|cells| cells.contains(": "));
        let Some(cells) = cells else {
            let told = Scale::of(line);
            // A title holds for the rows right below it.
            titled = if told.factor.is_some() {
                told
            } else if begun && !line.trim().is_empty() {
                Scale::default()
            } else {
                titled
            };
            begun = false;
            continue;
        };
        begun = true;
        let mut row = Scale::default();
        let mut at = first + 2;
        for (place, cell) in cells.split_inclusive("; ").enumerate() {
            let (from, to) = (at, at + cell.len());
            at = to;
            let Some((name, value)) = cell.split_once(": ") else { continue };
            if place == 0 {
                row = Scale::of(value).or(Scale::of(name));
            }
            let column = Scale::of(name);
            if column != Scale::default() {
                headings.push(from..from + name.len());
            }
            let scale = column.or(row).or(titled);
            if scale == Scale::default() || place == 0 && column == Scale::default() {
                continue;
            }
            let low = figures.partition_point(|figure| figure.start < from + name.len());
            let high = figures.partition_point(|figure| figure.start < to);
            for figure in figures.get_mut(low..high).unwrap_or_default() {
                scale.give(figure, column != Scale::default());
            }
        }
    }
    figures.retain(|figure| {
        let at = headings.partition_point(|heading| heading.end <= figure.start);
        let named = headings.get(at).is_some_and(|heading| heading.start <= figure.start);
        !named || figure.kind == FigureKind::Year || figure.kind == FigureKind::Date
    });
}

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
            let word = whole.trim_start_matches(['$', '£', '€', '¥', '₹']);
            let sign = whole.chars().next().and_then(currencies::sign);
            let factor = match word {
                "million" | "millions" | "mn" | "mln" | "m" => 1e6,
                "thousand" | "thousands" | "'000" | "000" | "000s" | "'000s" | "k" => 1e3,
                "billion" | "billions" | "bn" => 1e9,
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
            let told = sign.is_some()
                || before == "in"
                || before_that == "in" && currencies::named(before).is_some()
                || before.chars().all(|c| currencies::sign(c).is_some()) && !before.is_empty()
                || currencies::named(before).is_some() && (bracketed || !short)
                || word.contains("000")
                || !short && bracketed;
            if told {
                found.factor = Some(factor);
                found.currency = sign.or(found.currency).or_else(|| currencies::named(before));
            }
        }
        // A price alone is no scale of a table.
        if found.factor.is_none() && !found.percent { Self::default() } else { found }
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
        let Some(factor) = self.factor else { return };
        let place = if figure.value.fract() == 0.0 { 1.0 } else { 0.1 };
        figure.value *= factor;
        figure.written.other = figure.written.other.map(|value| value * factor);
        figure.slack = place * factor / 2.0;
        if !matches!(figure.kind, FigureKind::Money(_)) {
            figure.kind = self.currency.map_or(FigureKind::Count, FigureKind::Money);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::reading::{FigureKind, ParsedText};

    fn last(text: &str) -> (f64, FigureKind) {
        let figures = ParsedText::new(text).figures;
        figures.last().map(|figure| (figure.value, figure.kind)).unwrap()
    }

    #[test]
    fn a_heading_scales_what_stands_under_it() {
        for text in [
            "- Ward: Elm; Budget (£m): 38",
            "- Ward: Elm; Budget in million pounds: 38",
            "- Ward: Elm; Budget, £ millions: 38",
            "- Budget (£ million): Elm ward; 2024: 38",
            "Budgets of the wards, in £ million\n- Ward: Elm; 2024: 38",
            "- Ward: Elm; Budget (£'000): 38,000",
        ] {
            assert_eq!(last(text), (38e6, FigureKind::Money('£')), "{text}");
        }
        assert_eq!(last("- Ward: Elm; Trees (000s): 38"), (38_000.0, FigureKind::Count));
        assert_eq!(last("- Ward: Elm; Turnout (%): 38"), (38.0, FigureKind::Percent));
        assert_eq!(last("- Ward: Elm; Trees in the million-tree plan: 38"), (38.0, FigureKind::Count));
    }
}
