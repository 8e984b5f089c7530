//! Finds interruptions in spoken words.

use std::ops::Range;

use crate::{
    reading::ParsedText,
    words::{Class, WordList, words as list},
};
use copydesk_text::non_ascii;

/// Sounds that a transcriber notes between words.
static SOUNDS: WordList = list(
    "applause laughter laughs laughing laugh crosstalk inaudible unintelligible indiscernible pause pauses music cheers cheering \
     booing boos coughs coughing sighs sigh chuckles chuckling clapping interruption interposing overlapping silence gavel whistles \
     whistling sobs crying gasps heckling murmurs noise applaus beifall heiterkeit lachen rires applaudissements risas aplausos risos \
     applausi risate",
);

/// At most so many words between two quotations are an attribution.
const ATTRIBUTION: usize = 20;

/// At most so many words in square brackets are a transcriber's remark.
const REMARK: usize = 6;

/// Returns the interruptions of spoken words in a text, as ranges of its words: time codes and labels, attributions between two quotations,
/// a transcriber's remark in square brackets.
pub fn interruptions(reading: &ParsedText<'_>) -> Vec<Range<usize>> {
    let asides = reading.tokens.iter().enumerate().filter(|(_, token)| token.aside());
    let mut found: Vec<Range<usize>> = asides.map(|(at, _)| at..at + 1).collect();
    for pair in reading.quotations.windows(2) {
        let [one, two] = pair else { continue };
        let gap = reading.between(one.end, two.start);
        let same_paragraph = !reading.text.get(one.end..two.start).unwrap_or("\n\n").contains("\n\n");
        if same_paragraph && gap.len() <= ATTRIBUTION && gap.iter().any(|token| token.class.has(Class::SAYS)) {
            found.push(reading.words_between(one.end, two.start));
        }
    }
    let bytes = reading.text.as_bytes();
    for open in memchr::memchr3_iter(b'[', b'(', b'{', bytes) {
        let inner = reading.text.get(open + 1..).unwrap_or_default();
        let Some(close) = inner.bytes().take(80).position(|byte| matches!(byte, b']' | b')' | b'}')) else { continue };
        // A speaker speaks no brackets; the writer adds them.
        let line = reading.lines.get(reading.line_at(open));
        let spoken = bytes.get(open) != Some(&b'(') || line.is_some_and(|line| line.label.is_some());
        // The words of a link are no remark.
        let address = inner.get(close + 1..).is_some_and(|behind| behind.starts_with('('));
        let remark = reading.words_between(open, open + 1 + close);
        // "We will [not] go" says the opposite without it.
        let words = reading.tokens.get(remark.clone()).unwrap_or_default();
        let reversed = matches!(words, [word] if word.class.has(Class::DENIES));
        if remark.len() <= REMARK && spoken && !address && !reversed {
            found.push(remark);
        }
    }
    for open in memchr::memchr2_iter(b'(', b'*', bytes) {
        let inner = reading.text.get(open + 1..).unwrap_or_default();
        let Some(close) = inner.bytes().take(80).position(|byte| matches!(byte, b')' | b'*')) else { continue };
        let sound = reading.words_between(open, open + 1 + close);
        let heard = reading.tokens.get(sound.clone()).unwrap_or_default();
        if heard.iter().any(|token| SOUNDS.contains(&token.word))
            && heard.iter().all(|token| token.stop || SOUNDS.contains(&token.word) || heard.len() <= 2)
        {
            found.push(sound);
        }
    }
    // Sung words, between two notes. Both notes must be on one line.
    let notes = non_ascii(reading.text).filter(|(_, sign)| matches!(sign, '♪' | '♫' | '♬' | '🎵'));
    let mut sung = notes.map(|(at, _)| at).peekable();
    while let Some(open) = sung.next() {
        let rest = reading.text.get(open..).unwrap_or_default();
        let line = open + rest.find('\n').unwrap_or(rest.len());
        if let Some(close) = sung.next_if(|close| *close < line) {
            found.push(reading.words_between(open, close));
        }
    }
    found.retain(|range| !range.is_empty());
    found.sort_by_key(|range| (range.start, range.end));
    let mut merged: Vec<Range<usize>> = Vec::new();
    for range in found {
        match merged.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}
