//! Sets single keys of a configuration in its text: every other byte stays, comments too.

use std::collections::HashSet;

use serde_yaml::Value;

use copydesk_text::{sanitise, yaml};

use super::{lines::keys, shared::share};

/// The text before a note, and the separator between the note and the comment that was there.
const NOTE: (&str, &str) = ("Learned ", " · ");

/// A key and the value that it gets.
#[derive(Debug, Clone, PartialEq)]
pub struct KeyChange {
    /// The dotted path, such as `tui.theme`.
    pub path: String,
    /// The new value: a text, a number, a word, or a list or section, which is written in brackets or braces.
    pub to: Value,
    /// When and from whom it was learned; it stands in the comment behind the value.
    pub note: Option<String>,
}

impl KeyChange {
    /// A change of the key at `path`.
    pub fn new(path: impl Into<String>, to: impl Into<Value>) -> Self {
        Self { path: path.into(), to: to.into(), note: None }
    }

    /// The same with a note: `Learned 2026-11-27: llama.cpp says 1 slot`.
    #[must_use]
    pub fn learned(self, date: &str, how: &str) -> Self {
        // A line or a separator in it would end it.
        let how = sanitise::one_line(how).replace(NOTE.1, ", ");
        Self { note: Some(format!("{}{date}: {how}", NOTE.0)), ..self }
    }
}

/// Why a key was not set. Nothing was changed then.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CannotSet {
    /// The text cannot be read.
    #[error("the configuration is not YAML any more: {0}; somebody edited it")]
    NotYaml(String),
    /// The key is missing, or its value does not stand on one line of its own.
    #[error("{0} cannot be set because of the way the configuration is written there; change it in the file yourself")]
    Unusual(String),
}

/// The value at a dotted path.
pub fn value_at(root: &Value, path: &str) -> Option<Value> {
    path.split('.').try_fold(root, |section, step| section.get(step)).cloned()
}

/// The changes at the paths at which their keys are written: an agent's key may stand in the model that it shares. Of several at one path
/// the first counts.
pub fn written_changes(root: &Value, changes: &[KeyChange]) -> Vec<KeyChange> {
    let (shared, _) = share(&mut root.clone());
    let mut set = HashSet::new();
    let at = |change: &KeyChange| KeyChange { path: shared.written_at(&change.path), ..change.clone() };
    changes.iter().map(at).filter(|change| set.insert(change.path.clone())).collect()
}

/// Sets the keys. A key that already has its value stays as it is written; only its note may change. An agent's key that a shared model
/// gives it is set there, once.
///
/// # Errors
/// [`CannotSet`].
pub fn set_keys(yaml: &str, changes: &[KeyChange]) -> Result<String, CannotSet> {
    let (mark, mut text) = match yaml.strip_prefix('\u{FEFF}') {
        Some(rest) => ("\u{FEFF}", rest.to_owned()),
        None => ("", yaml.to_owned()),
    };
    let read = |text: &str| yaml::value(text).map_err(|error| CannotSet::NotYaml(error.to_string()));
    let mut wanted = read(&text)?;
    for KeyChange { path, to, note } in &written_changes(&wanted, changes) {
        let unusual = || CannotSet::Unusual(path.clone());
        let now = read(&text)?;
        let place = path.split('.').try_fold(&mut wanted, |section, step| section.get_mut(step)).ok_or_else(unusual)?;
        *place = to.clone();
        // An alias may have got it with the text that it stands for.
        let same = value_at(&now, path).as_ref() == Some(to);
        let at = keys(&text).into_iter().find(|key| key.path == *path).and_then(|key| key.value);
        text = match at.and_then(|at| replaced(&text, at, (!same).then_some(to), note.as_deref())) {
            Some(text) => text,
            None if same => continue,
            None => return Err(unusual()),
        };
    }
    // Only the values of the keys may have changed. This check catches unforeseen ways of writing YAML.
    let same = read(&text).is_ok_and(|after| after == wanted);
    let first = || changes.first().map(|change| change.path.clone()).unwrap_or_default();
    if same { Ok(format!("{mark}{text}")) } else { Err(CannotSet::Unusual(first())) }
}

/// The text with another value in place of one that is written on one line, if `to` says so, and with a note behind it.
fn replaced(text: &str, (from, end): (usize, usize), to: Option<&Value>, note: Option<&str>) -> Option<String> {
    let chars: Vec<char> = text.chars().collect();
    let old: String = chars.get(from..end)?.iter().collect();
    let kept = own_part(&old);
    // A value on several lines, or with a tag or an anchor that goes with it, is left to a person.
    if kept.contains(['\n', '\r']) {
        return None;
    }
    let before: String = chars.get(..from)?.iter().collect();
    let after: String = chars.get(from + kept.chars().count()..)?.iter().collect();
    let value = to.map_or_else(|| kept.to_owned(), written);
    let after = note.and_then(|note| noted(&after, note)).unwrap_or(after);
    Some(format!("{before}{value}{after}"))
}

