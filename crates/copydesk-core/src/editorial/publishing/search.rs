//! The view of an article in a search engine, and the faults that keep a search from meeting it.

use schemars::JsonSchema;
use serde::Serialize;
use unicode_normalization::UnicodeNormalization as _;

use super::reading::{ReadArticle, cut, lead, note};
use copydesk_newsroom::{ArticleResponse, PublishingCheck, PublishingNote};
use copydesk_text::{
    in_marks,
    words::{fold, is_stop_word, words},
};

/// The number of characters of a title that most screens show.
const TITLE: usize = 60;

/// The number of characters of a description that are shown.
const DESCRIPTION: usize = 155;

/// A description of fewer characters tells little.
const STUB: usize = 50;

/// Most words of an address.
const ADDRESS_WORDS: usize = 6;

/// What a search engine would show.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SearchEntry {
    pub title: String,
    pub title_characters: usize,
    pub description: String,
    pub description_characters: usize,
    /// The last part of the address: three to six words of the headline, without figures that may change. None if the headline has no
    /// letter that an address can hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slug: Option<String>,
}

/// The article's entry in a search engine.
pub fn search_entry(read: &ReadArticle<'_>) -> SearchEntry {
    let article = read.article;
    let (own, other) = (article.headline.trim(), article.alternativeHeadline.trim());
    let fits = |title: &str| !title.is_empty() && title.chars().count() <= TITLE;
    let title = if !fits(own) && fits(other) { other.to_owned() } else { cut(own, TITLE) };
    let given = article.description.trim();
    let description = if given.is_empty() { lead(&article.articleBody).unwrap_or_default() } else { given };
    let description = cut(description, DESCRIPTION);
    SearchEntry {
        title_characters: title.chars().count(),
        description_characters: description.chars().count(),
        title,
        description,
        slug: slug(own),
    }
}

/// The words of a headline that an address can hold.
fn slug(headline: &str) -> Option<String> {
    let plain: String =
        headline.nfkd().filter(|c| !matches!(c, '\u{300}'..='\u{36F}' | '\'' | '’')).collect::<String>().to_lowercase();
    let parts = plain.split(|c: char| !c.is_ascii_alphanumeric());
    let kept =
        parts.filter(|part| part.len() > 1 && !part.contains(|c: char| c.is_ascii_digit()) && !is_stop_word(part));
    let kept: Vec<&str> = kept.take(ADDRESS_WORDS).collect();
    (!kept.is_empty()).then(|| kept.join("-"))
}

pub(super) fn notes(read: &ReadArticle<'_>) -> Vec<PublishingNote> {
    let article = read.article;
    let headline = article.headline.as_str();
    let on_headline =
        |what: String, fix: String| note(PublishingCheck::Search, ("headline", headline), 0..headline.len(), what, fix);
    let length = headline.trim().chars().count();
    let long = (length > TITLE).then(|| {
        let shown = cut(headline.trim(), TITLE);
        let other = article.alternativeHeadline.trim();
        let fix = if (1..=TITLE).contains(&other.chars().count()) {
            format!("As the search title take the alternative headline, {}.", in_marks(other))
        } else {
            format!("Leave out {} characters, or move the names into the first {TITLE}.", length - TITLE)
        };
        on_headline(
            format!("The title has {length} characters; a search shows about {TITLE}: {}.", in_marks(&shown)),
            fix,
        )
    });
    let known = |text: &str, name: &str| fold(text).contains(&fold(name));
    let opening: String = article.articleBody.split("\n\n").filter(|part| !part.starts_with('#')).take(2).collect();
    let mut names = read.names.iter().filter_map(|name| article.articleBody.get(name.range.clone()));
    let late = names.find(|name| words(name).len() > 1 && known(headline, name) && !known(&opening, name));
    let late = late.map(|name| {
        let what = format!("The headline names {name}, and the first two paragraphs do not.");
        on_headline(what, format!("Name {name} in the first or second paragraph."))
    });
    long.into_iter().chain(on_description(article)).chain(late).collect()
}

