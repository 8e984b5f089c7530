//! Numbers of things, as a sentence has them.

use std::fmt::Display;

/// `number` of a thing, in the plural if that is right.
pub fn count<N: Copy + Display + PartialEq + From<u8>>(number: N, thing: &str) -> String {
    let one = number == N::from(1);
    match thing.strip_suffix('y').filter(|stem| !one && !stem.ends_with(['a', 'e', 'i', 'o', 'u'])) {
        Some(stem) => format!("{number} {stem}ies"),
        None => format!("{number} {thing}{}", if one { "" } else { "s" }),
    }
}

/// [`count`] with the thousands set apart: `1 file`, `1,143 files`.
pub fn count_thousands(number: u64, thing: &str) -> String {
    count(number, thing).replacen(&number.to_string(), &thousands(number), 1)
}

/// The first names of a list, and how many there are beside them: `a, b and 3 more`.
pub fn first_of(names: &[String], most: usize) -> String {
    let shown = names.get(..most).unwrap_or(names).join(", ");
    match names.len().saturating_sub(most) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// A part of a whole in per cent, never more than it is: `12 %`, `less than 1 %`, `0 %` of nothing.
pub fn share(part: usize, whole: usize) -> String {
    match part.saturating_mul(100) / whole.max(1) {
        0 if part > 0 => "less than 1 %".to_owned(),
        share => format!("{share} %"),
    }
}

/// A number with a comma before each three digits: 1,143.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (digit, left) in digits.chars().zip((1..=digits.len()).rev()) {
        grouped.push(digit);
        if left % 3 == 1 && left > 1 {
            grouped.push(',');
        }
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_that_is_not_nothing_is_not_called_nothing() {
        let shares = [(0, 10), (1, 1000), (1, 3), (7, 7), (0, 0)].map(|(part, whole)| share(part, whole));
        assert_eq!(shares, ["0 %", "less than 1 %", "33 %", "100 %", "0 %"]);
    }

    #[test]
    fn thousands_are_set_apart() {
        let grouped = [0, 12, 999, 1_000, 12_345, 1_234_567].map(thousands);
        assert_eq!(grouped, ["0", "12", "999", "1,000", "12,345", "1,234,567"]);
    }

    #[test]
    fn one_is_one() {
        assert_eq!(
            (count(0_u32, "run"), count(1_usize, "run"), count(2_u64, "run")),
            ("0 runs".into(), "1 run".into(), "2 runs".into())
        );
        assert_eq!(
            (count_thousands(1, "story"), count_thousands(1_143, "story")),
            ("1 story".into(), "1,143 stories".into())
        );
    }
}
