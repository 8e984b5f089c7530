//! The story's dictionary: the words and the names that its sources have.
//!
//! A name is spelt as the source spells it, whatever a rule or a word list thinks of it. Only words of the draft are
//! kept, so that sources of any length cost one look a word.

use std::{
    collections::{HashMap, HashSet},
    ops::Range,
};

use super::page::ProsePage;
use copydesk_newsroom::{ArticleResponse, Source};
use copydesk_text::{
    sentences::sentences,
    words::{Word, fold, words},
};

/// Most words of a name.
const LONGEST: usize = 6;

/// The words of a draft that the story's sources have, and the sources' names.
#[derive(Debug, Clone, Default)]
pub struct Dictionary {
    /// Words of the draft that a source has, folded.
    words: HashSet<String>,
    /// Of those, words that stand somewhere in a source in lower case.
    common: HashSet<String>,
    /// Of those, words that stand somewhere within a sentence with a capital.
    proper: HashSet<String>,
    /// Runs of two and more capitalised words, by their first word, folded.
    names: HashMap<String, HashSet<Vec<String>>>,
}

impl Dictionary {
    /// Reads what `sources` say of the words of `article`.
    pub fn new(article: &ArticleResponse, sources: &[Source]) -> Self {
        let mut draft = HashSet::new();
        for (_, text) in article.fields() {
            draft.extend(words(text).iter().map(|word| base(word.text)));
        }
        let mut dictionary = Self::default();
        for source in sources {
            dictionary.read(&source.text, &draft);
        }
        dictionary
    }

    fn read(&mut self, text: &str, draft: &HashSet<String>) {
        let starts: HashSet<usize> = sentences(text)
            .into_iter()
            .map(|sentence| {
                let inside = text.get(sentence.clone()).unwrap_or_default();
                sentence.start + inside.find(char::is_alphanumeric).unwrap_or(0)
            })
            .collect();
        let mut run: Vec<String> = Vec::new();
        let mut end = 0;
        for word in words(text) {
            let folded = base(word.text);
            let capital = word.text.starts_with(char::is_uppercase);
            let joined = matches!(text.get(end..word.start), Some(" " | "\n" | "-" | ". " | "\u{A0}"));
            if !(capital && joined && !starts.contains(&word.start)) {
                self.name(&run);
                run.clear();
            }
            end = word.end;
            if capital {
                run.push(folded.clone());
            }
            if draft.contains(&folded) {
                if !capital {
                    self.common.insert(folded.clone());
                } else if !starts.contains(&word.start) {
                    self.proper.insert(folded.clone());
                }
                self.words.insert(folded);
            }
        }
        self.name(&run);
    }

    fn name(&mut self, run: &[String]) {
        if let Some(first) = run.first()
            && (2..=LONGEST).contains(&run.len())
        {
            self.names.entry(first.clone()).or_default().insert(run.to_vec());
        }
    }

    /// Takes in words that are spelt right whatever the sources have.
    pub fn learn<'w>(&mut self, words: impl IntoIterator<Item = &'w str>) {
        self.words.extend(words.into_iter().map(base));
    }

    /// Whether a source has the word, or it was learnt, in whatever case, with or without a possessive.
    pub fn knows(&self, word: &str) -> bool {
        self.words.contains(&base(word))
    }

    /// Whether a capitalised word is a name by itself: the sources have it with a capital within a sentence and never
    /// without.
    fn is_name(&self, word: &str) -> bool {
        self.proper.contains(word) && !self.common.contains(word)
    }

    /// The names in `text` that the sources have, as byte ranges in order: whole names of several words, and single
    /// words that are never anything else.
    pub(super) fn names_in(&self, text: &str) -> Vec<Range<usize>> {
        let all = words(text);
        let mut found: Vec<Range<usize>> = Vec::new();
        let mut index = 0;
        while let Some(word) = all.get(index) {
            let taken = self.taken(all.get(index..).unwrap_or_default());
            if taken > 0 {
                let end = all.get(index + taken - 1).map_or(word.end, |last| last.end);
                // "Inez" and "Calloway" side by side are one name, though a source has each alone.
                match found.last_mut() {
                    Some(last) if text.get(last.end..word.start) == Some(" ") => last.end = end,
                    _ => found.push(word.start..end),
                }
            }
            index += taken.max(1);
        }
        found
    }

    /// How many of the first words are a name.
    fn taken(&self, words: &[Word<'_>]) -> usize {
        let capital = |word: &Word<'_>| word.text.starts_with(char::is_uppercase);
        let Some(first) = words.first().filter(|word| capital(word)) else { return 0 };
        let folded = base(first.text);
        let run: Vec<String> =
            words.iter().take(LONGEST).take_while(|word| capital(word)).map(|word| base(word.text)).collect();
        let longest = self.names.get(&folded).and_then(|names| {
            (2..=run.len()).rev().find(|length| run.get(..*length).is_some_and(|run| names.contains(run)))
        });
        longest.unwrap_or_else(|| usize::from(self.is_name(&folded)))
    }
}

/// A word folded, without its possessive.
fn base(word: &str) -> String {
    let mut folded = fold(word);
    let length = folded.strip_suffix("'s").or_else(|| folded.strip_suffix('\'')).map(str::len);
    if let Some(length) = length {
        folded.truncate(length);
    }
    folded
}

/// Where the sources' names stand in each field of an article.
pub(super) type NamePlaces = [(&'static str, Vec<Range<usize>>); 4];

pub(super) fn names_in(page: &ProsePage<'_>, dictionary: &Dictionary) -> NamePlaces {
    page.fields.map(|(field, text)| (field, dictionary.names_in(text)))
}

/// The names' places in one field.
pub(super) fn names_of<'n>(names: &'n NamePlaces, field: &str) -> &'n [Range<usize>] {
    names.iter().find(|(name, _)| *name == field).map_or(&[], |(_, names)| names.as_slice())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(draft: &str, source: &str) -> Vec<String> {
        let article = ArticleResponse {
            headline: String::new(),
            alternativeHeadline: String::new(),
            articleBody: draft.into(),
            description: String::new(),
        };
        let dictionary = Dictionary::new(&article, &[Source { name: "notes".into(), text: source.into() }]);
        dictionary.names_in(draft).into_iter().map(|range| draft[range].to_owned()).collect()
    }

    #[test]
    fn names_of_the_sources_are_found_whole_and_by_their_words() {
        let source = "We spoke to Inez Calloway at the Very Large Array. It is very late. Then Duran Duran played for Calloway’s aide.";
        assert_eq!(
            names("Calloway likes the Very Large Array. Very few do. Duran Duran too, says Pruitt.", source),
            ["Calloway", "Very Large Array", "Duran Duran"]
        );
        assert_eq!(names("Spoke of Array things", source), ["Array"]);
    }

    #[test]
    fn a_word_of_a_source_is_known_in_every_form_of_writing() {
        let article = ArticleResponse {
            headline: "KEELMEN’S strike".into(),
            alternativeHeadline: String::new(),
            articleBody: String::new(),
            description: String::new(),
        };
        let source = Source { name: "notes".into(), text: "The keelmen met.".into() };
        let dictionary = Dictionary::new(&article, &[source]);
        assert!(dictionary.knows("Keelmen") && dictionary.knows("KEELMEN’S") && !dictionary.knows("strike"));
    }
}
