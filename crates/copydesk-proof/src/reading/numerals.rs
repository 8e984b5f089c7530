//! Numbers in digits, by the habit of their text: `12,450.5`, `12.450,5`, `12 450`, `12'450`, `1,23,456`.

use copydesk_text::words::{NumberWord, number_word};

/// The meaning of a text's points and commas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Habit {
    /// `12,450.5`
    Point,
    /// `12.450,5`
    Comma,
    /// The text does not show it.
    Unknown,
}

/// A number in digits, without what stands behind it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Numeral {
    pub value: f64,
    /// The other value that it may have if the text does not show what its points mean.
    pub other: Option<f64>,
    pub decimals: usize,
}

impl Habit {
    /// The habit of a text, by its words that begin with a digit.
    pub fn of<'w>(words: impl Iterator<Item = &'w str>) -> Self {
        let (mut point, mut comma) = (0_u32, 0_u32);
        for word in words {
            let number = number(word);
            match (number.matches(',').count(), number.matches('.').count()) {
                (0, 0) => {}
                (0, 1) => point += u32::from(behind(number, '.') != 3),
                (0, _) => comma += u32::from(grouped(number, '.')),
                (1, 0) if behind(number, ',') != 3 => comma += 1,
                (_, 0) => point += u32::from(grouped(number, ',')),
                (..) if number.rfind(',') > number.rfind('.') => comma += 1,
                (..) => point += 1,
            }
        }
        match (point, comma) {
            (0, 0) => Self::Unknown,
            _ if comma >= point => Self::Comma,
            _ => Self::Point,
        }
    }

    /// Reads a number. None if it is none: `14.03.2024`.
    pub fn read(self, written: &str) -> Option<Numeral> {
        let decimal = |point: char, thousands: char| {
            let plain: String = written.chars().filter(|c| *c != thousands).collect();
            let decimals = if written.contains(point) { behind(written, point) } else { 0 };
            Some(Numeral { value: plain.replace(point, ".").parse().ok()?, other: None, decimals })
        };
        let either = |point: char, thousands: char| {
            Some(Numeral { other: Some(decimal(thousands, point)?.value), ..decimal(point, thousands)? })
        };
        match (written.matches(',').count(), written.matches('.').count()) {
            (0, 1) if behind(written, '.') == 3 && grouped(written, '.') => match self {
                Self::Point => decimal('.', ','),
                Self::Comma => decimal(',', '.'),
                Self::Unknown => either('.', ','),
            },
            (0, 0 | 1) => decimal('.', ','),
            (0, _) if grouped(written, '.') => decimal(',', '.'),
            (1, 0) if behind(written, ',') != 3 || written.starts_with('0') => decimal(',', '.'),
            (1, 0) if self == Self::Comma => either(',', '.'),
            (1, 1..) if written.rfind(',') > written.rfind('.') => decimal(',', '.'),
            (..) => decimal('.', ','),
        }
    }
}

/// The digits, points and commas that a word begins with.
fn number(word: &str) -> &str {
    let end = word.find(|c: char| !(c.is_ascii_digit() || matches!(c, ',' | '.'))).unwrap_or(word.len());
    word.get(..end).unwrap_or_default()
}

/// A word without the apostrophes between its thousands: `12'450`.
fn without_apostrophes(word: &str) -> Option<String> {
    let end = word.find(|c: char| !(c.is_ascii_digit() || c == '\'')).unwrap_or(word.len());
    let head = word.get(..end)?;
    grouped(head, '\'').then(|| word.replace('\'', ""))
}

fn behind(number: &str, mark: char) -> usize {
    number.rsplit(mark).next().map_or(0, str::len)
}

/// Whether a mark parts a number's thousands.
fn grouped(number: &str, mark: char) -> bool {
    let mut groups = number.split(mark);
    let first = groups.next().unwrap_or_default();
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let whole = digits(first) && first.len() <= 3 && !first.starts_with('0');
    let mut rest = groups.peekable();
    whole && rest.peek().is_some() && rest.all(|group| group.len() == 3 && digits(group))
}

/// The value of a word that is a number by itself: `7`, `2.5`, `seven`.
pub fn value_of(word: &str) -> Option<f64> {
    match number_word(word) {
        Some(NumberWord::Unit(unit)) => Some(f64::from(unit)),
        _ => word.parse().ok(),
    }
}

/// The letters behind a number in the same word.
pub enum Suffix {
    None,
    Scale(f64),
    Decade,
    /// `50p`. A thousand and more are a picture's lines.
    Pence,
}

/// The value of a word that begins with a digit, its other value and its decimals, if it is a plain number or its ending gives its size.
pub fn digits(word: &str, habit: Habit) -> Option<(f64, Option<f64>, usize, Suffix)> {
    let plain = without_apostrophes(word);
    let word = plain.as_deref().unwrap_or(word);
    // "3½", folded: the last digit before the bar belongs to the fraction.
    if let Some((head, below)) = word.split_once('⁄') {
        let (whole, above) = head.split_at_checked(head.len().checked_sub(1)?)?;
        let (above, below): (f64, f64) = (above.parse().ok()?, below.parse().ok()?);
        let whole: f64 = if whole.is_empty() { 0.0 } else { whole.parse().ok()? };
        return (below > above).then_some((whole + above / below, None, 0, Suffix::None));
    }
    let number = number(word);
    let ending = word.get(number.len()..)?;
    let read = habit.read(number.trim_end_matches(['.', ',']))?;
    let value = read.value;
    let suffix = match ending {
        "p" if value < 1_000.0 => Suffix::Pence,
        "" | "c" | "p" | "km" | "kg" | "ft" | "m²" | "g" | "cm" | "mm" | "mph" | "kw" | "mw" | "gw" | "kwh" | "in" => {
            Suffix::None
        }
        "k" | "thousand" => Suffix::Scale(1e3),
        "m" | "mn" | "mln" | "million" => Suffix::Scale(1e6),
        "bn" | "b" | "billion" => Suffix::Scale(1e9),
        "tn" | "trillion" => Suffix::Scale(1e12),
        "s" | "'s" if number.len() == 4 => Suffix::Decade,
        _ => return None,
    };
    Some((value, read.other, read.decimals, suffix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_and_commas_mean_what_they_mean_in_the_text() {
        for (habit, written, value) in [
            (Habit::Unknown, "7,310", 7_310.0),
            (Habit::Unknown, "7,3", 7.3),
            (Habit::Unknown, "7.310.000", 7_310_000.0),
            (Habit::Unknown, "7.310,5", 7_310.5),
            (Habit::Unknown, "7,310.5", 7_310.5),
            (Habit::Unknown, "1,23,456", 123_456.0),
            (Habit::Point, "7.310", 7.31),
            (Habit::Comma, "7.310", 7_310.0),
            (Habit::Comma, "7,310", 7.31),
        ] {
            assert_eq!(habit.read(written).map(|read| read.value), Some(value), "{written}");
        }
        assert_eq!(Habit::Unknown.read("7.310").and_then(|read| read.other), Some(7_310.0));
        assert_eq!(Habit::Unknown.read("14.03.2024"), None);
        assert_eq!(without_apostrophes("12'450m").as_deref(), Some("12450m"));
        assert_eq!(without_apostrophes("6'2"), None);
    }

    #[test]
    fn a_text_shows_its_habit() {
        assert_eq!(Habit::of(["1,5", "12.450"].into_iter()), Habit::Comma);
        assert_eq!(Habit::of(["1.5", "12,450"].into_iter()), Habit::Point);
        assert_eq!(Habit::of(["12.450", "3"].into_iter()), Habit::Unknown);
    }
}
