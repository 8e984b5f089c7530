//! The subjects of an article, for archives and partners: people, places, bodies, keywords. They come from its own words only.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::reading::{ReadArticle, note};
use crate::editorial::listed::is_listed;
use copydesk_newsroom::{NameInText, PublishingCheck, PublishingNote};
use copydesk_text::{
    language,
    words::{fold, is_stop_word, stem, words},
};

/// Most keywords.
const KEYWORDS: usize = 6;

/// Last words of the names of bodies.
const BODIES: &str = "agency association authority bank board bureau college commission committee company congress \
    corp council court department foundation inc institute ministry office parliament party police school senate \
    service society trust union university";

/// Last words of the names of places.
const PLACES: &str = "airport avenue bay beach boulevard bridge city county creek district drive hall hill island \
    lake lane park place plaza river road square station street town valley";

/// Words before a place.
const BEFORE_PLACES: &str = "at from in into near to toward";

/// An article's description for archives and partners.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct NewsMetadata {
    /// Full names as the article spells them.
    pub people: Vec<String>,
    pub organisations: Vec<String>,
    pub places: Vec<String>,
    /// Names that no rule can classify.
    pub unsure: Vec<String>,
    /// What the article says often and no name has, most frequent first.
    pub keywords: Vec<String>,
    /// As BCP 47 has it; none if the text is too short to tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}

/// The article's description for archives and partners.
pub fn metadata(read: &ReadArticle<'_>) -> NewsMetadata {
    let body = &read.article.articleBody;
    let mut found = NewsMetadata { keywords: keywords(read), language: language(body), ..NewsMetadata::default() };
    for name in &read.names {
        let Some(text) = body.get(name.range.clone()) else { continue };
        let list = list_for(&mut found, body, name, text);
        if !list.iter().any(|known| known == text) {
            list.push(text.to_owned());
        }
    }
    let sure = [&found.people, &found.organisations, &found.places].map(|list| list.join("\n")).join("\n");
    // A surname, or half a name, of what is known already.
    found.unsure.retain(|name| !words(&sure).iter().any(|word| name.split(' ').any(|part| part == word.text)));
    found
}

/// The list in which a name belongs.
fn list_for<'m>(found: &'m mut NewsMetadata, body: &str, name: &NameInText, text: &str) -> &'m mut Vec<String> {
    let last = words(text).last().map(|word| fold(word.text)).unwrap_or_default();
    let before = body.get(..name.range.start).and_then(|before| before.split_whitespace().next_back());
    let goes_there = body.get(..name.range.start).is_some_and(|before| before.ends_with(' '))
        && before.is_some_and(|word| is_listed(&fold(word), BEFORE_PLACES));
    if name.person {
        &mut found.people
    } else if is_listed(&last, BODIES) {
        &mut found.organisations
    } else if is_listed(&last, PLACES) || goes_there {
        &mut found.places
    } else {
        &mut found.unsure
    }
}

/// Words of the body that stand there at least twice, in the form that stands first. Words of names are left to their fields.
fn keywords(read: &ReadArticle<'_>) -> Vec<String> {
    let body = &read.article.articleBody;
    let mut counts: HashMap<String, (usize, usize, &str)> = HashMap::new();
    for word in words(body) {
        let folded = fold(word.text);
        let plain = folded.chars().count() > 3 && folded.chars().all(char::is_alphabetic) && !is_stop_word(&folded);
        let within = read.names.iter().any(|name| name.range.contains(&word.start));
        if plain && !within && word.text.chars().next().is_some_and(char::is_lowercase) {
            counts.entry(stem(&folded)).or_insert((0, word.start, word.text)).0 += 1;
        }
    }
    let mut counted: Vec<(usize, usize, &str)> = counts.into_values().filter(|(times, ..)| *times > 1).collect();
    counted.sort_by_key(|(times, first, _)| (std::cmp::Reverse(*times), *first));
    counted.into_iter().take(KEYWORDS).map(|(.., word)| word.to_owned()).collect()
}

