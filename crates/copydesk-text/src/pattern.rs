//! Regular expressions that are made at their first use. One that cannot be made fails a test; in a release it matches nothing.

use std::{borrow::Cow, sync::OnceLock};

use regex::{Captures, Match, Regex, Replacer};

/// A regular expression of the house.
pub struct TextPattern {
    written: Written,
    made: OnceLock<Option<Regex>>,
}

enum Written {
    Whole(&'static str),
    Joined(fn() -> String),
}

impl TextPattern {
    pub const fn new(written: &'static str) -> Self {
        Self { written: Written::Whole(written), made: OnceLock::new() }
    }

    /// One that is put together.
    pub const fn joined(written: fn() -> String) -> Self {
        Self { written: Written::Joined(written), made: OnceLock::new() }
    }

    fn made(&self) -> Option<&Regex> {
        let make = || {
            let made = match self.written {
                Written::Whole(written) => Regex::new(written),
                Written::Joined(written) => Regex::new(&written()),
            };
            debug_assert!(made.is_ok(), "{made:?}");
            made.ok()
        };
        self.made.get_or_init(make).as_ref()
    }

    pub fn is_match(&self, text: &str) -> bool {
        self.made().is_some_and(|regex| regex.is_match(text))
    }

    pub fn find<'t>(&self, text: &'t str) -> Option<Match<'t>> {
        self.made()?.find(text)
    }

    pub fn captures<'t>(&self, text: &'t str) -> Option<Captures<'t>> {
        self.made()?.captures(text)
    }

    pub fn find_iter<'t>(&self, text: &'t str) -> impl Iterator<Item = Match<'t>> {
        self.made().into_iter().flat_map(move |regex| regex.find_iter(text))
    }

    pub fn captures_iter<'t>(&self, text: &'t str) -> impl Iterator<Item = Captures<'t>> {
        self.made().into_iter().flat_map(move |regex| regex.captures_iter(text))
    }

    pub fn replace_all<'t>(&self, text: &'t str, by: impl Replacer) -> Cow<'t, str> {
        self.made().map_or(Cow::Borrowed(text), |regex| regex.replace_all(text, by))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_made_at_its_first_use() {
        static JOINED: TextPattern = TextPattern::joined(|| format!("{}b+", "a"));
        assert_eq!(JOINED.replace_all("abb ab", "x"), "x x");
        assert_eq!((JOINED.is_match("b"), JOINED.find_iter("ab abb").count()), (false, 2));
    }

    #[test]
    #[should_panic = "unclosed group"]
    fn a_faulty_one_fails_a_test() {
        static FAULTY: TextPattern = TextPattern::new("(");
        FAULTY.is_match("(");
    }
}
