//! Turns a server's answer into a tool's result: text, bounded and cleaned. Other content is named and not shown.

use std::borrow::Cow;

use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
use serde_json::Value;
use sha2::{Digest, Sha256};
use url::Url;

use copydesk_config::Secrets;
use copydesk_newsroom::{FoundSource, ToolResult};
use copydesk_text::sanitise;

/// Most characters of a name, a type or an address within a result.
const LONGEST_LABEL: usize = 300;

/// The result as a model is shown it: at most `limit` bytes and a line that says if something was cut.
pub(super) fn result(answer: &CallToolResult, limit: usize, secrets: &Secrets) -> ToolResult {
    let mut parts: Vec<Cow<'_, str>> = answer.content.iter().map(part).collect();
    if let Some(structured) = answer.structured_content.as_ref().filter(|structured| !repeats(answer, structured)) {
        parts.push(structured.to_string().into());
    }
    let text = sanitise::clean(&parts.join("\n\n")).into_owned();
    let text = secrets.hide_in_answer(text);
    let text = if sanitise::is_blank(&text) { "[The tool returned nothing.]".to_owned() } else { cut(text, limit) };
    ToolResult { text, failed: answer.is_error == Some(true), ..ToolResult::default() }
}

/// The texts that an answer brought home, each with its address. They are its embedded texts, or else the whole text
/// under the address of the only link or the one that was `asked` for. At most `limit` bytes of a text are kept.
pub(super) fn sources(
    answer: &CallToolResult,
    asked: Option<&str>,
    limit: usize,
    secrets: &Secrets,
    read_at: &str,
) -> Vec<FoundSource> {
    let links: Vec<(&str, &str)> = answer.content.iter().filter_map(|block| link(block)).collect();
    let titled = |address: &str| links.iter().find(|(_, uri)| *uri == address).map(|(title, _)| *title);
    let kept = |address: &str, text: &str| {
        // An address that no program could open shows a reader nothing.
        Url::parse(address).ok()?;
        let text = secrets.hide_in_answer(sanitise::clean(text).into_owned());
        let text = text.get(..text.floor_char_boundary(limit)).unwrap_or_default().to_owned();
        let heading = || text.lines().find_map(|line| line.strip_prefix("# "));
        let title = label(titled(address).or_else(heading).unwrap_or(address));
        (!sanitise::is_blank(&text)).then(|| FoundSource {
            title: secrets.hide_in_answer(title),
            address: secrets.hide_in_answer(address.to_owned()),
            digest: hex::encode(Sha256::digest(&text)),
            text,
            read_at: read_at.to_owned(),
            ..FoundSource::default()
        })
    };
    let embedded = answer.content.iter().filter_map(|block| match block {
        ContentBlock::Resource(resource) => match &resource.resource {
            ResourceContents::TextResourceContents { uri, text, .. } => Some((uri.as_str(), text.as_str())),
            _ => None,
        },
        _ => None,
    });
    let found: Vec<FoundSource> = embedded.filter_map(|(uri, text)| kept(uri, text)).collect();
    if !found.is_empty() {
        return found;
    }
    let texts = answer.content.iter().filter_map(|block| block.as_text().map(|text| text.text.as_str()));
    let text = texts.collect::<Vec<_>>().join("\n\n");
    let address = match links.as_slice() {
        [(_, uri)] => Some(*uri),
        _ => asked,
    };
    address.and_then(|address| kept(address.trim(), &text)).into_iter().collect()
}

/// The title and the address of a link.
fn link(block: &ContentBlock) -> Option<(&str, &str)> {
    match block {
        ContentBlock::ResourceLink(link) => Some((link.title.as_deref().unwrap_or(&link.name), &link.uri)),
        _ => None,
    }
}

/// Whether a text of the answer is its structured content.
fn repeats(answer: &CallToolResult, structured: &Value) -> bool {
    answer.content.iter().any(|block| match block {
        ContentBlock::Text(text) => serde_json::from_str::<Value>(&text.text).is_ok_and(|value| value == *structured),
        _ => false,
    })
}

fn part(block: &ContentBlock) -> Cow<'_, str> {
    match block {
        ContentBlock::Text(text) => Cow::Borrowed(&text.text),
        ContentBlock::Image(image) => unshown("image", &image.mime_type, &image.data),
        ContentBlock::Audio(audio) => unshown("recording", &audio.mime_type, &audio.data),
        ContentBlock::ResourceLink(link) => {
            format!("[A link: {}, {}]", label(link.title.as_deref().unwrap_or(&link.name)), label(&link.uri)).into()
        }
        ContentBlock::Resource(resource) => match &resource.resource {
            ResourceContents::TextResourceContents { uri, text, .. } => format!("[From {}]\n{text}", label(uri)).into(),
            ResourceContents::BlobResourceContents { uri, mime_type, blob, .. } => {
                unshown(&format!("file {}", label(uri)), mime_type.as_deref().unwrap_or("of unknown type"), blob)
            }
            _ => "[Something that copydesk does not know, not shown]".into(),
        },
        _ => "[Something that copydesk does not know, not shown]".into(),
    }
}

/// Names what is in Base64.
fn unshown(what: &str, kind: &str, data: &str) -> Cow<'static, str> {
    format!("[An unshown {what}, {}, {} KB]", label(kind), (data.len() / 4 * 3).div_ceil(1024)).into()
}

