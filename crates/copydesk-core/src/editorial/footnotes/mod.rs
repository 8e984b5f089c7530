//! Only citations that a verdict of this run carries may stand in a footnote (docs/reference/contract.md).
//!
//! A writer that is a model can make up a URL, a DOI or a footnote. Each is taken out that no verdict supplied and no
//! source, editor or earlier human draft contains. A report says what was taken out. Outside evidence stays in
//! footnotes: a citation's address in the running text is taken out too, unless a source has it.

#[cfg(test)]
mod tests;

use std::{collections::HashSet, ops::Range};

use linkify::{LinkFinder, LinkKind};
use regex::Captures;

use copydesk_newsroom::ArticleResponse;
use copydesk_text::{
    footnotes::{OPENINGS, footnotes, is_heading, marks as marks_in, numbered, title_of_file, unheaded},
    pattern::TextPattern,
};

/// The article without addresses and footnotes that [`Allowed`] does not have, and a line for each that was taken out.
///
/// Taking an address out can bring the two halves of another together, so the check is repeated until it finds
/// nothing.
///
/// # Errors
/// [`Nested`] if that takes more than a few passes: no honest text hides addresses in addresses.
pub fn check(article: &ArticleResponse, allowed: &Allowed) -> Result<(ArticleResponse, Vec<String>), Nested> {
    let mut all = Vec::new();
    let mut article = article.clone();
    for _ in 0..MOST_PASSES {
        let mut stripped = Vec::new();
        article = article.map(|field, text| match field {
            "articleBody" => body(text, allowed, &mut stripped),
            _ => running(text, allowed, &mut stripped),
        });
        if stripped.is_empty() {
            return Ok((article, all));
        }
        all.append(&mut stripped);
    }
    Err(Nested)
}

/// Most passes of the check over a text.
const MOST_PASSES: usize = 12;

/// Addresses hidden in addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it hides addresses in addresses")]
pub struct Nested;

/// The addresses and footnotes that may stand in an article.
#[derive(Debug, Clone, Default)]
pub struct Allowed {
    /// Citations of this run's verdicts: footnotes only.
    citations: Vec<String>,
    pub(super) citation_addresses: HashSet<String>,
    /// Addresses that a witness or an editor wrote: anywhere.
    pub(super) own_addresses: HashSet<String>,
    /// Names of texts that were read, in lower case: footnotes only.
    names: Vec<String>,
    /// Footnotes that an editor wrote, whole.
    own_footnotes: HashSet<String>,
}

impl Allowed {
    /// `citations` of this run's verdicts; `texts` are the sources, the editor's own draft and feedback.
    pub fn new<'a>(citations: Vec<String>, texts: impl IntoIterator<Item = &'a str>) -> Self {
        let citations: Vec<String> = citations.into_iter().filter(|citation| !citation.trim().is_empty()).collect();
        let mut allowed = Self {
            citation_addresses: citations.iter().flat_map(|citation| keys(citation)).collect(),
            citations,
            ..Self::default()
        };
        for text in texts {
            allowed.own_addresses.extend(keys(text));
            let notes = text.lines().filter_map(|line| Some(group(&DEFINITION.captures(line)?, 2).to_owned()));
            allowed.own_footnotes.extend(notes);
        }
        allowed
    }

    /// Allows footnotes that cite a text by its name, too.
    #[must_use]
    pub fn beside(mut self, names: Vec<String>) -> Self {
        self.citation_addresses.extend(names.iter().flat_map(|name| keys(name)));
        self.names.extend(names.iter().filter_map(|name| title_of_file(name)));
        self.names.extend(names.into_iter().map(|name| name.trim().to_lowercase()).filter(|name| !name.is_empty()));
        self
    }

    /// Whether a note cites such a name: begins with it, has it between commas, or has it anywhere if it is more than two words.
    fn names_one(&self, note: &str) -> bool {
        let note = note.to_lowercase();
        let mut note = note.trim_start_matches(|c: char| !c.is_alphanumeric());
        for opening in OPENINGS {
            note = note.strip_prefix(opening).unwrap_or(note);
        }
        let ends = |rest: &str| rest.chars().next().is_none_or(|c| !c.is_alphanumeric());
        self.names.iter().any(|name| {
            let is_long = name.split_whitespace().count() > 2;
            // “Town clerk, Minutes, line 3” names the source “Minutes”. “Minutes of 1912” may be another document.
            let is_part = |at: usize, rest: &str| {
                note.get(..at).is_some_and(|head| head.ends_with(", "))
                    && (rest.is_empty() || rest.starts_with([',', ':']))
            };
            // A file's title has blanks for its hyphens.
            note.replace(['_', '-'], " ")
                .match_indices(&name.replace(['_', '-'], " "))
                .filter_map(|(at, _)| Some((at, note.get(at + name.len()..)?)))
                .any(|(at, rest)| (is_long || at == 0 || is_part(at, rest)) && ends(rest))
        })
    }

    pub(super) fn footnote(&self, note: &str) -> bool {
        self.own_footnotes.contains(note)
            || self.names_one(note)
            || self.citations.iter().any(|citation| note.contains(citation.trim()))
            || keys(note).any(|key| self.citation_addresses.contains(&key))
    }
}