/// The fault of the description, if it has one.
fn on_description(article: &ArticleResponse) -> Option<PublishingNote> {
    let (text, given) = (article.description.as_str(), article.description.trim());
    let lead = lead(&article.articleBody).map(|lead| cut(lead, DESCRIPTION));
    let from_lead = |why: &str| match &lead {
        Some(lead) => format!("{why} The article begins: {}.", in_marks(lead)),
        None => why.to_owned(),
    };
    let length = given.chars().count();
    let (what, fix, takes_lead) = if given.is_empty() {
        ("The description is missing.".to_owned(), from_lead("Write one or two sentences."), true)
    } else if length > DESCRIPTION {
        let fix = format!("Say what counts within the part that is shown: {}.", in_marks(&cut(given, DESCRIPTION)));
        (format!("The description has {length} characters; a search shows about {DESCRIPTION}."), fix, false)
    } else if length < STUB {
        let fix = from_lead("Add the fact and its condition.");
        (format!("The description has {length} characters and tells little."), fix, false)
    } else if fold(given) == fold(article.headline.trim()) {
        ("The description repeats the headline.".to_owned(), from_lead("Add what the headline could not hold."), true)
    } else {
        return None;
    };
    let note = note(PublishingCheck::Search, ("description", text), 0..text.len(), what, fix);
    Some(PublishingNote { replacement: lead.filter(|_| takes_lead), ..note })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::testing::article;

    fn read(article: &ArticleResponse) -> ReadArticle<'_> {
        ReadArticle { article, names: vec![], headlines: vec![], grade: None }
    }

    #[test]
    fn an_address_has_words_and_no_figures() {
        assert_eq!(
            slug("Eastbrook council votes 7-2 for Miller Park’s renovation").unwrap(),
            "eastbrook-council-votes-miller-parks-renovation"
        );
        assert_eq!(slug("Zürich: Café closes").unwrap(), "zurich-cafe-closes");
        assert_eq!(slug("../../etc/passwd\r\nBcc: x").unwrap(), "etc-passwd-bcc");
        assert_eq!(slug("公園"), None);
    }

    #[test]
    fn a_missing_description_is_taken_from_the_lead() {
        let article =
            ArticleResponse { description: " ".into(), ..article("## Vote\n\nThe council voted 7-2 for the park.") };
        let found = notes(&read(&article));
        assert_eq!(found[0].replacement.as_deref(), Some("The council voted 7-2 for the park."));
        assert_eq!(search_entry(&read(&article)).description, "The council voted 7-2 for the park.");
    }

    #[test]
    fn a_long_title_gives_way_to_the_alternative_headline() {
        let article = ArticleResponse { headline: "word ".repeat(20), ..article("The council voted.") };
        assert_eq!(search_entry(&read(&article)).title, "Alternative");
        let found = notes(&read(&article));
        assert!(found[0].fix.contains("“Alternative”"), "{found:?}");
        let alone = ArticleResponse { alternativeHeadline: String::new(), ..article };
        assert!(search_entry(&read(&alone)).title_characters <= TITLE);
        assert!(notes(&read(&alone))[0].fix.starts_with("Leave out 39 characters"), "{:?}", notes(&read(&alone)));
    }

    #[test]
    fn a_name_of_the_headline_stands_early() {
        let body = "It rained.\n\nIt cleared.\n\nThen Miller Park opened.";
        let mut article =
            ArticleResponse { headline: "Miller Park opens again after the rain".into(), ..article(body) };
        article.description = "The park, which was closed for a year, opens again after rain.".into();
        let at = body.find("Miller").unwrap();
        let names = [copydesk_newsroom::NameInText { range: at..at + 11, person: false, no_person: true }];
        let found = notes(&ReadArticle { names: names.into(), ..read(&article) });
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].fix, "Name Miller Park in the first or second paragraph.");
    }
}
