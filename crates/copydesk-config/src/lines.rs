//! The place of each key of a YAML file and of its value.

use std::collections::HashMap;

use saphyr_parser::{Event, Parser, ScalarStyle, Span};

use super::ConfigProblem;

/// A key of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct KeyAt {
    /// Its dotted path; an entry of a list is `list[0]`.
    pub(super) path: String,
    /// Its line, from 1.
    pub(super) line: usize,
    /// Its column, from 0, in characters.
    pub(super) column: usize,
    /// The last line of its value.
    pub(super) end: usize,
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
    let mut lines = HashMap::new();
    for KeyAt { path, line, .. } in keys(yaml) {
        lines.entry(path).or_insert(line);
    }
    lines
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
    /// Written in braces or brackets, so that its end is a character of the file.
    flow: bool,
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
                let flow = starts_with(&lines, span, if map { '{' } else { '[' });
                let (path, of) = value_of(&mut levels, &found);
                let kind = if map { Kind::Map { waiting: None } } else { Kind::List { next: 0 } };
                // An anchor or a tag would come first.
                let line = lines.get(span.start.line().saturating_sub(1)).copied().unwrap_or_default();
                let first = line.chars().nth(span.start.col()).filter(|first| ['{', '['].contains(first));
                levels.push(Level { path, kind, of, flow, from: first.map(|_| span.start.index()) });
            }
            Event::MappingEnd | Event::SequenceEnd => {
                if levels.last().is_some_and(|level| level.flow) {
                    reach(&levels, &mut found, span.end.line());
                }
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
                    let (line, column) = (span.start.line(), span.start.col());
                    found.push(KeyAt { path, line, column, end: line, value: None });
                    reach(&levels, &mut found, line);
                    continue;
                }
                let (_, of) = value_of(&mut levels, &found);
                // An empty value has no place of its own: the parser is at the next item.
                if text.is_empty() && style == ScalarStyle::Plain {
                    continue;
                }
                let column = of.or_else(|| levels.iter().rev().find_map(|level| level.of));
                let column = column.and_then(|of| found.get(of)).map_or(0, |key| key.column);
                let end = match style {
                    ScalarStyle::Literal | ScalarStyle::Folded => end_of_block(&lines, span, column),
                    _ => {
                        if let Some(key) = of.and_then(|of| found.get_mut(of)) {
                            key.value = Some((span.start.index(), span.end.index()));
                        }
                        span.end.line()
                    }
                };
                value_ends(&levels, &mut found, of, end);
            }
            Event::Alias(_) => {
                let (_, of) = value_of(&mut levels, &found);
                value_ends(&levels, &mut found, of, span.end.line());
            }
            _ => {}
        }
    }
    found
}

/// Whether a value starts with a mark, its anchor and its tag aside.
fn starts_with(lines: &[&str], span: Span, mark: char) -> bool {
    let line = lines.get(span.start.line().saturating_sub(1)).copied().unwrap_or_default();
    let value: String = line.chars().skip(span.start.col()).collect();
    value.split_whitespace().find(|word| !word.starts_with(['&', '!'])).is_some_and(|word| word.starts_with(mark))
}

/// Returns the last line of a block of text below a key in `column`: the parser is already at the next item.
fn end_of_block(lines: &[&str], span: Span, column: usize) -> usize {
    let inside = |line: &&str| !line.trim().is_empty() && line.chars().take_while(|c| *c == ' ').count() > column;
    let text = lines.iter().enumerate().take(span.end.line()).skip(span.start.line());
    let end = text.clone().take_while(|(_, line)| line.trim().is_empty() || inside(line));
    end.filter(|(_, line)| inside(line)).last().map_or(span.start.line(), |(index, _)| index + 1)
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

fn value_ends(levels: &[Level], found: &mut [KeyAt], of: Option<usize>, line: usize) {
    if let Some(key) = of.and_then(|of| found.get_mut(of)) {
        key.end = key.end.max(line);
    }
    reach(levels, found, line);
}

/// Every open value reaches to `line` at least.
fn reach(levels: &[Level], found: &mut [KeyAt], line: usize) {
    for of in levels.iter().filter_map(|level| level.of) {
        if let Some(key) = found.get_mut(of) {
            key.end = key.end.max(line);
        }
    }
}

/// How far to the right a line begins.
pub(super) fn indent_of(line: &str) -> usize {
    line.chars().take_while(|c| *c == ' ').count()
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

    #[test]
    fn each_value_has_its_last_line() {
        let yaml = "a: # later\n\n# note\nb:\n    c: |\n      one\n\n      two\n\n    d: >-\n      three\n\n# end\ne: {f: 1,\n  g: 2\n  }\nh:\n- 1\n- 2\n\ni: one\n  two\nj: &k {}\nl: *k\nm: \"x\n  y\"\nn:\n";
        let found: Vec<(String, usize, usize)> =
            keys(yaml).into_iter().map(|key| (key.path, key.column, key.end)).collect();
        let expected = [
            ("a", 0, 1),
            ("b", 0, 11),
            ("b.c", 4, 8),
            ("b.d", 4, 11),
            ("e", 0, 16),
            ("e.f", 4, 14),
            ("e.g", 2, 15),
            ("h", 0, 19),
            ("i", 0, 22),
            ("j", 0, 23),
            ("l", 0, 24),
            ("m", 0, 26),
            ("n", 0, 27),
        ];
        assert_eq!(found, expected.map(|(path, column, end)| (path.to_owned(), column, end)));
    }
}
