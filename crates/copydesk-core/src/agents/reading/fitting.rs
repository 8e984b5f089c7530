//! Brings the values of an answer into the form of its schema: another case, another type, a list for the object that
//! holds it. Keys that were not asked for are dropped. A value that does not fit stays as it is, and the type then refuses it.

use serde_json::{Map, Value};

use super::parsing::{self, ReadingNote};
use copydesk_text::sanitise;

/// Most notes about one answer.
const MOST_NOTES: usize = 40;

/// Deepest that wrappers are looked into.
const DEEPEST: usize = 8;

/// Reads values, and collects the notes on their changes.
#[derive(Default)]
pub(super) struct Fitting {
    pub(super) notes: Vec<ReadingNote>,
    /// Whether a key was dropped that may be a piece of a text: in JSON that was mended, words may be lost with it.
    pub(super) lost_words: bool,
    depth: usize,
}

/// Every key that an answer of this schema may have.
pub(super) fn keys(schema: &Value) -> Vec<String> {
    let mut keys = Vec::new();
    collect_keys(schema, &mut keys);
    keys
}

fn collect_keys(schema: &Value, keys: &mut Vec<String>) {
    match schema {
        Value::Object(fields) => {
            if let Some(Value::Object(properties)) = fields.get("properties") {
                keys.extend(properties.keys().cloned());
            }
            fields.values().for_each(|field| collect_keys(field, keys));
        }
        Value::Array(items) => items.iter().for_each(|item| collect_keys(item, keys)),
        _ => {}
    }
}

/// Whether a value is an item of the one list that the schema's object holds.
pub(super) fn is_item(value: &Value, schema: &Value) -> bool {
    let Some((_, list)) = only_list(schema) else { return false };
    let (Some(items), Value::Object(map)) = (list.get("items"), value) else { return false };
    matched(map, items) > matched(map, schema)
}

impl Fitting {
    /// The value in the form of the schema. `name` is that of its field.
    pub(super) fn fit(&mut self, value: Value, schema: &Value, name: &str) -> Value {
        if let Some(choices) = schema.get("anyOf").and_then(Value::as_array) {
            let (null, others): (Vec<&Value>, Vec<&Value>) = choices.iter().partition(|choice| kind(choice) == "null");
            if !null.is_empty() && (value.is_null() || self.says_null(&value, name)) {
                return Value::Null;
            }
            return match others.first() {
                Some(other) => self.fit(value, other, name),
                None => value,
            };
        }
        match kind(schema) {
            "object" => self.object(value, schema, name),
            "array" => self.list(value, schema, name),
            "string" => self.text(value, schema, name),
            "integer" => self.whole(value, name),
            "number" => self.number(value, name),
            "boolean" => self.truth(value, name),
            _ => value,
        }
    }

    fn note(&mut self, note: ReadingNote) {
        if self.notes.len() < MOST_NOTES {
            self.notes.push(note);
        }
    }

    /// Notes that a value had another form.
    fn form(&mut self, name: &str, given: &Value) {
        self.note(ReadingNote::Form(name.to_owned(), sanitise::excerpt(&given.to_string(), 60)));
    }

    fn says_null(&mut self, value: &Value, name: &str) -> bool {
        let says = value.as_str().is_some_and(|text| is_none(text) && !text.trim().is_empty());
        if says {
            self.form(name, value);
        }
        says
    }

