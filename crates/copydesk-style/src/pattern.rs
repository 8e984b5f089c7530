//! Patterns as Vale's rules have them.
//!
//! Vale compiles them with a port of .NET's engine, so rules use look-around and back-references. `fancy-regex` reads
//! those and hands everything else to the linear engine.
//!
//! A pattern is a stranger's. Bounds hold how large it may grow when it is compiled, how often it may go back while it
//! looks, and how much it may look at. A pattern that asks for more is given up, aloud. The bounds are counts, no
//! times: the same rule says the same of the same text everywhere.

use std::{cell::Cell, ops::Range};

use fancy_regex::{Captures, Regex, RegexBuilder};

/// Longest pattern in bytes, after a rule's tokens are put together.
const LONGEST: usize = 256 * 1024;

/// Most bytes that a compiled pattern may take.
const LARGEST: usize = 8 * 1024 * 1024;

/// Most steps back of one look: some milliseconds.
const STEPS_BACK: usize = 50_000;

/// Most bytes that a pattern sees at once. Sentences and paragraphs are far shorter; a whole field is looked at piece by
/// piece, cut between paragraphs, lines, sentences or words, in that order.
const PIECE: usize = 2 * 1024;

/// Work of one rule on one article: the sum of what lay ahead of each look. Enough for a rule that finds each word of
/// the longest article; some seconds for one that reads to the end of its piece again and again.
const WORK: usize = 50_000_000;

/// The cost of beginning a look, in bytes looked at.
const LOOK: usize = 250;

/// A compiled pattern.
#[derive(Debug, Clone)]
pub(super) struct Pattern(Regex);

/// The fault of a pattern, for the end of a sentence.
#[derive(Debug, thiserror::Error)]
pub(super) enum PatternError {
    #[error("is longer than {} kB", LONGEST / 1024)]
    TooLong,
    #[error("is no pattern: {}", .0.to_string().replace('\n', " "))]
    NoPattern(#[from] fancy_regex::Error),
}

/// A look that was given up: the pattern goes back more often than it may, or the rule's [`PatternBudget`] is at its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct GivenUp;

/// How much work a rule may still take on an article. Even an engine that never goes back reads to the end of a text to
/// see that a longer match is not there. It does so again behind each match: the square of the text's length.
#[derive(Debug)]
pub(super) struct PatternBudget(Cell<usize>);

impl PatternBudget {
    pub fn new() -> Self {
        Self(Cell::new(WORK))
    }

    /// Takes what a look at `ahead` bytes may cost.
    fn spend(&self, ahead: usize) -> Result<(), GivenUp> {
        let left = self.0.get().checked_sub(ahead + LOOK).ok_or(GivenUp)?;
        self.0.set(left);
        Ok(())
    }
}

impl Pattern {
    /// Compiles `source`.
    ///
    /// # Errors
    /// [`PatternError`].
    pub fn new(source: &str) -> Result<Self, PatternError> {
        if source.len() > LONGEST {
            return Err(PatternError::TooLong);
        }
        let compiled = RegexBuilder::new(&rewritten(source))
            .backtrack_limit(STEPS_BACK)
            .delegate_size_limit(LARGEST)
            .delegate_dfa_size_limit(LARGEST)
            .build()?;
        Ok(Self(compiled))
    }

    /// Whether it matches anywhere. A look that is given up matches nothing.
    pub fn is_match(&self, text: &str) -> bool {
        self.0.is_match(text).unwrap_or(false)
    }

    /// Its matches in order, those of no length left out.
    pub fn find_all(&self, text: &str, patience: &PatternBudget) -> Result<Vec<Range<usize>>, GivenUp> {
        let mut found = Vec::new();
        for (offset, piece) in pieces(text) {
            patience.spend(piece.len())?;
            for here in self.0.find_iter(piece) {
                let range = here.map_err(|_| GivenUp)?.range();
                patience.spend(piece.len() - range.end)?;
                if !range.is_empty() {
                    found.push(moved(&range, offset));
                }
            }
        }
        Ok(found)
    }

    /// Its matches in order, each with the first of its groups that took part, counted from 0.
    pub fn find_groups(&self, text: &str, patience: &PatternBudget) -> Result<Vec<(usize, Range<usize>)>, GivenUp> {
        self.each(text, patience, |offset, groups| {
            let first = groups.iter().skip(1).enumerate().find_map(|(index, group)| Some((index, group?.range())));
            first.filter(|(_, range)| !range.is_empty()).map(|(at, range)| (at, moved(&range, offset)))
        })
    }

    /// Its matches in order, each with 0 if its group `one` took part and 1 if `other` did.
    pub fn find_named(&self, text: &str, patience: &PatternBudget) -> Result<Vec<(usize, Range<usize>)>, GivenUp> {
        self.each(text, patience, |offset, groups| {
            let mut named = ["one", "other"].iter().enumerate();
            let way = named.find_map(|(way, name)| Some((way, groups.name(name)?.range())));
            way.filter(|(_, range)| !range.is_empty()).map(|(way, range)| (way, moved(&range, offset)))
        })
    }

    /// Returns the texts of the groups of every match, without empty ones.
    pub fn group_texts(&self, text: &str, patience: &PatternBudget) -> Result<Vec<String>, GivenUp> {
        self.each(text, patience, |_, groups| {
            let texts = groups.iter().skip(1).flatten().map(|group| group.as_str().to_owned());
            texts.filter(|text| !text.is_empty()).collect::<Vec<String>>()
        })
    }

