//! Chooses what a reader sees first: lede, headlines and description. They are units of the sources, never new words.

use std::collections::HashSet;

use copydesk_newsroom::Source;
use copydesk_text::{
    capital,
    sanitise::one_line,
    words::{fold, words},
};

use super::{
    copy::{CALENDAR, balanced},
    material::SourceUnit,
    speech::quoted,
    value::{Scale, stems},
};

/// Longest headline, in characters.
const HEADLINE: usize = 120;

/// Longest description, in words.
const DESCRIPTION: usize = 60;

/// Titles before a name that the reader is supposed to know.
const HONORIFICS: &[&str] = &["Mr", "Mrs", "Ms", "Miss", "Dr"];

/// The unit that the brief begins with: the one with the highest news value that names its subject. Narration comes before quoted words.
pub(super) fn lead(usable: &[SourceUnit], most: usize) -> Option<&SourceUnit> {
    let fits = |unit: &&SourceUnit| unit.words <= most;
    let plain = |unit: &&SourceUnit| {
        let head = unit.sentences.first().map_or("", String::as_str);
        // A turn that begins by reading out another's words would lead with the wrong speaker.
        let quotes =
            if unit.label.is_none() { head.contains([':', '“', '"']) } else { head.starts_with(['“', '"']) };
        !unit.is_note && (6..=55).contains(&words(head).len()) && unit.words <= 110 && !quotes
    };
    let best = |a: &&SourceUnit, b: &&SourceUnit| rank(a).total_cmp(&rank(b)).then(b.order.cmp(&a.order));
    let whole = |unit: &&SourceUnit| !unit.is_note;
    let fitting = || usable.iter().filter(fits);
    fitting()
        .filter(plain)
        .max_by(best)
        .or_else(|| fitting().filter(whole).max_by(best))
        .or_else(|| fitting().max_by(best))
}

/// The value of a unit as a lead.
fn rank(unit: &SourceUnit) -> f64 {
    let heads = unit.sentences.first().map(|head| words(head)).unwrap_or_default();
    // "Mr. Quill said" works only for readers who know Mr. Quill.
    let known = heads.first().is_some_and(|word| HONORIFICS.contains(&word.text));
    let own = heads.iter().take(12).any(|word| matches!(word.text, "I" | "I’m" | "I'm" | "I’ll" | "my" | "me"));
    // "The audited figure" does not say what it measures.
    let vague = |word: &str| matches!(word, "figure" | "number" | "total" | "estimate" | "second");
    let vague = heads.iter().take(4).any(|word| vague(word.text));
    let minus = |is: bool, weight: f64| if is { weight } else { 0.0 };
    unit.score - minus(known, 1.2) - minus(own, 1.0) - minus(vague, 1.0) - minus(unit.label.is_some(), 0.3)
}

/// The units, ranked for headlines and description.
pub(super) struct Heads<'a> {
    pub usable: &'a [SourceUnit],
    pub scale: &'a Scale,
}

impl Heads<'_> {
    /// Sentences that can be a headline, best first, without their stop.
    pub fn headlines(&self) -> Vec<String> {
        let mut found: Vec<(f64, &str)> = Vec::new();
        for unit in self.usable {
            for sentence in &unit.alone {
                let text = sentence.trim_end_matches('.');
                let count = words(text).len();
                if (4..=20).contains(&count) && text.chars().count() <= HEADLINE && !text.ends_with(['!', '?', '…']) {
                    // A quotation becomes a headline only if nothing else does.
                    let turn = if unit.label.is_some() { 2.5 } else { 0.0 };
                    let beside = match self.scale.asked(sentence) {
                        0 => 1.2,
                        1 => 0.4,
                        _ => 0.0,
                    };
                    let known = words(text).first().is_some_and(|word| HONORIFICS.contains(&word.text));
                    let known = if known { 1.0 } else { 0.0 };
                    found.push((self.scale.value(sentence) - turn - beside - known, text));
                }
            }
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut list: Vec<String> = Vec::new();
        for (_, text) in found {
            if list.last().is_none_or(|last| last != text) {
                list.push(text.to_owned());
            }
        }
        list
    }

    /// Candidates for the description, best first: the lede, then the other candidates for the lede.
    pub fn descriptions(&self) -> Vec<String> {
        let mut ranked: Vec<&SourceUnit> = self.usable.iter().filter(|unit| !unit.is_note).collect();
        ranked.sort_by(|a, b| rank(b).total_cmp(&rank(a)).then(a.order.cmp(&b.order)));
        ranked.into_iter().map(opening).collect()
    }
}