    fn object(&mut self, value: Value, schema: &Value, name: &str) -> Value {
        let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return value };
        match value {
            Value::Object(map) if matched(&map, schema) == 0 && !map.is_empty() => self.inside(map, schema, name),
            Value::Object(map) => {
                let mut fitted = Map::new();
                for (key, value) in map {
                    let Some((property, form)) = property(properties, &key) else {
                        self.lost_words |=
                            value.is_null() || !key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
                        self.note(ReadingNote::Unknown(sanitise::excerpt(&key, 60)));
                        continue;
                    };
                    // A key that is spelt as it was asked for counts before one that is spelt otherwise.
                    if fitted.contains_key(property) && *property != key {
                        self.note(ReadingNote::Twice(property.clone()));
                        continue;
                    }
                    if *property != key {
                        self.form(property, &Value::String(key));
                    }
                    let value = self.fit(value, form, property);
                    fitted.insert(property.clone(), value);
                }
                Value::Object(fitted)
            }
            Value::Array(items) => match only_list(schema) {
                Some((list, form)) => {
                    self.note(ReadingNote::Form(list.to_owned(), "a bare list".to_owned()));
                    let items = self.fit(Value::Array(items), form, list);
                    Value::Object(Map::from_iter([(list.to_owned(), items)]))
                }
                None => self.single(items, schema, name),
            },
            Value::String(text) => self.spoken(text, schema, name),
            other => other,
        }
    }

    /// An object that has none of the keys: it holds the object that was asked for, or it is one item of the list.
    fn inside(&mut self, map: Map<String, Value>, schema: &Value, name: &str) -> Value {
        if self.depth >= DEEPEST {
            return Value::Object(map);
        }
        self.depth += 1;
        if let Some((list, form)) = only_list(schema) {
            let items = form.get("items").unwrap_or(&Value::Null);
            let of_items = |value: &Value| value.as_object().is_some_and(|map| matched(map, items) > 0);
            let found = if matched(&map, items) > 0 {
                Some(vec![Value::Object(map.clone())])
            } else if map.values().all(of_items) {
                Some(map.values().cloned().collect())
            } else {
                None
            };
            if let Some(found) = found {
                self.note(ReadingNote::Form(list.to_owned(), "an object".to_owned()));
                let items = self.fit(Value::Array(found), form, list);
                return Value::Object(Map::from_iter([(list.to_owned(), items)]));
            }
        }
        let holds = |value: &Value| match value {
            Value::Object(map) => matched(map, schema) > 0 || map.values().any(Value::is_object),
            Value::Array(items) => only_list(schema).is_some() || items.len() == 1,
            Value::String(text) => text.trim_start().starts_with(['{', '[']),
            _ => false,
        };
        let mut held = map.iter().filter(|(_, value)| holds(value));
        match (held.next(), held.next()) {
            (Some((key, value)), None) => {
                self.note(ReadingNote::Unknown(sanitise::excerpt(key, 60)));
                self.fit(value.clone(), schema, name)
            }
            _ => Value::Object(map),
        }
    }

    /// One object in a list.
    fn single(&mut self, mut items: Vec<Value>, schema: &Value, name: &str) -> Value {
        match (items.pop(), items.is_empty()) {
            (Some(item @ Value::Object(_)), true) => {
                self.note(ReadingNote::Form(name.to_owned(), "a list of one".to_owned()));
                self.fit(item, schema, name)
            }
            (item, _) => {
                items.extend(item);
                Value::Array(items)
            }
        }
    }

    /// JSON within a text.
    fn spoken(&mut self, text: String, schema: &Value, name: &str) -> Value {
        let inner = text.trim_start().starts_with(['{', '[']).then(|| parsing::parse(&text).ok()).flatten();
        match inner {
            Some((value, _)) if self.depth < DEEPEST => {
                self.depth += 1;
                self.note(ReadingNote::Form(name.to_owned(), "JSON in a text".to_owned()));
                self.fit(value, schema, name)
            }
            _ => Value::String(text),
        }
    }

    fn list(&mut self, value: Value, schema: &Value, name: &str) -> Value {
        let Some(items) = schema.get("items") else { return value };
        let given = match value {
            Value::Array(given) => given,
            Value::Null => {
                self.form(name, &Value::Null);
                Vec::new()
            }
            Value::String(text) if text.trim_start().starts_with('[') => {
                return match self.spoken(text, schema, name) {
                    Value::String(text) => Value::Array(vec![self.fit(Value::String(text), items, name)]),
                    read => read,
                };
            }
            Value::String(text) if is_none(&text) => {
                self.form(name, &Value::String(text));
                Vec::new()
            }
            one => {
                self.form(name, &one);
                vec![one]
            }
        };
        Value::Array(given.into_iter().map(|item| self.fit(item, items, name)).collect())
    }

    fn text(&mut self, value: Value, schema: &Value, name: &str) -> Value {
        let text = match value {
            Value::String(text) => text,
            Value::Null => return Value::Null,
            Value::Number(_) | Value::Bool(_) => {
                self.form(name, &value);
                value.to_string()
            }
            // Paragraphs, a list of lines, or a text under a key of its own.
            Value::Array(ref items) if !items.is_empty() && items.iter().all(Value::is_string) => {
                self.form(name, &value);
                items.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n\n")
            }
            Value::Object(ref map) => match map.values().next() {
                Some(Value::String(only)) if map.len() == 1 => {
                    let only = only.clone();
                    self.form(name, &value);
                    only
                }
                _ => return value,
            },
            Value::Array(_) => return value,
        };
        let Some(choices) = schema.get("enum").and_then(Value::as_array) else { return Value::String(text) };
        let plain = plain(&text);
        let meant = choices.iter().filter_map(Value::as_str).find(|choice| self::plain(choice) == plain);
        match meant {
            Some(meant) if meant != text => {
                self.form(name, &Value::String(text));
                Value::from(meant)
            }
            _ => Value::String(text),
        }
    }

    fn whole(&mut self, value: Value, name: &str) -> Value {
        let read = match &value {
            Value::Number(number) if !number.is_u64() && !number.is_i64() => number.as_f64(),
            Value::String(text) => number_in(text),
            _ => None,
        };
        // Numbers of sentences and concerns are small.
        #[expect(clippy::cast_possible_truncation, reason = "whole and within the range of an i32")]
        let whole = read.filter(|read| read.fract() == 0.0 && read.abs() < f64::from(i32::MAX)).map(|read| read as i64);
        match whole {
            Some(whole) => {
                self.form(name, &value);
                Value::from(whole)
            }
            None => value,
        }
    }

    fn number(&mut self, value: Value, name: &str) -> Value {
        match value.as_str().and_then(|text| text.trim().parse::<f64>().ok()).filter(|number| number.is_finite()) {
            Some(number) => {
                self.form(name, &value);
                Value::from(number)
            }
            None => value,
        }
    }

    fn truth(&mut self, value: Value, name: &str) -> Value {
        let read = match &value {
            Value::String(text) => match plain(text).as_str() {
                "true" | "yes" | "1" => Some(true),
                "false" | "no" | "0" => Some(false),
                _ => None,
            },
            Value::Number(number) => match number.as_f64() {
                Some(1.0) => Some(true),
                Some(0.0) => Some(false),
                _ => None,
            },
            _ => None,
        };
        match read {
            Some(truth) => {
                self.form(name, &value);
                Value::Bool(truth)
            }
            None => value,
        }
    }
}

