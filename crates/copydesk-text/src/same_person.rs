//! Whether two names may be of one person.

use super::words::fold;

/// Whether two names may be of one person: the same words, or the same last word where one is a surname alone.
pub fn same_person(one: &str, other: &str) -> bool {
    let words = |name: &str| fold(name).split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let (one, other) = (words(one), words(other));
    one == other || (one.last().is_some() && one.last() == other.last() && (one.len() == 1 || other.len() == 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_surname_is_the_persons_and_another_first_name_is_not() {
        for (one, other, same) in [
            ("Ann Lee", "ann  LEE", true),
            ("Ann Lee", "Lee", true),
            ("Ann Lee", "Bob Lee", false),
            ("Ann Lee", "Ann", false),
            ("", "", true),
        ] {
            assert_eq!((same_person(one, other), same_person(other, one)), (same, same), "{one} {other}");
        }
    }
}
