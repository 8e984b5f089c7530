//! `capitalization`: how a heading is cased.
//!
//! `$title` and `$sentence` count the words that are as they should be and complain if fewer than `threshold` are, as
//! Vale does. A word of a source's name, one in capitals throughout and a stand-in are right however they are written.
//! Vale asks a tagger whether *to* is a preposition; here it may be written either way.

use std::ops::Range;

use super::{
    casing::Manual,
    fields::Fields,
    page::STAND_IN,
    pattern::{GivenUp, Pattern, PatternBudget, excepts},
    stretch::{RuleMatch, Stretch},
};
use copydesk_text::capital;

/// Vale's share of words that must be right if a rule names none.
const THRESHOLD: f64 = 0.8;

#[derive(Debug, Clone)]
enum Match {
    Title(Manual),
    Sentence { indicators: Vec<String> },
    Lower,
    Upper,
    Pattern(Pattern),
}

/// Compares a stretch with the case that it should have.
#[derive(Debug, Clone)]
pub(super) struct Capitalization {
    matches: Match,
    exceptions: Option<Pattern>,
    threshold: f64,
    prefix: Option<Pattern>,
    replaces: bool,
}

/// A word of a heading.
struct Word {
    range: Range<usize>,
    /// As it should be written; none if any way will do.
    expected: Option<String>,
}

impl Capitalization {
    pub fn read(fields: &Fields<'_>) -> Option<Self> {
        let exceptions = fields.exceptions();
        let threshold = fields.number("threshold").filter(|threshold| *threshold > 0.0).unwrap_or(THRESHOLD);
        let indicators = fields.texts("indicators", "a list of endings after which a capital follows");
        let prefix = fields.text("prefix", "a pattern").and_then(|(line, prefix)| fields.compile(line, prefix));
        let replaces = fields.action().is_some_and(|(name, params)| name == "replace" && params.is_empty());
        let manual = match fields.text("style", "AP or Chicago") {
            None | Some((_, "AP")) => Manual::Ap,
            Some((_, "Chicago")) => Manual::Chicago,
            Some((line, other)) => {
                fields.problem(line, format!("style is {other:?}; AP or Chicago belongs there"));
                return None;
            }
        };
        let matches = match fields.needed("match", "$title, $sentence, $lower, $upper or a pattern")? {
            (_, "$title") => Match::Title(manual),
            (_, "$sentence") => {
                Match::Sentence { indicators: indicators.into_iter().map(|(_, ending)| ending).collect() }
            }
            (_, "$lower") => Match::Lower,
            (_, "$upper") => Match::Upper,
            (line, pattern) => Match::Pattern(fields.compile(line, pattern)?),
        };
        Some(Self { matches, exceptions, threshold, prefix, replaces })
    }

    pub fn matches(&self, stretch: &Stretch<'_>, patience: &PatternBudget) -> Result<Vec<RuleMatch>, GivenUp> {
        let text = stretch.text.trim_end();
        let (fine, expected) = match &self.matches {
            Match::Lower => self.whole(stretch, text, &text.to_lowercase()),
            Match::Upper => self.whole(stretch, text, &text.to_uppercase()),
            Match::Pattern(pattern) => (pattern.is_match(text) || excepts(self.exceptions.as_ref(), text), None),
            Match::Title(manual) => {
                let cased = |words: &[_], index, word: &_| title_case(text, words, index, word, *manual);
                self.by_words(stretch, text, patience, cased)?
            }
            Match::Sentence { indicators } => self.by_words(stretch, text, patience, |words, index, word| {
                let before =
                    index.checked_sub(1).and_then(|index| words.get(index)).and_then(|range| text.get(range.clone()));
                // Behind a quotation at the head, which has the capital, either will do.
                let head = words.get(index).and_then(|range| text.get(..range.start)).unwrap_or_default();
                if before.is_none() && head.contains(STAND_IN) {
                    return None;
                }
                let opens = before.is_none_or(|before| {
                    // If none are named, Vale's converter knows the colon and the number of a list.
                    let listed = index == 1 && before.trim_end_matches('.').chars().all(|c| c.is_ascii_digit());
                    let colon = indicators.is_empty() && before.ends_with(':');
                    listed || colon || indicators.iter().any(|ending| before.ends_with(ending.as_str()))
                });
                Some(if opens { capital(&word.to_lowercase()) } else { word.to_lowercase() })
            })?,
        };
        if fine || text.is_empty() {
            return Ok(Vec::new());
        }
        let said = expected.clone().unwrap_or_default();
        let replacement = expected.filter(|_| self.replaces);
        Ok(vec![RuleMatch { range: 0..text.len(), values: vec![text.to_owned(), said], replacement }])
    }

