//! What the writer works with: stretches of the sources that can stand alone, whole sentences each, a quotation with its
//! speaker, a speaker's turn with its label.

use std::{collections::HashMap, ops::Range};

use crate::{
    newsroom::Source,
    text::{
        sentences::{sentences, speaker},
        words::{fold, is_stop_word, stem, words},
    },
};

/// Longest turn of a transcript that is taken whole, in words; of a longer one its first sentences are.
const TURN: usize = 80;

/// A stretch of a source that can stand alone.
#[derive(Debug, Clone)]
pub(super) struct Unit {
    /// Its place among all units.
    pub order: usize,
    /// The paragraph that it stands in, over all sources.
    pub paragraph: usize,
    /// Its text in one line; sentences as they stand.
    pub text: String,
    /// Its words.
    pub words: usize,
    /// Its sentences.
    pub sentences: usize,
    /// Begins with a speaker's label.
    pub labelled: bool,
    /// How much of the news it carries.
    pub score: f64,
}

/// The units of all sources, in order, each with its score. `wanted` is what the assignment asks for: title and angle.
pub(super) fn units(sources: &[Source], wanted: &str) -> Vec<Unit> {
    let mut found = Vec::new();
    let mut paragraph = 0;
    for source in sources {
        for (place, block) in blocks(&source.text).into_iter().enumerate() {
            paragraph += 1;
            // The first paragraph of minutes, a release or a transcript is often its letterhead.
            if place > 0 || !is_letterhead(block) {
                cut(block, paragraph, &mut found);
            }
        }
    }
    let counts = counts(sources);
    let wanted = stems(wanted);
    for (order, unit) in found.iter_mut().enumerate() {
        unit.order = order;
        unit.score = score(unit, &counts, &wanted);
    }
    found
}

/// Whether a paragraph begins with a line in capitals.
fn is_letterhead(block: &str) -> bool {
    let heads: Vec<_> = words(block).into_iter().filter(|word| word.text.chars().count() > 1).take(3).collect();
    speaker(block).is_none() && heads.len() == 3 && heads.iter().all(|word| !word.text.chars().any(char::is_lowercase))
}

/// Content stems of a text, each once.
pub(super) fn stems(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for word in words(text) {
        let folded = fold(word.text);
        if !is_stop_word(&folded) && folded.chars().count() > 1 {
            let stem = stem(&folded);
            if !found.contains(&stem) {
                found.push(stem);
            }
        }
    }
    found
}

fn counts(sources: &[Source]) -> HashMap<String, f64> {
    let mut counts = HashMap::new();
    for source in sources {
        for word in words(&source.text) {
            let folded = fold(word.text);
            if !is_stop_word(&folded) {
                *counts.entry(stem(&folded)).or_insert(0.0) += 1.0;
            }
        }
    }
    counts
}

/// Paragraphs; each labelled line of a transcript is one.
fn blocks(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let breaks = line.trim().is_empty() || speaker(line).is_some();
        if breaks {
            found.extend(text.get(start..at));
            start = at;
        }
        at += line.len();
    }
    found.extend(text.get(start..));
    found.into_iter().map(str::trim).filter(|block| !block.is_empty()).collect()
}

fn cut(block: &str, paragraph: usize, found: &mut Vec<Unit>) {
    let label = speaker(block);
    // A time code is no part of what anybody said; the label is.
    let block = label.as_ref().and_then(|range| block.get(range.start..)).unwrap_or(block);
    let ranges = sentences(block);
    if label.is_some() {
        let mut end = 0;
        let mut taken = 0;
        for range in &ranges {
            let text = block.get(..range.end).unwrap_or_default();
            if taken > 0 && words(text).len() > TURN {
                break;
            }
            end = range.end;
            taken += 1;
        }
        push(block, 0..end, taken, paragraph, true, found);
        return;
    }
    let mut open: Option<(Range<usize>, usize)> = None;
    for range in ranges {
        let sentence = block.get(range.clone()).unwrap_or_default();
        let leans = open
            .as_ref()
            .is_some_and(|(held, _)| !balanced(block.get(held.clone()).unwrap_or_default()) || leans_back(sentence));
        match open.as_mut() {
            Some((held, count)) if leans => {
                held.end = range.end;
                *count += 1;
            }
            _ => {
                if let Some((held, count)) = open.replace((range, 1)) {
                    push(block, held, count, paragraph, false, found);
                }
            }
        }
    }
    if let Some((held, count)) = open {
        push(block, held, count, paragraph, false, found);
    }
}

