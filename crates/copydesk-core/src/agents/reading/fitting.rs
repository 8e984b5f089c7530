//! Brings the values of an answer into the form of its schema: another case, another type, a list for the object that
//! holds it. Keys that were not asked for are dropped. A value that does not fit stays as it is, and the type then refuses it.

use serde_json::{Map, Value};

use super::{
    items::{pointed, under_key},
    meant::{is_none, number_in, plain},
    names::{kind, main_list, meant_by, property},
    parsing::ReadingNote,
};
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
    let Some((_, list)) = main_list(schema) else { return false };
    let (Some(items), Value::Object(map)) = (list.get("items"), value) else { return false };
    matched(map, items) > matched(map, schema)
}

impl Fitting {
    /// The value in the form of the schema. `name` is that of its field.
    pub(super) fn fit(&mut self, value: Value, schema: &Value, name: &str) -> Value {
        if let Some(choices) = schema.get("anyOf").and_then(Value::as_array) {
            let (null, others): (Vec<&Value>, Vec<&Value>) = choices.iter().partition(|choice| kind(choice) == "null");
            let no_list = others.first().is_none_or(|other| kind(other) != "array");
            let says_null = match &value {
                Value::String(text) => is_none(text) && !text.trim().is_empty(),
                Value::Array(items) => no_list && items.is_empty(),
                value => value.is_null(),
            };
            if says_null && !null.is_empty() {
                if !value.is_null() {
                    self.form(name, &value);
                }
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
    pub(super) fn form(&mut self, name: &str, given: &Value) {
        self.note(ReadingNote::Form(name.to_owned(), sanitise::excerpt(&given.to_string(), 60)));
    }

    fn object(&mut self, value: Value, schema: &Value, name: &str) -> Value {
        let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return value };
        let named = value.as_array().and_then(|items| named_values(items, properties));
        if named.is_some() {
            self.note(ReadingNote::Form(name.to_owned(), "an object for each key".to_owned()));
        }
        match named.map_or(value, Value::Object) {
            Value::Object(map)
                if matched(&map, schema) == 0
                    && map.keys().filter(|key| meant_by(properties, key).is_some()).count() < 2
                    && !map.is_empty() =>
            {
                self.inside(map, schema, name)
            }
            Value::Object(map) => {
                let (mut fitted, mut others) = (Map::new(), Vec::new());
                for (key, value) in map {
                    let Some((property, form)) = meant_by(properties, &key) else {
                        self.lost_words |=
                            value.is_null() || !key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
                        self.note(ReadingNote::Unknown(sanitise::excerpt(&key, 60)));
                        others.push((key, value));
                        continue;
                    };
                    // A key that is spelt as it was asked for counts before one that is spelt otherwise. Of two choices none counts.
                    if let Some(known) = fitted.get_mut(property).filter(|_| *property != key) {
                        self.note(ReadingNote::Twice(property.clone()));
                        let is_choice = form.pointer("/enum/0").is_some_and(Value::is_string);
                        if is_choice && Fitting::default().fit(value, form, property) != *known {
                            *known = Value::Null;
                        }
                        continue;
                    }
                    if *property != key {
                        self.form(property, &Value::String(key));
                    }
                    let value = self.fit(value, form, property);
                    fitted.insert(property.clone(), value);
                }
                for (property, form) in properties {
                    if fitted.get(property).is_none_or(|value| value.is_null() && form.get("anyOf").is_none())
                        && let Some(meant) = only_meaning(form, &others)
                            .or_else(|| named_by(property, form, &others))
                            .or_else(|| of_status(form, &fitted))
                            .or_else(|| no_texts(form, &fitted))
                    {
                        self.form(property, &Value::Null);
                        fitted.insert(property.clone(), meant);
                    }
                }
                Value::Object(fitted)
            }
            Value::Array(items) => {
                let list = main_list(schema).map(|(list, _)| list);
                match (items.as_slice(), list) {
                    ([one @ Value::Object(map)], list) if list.is_none_or(|list| map.contains_key(list)) => {
                        self.note(ReadingNote::Form(name.to_owned(), "a list of one".to_owned()));
                        self.fit(one.clone(), schema, name)
                    }
                    (_, Some(list)) => {
                        self.note(ReadingNote::Form(list.to_owned(), "a bare list".to_owned()));
                        let map = Map::from_iter([(list.to_owned(), Value::Array(items))]);
                        self.object(Value::Object(map), schema, name)
                    }
                    _ => Value::Array(items),
                }
            }
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
        if let Some((list, form)) = main_list(schema) {
            let items = form.get("items").unwrap_or(&Value::Null);
            let of_items = |value: &Value| match value {
                Value::String(_) => kind(items) == "string",
                Value::Object(map) => matched(map, items) > 0,
                _ => false,
            };
            let is_counted = |key: &String| kind(items) != "string" || key.ends_with(|c: char| c.is_ascii_digit());
            let found = if matched(&map, items) > 0 {
                Some(vec![Value::Object(map.clone())])
            } else if map.values().all(of_items) && map.keys().all(is_counted) {
                Some(map.iter().map(|(key, item)| numbered(key, item.clone(), items)).collect())
            } else {
                map.iter().map(|(key, value)| under_key(key, value, items)).collect()
            };
            if let Some(found) = found {
                self.note(ReadingNote::Form(list.to_owned(), "an object".to_owned()));
                return self.object(
                    Value::Object(Map::from_iter([(list.to_owned(), Value::Array(found))])),
                    schema,
                    name,
                );
            }
        }
        let properties = schema.get("properties").and_then(Value::as_object);
        let names = |items: &[Value]| properties.is_some_and(|properties| named_values(items, properties).is_some());
        let holds = |value: &Value| match value {
            Value::Object(map) => matched(map, schema) > 0 || map.values().any(Value::is_object),
            Value::Array(items) => main_list(schema).is_some() || items.len() == 1 || names(items),
            Value::String(text) => text.trim_start().starts_with(['{', '[']),
            _ => false,
        };
        let has_keys = |value: &Value| value.as_object().is_some_and(|map| matched(map, schema) > 0);
        let held: Vec<_> = map.iter().filter(|(_, value)| holds(value)).collect();
        let alone = match held.as_slice() {
            [alone] => Some(*alone),
            several => {
                let mut whole = several.iter().filter(|(_, value)| has_keys(value));
                whole.next().filter(|_| whole.next().is_none()).copied()
            }
        };
        match alone {
            Some((key, value)) => {
                self.note(ReadingNote::Unknown(sanitise::excerpt(key, 60)));
                self.fit(value.clone(), schema, name)
            }
            None => Value::Object(map),
        }
    }

    /// JSON within a text.
    fn spoken(&mut self, text: String, schema: &Value, name: &str) -> Value {
        let inner = text.trim_start().starts_with(['{', '[']).then(|| serde_json::from_str(&text).ok()).flatten();
        match inner {
            Some(value) if self.depth < DEEPEST => {
                self.depth += 1;
                self.note(ReadingNote::Form(name.to_owned(), "JSON in a text".to_owned()));
                self.fit(value, schema, name)
            }
            _ => pointed(&text, schema).unwrap_or(Value::String(text)),
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
            Value::String(text) if text.trim_start().starts_with('[') => match self.spoken(text, schema, name) {
                text @ Value::String(_) => vec![text],
                read => return read,
            },
            Value::String(text) if is_none(&text) => {
                self.form(name, &Value::String(text));
                Vec::new()
            }
            // Items under their numbers or names.
            Value::Object(map)
                if matched(&map, items) == 0 && !map.is_empty() && map.values().all(Value::is_object) =>
            {
                self.note(ReadingNote::Form(name.to_owned(), "an object".to_owned()));
                map.into_iter().map(|(key, item)| numbered(&key, item, items)).collect()
            }
            one => {
                self.form(name, &one);
                vec![one]
            }
        };
        let mut given = given;
        if kind(items) == "string" {
            given.retain(|item| !item.is_null());
        }
        if kind(items) == "integer" {
            given = given.into_iter().flat_map(|item| self.numbers(item, name)).collect();
        }
        Value::Array(given.into_iter().map(|item| self.fit(item, items, name)).collect())
    }
}

/// The values of an object that came as a list with an object for each key: `{"headline": "…"}`, or `{"key": "headline", "value": "…"}`.
fn named_values(items: &[Value], properties: &Map<String, Value>) -> Option<Map<String, Value>> {
    let pair = |item: &Value| {
        let map = item.as_object()?;
        let under =
            |names: [&str; 4]| map.iter().find(|(key, _)| names.contains(&&*plain(key))).map(|(_, value)| value);
        let (name, value) = match map.len() {
            1 if items.len() > 1 => map.iter().next().map(|(name, value)| (name.as_str(), value))?,
            2 => {
                (under(["key", "name", "field", "property"])?.as_str()?, under(["value", "text", "content", "answer"])?)
            }
            _ => return None,
        };
        Some((meant_by(properties, name)?.0.clone(), value.clone()))
    };
    let values = items.iter().map(pair).collect::<Option<Map<_, _>>>()?;
    (values.len() == items.len() && !items.is_empty()).then_some(values)
}

/// The value of a property that was left out, if there is but one: its only number, or the choice that stands under another name.
fn only_meaning(form: &Value, others: &[(String, Value)]) -> Option<Value> {
    match form.get("enum")?.as_array()?.as_slice() {
        [only @ Value::Number(_)] => Some(only.clone()),
        choices => {
            let said = |choice: &&Value| {
                let is = |other: &Value| other.as_str().map(plain) == choice.as_str().map(plain);
                others.iter().any(|(_, other)| is(other))
            };
            let mut meant = choices.iter().filter(said);
            meant.next().filter(|_| meant.next().is_none()).cloned()
        }
    }
}

/// The answer to a yes-or-no question in its own words: `answered` or `unanswered` under another name.
fn named_by(property: &str, form: &Value, others: &[(String, Value)]) -> Option<Value> {
    let name = plain(property);
    let said = |(_, other): &(String, Value)| match plain(other.as_str()?) {
        yes if yes == name => Some(true),
        no if ["un", "not"].iter().any(|not| no.strip_prefix(not) == Some(name.as_str())) => Some(false),
        _ => None,
    };
    (kind(form) == "boolean").then(|| others.iter().find_map(said)).flatten().map(Value::Bool)
}

/// A list of texts that was left out beside other fields.
fn no_texts(form: &Value, fitted: &Map<String, Value>) -> Option<Value> {
    let is_list = form.pointer("/items/type").is_some_and(|kind| kind == "string");
    (is_list && !fitted.is_empty()).then(|| Value::Array(Vec::new()))
}

/// The answer to a yes-or-no question that was left open, by the verdict beside it: a text that is kept does not mislead, another does.
fn of_status(form: &Value, fitted: &Map<String, Value>) -> Option<Value> {
    let status = fitted.get("status")?.as_str()?;
    (kind(form) == "boolean").then(|| Value::Bool(status != "KEEP"))
}

/// An item that stands under its number.
fn numbered(key: &str, mut item: Value, schema: &Value) -> Value {
    let properties = schema.get("properties").and_then(Value::as_object);
    let number = properties.and_then(|properties| properties.iter().find(|(_, form)| kind(form) == "integer"));
    if let (Some((name, _)), Some(map), Some(value)) = (number, item.as_object_mut(), number_in(key))
        && !map.keys().any(|key| plain(key) == plain(name))
    {
        map.insert(name.clone(), Value::from(value));
    }
    item
}

/// How many keys of a map the schema has.
fn matched(map: &Map<String, Value>, schema: &Value) -> usize {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return 0 };
    map.keys().filter(|key| property(properties, key).is_some()).count()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_left_out_or_under_another_key_is_read() {
        for (given, meant) in [
            (json!({"id": 1}), json!({"concern_id": 1})),
            (json!({"concern_id": 1, "confidence": "90%"}), json!({"concern_id": 1, "confidence": "high"})),
            (json!({"concern_id": 1, "confidence": null}), json!({"concern_id": 1, "confidence": "low"})),
            (
                json!({"concern_id": 1, "citations": [{"url": "https://example.org/a", "title": "A"}]}),
                json!({"concern_id": 1, "citations": ["https://example.org/a"]}),
            ),
        ] {
            let read = Fitting::default().fit(json!({"verdicts": [given]}), &schema(), "answer");
            assert_eq!(read, json!({"verdicts": [meant]}));
        }
        let keyed = json!([{"key": "concern_id", "value": 1}, {"name": "Rationale", "content": "One."}]);
        assert_eq!(
            Fitting::default().fit(json!({"verdicts": [keyed]}), &schema(), "answer"),
            json!({"verdicts": [{"concern_id": 1, "rationale": "One."}]})
        );
        // A key that comes twice has no one value.
        let twice = json!([{"key": "score", "value": 1}, {"key": "score", "value": 2}]);
        assert_eq!(
            Fitting::default().fit(json!({"verdicts": [twice]}), &schema(), "answer"),
            json!({"verdicts": [twice]})
        );
        let reason = Fitting::default().fit(Value::Null, &json!({"type": "string"}), "reason");
        assert_eq!(reason, json!(""));
    }

    /// A schema as the agents' are.
    fn schema() -> Value {
        let text = json!({"type": "string"});
        let item = json!({"type": "object", "properties": {
            "concern_id": {"type": "integer"},
            "misleading": {"type": "boolean"},
            "status": {"type": "string", "enum": ["KEEP", "REWRITE", "not_carried"]},
            "selected_agent": {"type": "string", "enum": ["fact_check", "opinion", "attribution", "style_review"]},
            "rationale": text,
            "fix": {"anyOf": [text, {"type": "null"}]},
            "citations": {"anyOf": [{"type": "array", "items": text}, {"type": "null"}]},
            "score": {"type": "number"},
            "confidence": {"type": "string", "enum": ["high", "medium", "low"]},
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
            ("rationale", json!({"p1": "One.", "p2": "Two."}), json!("One.\n\nTwo.")),
            ("rationale", json!(7), json!("7")),
            ("fix", json!("None"), json!(null)),
            ("fix", json!("N/A"), json!(null)),
            ("fix", json!([]), json!(null)),
            ("status", json!("NEEDS REWRITE"), json!("REWRITE")),
            ("status", json!("Not-carried-over"), json!("Not-carried-over")),
            ("selected_agent", json!("Fact-Checking Agent"), json!("fact_check")),
            ("selected_agent", json!("FactChecker"), json!("fact_check")),
            ("selected_agent", json!("style"), json!("style")),
            ("rationale_text", json!("r"), json!("r")),
            ("rationale", json!([{"paragraph": "One."}, {"paragraph": "Two."}]), json!("One.\n\nTwo.")),
            ("rationale", json!({"type": "string"}), json!({"type": "string"})),
            ("confidence", json!("0.9"), json!("high")),
            ("status", json!("KEPT"), json!("KEEP")),
            ("confidence", json!(0.95), json!("high")),
            ("confidence", json!("very high"), json!("high")),
            ("confidence", json!(50), json!("medium")),
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
            ("status", json!("do not KEEP")),
            ("status", json!("KEEP?")),
            ("status", json!("UNKEEP")),
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
            json!({"1": {"rationale": "r"}}),
            json!({"$schema": "s", "type": "object", "properties": whole, "required": ["verdicts"]}),
            json!({"schema": {"properties": {"verdicts": {"type": "array"}}}, "answer": whole}),
            json!([whole]),
            json!({"verdicts": {"1": {"rationale": "r"}}}),
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
    fn a_value_that_was_left_out_is_read_if_there_is_but_one() {
        let mut schema = schema()["properties"]["verdicts"]["items"].clone();
        schema["properties"]["concern_id"]["enum"] = json!([3]);
        let fitted = |value: Value| Fitting::default().fit(value, &schema, "");
        let read = fitted(json!({"rationale": "r", "verdict": "Keep"}));
        assert_eq!(read, json!({"rationale": "r", "concern_id": 3, "misleading": false, "status": "KEEP"}));
        let open = fitted(json!({"rationale": "r", "before": "Keep", "after": "rewrite"}));
        assert!(open.get("status").is_none(), "{open}");
        assert_eq!(fitted(json!({"concern_id": 4, "status": "KEEP"}))["concern_id"], json!(4));
    }

    #[test]
    fn a_list_of_numbers_is_read_in_each_of_its_forms() {
        let schema = json!({"type": "array", "items": {"type": "integer"}});
        for (given, read) in [
            (json!("1-6"), json!([1, 2, 3, 4, 5, 6])),
            (json!("1, 2, 4"), json!([1, 2, 4])),
            (json!("lines 1 to 3 and 5"), json!([1, 2, 3, 5])),
            (json!("[1], [2]"), json!([1, 2])),
            (json!(["1", "2"]), json!([1, 2])),
            (json!(["[1]", "2–3"]), json!([1, 2, 3])),
            (json!(["[1] In 1951 it was shut.", "Line 12: It costs $2 million."]), json!([1, 12])),
            (json!([{"line": 1}, {"line": 2, "text": "It was 7."}]), json!([1, 2])),
            (json!([1, 2.0]), json!([1, 2])),
        ] {
            assert_eq!(Fitting::default().fit(given.clone(), &schema, "lines"), read, "{given}");
        }
        for given in [json!(["In 1951 it was shut."]), json!(["1951"]), json!(["9-1"]), json!(["1-5000"])] {
            let read = Fitting::default().fit(given.clone(), &schema, "lines");
            assert!(read == given || read == json!([1951]), "{given}: {read}");
        }
    }

    #[test]
    fn a_null_where_the_contract_has_one_safe_value_is_that_value() {
        let mut schema = schema()["properties"]["verdicts"]["items"].clone();
        schema["properties"]["concern_id"]["enum"] = json!([3]);
        let fitted = |value: Value| Fitting::default().fit(value, &schema, "");
        for (status, misleading) in [("KEEP", false), ("REWRITE", true)] {
            for given in [
                json!({"concern_id": null, "misleading": null, "status": status}),
                json!({"concern_id": 3, "status": status}),
            ] {
                let read = json!({"concern_id": 3, "misleading": misleading, "status": status});
                assert_eq!(fitted(given.clone()), read, "{given}");
            }
        }
        assert_eq!(fitted(json!({"citations": [null, "a"]}))["citations"], json!(["a"]));
        assert!(fitted(json!({"concern_id": 3, "misleading": null}))["misleading"].is_null());
    }

    #[test]
    fn what_was_done_is_noted() {
        let mut fitting = Fitting::default();
        fitting.fit(json!({"verdicts": [{"status": "Keep", "misleading": false, "weight": 1}]}), &schema(), "");
        assert_eq!(
            fitting.notes,
            [ReadingNote::Form("status".into(), "\"Keep\"".into()), ReadingNote::Unknown("weight".into())]
        );
    }
}
