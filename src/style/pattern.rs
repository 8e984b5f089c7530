//! Patterns as Vale's rules have them.
//!
//! Vale compiles them with a port of .NET's engine, so rules use look-around and back-references: `fancy-regex` reads
//! those and hands everything else to the linear engine. A pattern is a stranger's: how large it may grow when it is
//! compiled and how often it may go back while it looks are bounded, and one that asks for more is given up, aloud.

use std::ops::Range;

use fancy_regex::{Regex, RegexBuilder};

/// Longest pattern in bytes, after a rule's tokens are put together.
const LONGEST: usize = 256 * 1024;

/// Most bytes that a compiled pattern may take.
const LARGEST: usize = 8 * 1024 * 1024;

/// Most steps back of one look: some milliseconds.
const STEPS_BACK: usize = 50_000;

/// A compiled pattern.
#[derive(Debug, Clone)]
pub(super) struct Pattern(Regex);

/// A look that was given up: the pattern goes back more often than it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct GivenUp;

impl Pattern {
    /// Compiles `source`.
    ///
    /// # Errors
    /// What is wrong with it, for the end of a sentence.
    pub fn new(source: &str) -> Result<Self, String> {
        if source.len() > LONGEST {
            return Err(format!("is longer than {} kB", LONGEST / 1024));
        }
        RegexBuilder::new(&rewritten(source))
            .backtrack_limit(STEPS_BACK)
            .delegate_size_limit(LARGEST)
            .delegate_dfa_size_limit(LARGEST)
            .build()
            .map(Self)
            .map_err(|error| format!("is no pattern: {}", error.to_string().replace('\n', " ")))
    }

    /// Whether it matches anywhere. A look that is given up matches nothing.
    pub fn is_match(&self, text: &str) -> bool {
        self.0.is_match(text).unwrap_or(false)
    }

    /// Its matches in order, those of no length left out.
    pub fn find_all(&self, text: &str) -> Result<Vec<Range<usize>>, GivenUp> {
        let mut found = Vec::new();
        for found_here in self.0.find_iter(text) {
            let range = found_here.map_err(|_| GivenUp)?.range();
            if !range.is_empty() {
                found.push(range);
            }
        }
        Ok(found)
    }

    /// Its matches in order, each with the first of its groups that took part, counted from 0.
    pub fn find_groups(&self, text: &str) -> Result<Vec<(usize, Range<usize>)>, GivenUp> {
        let mut found = Vec::new();
        for groups in self.0.captures_iter(text) {
            let groups = groups.map_err(|_| GivenUp)?;
            let first = groups.iter().skip(1).enumerate().find_map(|(index, group)| Some((index, group?.range())));
            found.extend(first.filter(|(_, range)| !range.is_empty()));
        }
        Ok(found)
    }

    /// Its matches in order, each with 0 where its group `one` took part and 1 where `other` did.
    pub fn find_named(&self, text: &str) -> Result<Vec<(usize, Range<usize>)>, GivenUp> {
        let mut found = Vec::new();
        for groups in self.0.captures_iter(text) {
            let groups = groups.map_err(|_| GivenUp)?;
            let mut named = ["one", "other"].iter().enumerate();
            let way = named.find_map(|(way, name)| Some((way, groups.name(name)?.range())));
            found.extend(way.filter(|(_, range)| !range.is_empty()));
        }
        Ok(found)
    }

    /// What its groups hold, of every match, as texts.
    pub fn group_texts(&self, text: &str) -> Result<Vec<String>, GivenUp> {
        let mut found = Vec::new();
        for groups in self.0.captures_iter(text) {
            let groups = groups.map_err(|_| GivenUp)?;
            let texts = groups.iter().skip(1).flatten().map(|group| group.as_str().to_owned());
            found.extend(texts.filter(|text| !text.is_empty()));
        }
        Ok(found)
    }

    /// `text` with the first match put as `with` says, where `$1` stands for a group.
    pub fn put(&self, text: &str, with: &str) -> String {
        match self.0.try_replacen(text, 1, with) {
            Ok(put) => put.into_owned(),
            Err(_) => with.to_owned(),
        }
    }
}

/// A pattern of .NET's in the words of the engine here. In a class `[` stands for itself there and opens another class
/// here; `&&`, `--` and `~~` are two marks there and an operation here.
fn rewritten(source: &str) -> String {
    let mut written = String::with_capacity(source.len());
    let mut class = false;
    let mut chars = source.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                written.push(c);
                written.extend(chars.next());
            }
            '[' if !class => {
                class = true;
                written.push(c);
                // A closing mark that comes first stands for itself.
                written.extend(chars.next_if_eq(&'^'));
                if chars.next_if_eq(&']').is_some() {
                    written.push_str("\\]");
                }
            }
            '[' if chars.peek() == Some(&':') => {
                written.push(c);
                for c in chars.by_ref() {
                    written.push(c);
                    if c == ']' {
                        break;
                    }
                }
            }
            '[' => written.push_str("\\["),
            ']' => {
                class = false;
                written.push(c);
            }
            '&' | '~' | '-' if class && chars.peek() == Some(&c) => {
                written.push('\\');
                written.push(c);
            }
            c => written.push(c),
        }
    }
    written
}

/// The words of `tokens` as one alternation between word boundaries, or anywhere where `nonword`; behind or before `raw`.
pub(super) fn words(tokens: &[String], nonword: bool, ignore_case: bool) -> String {
    let case = if ignore_case { "(?i)" } else { "" };
    let tokens = tokens.join("|");
    if nonword { format!("{case}(?m)(?:{tokens})") } else { format!("{case}(?m)\\b(?:{tokens})\\b") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all<'t>(pattern: &str, text: &'t str) -> Vec<&'t str> {
        let ranges = Pattern::new(pattern).unwrap().find_all(text).unwrap();
        ranges.into_iter().filter_map(|range| text.get(range)).collect()
    }

    #[test]
    fn look_around_and_back_references_are_read() {
        assert_eq!(all(r"(?<!not )very(?= good)", "very good, not very good, very bad"), ["very"]);
        assert_eq!(all(r"\b(\w+) \1\b", "it was was so"), ["was was"]);
    }

    #[test]
    fn a_class_of_the_other_engine_is_the_same_class_here() {
        assert_eq!(all("[^[]+", "a[b"), ["a", "b"]);
        assert_eq!(all("[]x]", "]"), ["]"]);
        assert_eq!(all("[a&&b]+", "a&b"), ["a&b"]);
        assert_eq!(all("[[:digit:]]+", "a12"), ["12"]);
    }

    #[test]
    fn a_hostile_pattern_is_refused_or_given_up() {
        assert!(Pattern::new("(").is_err());
        assert!(Pattern::new("((a{1000}){1000}){1000}").is_err());
        assert!(Pattern::new(&"a|".repeat(LONGEST)).is_err());
        let backwards = Pattern::new(r"(a+)+\1c").unwrap();
        assert_eq!(backwards.find_all(&format!("{}b", "a".repeat(2_000))), Err(GivenUp));
        assert!(!backwards.is_match(&format!("{}b", "a".repeat(2_000))));
    }
}
