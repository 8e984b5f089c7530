//! An answer between tags: XML as a value, a page of HTML as Markdown.

use std::borrow::Cow;

use quick_xml::{Reader, events::Event};
use serde_json::{Map, Value};

use copydesk_documents::ReadingPurpose;
use copydesk_text::pattern::TextPattern;

/// Tags of text, which stay in it.
pub(super) static TAG: TextPattern =
    TextPattern::new(r"(?i)</?(?:ul|ol|li|p|div|span|b|strong|em|i|code|br|html|body|paragraph|section)\b[^<>]{0,80}>");

/// One of them that no answer has as the name of a field.
static MARKUP: TextPattern = TextPattern::new(r"(?i)^</?(?:ul|ol|li|p|div|span|b|strong|em|i|br|html|body)\b");

/// A tag that only a page has.
static OF_PAGE: TextPattern = TextPattern::new(r"(?i)<(?:!doctype html|html|body|h[1-3]|dl|table|tr|ul|ol|li|p|div)\b");

/// A page of HTML as Markdown; any other text as it is.
pub(super) fn as_markdown(text: &str) -> Cow<'_, str> {
    if !OF_PAGE.is_match(text) {
        return Cow::Borrowed(text);
    }
    // The second headline and the description are told apart by their look.
    let marked = text.replace("<em>", "*").replace("</em>", "*");
    let page = copydesk_documents::read("answer.html", marked.as_bytes(), ReadingPurpose::Draft);
    page.map_or(Cow::Borrowed(text), |page| Cow::Owned(page.text))
}

/// The elements of a text as a value: an object of their names. A name that repeats has a list, and if there is no other name, the value is that
/// list alone. An element without elements is its text. None for a text that is no XML.
pub(super) fn value(text: &str) -> Option<Value> {
    let text = text.trim();
    if !text.starts_with('<') {
        return None;
    }
    let escaped = text.replace("& ", "&amp; ");
    let mut reader = Reader::from_str(&escaped);
    let mut open: Vec<Element> = vec![Element::default()];
    loop {
        let from = usize::try_from(reader.buffer_position()).ok()?;
        let event = reader.read_event().ok()?;
        let to = usize::try_from(reader.buffer_position()).ok()?;
        let raw = escaped.get(from..to)?;
        let (_, fields, said) = open.last_mut()?;
        match event {
            Event::Start(_) | Event::End(_) | Event::Empty(_) if MARKUP.is_match(raw) => said.push_str(raw),
            Event::Start(tag) => open.push((tag.local_name().as_ref().to_owned(), Map::new(), String::new())),
            Event::Empty(tag) => put(fields, tag.local_name().as_ref(), Value::Null),
            Event::End(_) => {
                let (name, fields, said) = open.pop().filter(is_one_thing)?;
                let several = fields.values().next().filter(|value| fields.len() == 1 && value.is_array()).cloned();
                let text = || if fields.is_empty() { said.trim().into() } else { Value::Object(fields) };
                let value = several.unwrap_or_else(text);
                put(&mut open.last_mut()?.1, &name, value);
            }
            Event::CData(_) => said.push_str(raw.strip_prefix("<![CDATA[")?.strip_suffix("]]>")?),
            Event::Eof => break,
            Event::Text(_) | Event::GeneralRef(_) => said.push_str(&quick_xml::escape::unescape(raw).ok()?),
            _ => {}
        }
    }
    let [whole] = <[_; 1]>::try_from(open).ok()?;
    (is_one_thing(&whole) && !whole.1.is_empty()).then_some(Value::Object(whole.1))
}

/// The name of an element, the elements in it, and its text.
type Element = (String, Map<String, Value>, String);

/// Whether an element has elements or a text alone: of both, one would be lost.
fn is_one_thing((_, fields, said): &Element) -> bool {
    fields.is_empty() || said.trim().is_empty()
}

/// Puts a field in, or a further item of it.
fn put(fields: &mut Map<String, Value>, name: &str, value: Value) {
    match fields.get_mut(name) {
        Some(Value::Array(items)) => items.push(value),
        Some(known) => *known = Value::Array(vec![known.take(), value]),
        None => {
            fields.insert(name.to_owned(), value);
        }
    }
}
