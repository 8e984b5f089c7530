//! Adds an entry to a list of a configuration, or takes one out, in its text: every other line stays, comments too.

use std::ops::Range;

use serde_yaml::Value;

use copydesk_text::yaml;

use super::{
    lines::keys,
    set_keys::{CannotSet, KeyChange, set_keys, written},
};

/// The change of a list.
#[derive(Debug, Clone, PartialEq)]
pub enum EntryChange {
    /// One more entry, at the end.
    Add(Value),
    /// Without the entry at this place, from 0.
    Remove(usize),
}

/// Changes the list at a dotted path. A list without entries is null.
///
/// # Errors
/// [`CannotSet`]. Nothing was changed then.
pub fn set_entry(yaml: &str, path: &str, change: &EntryChange) -> Result<String, CannotSet> {
    let unusual = || CannotSet::Unusual(path.to_owned());
    let read = |text: &str| yaml::value(text).map_err(|error| CannotSet::NotYaml(error.to_string()));
    let (mark, text) = match yaml.strip_prefix('\u{FEFF}') {
        Some(rest) => ("\u{FEFF}", rest),
        None => ("", yaml),
    };
    let mut wanted = read(text)?;
    let list = path.split('.').try_fold(&mut wanted, |section, step| section.get_mut(step)).ok_or_else(unusual)?;
    let mut entries = match &*list {
        Value::Null => Vec::new(),
        Value::Sequence(entries) => entries.clone(),
        _ => return Err(unusual()),
    };
    match change {
        EntryChange::Add(entry) => entries.push(entry.clone()),
        EntryChange::Remove(place) if *place < entries.len() => drop(entries.remove(*place)),
        EntryChange::Remove(_) => return Err(unusual()),
    }
    *list = if entries.is_empty() { Value::Null } else { Value::Sequence(entries) };
    // A list on one line is written anew.
    if let Ok(text) = set_keys(yaml, &[KeyChange::new(path, list.clone())]) {
        return Ok(text);
    }
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let list = lines_of(text, &lines, path).ok_or_else(unusual)?;
    let changed = match change {
        EntryChange::Add(entry) => with(&lines, &list, entry),
        EntryChange::Remove(place) => without(&lines, &list, path, *place),
    };
    let changed = changed.ok_or_else(unusual)?;
    // This check catches unforeseen ways of writing YAML.
    let same = read(&changed).is_ok_and(|after| after == wanted);
    if same { Ok(format!("{mark}{changed}")) } else { Err(unusual()) }
}

/// The lines of the list below its key, from 0, up to its last one that is neither blank nor a comment.
fn lines_of(text: &str, lines: &[&str], path: &str) -> Option<Range<usize>> {
    let mut keys = keys(text).into_iter().skip_while(|key| key.path != path);
    let first = keys.next()?.line;
    let next = keys.find(|key| !key.path.starts_with(&format!("{path}["))).map_or(lines.len(), |key| key.line - 1);
    let is_own = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let last = lines.get(first..next)?.iter().rposition(is_own)?;
    Some(first..first + last + 1)
}

/// The lines with an entry below the last one of a list whose entries have lines of their own.
fn with(lines: &[&str], list: &Range<usize>, entry: &Value) -> Option<String> {
    let indent = indent_of(lines.get(*dashes(lines, list).first()?)?);
    let (above, below) = lines.split_at_checked(list.end)?;
    let newline = if lines.first()?.ends_with("\r\n") { "\r\n" } else { "\n" };
    let joint = if above.last()?.ends_with('\n') { "" } else { newline };
    let entry = format!("{joint}{}- {}{newline}", " ".repeat(indent), written(entry));
    Some(above.concat() + &entry + &below.concat())
}

/// The lines without an entry and the comments right above it.
fn without(lines: &[&str], list: &Range<usize>, path: &str, place: usize) -> Option<String> {
    let dashes = dashes(lines, list);
    let first = *dashes.get(place)?;
    let indent = indent_of(lines.get(first)?);
    let is_comment = |line: &&&str| line.trim_start().starts_with('#') && indent_of(line) == indent;
    let own = |at: usize| {
        let above = lines.get(list.start..at).unwrap_or_default();
        at - above.iter().rev().take_while(is_comment).count()
    };
    let end = dashes.get(place + 1).map_or(list.end, |next| own(*next));
    let (above, below) = (lines.get(..own(first))?, lines.get(end..)?);
    if dashes.len() > 1 {
        return Some(above.concat() + &below.concat());
    }
    let (key, head) = lines.get(..list.start)?.split_last()?;
    let name = path.rsplit('.').next()?;
    let key = key.replacen(&format!("{name}:"), &format!("{name}: null"), 1);
    Some(head.concat() + &key + &above.get(list.start..)?.concat() + &below.concat())
}