/// Returns the text behind a value, with a note before the words of its comment. An earlier note goes. None if something else than a
/// comment follows on the line.
fn noted(after: &str, note: &str) -> Option<String> {
    let end = after.find(['\n', '\r']).unwrap_or(after.len());
    let (line, rest) = after.split_at_checked(end)?;
    let comment = line.trim_start();
    let blanks = line.strip_suffix(comment).filter(|blanks| !blanks.is_empty()).unwrap_or(" ");
    let said = match comment.strip_prefix('#') {
        Some(said) => said.trim(),
        None if comment.is_empty() => "",
        None => return None,
    };
    let said = if said.starts_with(NOTE.0) { said.split_once(NOTE.1).map_or("", |(_, said)| said) } else { said };
    let joint = if said.is_empty() { "" } else { NOTE.1 };
    Some(format!("{blanks}# {note}{joint}{said}{rest}"))
}

/// Returns a value without the text that the parser takes in behind it: blanks, and behind a quoted value its comment too.
fn own_part(value: &str) -> &str {
    let Some(quote) = value.chars().next().filter(|first| ['"', '\''].contains(first)) else { return value.trim_end() };
    let mut escaped = false;
    let mut end = value.len();
    let mut chars = value.char_indices().skip(1).peekable();
    while let Some((place, c)) = chars.next() {
        if escaped {
            escaped = false;
        } else if c == '\\' && quote == '"' {
            escaped = true;
        } else if c == quote && quote == '\'' && chars.peek().is_some_and(|(_, next)| *next == quote) {
            chars.next();
        } else if c == quote {
            end = place + c.len_utf8();
            break;
        }
    }
    value.get(..end).unwrap_or(value)
}

/// A value on one line, so that it cannot be misread: a JSON string is YAML.
pub fn written(value: &Value) -> String {
    match value {
        Value::String(text) if is_word(text) => text.clone(),
        Value::String(text) => serde_json::Value::from(text.as_str()).to_string(),
        Value::Bool(yes) => yes.to_string(),
        Value::Number(number) => number.to_string(),
        Value::Sequence(entries) => format!("[{}]", entries.iter().map(written).collect::<Vec<_>>().join(", ")),
        Value::Mapping(section) => {
            let keys = section.iter().map(|(key, value)| format!("{}: {}", written(key), written(value)));
            format!("{{{}}}", keys.collect::<Vec<_>>().join(", "))
        }
        Value::Null | Value::Tagged(_) => "null".to_owned(),
    }
}