/// Whether the sources have most of a title's words. The proof judges its figures and names.
pub(super) fn carries(title: &str, sources: &[Source]) -> bool {
    let body: HashSet<String> = sources.iter().flat_map(|source| stems(&source.text)).collect();
    let known = stems(title);
    let plain: Vec<&String> = known.iter().filter(|stem| !stem.starts_with(|c: char| c.is_ascii_digit())).collect();
    let had = plain.iter().filter(|stem| body.contains(**stem)).count();
    !plain.is_empty() && had * 10 >= plain.len() * 7
}

/// A title that is the first line of the sources, without what only marks a document: `NOTES mill fire, Tues 22 Sept 2026 (NQ)` is about a
/// `Mill fire`. Any other title is returned as it is.
pub(super) fn subject_of(title: &str, sources: &[Source]) -> String {
    let first = sources.first().and_then(|source| source.text.lines().find(|line| !line.trim().is_empty()));
    let first = first.map(|line| one_line(line.trim().trim_start_matches('#')));
    if first.is_none_or(|first| first.trim_end_matches('.') != title) {
        return title.to_owned();
    }
    let mut rest = title.trim_end();
    // Initials.
    if let Some((head, initials)) = rest.strip_suffix(')').and_then(|rest| rest.rsplit_once(" (")) {
        let is_signed = initials.len() <= 5 && initials.chars().all(|c| c.is_uppercase() || matches!(c, '.' | '/'));
        rest = if is_signed { head } else { rest };
    }
    let list = words(rest);
    let dated = list.iter().rev().take_while(|word| is_of_a_date(word.text)).count();
    let date = list.get(list.len() - dated..).unwrap_or_default();
    let is_dated = date.iter().any(|word| word.text.starts_with(char::is_uppercase))
        && date.iter().any(|word| word.text.starts_with(|c: char| c.is_ascii_digit()));
    if let Some(first) = date.first().filter(|_| is_dated) {
        rest = rest.get(..first.start).unwrap_or(rest);
    }
    let open = |c: char| c.is_whitespace() || matches!(c, ',' | '.' | ':' | ';' | '-' | '–' | '—');
    rest = rest.trim_end_matches(open);
    let noted = words(rest).first().filter(|word| matches!(&*fold(word.text), "note" | "notes")).map(|word| word.end);
    if let Some(end) = noted {
        rest = rest.get(end..).unwrap_or_default().trim_start_matches(open);
        for from in ["from ", "on ", "of ", "about "] {
            rest = rest.strip_prefix(from).unwrap_or(rest);
        }
    }
    if (1..title.len()).contains(&rest.len()) { capital(rest) } else { title.to_owned() }
}

/// Whether a word can belong to a date: a number, or the name of a day or a month, whole or shortened.
fn is_of_a_date(word: &str) -> bool {
    let folded = fold(word.trim_end_matches('.'));
    word.starts_with(|c: char| c.is_ascii_digit())
        || word.starts_with(char::is_uppercase)
            && folded.len() >= 3
            && CALENDAR.split_ascii_whitespace().any(|name| name.starts_with(&folded))
}

/// The first two sentences of a unit, or the first, if two are too long; all of it if a quotation would be cut.
fn opening(unit: &SourceUnit) -> String {
    let speaker = unit.label.as_deref().filter(|_| unit.quoted);
    let fits = |some: &&[String]| {
        let text = some.join(" ");
        words(&text).len() <= DESCRIPTION && (speaker.is_some() || balanced(&text))
    };
    let some = [2, 1].into_iter().filter_map(|count| unit.sentences.get(..count.min(unit.sentences.len()))).find(fits);
    let Some(some) = some.filter(|some| !some.is_empty()) else { return unit.text.clone() };
    match (&unit.label, speaker) {
        (_, Some(by)) => quoted(by, unit.marks, some).unwrap_or_else(|| unit.text.clone()),
        (Some(label), None) => format!("{label}: {}{}{}", unit.marks.0, some.join(" "), unit.marks.1),
        (None, None) => some.join(" "),
    }
}