fn label(text: &str) -> String {
    sanitise::excerpt(text, LONGEST_LABEL)
}

fn cut(mut text: String, limit: usize) -> String {
    if text.len() <= limit {
        return text;
    }
    let whole = text.len();
    text.truncate(text.floor_char_boundary(limit));
    let note = format!("\n[Cut: {} of {} KB are shown.]", limit / 1024, whole.div_ceil(1024));
    text.push_str(&note);
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use copydesk_config::Secret;

    fn shown(answer: Value, limit: usize) -> ToolResult {
        let secrets = Secrets::new(vec![Secret::new("wire-token-0123456789".into())]);
        result(&serde_json::from_value(answer).unwrap(), limit, &secrets)
    }

    #[test]
    fn text_is_shown_and_everything_else_is_named() {
        let answer = json!({"content": [
            {"type": "text", "text": "The council\u{1b}[2J voted.\u{202e} wire-token-0123456789"},
            {"type": "image", "mimeType": "image/png", "data": "A".repeat(4096)},
            {"type": "audio", "mimeType": "audio/wav\n", "data": "AAAA"},
            {"type": "resource_link", "uri": "https://example.com/minutes", "name": "Minutes"},
            {"type": "resource", "resource": {"uri": "file:///a.txt", "text": "Seven to two."}},
            {"type": "resource", "resource": {"uri": "file:///a.bin", "blob": "AAAA"}},
        ], "structuredContent": {"votes": [7, 2]}});
        assert_eq!(
            shown(answer, 10_000),
            ToolResult {
                text: "The council voted. [secret]\n\n[An unshown image, image/png, 3 KB]\n\n[An unshown recording, audio/wav, 1 KB]\n\n\
                       [A link: Minutes, https://example.com/minutes]\n\n[From file:///a.txt]\nSeven to two.\n\n\
                       [An unshown file file:///a.bin, of unknown type, 1 KB]\n\n{\"votes\":[7,2]}"
                    .into(),
                failed: false,
                ..ToolResult::default()
            }
        );
    }

    #[test]
    fn structured_content_that_stands_there_as_text_is_shown_once() {
        let answer =
            json!({"content": [{"type": "text", "text": "{ \"votes\": 7 }"}], "structuredContent": {"votes": 7}});
        assert_eq!(shown(answer, 10_000).text, "{ \"votes\": 7 }");
    }

    #[test]
    fn what_a_tool_fetched_is_kept_with_its_address() {
        let found = |content: Value, asked: Option<&str>| {
            let secrets = Secrets::new(vec![Secret::new("wire-token-0123456789".into())]);
            let answer = serde_json::from_value(json!({ "content": content })).unwrap();
            sources(&answer, asked, 40, &secrets, "2026-10-06T12:00:00Z")
        };
        let source = |title: &str, address: &str, text: &str| FoundSource {
            title: title.into(),
            address: address.into(),
            text: text.into(),
            digest: hex::encode(Sha256::digest(text)),
            published: None,
            byline: None,
            publisher: None,
            read_at: "2026-10-06T12:00:00Z".into(),
            hidden: Vec::new(),
            name: None,
        };
        let text = |text: &str| json!({ "type": "text", "text": text });
        let link = json!({ "type": "resource_link", "uri": "https://a.example/m", "name": "minutes", "title": "Min\u{202e}utes" });
        let resource =
            |uri: &str| json!({ "type": "resource", "resource": { "uri": uri, "text": "Seven\u{202e} to two." } });
        let asked = Some("https://a.example/asked");
        // An embedded text comes before all else, and a link names it.
        let embedded = json!([text("I fetched it."), resource("https://a.example/m"), link, resource("no address")]);
        assert_eq!(found(embedded, asked), [source("Minutes", "https://a.example/m", "Seven to two.")]);
        let linked = json!([text("The vote was seven to two."), link]);
        assert_eq!(found(linked, asked), [source("Minutes", "https://a.example/m", "The vote was seven to two.")]);
        let long = "# Vote\nwire-token-0123456789 and the council voted";
        let kept = source("Vote", "https://a.example/asked", "# Vote\n[secret] and the council voted");
        assert_eq!(found(json!([text(long)]), asked), [kept]);
        let cut = found(json!([text(&"é".repeat(100))]), asked);
        assert_eq!(cut[0].text, "é".repeat(20));
        for (content, asked) in [
            (json!([text("No address.")]), None),
            (json!([text("Not an address.")]), Some("park")),
            (json!([text(" \u{200b}")]), Some("https://a.example/")),
            (json!([link, link, text("Which of them?")]), None),
        ] {
            assert_eq!(found(content.clone(), asked), [], "{content}");
        }
    }

    #[test]
    fn a_long_result_is_cut_between_characters_and_says_so() {
        let answer = json!({"content": [{"type": "text", "text": "é".repeat(2000)}], "isError": true});
        let result = shown(answer, 1025);
        assert!(result.failed);
        assert_eq!(result.text, format!("{}\n[Cut: 1 of 4 KB are shown.]", "é".repeat(512)));
        assert_eq!(shown(json!({"content": []}), 10).text, "[The tool returned nothing.]");
    }
}
