//! The distance between two words, and how much of it a typing error explains.

/// Longer words are not compared.
const LONGEST: usize = 40;

/// How many letters must be added, dropped, replaced or swapped with a neighbour to make one word of the other (restricted
/// Damerau–Levenshtein distance). None if it is more than `most`.
pub fn distance(one: &str, other: &str, most: usize) -> Option<usize> {
    let (a, b) = (one.chars().count(), other.chars().count());
    let comparable = a.abs_diff(b) <= most && a.max(b) <= LONGEST;
    comparable.then(|| strsim::osa_distance(one, other)).filter(|distance| *distance <= most)
}

/// How many wrong letters a word of this length can have and still be recognised.
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