/// The body: footnote definitions first, then the references to them, then addresses.
///
/// A note goes on to the next blank line (or an indented one behind it) or the next definition. Below a heading `Footnotes`
/// stands nothing but notes: a list of papers without labels is taken out as a footnote is. Below another heading of notes, such as `Sources`,
/// the numbered lines are notes, and so are lines `[1] …` at the end without a heading.
fn body(text: &str, allowed: &Allowed, stripped: &mut Vec<String>) -> String {
    let text = replace(&NESTED, text, |found| {
        stripped.push(format!("mark inside a mark: {}", group(found, 0)));
        Some(group(found, 1).to_owned())
    });
    let text = without_inline(&text, allowed, stripped);
    // Notes without a heading are known by their marks, which may go before the notes do.
    let of_notes = unheaded(&text).map_or(0, |start| text.len() - start);
    let mut marks_gone = Vec::new();
    let text = without_dropped_marks(&text, allowed, &mut marks_gone);
    let unheaded = text.len() - of_notes;
    let mut kept_labels: HashSet<String> = HashSet::new();
    let mut lines: Vec<(bool, String)> = Vec::new();
    let mut place = Place::Text;
    let mut section = Section::Text;
    let mut dropped_numbers: HashSet<String> = HashSet::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if at >= unheaded && section == Section::Text {
            section = Section::Numbered;
        }
        at += line.len();
        let line = line.strip_suffix('\n').unwrap_or(line);
        let line = line.strip_suffix('\r').unwrap_or(line);
        if let Some(found) = DEFINITION.captures(line) {
            let (label, note) = (group(&found, 1), group(&found, 2));
            if allowed.footnote(note) && kept_labels.insert(label.to_owned()) {
                place = Place::Note;
            } else {
                place = Place::Dropped;
                stripped.push(format!("footnote [^{label}]: {note}"));
            }
        } else if line.starts_with('#') || is_heading(line) {
            section = Section::below(line);
            place = Place::Text;
        } else if line.trim().is_empty() {
            place = if place == Place::Text { Place::Text } else { Place::Behind(place == Place::Dropped) };
        } else if let Place::Behind(dropped) = place {
            let goes_on = line.starts_with([' ', '\t']);
            place = match (goes_on, dropped) {
                (true, true) => Place::Dropped,
                (true, false) => Place::Note,
                (false, _) => Place::Text,
            };
        }
        let listed = numbered(line);
        let is_note = section == Section::Footnotes || section == Section::Numbered && listed.is_some();
        if is_note && place == Place::Text && !is_heading(line) && !line.starts_with('#') && !line.trim().is_empty() {
            let note = listed.as_ref().map_or(line, |(_, note)| note).trim();
            if !allowed.footnote(note) {
                stripped.push(format!("footnote: {}", line.trim()));
                dropped_numbers.extend(listed.map(|(number, _)| number));
                continue;
            }
            lines.push((true, line.to_owned()));
            continue;
        } else if place == Place::Dropped {
            continue;
        }
        lines.push((place == Place::Note, line.to_owned()));
    }
    let mut out = String::new();
    for (note, line) in &lines {
        let line = if *note { footnote_line(line, allowed, stripped) } else { around_notes(line, allowed, stripped) };
        out.push_str(&line);
        out.push('\n');
    }
    let referenced = replace(&REFERENCE, &out, |found| {
        let label = group(found, 1);
        if kept_labels.contains(label) {
            return None;
        }
        stripped.push(format!("reference [^{label}] without a footnote that a verdict supports"));
        Some(String::new())
    });
    let referenced = replace(&NUMBER, &referenced, |found| {
        let number = group(found, 1);
        (dropped_numbers.contains(number)).then(|| {
            stripped.push(format!("reference [{number}] without a footnote that a verdict supports"));
            String::new()
        })
    });
    stripped.append(&mut marks_gone);
    // A heading below which nothing is left goes as well.
    let text = referenced.trim_end();
    let (before, last) = text.rsplit_once('\n').unwrap_or(("", text));
    let is_bare = kept_labels.is_empty() && last.starts_with(['#', '*']) && is_heading(last);
    if is_bare { before.trim_end().to_owned() } else { text.to_owned() }
}

