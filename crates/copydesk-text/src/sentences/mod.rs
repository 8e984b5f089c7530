//! Where sentences begin and end.
//!
//! A few rules, not a model. A stop ends a sentence unless an abbreviation, an initial or a number holds it. Marks that
//! close a quotation or a bracket belong to the sentence before them. A blank line, a heading, a list item and a
//! speaker's line of a transcript always end a sentence.

mod abbreviations;
mod lines;
mod openings;
mod speaker;

use std::ops::Range;

use abbreviations::{BEFORE_A_NAME, PLACES, is_shortened};
use lines::line_ends_here;
use openings::{STARTERS, is_asked, is_day, lists};
pub use speaker::{is_unnamed_speaker, speaker};

/// A place in a text, widened to the sentences that it touches.
pub fn sentences_around(text: &str, place: &Range<usize>) -> Range<usize> {
    let touched = sentences(text).into_iter().filter(|line| line.start < place.end && place.start < line.end);
    touched.fold(place.clone(), |whole, line| whole.start.min(line.start)..whole.end.max(line.end))
}

/// The sentences of `text`, in order, as byte ranges without the white space around them.
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let (mut start, mut from) = (0, 0);
    while let Some(at) = next_stop(text, from) {
        let (head, rest) = (text.get(start..at).unwrap_or_default(), text.get(at..).unwrap_or_default());
        if let Some(rest) = rest.strip_prefix('\n') {
            if line_ends_here(head, rest) {
                push(text, start..at, &mut found);
                start = at + 1;
            }
            from = at + 1;
            continue;
        }
        let behind = rest.trim_start_matches(['.', '!', '?', '…']);
        let stops = rest.get(..rest.len() - behind.len()).unwrap_or_default();
        let tail = footnotes(behind.trim_start_matches(CLOSING));
        let next = tail.trim_start();
        let past = text.len() - tail.len();
        let closed = behind.len() > tail.len();
        if (next.len() < tail.len() || tail.is_empty()) && ends(stops, head, closed, next) {
            push(text, start..past, &mut found);
            start = past;
        }
        from = past;
    }
    push(text, start..text.len(), &mut found);
    found
}

/// The place of the next mark or line break that may end a sentence.
fn next_stop(text: &str, from: usize) -> Option<usize> {
    // The first byte of `…`. Bytes are looked at and not characters: a source has megabytes.
    const ELLIPSIS: u8 = 0xE2;
    let mut at = from;
    loop {
        let rest = text.as_bytes().get(at..)?;
        at += rest.iter().position(|byte| matches!(*byte, b'\n' | b'.' | b'!' | b'?' | ELLIPSIS))?;
        if text.as_bytes().get(at) != Some(&ELLIPSIS) || text.get(at..)?.starts_with('…') {
            return Some(at);
        }
        at += 1;
    }
}

/// Marks that belong to the sentence before them.
const CLOSING: [char; 10] = ['"', '”', '’', '\'', ')', ']', '»', '*', '_', '“'];

/// Returns the text behind footnote marks: `[1][2]`.
fn footnotes(text: &str) -> &str {
    let mut rest = text;
    while let Some((mark, tail)) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        let inner = mark.trim_start_matches('^');
        if inner.is_empty() || inner.len() > 3 || !inner.bytes().all(|byte| byte.is_ascii_digit()) {
            break;
        }
        rest = tail;
    }
    rest
}