/// Whether no quotation is left open.
fn balanced(text: &str) -> bool {
    text.matches('“').count() == text.matches('”').count() && text.matches('"').count().is_multiple_of(2)
}

/// Words that point back to the sentence before.
const BACK: &[&str] = &[
    "he",
    "she",
    "it",
    "they",
    "his",
    "her",
    "its",
    "their",
    "this",
    "that",
    "these",
    "those",
    "but",
    "and",
    "so",
    "or",
    "however",
    "then",
    "there",
    "also",
    "instead",
    "such",
    "therefore",
    "both",
    "neither",
    "nor",
    "yet",
    "still",
    "another",
    "other",
    "others",
    "one",
    "later",
    "meanwhile",
    "for",
    "here",
    "asked",
    "in",
    "we",
    "i",
    "my",
    "our",
    "which",
    "who",
    "of",
    "it's",
    "that's",
    "he's",
    "she's",
    "they're",
];

/// Words of the above that point back only with another behind them: `In reply`, `One of them`.
const SOMETIMES: &[&str] = &["in", "of", "for", "one", "other", "another", "later", "there", "both"];

/// Whether a sentence needs the one before it.
fn leans_back(sentence: &str) -> bool {
    if sentence.starts_with(['“', '"', '‘', '(']) {
        return true;
    }
    let mut heads = words(sentence).into_iter().map(|word| fold(word.text));
    let (first, second) = (heads.next().unwrap_or_default(), heads.next().unwrap_or_default());
    if SOMETIMES.contains(&first.as_str()) {
        return matches!(
            second.as_str(),
            "reply" | "of" | "these" | "them" | "this" | "that" | "addition" | "answer" | "his" | "her"
        );
    }
    BACK.contains(&first.as_str())
}

fn push(block: &str, range: Range<usize>, sentences: usize, paragraph: usize, labelled: bool, found: &mut Vec<Unit>) {
    let text = block.get(range).unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
    let (text, sentences) = if labelled || attributed(&text) { (text, sentences) } else { without_quotations(&text) };
    if is_copy(&text, labelled) && (labelled || !speaks(&text)) {
        let words = words(&text).len();
        found.push(Unit { order: 0, paragraph, text, words, sentences, labelled, score: 0.0 });
    }
}

/// Whether a stretch that quotes says who speaks: by a verb of saying outside the marks, or by a colon before them.
fn attributed(text: &str) -> bool {
    let plain = unquoted(text);
    let says = |word: &str| {
        matches!(
            word,
            "said"
                | "says"
                | "asked"
                | "wrote"
                | "told"
                | "replied"
                | "answered"
                | "added"
                | "called"
                | "stated"
                | "noted"
                | "put"
        )
    };
    !text.contains(['“', '"']) || plain.contains(':') || words(&plain).iter().any(|word| says(&fold(word.text)))
}

/// The sentences before the first quotation.
fn without_quotations(text: &str) -> (String, usize) {
    let plain: Vec<Range<usize>> = sentences(text)
        .into_iter()
        .take_while(|range| text.get(range.clone()).is_some_and(|sentence| !sentence.contains(['“', '"'])))
        .collect();
    let end = plain.last().map_or(0, |range| range.end);
    (text.get(..end).unwrap_or_default().to_owned(), plain.len())
}

/// A text with its quotations blanked.
fn unquoted(text: &str) -> String {
    let mut quoted = false;
    let blank = |c: char| {
        quoted = match c {
            '“' => true,
            '”' => false,
            '"' => !quoted,
            _ => quoted,
        };
        if quoted { ' ' } else { c }
    };
    text.chars().map(blank).collect()
}

/// Whether somebody speaks of himself outside quotation marks, as in notes.
fn speaks(text: &str) -> bool {
    let own =
        |word: &str| matches!(word, "i" | "i'm" | "i've" | "i'd" | "we" | "our" | "my" | "you" | "your" | "us" | "me");
    words(&unquoted(text)).iter().any(|word| own(&fold(word.text)))
}

