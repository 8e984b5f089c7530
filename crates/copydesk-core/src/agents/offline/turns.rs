//! Finds the turns of a source: who speaks, under the source's own label, and which sentences are worth printing.

use std::{collections::HashSet, ops::Range};

use copydesk_proof::Retractions;
use copydesk_text::{
    sanitise::one_line,
    sentences::{sentences, speaker},
    words::{fold, words},
};

use super::{
    chores::is_chore,
    copy::{balanced, has_verb, is_copy, is_question, leans_in_turn},
    value::Scale,
};

/// Most words of a turn that are printed as one run.
const RUN: usize = 60;

/// Longest introduction of a quotation, in characters.
const INTRODUCTION: usize = 260;

/// Labels of people who ask questions.
const ASKS: &[&str] = &["question", "q", "interviewer", "reporter", "host", "moderator"];

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Turn {
    /// The label as the source has it, without its colon; none if the source does not name the speaker.
    pub label: Option<String>,
    /// The words, without the marks around them.
    pub said: Range<usize>,
    /// The marks around the words.
    pub marks: (&'static str, &'static str),
    /// The text after the closing mark.
    pub after: Range<usize>,
    /// Whether the speaker only asks.
    pub asks: bool,
}

/// Reads a paragraph as a turn, if it is one. `held` is the label of the turn before, for a paragraph that only continues its quotation.
/// `names` are the source's, which tell a name from a heading.
pub(super) fn turn(block: &str, held: Option<&str>, names: &HashSet<String>) -> Option<Turn> {
    let colon = block.find(':').unwrap_or(0);
    if block.get(..colon).is_some_and(|head| head.len() < 80 && asks(head)) {
        let end = block.len();
        return Some(Turn { label: None, said: end..end, marks: ("", ""), after: end..end, asks: true });
    }
    let (label, rest) = match labelled(block, names).or_else(|| introduced(block)) {
        Some((label, rest)) => (Some(one_line(block.get(label)?)), rest),
        None if block.starts_with(['“', '"']) => (held.map(str::to_owned), 0),
        None => return None,
    };
    let body = block.get(rest..)?;
    let start = rest + (body.len() - body.trim_start().len());
    let (said, marks, after) = match quotation(block.get(start..)?) {
        Some((inner, past, marks)) => (start + inner.start..start + inner.end, marks, start + past..block.len()),
        None => (start..block.len(), ("", ""), block.len()..block.len()),
    };
    // A paragraph that is only a quotation continues the quotation before.
    if rest == 0 && block.get(after.clone()).is_some_and(|text| !text.trim().is_empty()) {
        return None;
    }
    let asks = label.as_deref().is_some_and(asks);
    Some(Turn { label, said, marks, after, asks })
}

/// Whether the label is of a person who asks.
fn asks(label: &str) -> bool {
    let first = label.split([',', '(']).next().unwrap_or_default().trim().to_lowercase();
    ASKS.contains(&first.as_str())
}

/// The label of a turn such as `VOSS: …`, and the byte at which its words begin.
fn labelled(block: &str, names: &HashSet<String>) -> Option<(Range<usize>, usize)> {
    let label = speaker(block)?;
    let name = block.get(label.clone())?;
    let colon = label.end + block.get(label.end..)?.find(':')? + 1;
    let rest = block.get(colon..)?;
    let bold = rest.len() - rest.trim_start_matches(['*', '_']).len();
    is_name(name, names).then_some((label, colon + bold))
}

/// An introduction that begins with a name and has no verb: `Ingrid Vale, 44, coordinator since 2019, on the year without: “…”`.
fn introduced(block: &str) -> Option<(Range<usize>, usize)> {
    let window = block.char_indices().nth(INTRODUCTION).map_or(block, |(at, _)| block.get(..at).unwrap_or(block));
    let quote = window.find(['“', '"'])?;
    let head = block.get(..quote)?.trim_end().strip_suffix(':')?;
    let list = words(head);
    let capital = |at: usize| list.get(at).is_some_and(|word| word.text.starts_with(char::is_uppercase));
    let loud =
        list.first().is_some_and(|word| word.text.chars().count() > 2 && !word.text.contains(char::is_lowercase));
    let plain = [", who ", " who "].iter().find_map(|who| head.split_once(who)).map_or(head, |(name, _)| name);
    let fits = capital(0) && (capital(1) || loud) && sentences(head).len() == 1 && !has_verb(plain);
    fits.then_some((0..head.len(), quote))
}

