//! Reads a YAML tree key by key and collects every problem with its line.

use std::{cell::RefCell, collections::HashMap, fmt, path::PathBuf};

use saphyr_parser::{Event, Parser};
use serde_yaml::{Mapping, Value};

use super::Secret;

/// One problem of a configuration file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The line, from 1; of the section where the key itself is missing.
    pub line: usize,
    /// The key with its sections, such as `article_generation.engine`.
    pub key: String,
    /// What is wrong and what belongs there.
    pub message: String,
}

/// A configuration that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct ConfigError {
    /// The file.
    pub file: PathBuf,
    /// Its problems, in the order of their lines.
    pub problems: Vec<Problem>,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = self.file.display();
        let count = self.problems.len();
        writeln!(f, "the configuration has {count} problem{}:", if count == 1 { "" } else { "s" })?;
        for problem in &self.problems {
            let Problem { line, key, message } = problem;
            if key.is_empty() {
                writeln!(f, "  {file}:{line}: {message}")?;
            } else {
                writeln!(f, "  {file}:{line}: {key} {message}")?;
            }
        }
        write!(f, "config/config.yaml.template shows every key, explained; `copydesk init` writes a new file")
    }
}

/// The problems found so far, and where each key stands.
pub(super) struct Report {
    lines: HashMap<String, usize>,
    problems: RefCell<Vec<Problem>>,
}

impl Report {
    pub(super) fn new(yaml: &str) -> Self {
        Self { lines: key_lines(yaml), problems: RefCell::default() }
    }

    pub(super) fn add(&self, key: &str, message: impl Into<String>) {
        let line = self.line(key);
        self.problems.borrow_mut().push(Problem { line, key: key.to_owned(), message: message.into() });
    }

    /// The line of a key, or of the nearest section that is there.
    fn line(&self, key: &str) -> usize {
        let mut known = key;
        loop {
            if let Some(line) = self.lines.get(known) {
                return *line;
            }
            match known.rsplit_once('.') {
                Some((section, _)) => known = section,
                None => return 1,
            }
        }
    }

    pub(super) fn into_problems(self) -> Vec<Problem> {
        let mut problems = self.problems.into_inner();
        problems.sort_by_key(|problem| problem.line);
        problems
    }
}

/// Keys that a section gives twice, with the line of the second.
pub(super) fn repeated_keys(yaml: &str) -> Vec<Problem> {
    let mut seen = HashMap::new();
    let mut repeated = Vec::new();
    for (key, line) in keys(yaml) {
        if let Some(first) = seen.insert(key.clone(), line) {
            repeated.push(Problem { line, key, message: format!("stands on line {first} already; give it once") });
        }
    }
    repeated
}

/// Line of each key of the file's mappings, by its dotted path.
fn key_lines(yaml: &str) -> HashMap<String, usize> {
    let mut lines = HashMap::new();
    for (key, line) in keys(yaml) {
        lines.entry(key).or_insert(line);
    }
    lines
}

/// Each key of the file's mappings by its dotted path, with its line, in order.
fn keys(yaml: &str) -> Vec<(String, usize)> {
    enum Level {
        /// A mapping at a path; the key whose value comes next, if a key has been read.
        Map {
            path: String,
            key: Option<String>,
        },
        List,
    }
    let mut lines = Vec::new();
    let mut levels: Vec<Level> = Vec::new();
    // A key is read where a mapping waits for one; anything else is a value and uses the key up.
    let take_key = |levels: &mut Vec<Level>| match levels.last_mut() {
        Some(Level::Map { key, .. }) => key.take(),
        _ => None,
    };
    for event in Parser::new_from_str(yaml) {
        let Ok((event, span)) = event else { break };
        match event {
            Event::MappingStart(..) => {
                let path = take_key(&mut levels).unwrap_or_default();
                levels.push(Level::Map { path, key: None });
            }
            Event::SequenceStart(..) => {
                take_key(&mut levels);
                levels.push(Level::List);
            }
            Event::MappingEnd | Event::SequenceEnd => {
                levels.pop();
            }
            Event::Scalar(text, ..) => {
                if let Some(Level::Map { path, key }) = levels.last_mut() {
                    if key.is_some() {
                        *key = None;
                    } else {
                        let full = if path.is_empty() { text.to_string() } else { format!("{path}.{text}") };
                        lines.push((full.clone(), span.start.line()));
                        *key = Some(full);
                    }
                }
            }
            Event::Alias(_) => {
                take_key(&mut levels);
            }
            _ => {}
        }
    }
    lines
}

/// A section of the file: hands out its keys, each once, and reports those that nobody asked for.
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
            self.report.add(&self.path_of(key), format!("is missing; {belongs} belongs there"));
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

    /// One of a few words. The first is taken where none fits, so that reading can go on.
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

    /// A list of non-empty texts, at least one.
    pub(super) fn texts(&self, key: &'static str, belongs: &str) -> Vec<String> {
        let Some(value) = self.get(key, belongs) else { return Vec::new() };
        let list: Option<Vec<String>> = value.as_sequence().map(|items| {
            items
                .iter()
                .filter_map(Value::as_str)
                .map(str::trim)
                .filter(|item| !item.is_empty())
                .map(str::to_owned)
                .collect()
        });
        match (list, value.as_sequence().map(Vec::len)) {
            (Some(list), Some(count)) if !list.is_empty() && list.len() == count => list,
            _ => {
                self.wrong(key, value, belongs);
                Vec::new()
            }
        }
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

    /// A section, or `null` where the part is not used.
    pub(super) fn section_or_null<T>(
        &self,
        key: &'static str,
        belongs: &str,
        read: impl FnOnce(&Section<'a>) -> T,
    ) -> Option<T> {
        let belongs = format!("{belongs}, or null where it is not used,");
        match self.get(key, &belongs) {
            Some(Value::Mapping(map)) => Some(self.inside(key, map, read)),
            Some(Value::Null) | None => None,
            Some(other) => {
                self.wrong(key, other, &belongs);
                None
            }
        }
    }

    fn inside<T>(&self, key: &str, map: &'a Mapping, read: impl FnOnce(&Section<'a>) -> T) -> T {
        let section = Section { path: self.path_of(key), map, known: RefCell::default(), report: self.report };
        let value = read(&section);
        section.report_unknown();
        value
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_key_has_its_line() {
        let lines = key_lines("a: 1\n# note\nb:\n  c: x\n  d: [1, {e: 2}]\n  f: {g: 1,\n    h: 2}\nb2: *x\n");
        let mut found: Vec<(String, usize)> = lines.into_iter().collect();
        found.sort();
        let expected =
            [("a", 1), ("b", 3), ("b.c", 4), ("b.d", 5), ("b.f", 6), ("b.f.g", 6), ("b.f.h", 7), ("b2", 8), ("e", 5)];
        let named: Vec<(String, usize)> = expected.iter().map(|(key, line)| ((*key).to_owned(), *line)).collect();
        // Keys inside lists belong to no section; no setting of ours is one.
        assert_eq!(
            found.iter().filter(|(k, _)| k != "e" && k != "b2").collect::<Vec<_>>(),
            named.iter().filter(|(k, _)| k != "e" && k != "b2").collect::<Vec<_>>()
        );
    }
}