/// Whether a text means nothing else in YAML.
fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && serde_yaml::from_str::<Value>(text).is_ok_and(|value| value == Value::String(text.to_owned()))
        && !["y", "n", "yes", "no", "on", "off"].contains(&text.to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TEMPLATE;

    fn set(yaml: &str, changes: &[(&str, Value)]) -> Result<String, CannotSet> {
        let changes: Vec<KeyChange> = changes.iter().map(|(path, to)| KeyChange::new(*path, to.clone())).collect();
        set_keys(yaml, &changes)
    }

    #[test]
    fn a_key_is_set_and_every_other_byte_stays() {
        let done = set(
            TEMPLATE,
            &[
                ("editor", "Ada Lovelace".into()),
                ("article_generation.agents.specialists.opinion_llm.model", "qwen2.5: 7b #1".into()),
                ("article_generation.agents.writer_llm.model", "a \"model\"".into()),
                ("tui.theme", "light".into()),
                ("tui.mouse", false.into()),
            ],
        )
        .unwrap();
        let differing: Vec<(&str, &str)> =
            TEMPLATE.lines().zip(done.lines()).filter(|(before, after)| before != after).collect();
        assert_eq!(TEMPLATE.lines().count(), done.lines().count());
        assert_eq!(
            differing.iter().map(|(_, after)| after.trim()).collect::<Vec<_>>(),
            [
                "editor: \"Ada Lovelace\"",
                // Both agents share a model.
                "model: \"qwen2.5: 7b #1\"            # as the server lists it",
                "theme: light",
                "mouse: false"
            ]
        );
    }

    #[test]
    fn a_file_in_a_hand_of_its_own_keeps_it() {
        let own = "\u{FEFF}# mine\r\neditor: 'Ada'   # é\r\ntui: {theme: dark, mouse: false} # braces\r\n";
        let done = set(own, &[("editor", "Grace".into()), ("tui.mouse", true.into())]).unwrap();
        assert_eq!(set("a: 'it''s # x' # end\n", &[("a", "b".into())]).as_deref(), Ok("a: b # end\n"));
        assert_eq!(set("a: \"x \\\" # y\"  # end\n", &[("a", "b".into())]).as_deref(), Ok("a: b  # end\n"));
        assert_eq!(done, "\u{FEFF}# mine\r\neditor: Grace   # é\r\ntui: {theme: dark, mouse: true} # braces\r\n");
        // An alias gets it where it is written; the rest of the anchor's section stays.
        let shared = "a: &m\n  model: x # one\n  t: 1\nb: *m\n";
        let done = set(shared, &[("a.model", "y2".into()), ("b.model", "y2".into())]);
        assert_eq!(done.as_deref(), Ok("a: &m\n  model: y2 # one\n  t: 1\nb: *m\n"));
        assert_eq!(set(shared, &[("a.model", "y2".into())]), Err(CannotSet::Unusual("a.model".into())));
    }

    #[test]
    fn a_list_or_a_section_is_written_on_one_line_and_can_be_set_again() {
        let own = |slots: u32| -> Value {
            serde_yaml::from_str(&format!("[{{host: \"127.0.0.1:8080\", requests_at_once: {slots}, least: null}}]"))
                .unwrap()
        };
        let done = set("a:\n  own: null # mine\nb: 1\n", &[("a.own", own(1))]).unwrap();
        assert_eq!(done, "a:\n  own: [{host: \"127.0.0.1:8080\", requests_at_once: 1, least: null}] # mine\nb: 1\n");
        let again = set(&done, &[("a.own", own(4)), ("b", 2.into())]).unwrap();
        assert_eq!(again, done.replace("once: 1", "once: 4").replace("b: 1", "b: 2"));
        assert_eq!(set(&again, &[("a.own", Value::Null)]).as_deref(), Ok("a:\n  own: null # mine\nb: 2\n"));
        // On lines of its own it is somebody's hand.
        let lines = "a:\n  own:\n    - host: x\n";
        assert_eq!(set(lines, &[("a.own", own(1))]), Err(CannotSet::Unusual("a.own".into())));
        let anchored = "own: &o [1, 2]\nb: *o\n";
        assert_eq!(set(anchored, &[("own", own(1))]), Err(CannotSet::Unusual("own".into())));
    }

    #[test]
    fn a_note_stands_before_the_comment_and_gives_way_to_a_later_one() {
        let learned = |to: u32, date: &str, how: &str| vec![KeyChange::new("a.w", to).learned(date, how)];
        let yaml = "a:\n  w: 4   # tokens, of\n         # a window\n  x: {w: 1, y: 2}\nb: 1";
        let done = set_keys(yaml, &learned(8, "2026-11-27", "llama.cpp says · so")).unwrap();
        assert_eq!(done, yaml.replace("4   # tokens, of", "8   # Learned 2026-11-27: llama.cpp says, so · tokens, of"));
        // The same value, learned again.
        let again = set_keys(&done, &learned(8, "2026-12-01", "Ollama says so")).unwrap();
        assert_eq!(again, yaml.replace("4   # tokens, of", "8   # Learned 2026-12-01: Ollama says so · tokens, of"));
        let bare = set_keys("a: {w: 1}\nb: 1", &[KeyChange::new("b", 2).learned("2026-11-27", "x")]).unwrap();
        assert_eq!(bare, "a: {w: 1}\nb: 2 # Learned 2026-11-27: x");
        let inside = set_keys("a: {w: 1} # mine\n", &learned(2, "2026-11-27", "x")).unwrap();
        assert_eq!(inside, "a: {w: 2} # mine\n", "there is no place for a comment");
    }

    #[test]
    fn what_cannot_be_set_safely_is_left_to_a_person() {
        for (yaml, path) in [
            ("editor: |\n  Ada\nb: 1\n", "editor"),
            ("editor: Ada\n  Lovelace\n", "editor"),
            ("editor:\nb: 1\n", "editor"),
            ("b: 1\n", "editor"),
            ("tui: dark\n", "tui.theme"),
        ] {
            assert_eq!(set(yaml, &[(path, "x".into())]), Err(CannotSet::Unusual(path.into())), "{yaml}");
        }
        assert!(matches!(set("a: [1\nb: 2", &[("a", "x".into())]), Err(CannotSet::NotYaml(_))));
        for text in ["yes", "null", "1.5", "a: b", "# no", " led", "~", "true", "émile", "x\ny", "- a", "{"] {
            let done = set("editor: Ada # end\nb: 1\n", &[("editor", text.into())]).unwrap();
            let value: Value = serde_yaml::from_str(&done).unwrap();
            assert_eq!(value_at(&value, "editor"), Some(text.into()), "{done}");
            assert!(done.contains(" # end\n") && done.ends_with("b: 1\n"), "{done}");
        }
    }
}