/// Whether a sentence has a verb that a sentence can stand on; a clerk's fragment has none.
fn has_verb(text: &str) -> bool {
    // Who says "you" says what you do.
    const PRONOUNS: &[&str] = &["i", "you", "he", "she", "it", "we", "they", "it's", "that's", "i'd", "i'll", "we'll"];
    const VERBS: &[&str] = &[
        "is", "are", "was", "were", "has", "have", "had", "will", "would", "can", "could", "may", "might", "must",
        "do", "does", "did", "said", "says", "gave", "got", "went", "came", "made", "took", "told", "found", "rose",
        "fell", "grew", "paid", "met", "led", "won", "lost", "held", "kept", "left", "ran", "saw", "began", "became",
        "brought", "built", "bought", "sold", "sent", "set", "put", "cut", "hit", "spoke", "wrote", "bit", "costs",
        "runs", "takes", "makes", "gets", "gives", "shows",
    ];
    let list: Vec<String> = words(text).iter().map(|word| fold(word.text)).collect();
    list.iter().enumerate().any(|(at, word)| {
        VERBS.contains(&word.as_str())
            || word.ends_with("n't")
            || PRONOUNS.contains(&word.as_str())
            || at > 0 && word.len() > 4 && word.ends_with("ed")
    })
}

/// Whether a stretch is running text that can be printed: whole sentences, not a heading, a list, a question to a speaker or
/// a clerk's note.
fn is_copy(text: &str, labelled: bool) -> bool {
    let body = if labelled { text.split_once(':').map_or(text, |(_, rest)| rest) } else { text };
    let list: Vec<_> = words(body);
    let lower = list.iter().filter(|word| word.text.starts_with(char::is_lowercase)).count();
    let ends = body.trim_end().ends_with(['.', '!', '”', '"', '’', ')']);
    let stands = labelled || !leans_back(text);
    let marked = text.starts_with(['#', '>', '-', '*', '[', '|', '•', '+', '=']) || text.contains(['[', '|', '<']);
    let numbered = text.starts_with(|c: char| c.is_ascii_digit());
    list.len() >= 6
        && has_verb(body)
        && lower * 2 > list.len()
        && ends
        && stands
        && !marked
        && !numbered
        && balanced(text)
}

fn score(unit: &Unit, counts: &HashMap<String, f64>, wanted: &[String]) -> f64 {
    let own = stems(&unit.text);
    #[expect(clippy::cast_precision_loss, reason = "counts of words")]
    let size = own.len().max(6) as f64;
    let central: f64 = own.iter().map(|stem| counts.get(stem).copied().unwrap_or(0.0).ln_1p()).sum::<f64>() / size;
    #[expect(clippy::cast_precision_loss, reason = "counts of words")]
    let asked = own.iter().filter(|stem| wanted.contains(stem)).count() as f64;
    let figures = words(&unit.text).iter().filter(|word| word.text.starts_with(|c: char| c.is_ascii_digit())).count();
    let figures = f64::from(u8::try_from(figures.min(3)).unwrap_or(3));
    #[expect(clippy::cast_precision_loss, reason = "counts of units")]
    let early = 1.0 / (1.0 + unit.order as f64 / 6.0);
    let turn = if unit.labelled { 0.6 } else { 0.0 };
    central + 0.6 * asked.min(6.0) + 0.12 * figures + 0.5 * early - turn
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        let sources = [Source { name: "s".to_owned(), text: text.to_owned() }];
        units(&sources, "").into_iter().map(|unit| unit.text).collect()
    }

    #[test]
    fn a_quotation_stays_with_its_speaker() {
        assert_eq!(
            texts(
                "Inez Calloway spoke in favor of the plan. \"I can get to the gate,\" she said. The hearing was closed at half past eight."
            ),
            [
                "Inez Calloway spoke in favor of the plan. \"I can get to the gate,\" she said.",
                "The hearing was closed at half past eight."
            ]
        );
    }

    #[test]
    fn a_turn_keeps_its_label_and_loses_its_time_code() {
        assert_eq!(
            texts("[00:01:05] TULL: You replace the pipe or you fix the street.\n[00:02] VOSS: Thanks."),
            ["TULL: You replace the pipe or you fix the street."]
        );
    }

    #[test]
    fn headings_and_lists_are_no_copy() {
        assert_eq!(
            texts("# Minutes of the meeting\n\nPresent: Roth, Quill, Osei, Baek, Foley, Imbert\n\nTO DO: call them."),
            [""; 0]
        );
    }
}