/// The lines on which entries of the list begin, from 0; none if they have no lines of their own.
fn dashes(lines: &[&str], list: &Range<usize>) -> Vec<usize> {
    let inside = lines.iter().enumerate().take(list.end).skip(list.start);
    let begins = inside.filter(|(_, line)| line.trim_start().starts_with("- "));
    let all: Vec<(usize, usize)> = begins.map(|(at, line)| (at, indent_of(line))).collect();
    let least = all.iter().map(|(_, indent)| *indent).min();
    all.into_iter().filter(|(_, indent)| Some(*indent) == least).map(|(at, _)| at).collect()
}

fn indent_of(line: &str) -> usize {
    line.chars().take_while(|c| *c == ' ').count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TEMPLATE;

    const PATH: &str = "publisher.targets";

    fn folder(name: &str) -> Value {
        serde_yaml::from_str(&format!("{{name: {name}, kind: folder, format: html, folder: ./{name}}}")).unwrap()
    }

    fn add(yaml: &str, name: &str) -> Result<String, CannotSet> {
        set_entry(yaml, PATH, &EntryChange::Add(folder(name)))
    }

    fn remove(yaml: &str, place: usize) -> Result<String, CannotSet> {
        set_entry(yaml, PATH, &EntryChange::Remove(place))
    }

    #[test]
    fn a_list_on_one_line_grows_and_shrinks_on_it() {
        let one = add(TEMPLATE, "site").unwrap();
        let line = "  targets: [{name: site, kind: folder, format: html, folder: \"./site\"}]\n";
        assert_eq!(one, TEMPLATE.replace("  targets: null\n", line));
        let two = add(&one, "wire").unwrap();
        assert_eq!(remove(&two, 0).unwrap(), TEMPLATE.replace("  targets: null\n", &line.replace("site", "wire")));
        assert_eq!(remove(&one, 0).as_deref(), Ok(TEMPLATE));
        assert_eq!(remove(&one, 1), Err(CannotSet::Unusual(PATH.into())));
    }

    #[test]
    fn entries_on_lines_of_their_own_keep_their_comments() {
        let own = "\u{FEFF}publisher:\r\n  targets: # mine\r\n    # the site\r\n    - {name: site, kind: folder}\r\n    # the wire\r\n    - name: wire\r\n      kind: folder # slow\r\n      to:\r\n        - a\r\n\r\n  auto: false # never\r\n";
        let added = add(own, "more").unwrap();
        let entry = "    - {name: more, kind: folder, format: html, folder: \"./more\"}\r\n";
        assert_eq!(added, own.replace("        - a\r\n", &format!("        - a\r\n{entry}")));
        assert_eq!(remove(&added, 2).as_deref(), Ok(own));
        let wire = remove(own, 0).unwrap();
        assert_eq!(wire, own.replace("    # the site\r\n    - {name: site, kind: folder}\r\n", ""));
        let none = "\u{FEFF}publisher:\r\n  targets: null # mine\r\n\r\n  auto: false # never\r\n";
        assert_eq!(remove(&wire, 0).as_deref(), Ok(none));
    }

    #[test]
    fn an_entry_stands_before_the_comments_of_the_next_key() {
        let own =
            "publisher:\n  targets:\n  - name: site\n    kind: folder\n\n  # The rest.\n# Of claims.\nclaims: null\n";
        let entry = "  - {name: more, kind: folder, format: html, folder: \"./more\"}\n";
        let added = add(own, "more").unwrap();
        assert_eq!(added, own.replace("    kind: folder\n", &format!("    kind: folder\n{entry}")));
        assert_eq!(remove(&added, 1).as_deref(), Ok(own));
        let end = own.find("\n  # The rest.").unwrap();
        assert_eq!(add(&own[..end], "more").unwrap(), format!("{}{entry}", &own[..end]));
    }

    #[test]
    fn what_cannot_be_changed_safely_is_left_to_a_person() {
        for yaml in [
            "publisher:\n  targets: [{name: a},\n    {name: b}]\n",
            "a: &a [{name: a}]\npublisher:\n  targets: *a\n",
            "publisher:\n  targets:\n    -\n      name: a\n",
            "publisher:\n  targets: site\n",
            "publisher: {}\n",
        ] {
            assert_eq!(add(yaml, "more"), Err(CannotSet::Unusual(PATH.into())), "{yaml}");
        }
    }
}
