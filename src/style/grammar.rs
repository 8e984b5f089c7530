//! Spelling, by the American and the British dictionary.
//!
//! Words of the sources are spelt right, and so is every word of either side of the Atlantic; a draft that mixes the two is told.

use std::{collections::HashSet, ops::Range};

use super::{
    Dictionary, Level, MOST, Note,
    page::{Page, Prose},
    sort,
};
use crate::{
    newsroom::ArticleResponse,
    text::{spelling, words::words},
};

/// Most bytes of prose that are looked at: some thirty thousand words, a second or two.
const LONGEST: usize = 200_000;

/// What grammar and spelling have to say of an article, in the order of its fields: rules `Grammar.…` and `Spelling.…`.
#[must_use]
pub fn proofread(article: &ArticleResponse, dictionary: &Dictionary) -> Vec<Note> {
    let page = Page::new(article);
    let mut notes = notes(&page, dictionary);
    sort(&mut notes);
    notes
}

/// The same of a page that is there already, in no order.
pub(super) fn notes(page: &Page<'_>, dictionary: &Dictionary) -> Vec<Note> {
    let mut desk = Desk { page, dictionary, notes: Vec::new(), atlantic: Vec::new() };
    let mut read = 0;
    for block in page.blocks.iter().filter(|block| !block.quoted) {
        let length = block.prose.text.len();
        if read + length > LONGEST {
            let place = block.prose.place(&(0..0));
            let message = "Grammar and spelling were looked at up to here; the article is too long for the rest.";
            desk.note("Grammar.Length", Level::Suggestion, message.to_owned(), block.field, place, None);
            break;
        }
        read += length;
        desk.spelling(block.field, &block.prose);
    }
    desk.mixed();
    desk.notes
}

struct Desk<'d> {
    page: &'d Page<'d>,
    dictionary: &'d Dictionary,
    notes: Vec<Note>,
    /// Words of one side of the Atlantic: whether it is the American one, the field and the place.
    atlantic: Vec<(bool, &'static str, Range<usize>)>,
}

