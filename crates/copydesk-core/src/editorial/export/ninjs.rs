//! An article as ninjs 3.1, IPTC's JSON for news (<https://iptc.org/standards/ninjs/>), for other systems of a newsroom.

use serde_json::{Value, json};

use super::{
    Imprint, ReaderSource, html,
    imprint::{embargo_line, with_corrections},
    linked_data::{digital_source, said, without_nulls},
};
use crate::editorial::corrections::PrintedCorrection;
use copydesk_newsroom::ArticleResponse;

/// The article as a ninjs object. Unless an editor signed it off its status is `withheld`, so that no system publishes it by mistake.
pub fn to_ninjs(article: &ArticleResponse, imprint: &Imprint) -> Value {
    let headlines = [("main", Some(article.headline.trim())), ("alternative", said(&article.alternativeHeadline))];
    let headlines = headlines.into_iter().filter_map(|(role, text)| Some(json!({"role": role, "value": text?})));
    let source =
        |source: &ReaderSource| without_nulls(json!({"name": source.title, "role": "source", "uri": source.address}));
    let sources: Vec<Value> = imprint.sources.iter().map(source).collect();
    let created = imprint.finished_at.as_ref().unwrap_or(&imprint.opened_at);
    let embargo = imprint.embargo.as_ref().map(|until| format!("{}.", embargo_line(until)));
    let corrections = imprint.corrections.iter().map(PrintedCorrection::line);
    let note = embargo.into_iter().chain([imprint.standing.clone()]);
    let note: Vec<String> = note.chain(imprint.disclosure.clone()).chain(corrections).collect();
    // An editorial note is for editors only: readers see the correction in the text.
    let body = with_corrections(&article.articleBody, &imprint.corrections);
    let status = match (imprint.withdrawn, &imprint.signed_by) {
        (true, _) => "canceled",
        (false, Some(_)) => "usable",
        (false, None) => "withheld",
    };
    let (characters, words) = (body.chars().count(), body.split_whitespace().count());
    let descriptions = [("summary", said(&article.description)), ("disclosure", imprint.disclosure.as_deref())];
    let described =
        |(role, text): (&str, Option<&str>)| Some(json!({"role": role, "contentType": "text/plain", "value": text?}));
    without_nulls(json!({
        "standard": {
            "name": "ninjs",
            "version": "3.1",
            "schema": "http://www.iptc.org/std/ninjs/ninjs-schema_3.1.json#",
        },
        "uri": imprint.uri,
        "type": "text",
        "representationType": "full",
        "profile": "text-only",
        "version": imprint.number.to_string(),
        "firstCreated": imprint.opened_at,
        "contentCreated": imprint.opened_at,
        "versionCreated": created,
        "pubStatus": status,
        "language": imprint.language,
        "slugline": imprint.channel,
        "edNote": note.join(" "),
        "headlines": headlines.collect::<Vec<_>>(),
        "descriptions": descriptions.into_iter().filter_map(described).collect::<Vec<_>>(),
        "bodies": [
            {
                "role": "main", "contentType": "text/markdown", "value": body,
                "charCount": characters, "wordCount": words,
            },
            {"role": "richtext", "contentType": "text/html", "value": html::body(&body)},
        ],
        "infoSources": sources,
        "digitalSourceType": {"uri": digital_source(imprint)},
        "by": imprint.signed_by,
        "embargoedUntil": imprint.embargo,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::{
        export::imprint::{corrected, imprint},
        testing::article,
    };

    #[test]
    fn an_article_is_an_object_of_the_standard() {
        let article = article("The council **voted**. <script>x</script>\n");
        let object = to_ninjs(&article, &imprint());
        insta::assert_snapshot!(serde_json::to_string_pretty(&object).unwrap());
    }

    #[test]
    fn a_correction_is_a_version_of_its_own_that_says_what_was_wrong() {
        let (article, first) = (article("Text."), to_ninjs(&article("Text."), &imprint()));
        let object = to_ninjs(&article, &corrected());
        assert_eq!(object["uri"], first["uri"]);
        assert_eq!((&first["version"], &object["version"]), (&json!("1"), &json!("2")));
        assert_eq!(object["firstCreated"], first["firstCreated"]);
        assert_eq!(object["versionCreated"], "2026-10-07T09:00:00.000Z");
        assert_eq!(object["edNote"], "Signed off by A. Editor. Correction, 2026-10-07: It was <b>4</b>, not *5*.");
        let html = object["bodies"][1]["value"].as_str().unwrap();
        assert_eq!(
            html,
            "<p><strong>Correction, 2026-10-07:</strong> It was &lt;b&gt;4&lt;/b&gt;, not *5*.</p>\n<p>Text.</p>\n"
        );
    }

    #[test]
    fn what_nobody_signed_is_withheld() {
        let object = to_ninjs(&article("x"), &Imprint { signed_by: None, finished_at: None, ..imprint() });
        assert_eq!((&object["pubStatus"], object.get("by")), (&json!("withheld"), None));
        assert_eq!(object["versionCreated"], object["firstCreated"]);
        let told = to_ninjs(&article("x"), &Imprint { disclosure: Some("Made by AI.".into()), ..imprint() });
        assert_eq!(
            (&told["edNote"], &told["descriptions"][1]["value"]),
            (&json!("Signed off by A. Editor. Made by AI."), &json!("Made by AI."))
        );
    }
}