/// The first quotation of a text that begins with one: its words, its end, its marks.
fn quotation(text: &str) -> Option<(Range<usize>, usize, (&'static str, &'static str))> {
    let (open, close) = if text.starts_with('“') { ("“", '”') } else { ("\"", '"') };
    let inner = text.strip_prefix(open)?;
    let mut depth = 1;
    for (at, c) in inner.char_indices() {
        if c == close {
            depth -= 1;
        } else if c == '“' && close == '”' {
            depth += 1;
        }
        if depth == 0 {
            let end = open.len() + at;
            return Some((open.len()..end, end + c.len_utf8(), (open, if close == '”' { "”" } else { "\"" })));
        }
    }
    None
}

/// Whether a label is a person: it is in capitals, has several words, or is a name elsewhere in the source.
fn is_name(label: &str, names: &HashSet<String>) -> bool {
    let name = label.split('(').next().unwrap_or_default();
    let list = words(name);
    let Some(first) = list.first() else { return false };
    let letters = first.text.chars().count();
    let note =
        matches!(fold(name.trim()).as_str(), "correction" | "note" | "to do" | "disclosure" | "present" | "absent");
    if note || letters < 2 {
        return !note && (list.len() > 1 || ASKS.contains(&fold(first.text).as_str()));
    }
    if list.len() > 1 || !first.text.contains(char::is_lowercase) {
        return true;
    }
    // "Roof:" is a heading; "Lindqvist:" is a person whom another sentence names.
    names.contains(first.text) || label.contains('(') && names.contains(&*format!("{} (", first.text))
}

/// The names in a source: words with a capital after another word or after a form of address. ` (` is added to a name that a bracket
/// follows.
pub(super) fn names(source: &str) -> HashSet<String> {
    let mut found = HashSet::new();
    for word in words(source).into_iter().filter(|word| word.text.starts_with(char::is_uppercase)) {
        let before = source.get(..word.start).unwrap_or_default().trim_end();
        let after = source.get(word.end..).unwrap_or_default();
        let addressed = ["Mr.", "Mrs.", "Ms.", "Dr."].iter().any(|title| before.ends_with(title));
        let named = before.ends_with(|c: char| c.is_alphabetic() || c == ',') || addressed;
        if named && !after.starts_with([':', '-']) {
            found.insert(word.text.to_owned());
        }
        if after.starts_with(" (") {
            found.insert(format!("{} (", word.text));
        }
    }
    found
}

/// A stretch of a turn: its sentences, and whether it ends with the turn.
#[derive(Debug)]
pub(super) struct SpeakerRun {
    /// Its sentences as byte ranges of the source.
    pub sentences: Vec<Range<usize>>,
    pub score: f64,
}

struct SpokenSentence {
    range: Range<usize>,
    value: f64,
    dropped: bool,
    begins: bool,
}

/// The runs of a turn that are worth printing, best first, one for every eighty words. `said` is the turn in the source; `answers` says
/// that the turn before was a question.
pub(super) fn runs(
    source: (usize, &str),
    said: &Range<usize>,
    answers: bool,
    scale: &Scale,
    retractions: &Retractions,
) -> Vec<SpeakerRun> {
    let text = source.1.get(said.clone()).unwrap_or_default();
    let all = atoms(source.1, text, said.start, answers, scale);
    let most = words(text).len() / 80 + 1;
    let mut starts: Vec<usize> =
        all.iter().enumerate().filter(|(_, one)| one.begins && !one.dropped).map(|(at, _)| at).collect();
    starts.sort_by(|a, b| value(&all, *b).total_cmp(&value(&all, *a)).then(a.cmp(b)));
    let mut taken: Vec<Range<usize>> = Vec::new();
    let mut found = Vec::new();
    for start in starts {
        if found.len() >= most || taken.len() > 400 {
            break;
        }
        if taken.iter().any(|range| range.contains(&start)) {
            continue;
        }
        let next = taken.iter().map(|range| range.start).filter(|from| *from > start).min().unwrap_or(all.len());
        let Some(end) = grow(source, &all, start, next, retractions) else { continue };
        let chosen = all.get(start..end).unwrap_or_default();
        let rest: f64 = chosen.iter().skip(1).map(|one| one.value.max(0.0)).sum();
        let score = value(&all, start) + (0.12 * rest).min(1.0);
        found.push(SpeakerRun { sentences: chosen.iter().map(|one| one.range.clone()).collect(), score });
        taken.push(start..end);
    }
    found
}

