//! Spelling, by the American and the British dictionary.
//!
//! Words that the story's [`Dictionary`] has are spelt right. If the house has chosen no spelling, words of either are right, and
//! an article that mixes the two is told.

use std::{
    collections::{HashMap, HashSet},
    ops::Range,
};

use super::{
    names::Dictionary,
    note::{MOST, NoteLevel, StyleNote},
    page::{Prose, ProsePage},
};
use copydesk_newsroom::ArticleResponse;
use copydesk_text::{
    language::detect,
    spelling::{English, HouseSpelling, Spelling, spelling, suggestions},
    words::words,
};

/// Most bytes of prose that are looked at: some thirty thousand words.
const LONGEST: usize = 200_000;

/// Most different words of an article for which suggestions are looked for: each takes a millisecond or two.
const MOST_SUGGESTIONS: usize = 50;

/// A word that not every dictionary has.
struct Strange {
    field: &'static str,
    place: Range<usize>,
    /// The word, or the part of it between hyphens.
    word: String,
    english: Option<English>,
}

/// The words of `article` that no dictionary has, each once: whoever knows more words can be asked about these.
pub fn unknown_words(article: &ArticleResponse, dictionary: &Dictionary) -> Vec<String> {
    let (strange, _) = strange_words(&ProsePage::new(article), dictionary);
    let mut seen = HashSet::new();
    let unknown = strange.into_iter().filter(|strange| strange.english.is_none()).map(|strange| strange.word);
    unknown.filter(|word| seen.insert(word.clone())).collect()
}

/// The notes of spelling on a page, in no order: rules `Spelling.…`.
pub(super) fn notes(page: &ProsePage<'_>, dictionary: &Dictionary, house: HouseSpelling) -> Vec<StyleNote> {
    let (strange, unread) = strange_words(page, dictionary);
    let mut notes: Vec<StyleNote> = Vec::new();
    let mut note = |rule: &str, level, message, field, place: Range<usize>, replacement| {
        if notes.iter().filter(|note| note.rule == rule).count() < MOST {
            let text = page.text(field).get(place.clone()).unwrap_or_default().to_owned();
            let (start, end) = (place.start, place.end);
            notes.push(StyleNote { rule: rule.to_owned(), level, message, field, start, end, text, replacement });
        }
    };
    let mixed = if house == HouseSpelling::Either { rarer(&strange) } else { None };
    let mut near: HashMap<String, Vec<String>> = HashMap::new();
    let mut told = HashSet::new();
    for Strange { field, place, word, english } in strange {
        let written = page.text(field).get(place.clone()).unwrap_or_default();
        let wanted = house.english();
        if english.is_some() && english == mixed && told.insert(word.to_lowercase()) {
            let (one, rest) = if mixed == Some(English::American) {
                (English::American, English::British)
            } else {
                (English::British, English::American)
            };
            let message = format!("“{written}” is {} spelling; most of this article is {}.", one.name(), rest.name());
            note("Spelling.Mixed", NoteLevel::Warning, message, field, place, None);
            continue;
        }
        if english.is_some() && (wanted.is_none() || wanted == english) {
            continue;
        }
        let near = if near.len() < MOST_SUGGESTIONS || near.contains_key(&word) {
            near.entry(word.clone()).or_insert_with(|| suggestions(&word, wanted)).as_slice()
        } else {
            &[]
        };
        let replacement = (near.len() == 1 && written == word).then(|| near.concat());
        if let (Some(english), Some(wanted)) = (english, wanted) {
            let instead = near.first().map(|near| format!(": “{near}”")).unwrap_or_default();
            let message =
                format!("“{word}” is {} spelling; this newsroom writes {}{instead}.", english.name(), wanted.name());
            note("Spelling.Variety", NoteLevel::Warning, message, field, place, replacement);
        } else {
            let message = match near {
                [] => format!("“{word}” is in no dictionary and in no source."),
                [one] => format!("“{word}” is in no dictionary and in no source. Is it “{one}”?"),
                [.., _] => {
                    format!("“{word}” is in no dictionary and in no source. Similar words: {}.", near.join(", "))
                }
            };
            note("Spelling.Unknown", NoteLevel::Warning, message, field, place, replacement);
        }
    }
    if let Some((field, place)) = unread {
        let message = "Spelling is checked up to here. The rest of the article is too long to check.".to_owned();
        note("Grammar.Length", NoteLevel::Suggestion, message, field, place, None);
    }
    notes
}

