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

/// A folded word as German and Scandinavian names are written without their own letters.
pub fn spelt_out(word: &str) -> String {
    let letters = [("ä", "ae"), ("æ", "ae"), ("ö", "oe"), ("ø", "oe"), ("ü", "ue"), ("å", "aa"), ("ß", "ss")];
    letters.iter().fold(word.to_owned(), |word, (one, two)| word.replace(one, two))
}

/// How many wrong letters a word of this length can have and still be recognised.
pub fn slips(word: &str) -> usize {
    match word.chars().count() {
        0..=3 => 0,
        4..=5 => 1,
        _ => 2,
    }
}

/// Endings of British words, and of the same words in America.
const ACROSS: [(&str, &str); 13] = [
    ("our", "or"),
    ("ours", "ors"),
    ("oured", "ored"),
    ("re", "er"),
    ("res", "ers"),
    ("ence", "ense"),
    ("ences", "enses"),
    ("isation", "ization"),
    ("isations", "izations"),
    ("ise", "ize"),
    ("ised", "ized"),
    ("amme", "am"),
    ("ammes", "ams"),
];

/// A folded word as it may be spelt across the Atlantic: `defense` for `defence`, `program` for `programme`. It gives more than
/// there is.
pub fn across_the_atlantic(word: &str) -> impl Iterator<Item = String> + '_ {
    let pairs = ACROSS.iter().flat_map(|(one, other)| [(*one, *other), (*other, *one)]);
    pairs.filter_map(|(from, to)| {
        word.strip_suffix(from).filter(|rest| rest.len() > 2).map(|rest| format!("{rest}{to}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_known_in_both_spellings() {
        let other = |word: &str, wanted: &str| across_the_atlantic(word).any(|found| found == wanted);
        for (british, american) in
            [("defence", "defense"), ("centre", "center"), ("labour", "labor"), ("programme", "program")]
        {
            assert!(other(british, american) && other(american, british), "{british}");
        }
        assert!(!other("strand", "brand"));
    }

    #[test]
    fn slips_of_the_pen_are_near() {
        assert_eq!(distance("merchant", "marchand", 2), Some(2));
        assert_eq!(distance("pruitt", "pruett", 2), Some(1));
        assert_eq!(distance("brian", "brain", 2), Some(1));
        assert_eq!(distance("upper", "lower", 2), None);
    }
}
