//! Reads a YAML tree key by key and collects every problem with its line.

use std::{
    cell::RefCell,
    collections::{BTreeMap, HashMap},
};

use serde_yaml::{Mapping, Value};

use super::{ConfigProblem, Secret, lines::key_lines};

/// The problems found so far, and the line of each key.
pub(super) struct Report {
    lines: HashMap<String, usize>,
    problems: RefCell<Vec<ConfigProblem>>,
}

impl Report {
    pub(super) fn new(yaml: &str) -> Self {
        Self { lines: key_lines(yaml), problems: RefCell::default() }
    }

    pub(super) fn add(&self, key: &str, message: impl Into<String>) {
        self.problems.borrow_mut().push(ConfigProblem::wrong(self.line(key), key.to_owned(), message.into()));
    }

    fn missing(&self, key: &str, belongs: &str) {
        let message = format!("is missing; {belongs} belongs there");
        let problem = ConfigProblem { line: self.line(key), key: key.to_owned(), message, missing: true };
        self.problems.borrow_mut().push(problem);
    }

    /// The line of a key, or of the nearest section that is there.
    fn line(&self, key: &str) -> usize {
        let mut known = key;
        loop {
            if let Some(line) = self.lines.get(known) {
                return *line;
            }
            match known.rsplit_once(['.', '[']) {
                Some((section, _)) => known = section,
                None => return 1,
            }
        }
    }

    pub(super) fn into_problems(self) -> Vec<ConfigProblem> {
        let mut problems = self.problems.into_inner();
        problems.sort_by_key(|problem| problem.line);
        problems
    }
}

/// A section of the file: hands out its keys, each once, and reports those that were not asked for.
pub(super) struct Section<'a> {
    path: String,
    map: &'a Mapping,
    known: RefCell<Vec<&'static str>>,
    report: &'a Report,
}

impl<'a> Section<'a> {
    pub(super) fn root(map: &'a Mapping, report: &'a Report) -> Self {
        Self { path: String::new(), map, known: RefCell::default(), report }
    }

