//! A review in another form than a list of Markdown: JSON, a table, HTML, or several bullets in one line. Each is put into lines, so that
//! there is one reader of bullets.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::{
    denials::{says_nothing, unmarked},
    meant::{is_none, plain},
    parsing::{Piece, pieces, readings},
    tagged,
};
use copydesk_newsroom::ConcernType;
use copydesk_text::pattern::TextPattern;

/// Names of the field or column with the words of the article.
const EXCERPT: &str =
    "excerpt quote quotation text sentence passage words statement claim phrase original article snippet span";

/// Stands for a bar within a cell; no character of any text (a noncharacter of Unicode).
const ESCAPED_BAR: &str = "\u{FDD0}";

static BREAK: TextPattern = TextPattern::new(r"(?i)<br ?/?>[ \t]*(?:\n|$)");

/// A line break that was escaped once too often, before a bullet.
static ESCAPED: TextPattern = TextPattern::new(r"\\n[ \t]*((?:[-*+•–]|\(?\d{1,2}[.)])[ \t])");

/// A bullet behind a short announcement in the same line.
static ANNOUNCED: TextPattern = TextPattern::new(r#"^([^“«\[{]{0,60}?)(?:[-*•–][ \t]+)+((?:\*\*)?[“"«].*)$"#);

/// Most words of such an announcement.
const ANNOUNCEMENT: usize = 8;

/// A line without invisible characters, quotation bars and escapes before its mark.
fn begun(line: &str) -> Cow<'_, str> {
    let is_unseen = |c: char| matches!(c, '\u{200B}'..='\u{200D}' | '\u{2060}' | '\u{FEFF}');
    let line = line.trim_end_matches(|c: char| is_unseen(c) || c.is_whitespace());
    let begins = line.trim_start_matches(|c: char| is_unseen(c) || c.is_whitespace());
    let barred = begins.strip_prefix("> ").filter(|rest| unmarked(rest).is_some());
    let escaped = begins.strip_prefix('\\').filter(|rest| unmarked(rest).is_some());
    if let Some(rest) = barred.or(escaped) {
        return Cow::Borrowed(rest);
    }
    let odd = line.len() > begins.len() && !line.starts_with([' ', '\t']);
    if odd { Cow::Borrowed(begins) } else { Cow::Borrowed(line) }
}

/// The lines of a review, each bullet at the beginning of its own.
fn in_lines(text: &str) -> String {
    let broken = if text.contains('{') { Cow::Borrowed(text) } else { ESCAPED.replace_all(text, "\n$1") };
    let mut lines: Vec<String> = broken.lines().map(|line| begun(line).into_owned()).collect();
    let marked = lines.iter().any(|line| unmarked(line).is_some());
    if let Some(first) = lines.iter().position(|line| line.contains(char::is_alphanumeric))
        && let Some(line) = lines.get(first).filter(|line| unmarked(line).is_none())
        && let Some(found) = ANNOUNCED.captures(line)
        && let (Some(before), Some(bullet)) = (found.get(1), found.get(2))
        && before.as_str().split_whitespace().count() <= ANNOUNCEMENT
        && (marked || names_kind(bullet.as_str()))
    {
        let bullet = format!("- {}", bullet.as_str());
        let before = before.as_str().trim().to_owned();
        lines.splice(first..=first, [before, bullet]);
    }
    let mut out: Vec<String> = Vec::new();
    for line in lines {
        // A quotation below the name of its kind.
        let above = out.iter().rposition(|line| !line.trim().is_empty()).filter(|_| line.starts_with(['“', '"']));
        let kind = above.and_then(|above| kind_in(&Value::from(out.get(above)?.as_str())));
        match (above, kind) {
            (Some(above), Some(kind)) => {
                out.truncate(above);
                out.push(format!("- {}: {line}", kind.name()));
            }
            _ => out.push(line),
        }
    }
    out.join("\n")
}

/// Whether a text has the name of a kind of concern.
pub(super) fn names_kind(text: &str) -> bool {
    ConcernType::ALL.into_iter().any(|kind| text.contains(kind.name()))
}

