//! The place of each key of a YAML file and of its value.

use std::collections::HashMap;

use saphyr_parser::{Event, Parser, ScalarStyle};

use super::ConfigProblem;

/// A key of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct KeyAt {
    /// Its dotted path; an entry of a list is `list[0]`.
    pub(super) path: String,
    /// Its line, from 1.
    pub(super) line: usize,
    /// The first character of its value and the one behind it, counted from the beginning of the file. None if the value has lines of its
    /// own, an anchor or a tag: such a value is left to a person.
    pub(super) value: Option<(usize, usize)>,
}

/// Keys that a section gives twice, with the line of the second.
pub(super) fn repeated_keys(yaml: &str) -> Vec<ConfigProblem> {
    let mut seen = HashMap::new();
    let mut repeated = Vec::new();
    for KeyAt { path, line, .. } in keys(yaml) {
        if let Some(first) = seen.insert(path.clone(), line) {
            let message = format!("stands on line {first} already; give it once");
            repeated.push(ConfigProblem { line, key: path, message });
        }
    }
    repeated
}

/// Line of each key of the file's mappings, by its dotted path.
pub(super) fn key_lines(yaml: &str) -> HashMap<String, usize> {
    // The first of those that are given twice comes last.
    keys(yaml).into_iter().rev().map(|key| (key.path, key.line)).collect()
}

/// The line on which a key stands, from 1; none if the file does not have it.
pub fn line_of(yaml: &str, path: &str) -> Option<usize> {
    keys(yaml).into_iter().find(|key| key.path == path).map(|key| key.line)
}

/// A level of nesting that is open while the file is read.
struct Level {
    /// The path above a nested key or entry.
    path: String,
    kind: Kind,
    /// The key whose value this is, as an index of the result.
    of: Option<usize>,
    /// Its first character, if that is a brace or a bracket.
    from: Option<usize>,
}

enum Kind {
    /// A mapping; the key whose value comes next, if a key has been read.
    Map { waiting: Option<usize> },
    /// A list; the number of its next entry.
    List { next: usize },
}

/// Each key of the file's mappings, in order; as far as the file can be read.
pub(super) fn keys(yaml: &str) -> Vec<KeyAt> {
    let lines: Vec<&str> = yaml.lines().collect();
    let mut found: Vec<KeyAt> = Vec::new();
    let mut levels: Vec<Level> = Vec::new();
    for event in Parser::new_from_str(yaml) {
        let Ok((event, span)) = event else { break };
        match event {
            Event::MappingStart(..) | Event::SequenceStart(..) => {
                let map = matches!(event, Event::MappingStart(..));
                let (path, of) = value_of(&mut levels, &found);
                let kind = if map { Kind::Map { waiting: None } } else { Kind::List { next: 0 } };
                // An anchor or a tag would come first.
                let line = lines.get(span.start.line().saturating_sub(1)).copied().unwrap_or_default();
                let first = line.chars().nth(span.start.col()).filter(|first| ['{', '['].contains(first));
                levels.push(Level { path, kind, of, from: first.map(|_| span.start.index()) });
            }
            Event::MappingEnd | Event::SequenceEnd => {
                let Some(Level { of, from, .. }) = levels.pop() else { continue };
                if let Some(key) = of.and_then(|of| found.get_mut(of)) {
                    // The span of its end goes on to the next thing on the line.
                    key.value = from.map(|from| (from, span.start.index() + 1));
                }
            }
            Event::Scalar(text, style, ..) => {
                if let Some(Level { path, kind: Kind::Map { waiting: waiting @ None }, .. }) = levels.last_mut() {
                    let path = if path.is_empty() { text.to_string() } else { format!("{path}.{text}") };
                    *waiting = Some(found.len());
                    found.push(KeyAt { path, line: span.start.line(), value: None });
                    continue;
                }
                let (_, of) = value_of(&mut levels, &found);
                // An empty value has no place of its own: the parser is at the next item. A block has lines of its own.
                let is_empty = text.is_empty() && style == ScalarStyle::Plain;
                let is_block = matches!(style, ScalarStyle::Literal | ScalarStyle::Folded);
                if let Some(key) = of.and_then(|of| found.get_mut(of)).filter(|_| !is_empty && !is_block) {
                    key.value = Some((span.start.index(), span.end.index()));
                }
            }
            Event::Alias(_) => {
                value_of(&mut levels, &found);
            }
            _ => {}
        }
    }
    found
}

/// The path that a value has, and its key; the key that waits for it is used up.
fn value_of(levels: &mut [Level], found: &[KeyAt]) -> (String, Option<usize>) {
    match levels.last_mut() {
        Some(Level { kind: Kind::Map { waiting }, .. }) => {
            let of = waiting.take();
            (of.and_then(|of| found.get(of)).map(|key| key.path.clone()).unwrap_or_default(), of)
        }
        Some(Level { path, kind: Kind::List { next }, .. }) => {
            let path = format!("{path}[{next}]");
            *next += 1;
            (path, None)
        }
        None => (String::new(), None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_key_has_its_line() {
        let yaml = "a: 1\n# note\nb:\n  c: x\n  d: [1, {e: 2}]\n  f: {g: 1,\n    h: 2}\nb2: &x 3\nlist:\n- i: 1\n- j: 1\n  k: 2\n";
        let found: Vec<(String, usize)> = keys(yaml).into_iter().map(|key| (key.path, key.line)).collect();
        let expected = [
            ("a", 1),
            ("b", 3),
            ("b.c", 4),
            ("b.d", 5),
            ("b.d[1].e", 5),
            ("b.f", 6),
            ("b.f.g", 6),
            ("b.f.h", 7),
            ("b2", 8),
            ("list", 9),
            ("list[0].i", 10),
            ("list[1].j", 11),
            ("list[1].k", 12),
        ];
        assert_eq!(found, expected.map(|(path, line)| (path.to_owned(), line)));
    }
}
