//! Formats prompts and answers for reading: JSON line by line, with highlighted syntax.
//!
//! Gives marks for a [`Page`](crate::widgets::page::Page), no colours: the theme alone has those. Takes milliseconds for a long text,
//! so it is for a thread that draws nothing; the raw text stays with the caller.

use std::{ops::Range, sync::LazyLock};

use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxSet};

use crate::widgets::{Mark, TextRole};

/// Longest text in bytes that is looked into.
const LONGEST: usize = 512 * 1024;

/// Longest line in bytes that is highlighted.
const LONGEST_LINE: usize = 64 * 1024;

/// Deepest nesting of JSON that is indented.
const DEEPEST: usize = 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SyntaxKind {
    /// JSON.
    Json,
    /// Markdown, which prompts and reviews are.
    Markdown,
    /// Anything else.
    Plain,
}

static SYNTAXES: LazyLock<SyntaxSet> = LazyLock::new(SyntaxSet::load_defaults_newlines);

/// The role of each scope of the grammars; the first match counts.
static SCOPES: LazyLock<Vec<(Scope, TextRole)>> = LazyLock::new(|| {
    [
        ("punctuation.definition", TextRole::Dim),
        ("punctuation.section", TextRole::Dim),
        ("punctuation.separator", TextRole::Dim),
        ("constant.character.escape", TextRole::Value),
        ("constant.numeric", TextRole::Value),
        ("constant.language", TextRole::Value),
        ("meta.mapping.key", TextRole::Name),
        ("meta.structure.dictionary.key", TextRole::Name),
        ("markup.heading", TextRole::Heading),
        ("markup.bold", TextRole::Strong),
        ("markup.italic", TextRole::Emphasis),
        ("markup.quote", TextRole::Quote),
        ("markup.raw", TextRole::Name),
        ("markup.underline.link", TextRole::Name),
    ]
    .into_iter()
    .filter_map(|(name, role)| Some((Scope::new(name).ok()?, role)))
    .collect()
});

/// The marks of `text`, in order. A text or a line that is too long has none.
pub fn highlight(text: &str, kind: SyntaxKind) -> Vec<Mark> {
    let name = match kind {
        SyntaxKind::Json => "JSON",
        SyntaxKind::Markdown => "Markdown",
        SyntaxKind::Plain => return Vec::new(),
    };
    let Some(syntax) = SYNTAXES.find_syntax_by_name(name).filter(|_| text.len() <= LONGEST) else { return Vec::new() };
    let mut state = ParseState::new(syntax);
    let mut scopes = ScopeStack::new();
    let mut marks: Vec<Mark> = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if line.len() <= LONGEST_LINE {
            // After an error of the grammar, the rest stays unmarked.
            let Ok(changes) = state.parse_line(line, &SYNTAXES) else { return marks };
            let mut from = 0;
            for (at, change) in changes {
                push(&mut marks, start + from..start + at, role_of(&scopes, kind));
                from = at;
                if scopes.apply(&change).is_err() {
                    return marks;
                }
            }
            push(&mut marks, start + from..start + line.len(), role_of(&scopes, kind));
        }
        start += line.len();
    }
    marks
}

fn push(marks: &mut Vec<Mark>, range: Range<usize>, role: TextRole) {
    if range.is_empty() || role == TextRole::Text {
        return;
    }
    match marks.last_mut() {
        Some(last) if last.role == role && last.range.end == range.start => last.range.end = range.end,
        _ => marks.push(Mark::new(range, role)),
    }
}

/// The innermost scope that is anything here.
fn role_of(scopes: &ScopeStack, kind: SyntaxKind) -> TextRole {
    let inner = scopes.as_slice().iter().rev();
    let named = |scope: &Scope| SCOPES.iter().find(|(known, _)| known.is_prefix_of(*scope)).map(|(_, role)| *role);
    let mut found = inner.filter_map(named);
    let Some(first) = found.next() else { return TextRole::Text };
    // The quotation marks of a name belong to it.
    if kind == SyntaxKind::Json && first == TextRole::Dim && found.any(|role| role == TextRole::Name) {
        return TextRole::Name;
    }
    first
}

/// An answer set out for reading: its JSON with a line for each part, whatever stands around it (a fence, a block of
/// reasoning) as it came. No name, no digit and no escape is changed. An answer without JSON stays wholly as it came,
/// and is read as Markdown, which plain text is, too.
pub fn pretty(answer: &str) -> (String, SyntaxKind) {
    let inside = inside(answer);
    let whole = inside.starts_with(['{', '[']) && serde_json::from_str::<serde::de::IgnoredAny>(inside).is_ok();
    let around = answer.split_once(inside).filter(|_| whole);
    match around {
        Some((before, after)) => (format!("{before}{}{after}", set_out(inside)), SyntaxKind::Json),
        // An answer that is still arriving, or broke off, is coloured as far as it goes.
        None if inside.starts_with('{') => (answer.to_owned(), SyntaxKind::Json),
        None => (answer.to_owned(), SyntaxKind::Markdown),
    }
}

/// An answer without a block of reasoning before it and a fence around it.
fn inside(answer: &str) -> &str {
    let text = answer.trim();
    let text = match text.strip_prefix("<think>").and_then(|rest| rest.split_once("</think>")) {
        Some((_, after)) => after.trim(),
        None => text,
    };
    let fenced = text.strip_prefix("```").and_then(|block| block.split_once('\n'));
    fenced.and_then(|(_, block)| block.strip_suffix("```")).map_or(text, str::trim)
}

/// Puts each member and element of valid JSON on a line of its own; all else stays, sign by sign.
fn set_out(json: &str) -> String {
    let mut out = String::with_capacity(json.len() * 2);
    let (mut depth, mut quoted, mut escaped) = (0usize, false, false);
    let mut signs = json.chars().peekable();
    while let Some(c) = signs.next() {
        if quoted {
            out.push(c);
            quoted = escaped || c != '"';
            escaped = !escaped && c == '\\';
            continue;
        }
        match c {
            '"' => {
                quoted = true;
                out.push(c);
            }
            '{' | '[' => {
                out.push(c);
                while signs.next_if(char::is_ascii_whitespace).is_some() {}
                if let Some(close) = signs.next_if(|next| matches!(next, '}' | ']')) {
                    out.push(close);
                } else {
                    depth += 1;
                    feed(depth, &mut out);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                feed(depth, &mut out);
                out.push(c);
            }
            ',' => {
                out.push(c);
                feed(depth, &mut out);
            }
            ':' => out.push_str(": "),
            c if c.is_ascii_whitespace() => {}
            c => out.push(c),
        }
    }
    out
}

fn feed(depth: usize, out: &mut String) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth.min(DEEPEST)));
}

#[cfg(test)]
mod tests;
