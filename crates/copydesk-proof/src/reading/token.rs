//! A word in the form that the rules read.
//!
//! A text repeats few words many times. Each way of writing a word is examined once ([`Forms`]); a token points to
//! it, and words are compared by number.

use std::{ops::Deref, sync::Arc};

use compact_str::CompactString;
use foldhash::HashMap;

use crate::{
    reading::currencies::named,
    words::{
        Class,
        calendar::{may_name_a_day, small_ordinal},
        canonical,
    },
};
use copydesk_text::words::{NumberWord, fold, is_stop_word, number_word, stem};

/// Only so many bytes of a word are compared.
const LONGEST: usize = 256;

/// A word of a text. A hyphenated word is several.
#[derive(Debug, Clone)]
pub struct Token {
    form: Arc<WordForm>,
    // These stand in its form, too. What reads a source of megabytes asks a million words for them, and few for more.
    pub id: u32,
    pub capital: bool,
    pub counts: bool,
    pub class: Class,
    pub start: usize,
    pub end: usize,
    pub manner: Manner,
    /// The index of its sentence.
    pub line: usize,
}

/// The properties that all tokens with the same spelling share.
#[derive(Debug)]
pub struct WordForm {
    /// Folded.
    pub word: CompactString,
    /// The form in which words are compared: stem and thesaurus; for a number its digits.
    pub stem: CompactString,
    /// The number of the folded word among the [`Forms`] that it was read with.
    pub id: u32,
    /// The number of the stem.
    pub stem_id: u32,
    /// The number of the folded word without its possessive.
    pub base_id: u32,
    pub capital: bool,
    /// Whether it has no content, such as `the`.
    pub stop: bool,
    /// Whether it can begin a figure, a date or a time.
    pub counts: bool,
    /// Its kinds, for rules that read whole sources.
    pub class: Class,
}

impl Deref for Token {
    type Target = WordForm;

    fn deref(&self) -> &WordForm {
        &self.form
    }
}

/// Whose voice a word belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// The text's own.
    Plain,
    /// Inside quotation marks.
    Quoted,
    /// No person's words: a time code or a speaker's label.
    Aside,
}

impl Token {
    pub fn quoted(&self) -> bool {
        self.manner == Manner::Quoted
    }

    pub fn aside(&self) -> bool {
        self.manner == Manner::Aside
    }
}

/// All spellings in some texts, with what is known of each, and the numbers of folded words and stems.
#[derive(Debug, Default)]
pub struct Forms {
    written: HashMap<CompactString, Arc<WordForm>>,
    words: HashMap<CompactString, u32>,
    stems: HashMap<CompactString, u32>,
}

impl Forms {
    /// A word as a token of its text's first sentence, in the text's own voice.
    pub fn token(&mut self, part: &str, start: usize) -> Token {
        let known = self.written.get(part);
        let form = known.cloned().unwrap_or_else(|| self.learn(part));
        let WordForm { id, capital, counts, class, .. } = *form;
        Token { form, id, capital, counts, class, start, end: start + part.len(), manner: Manner::Plain, line: 0 }
    }

    fn learn(&mut self, part: &str) -> Arc<WordForm> {
        let most = part.floor_char_boundary(LONGEST);
        let word: CompactString = fold(part.get(..most).unwrap_or_default()).into();
        let stem: CompactString = match number_word(&word) {
            Some(NumberWord::Unit(value)) => value.to_string().into(),
            _ if word.starts_with(|c: char| c.is_ascii_digit()) => word.replace(',', "").into(),
            _ => canonical(stem(&word)).into(),
        };
        let base: CompactString = word.strip_suffix("'s").unwrap_or(&word).into();
        let form = Arc::new(WordForm {
            id: number(&mut self.words, &word),
            stem_id: number(&mut self.stems, &stem),
            base_id: number(&mut self.words, &base),
            stop: is_stop_word(&word) || word.chars().count() < 2 && !word.starts_with(|c: char| c.is_ascii_digit()),
            capital: part.starts_with(char::is_uppercase),
            counts: counts(&word),
            class: Class::of(&word, &stem),
            word,
            stem,
        });
        // A spelling that occurs only once need not be kept.
        if part.len() <= LONGEST {
            self.written.insert(part.into(), form.clone());
        }
        form
    }

    /// The number of a folded word.
    pub fn word(&self, word: &str) -> Option<u32> {
        self.words.get(word).copied()
    }

    /// The number of a stem.
    pub fn stem(&self, stem: &str) -> Option<u32> {
        self.stems.get(stem).copied()
    }

    /// The number of stems. All their numbers are below it.
    pub fn stems(&self) -> usize {
        self.stems.len()
    }

    /// Every folded word with its number.
    pub fn words(&self) -> &HashMap<CompactString, u32> {
        &self.words
    }
}

/// The number of a word in a list. A new word is added.
fn number(list: &mut HashMap<CompactString, u32>, word: &CompactString) -> u32 {
    if let Some(id) = list.get(word) {
        return *id;
    }
    let id = u32::try_from(list.len()).unwrap_or(u32::MAX);
    list.insert(word.clone(), id);
    id
}

/// The years of `the seventies`, without their century.
pub fn decade(word: &str) -> Option<u32> {
    let ten = ["twenties", "thirties", "forties", "fifties", "sixties", "seventies", "eighties", "nineties"];
    let place = ten.iter().position(|ten| *ten == word)?;
    u32::try_from(place).ok().map(|place| 20 + place * 10)
}

/// Whether a folded word can begin a figure, a date or a time of day.
fn counts(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
        || number_word(word).is_some()
        || matches!(word, "a" | "an" | "half" | "quarter" | "noon" | "midday" | "midnight")
        || decade(word).is_some()
        || word.strip_prefix('r').is_some_and(|rand| rand.starts_with(|c: char| c.is_ascii_digit()))
        // "EUR31m"
        || word.split_at_checked(3).is_some_and(|(code, number)| {
            number.starts_with(|c: char| c.is_ascii_digit()) && code.bytes().all(|byte| byte.is_ascii_lowercase()) && named(code).is_some()
        })
        || word.strip_prefix("fy").is_some_and(|year| year.bytes().all(|byte| byte.is_ascii_digit()))
        || word.starts_with(['q', 'h']) && word.get(2..3) == Some("'")
        || may_name_a_day(word)
        || small_ordinal(word).is_some()
}