/// The text without the notes within it that cite nothing that [`Allowed`] has.
fn without_inline(text: &str, allowed: &Allowed, stripped: &mut Vec<String>) -> String {
    let mut out = text.to_owned();
    for note in footnotes(text).into_iter().rev().filter(|note| note.label.starts_with('^')) {
        let words = text.get(note.text.clone()).unwrap_or_default();
        // Around its words stand `^[` and `]`.
        let (start, end) = (note.text.start.saturating_sub(2), note.text.end + 1);
        let whole = start..end;
        let is_note = text.get(whole.clone()).is_some_and(|whole| whole.starts_with("^["));
        if is_note && !allowed.footnote(words.trim()) {
            stripped.push(format!("footnote: {}", words.trim()));
            out.replace_range(whole, "");
        }
    }
    out
}

/// The text without the marks, such as `[1]` and `¹`, of listed notes that cite nothing that [`Allowed`] has. The lines of the list stay.
fn without_dropped_marks(text: &str, allowed: &Allowed, stripped: &mut Vec<String>) -> String {
    let is_plain = |range: &Range<usize>| {
        text.get(range.clone()).is_some_and(|mark| !mark.contains("[^") && !mark.starts_with("^["))
    };
    let dropped: HashSet<String> = footnotes(text)
        .into_iter()
        .filter(|note| {
            let first = text.get(note.text.clone()).and_then(|words| words.lines().next()).unwrap_or_default();
            !allowed.footnote(first.trim())
        })
        .map(|note| note.label)
        .collect();
    let mut marks: Vec<(Range<usize>, Vec<String>)> = Vec::new();
    for mark in marks_in(text).into_iter().filter(|mark| is_plain(&mark.range)) {
        match marks.last_mut().filter(|(range, _)| *range == mark.range) {
            Some((_, labels)) => labels.push(mark.label),
            None => marks.push((mark.range, vec![mark.label])),
        }
    }
    let mut out = text.to_owned();
    for (range, labels) in marks.into_iter().rev() {
        let (gone, kept): (Vec<String>, Vec<String>) = labels.into_iter().partition(|label| dropped.contains(label));
        if gone.is_empty() {
            continue;
        }
        stripped
            .extend(gone.iter().map(|label| format!("reference [{label}] without a footnote that a verdict supports")));
        let start = out.get(..range.start).map_or(range.start, |head| head.trim_end_matches([' ', '\t']).len());
        let left = if kept.is_empty() { String::new() } else { format!("[{}]", kept.join(", ")) };
        out.replace_range(if left.is_empty() { start..range.end } else { range }, &left);
    }
    out
}

/// The part of a body that a heading begins.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Text,
    /// Nothing but notes.
    Footnotes,
    /// Numbered lines are notes.
    Numbered,
}

impl Section {
    fn below(heading: &str) -> Self {
        match heading.trim_matches(['#', '*', '_', ':', ' ']) {
            title if heading.starts_with('#') && title.eq_ignore_ascii_case("footnotes") => Self::Footnotes,
            _ if is_heading(heading) => Self::Numbered,
            _ => Self::Text,
        }
    }
}

/// The place of a line of the body.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In the running text.
    Text,
    /// In a footnote that stays.
    Note,
    /// In a footnote that goes.
    Dropped,
    /// In the blank lines behind a footnote, which went or not.
    Behind(bool),
}

fn footnote_line(line: &str, allowed: &Allowed, stripped: &mut Vec<String>) -> String {
    addresses(line, stripped, |key| allowed.citation_addresses.contains(key) || allowed.own_addresses.contains(key))
}

/// A line of the text, whose notes within it are notes.
fn around_notes(line: &str, allowed: &Allowed, stripped: &mut Vec<String>) -> String {
    let notes = footnotes(line).into_iter().filter(|note| note.label.starts_with('^')).map(|note| note.text);
    let (mut out, mut last) = (String::new(), 0);
    for note in notes {
        let (Some(before), Some(words)) = (line.get(last..note.start), line.get(note.clone())) else { continue };
        out.push_str(&running(before, allowed, stripped));
        out.push_str(&footnote_line(words, allowed, stripped));
        last = note.end;
    }
    out.push_str(&running(line.get(last..).unwrap_or_default(), allowed, stripped));
    out
}

fn running(text: &str, allowed: &Allowed, stripped: &mut Vec<String>) -> String {
    addresses(text, stripped, |key| allowed.own_addresses.contains(key))
}

