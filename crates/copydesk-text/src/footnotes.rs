//! Footnotes in Markdown: the marks in a text, and the notes below it. Blanks of the same length take their place, so that no byte moves.

use std::{borrow::Cow, ops::Range};

/// Longest label of a note, in bytes.
const LONGEST_LABEL: usize = 64;

/// A note below a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Footnote {
    /// The label between `[^` and `]`.
    pub label: String,
    /// The bytes of its words, without the label.
    pub text: Range<usize>,
}

/// The notes of a text, in order. A note ends before a blank line that no indented line follows, the next note or a heading.
#[must_use]
pub fn footnotes(text: &str) -> Vec<Footnote> {
    stretches(text).into_iter().filter_map(|stretch| stretch.note).collect()
}

/// The text with blanks for the marks `[^1]`, and for the labels of its notes.
#[must_use]
pub fn without_marks(text: &str) -> Cow<'_, str> {
    blanked(text, &marks(text))
}

/// The text with blanks for the marks, the notes and the heading above them.
#[must_use]
pub fn body_only(text: &str) -> Cow<'_, str> {
    let mut gone: Vec<Range<usize>> = stretches(text).into_iter().map(|stretch| stretch.whole).collect();
    gone.extend(marks(text));
    blanked(text, &gone)
}

/// The text with blanks for all but some stretches of it.
#[must_use]
pub fn only(text: &str, kept: &[Range<usize>]) -> String {
    let mut gone = Vec::new();
    let mut at = 0;
    for range in kept {
        gone.push(at..range.start.max(at));
        at = at.max(range.end);
    }
    gone.push(at..text.len());
    blanked(text, &gone).into_owned()
}

/// A note, or the heading above the notes.
struct Stretch {
    whole: Range<usize>,
    note: Option<Footnote>,
}

fn stretches(text: &str) -> Vec<Stretch> {
    if !text.contains("[^") {
        return Vec::new();
    }
    let mut all: Vec<Stretch> = Vec::new();
    let (mut at, mut in_note, mut blank) = (0, false, false);
    for line in text.split_inclusive('\n') {
        let (start, end) = (at, at + line.len());
        at = end;
        let words = line.trim_end();
        let begins = line.len() - line.trim_start_matches(' ').len() <= 3 && words.trim_start().starts_with("[^");
        let label = label(words.trim_start()).filter(|label| {
            begins && words.trim_start().get(label.end + 1..).is_some_and(|rest| rest.starts_with(':'))
        });
        let is_heading = words.starts_with('#');
        if let Some(label) = label {
            let head = start + (words.len() - words.trim_start().len());
            let note = Footnote {
                label: text.get(head + label.start..head + label.end).unwrap_or_default().to_owned(),
                text: head + label.end + 2..start + words.len(),
            };
            all.push(Stretch { whole: start..end, note: Some(note) });
            (in_note, blank) = (true, false);
        } else if is_heading {
            let title = words.trim_start_matches('#').trim();
            if title.eq_ignore_ascii_case("footnotes") || title.eq_ignore_ascii_case("notes") {
                all.push(Stretch { whole: start..end, note: None });
            }
            in_note = false;
        } else if words.is_empty() {
            blank = true;
        } else if in_note && (!blank || line.starts_with([' ', '\t'])) {
            if let Some(last) = all.last_mut() {
                last.whole.end = end;
                if let Some(note) = &mut last.note {
                    note.text.end = start + words.len();
                }
            }
            blank = false;
        } else {
            in_note = false;
        }
    }
    all
}

/// The label of a mark that a text begins with: `1` of `[^1]`.
fn label(text: &str) -> Option<Range<usize>> {
    let rest = text.strip_prefix("[^")?;
    let end = rest.find(|c: char| c == ']' || c == '[' || c.is_whitespace())?;
    (rest.get(end..)?.starts_with(']') && (1..=LONGEST_LABEL).contains(&end)).then_some(2..2 + end)
}

/// The marks of a text, those at the head of a note with their colon.
fn marks(text: &str) -> Vec<Range<usize>> {
    let mark = |start: usize| {
        let rest = text.get(start..)?;
        let end = start + label(rest)?.end + 1;
        let is_head = text.get(..start)?.rsplit('\n').next()?.trim().is_empty() && text.get(end..)?.starts_with(':');
        Some(start..end + usize::from(is_head))
    };
    text.match_indices("[^").filter_map(|(start, _)| mark(start)).collect()
}

/// The text with blanks for some stretches; line ends stay.
fn blanked<'t>(text: &'t str, gone: &[Range<usize>]) -> Cow<'t, str> {
    if gone.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut out = text.to_owned();
    for range in gone {
        let Some(old) = text.get(range.clone()) else { continue };
        let mut blank = String::with_capacity(old.len());
        for c in old.chars() {
            match c {
                '\n' => blank.push('\n'),
                c => blank.extend(std::iter::repeat_n(' ', c.len_utf8())),
            }
        }
        out.replace_range(range.clone(), &blank);
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const BODY: &str = "It opens in December.[^1] Ötzi[^ö] said so[^2].\n\n## Footnotes\n\n[^1]: Minutes, line 12.\n   More.\n\n    Indented.\n\
                        [^ö]: https://a.example/x\n\nText again.";

    #[test]
    fn notes_have_their_words_and_end_where_the_text_goes_on() {
        let notes: Vec<(String, &str)> =
            footnotes(BODY).into_iter().map(|note| (note.label, BODY[note.text].trim())).collect();
        assert_eq!(
            notes,
            [("1".to_owned(), "Minutes, line 12.\n   More.\n\n    Indented."), ("ö".to_owned(), "https://a.example/x")]
        );
        assert!(footnotes("No note[^1] here, [^a b]: none.").is_empty());
    }

    #[test]
    fn blanks_take_the_place_of_marks_and_notes() {
        let bare = body_only(BODY);
        let words: Vec<&str> = bare.split_whitespace().collect();
        assert_eq!(words.join(" "), "It opens in December. Ötzi said so . Text again.");
        let marks = without_marks("So.[^1]\n\n[^1]: As above.");
        assert_eq!(marks.split_whitespace().collect::<Vec<_>>(), ["So.", "As", "above."]);
        assert_eq!(only("one two three", std::slice::from_ref(&(4..7))), "    two      ");
        assert!(matches!(body_only("Plain [1] text."), Cow::Borrowed(_)));
    }

    proptest! {
        #[test]
        fn no_byte_moves(text in "(\\[\\^|\\]|:|\n|#|1|ö| |Footnotes|\\PC){0,40}") {
            for out in [without_marks(&text), body_only(&text)] {
                prop_assert_eq!(out.len(), text.len());
                let same = |(a, b): (u8, u8)| a == b || a == b' ';
                prop_assert!(out.bytes().zip(text.bytes()).all(same));
            }
            for note in footnotes(&text) {
                prop_assert!(text.get(note.text).is_some());
            }
        }
    }
}
