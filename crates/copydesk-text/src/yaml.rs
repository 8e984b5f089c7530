//! A small YAML text as a tree that knows the line of each of its parts: a style's rule, the front matter of a skill.
//!
//! The settings' reader works on a tree without lines and looks them up afterwards. Here keys keep their order, and
//! every scalar is taken as it is written (`no: none` swaps the word *no*), which that tree does not do.

use saphyr_parser::{Event, Parser, ScalarStyle};

/// Deepest nesting; Vale's rules use three levels.
const DEEPEST: usize = 16;

/// A part of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Its line, from 1.
    pub line: usize,
    /// Its value.
    pub value: Value,
}

/// The value of a part of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A scalar as it is written, and whether it stands there without quotation marks.
    Text(String, bool),
    /// A list.
    List(Vec<Node>),
    /// Keys and values, in the file's order.
    Map(Vec<(String, Node)>),
}

impl Node {
    /// Whether nothing stands there.
    pub fn is_empty(&self) -> bool {
        matches!(&self.value, Value::Text(text, true) if text.is_empty() || text == "~" || text == "null")
    }
}

/// A node that is open while the file is read.
struct Open {
    node: Node,
    /// The key whose value comes next, if this is a mapping.
    key: Option<String>,
}

/// Most brackets, or list marks in a line, that may be open at once.
pub const MOST_OPEN: usize = 200;

/// The first line, from 1, where brackets or list marks are nested deeper than in any file that a person writes. A parser takes its time
/// over those: for each mark it looks at all that are open.
pub fn too_deep(yaml: &str) -> Option<usize> {
    let mut open = 0usize;
    let deep = yaml.lines().position(|line| {
        // A comment opens nothing.
        let line = if line.trim_start().starts_with('#') { "" } else { line };
        let mut marks = 0;
        let mut rest = line.trim_start();
        while let Some(after) = rest.strip_prefix("- ").or_else(|| rest.strip_prefix("? ")) {
            marks += 1;
            rest = after.trim_start();
        }
        let deepest = rest.bytes().fold(0, |deepest: usize, byte| {
            match byte {
                b'[' | b'{' => open += 1,
                b']' | b'}' => open = open.saturating_sub(1),
                _ => {}
            }
            deepest.max(open)
        });
        marks > MOST_OPEN || deepest > MOST_OPEN
    });
    deep.map(|line| line + 1)
}

/// Reads a text by the parser of the configuration, if it is not nested too deep for that.
///
/// # Errors
/// The problem, for the end of a sentence.
pub fn value(yaml: &str) -> Result<serde_yaml::Value, serde_yaml::Error> {
    match too_deep(yaml) {
        Some(line) => Err(serde::de::Error::custom(format!(
            "brackets or lists are nested more than {MOST_OPEN} deep at line {line}; nobody writes that by hand"
        ))),
        None => serde_yaml::from_str(yaml),
    }
}

/// Reads the first document of `yaml`.
///
/// # Errors
/// The line and what is wrong there, for the end of a sentence.
pub fn read(yaml: &str) -> Result<Node, (usize, String)> {
    let mut open: Vec<Open> = Vec::new();
    for event in Parser::new_from_str(yaml.strip_prefix('\u{FEFF}').unwrap_or(yaml)) {
        let (event, span) =
            event.map_err(|error| (error.marker().line().max(1), format!("no YAML: {}", error.info())))?;
        let line = span.start.line().max(1);
        let done = match event {
            Event::MappingStart(..) | Event::SequenceStart(..) => {
                if open.len() >= DEEPEST {
                    return Err((line, format!("nested more than {DEEPEST} deep")));
                }
                let map = matches!(event, Event::MappingStart(..));
                let value = if map { Value::Map(Vec::new()) } else { Value::List(Vec::new()) };
                open.push(Open { node: Node { line, value }, key: None });
                None
            }
            Event::MappingEnd | Event::SequenceEnd => open.pop().map(|level| level.node),
            Event::Scalar(text, style, ..) => {
                match open.last_mut() {
                    Some(Open { node: Node { value: Value::Map(_), .. }, key: key @ None }) => {
                        *key = Some(text.to_string());
                        // If a key has no value, the parser is already at what comes next.
                        None
                    }
                    _ => Some(Node { line, value: Value::Text(text.to_string(), style == ScalarStyle::Plain) }),
                }
            }
            Event::Alias(_) => return Err((line, "an alias (*name), which is not read here".to_owned())),
            _ => None,
        };
        let Some(node) = done else { continue };
        match open.last_mut() {
            None => return Ok(node),
            Some(Open { node: Node { value: Value::List(items), .. }, .. }) => items.push(node),
            Some(Open { node: Node { value: Value::Map(entries), .. }, key }) => {
                let Some(key) = key.take() else { return Err((node.line, "a key that is no text".to_owned())) };
                if entries.iter().any(|(other, _)| *other == key) {
                    return Err((node.line, format!("the key {key} a second time")));
                }
                entries.push((key, node));
            }
            Some(_) => return Err((line, "a value where none belongs".to_owned())),
        }
    }
    Err((1, "nothing".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_nested_too_deep_is_seen_at_a_glance() {
        for deep in ["[".repeat(1_000), "- ".repeat(1_000), "{a: ".repeat(1_000), "? ".repeat(1_000)] {
            assert_eq!(too_deep(&format!("a: b\n{deep}\n")), Some(2));
        }
        let refused = value(&"[".repeat(100_000)).unwrap_err().to_string();
        assert!(refused.starts_with("brackets or lists are nested more than 200 deep at line 1;"), "{refused}");
        assert_eq!(too_deep(&"a: [\n".repeat(1_000)), Some(MOST_OPEN + 1));
        for plain in ["a: [1, {b: c}]\n", "- - a\n", &"a: [1]\n# [\n- b: {}\n".repeat(10_000)] {
            assert_eq!(too_deep(plain), None);
        }
    }

    #[test]
    fn scalars_stay_as_written_and_know_their_lines() {
        let text = |line, text: &str, plain| Node { line, value: Value::Text(text.into(), plain) };
        assert_eq!(
            read("---\nswap:\n  no: none\n  'yes': \"on\"\ntokens:\n  - 1.0\nlink:\n").unwrap().value,
            Value::Map(vec![
                (
                    "swap".into(),
                    Node {
                        line: 3,
                        value: Value::Map(vec![
                            ("no".into(), text(3, "none", true)),
                            ("yes".into(), text(4, "on", false))
                        ]),
                    }
                ),
                ("tokens".into(), Node { line: 6, value: Value::List(vec![text(6, "1.0", true)]) }),
                ("link".into(), text(7, "", true)),
            ])
        );
    }

    #[test]
    fn what_is_no_rule_says_where() {
        assert_eq!(read("").unwrap_err().0, 1);
        assert!(read("a: 1\nb: [").unwrap_err().1.starts_with("no YAML: "));
        assert_eq!(read("a: &x 1\nb: *x\n").unwrap_err().0, 2);
        assert_eq!(read("a: 1\na: 2\n").unwrap_err(), (2, "the key a a second time".into()));
        assert_eq!(read(&"[".repeat(100)).unwrap_err().1, "nested more than 16 deep");
        assert!(read("? [a]\n: b\n").is_err());
    }
}
