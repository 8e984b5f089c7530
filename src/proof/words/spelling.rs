//! How far two words are apart, and which one a slip of the pen most likely meant.

/// Insertions, deletions, substitutions and swaps of neighbours between two words; `None` where there are more than
/// `most` (restricted Damerau–Levenshtein distance).
pub fn distance(one: &str, other: &str, most: usize) -> Option<usize> {
    let (a, b): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    if a.len().abs_diff(b.len()) > most || a.len() > 40 || b.len() > 40 {
        return None;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (row, x) in a.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, y) in b.iter().enumerate() {
            let get = |list: &Vec<usize>, at: usize| list.get(at).copied().unwrap_or(usize::MAX / 2);
            let mut cost = (get(&last, column) + usize::from(x != y))
                .min(get(&last, column + 1) + 1)
                .min(get(&current, column) + 1);
            let swapped = row > 0 && column > 0 && a.get(row - 1) == Some(y) && b.get(column - 1) == Some(x);
            if swapped {
                cost = cost.min(get(&before, column - 1) + 1);
            }
            current.push(cost);
        }
        before = last;
        last = current;
    }
    last.last().copied().filter(|distance| *distance <= most)
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
