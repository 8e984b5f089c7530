//! The names under which models give the fields of an answer.

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
