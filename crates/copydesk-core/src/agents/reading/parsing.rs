//! The JSON in an answer: its place, and its readings if it is only nearly JSON.
//!
//! The syntax is mended by jsonrepair-rs. This module does the rest: braces that a model doubled as in a template, and
//! quotation marks in a text that are not escaped. JSON is closed where it ends only if a text or a list was closed last,
//! so that no sentence that broke off passes for a whole one.

use std::{borrow::Cow, fmt};

use quick_xml::escape::unescape;
use regex::Captures;
use serde_json::{Value, from_str};

use copydesk_text::{pattern::TextPattern, wrapping::Wrapping};

/// Longest JSON that is mended, in bytes; no agent answers with more.
const LONGEST: usize = 1 << 20;

/// Most pieces of an answer that are tried.
const MOST: usize = 32;

/// Longest key, in bytes.
const LONGEST_KEY: usize = 64;

/// An escape that is whole, or half of a character.
static ODD: TextPattern = TextPattern::new(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?P<half>\\u[dD][89a-fA-F][0-9a-fA-F]{2})|\\.",
);

/// A piece of an answer that may be its JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Piece<'t> {
    pub(super) text: &'t str,
    /// Its start in the answer, in bytes.
    pub(super) start: usize,
    /// Whether its last bracket closes its first.
    closed: bool,
}

/// The pieces of an answer that may be its JSON, in their order: objects anywhere, lists at the beginning of a line.
pub(super) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let bytes = text.as_bytes();
    let (mut pieces, mut at) = (Vec::new(), 0);
    while let Some(start) = next_start(text, at) {
        let end = closing(bytes, start);
        let piece = |end: usize, closed| Some(Piece { text: text.get(start..end)?.trim_end(), start, closed });
        let Some(end) = end else {
            // A mark or a bracket is missing: up to the last bracket there is, else to the end.
            let last = text.rfind(['}', ']']).filter(|last| *last > start).map_or(text.len(), |last| last + 1);
            pieces.extend(piece(last, false));
            if last < text.len() {
                pieces.extend(piece(text.len(), false));
            }
            return pieces;
        };
        pieces.extend(piece(end, true));
        at = end;
        if pieces.len() >= MOST {
            break;
        }
    }
    pieces
}

fn next_start(text: &str, from: usize) -> Option<usize> {
    let rest = text.get(from..)?;
    rest.match_indices(['{', '[']).map(|(at, found)| (from + at, found)).find_map(|(at, found)| {
        let line = text.get(..at)?.rsplit('\n').next().unwrap_or_default();
        (found == "{" || line.trim().is_empty()).then_some(at)
    })
}

