//! Reads figures as a person does: amounts, percentages, counts, years, dates, times, tallies; in digits or in words.

mod numbers;
mod parts;
mod reader;
mod units;
mod years;

use crate::reading::{
    Figure, FigureKind, Token, calendar, currencies, measures::measure, numerals::Habit, scales, signs,
};
use reader::FigureReader;

/// Words before the number of a paper.
const NUMBERED: [&str; 12] =
    ["Resolution", "Ordinance", "Bill", "Docket", "Case", "No", "Item", "Order", "File", "Motion", "Act", "Regulation"];

/// The figures of a text, in order.
pub fn read(text: &str, tokens: &[Token]) -> Vec<Figure> {
    let mut found: Vec<Figure> = Vec::new();
    let mut next = 0;
    let digits = tokens.iter().filter(|token| token.counts && token.word.starts_with(|c: char| c.is_ascii_digit()));
    let reader = FigureReader { text, tokens, habit: Habit::of(digits.map(|token| token.word.as_str())) };
    while let Some(token) = tokens.get(next) {
        let index = next;
        next += 1;
        if !token.counts {
            continue;
        }
        let century = reader.century(index);
        let figure = century
            .or_else(|| calendar::date(text, tokens, index))
            .or_else(|| calendar::time(text, tokens, index))
            .or_else(|| measure(text, tokens, index))
            .or_else(|| reader.years(index))
            .or_else(|| reader.one_in(index))
            .or_else(|| reader.fraction(index))
            .or_else(|| reader.number(index));
        let Some(mut figure) = figure else { continue };
        signs::mark(text, tokens, &mut figure);
        next = figure.tokens.end.max(next);
        if !tokens.get(figure.tokens.start).is_some_and(Token::aside) {
            found.push(figure);
        }
    }
    join(text, &mut found);
    clock(text, &mut found);
    currencies::settle(text, &mut found);
    scales::apply(text, &mut found);
    found
}

/// In a text with a clock of 24 hours, 9:30 is in the morning.
fn clock(text: &str, figures: &mut [Figure]) {
    let written = |figure: &Figure| text.get(figure.start..figure.end).unwrap_or_default();
    let bare = |figure: &Figure| {
        figure.kind == FigureKind::Time && written(figure).bytes().all(|byte| byte.is_ascii_digit() || byte == b':')
    };
    let shows = |figure: &Figure| bare(figure) && (figure.value >= 780.0 || written(figure).starts_with('0'));
    if figures.iter().any(shows) {
        figures.iter_mut().filter(|figure| bare(figure)).for_each(|figure| figure.half_day = true);
    }
}