    /// All that `taken` takes from the groups of each match. It is also told the place in `text` from which they are counted.
    fn each<T, I: IntoIterator<Item = T>>(
        &self,
        text: &str,
        patience: &PatternBudget,
        taken: impl Fn(usize, &Captures<'_, str>) -> I,
    ) -> Result<Vec<T>, GivenUp> {
        let mut found = Vec::new();
        for (offset, piece) in pieces(text) {
            patience.spend(piece.len())?;
            for groups in self.0.captures_iter(piece) {
                let groups = groups.map_err(|_| GivenUp)?;
                patience.spend(groups.get(0).map_or(0, |whole| piece.len() - whole.end()))?;
                found.extend(taken(offset, &groups));
            }
        }
        Ok(found)
    }

    /// `text` with the first match put as `with` says, where `$1` stands for a group.
    pub fn put(&self, text: &str, with: &str) -> String {
        self.0.try_replacen(text, 1, with).map_or_else(|_| with.to_owned(), std::borrow::Cow::into_owned)
    }
}

fn moved(range: &Range<usize>, by: usize) -> Range<usize> {
    range.start + by..range.end + by
}

/// A text as a pattern sees it: all of it if it is short, otherwise in pieces with their places.
fn pieces(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let (start, rest) = (at, text.get(at..)?);
        let piece = rest.get(..cut(rest))?;
        at += piece.len();
        (!piece.is_empty()).then_some((start, piece))
    })
}

/// Where the first piece of a text ends.
fn cut(text: &str) -> usize {
    if text.len() <= PIECE {
        return text.len();
    }
    let most = text.floor_char_boundary(PIECE);
    let head = text.get(..most).unwrap_or_default();
    let edge = ["\n\n", "\n", ". ", " "].into_iter().find_map(|edge| Some(head.rfind(edge)? + edge.len()));
    edge.unwrap_or(most)
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

/// Whether a rule makes an exception of the text.
pub(super) fn excepts(exceptions: Option<&Pattern>, text: &str) -> bool {
    exceptions.is_some_and(|exceptions| exceptions.is_match(text))
}

/// The words of `tokens` as one alternation between word boundaries, or anywhere if `nonword`; behind or before `raw`.
pub(super) fn words(tokens: &[String], nonword: bool, ignore_case: bool) -> String {
    let case = if ignore_case { "(?i)" } else { "" };
    let tokens = tokens.join("|");
    if nonword { format!("{case}(?m)(?:{tokens})") } else { format!("{case}(?m)\\b(?:{tokens})\\b") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all<'t>(pattern: &str, text: &'t str) -> Vec<&'t str> {
        let ranges = Pattern::new(pattern).unwrap().find_all(text, &PatternBudget::new()).unwrap();
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
        assert_eq!(Pattern::new(&"a|".repeat(LONGEST)).unwrap_err().to_string(), "is longer than 256 kB");
        let backwards = Pattern::new(r"(a+)+\1c").unwrap();
        assert_eq!(backwards.find_all(&format!("{}b", "a".repeat(2_000)), &PatternBudget::new()), Err(GivenUp));
        assert!(!backwards.is_match(&format!("{}b", "a".repeat(2_000))));
    }

    #[test]
    fn a_pattern_that_reads_ahead_again_and_again_is_given_up_and_one_that_does_not_is_not() {
        let ahead = Pattern::new(".*[^A-Z]|[A-Z]").unwrap();
        let text = "A".repeat(60_000);
        let patience = PatternBudget::new();
        assert_eq!(ahead.find_all(&text, &patience).map(|found| found.len()), Err(GivenUp));
        let word = Pattern::new(r"\b\w+\b").unwrap();
        let article = "The council met. ".repeat(12_000);
        assert_eq!(word.find_all(&article, &PatternBudget::new()).map(|found| found.len()), Ok(36_000));
        assert_eq!(word.find_groups("one", &patience), Err(GivenUp), "what is spent is spent");
    }

    #[test]
    fn a_long_text_is_looked_at_in_pieces_and_nothing_is_lost_between_them() {
        let line = "very late, or so\n";
        for text in [line.repeat(900), line.replace('\n', "\n\n").repeat(900), line.replace('\n', ". ").repeat(900)] {
            let found = Pattern::new(r"(?P<one>\bvery late\b)|(?P<other>\bor so\b)").unwrap();
            let all = found.find_all(&text, &PatternBudget::new()).unwrap();
            assert_eq!(all.len(), 1_800);
            assert!(all.iter().all(|range| ["very late", "or so"].contains(&&text[range.clone()])));
            let named = found.find_named(&text, &PatternBudget::new()).unwrap();
            assert_eq!(named.iter().map(|(_, range)| range.clone()).collect::<Vec<_>>(), all);
            let groups = found.find_groups(&text, &PatternBudget::new()).unwrap();
            assert_eq!(groups, named);
        }
        let unbroken = "é".repeat(PIECE);
        assert_eq!(
            pieces(&unbroken).map(|(at, piece)| (at, piece.len())).collect::<Vec<_>>(),
            [(0, PIECE), (PIECE, PIECE)]
        );
    }
}
