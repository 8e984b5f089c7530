//! The length that a topic asks for.

/// A draft below this share of the fewest words is short, in per cent.
const SHORT: usize = 60;

/// A draft above this share of the most words is long, in per cent.
const LONG: usize = 150;

/// Fewest and most words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TargetLength {
    pub least: usize,
    pub most: usize,
}

impl TargetLength {
    /// From `250-400`, `900–1,200 words`, `500` or `about 500 words`. A single number is the most, and nine tenths of it are the fewest.
    /// None without a number.
    pub fn of(asked: &str) -> Option<Self> {
        let asked = asked.replace(',', "");
        let numbers: Vec<usize> =
            asked.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect();
        match numbers.as_slice() {
            [] => None,
            [one] => Some(Self { least: one.saturating_mul(9) / 10, most: (*one).max(1) }),
            [one, other, ..] => Some(Self { least: *one.min(other), most: (*one.max(other)).max(1) }),
        }
    }

    /// Words in the middle.
    pub fn middle(self) -> usize {
        self.least.saturating_add(self.most) / 2
    }

    /// Whether a draft of so many words is far too short.
    pub fn is_short(self, words: usize) -> bool {
        words.saturating_mul(100) < self.least.saturating_mul(SHORT)
    }

    /// Whether it is far too long.
    pub fn is_long(self, words: usize) -> bool {
        words.saturating_mul(100) > self.most.saturating_mul(LONG)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_read_in_every_usual_form() {
        let of = |asked: &str| TargetLength::of(asked).map(|target| (target.least, target.most));
        assert_eq!(of("250-400"), Some((250, 400)));
        assert_eq!(of("900–1,200 words"), Some((900, 1200)));
        assert_eq!(of("about 500"), Some((450, 500)));
        assert_eq!(of("1200 to 900"), Some((900, 1200)));
        assert_eq!(of("short"), None);
    }

    #[test]
    fn a_draft_is_short_or_long_only_far_beyond_its_target() {
        let target = TargetLength { least: 900, most: 1200 };
        assert!(target.is_short(539) && !target.is_short(540));
        assert!(target.is_long(1801) && !target.is_long(1800));
        assert_eq!(target.middle(), 1050);
    }
}
