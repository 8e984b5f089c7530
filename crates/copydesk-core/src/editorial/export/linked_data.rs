//! An article's description for search engines: schema.org's `NewsArticle` as JSON-LD.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use serde_json::{Map, Value, json};

use super::{Imprint, ReaderSource};
use crate::editorial::corrections::PrintedCorrection;
use copydesk_newsroom::ArticleResponse;

/// The description as JSON that can stand in a `script` element: it has no `<`.
pub(super) fn linked_data(article: &ArticleResponse, imprint: &Imprint) -> String {
    let mut data = Map::new();
    let mut add = |name: &str, value: Value| data.insert(name.to_owned(), value);
    add("@context", "https://schema.org".into());
    add("@type", "NewsArticle".into());
    add("@id", imprint.uri.as_str().into());
    add("headline", article.headline.trim().into());
    for (name, text) in [("alternativeHeadline", &article.alternativeHeadline), ("description", &article.description)] {
        if !text.trim().is_empty() {
            add(name, text.trim().into());
        }
    }
    add("inLanguage", imprint.language.as_str().into());
    add("articleSection", imprint.channel.as_str().into());
    add("dateCreated", imprint.opened_at.as_str().into());
    let status = match (imprint.withdrawn, &imprint.signed_by) {
        (true, _) => "Withdrawn",
        (false, Some(_)) => "Published",
        (false, None) => "Draft",
    };
    add("creativeWorkStatus", status.into());
    if let Some(editor) = &imprint.signed_by {
        add("accountablePerson", json!({"@type": "Person", "name": editor}));
    }
    if status != "Draft"
        && let Some(at) = &imprint.finished_at
    {
        add("datePublished", imprint.first_finished_at.as_ref().unwrap_or(at).as_str().into());
        if imprint.first_finished_at.is_some() {
            add("dateModified", at.as_str().into());
        }
    }
    if imprint.number > 1 {
        add("version", imprint.number.into());
    }
    if !imprint.corrections.is_empty() {
        add("correction", imprint.corrections.iter().map(comment).collect());
    }
    if let Some(line) = &imprint.disclosure {
        // schema.org: why and how an article was created.
        add("backstory", line.as_str().into());
    }
    add("digitalSourceType", digital_source(imprint).into());
    add("isBasedOn", imprint.sources.iter().map(based_on).collect());
    let notes = notes(&article.articleBody);
    if !notes.is_empty() {
        add("citation", notes.into());
    }
    Value::Object(data).to_string().replace('<', "\\u003c")
}

fn based_on(source: &ReaderSource) -> Value {
    let kind = if source.address.is_some() { "WebPage" } else { "CreativeWork" };
    let mut work =
        Map::from_iter([("@type".to_owned(), kind.into()), ("name".to_owned(), source.title.as_str().into())]);
    for (name, value) in [("url", &source.address), ("datePublished", &source.published)] {
        work.extend(value.as_deref().map(|value| (name.to_owned(), value.into())));
    }
    for (name, kind, value) in [("publisher", "Organization", &source.publisher), ("author", "Person", &source.byline)]
    {
        work.extend(value.as_deref().map(|value| (name.to_owned(), json!({"@type": kind, "name": value}))));
    }
    Value::Object(work)
}

fn comment(correction: &PrintedCorrection) -> Value {
    let mut comment = json!({"@type": "CorrectionComment", "text": correction.note});
    if let (Some(at), Some(fields)) = (&correction.at, comment.as_object_mut()) {
        fields.insert("datePublished".to_owned(), at.as_str().into());
    }
    comment
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