fn kind(schema: &Value) -> &str {
    schema.get("type").and_then(Value::as_str).unwrap_or_default()
}

/// The one property of an object, if it is a list.
fn only_list(schema: &Value) -> Option<(&str, &Value)> {
    let properties = schema.get("properties")?.as_object()?;
    let (name, form) = properties.iter().next()?;
    (properties.len() == 1 && kind(form) == "array").then_some((name.as_str(), form))
}

/// How many keys of a map the schema has.
fn matched(map: &Map<String, Value>, schema: &Value) -> usize {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return 0 };
    map.keys().filter(|key| property(properties, key).is_some()).count()
}

/// The property that a key means: `Concern ID` is `concern_id`.
fn property<'s>(properties: &'s Map<String, Value>, key: &str) -> Option<(&'s String, &'s Value)> {
    properties.get_key_value(key).or_else(|| {
        let plain = plain(key);
        properties.iter().find(|(name, _)| self::plain(name) == plain)
    })
}

/// Letters and digits alone, in lower case.
fn plain(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether a text is a word for nothing.
fn is_none(text: &str) -> bool {
    matches!(plain(text).as_str(), "" | "null" | "none" | "na" | "nil")
}

/// The one number of a short text, such as `1`, `#1`, `Concern 1` or `1.0`.
fn number_in(text: &str) -> Option<f64> {
    let text = text.trim();
    if let Ok(number) = text.parse::<f64>() {
        return Some(number);
    }
    let digits = text.trim_start_matches(|c: char| !c.is_ascii_digit()).trim_end_matches(|c: char| !c.is_ascii_digit());
    (text.chars().count() <= 20 && !text.contains('-')).then(|| digits.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A schema as the agents' are.
    fn schema() -> Value {
        let text = json!({"type": "string"});
        let item = json!({"type": "object", "properties": {
            "concern_id": {"type": "integer"},
            "misleading": {"type": "boolean"},
            "status": {"type": "string", "enum": ["KEEP", "REWRITE", "not_carried"]},
            "rationale": text,
            "fix": {"anyOf": [text, {"type": "null"}]},
            "citations": {"anyOf": [{"type": "array", "items": text}, {"type": "null"}]},
            "score": {"type": "number"},
        }});
        json!({"type": "object", "properties": {"verdicts": {"type": "array", "items": item}}})
    }

    fn fitted(value: Value) -> Value {
        Fitting::default().fit(value, &schema(), "")
    }

    fn one(key: &str, given: &Value) -> Value {
        let fitted = fitted(json!({"verdicts": [{key: given}]}));
        fitted["verdicts"][0].as_object().and_then(|map| map.values().next().cloned()).unwrap_or_default()
    }

    #[test]
    fn values_of_another_case_or_type_are_read() {
        for (key, given, read) in [
            ("concern_id", json!("1"), json!(1)),
            ("concern_id", json!(1.0), json!(1)),
            ("concern_id", json!("Concern #12"), json!(12)),
            ("Concern ID", json!(3), json!(3)),
            ("concernId", json!(3), json!(3)),
            ("misleading", json!("false"), json!(false)),
            ("misleading", json!("Yes"), json!(true)),
            ("misleading", json!(0), json!(false)),
            ("status", json!("Keep"), json!("KEEP")),
            ("status", json!(" rewrite. "), json!("REWRITE")),
            ("STATUS", json!("not carried"), json!("not_carried")),
            ("rationale", json!(["One.", "Two."]), json!("One.\n\nTwo.")),
            ("rationale", json!(7), json!("7")),
            ("fix", json!("None"), json!(null)),
            ("fix", json!("N/A"), json!(null)),
            ("citations", json!("a.md"), json!(["a.md"])),
            ("citations", json!([1]), json!(["1"])),
            ("citations", json!("none"), json!(null)),
            ("score", json!("0.5"), json!(0.5)),
        ] {
            assert_eq!(one(key, &given), read, "{key} {given}");
        }
    }

    #[test]
    fn what_says_something_else_stays_and_is_refused_later() {
        for (key, given) in [
            ("concern_id", json!("1 and 2")),
            ("concern_id", json!(1.5)),
            ("misleading", json!("perhaps")),
            ("status", json!("KEEP|REWRITE")),
            ("status", json!("KEEP or REWRITE")),
            ("rationale", json!(null)),
            ("score", json!("much")),
        ] {
            assert_eq!(one(key, &given), given, "{key}");
        }
    }

    #[test]
    fn a_list_or_an_object_around_the_answer_is_seen_through() {
        let item = json!({"concern_id": 1, "rationale": "r"});
        let whole = json!({"verdicts": [item]});
        for given in [
            whole.clone(),
            json!([item]),
            item.clone(),
            json!({"verdicts": item}),
            json!({"result": whole}),
            json!({"name": "verdicts", "arguments": whole}),
            json!({"type": "object", "properties": whole}),
            json!({"1": item}),
            json!({"output": whole.to_string()}),
            json!({"verdicts": json!([item]).to_string()}),
            json!({"verdicts": [item], "confidence": 0.9, "note": null}),
        ] {
            assert_eq!(fitted(given.clone()), whole, "{given}");
        }
        assert_eq!(fitted(json!({"verdicts": null})), json!({"verdicts": []}));
        assert_eq!(fitted(json!({})), json!({}), "nothing is made up");
    }

    #[test]
    fn an_object_in_a_list_of_one_is_that_object() {
        let schema = &schema()["properties"]["verdicts"]["items"];
        let fitted = Fitting::default().fit(json!([{"concern_id": "1"}]), schema, "");
        assert_eq!(fitted, json!({"concern_id": 1}));
    }

    #[test]
    fn what_was_done_is_noted() {
        let mut fitting = Fitting::default();
        fitting.fit(json!({"verdicts": [{"status": "Keep", "why": 1}]}), &schema(), "");
        assert_eq!(
            fitting.notes,
            [ReadingNote::Form("status".into(), "\"Keep\"".into()), ReadingNote::Unknown("why".into())]
        );
    }
}