/// The spelling that fewer words of an article have, if it has words of both.
fn rarer(strange: &[Strange]) -> Option<English> {
    let count = |english| strange.iter().filter(|strange| strange.english == Some(english)).count();
    let (american, british) = (count(English::American), count(English::British));
    let rarer = if american < british { English::American } else { English::British };
    (american > 0 && british > 0).then_some(rarer)
}

/// The words of a page that not every dictionary has, and where reading stopped, if it did.
fn strange_words(
    page: &ProsePage<'_>,
    dictionary: &Dictionary,
) -> (Vec<Strange>, Option<(&'static str, Range<usize>)>) {
    let mut strange = Vec::new();
    // The dictionaries are English.
    if detect(page.text("articleBody")).is_some_and(|language| !language.is_english()) {
        return (strange, None);
    }
    let mut read = 0;
    for block in page.blocks.iter().filter(|block| !block.quoted) {
        read += block.prose.text.len();
        if read > LONGEST {
            return (strange, Some((block.field, block.prose.place(&(0..0)))));
        }
        strange_in(block.field, &block.prose, dictionary, &mut strange);
    }
    (strange, None)
}

fn strange_in(field: &'static str, prose: &Prose, dictionary: &Dictionary, strange: &mut Vec<Strange>) {
    for word in words(&prose.text) {
        // A capital is a name's or a sentence's first word: the proof compares names with the sources.
        if !word.text.starts_with(char::is_lowercase) || dictionary.knows(word.text) {
            continue;
        }
        for part in word.text.split(['-', '‑']) {
            let plain = part.replace('’', "'");
            let plain = plain.strip_suffix("'s").unwrap_or(&plain);
            let ordinary = plain.chars().count() > 2 && plain.chars().all(|c| c.is_alphabetic() || c == '\'');
            if !ordinary || dictionary.knows(plain) {
                continue;
            }
            let english = match spelling(plain) {
                Spelling::Both => continue,
                Spelling::Only(english) => Some(english),
                Spelling::Unknown => None,
            };
            let place = prose.place(&(word.start..word.end));
            strange.push(Strange { field, place, word: plain.to_owned(), english });
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Style, StyleReview};
    use copydesk_newsroom::Source;

    fn read(body: &str, source: &str) -> Vec<(String, String, Option<String>)> {
        read_as(HouseSpelling::Either, body, source)
    }

    fn read_as(house: HouseSpelling, body: &str, source: &str) -> Vec<(String, String, Option<String>)> {
        let article = ArticleResponse {
            headline: String::new(),
            alternativeHeadline: String::new(),
            articleBody: body.into(),
            description: String::new(),
        };
        let mut dictionary = Dictionary::new(&article, &[Source { name: "notes".into(), text: source.into() }]);
        dictionary.learn(["zorbing"]);
        let review = StyleReview::new(&article, &dictionary, &Style::default(), Some(house));
        review.notes.into_iter().map(|note| (note.rule, note.text, note.replacement)).collect()
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
    fn a_newsroom_that_writes_one_english_is_told_of_the_other() {
        assert_eq!(
            read_as(HouseSpelling::American, "The colour pleased her neighbors.", ""),
            [told("Spelling.Variety", "colour", Some("color"))]
        );
        assert_eq!(
            read_as(HouseSpelling::British, "The colour pleased her neighbors’ organized club.", ""),
            [told("Spelling.Variety", "neighbors", Some("neighbours"))]
        );
        assert_eq!(read_as(HouseSpelling::American, "The colour of it.", "A colour."), [], "the source writes it so");
    }

    #[test]
    fn a_draft_in_another_language_is_not_checked() {
        let german = "Der Rat der Stadt beschloss am Dienstag nach langer Aussprache, den alten Park am Fluss zu erneuern. Die Arbeiten \
                      sollen im Frühjahr beginnen und zwei Jahre dauern.";
        assert_eq!(read(german, ""), []);
    }

    #[test]
    fn a_word_of_the_newsrooms_dictionary_is_known() {
        assert_eq!(read("They went zorbing.", ""), []);
    }

    #[test]
    fn words_that_nobody_knows_are_listed_once() {
        let article = ArticleResponse {
            headline: "The counncil met".into(),
            alternativeHeadline: String::new(),
            articleBody: "The counncil saw a colour and a brimple.".into(),
            description: String::new(),
        };
        assert_eq!(unknown_words(&article, &Dictionary::default()), ["counncil", "brimple"]);
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
            let review = StyleReview::new(&article, &Dictionary::default(), &Style::default(), Some(HouseSpelling::American));
            for note in review.notes {
                prop_assert_eq!(text.get(note.start..note.end), Some(note.text.as_str()));
            }
        }
    }
}