/// The text of a review in lines.
pub(super) fn listed(text: &str) -> String {
    let text = &*in_lines(text);
    let text = &*BREAK.replace_all(text, "\n");
    in_other_form(text).into_owned()
}

fn in_other_form(text: &str) -> Cow<'_, str> {
    if let Some(value) = tagged::value(text) {
        let mut items = Vec::new();
        collect(&value, None, &mut items);
        return Cow::Owned(items.join("\n"));
    }
    if let Cow::Owned(page) = tagged::as_markdown(text) {
        return Cow::Owned(in_other_form(&page).into_owned());
    }
    if text.lines().any(|line| unmarked(line).is_some()) {
        return Cow::Borrowed(text);
    }
    table(text).or_else(|| json(text)).map_or(Cow::Borrowed(text), |lines| Cow::Owned(lines.join("\n")))
}

/// The rows of a table as bullets; text around it stays before them.
fn table(text: &str) -> Option<Vec<String>> {
    let (names, rows) = rows(text)?;
    if !text.contains('|') && !names.iter().any(|column| EXCERPT.split(' ').any(|name| same(name, column))) {
        return None;
    }
    let mut lines = prose(text.lines().filter(|line| text.contains('|') && !line.contains('|')));
    for row in rows {
        let fields = names.iter().cloned().zip(row.into_iter().map(Value::String)).collect();
        lines.push(bullet(&fields, None));
    }
    Some(lines)
}

/// The names of the columns of a table, and the cells of its rows: of one in Markdown, or of values between commas.
pub(super) fn rows(text: &str) -> Option<(Vec<String>, Vec<Vec<String>>)> {
    if !text.contains('|') {
        let mut reader = csv::ReaderBuilder::new().has_headers(false).trim(csv::Trim::All).from_reader(text.as_bytes());
        let records = reader.records().map(|record| Some(record.ok()?.iter().map(str::to_owned).collect()));
        let mut records = records.collect::<Option<Vec<Vec<String>>>>()?;
        let is_name = |cell: &String| !cell.is_empty() && !cell.contains(['.', '“', '"', '{', '[']);
        let is_table =
            records.len() > 1 && records.first().is_some_and(|head| head.len() > 1 && head.iter().all(is_name));
        return is_table.then(|| (records.remove(0), records));
    }
    let cells = |line: &str| -> Vec<String> {
        let cells = line.trim().trim_matches('|').replace("\\|", ESCAPED_BAR);
        cells.split('|').map(|cell| cell.trim().replace(ESCAPED_BAR, "|")).collect()
    };
    let is_rule = |line: &str| line.contains('-') && line.contains('|') && line.chars().all(|c| " \t|:-".contains(c));
    let rows: Vec<&str> = text.lines().filter(|line| line.contains('|')).collect();
    let [head, rule, rows @ ..] = rows.as_slice() else { return None };
    let is_whole = rows.last().is_none_or(|last| last.trim_end().ends_with('|') || !head.trim_end().ends_with('|'));
    (is_whole && is_rule(rule) && !rows.is_empty()).then(|| (cells(head), rows.iter().map(|row| cells(row)).collect()))
}

/// The items of JSON; text around it stays before them.
fn json(text: &str) -> Option<Vec<String>> {
    let (mut items, mut values, mut around, mut from) = (Vec::new(), Vec::new(), Vec::new(), 0);
    for piece in pieces(text).into_iter().filter(is_json) {
        let Some((value, _)) = readings(piece, &[]).ok().and_then(|read| read.into_iter().next()) else {
            continue;
        };
        around.push(text.get(from..piece.start)?);
        from = piece.start + piece.text.len();
        if !values.contains(&value) {
            collect(&value, None, &mut items);
            values.push(value);
        }
    }
    if values.is_empty() {
        return None;
    }
    around.push(text.get(from..)?);
    let mut lines = prose(around.iter().flat_map(|around| around.lines()));
    // The items stand behind everything else.
    items.sort_by_key(|line: &String| unmarked(line.lines().next().unwrap_or_default()).is_some());
    lines.extend(items);
    lines.iter().any(|line| line.contains(char::is_alphanumeric)).then_some(lines)
}

