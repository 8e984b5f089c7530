//! Formats prompts and answers for reading: JSON line by line, with highlighted syntax.
//!
//! Gives marks for a [`Page`](crate::widgets::page::Page), no colours: the theme alone has those. Takes milliseconds for a long text,
//! so it is for a thread that draws nothing; the raw text stays with the caller.

use std::{ops::Range, sync::LazyLock};

use pulldown_cmark::{Event, Parser, Tag};
use regex::Regex;

use crate::widgets::mark::{Mark, TextRole};

/// Longest text in bytes that is looked into.
const LONGEST: usize = 512 * 1024;

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

/// A name with its colon, a text, a number or word, a bracket or comma.
static JSON: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"("(?:[^"\\]|\\.)*")(\s*:)|("(?:[^"\\]|\\.)*"?)|(-?\d[\d.eE+-]*|true|false|null)|([{}\[\],:])"#).ok()
});

/// What a backslash begins in a text of JSON.
static ESCAPE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\\(?:u[0-9a-fA-F]{4}|.)").ok());

/// The marks of `text`, in order. A text that is too long has none.
pub fn highlight(text: &str, kind: SyntaxKind) -> Vec<Mark> {
    let mut marks = Vec::new();
    match kind {
        SyntaxKind::Json if text.len() <= LONGEST => mark_json(text, &mut marks),
        SyntaxKind::Markdown if text.len() <= LONGEST => mark_markdown(text, &mut marks),
        SyntaxKind::Json | SyntaxKind::Markdown | SyntaxKind::Plain => {}
    }
    marks
}

fn mark_json(text: &str, marks: &mut Vec<Mark>) {
    let (Some(json), Some(escape)) = (&*JSON, &*ESCAPE) else { return };
    for token in json.captures_iter(text) {
        for (group, role) in [(1, TextRole::Name), (2, TextRole::Dim), (4, TextRole::Value), (5, TextRole::Dim)] {
            if let Some(part) = token.get(group) {
                push(marks, part.range(), role);
            }
        }
        if let Some(part) = token.get(3) {
            push(marks, part.start()..part.start() + 1, TextRole::Dim);
            for escaped in escape.find_iter(part.as_str()) {
                push(marks, part.start() + escaped.start()..part.start() + escaped.end(), TextRole::Value);
            }
            if part.len() > 1 && part.as_str().ends_with('"') {
                push(marks, part.end() - 1..part.end(), TextRole::Dim);
            }
        }
    }
}

fn mark_markdown(text: &str, marks: &mut Vec<Mark>) {
    let mut roles = vec![TextRole::Text];
    for (event, range) in Parser::new(text).into_offset_iter() {
        let around = roles.last().copied().unwrap_or(TextRole::Text);
        match event {
            Event::Start(tag) => roles.push(match tag {
                Tag::Heading { .. } => TextRole::Heading,
                Tag::Strong => TextRole::Strong,
                Tag::Emphasis => TextRole::Emphasis,
                Tag::BlockQuote(_) => TextRole::Quote,
                Tag::CodeBlock(_) | Tag::Link { .. } => TextRole::Name,
                _ => around,
            }),
            Event::End(_) => drop(roles.pop()),
            Event::Code(_) => push(marks, range, TextRole::Name),
            Event::Text(_) => push(marks, range, around),
            _ => {}
        }
    }
}

/// Adds a mark; one that goes on from the last is one with it.
fn push(marks: &mut Vec<Mark>, range: Range<usize>, role: TextRole) {
    match marks.last_mut() {
        _ if range.is_empty() || role == TextRole::Text => {}
        Some(last) if last.role == role && last.range.end == range.start => last.range.end = range.end,
        _ => marks.push(Mark::new(range, role)),
    }
}

/// An answer set out for reading: its JSON with a line for each part, whatever stands around it (a fence, a block of
/// reasoning) as it came. No name, no digit and no escape is changed. An answer without JSON stays wholly as it came,
/// and is read as Markdown, which plain text is, too.
#[must_use]
pub fn pretty(answer: &str) -> (String, SyntaxKind) {
    let inside = inside(answer);
    let whole = inside.starts_with(['{', '[']) && serde_json::from_str::<serde::de::IgnoredAny>(inside).is_ok();
    let around = answer.split_once(inside).filter(|_| whole);
    match around {
        Some((before, after)) => {
            let mut out = String::with_capacity(answer.len() * 2);
            out.push_str(before);
            set_out(inside, &mut out);
            out.push_str(after);
            (out, SyntaxKind::Json)
        }
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
fn set_out(json: &str, out: &mut String) {
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
                    feed(depth, out);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                feed(depth, out);
                out.push(c);
            }
            ',' => {
                out.push(c);
                feed(depth, out);
            }
            ':' => out.push_str(": "),
            c if c.is_ascii_whitespace() => {}
            c => out.push(c),
        }
    }
}

fn feed(depth: usize, out: &mut String) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth.min(DEEPEST)));
}

#[cfg(test)]
mod tests;