/// The two-letter code of a language that the desk sees often; else the three-letter one.
fn language(body: &str) -> Option<String> {
    let found = language::detect(body)?;
    let code = match found.code() {
        "eng" => "en",
        "deu" => "de",
        "fra" => "fr",
        "spa" => "es",
        "ita" => "it",
        "por" => "pt",
        "nld" => "nl",
        other => other,
    };
    Some(code.to_owned())
}

pub(super) fn notes(read: &ReadArticle<'_>) -> Vec<PublishingNote> {
    let found = metadata(read);
    let text = &read.article.articleBody;
    let nobody = found.people.is_empty() && found.organisations.is_empty();
    let mut notes = Vec::new();
    if nobody && found.places.is_empty() && found.unsure.is_empty() {
        let what = "The article names nobody and no place, so no archive can find it by a name.".to_owned();
        let fix = "Name in full who acted, and where.".to_owned();
        notes.push(note(PublishingCheck::Metadata, ("articleBody", text), 0..0, what, fix));
    }
    let child = read.names.iter().filter(|name| name.person).find_map(|name| {
        let rest = text.get(name.range.end..)?;
        let age = rest.strip_prefix(", ")?.split([',', '.', ' ']).next()?.parse::<u8>().ok()?;
        (age < 18).then(|| (name.range.clone(), age))
    });
    if let Some((range, age)) = child {
        let name = text.get(range.clone()).unwrap_or_default();
        let what = format!("{name} is {age} years old, and metadata and searches follow a child for life.");
        let fix = format!(
            "Leave {name} out of headline, description and keywords, and ask whether the name is needed at all."
        );
        notes.push(note(PublishingCheck::Metadata, ("articleBody", text), range, what, fix));
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::testing::article;
    use copydesk_newsroom::ArticleResponse;

    fn named(body: &str, names: &[(&str, bool)]) -> (ArticleResponse, Vec<NameInText>) {
        let names = names.iter().map(|(name, person)| {
            let start = body.find(name).unwrap();
            NameInText { range: start..start + name.len(), person: *person, no_person: !*person }
        });
        (article(body), names.collect())
    }

    #[test]
    fn names_go_to_people_bodies_and_places() {
        let body = "Ruth Voss spoke in Miller Park. The Eastbrook Town Council heard her plan, and Voss praised the plan. \
                    A grant of Acme helps: the grant is small.";
        let (article, names) = named(
            body,
            &[("Ruth Voss", true), ("Miller Park", false), ("Eastbrook Town Council", false), ("Acme", false)],
        );
        let found = metadata(&ReadArticle { article: &article, names: names.clone(), headlines: vec![], grade: None });
        assert_eq!(
            (found.people, found.organisations, found.places, found.unsure, found.keywords),
            (
                vec!["Ruth Voss".to_owned()],
                vec!["Eastbrook Town Council".to_owned()],
                vec!["Miller Park".to_owned()],
                vec!["Acme".to_owned()],
                vec!["plan".to_owned(), "grant".to_owned()],
            )
        );
    }

    #[test]
    fn a_child_is_kept_out_of_metadata_and_an_article_without_names_is_noted() {
        let (article, names) = named("Dana Tull, 9, spoke.", &[("Dana Tull", true)]);
        let found = notes(&ReadArticle { article: &article, names: names.clone(), headlines: vec![], grade: None });
        assert_eq!((found.len(), found[0].text.as_str()), (1, "Dana Tull"));
        let (article, names) = named("Dana Tull, 39, spoke.", &[("Dana Tull", true)]);
        let read = ReadArticle { article: &article, names: names.clone(), headlines: vec![], grade: None };
        assert_eq!(notes(&read), []);
        assert_eq!(notes(&ReadArticle { names: vec![], ..read.clone() }).len(), 1);
    }
}