impl Desk<'_> {
    fn note(
        &mut self,
        rule: &str,
        level: Level,
        message: String,
        field: &'static str,
        place: Range<usize>,
        replacement: Option<String>,
    ) {
        if self.notes.iter().filter(|note| note.rule == rule).count() >= MOST {
            return;
        }
        let text = self.page.text(field).get(place.clone()).unwrap_or_default().to_owned();
        self.notes.push(Note {
            rule: rule.to_owned(),
            level,
            message,
            field,
            start: place.start,
            end: place.end,
            text,
            replacement,
        });
    }

    fn spelling(&mut self, field: &'static str, prose: &Prose) {
        for word in words(&prose.text) {
            // A capital is a name's or a sentence's first word: names are held against the sources, not against a list.
            if !word.text.starts_with(char::is_lowercase) || self.dictionary.knows(word.text) {
                continue;
            }
            for part in word.text.split(['-', '‑']) {
                let plain = part.replace('’', "'");
                let plain = plain.strip_suffix("'s").unwrap_or(&plain);
                let ordinary = plain.chars().count() > 2 && plain.chars().all(|c| c.is_alphabetic() || c == '\'');
                if !ordinary || self.dictionary.knows(plain) {
                    continue;
                }
                let place = prose.place(&(word.start..word.end));
                match (spelling::american().check(plain), spelling::british().check(plain)) {
                    (true, false) => self.atlantic.push((true, field, place)),
                    (false, true) => self.atlantic.push((false, field, place)),
                    (true, true) => {}
                    (false, false) => self.misspelt(field, plain, place),
                }
            }
        }
    }

    fn misspelt(&mut self, field: &'static str, word: &str, place: Range<usize>) {
        let written = self.page.text(field).get(place.clone()).unwrap_or_default();
        let mut near = Vec::new();
        spelling::american().suggest(word, &mut near);
        near.truncate(3);
        let message = match near.as_slice() {
            [] => format!("“{word}” is in no dictionary and in no source."),
            [one] => format!("“{word}” is in no dictionary and in no source; “{one}” is."),
            [.., _] => format!("“{word}” is in no dictionary and in no source; near it are {}.", near.join(", ")),
        };
        let replacement = (near.len() == 1 && written == word).then(|| near.concat());
        self.note("Spelling.Unknown", Level::Warning, message, field, place, replacement);
    }

    /// The rarer side's words, where a draft has both.
    fn mixed(&mut self) {
        let american = self.atlantic.iter().filter(|(american, ..)| *american).count();
        let british = self.atlantic.len() - american;
        if american == 0 || british == 0 {
            return;
        }
        let rarer = american < british;
        let (one, rest) = if rarer { ("American", "British") } else { ("British", "American") };
        let mut seen = HashSet::new();
        for (side, field, place) in std::mem::take(&mut self.atlantic) {
            let written = self.page.text(field).get(place.clone()).unwrap_or_default().to_owned();
            if side == rarer && seen.insert(written.to_lowercase()) {
                let message = format!("“{written}” is {one} spelling; most of this article is {rest}.");
                self.note("Spelling.Mixed", Level::Warning, message, field, place, None);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::newsroom::Source;

    fn read(body: &str, source: &str) -> Vec<(String, String, Option<String>)> {
        let article = ArticleResponse {
            headline: String::new(),
            alternativeHeadline: String::new(),
            articleBody: body.into(),
            description: String::new(),
        };
        let dictionary = Dictionary::new(&article, &[Source { name: "notes".into(), text: source.into() }]);
        proofread(&article, &dictionary).into_iter().map(|note| (note.rule, note.text, note.replacement)).collect()
    }

    fn told(rule: &str, text: &str, replacement: Option<&str>) -> (String, String, Option<String>) {
        (rule.into(), text.into(), replacement.map(str::to_owned))
    }

    #[test]
    fn plain_mistakes_are_told() {
        assert_eq!(read("She saw an university.", ""), [told("Grammar.AnA", "an", Some("a"))]);
        let unknown = read("The counncil met on the *ramp*.", "");
        assert_eq!(
            unknown.iter().map(|(rule, text, _)| (rule.as_str(), text.as_str())).collect::<Vec<_>>(),
            [("Spelling.Unknown", "counncil")]
        );
        assert!(read("The plan could of failed.", "").iter().any(|(_, text, _)| text == "could of"));
    }

    #[test]
    fn a_quotation_and_words_of_the_sources_are_right_as_they_are() {
        assert_eq!(
            read(
                "“The counncil saw an university,” she said. The keelmen met the keelmen’s wives.",
                "The keelmen met."
            ),
            []
        );
        assert_eq!(read("It is `counncil` and https://counncil.org/x today.", ""), []);
    }

    #[test]
    fn either_spelling_is_right_until_both_are_there() {
        assert_eq!(read("The colour of the harbour pleased the neighbours.", ""), []);
        assert_eq!(read("The color of the harbor pleased the neighbors.", ""), []);
        assert_eq!(
            read("The colour of the harbour pleased the neighbors.", ""),
            [told("Spelling.Mixed", "neighbors", None)]
        );
        assert_eq!(read("The color of the neighbors’ harbour.", ""), [told("Spelling.Mixed", "harbour", None)]);
    }

    #[test]
    fn good_copy_is_let_pass() {
        for body in [
            "The select board will hold a hearing on Thursday, when some four hundred people are expected.",
            "The co-operative held its prices on all of the lines; every one of them sold afterwards for 40 per cent more.",
            "Nobody knows what happens if the town says no to the plan.",
            "Two-step repairs are under way at the library’s annex, Ms. Roth said.",
        ] {
            assert_eq!(read(body, ""), [], "{body}");
        }
    }

    #[test]
    fn an_article_without_end_is_read_up_to_a_point() {
        let paragraph = format!("{}\n\n", "The council met. ".repeat(200));
        let body = paragraph.repeat(LONGEST / paragraph.len() + 2);
        let notes = read(&body, "");
        assert_eq!(notes.last().map(|(rule, ..)| rule.as_str()), Some("Grammar.Length"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]
        #[test]
        fn any_article_is_read_and_each_note_is_where_it_says(
            text in "\\PC{0,80}|([A-Za-z]{1,9}|[“”\"'’*_.,;:!?()0-9$%&/-]| |\n){0,60}"
        ) {
            let article = ArticleResponse {
                headline: text.clone(),
                alternativeHeadline: String::new(),
                articleBody: text.clone(),
                description: String::new(),
            };
            for note in proofread(&article, &Dictionary::default()) {
                prop_assert_eq!(text.get(note.start..note.end), Some(note.text.as_str()));
            }
        }
    }
}