/// The place after the bracket that closes the one at `start`.
fn closing(bytes: &[u8], start: usize) -> Option<usize> {
    let (mut depth, mut in_text, mut escaped) = (0_usize, false, false);
    for (at, byte) in bytes.iter().enumerate().skip(start) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            b'{' | b'[' if !in_text => depth += 1,
            b'}' | b']' if !in_text => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// Returns the readings of a piece: one as it stands if that is JSON, else those after several ways of mending. `keys` are those that the
/// answer may have.
pub(super) fn readings(piece: Piece<'_>, keys: &[String]) -> serde_json::Result<Vec<(Value, Vec<ReadingNote>)>> {
    let flaw = match from_str(piece.text) {
        Ok(read) => return Ok(vec![(read, Vec::new())]),
        Err(flaw) => flaw,
    };
    let text = &*sound(piece.text);
    if text.len() > LONGEST || !(piece.closed || ends_surely(text)) {
        return Err(flaw);
    }
    let text = &*without_tripled_marks(text);
    // Doubled as in a template.
    let single = text.replace("{{", "{").replace("}}", "}");
    let ways = [text.to_owned(), single.clone(), with_escaped_marks(text, keys), with_escaped_marks(&single, keys)];
    let mut readings: Vec<(Value, Vec<ReadingNote>)> = Vec::new();
    for way in ways {
        let repaired = || jsonrepair_rs::jsonrepair(&way).ok();
        let read: Option<Value> = from_str(&way).ok().or_else(|| from_str(&repaired()?).ok());
        let is_new = |value: &Value| readings.iter().all(|(known, _)| known != value);
        if let Some(value) = read.filter(|value| (value.is_object() || value.is_array()) && is_new(value)) {
            readings.push((value, vec![ReadingNote::Mended(flaw.to_string())]));
        }
    }
    if readings.is_empty() { Err(flaw) } else { Ok(readings) }
}

/// Marks of a wide font, and an equals sign, in the place of JSON's own.
static WIDE: TextPattern = TextPattern::new(r#"(?P<colon>"\s*(?:：|=)\s*)|(?P<comma>["\d\w}\]]\s*)，"#);

/// The number that a program shows before each line.
static NUMBER: TextPattern = TextPattern::new(r"(?m)^[ \t]*\d{1,4}[ \t]*\|[ \t]?");

/// The text with JSON's own marks, if it has others in their place. These are entities of HTML, bars of a quotation, numbers of lines, and
/// wide marks. The first brace may be missing, or the braces be those of a set.
pub(super) fn with_own_marks(text: &str) -> Option<String> {
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    let mut own = if lines().all(|line| line.starts_with('>')) {
        text.lines().map(|line| line.trim_start_matches('>')).collect::<Vec<_>>().join("\n")
    } else if lines().all(|line| NUMBER.is_match(line)) {
        NUMBER.replace_all(text, "").into_owned()
    } else {
        text.to_owned()
    };
    own = unescape(&own).map_or_else(|_| own.clone(), Cow::into_owned);
    own = WIDE
        .replace_all(&own, |found: &Captures<'_>| match found.name("comma") {
            Some(before) => format!("{},", before.as_str()),
            None => "\":".to_owned(),
        })
        .into_owned();
    let begun = own.trim();
    if begun.starts_with('"') && begun.ends_with('}') && !begun.contains('{') {
        own = format!("{{{begun}");
    } else if let Some(set) = begun.strip_prefix('{').and_then(|set| set.strip_suffix('}'))
        && set.trim_start().starts_with('"')
        && !has_names(set)
    {
        own = format!("[{set}]");
    }
    (own != text).then_some(own)
}

/// Whether a piece of an answer has names as JSON has them.
pub(super) fn has_names(piece: &str) -> bool {
    piece.contains("\":") || piece.contains("':")
}

/// The text with a mark for half of a character.
fn sound(text: &str) -> Cow<'_, str> {
    ODD.replace_all(text, |found: &Captures<'_>| {
        let whole = found.get(0).map(|whole| whole.as_str()).unwrap_or_default();
        if found.name("half").is_some() { "\\ufffd".to_owned() } else { whole.to_owned() }
    })
}

/// A text between three quotation marks, as Python writes a long one. Further marks at its end belong to the text.
static TRIPLED: TextPattern =
    TextPattern::new(r#"(?s)(?P<before>[:\[,]\s*)"""(?P<text>.*?)(?P<own>"*)"""(?P<after>\s*[,}\]])"#);

/// JSON whose texts between three quotation marks stand between one.
fn without_tripled_marks(text: &str) -> Cow<'_, str> {
    TRIPLED.replace_all(text, |found: &Captures<'_>| {
        let part = |name: &str| found.name(name).map(|part| part.as_str()).unwrap_or_default();
        let own = format!("{}{}", part("text"), part("own")).replace("\\\"", "\"").replace('"', "\\\"");
        format!("{}\"{own}\"{}", part("before"), part("after"))
    })
}

/// Whether a text, a list or an object was closed last, or a word that cannot be longer.
fn ends_surely(text: &str) -> bool {
    let text = text.trim_end();
    if [": null", ": true", ": false", ":null", ":true", ":false"].iter().any(|end| text.ends_with(end)) {
        return true;
    }
    let before = text.strip_suffix('"').map(|before| before.len() - before.trim_end_matches('\\').len());
    text.ends_with(['}', ']']) || before.is_some_and(|slashes| slashes % 2 == 0)
}