/// Whether `stops` after `head`, with closing marks behind them or not, end a sentence before `rest`.
fn ends(stops: &str, head: &str, closed: bool, rest: &str) -> bool {
    let next = rest.chars().next().unwrap_or('\0');
    let next_word = rest.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    let opens = "\0\"“‘'([*_#-•—–$€£«„¿¡".contains(next);
    let could_begin = next.is_uppercase() || next.is_numeric() || opens || !next.is_alphabetic();
    if stops != "." {
        let asked = closed && stops.ends_with(['!', '?']) && (is_asked(rest) || matches!(next, '—' | '–'));
        return (next.is_uppercase() || opens || next.is_numeric()) && !asked;
    }
    let written = head.rsplit(|c: char| c.is_whitespace() || matches!(c, '(' | '“' | '"' | '[' | '–' | '—')).next();
    let written = written.unwrap_or_default();
    let last = written.to_lowercase();
    // "K. A. Berg"
    let initial = next_word.len() == 1 && rest.get(1..).is_some_and(|rest| rest.starts_with('.'));
    let starts = || !initial && lists(STARTERS, &next_word.to_lowercase());
    if closed && !is_shortened(&last) {
        return could_begin;
    }
    if last.chars().count() == 1 && last.chars().all(char::is_alphabetic) && last != "i" {
        // An initial ("J. Doe"), or the last letter of "Plan B." before a new sentence: only a word that no name
        // begins with tells them apart.
        return matches!(next, '\0' | '"' | '“') || next.is_uppercase() && starts();
    }
    if BEFORE_A_NAME.contains(&last.as_str()) && (last != "no" || next.is_numeric()) {
        return next == '\0';
    }
    if matches!(last.as_str(), "a.m" | "p.m") {
        // "at 7 p.m. Tuesday" goes on; "at 7 p.m. The board" ends.
        let zone = next_word.len() <= 4 && next_word.len() > 1 && next_word.chars().all(char::is_uppercase)
            || matches!(next_word, "Eastern" | "Central" | "Mountain" | "Pacific" | "Greenwich" | "British");
        return matches!(next, '\0' | '"' | '“') || next.is_uppercase() && !is_day(next_word) && !zone;
    }
    if is_shortened(&last) || PLACES.contains(&written) {
        // "Oct. 6" and "U.S. President" go on.
        return matches!(next, '\0' | '"' | '“') || next.is_uppercase() && starts();
    }
    // The number of a list's item stands before it.
    let item = head.trim_start().len() == last.len() && last.len() <= 3 && last.bytes().all(|b| b.is_ascii_digit());
    could_begin && !(item && !last.is_empty() && next != '\0')
}

fn push(text: &str, range: Range<usize>, found: &mut Vec<Range<usize>>) {
    let Some(inner) = text.get(range.clone()) else { return };
    let start = range.start + (inner.len() - inner.trim_start().len());
    let end = range.end - (inner.len() - inner.trim_end().len());
    if text.get(start..end).is_some_and(|sentence| sentence.contains(char::is_alphanumeric)) {
        found.push(start..end);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        sentences(text).into_iter().filter_map(|range| text.get(range)).collect()
    }

    #[test]
    fn abbreviations_initials_and_decimals_hold_a_sentence_together() {
        assert_eq!(
            texts("Dr. J. A. Roth paid $8.50 at 7 p.m. on Oct. 6. The U.S. rate is 4.2 percent. It fell."),
            ["Dr. J. A. Roth paid $8.50 at 7 p.m. on Oct. 6.", "The U.S. rate is 4.2 percent.", "It fell."]
        );
        assert_eq!(texts("It ended at 9:24 p.m. The clerk left."), ["It ended at 9:24 p.m.", "The clerk left."]);
    }

    #[test]
    fn closing_marks_belong_to_the_sentence_before() {
        assert_eq!(
            texts("“It is late.” She left. (He stayed.) \"Why?\" he asked. \"No,\" she said. \"Never.\""),
            ["“It is late.”", "She left.", "(He stayed.)", "\"Why?\" he asked.", "\"No,\" she said.", "\"Never.\""]
        );
    }

    #[test]
    fn paragraphs_and_speakers_end_a_sentence() {
        assert_eq!(
            texts("No stop here\n\nNext one\n[00:01] VOSS: Good evening\nTULL: Thanks. Yes"),
            ["No stop here", "Next one", "[00:01] VOSS: Good evening", "TULL: Thanks.", "Yes"]
        );
        assert_eq!(
            texts("This is a long line of a press release that was wrapped by hand at\neighty columns."),
            ["This is a long line of a press release that was wrapped by hand at\neighty columns."]
        );
    }

    proptest! {
        #[test]
        fn sentences_are_in_order_and_lose_nothing(text in "\\PC*|[A-Za-z .!?\"\n:0-9]*") {
            let mut last = 0;
            for range in sentences(&text) {
                prop_assert!(range.start >= last && range.end > range.start);
                prop_assert!(text.get(range.clone()).is_some());
                last = range.end;
            }
        }
    }
}
