//! Brings a text, a number or a yes-or-no of an answer into the form of its schema.

use serde_json::Value;

use super::{
    denials::TAKES_BACK,
    fitting::Fitting,
    meant::{DEGREES, degree, named, number_in, numbers_in, plain},
    texts::bare,
};

impl Fitting {
    pub(super) fn text(&mut self, value: Value, schema: &Value, name: &str) -> Value {
        let choices: Vec<&str> =
            schema.get("enum").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
        let is_degree = DEGREES.iter().all(|degree| choices.contains(degree));
        let text = match &value {
            Value::String(text) => bare(text.clone(), name, &mut self.notes),
            // An estimate or a reason that is not given.
            Value::Null if is_degree => DEGREES[0].to_owned(),
            Value::Null if name == "reason" => String::new(),
            Value::Null => return Value::Null,
            Value::Number(_) | Value::Bool(_) => value.to_string(),
            Value::Array(_) | Value::Object(_) => match paragraphs(&value) {
                Some(text) => text,
                None => return value,
            },
        };
        if !value.is_string() {
            self.form(name, &value);
        }
        let text = is_degree.then(|| degree(&text)).flatten().map_or(text, str::to_owned);
        let plain = plain(&text);
        let meant =
            choices.iter().find(|choice| self::plain(choice) == plain).copied().or_else(|| named(&text, &choices));
        let meant = meant.filter(|_| !text.contains('?'));
        match meant {
            Some(meant) if meant != text => {
                self.form(name, &Value::String(text));
                Value::from(meant)
            }
            _ => Value::String(text),
        }
    }

    pub(super) fn whole(&mut self, value: Value, name: &str) -> Value {
        let read = match &value {
            Value::Number(number) if !number.is_u64() && !number.is_i64() => number.as_f64(),
            Value::String(text) => number_in(text),
            _ => None,
        };
        // Numbers of sentences and concerns are small.
        #[expect(clippy::cast_possible_truncation, reason = "whole and within the range of an i32")]
        let whole = read.filter(|read| read.fract() == 0.0 && read.abs() < f64::from(i32::MAX)).map(|read| read as i64);
        self.meant(value, name, whole)
    }

    pub(super) fn number(&mut self, value: Value, name: &str) -> Value {
        let read = value.as_str().and_then(|text| text.trim().parse::<f64>().ok()).filter(|number| number.is_finite());
        self.meant(value, name, read)
    }

    pub(super) fn truth(&mut self, value: Value, name: &str) -> Value {
        let read = match &value {
            Value::String(text) if denies(text) => Some(false),
            Value::String(text) => match plain(text).as_str() {
                "true" | "yes" | "1" => Some(true),
                "false" | "no" | "0" | "notyet" => Some(false),
                _ => None,
            },
            Value::Number(number) => match number.as_f64() {
                Some(1.0) => Some(true),
                Some(0.0) => Some(false),
                _ => None,
            },
            _ => None,
        };
        self.meant(value, name, read)
    }

    /// What a value of another form means, if that is known.
    fn meant(&mut self, value: Value, name: &str, meant: Option<impl Into<Value>>) -> Value {
        let Some(meant) = meant else { return value };
        self.form(name, &value);
        meant.into()
    }

    /// The numbers that an item of a list of numbers stands for.
    pub(super) fn numbers(&mut self, item: Value, name: &str) -> Vec<Value> {
        let text = match &item {
            Value::String(text) => text.clone(),
            Value::Object(map) => match map.values().filter(|value| value.is_number()).collect::<Vec<_>>().as_slice() {
                [only] => only.to_string(),
                _ => return vec![item],
            },
            _ => return vec![item],
        };
        match numbers_in(&text) {
            Some(numbers) => {
                self.form(name, &item);
                numbers.into_iter().map(Value::from).collect()
            }
            None => vec![item],
        }
    }
}

/// Whether a text is a no with its reason, and takes nothing back.
fn denies(text: &str) -> bool {
    let text = text.trim().to_lowercase();
    let rest = text.strip_prefix("no").filter(|rest| rest.starts_with([',', '.', ';', ':']));
    rest.is_some_and(|rest| {
        !rest.split(|c: char| !c.is_alphanumeric()).any(|word| word != "not" && TAKES_BACK.contains(&word))
    })
}

/// The paragraphs that a list or an object holds in the place of a text: one after the other, under numbers, or one under a key of its
/// own. None for the form of a text that a model copied from the schema.
fn paragraphs(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(items) if !items.is_empty() => {
            Some(items.iter().map(paragraphs).collect::<Option<Vec<_>>>()?.join("\n\n"))
        }
        Value::Object(map) => {
            let in_order = map.keys().all(|key| key.ends_with(|c: char| c.is_ascii_digit()));
            let texts: Option<Vec<&str>> = map.values().map(Value::as_str).collect();
            let joined =
                texts.filter(|texts| in_order && !texts.is_empty() || texts.len() == 1 && !map.contains_key("type"));
            let named = |name: &str| map.iter().find(|(key, value)| plain(key) == name && value.is_string());
            let own = ["url", "value", "text", "question", "request", "paragraph"].into_iter().find_map(named);
            let own = own.and_then(|(_, value)| value.as_str().map(str::to_owned));
            own.or_else(|| joined.map(|texts| texts.join("\n\n")))
        }
        _ => None,
    }
}