/// Whether a piece can be a list: `[END]` is a word in brackets.
fn is_json(piece: &Piece<'_>) -> bool {
    let list = piece.text.strip_prefix('[').map(str::trim_start);
    list.is_none_or(|list| list.starts_with(['"', '\'', '“', '{', '[', ']']) || list.starts_with("null"))
}

fn prose<'t>(lines: impl Iterator<Item = &'t str>) -> Vec<String> {
    lines.filter(|line| !line.trim().is_empty()).map(str::to_owned).collect()
}

/// Collects the lines of a value. `kind` is the kind of concern under whose name it stands.
fn collect(value: &Value, kind: Option<ConcernType>, lines: &mut Vec<String>) {
    match value {
        Value::Array(items) if items.is_empty() => lines.extend(kind.map(|kind| format!("- {}: none", kind.name()))),
        Value::Array(items) => {
            for item in items {
                match item {
                    Value::String(text) => lines.push(item_of(text, kind)),
                    other => collect(other, kind, lines),
                }
            }
        }
        Value::Object(map) if is_concern(map) => lines.push(bullet(map, kind)),
        Value::Object(map) if map.contains_key("error") => lines.push(value.to_string()),
        Value::Object(map) => {
            for (key, value) in map {
                collect(value, ConcernType::ALL.into_iter().find(|kind| same(kind.name(), key)).or(kind), lines);
            }
        }
        Value::String(text) if kind.is_some() => lines.push(item_of(text, kind)),
        Value::String(text) => lines.push(text.clone()),
        Value::Null => {}
        // It may say that there is something, or that nothing was read.
        Value::Bool(_) | Value::Number(_) => lines.push(value.to_string()),
    }
}

/// Whether a map is one concern: it has words of the article or a kind.
fn is_concern(map: &Map<String, Value>) -> bool {
    let is_text = |value: &Value| value.as_str().is_some_and(|text| !text.trim().is_empty());
    map.values().any(|value| kind_in(value).is_some())
        || map.len() > 1
            && map.iter().any(|(key, value)| is_text(value) && EXCERPT.split(' ').any(|name| same(name, key)))
}

fn kind_in(value: &Value) -> Option<ConcernType> {
    ConcernType::ALL.into_iter().find(|kind| value.as_str().is_some_and(|text| same(kind.name(), text)))
}

fn same(name: &str, text: &str) -> bool {
    plain(name) == plain(text)
}

/// A text with the mark of a bullet, unless it has one.
fn item_of(text: &str, kind: Option<ConcernType>) -> String {
    let text = unmarked(text).map_or(text, |(_, rest)| rest);
    match kind.filter(|kind| !text.contains(kind.name())) {
        Some(kind) => format!("- {}: {text}", kind.name()),
        None => format!("- {text}"),
    }
}

/// A concern in the contract's form: its words, its kind, its reason.
fn bullet(map: &Map<String, Value>, kind: Option<ConcernType>) -> String {
    let texts = || map.iter().filter_map(|(key, value)| Some((key, value, value.as_str()?.trim())));
    let texts = || texts().filter(|(.., text)| text.contains(char::is_alphanumeric));
    if texts().all(|(.., text)| says_nothing(text) || is_none(text)) {
        return if texts().any(|(.., text)| says_nothing(text)) { "- None." } else { "- N/A" }.to_owned();
    }
    let kind = map.values().find_map(kind_in).or(kind);
    let excerpt = EXCERPT.split(' ').find_map(|name| texts().find(|(key, ..)| same(name, key)));
    let reasons =
        texts().filter(|(key, value, _)| kind_in(value).is_none() && Some(*key) != excerpt.map(|(key, ..)| key));
    let reason = reasons.map(|(.., text)| text).collect::<Vec<_>>().join(" ");
    let words = excerpt.map(|(.., text)| if text.contains(['“', '"']) { text.to_owned() } else { format!("“{text}”") });
    let said: Vec<String> = words.into_iter().chain(kind.map(|kind| kind.name().to_owned())).collect();
    let parts = [said.join(" "), reason].into_iter().filter(|part| !part.is_empty());
    format!("- {}", parts.collect::<Vec<_>>().join(": "))
}