/// Takes out each address that `may_stand` refuses: a Markdown link keeps its text, a link definition goes whole.
fn addresses(text: &str, stripped: &mut Vec<String>, may_stand: impl Fn(&str) -> bool) -> String {
    let refused = |address: &str| keys(address).any(|key| !may_stand(&key));
    let linked = replace(&LINK, text, |found| {
        let address = group(found, 2);
        // A link always points to an address, even if it does not look like one (`made-up.org`, `javascript:`).
        (!may_stand(&key(address))).then(|| {
            stripped.push(address.to_owned());
            group(found, 1).to_owned()
        })
    });
    let defined = replace(&LINK_DEFINITION, &linked, |found| {
        let whole = group(found, 0);
        let target = whole.split_once("]:").map_or("", |(_, target)| target.trim_start());
        let target = target.split_whitespace().next().unwrap_or_default();
        (!whole.trim_start().starts_with("[^") && !may_stand(&key(target))).then(|| {
            stripped.push(whole.trim().to_owned());
            String::new()
        })
    });
    let mut out = String::new();
    let mut last = 0;
    for (start, end) in address_spans(&defined) {
        let Some(address) = defined.get(start..end) else { continue };
        if start < last || !refused(address) {
            continue;
        }
        stripped.push(address.to_owned());
        out.push_str(defined.get(last..start).unwrap_or_default());
        last = end;
    }
    if last == 0 {
        return defined;
    }
    out.push_str(defined.get(last..).unwrap_or_default());
    tidy(&out)
}

/// Removes the traces of a deleted address: empty brackets, doubled spaces, a space before a stop.
fn tidy(text: &str) -> String {
    let mut out = text.to_owned();
    for (from, to) in [("<>", ""), ("()", ""), ("[]", ""), ("  ", " "), (" .", "."), (" ,", ","), (" )", ")")] {
        out = out.replace(from, to);
    }
    out.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

/// Byte spans of URLs and DOIs, in order.
fn address_spans(text: &str) -> Vec<(usize, usize)> {
    let mut finder = LinkFinder::new();
    finder.kinds(&[LinkKind::Url]).url_must_have_scheme(false);
    let mut spans: Vec<(usize, usize)> = finder
        .links(text)
        .filter(|link| {
            // "St.Louis" is no address; one without a scheme needs a path or www.
            let found = link.as_str();
            found.contains("://") || found.contains('/') || found.to_lowercase().starts_with("www.")
        })
        .map(|link| (link.start(), link.end()))
        .collect();
    spans.extend(DOI.find_iter(text).map(|found| (found.start(), found.end())));
    spans.sort_unstable_by_key(|(start, end)| (*start, std::cmp::Reverse(*end)));
    let mut last = 0;
    spans.retain(|(start, end)| {
        let apart = *start >= last;
        if apart {
            last = *end;
        }
        apart
    });
    spans
}

/// The addresses of a text in the form in which they are compared: lower case, no scheme, no `www.`, no closing slash
/// or stop. A DOI is compared by itself, whichever resolver it is behind.
fn keys(text: &str) -> impl Iterator<Item = String> {
    let spans = address_spans(text);
    spans.into_iter().filter_map(|(start, end)| text.get(start..end).map(key)).collect::<Vec<_>>().into_iter()
}

fn key(address: &str) -> String {
    let lower = address.to_lowercase();
    if let Some(found) = DOI.find(&lower) {
        return found.as_str().trim_start_matches("doi:").trim().to_owned();
    }
    let bare = lower.split_once("://").map_or(lower.as_str(), |(_, rest)| rest);
    bare.strip_prefix("www.").unwrap_or(bare).trim_end_matches(['/', '.', ',', ';', ':']).to_owned()
}

static DEFINITION: TextPattern = TextPattern::new(r"^ {0,3}\[\^([^\]\s]+)\]:[ \t]*(.*)$");
static NUMBER: TextPattern = TextPattern::new(r"[ \t]?\[(\d{1,3})\]");
static REFERENCE: TextPattern = TextPattern::new(r"[ \t]?\[\^([^\]\s]+)\]");
static NESTED: TextPattern = TextPattern::new(r"\[\^(\[\^[^\[\]\s]+\])\]");
static LINK: TextPattern = TextPattern::new(r#"!?\[([^\]]*)\]\([ \t]*<?([^)\s>]+)>?(?:[ \t]+["'(][^)]*)?\)"#);
static LINK_DEFINITION: TextPattern = TextPattern::new(r"(?m)^[ ]{0,3}\[[^\]^][^\]]*\]:[ \t]*\S+.*\n?");
static DOI: TextPattern = TextPattern::new(r"(?i)\b(?:doi:[ \t]*)?10\.\d{4,9}/[-._;()/:a-z0-9]*[a-z0-9]");

fn group<'t>(found: &Captures<'t>, index: usize) -> &'t str {
    found.get(index).map_or("", |matched| matched.as_str())
}

/// Replaces each match for which `by` gives a text.
fn replace(pattern: &TextPattern, text: &str, mut by: impl FnMut(&Captures<'_>) -> Option<String>) -> String {
    let by = |found: &Captures<'_>| by(found).unwrap_or_else(|| group(found, 0).to_owned());
    pattern.replace_all(text, by).into_owned()
}
