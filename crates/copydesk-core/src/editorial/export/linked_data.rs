//! An article's description for search engines: schema.org's `NewsArticle` as JSON-LD.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use serde_json::{Value, json};

use super::{Imprint, ReaderSource};
use crate::editorial::corrections::PrintedCorrection;
use copydesk_newsroom::ArticleResponse;

/// The description as JSON that can stand in a `script` element: it has no `<`.
pub(super) fn linked_data(article: &ArticleResponse, imprint: &Imprint) -> String {
    let status = match (imprint.withdrawn, &imprint.signed_by) {
        (true, _) => "Withdrawn",
        (false, Some(_)) => "Published",
        (false, None) => "Draft",
    };
    let (first, last) =
        (imprint.first_finished_at.as_ref(), imprint.finished_at.as_ref().filter(|_| status != "Draft"));
    let corrections: Vec<Value> = imprint.corrections.iter().map(comment).collect();
    let notes = notes(&article.articleBody);
    let data = json!({
        "@context": "https://schema.org",
        "@type": "NewsArticle",
        "@id": imprint.uri,
        "headline": article.headline.trim(),
        "alternativeHeadline": said(&article.alternativeHeadline),
        "description": said(&article.description),
        "inLanguage": imprint.language,
        "articleSection": imprint.channel,
        "dateCreated": imprint.opened_at,
        "creativeWorkStatus": status,
        "accountablePerson": named("Person", imprint.signed_by.as_ref()),
        "datePublished": last.map(|at| first.unwrap_or(at)),
        "dateModified": last.filter(|_| first.is_some()),
        "version": (imprint.number > 1).then_some(imprint.number),
        "correction": (!corrections.is_empty()).then_some(corrections),
        // schema.org: why and how an article was created.
        "backstory": imprint.disclosure,
        "digitalSourceType": digital_source(imprint),
        "isBasedOn": imprint.sources.iter().map(based_on).collect::<Vec<_>>(),
        "citation": (!notes.is_empty()).then_some(notes),
    });
    without_nulls(data).to_string().replace('<', "\\u003c")
}

/// An object without the fields that have no value.
pub(super) fn without_nulls(mut object: Value) -> Value {
    if let Some(fields) = object.as_object_mut() {
        fields.retain(|_, value| !value.is_null());
    }
    object
}

/// A text, if it says something.
pub(super) fn said(text: &str) -> Option<&str> {
    Some(text.trim()).filter(|text| !text.is_empty())
}

fn named(kind: &str, name: Option<&String>) -> Option<Value> {
    name.map(|name| json!({"@type": kind, "name": name}))
}

fn based_on(source: &ReaderSource) -> Value {
    without_nulls(json!({
        "@type": if source.address.is_some() { "WebPage" } else { "CreativeWork" },
        "name": source.title,
        "url": source.address,
        "datePublished": source.published,
        "publisher": named("Organization", source.publisher.as_ref()),
        "author": named("Person", source.byline.as_ref()),
    }))
}

fn comment(correction: &PrintedCorrection) -> Value {
    let (note, at) = (&correction.note, &correction.at);
    without_nulls(json!({"@type": "CorrectionComment", "text": note, "datePublished": at}))
}

/// The address of what wrote an article, in IPTC's list.
pub(super) fn digital_source(imprint: &Imprint) -> String {
    format!("http://cv.iptc.org/newscodes/digitalsourcetype/{}", imprint.digital_source)
}

/// The texts of a body's footnotes.
pub(super) fn notes(markdown: &str) -> Vec<String> {
    let mut notes = Vec::new();
    let mut open: Option<String> = None;
    for event in Parser::new_ext(markdown, Options::ENABLE_FOOTNOTES) {
        match event {
            Event::Start(Tag::FootnoteDefinition(_)) => open = Some(String::new()),
            Event::End(TagEnd::FootnoteDefinition) => notes.extend(open.take()),
            Event::Text(text) | Event::Code(text) | Event::Html(text) | Event::InlineHtml(text) => {
                if let Some(note) = &mut open {
                    note.push_str(&text);
                }
            }
            Event::SoftBreak | Event::HardBreak => open.iter_mut().for_each(|note| note.push(' ')),
            _ => {}
        }
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::{
        export::imprint::{corrected, imprint},
        testing::article,
    };

    #[test]
    fn an_article_is_described_and_nothing_closes_its_element() {
        let mut article = article("It passed.[^1]\n\n[^1]: Minutes, *item* 4, <b>https://m.example</b>\n");
        article.headline = "</script><script>alert(1)</script>".into();
        let text = linked_data(&article, &imprint());
        assert!(!text.contains('<'), "{text}");
        let data: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(data["headline"], "</script><script>alert(1)</script>");
        assert_eq!(data["accountablePerson"]["name"], "A. Editor");
        assert_eq!(data["datePublished"], "2026-10-06T12:00:09.000Z");
        assert_eq!(data["isBasedOn"][0]["datePublished"], "6 October");
        assert_eq!(data["isBasedOn"][1], json!({"@type": "CreativeWork", "name": "</script><b>"}));
        assert_eq!(data["citation"], json!(["Minutes, item 4, <b>https://m.example</b>"]));
    }

    #[test]
    fn a_correction_is_a_comment_with_its_day_and_the_article_keeps_its_first() {
        let data: Value = serde_json::from_str(&linked_data(&article("x"), &corrected())).unwrap();
        let at = "2026-10-07T09:00:00.000Z";
        let comment = json!({"@type": "CorrectionComment", "text": "It was <b>4</b>, not *5*.", "datePublished": at});
        assert_eq!(data["correction"], json!([comment]));
        assert_eq!((&data["version"], &data["dateModified"]), (&json!(2), &json!(at)));
        assert_eq!(data["datePublished"], "2026-10-06T12:00:09.000Z");
        let first: Value = serde_json::from_str(&linked_data(&article("x"), &imprint())).unwrap();
        assert_eq!((first.get("correction"), first.get("version"), first.get("dateModified")), (None, None, None));
    }

    #[test]
    fn what_nobody_signed_is_a_draft() {
        let line = "Made with the help of </script>.".to_owned();
        let told = linked_data(&article("x"), &Imprint { disclosure: Some(line.clone()), ..imprint() });
        assert!(!told.contains('<'), "{told}");
        assert_eq!(serde_json::from_str::<Value>(&told).unwrap()["backstory"], line);
        let imprint = Imprint { signed_by: None, ..imprint() };
        let data: Value = serde_json::from_str(&linked_data(&article("x"), &imprint)).unwrap();
        assert_eq!((&data["creativeWorkStatus"], &data["datePublished"]), (&json!("Draft"), &Value::Null));
        assert_eq!((data.get("citation"), data.get("backstory")), (None, None));
    }
}