    /// The dotted path of `key` in this section.
    pub(super) fn path_of(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    fn get(&self, key: &'static str, belongs: &str) -> Option<&'a Value> {
        self.known.borrow_mut().push(key);
        let value = self.map.get(key);
        if value.is_none() {
            self.report.missing(&self.path_of(key), belongs);
        }
        value
    }

    fn wrong(&self, key: &str, value: &Value, belongs: &str) {
        let found = match value {
            Value::Null => "is empty",
            Value::String(text) if text.trim().is_empty() => "is empty",
            Value::Bool(_) => "is true or false",
            Value::Number(_) => "is a number",
            Value::String(_) => "is a text",
            Value::Sequence(_) => "is a list",
            Value::Mapping(_) => "is a section",
            Value::Tagged(_) => "has a YAML tag",
        };
        self.report.add(&self.path_of(key), format!("{found}; {belongs} belongs there"));
    }

    /// A non-empty text.
    pub(super) fn text(&self, key: &'static str, belongs: &str) -> String {
        match self.get(key, belongs) {
            Some(Value::String(text)) if !text.trim().is_empty() => text.trim().to_owned(),
            Some(other) => {
                self.wrong(key, other, belongs);
                String::new()
            }
            None => String::new(),
        }
    }

    /// A non-empty text, or none for `null`.
    pub(super) fn text_or_null(&self, key: &'static str, belongs: &str) -> Option<String> {
        match self.map.get(key) {
            Some(Value::Null) => {
                self.known.borrow_mut().push(key);
                None
            }
            _ => Some(self.text(key, &format!("null, or {belongs}"))).filter(|text| !text.is_empty()),
        }
    }

    /// A non-empty text that is not shown again.
    pub(super) fn secret(&self, key: &'static str, belongs: &str) -> Secret {
        let text = self.text(key, belongs);
        if text.starts_with('<') && text.ends_with('>') {
            self.report
                .add(&self.path_of(key), format!("still holds the template's placeholder; {belongs} belongs there"));
        }
        if text.chars().any(|c| !(' '..='~').contains(&c)) {
            self.report.add(
                &self.path_of(key),
                format!("holds a character that no request can carry; {belongs} belongs there"),
            );
        }
        Secret::new(text)
    }

    /// As [`Self::secret`], or none for `null`.
    pub(super) fn secret_or_null(&self, key: &'static str, belongs: &str) -> Option<Secret> {
        match self.map.get(key) {
            Some(Value::Null) => {
                self.known.borrow_mut().push(key);
                None
            }
            _ => Some(self.secret(key, &format!("null, or {belongs}"))),
        }
    }

    /// Secrets by free names; `{}` if there are none.
    pub(super) fn secrets(&self, key: &'static str, belongs: &str) -> BTreeMap<String, Secret> {
        let map = match self.get(key, belongs) {
            Some(Value::Mapping(map)) => map,
            Some(other) => {
                self.wrong(key, other, belongs);
                return BTreeMap::new();
            }
            None => return BTreeMap::new(),
        };
        map.iter()
            .filter_map(|(name, value)| {
                let name = name.as_str().map_or_else(|| format!("{name:?}"), str::to_owned);
                let text = as_text(value);
                if text.is_none() {
                    self.wrong(&format!("{key}.{name}"), value, "a non-empty text");
                }
                Some((name, Secret::new(text?)))
            })
            .collect()
    }

    /// Whether a key is there.
    pub(super) fn has(&self, key: &str) -> bool {
        self.map.contains_key(key)
    }

    /// A whole number within `range`.
    pub(super) fn whole(&self, key: &'static str, range: std::ops::RangeInclusive<u64>, belongs: &str) -> u64 {
        let belongs = format!("{belongs}, a whole number from {} to {},", range.start(), range.end());
        match self.get(key, &belongs) {
            Some(value) => match value.as_u64().filter(|number| range.contains(number)) {
                Some(number) => number,
                None if value.is_number() => {
                    self.report.add(&self.path_of(key), format!("is out of range; {belongs} belongs there"));
                    *range.start()
                }
                None => {
                    self.wrong(key, value, &belongs);
                    *range.start()
                }
            },
            None => *range.start(),
        }
    }

    /// A whole number within `range`, or none for `null`.
    pub(super) fn whole_or_null(
        &self,
        key: &'static str,
        range: std::ops::RangeInclusive<u64>,
        belongs: &str,
    ) -> Option<u64> {
        match self.map.get(key) {
            Some(Value::Null) => {
                self.known.borrow_mut().push(key);
                None
            }
            _ => Some(self.whole(key, range, &format!("null, or {belongs}"))),
        }
    }

    /// A number within `range`.
    pub(super) fn number(&self, key: &'static str, range: std::ops::RangeInclusive<f64>, belongs: &str) -> f64 {
        let belongs = format!("{belongs}, a number from {} to {},", range.start(), range.end());
        match self.get(key, &belongs) {
            Some(value) => match value.as_f64().filter(|number| range.contains(number)) {
                Some(number) => number,
                None if value.is_number() => {
                    self.report.add(&self.path_of(key), format!("is out of range; {belongs} belongs there"));
                    *range.start()
                }
                None => {
                    self.wrong(key, value, &belongs);
                    *range.start()
                }
            },
            None => *range.start(),
        }
    }

    /// Whether a number stands there, of a key that may also be a section.
    pub(super) fn is_number(&self, key: &str) -> bool {
        self.map.get(key).is_some_and(Value::is_number)
    }

    /// A number within `range`, or none for `null`.
    pub(super) fn number_or_null(
        &self,
        key: &'static str,
        range: std::ops::RangeInclusive<f64>,
        belongs: &str,
    ) -> Option<f64> {
        match self.map.get(key) {
            Some(Value::Null) => {
                self.known.borrow_mut().push(key);
                None
            }
            _ => Some(self.number(key, range, &format!("null, or {belongs}"))),
        }
    }

    /// As [`Self::number_or_null`], of a key that may be left out.
    pub(super) fn number_if_any(
        &self,
        key: &'static str,
        range: std::ops::RangeInclusive<f64>,
        belongs: &str,
    ) -> Option<f64> {
        self.known.borrow_mut().push(key);
        self.map.get(key).and_then(|_| self.number_or_null(key, range, belongs))
    }

    /// `true` or `false`.
    pub(super) fn yes_or_no(&self, key: &'static str, belongs: &str) -> bool {
        let belongs = format!("{belongs}, true or false,");
        match self.get(key, &belongs) {
            Some(Value::Bool(value)) => *value,
            Some(other) => {
                self.wrong(key, other, &belongs);
                false
            }
            None => false,
        }
    }

    /// One of a few words. The first is taken if none fits, so that reading can go on.
    pub(super) fn one_of<T: Copy>(&self, key: &'static str, choices: &[(&str, T)], belongs: &str) -> Option<T> {
        let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
        let belongs = format!("{belongs}, one of {},", words.join(", "));
        let text = match self.get(key, &belongs) {
            Some(Value::String(text)) => text.trim(),
            Some(other) => {
                self.wrong(key, other, &belongs);
                return None;
            }
            None => return None,
        };
        let found = choices.iter().find(|(word, _)| *word == text).map(|(_, choice)| *choice);
        if found.is_none() {
            self.report.add(&self.path_of(key), format!("is {text:?}; {belongs} belongs there"));
        }
        found
    }

    /// One of a few words, or none for `null`.
    pub(super) fn one_of_or_null<T: Copy>(&self, key: &'static str, choices: &[(&str, T)], belongs: &str) -> Option<T> {
        match self.map.get(key) {
            Some(Value::Null) => {
                self.known.borrow_mut().push(key);
                None
            }
            _ => self.one_of(key, choices, &format!("null, or {belongs}")),
        }
    }

    /// A list of non-empty texts, at least one.
    pub(super) fn texts(&self, key: &'static str, belongs: &str) -> Vec<String> {
        let Some(value) = self.get(key, belongs) else { return Vec::new() };
        texts_in(value).filter(|texts| !texts.is_empty()).unwrap_or_else(|| {
            self.wrong(key, value, belongs);
            Vec::new()
        })
    }

    /// A list of non-empty texts; `[]` if there are none.
    pub(super) fn texts_if_any(&self, key: &'static str, belongs: &str) -> Vec<String> {
        let belongs = format!("{belongs}, or [] if there are none,");
        let Some(value) = self.get(key, &belongs) else { return Vec::new() };
        texts_in(value).unwrap_or_else(|| {
            self.wrong(key, value, &belongs);
            Vec::new()
        })
    }

    /// A list of non-empty texts, or none for `null`.
    pub(super) fn texts_or_null(&self, key: &'static str, belongs: &str) -> Vec<String> {
        match self.map.get(key) {
            Some(Value::Null) => {
                self.known.borrow_mut().push(key);
                Vec::new()
            }
            _ => self.texts(key, &format!("null, or {belongs}")),
        }
    }

    /// Fields of any names and values, as JSON has them; empty for `null`.
    pub(super) fn fields_or_null(
        &self,
        key: &'static str,
        belongs: &str,
    ) -> serde_json::Map<String, serde_json::Value> {
        let belongs = format!("null, or {belongs}");
        match self.get(key, &belongs) {
            Some(Value::Null) | None => {}
            Some(value @ Value::Mapping(_)) => match json_of(value) {
                Some(serde_json::Value::Object(fields)) => return fields,
                _ => self.problem(key, format!("holds what JSON does not have (a key that is no text, a tag, an infinite number); {belongs} belongs there")),
            },
            Some(other) => self.wrong(key, other, &belongs),
        }
        serde_json::Map::new()
    }

    /// A section that must be there.
    pub(super) fn section<T>(
        &self,
        key: &'static str,
        belongs: &str,
        read: impl FnOnce(&Section<'a>) -> T,
    ) -> Option<T> {
        match self.get(key, belongs) {
            Some(Value::Mapping(map)) => Some(self.inside(key, map, read)),
            Some(other) => {
                self.wrong(key, other, belongs);
                None
            }
            None => None,
        }
    }

    /// A section, or `null` if the part is not used.
    pub(super) fn section_or_null<T>(
        &self,
        key: &'static str,
        belongs: &str,
        read: impl FnOnce(&Section<'a>) -> T,
    ) -> Option<T> {
        let belongs = format!("{belongs}, or null if it is not used,");
        match self.get(key, &belongs) {
            Some(Value::Mapping(map)) => Some(self.inside(key, map, read)),
            Some(Value::Null) | None => None,
            Some(other) => {
                self.wrong(key, other, &belongs);
                None
            }
        }
    }

    /// A list of sections, at least one, or `null` if the part is not used.
    pub(super) fn sections_or_null<T>(
        &self,
        key: &'static str,
        belongs: &str,
        read: impl Fn(&Section<'a>) -> T,
    ) -> Vec<T> {
        let belongs = format!("{belongs}, or null if it is not used,");
        match self.get(key, &belongs) {
            Some(Value::Sequence(items)) if !items.is_empty() => items
                .iter()
                .enumerate()
                .filter_map(|(index, item)| {
                    let key = format!("{key}[{index}]");
                    match item {
                        Value::Mapping(map) => Some(self.inside(&key, map, &read)),
                        other => {
                            self.wrong(&key, other, "an entry with its keys");
                            None
                        }
                    }
                })
                .collect(),
            Some(Value::Null) | None => Vec::new(),
            Some(other) => {
                self.wrong(key, other, &belongs);
                Vec::new()
            }
        }
    }

    /// Lists of texts by free names, each with the line of its name; `{}` if there are none.
    pub(super) fn named_lists(&self, key: &'static str, belongs: &str) -> Vec<(String, Vec<String>, usize)> {
        let map = match self.get(key, belongs) {
            Some(Value::Mapping(map)) => map,
            Some(other) => {
                self.wrong(key, other, belongs);
                return Vec::new();
            }
            None => return Vec::new(),
        };
        map.iter()
            .filter_map(|(name, value)| {
                let name = name.as_str().map_or_else(|| format!("{name:?}"), str::to_owned);
                let path = format!("{key}.{name}");
                let texts = value.as_sequence().and_then(|items| items.iter().map(as_text).collect());
                if texts.is_none() {
                    self.wrong(&path, value, "a list of texts, such as [ctrl-k, \"?\"],");
                }
                Some((name, texts?, self.report.line(&self.path_of(&path))))
            })
            .collect()
    }

    fn inside<T>(&self, key: &str, map: &'a Mapping, read: impl FnOnce(&Section<'a>) -> T) -> T {
        let section = Section { path: self.path_of(key), map, known: RefCell::default(), report: self.report };
        let value = read(&section);
        section.report_unknown();
        value
    }

    /// Takes keys as known without a look at their values.
    pub(super) fn pass_over(&self, keys: &[&'static str]) {
        self.known.borrow_mut().extend(keys);
    }

    /// Reports every key that was not asked for.
    pub(super) fn report_unknown(&self) {
        let known = self.known.borrow();
        for key in self.map.keys() {
            let name = key.as_str().map_or_else(|| format!("{key:?}"), str::to_owned);
            if !known.iter().any(|known| *known == name) {
                let message = format!("is not a key of this section; its keys are {}", known.join(", "));
                self.report.add(&self.path_of(&name), message);
            }
        }
    }

    /// Reports a problem with `key`.
    pub(super) fn problem(&self, key: &str, message: impl Into<String>) {
        self.report.add(&self.path_of(key), message);
    }
}

/// A value as JSON; none if JSON has none like it.
fn json_of(value: &Value) -> Option<serde_json::Value> {
    Some(match value {
        Value::Null => serde_json::Value::Null,
        Value::Bool(value) => (*value).into(),
        Value::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(number), _) => number.into(),
            (None, Some(number)) => number.into(),
            (None, None) => serde_json::Number::from_f64(number.as_f64()?)?.into(),
        },
        Value::String(text) => text.clone().into(),
        Value::Sequence(items) => items.iter().map(json_of).collect::<Option<Vec<_>>>()?.into(),
        Value::Mapping(map) => {
            let field = |(key, value): (&Value, &Value)| Some((key.as_str()?.to_owned(), json_of(value)?));
            serde_json::Value::Object(map.iter().map(field).collect::<Option<_>>()?)
        }
        Value::Tagged(_) => return None,
    })
}

/// The texts of a list; none if something else is in it.
fn texts_in(value: &Value) -> Option<Vec<String>> {
    let text = |item: &Value| item.as_str().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned);
    value.as_sequence()?.iter().map(text).collect()
}

/// A text, or a digit that was written without quotation marks.
fn as_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}
