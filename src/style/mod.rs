//! House style as data: a newsroom's usage in Vale's rules, grammar and spelling, and how hard a text is to read.
//!
//! A style is a folder of small YAML files that a copy editor can write; this room reads them as Vale does
//! (<https://vale.sh>) and holds an article's own prose against them. It judges neither the inside of a quotation nor a
//! name that the sources have: those are somebody else's words. Nothing here says whether a thing is true, and nothing
//! changes how a check ends. Reads no file: whoever calls hands over texts.

mod capitalization;
mod casing;
mod conditional;
mod consistency;
mod existence;
mod fields;
mod formula;
mod house;
mod message;
mod metric;
mod names;
mod occurrence;
mod page;
mod pattern;
mod readability;
mod repetition;
mod rule;
mod scope;
mod spelling;
mod substitution;
mod syllables;
mod word_list;
mod yaml;

use std::ops::Range;

use serde::Serialize;

use crate::{newsroom::ArticleResponse, text::spelling::HouseSpelling};

pub use names::Dictionary;
pub use readability::{MEASURED_AS, Readability};
pub use spelling::unknown_words;
pub use syllables::hyphenated;
pub use word_list::{NotAWord, listed_words, with_word};

use page::Page;
use rule::Rule;

/// Largest file of a style in bytes.
const LARGEST: usize = 1024 * 1024;

/// Most notes of one rule on one article; what a rule finds more often than that is said by these.
const MOST: usize = 100;

/// How much a note matters. Vale's three.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Worth a thought.
    Suggestion,
    /// Worth a change.
    Warning,
    /// Against the house's rules.
    Error,
}

impl Level {
    /// The word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Suggestion => "suggestion",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// What a rule of house style says of a stretch of an article.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The rule, such as `Copydesk.Weasel`: the style's folder and the file's name.
    pub rule: String,
    /// How much it matters.
    pub level: Level,
    /// What is said, in a sentence for the writer.
    pub message: String,
    /// The article's field, by its contract name.
    pub field: &'static str,
    /// First byte in that field.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// The text between; empty where a rule speaks of a whole field.
    pub text: String,
    /// What to write instead, where the rule knows; empty text means: leave it out.
    pub replacement: Option<String>,
}

/// Something wrong with a rule's file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// The file, as it was named to [`Style::read`].
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, and what belongs there.
    pub message: String,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.message)
    }
}

/// A style: its rules, by name.
#[derive(Debug, Clone, Default)]
pub struct Style {
    rules: Vec<Rule>,
    left_out: Vec<Problem>,
}

impl Style {
    /// The desk's own style, compiled in.
    ///
    /// # Errors
    /// Where none of its files is a rule, which its test rules out.
    pub fn of_the_house() -> Result<Self, Vec<Problem>> {
        Self::read(house::FILES)
    }

    /// The rules of grammar, compiled in.
    fn grammar() -> Self {
        Self::read(house::GRAMMAR).unwrap_or_default()
    }

    /// Reads a style from its files, each with its name (`Style/Rule.yml`; the name without its ending, with a point,
    /// names the rule).
    ///
    /// A file with a problem is left out and the rest is read: styles are made for many versions of Vale, and no note
    /// on style is worth a check that does not run.
    ///
    /// # Errors
    /// Every problem of every file, where no rule remains.
    pub fn read<'f>(
        files: impl IntoIterator<Item = &'f (impl AsRef<str> + 'f, impl AsRef<str> + 'f)>,
    ) -> Result<Self, Vec<Problem>> {
        let mut style = Self::default();
        let mut problems = Vec::new();
        for (name, text) in files {
            match rule::read(name.as_ref(), text.as_ref()) {
                Ok(rule::Read::Rule(rule)) => style.rules.push(*rule),
                Ok(rule::Read::LeftOut(why)) => style.left_out.push(why),
                Err(more) => problems.extend(more),
            }
        }
        problems.sort();
        if style.rules.is_empty() && !problems.is_empty() {
            return Err(problems);
        }
        style.left_out.extend(
            problems
                .into_iter()
                .map(|problem| Problem { message: format!("the rule is left out: {}", problem.message), ..problem }),
        );
        style.left_out.sort();
        style.rules.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(style)
    }

    /// The rules' names, in order.
    pub fn rules(&self) -> impl Iterator<Item = &str> {
        self.rules.iter().map(|rule| rule.name.as_str())
    }

    /// Files that are not applied, with the reason: rules of a kind that this desk does not know, and rules with a
    /// problem.
    #[must_use]
    pub fn left_out(&self) -> &[Problem] {
        &self.left_out
    }

    /// What the rules say of `article`, in the order of its fields. Names that `dictionary` has from the sources are
    /// not judged. Never panics, whatever the texts and patterns; a rule whose pattern takes too long says so once.
    #[must_use]
    pub fn judge(&self, article: &ArticleResponse, dictionary: &Dictionary) -> Vec<Note> {
        let page = Page::new(article);
        let names = names_in(&page, dictionary);
        let mut notes = self.notes(&page, &names);
        sort(&mut notes);
        notes
    }

    fn notes(&self, page: &Page<'_>, names: &Names) -> Vec<Note> {
        self.rules.iter().flat_map(|rule| rule.judge(page, names)).collect()
    }
}

/// What house style has to say of an article.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Review {
    /// The notes, in the order of the article's fields.
    pub notes: Vec<Note>,
    /// How hard it is to read; none where it has no word.
    pub readability: Option<Readability>,
}

impl Review {
    /// Checks `article` against `style` and, if a spelling is given, against the rules of grammar and the dictionaries. Names and
    /// words that `dictionary` has are right as they are.
    #[must_use]
    pub fn new(
        article: &ArticleResponse,
        dictionary: &Dictionary,
        style: &Style,
        spelling: Option<HouseSpelling>,
    ) -> Self {
        let page = Page::new(article);
        let names = names_in(&page, dictionary);
        let mut notes = style.notes(&page, &names);
        if let Some(spelling) = spelling {
            notes.extend(Style::grammar().notes(&page, &names));
            notes.extend(spelling::notes(&page, dictionary, spelling));
        }
        sort(&mut notes);
        Self { notes, readability: Readability::of(article) }
    }
}

/// Where the sources' names stand in each field of an article.
type Names = [(&'static str, Vec<Range<usize>>); 4];

fn names_in(page: &Page<'_>, dictionary: &Dictionary) -> Names {
    page.fields.map(|(field, text)| (field, dictionary.names_in(text)))
}

/// The names' places in one field.
fn names_of<'n>(names: &'n Names, field: &str) -> &'n [Range<usize>] {
    names.iter().find(|(name, _)| *name == field).map_or(&[], |(_, names)| names.as_slice())
}

/// Puts notes in the order of the article's fields.
fn sort(notes: &mut [Note]) {
    const ORDER: [&str; 4] = ["headline", "alternativeHeadline", "description", "articleBody"];
    let place = |field: &str| ORDER.iter().position(|name| *name == field);
    notes.sort_by(|one, other| {
        (place(one.field), one.start, one.end, &one.rule).cmp(&(
            place(other.field),
            other.start,
            other.end,
            &other.rule,
        ))
    });
}

#[cfg(test)]
mod tests;
