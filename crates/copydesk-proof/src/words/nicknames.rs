//! Short forms of first names: `Liz` is an `Elizabeth`.
//!
//! Why: people use the short form in messages, and a report uses the full one. Neither is a misspelling nor a new
//! name.

use crate::words::{list::WordGroups, spelling::spelt_out};

static FORMS: WordGroups = WordGroups::new(include_str!("../../../../assets/words/nicknames.txt"));

static SAME: WordGroups = WordGroups::new(include_str!("../../../../assets/words/same_first_name.txt"));

/// The other forms of a folded first name.
pub fn other_forms(word: &str) -> impl Iterator<Item = &'static str> {
    FORMS.beside(word)
}

/// Whether a folded word is a common first name, as far as the lists have it.
pub fn is_first_name(word: &str) -> bool {
    FORMS.beside(word).chain(SAME.beside(word)).next().is_some()
}

/// Whether two first names can be one person's: `Tom` and `Thomas`, `E` and `Edwin`, `Edwin` and `Edwin`, `Søren` and `Soeren`.
pub fn first_names_agree(one: &str, other: &str) -> bool {
    let begins = |long: &str, short: &str| long.starts_with(short) && !matches!(short.chars().count(), 0 | 2);
    let spelt_alike = !(one.is_ascii() && other.is_ascii()) && spelt_out(one) == spelt_out(other);
    one == other
        || spelt_alike
        || SAME.beside(one).any(|name| name == other)
        || begins(one, other)
        || begins(other, one)
}

#[cfg(test)]
mod tests {
    use crate::testing::check_texts;

    #[test]
    fn a_short_form_and_the_full_name_are_one() {
        let source = "Liz asked the harbour office about the ferry, and Tom was there.";
        for draft in ["Then the office wrote to Elizabeth.", "Then the office wrote to Thomas."] {
            assert_eq!(check_texts(draft, source), [], "{draft}");
        }
        assert_eq!(check_texts("Then the office wrote to Margaret.", source).len(), 1);
    }
}
