//! How far two words are apart, and which one a slip of the pen most likely meant.

/// Insertions, deletions, substitutions and swaps of neighbours between two words; `None` where there are more than
/// `most` (restricted Damerau–Levenshtein distance).
pub fn distance(one: &str, other: &str, most: usize) -> Option<usize> {
    let (first, second) = (one.chars().count(), other.chars().count());
    if first.abs_diff(second) > most || first.max(second) > 40 {
        return None;
    }
    Some(strsim::osa_distance(one, other)).filter(|distance| *distance <= most)
}

/// How many slips a word of this length can bear and still be meant.
pub fn slips(word: &str) -> usize {
    match word.chars().count() {
        0..=3 => 0,
        4..=5 => 1,
        _ => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_the_pen_are_near() {
        assert_eq!(distance("merchant", "marchand", 2), Some(2));
        assert_eq!(distance("pruitt", "pruett", 2), Some(1));
        assert_eq!(distance("brian", "brain", 2), Some(1));
        assert_eq!(distance("upper", "lower", 2), None);
    }
}