/// JSON in whose texts each quotation mark is escaped that cannot be their end, because nothing follows that may follow one.
fn with_escaped_marks(text: &str, keys: &[String]) -> String {
    let mut out = String::with_capacity(text.len());
    // For each open bracket, whether it is an object's.
    let (mut open, mut in_text, mut escaped) = (Vec::new(), false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if in_text => escaped = true,
            '"' if in_text => {
                if ends_text(text.get(at + 1..).unwrap_or_default(), open.last() == Some(&true), keys) {
                    in_text = false;
                } else {
                    out.push('\\');
                }
            }
            '"' => in_text = true,
            '{' | '[' if !in_text => open.push(c == '{'),
            '}' | ']' if !in_text => {
                open.pop();
            }
            _ => {}
        }
        out.push(c);
    }
    out
}

/// Whether a text may have ended before `rest`.
fn ends_text(rest: &str, in_object: bool, keys: &[String]) -> bool {
    let rest = rest.trim_start();
    let Some(next) = rest.strip_prefix(',') else { return rest.is_empty() || rest.starts_with([':', '}', ']']) };
    let next = next.trim_start();
    if !in_object || next.is_empty() || next.starts_with(['}', ']']) {
        return next.is_empty()
            || next.starts_with(['"', '{', '[', ']', '}', '-'])
            || next.starts_with(|c: char| c.is_ascii_digit());
    }
    let Some((key, after)) = next.strip_prefix('"').and_then(|next| next.split_once('"')) else { return false };
    key.len() <= LONGEST_KEY && keys.iter().any(|known| known == key) && after.trim_start().starts_with(':')
}

/// One thing that was taken off an answer, or mended in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadingNote {
    Wrapped(Wrapping),
    /// JSON that was no JSON, and the flaw that a strict reader found first.
    Mended(String),
    /// A key that was not asked for.
    Unknown(String),
    /// A key that stood twice in an object, under two names.
    Twice(String),
    /// A value of another case or type, by the name of its field, as it was written.
    Form(String, String),
    /// The number of times that the same answer stands there.
    Several(usize),
    /// The number of answers; the last corrects the others.
    Corrected(usize),
    /// Bullets with another mark than the contract's.
    Bullets(usize),
    /// “None” for a kind of concern.
    Nothing(usize),
}