    /// Whether a text is as it should be, letter by letter, names aside.
    fn whole(&self, stretch: &Stretch<'_>, text: &str, expected: &str) -> (bool, Option<String>) {
        let fine = text == expected
            || excepts(self.exceptions.as_ref(), text)
            || words(text).into_iter().all(|range| {
                let word = text.get(range.clone()).unwrap_or_default();
                let cased = match &self.matches {
                    Match::Upper => word.to_uppercase(),
                    _ => word.to_lowercase(),
                };
                word == cased || stretch.is_exempt(&core(text, &range))
            });
        (fine, Some(expected.to_owned()))
    }

    fn by_words(
        &self,
        stretch: &Stretch<'_>,
        text: &str,
        patience: &PatternBudget,
        expected: impl Fn(&[Range<usize>], usize, &str) -> Option<String>,
    ) -> Result<(bool, Option<String>), GivenUp> {
        let all =
            |pattern: Option<&Pattern>| pattern.map_or(Ok(Vec::new()), |pattern| pattern.find_all(text, patience));
        let from = all(self.prefix.as_ref())?.first().filter(|prefix| prefix.start == 0).map_or(0, |prefix| prefix.end);
        let mut ranges = words(text);
        ranges.retain(|range| range.start >= from);
        let passed = all(self.exceptions.as_ref())?;
        let words: Vec<Word> = ranges
            .iter()
            .enumerate()
            .map(|(index, range)| {
                let word = text.get(range.clone()).unwrap_or_default();
                let free = passed.iter().any(|passed| passed.start < range.end && range.start < passed.end)
                    || stretch.is_exempt(&core(text, range))
                    || shouted(word);
                Word { range: range.clone(), expected: if free { None } else { expected(&ranges, index, word) } }
            })
            .collect();
        if words.is_empty() {
            return Ok((true, None));
        }
        let wrong = words.iter().filter(|word| {
            word.expected.as_ref().is_some_and(|expected| text.get(word.range.clone()) != Some(expected))
        });
        let first = words.first().is_some_and(|word| {
            let written = text.get(word.range.clone()).unwrap_or_default();
            word.expected.is_some() && !written.starts_with(|c: char| c.is_uppercase() || c.is_numeric())
        });
        #[expect(clippy::cast_precision_loss, reason = "a heading has no more words than a float can count")]
        let share = 1.0 - wrong.count() as f64 / words.len() as f64;
        let fine = share >= self.threshold && !(first && matches!(self.matches, Match::Sentence { .. }));
        let mut written = String::with_capacity(text.len());
        let mut at = 0;
        for Word { range, expected } in words {
            written.push_str(text.get(at..range.start).unwrap_or_default());
            written.push_str(expected.as_deref().or(text.get(range.clone())).unwrap_or_default());
            at = range.end;
        }
        written.push_str(text.get(at..).unwrap_or_default());
        Ok((fine, Some(written)))
    }
}

/// A word as a title has it; none if either way will do.
fn title_case(text: &str, words: &[Range<usize>], index: usize, word: &str, manual: Manual) -> Option<String> {
    let bounding = index == 0 || index + 1 == words.len();
    let bare = word.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '.');
    let start = words.get(index).map_or(0, |range| range.start);
    let before = text.get(..start).unwrap_or_default().trim_end();
    let opens = before.ends_with([':', '-', '–', '—', '“', '"', '(', '?', '!']);
    if bounding || opens || !manual.keeps_small(bare) {
        return Some(capital(word));
    }
    (!bare.eq_ignore_ascii_case("to")).then(|| word.to_lowercase())
}

/// Vale's words: letters or digits and whatever follows them up to white space.
fn words(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open: Option<usize> = None;
    for (at, c) in text.char_indices() {
        match open {
            None if c.is_alphanumeric() => open = Some(at),
            Some(start) if c.is_whitespace() => {
                found.push(start..at);
                open = None;
            }
            _ => {}
        }
    }
    found.extend(open.map(|start| start..text.len()));
    found
}

/// A word without the marks and the possessive behind it, as names have it.
fn core(text: &str, range: &Range<usize>) -> Range<usize> {
    let word = text.get(range.clone()).unwrap_or_default();
    let bare = word.trim_end_matches(|c: char| !c.is_alphanumeric());
    range.start..range.start + bare.len()
}

fn shouted(word: &str) -> bool {
    word.chars().any(char::is_alphabetic) && word == word.to_uppercase() && word.chars().count() > 1
}
