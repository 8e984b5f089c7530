//! The fields of an answer as its schema has them, and the names under which models give them.

use serde_json::{Map, Value};

use super::meant::plain;

/// Other names of a field. A name that the answer's form has itself means that field.
const OTHERS: [(&str, &str); 15] = [
    ("headline", "title heading mainHeadline"),
    (
        "alternativeHeadline",
        "alternative alternate altHeadline secondHeadline secondaryHeadline subheadline subtitle subhead",
    ),
    ("articleBody", "body content mainText fullText"),
    ("description", "summary standfirst abstract dek metaDescription"),
    ("status", "verdict finalVerdict decision judgement judgment"),
    ("rationale", "reason reasoning explanation justification why"),
    ("reason", "rationale reasoning explanation justification why"),
    ("why", "reason rationale explanation justification"),
    ("suggested_fix", "fix suggestion suggestedChange"),
    ("concern_type", "type kind category"),
    ("selected_agent", "agent specialist"),
    ("point", "title topic heading section keyPoint"),
    ("lines", "lineNumbers sourceLines"),
    ("quotations", "quotes quotation quote"),
    ("thought", "opinion verdict judgement judgment"),
];

/// The other names of a field.
pub(super) fn others(name: &str) -> impl Iterator<Item = &'static str> {
    let known = OTHERS.iter().find(|(known, _)| *known == name).map_or("", |(_, others)| others);
    known.split(' ').filter(|other| !other.is_empty())
}

/// The property that a key means: `Concern ID` and `2. concern_id` are `concern_id`.
pub(super) fn property<'s>(properties: &'s Map<String, Value>, key: &str) -> Option<(&'s String, &'s Value)> {
    properties.get_key_value(key).or_else(|| {
        let plain = plain(key);
        let plain = plain.trim_start_matches(|c: char| c.is_ascii_digit());
        properties.iter().find(|(name, _)| self::plain(name) == plain || plain == "id" && *name == "concern_id")
    })
}

/// The property that a key means, also under another name.
pub(super) fn meant_by<'s>(properties: &'s Map<String, Value>, key: &str) -> Option<(&'s String, &'s Value)> {
    property(properties, key).or_else(|| {
        let plain = plain(key);
        let mut found = properties.iter().filter(|(name, _)| others(name).any(|other| self::plain(other) == plain));
        found.next().filter(|_| found.next().is_none())
    })
}

pub(super) fn kind(schema: &Value) -> &str {
    schema.get("type").and_then(Value::as_str).unwrap_or_default()
}

/// The list of an object that has lists alone: its only one, or the only one of objects.
pub(super) fn main_list(schema: &Value) -> Option<(&str, &Value)> {
    let properties = schema.get("properties")?.as_object()?;
    let of_objects = |form: &Value| form.pointer("/items/properties").is_some();
    let mut lists = properties.iter().filter(|(_, form)| properties.len() == 1 || of_objects(form));
    let (name, form) = lists.next().filter(|_| lists.next().is_none())?;
    properties.values().all(|form| kind(form) == "array").then_some((name.as_str(), form))
}