impl fmt::Display for ReadingNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wrapped(wrapping) => write!(f, "taken off: {wrapping}"),
            Self::Mended(flaw) => write!(f, "JSON mended: {flaw}"),
            Self::Unknown(key) => write!(f, "key dropped: {key}"),
            Self::Twice(key) => write!(f, "key given twice: {key}"),
            Self::Form(field, given) => write!(f, "{field} was written as {given}"),
            Self::Corrected(answers) => write!(f, "the last of {answers} answers is taken"),
            Self::Several(answers) => write!(f, "the same answer {answers} times"),
            Self::Bullets(bullets) => write!(f, "bullets rewritten: {bullets}"),
            Self::Nothing(bullets) => write!(f, "bullets without a concern dropped: {bullets}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn read(text: &str) -> Option<Value> {
        let keys = ["a", "b"].map(str::to_owned);
        let readings = pieces(text).into_iter().filter_map(|piece| readings(piece, &keys).ok());
        readings.flatten().next().map(|(value, _)| value)
    }

    #[test]
    fn json_that_is_nearly_json_is_mended() {
        let ab = |a: &str| Some(json!({"a": a, "b": 1}));
        for (text, a) in [
            (r#"{"a": "x", "b": 1,}"#, "x"),
            ("{\"a\": \"x\ny\tz\", \"b\": 1}", "x\ny\tz"),
            (r#"{"a": "it\'s \d", "b": 1}"#, "it's d"),
            (r#"{{"a": "x", "b": 1}}"#, "x"),
            (r#"{{"a": "x", "b": 1}"#, "x"),
            ("{'a': 'x', 'b': 1}", "x"),
            ("{\"a\": \"x\", // a remark\n \"b\": 1 /* another */}", "x"),
            (r#"{a: "x", b: 1}"#, "x"),
            ("{“a”: “x “y” z”, “b”: 1}", "x “y” z"),
            (r#"{"a": "x" "b": 1}"#, "x"),
            (r#"{"a": "he said "no" to it", "b": 1}"#, r#"he said "no" to it"#),
            (r#"{"a": "he said "no", and left", "b": 1}"#, r#"he said "no", and left"#),
            (r#"{"b": 1, "a": "“Yes,” she said. "No", he said."}"#, r#"“Yes,” she said. "No", he said."#),
            ("Here it is: {\"a\": \"x\", \"b\": 1,} I hope it helps.", "x"),
            (r#"{"a": "\ud83dx\n\\ud83d \ud83d\ude00", "b": 1}"#, "\u{fffd}x\n\\ud83d 😀"),
        ] {
            assert_eq!(
                read(text),
                if text.contains("\"b\": 1, \"a\"") { Some(json!({"b": 1, "a": a})) } else { ab(a) },
                "{text}"
            );
        }
        assert_eq!(read(r#"{"a": True, "b": None}"#), Some(json!({"a": true, "b": null})));
        assert_eq!(read(r#"{{"a": {{"b": 1}}, "b": {"a": 2}}}"#), Some(json!({"a": {"b": 1}, "b": {"a": 2}})));
    }

    #[test]
    fn marks_that_stand_for_those_of_json_are_put_right() {
        for text in [
            "> {\n>   \"a\": 1,\n>   \"b\": \"x\"\n> }",
            "{&quot;a&quot;: 1, &quot;b&quot;: &quot;x&quot;}",
            "{\"a\"：1，\"b\"：\"x\"}",
            "{\"a\" = 1, \"b\" = \"x\"}",
            "\"a\": 1, \"b\": \"x\"}",
            "1 | {\n2 |   \"a\": 1,\n3 |   \"b\": \"x\"\n4 | }",
        ] {
            let own = with_own_marks(text).unwrap();
            assert_eq!(read(&own), Some(json!({"a": 1, "b": "x"})), "{own}");
            assert_eq!(with_own_marks(&own), None);
        }
        assert_eq!(read(&with_own_marks("{\"Who?\", \"When?\"}").unwrap()), Some(json!(["Who?", "When?"])));
        for text in ["{\"a\": 1}", "He said, “a, b”.", "x = 1"] {
            assert_eq!(with_own_marks(text), None, "{text}");
        }
    }

    #[test]
    fn a_bracket_is_added_only_where_the_end_is_certain() {
        assert_eq!(read(r#"{"a": "x", "b": null"#), Some(json!({"a": "x", "b": null})));
        assert_eq!(read(r#"{"a": ["x", "y"]"#), Some(json!({"a": ["x", "y"]})));
        assert_eq!(read(r#"{"a": "x""#), Some(json!({"a": "x"})));
        for cut in [r#"{"a": "x"#, r#"{"a": "x, and he said \""#, r#"{"a": 1"#, r#"{"a": "x","#, "{"] {
            assert_eq!(read(cut), None, "{cut}");
        }
    }

    #[test]
    fn of_a_key_that_stands_twice_the_last_stands() {
        assert_eq!(read(r#"{"a": 1, "a": 2}"#), Some(json!({"a": 2})));
    }

    #[test]
    fn a_list_in_prose_is_a_footnote() {
        let texts = |text| pieces(text).iter().map(|piece| piece.text).collect::<Vec<_>>();
        assert_eq!(texts("See [1] and {\"a\": \"[2]\"}\n[3]"), ["{\"a\": \"[2]\"}", "[3]"]);
        assert_eq!(texts("none"), [""; 0]);
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_a_panic(text in r#"([{}\[\]",:'\\“”/*#]|a|1|true|\n| |é|"a":|//){0,60}"#) {
            for piece in pieces(&text) {
                let _ = readings(piece, &["a".to_owned()]);
            }
        }
    }
}