fn value(all: &[SpokenSentence], at: usize) -> f64 {
    all.get(at).map_or(0.0, |one| one.value)
}

/// The sentences of a turn. A sentence that leaves a quotation open is joined to the next.
fn atoms(source: &str, text: &str, offset: usize, answers: bool, scale: &Scale) -> Vec<SpokenSentence> {
    let mut found: Vec<SpokenSentence> = Vec::new();
    for range in sentences(text) {
        let range = range.start + offset..range.end + offset;
        if let Some(last) = found.last_mut()
            && !balanced(source.get(last.range.clone()).unwrap_or_default())
        {
            last.range.end = range.end;
            continue;
        }
        found.push(SpokenSentence { range, value: 0.0, dropped: false, begins: false });
    }
    for one in &mut found {
        let sentence = source.get(one.range.clone()).unwrap_or_default();
        one.dropped =
            is_chore(sentence) || is_question(sentence) || !balanced(sentence) || sentence.contains(['[', '<', '|']);
        one.begins = is_copy(sentence) && !leans_in_turn(sentence, answers);
        // Words about the subject come before words about the speaker.
        let own = sentence.starts_with("I ") || sentence.starts_with("I’") || sentence.starts_with("I'");
        one.value = scale.value(sentence) - if own { 0.6 } else { 0.0 };
    }
    found
}

/// The end of a run that begins at `start`: it continues while the sentences are worth printing, and as far as a correction needs.
fn grow(
    source: (usize, &str),
    all: &[SpokenSentence],
    start: usize,
    limit: usize,
    retractions: &Retractions,
) -> Option<usize> {
    let ranges = |end: usize| -> Vec<Range<usize>> {
        all.get(start..end).unwrap_or_default().iter().map(|one| one.range.clone()).collect()
    };
    let size = |end: usize| -> usize {
        ranges(end).iter().map(|range| words(source.1.get(range.clone()).unwrap_or_default()).len()).sum()
    };
    let spoils = |end: usize| retractions.spoils(source.0, &ranges(end));
    let open = |end: usize| all.get(end).is_some_and(|one| !one.dropped) && end < limit;
    let mut end = start + 1;
    if spoils(end) {
        while open(end) && spoils(end) && end < start + 4 {
            end += 1;
        }
        if spoils(end) {
            return None;
        }
    }
    let worth = value(all, start) * 0.4;
    while open(end) && size(end + 1) <= RUN && (value(all, end) >= worth || end == start + 1) && !spoils(end + 1) {
        end += 1;
    }
    Some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(block: &str) -> Option<String> {
        turn(block, None, &names("The roof is old. She asked Lindqvist about it.")).and_then(|turn| turn.label)
    }

    #[test]
    fn a_label_is_whole_and_somebodys() {
        for (block, name) in [
            ("[00:01:05] R. HALE: I own it.", "R. HALE"),
            ("SAM WHITLOW, public information officer: “Good morning.”", "SAM WHITLOW, public information officer"),
            ("Denise Corrie (finance director): \"We lost £2.\"", "Denise Corrie (finance director)"),
            ("Ada Vale, 44, who leads the choir: “We sing.”", "Ada Vale, 44, who leads the choir"),
            ("Lindqvist: \"We saw a difference.\"", "Lindqvist"),
        ] {
            assert_eq!(label(block).as_deref(), Some(name));
        }
        for block in ["Roof: \"It is old.\"", "She said she was tired: “So tired.”", "On late fees: “None.”"] {
            assert_eq!(label(block), None, "{block}");
        }
    }

    #[test]
    fn a_quotation_that_goes_on_keeps_its_speaker() {
        let found = turn("“The west half has sprinklers.”", Some("ABNEY"), &HashSet::new()).unwrap();
        assert_eq!((found.label.as_deref(), found.marks), (Some("ABNEY"), ("“", "”")));
        assert_eq!(turn("“It is late,” she said.", Some("ABNEY"), &HashSet::new()), None);
    }
}