/// The text between two figures separates or joins them: `9.1 to 7.4 percent`, `5–2`, `$5 to $6 million`.
fn join(text: &str, figures: &mut [Figure]) {
    for index in 1..figures.len() {
        let (left, right) = figures.split_at_mut(index);
        let (Some(left), Some(right)) = (left.last_mut(), right.first_mut()) else { continue };
        let gap = text.get(left.end..right.start).unwrap_or_default();
        let dash = matches!(gap, "-" | "–" | "—" | "‑");
        let word = gap.trim().to_lowercase();
        let ranged = dash || matches!(word.as_str(), "to" | "and" | "or" | "–" | "-" | "against" | "instead of");
        let money = matches!(right.kind, FigureKind::Money(_));
        let shared =
            ranged && right.kind == FigureKind::Percent || (dash || word == "to") && money && right.slack <= 0.0;
        if shared && left.kind == FigureKind::Count {
            left.kind = right.kind;
        }
        if ranged && money && right.slack > 0.0 && left.value < 1_000.0 {
            let scale = [1e9, 1e6].into_iter().find(|scale| right.value >= *scale).unwrap_or(1e3);
            if left.kind == FigureKind::Count || left.kind == right.kind {
                left.kind = right.kind;
                left.value *= scale;
            }
        }
        let next = (right.value - (left.value + 1.0) % 100.0).abs() < 0.5;
        if (dash || gap == "/" && next)
            && left.kind == FigureKind::Year
            && right.kind == FigureKind::Count
            && right.value < 100.0
        {
            right.kind = FigureKind::Year;
            right.value += (left.value / 100.0).floor() * 100.0;
        } else if left.kind == FigureKind::Count
            && right.kind == FigureKind::Count
            && (dash || gap == ":" || word == "to" || word == "votes to")
        {
            // "Resolution 25-88" is named by its number.
            let before = text.get(..left.start).unwrap_or_default().split_whitespace().next_back();
            let named = dash && before.is_some_and(|word| NUMBERED.contains(&word.trim_end_matches('.')));
            let apart = !named && (dash || word != "to" || left.spelled == right.spelled);
            if apart && left.value <= 600.0 && right.value <= 600.0 {
                left.partner = Some(right.value);
                left.written.leads = true;
                right.partner = Some(left.value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::{ParsedText, near};

    fn figures(text: &str) -> Vec<(String, f64, FigureKind)> {
        let reading = ParsedText::new(text);
        reading.figures.iter().map(|f| (reading.slice(f.start..f.end).to_owned(), f.value, f.kind)).collect()
    }

    fn one(text: &str) -> Figure {
        ParsedText::new(text).figures.into_iter().next().unwrap()
    }

    #[test]
    fn one_amount_in_many_forms() {
        for other in [
            "1.2 million dollars",
            "$1,200,000",
            "$1.2m",
            "$1.2million",
            "$1.2\n   million",
            "one million two hundred thousand dollars",
        ] {
            assert!(one("$1.2 million").same(&one(other)), "{other}");
        }
        assert!(one("EUR31m").same(&one("€31 million")) && one("GBP77.4m").same(&one("£77.4 million")));
        for other in ["50$", "$ 50", "50 bucks", "fifty dollars"] {
            assert!(one("$50").same(&one(other)), "{other}");
        }
        for other in ["50p", "50 pence", "fifty pence"] {
            assert!(one("£0.50").same(&one(other)), "{other}: {:?}", one(other));
        }
        assert_eq!(one("1080p").kind, FigureKind::Count);
        assert!(!one("$1.2 million").same(&one("£1.2 million")));
    }

    #[test]
    fn numbers_in_words() {
        for (text, value) in [
            ("two hundred and six children", 206.0),
            ("forty-two trees", 42.0),
            ("a dozen eggs", 12.0),
            ("half a dozen eggs", 6.0),
            ("half a million dollars", 500_000.0),
            ("one and a half million dollars", 1_500_000.0),
            ("eight and a half percent", 8.5),
            ("3½ percent", 3.5),
            ("10¾ inches", 10.75),
            ("fourteen hundred and sixty dollars", 1460.0),
            ("a hundred and fifty percent", 150.0),
            ("nine hundred thousand dollars", 900_000.0),
        ] {
            assert!(near(one(text).value, value), "{text}: {:?}", one(text));
        }
        assert!(figures("one of them, a house").is_empty());
    }

    #[test]
    fn units_reach_back_over_a_range() {
        assert_eq!(
            figures("went from 9.1 to 7.4 percent"),
            [("9.1".to_owned(), 9.1, FigureKind::Percent), ("7.4 percent".to_owned(), 7.4, FigureKind::Percent)]
        );
        assert_eq!(one("The vote was 5–2.").partner, Some(2.0));
        assert!(near(figures("during 2024–25")[1].1, 2025.0));
    }

    #[test]
    fn a_year_that_values_money_is_no_figure() {
        assert_eq!(
            figures("$5 million in 2019 dollars, and 2019 dollars more, and in 2019 itself"),
            [
                ("$5 million".to_owned(), 5e6, FigureKind::Money('$')),
                ("2019 dollars".to_owned(), 2019.0, FigureKind::Money('$')),
                ("2019".to_owned(), 2019.0, FigureKind::Year),
            ]
        );
    }

    #[test]
    fn a_scale_and_a_decade_stand_in_many_places() {
        let loss = one("Result of the port, in thousand euros: (45).");
        assert!(loss.same(&one("minus 45 thousand euros")));
        assert!(one("from 3 to 9 pesos").kind != FigureKind::Count);
        assert!(figures("several hundred boats, a few thousand more").is_empty());
        assert!(one("dans les années 60").same(&one("1964")) && one("in den 1960er Jahren").same(&one("1964")));
        assert!(figures("It was written by P. K. Ruud.").is_empty());
        assert!(one("in the early 60s").same(&one("1964")) && !one("in the late 60s").same(&one("1974")));
    }

    #[test]
    fn a_third_is_about_33_percent_and_a_third_step_is_not() {
        assert!(one("by a third").same(&one("33.3 percent")));
        assert!(figures("a third step").is_empty());
    }
}
