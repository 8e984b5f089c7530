//! The items of a list that stand in lines, or under keys, instead of in objects: questions, points with the numbers of their lines, fields
//! behind a number.

use regex::Captures;
use serde_json::{Map, Value};

use super::{
    denials::unmarked,
    meant::{number_in, numbers_in, plain},
    names::{kind, main_list},
};
use copydesk_text::{marks::quotations, pattern::TextPattern};

/// The numbers of lines behind a point: `(lines 1, 2)`, `[1] [2]`, `-> 1, 2`.
static LINES: TextPattern = TextPattern::new(
    r"(?i)[(\[]?\b(?:source )?lines?\b[ \t]*(?:numbers?)?[*_]*[:#]?[*_]*[ \t]*(?P<lines>\[?\d[\d,;&\[\] \t–-]*(?:\band\b[ \t]*\[?\d+\]?)?)[)\]]?|(?:->|=>|→)[ \t]*(?P<last>\[?#?\d[\d,;&# \t–-]*\]?)$|(?P<marks>(?:\[#?\d[\d,;# –-]*\][, ]*)+)",
);

/// The number of an item, in words.
static LABEL: TextPattern =
    TextPattern::new(r"(?i)^[*_# \t]*(?:question|q|point|section)[ \t]*#?\d{1,2}[*_]*[:.)][*_]*[ \t]*");

/// A list whose items stand in lines with a mark or a number: questions, or points with the numbers of their lines.
pub(super) fn in_lines(text: &str, schema: &Value) -> Option<Value> {
    let items = main_list(schema)?.1.get("items")?;
    let mut found: Vec<String> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        match unmarked(line) {
            Some((0, item)) => found.push(item.to_owned()),
            None if LABEL.is_match(line) => found.push(LABEL.replace_all(line, "").into_owned()),
            None if LINES.is_match(line) && found.last().is_none_or(|item| LINES.is_match(item)) => {
                found.push(line.to_owned());
            }
            within => {
                if let Some(item) = found.last_mut() {
                    item.push(' ');
                    item.push_str(within.map_or(line.trim(), |(_, within)| within));
                }
            }
        }
    }
    if kind(items) == "string" {
        let is_question = |item: &String| item.trim_end_matches(['*', '_', '"', '”', ' ']).ends_with('?');
        return (!found.is_empty() && found.iter().all(is_question)).then(|| found.into());
    }
    let points = found.iter().map(|item| pointed(item, items)).collect::<Option<Vec<_>>>();
    points.filter(|points| !points.is_empty()).map(Value::Array)
}

/// The names of an item's text and of its list of numbers, if it has these two alone.
fn point_and_lines(items: &Value) -> Option<(&String, &String)> {
    let properties = items.get("properties")?.as_object().filter(|properties| properties.len() == 2)?;
    let of_kind = |wanted: &str| properties.iter().find(|(_, form)| kind(form) == wanted).map(|(name, _)| name);
    of_kind("string").zip(of_kind("array"))
}

/// A point with the numbers of its lines, in one text.
pub(super) fn pointed(item: &str, items: &Value) -> Option<Value> {
    let (point, lines) = point_and_lines(items)?;
    let mut numbers: Vec<u64> = Vec::new();
    let rest = LINES.replace_all(item, |found: &Captures<'_>| {
        let said = ["lines", "last", "marks"].iter().find_map(|name| found.name(name)).map_or("", |said| said.as_str());
        numbers.extend(numbers_in(&said.replace("] [", "], [")).unwrap_or_default());
        " "
    });
    let rest = rest.trim_matches(|c: char| c.is_whitespace() || "-–—:;,.*_()".contains(c)).to_owned();
    (!numbers.is_empty() && !rest.is_empty())
        .then(|| Value::Object(Map::from_iter([(point.clone(), rest.into()), (lines.clone(), numbers.into())])))
}

/// An item that is a key with its value: a point over its lines, a number over a choice.
pub(super) fn under_key(key: &str, value: &Value, items: &Value) -> Option<Value> {
    if let (Some((point, lines)), Value::Array(numbers)) = (point_and_lines(items), value)
        && numbers.iter().all(Value::is_u64)
    {
        return Some(Value::Object(Map::from_iter([(point.clone(), key.into()), (lines.clone(), value.clone())])));
    }
    let properties = items.get("properties")?.as_object()?;
    let (number, _) = properties.iter().find(|(_, form)| kind(form) == "integer")?;
    let (name, _) = properties.iter().find(|(_, form)| value.as_str().is_some_and(|said| is_choice(form, said)))?;
    Some(Value::Object(Map::from_iter([(number.clone(), number_in(key)?.into()), (name.clone(), value.clone())])))
}

/// Whether a text is one of the choices of a field, or a yes or no.
fn is_choice(form: &Value, text: &str) -> bool {
    let said = plain(text);
    let is = |choice: &Value| choice.as_str().is_some_and(|choice| plain(choice) == said);
    form.get("enum").and_then(Value::as_array).is_some_and(|choices| choices.iter().any(is))
        || kind(form) == "boolean" && matches!(&*said, "yes" | "no" | "true" | "false")
}

/// An item's number and its fields behind it.
static NUMBERED: TextPattern = TextPattern::new(
    r"(?i)^[\s*_#>-]*(?:sentence|question|concern|item)?[ \t]*#?(?P<number>\d{1,3})[ \t]*[.):\]–-][*_]*[ \t]+(?P<rest>.+)$",
);

/// The marks between the fields of such a line.
static PARTS: TextPattern = TextPattern::new(r"[ \t]*(?:->|=>|→|[()|]|[:;,.](?:[ \t*_]+|$)|[ \t][-–—][ \t]|$)[ \t]*");

/// A list with a line for each item: its number, then its choices, its yes or no, and its reason.
pub(super) fn in_numbers(text: &str, schema: &Value) -> Option<Value> {
    let properties = main_list(schema)?.1.pointer("/items/properties")?.as_object()?;
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let found: Option<Vec<Value>> = lines.map(|line| numbered(line, properties)).collect();
    found.filter(|found| !found.is_empty()).map(Value::Array)
}

fn numbered(line: &str, properties: &Map<String, Value>) -> Option<Value> {
    let found = NUMBERED.captures(line)?;
    let (number, rest) = (found.name("number")?.as_str(), found.name("rest")?.as_str());
    let mut fields = Map::new();
    // The begin of a part, and that of the reason: behind the last choice.
    let (mut from, mut behind) = (0, 0);
    for end in PARTS.find_iter(rest) {
        let part = rest.get(from..end.start())?;
        from = end.end();
        if let Some((name, _)) = properties.iter().find(|(_, form)| is_choice(form, part)) {
            behind = from;
            if fields.insert(name.clone(), part.into()).is_some() {
                return None;
            }
        }
    }
    let reason = rest.get(behind..)?.trim_matches(|c: char| c.is_whitespace() || ":-–—)|".contains(c));
    for (name, form) in properties.iter().filter(|_| behind > 0) {
        let quoted = || quotations(rest).iter().filter_map(|one| rest.get(one.start..one.end)).collect::<Value>();
        let value = match kind(form) {
            "integer" => number.into(),
            "array" => quoted(),
            _ => reason.into(),
        };
        fields.entry(name.clone()).or_insert(value);
    }
    (behind > 0).then_some(Value::Object(fields))
}
