//! Words that a recogniser of speech was unsure of. A file of captions marks them by a class (`<c.unsure>…</c>`, `WebVTT` 1, 4.2.2), which
//! players ignore. While a transcript is put together two noncharacters stand for the marks. They leave the text at the end.

use copydesk_newsroom::UnsureWords;

/// Begins and ends unsure words in a caption.
pub(super) const TAGS: (&str, &str) = ("<c.unsure>", "</c>");

/// Begins unsure words in a text that is being put together.
pub(super) const OPEN: char = '\u{FDD0}';
/// Ends them.
pub(super) const CLOSE: char = '\u{FDD1}';

/// The text without marks, and the words that they stood around. `seconds` has the time of each mark.
pub(super) fn taken_out(marked: &str, seconds: &[u32]) -> (String, Vec<UnsureWords>) {
    let mut text = String::with_capacity(marked.len());
    let mut words = Vec::new();
    let mut times = seconds.iter();
    let mut open: Option<(usize, u32)> = None;
    for c in marked.chars() {
        match c {
            OPEN => open = times.next().map(|seconds| (text.len(), *seconds)),
            CLOSE => {
                let begun = open.take().filter(|(start, _)| *start < text.len());
                words.extend(begun.map(|(start, seconds)| UnsureWords { start, end: text.len(), seconds }));
            }
            c => text.push(c),
        }
    }
    (text, words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_leave_and_their_words_stay() {
        let marked = format!("[00:00:10] by the {OPEN}fairy dog{CLOSE} café, {OPEN}{CLOSE}{OPEN}free{CLOSE}{OPEN} to");
        let (text, words) = taken_out(&marked, &[10, 11, 12]);
        assert_eq!(text, "[00:00:10] by the fairy dog café, free to");
        let told: Vec<_> = words.iter().map(|words| (&text[words.start..words.end], words.seconds)).collect();
        assert_eq!(told, [("fairy dog", 10), ("free", 12)]);
    }
}
