//! Footnotes: the marks in a text, and the notes below it. Blanks of the same length take their place, so that no byte moves.
//!
//! Markdown's `[^1]` is read anywhere. People also write `[1]`, `¹` or `<sup>1</sup>`, with a numbered list below a heading such as `Notes`: such
//! a mark is one only if the list has its number.

use std::{borrow::Cow, collections::HashSet, ops::Range};

/// Longest label of a note, in bytes.
const LONGEST_LABEL: usize = 64;

/// Headings above notes.
const HEADINGS: [&str; 5] = ["footnotes", "endnotes", "notes", "references", "sources"];

/// Words before the citation of a note.
pub const OPENINGS: [&str; 8] = ["see also ", "see ", "cf. ", "according to ", "as in ", "in ", "from ", "the "];

/// A note below a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Footnote {
    /// The label between `[^` and `]`, or the number in the list.
    pub label: String,
    /// The bytes of its words, without the label.
    pub text: Range<usize>,
}

/// A mark that leads from a text to a note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FootnoteMark {
    pub label: String,
    pub range: Range<usize>,
}

/// The notes of a text, in order. A note ends before a blank line that no indented line follows, the next note or a heading.
pub fn footnotes(text: &str) -> Vec<Footnote> {
    stretches(text).into_iter().filter_map(|stretch| stretch.note).collect()
}

/// The marks of a text, in order. Those at the heads of its notes are not among them.
pub fn marks(text: &str) -> Vec<FootnoteMark> {
    marks_of(text, &stretches(text)).into_iter().filter(|mark| !mark.label.is_empty()).collect()
}

/// The text with blanks for the marks `[^1]`, and for the labels of its notes.
pub fn without_marks(text: &str) -> Cow<'_, str> {
    let gone: Vec<_> = marks_of(text, &stretches(text)).into_iter().map(|mark| mark.range).collect();
    blanked(text, &gone)
}

/// The text with blanks for the marks, the notes and the heading above them.
pub fn body_only(text: &str) -> Cow<'_, str> {
    let stretches = stretches(text);
    let mut gone: Vec<_> = marks_of(text, &stretches).into_iter().map(|mark| mark.range).collect();
    gone.extend(stretches.into_iter().map(|stretch| stretch.whole));
    blanked(text, &gone)
}

/// Whether a line is the heading above a list of notes: `## Notes`, `**Sources**`, `Footnotes:`.
pub fn is_heading(line: &str) -> bool {
    let line = line.trim();
    line.len() <= LONGEST_LABEL
        && HEADINGS.iter().any(|known| line.trim_matches(['#', '*', '_', ':', ' ']).eq_ignore_ascii_case(known))
}

/// The number and the words of a line of a list of notes: `1. Minutes`, `[1] Minutes`, `(1) Minutes`, `¹ Minutes`.
pub fn numbered(line: &str) -> Option<(String, &str)> {
    let line = line.trim_start();
    let inner = line.strip_prefix(['[', '(']).unwrap_or(line);
    let digits = inner.len() - inner.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, rest) = if digits > 0 {
        let (number, rest) = inner.split_at_checked(digits)?;
        (number.to_owned(), rest.strip_prefix([']', ')', '.', ':'])?.trim_start_matches([':', '.']))
    } else {
        let rest = inner.trim_start_matches(|c| raised(c).is_some());
        (inner.chars().map_while(raised).collect(), rest)
    };
    let is_label = (1..=3).contains(&number.len()) && (rest.is_empty() || rest.starts_with([' ', '\t']) || digits == 0);
    is_label.then_some((number, rest))
}

/// A file as people cite it in a note: its name without the ending, blanks for `_` and `-`, in lower case. None of an address,
/// and of a name without an ending.
pub fn title_of_file(name: &str) -> Option<String> {
    let (title, ending) = name.rsplit_once('.').filter(|_| !name.contains("://"))?;
    let title = title.rsplit(['/', '\\']).next()?.trim().replace(['_', '-'], " ").to_lowercase();
    let is_ending = (1..=8).contains(&ending.len()) && ending.chars().all(|c| c.is_ascii_alphanumeric());
    (is_ending && !title.is_empty()).then_some(title)
}

/// The digit of a raised one.
fn raised(c: char) -> Option<char> {
    // Every character of a source with notes is asked.
    if c.is_ascii() {
        return None;
    }
    "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().zip('0'..='9').find_map(|(high, digit)| (high == c).then_some(digit))
}

/// The text with blanks for all but some stretches of it.
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
    /// Whether its label is a number in a list.
    is_listed: bool,
}

fn stretches(text: &str) -> Vec<Stretch> {
    let marked = text.contains("[^");
    let mut all: Vec<Stretch> = Vec::new();
    let (mut at, mut in_note, mut in_list, mut blank) = (0, false, false, false);
    for line in text.split_inclusive('\n') {
        let (start, end) = (at, at + line.len());
        at = end;
        let words = line.trim_end();
        let begins = line.len() - line.trim_start_matches(' ').len() <= 3;
        let bare = words.trim_start();
        let labelled = label(bare).filter(|label| bare.get(label.end + 1..).is_some_and(|rest| rest.starts_with(':')));
        let labelled = labelled.and_then(|label| Some((bare.get(label.clone())?.to_owned(), label.end + 2)));
        let listed = || numbered(bare).filter(|_| in_list).map(|(number, rest)| (number, bare.len() - rest.len()));
        let is_marked = labelled.is_some();
        if let Some((label, skip)) = labelled.or_else(listed).filter(|_| begins) {
            let head = start + (words.len() - bare.len());
            let note = Footnote { label, text: head + skip..start + words.len() };
            all.push(Stretch { whole: start..end, note: Some(note), is_listed: !is_marked });
            (in_note, blank) = (true, false);
        } else if is_heading(words) && (marked || next_is_listed(text, end)) {
            all.push(Stretch { whole: start..end, note: None, is_listed: false });
            (in_note, in_list) = (false, true);
        } else if words.starts_with('#') {
            (in_note, in_list) = (false, false);
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
            (in_note, in_list) = (false, false);
        }
    }
    all
}

/// Whether the next line with words behind a place is one of a list.
fn next_is_listed(text: &str, from: usize) -> bool {
    let rest = text.get(from..).unwrap_or_default();
    rest.lines().find(|line| !line.trim().is_empty()).is_some_and(|line| numbered(line).is_some())
}

/// The label of a mark that a text begins with: `1` of `[^1]`.
fn label(text: &str) -> Option<Range<usize>> {
    let rest = text.strip_prefix("[^")?;
    let end = rest.find(|c: char| c == ']' || c == '[' || c.is_whitespace())?;
    (rest.get(end..)?.starts_with(']') && (1..=LONGEST_LABEL).contains(&end)).then_some(2..2 + end)
}

/// The marks of a text, and the labels at the heads of its notes, which have no label here.
fn marks_of(text: &str, stretches: &[Stretch]) -> Vec<FootnoteMark> {
    let mark = |start: usize| {
        let rest = text.get(start..)?;
        let label = label(rest)?;
        let end = start + label.end + 1;
        let before = text.get(..start)?.trim_end_matches(|c: char| c != '\n' && c.is_whitespace());
        let is_head = (before.is_empty() || before.ends_with('\n')) && text.get(end..)?.starts_with(':');
        let label = if is_head { "" } else { rest.get(label)? };
        Some(FootnoteMark { label: label.to_owned(), range: start..end + usize::from(is_head) })
    };
    let mut all: Vec<FootnoteMark> = text.match_indices("[^").filter_map(|(start, _)| mark(start)).collect();
    let listed: Vec<(&Stretch, &Footnote)> = stretches
        .iter()
        .filter(|stretch| stretch.is_listed)
        .filter_map(|stretch| Some((stretch, stretch.note.as_ref()?)))
        .collect();
    if listed.is_empty() {
        return all;
    }
    let numbers: HashSet<&str> = listed.iter().map(|(_, note)| note.label.as_str()).collect();
    let is_in_notes = |at: &usize| {
        let behind = stretches.partition_point(|stretch| stretch.whole.end <= *at);
        stretches.get(behind).is_some_and(|stretch| stretch.whole.contains(at))
    };
    let found =
        text.char_indices().filter(|(at, c)| (matches!(c, '[' | '<') || raised(*c).is_some()) && !is_in_notes(at));
    let mut last = 0;
    for (start, _) in found {
        let (head, rest) = text.split_at_checked(start).unwrap_or_default();
        if let Some((labels, length)) = number_mark(head, rest).filter(|_| start >= last)
            && labels.iter().all(|label| numbers.contains(label.as_str()))
        {
            last = start + length;
            all.extend(labels.into_iter().map(|label| FootnoteMark { label, range: start..last }));
        }
    }
    all.extend(
        listed
            .iter()
            .map(|(stretch, note)| FootnoteMark { label: String::new(), range: stretch.whole.start..note.text.start }),
    );
    all.sort_by_key(|mark| mark.range.start);
    all
}

/// The numbers and the length of a mark that `rest` begins with: `[1]`, `[1, 2]`, `¹`, `<sup>1</sup>`. `m²` has none.
fn number_mark(head: &str, rest: &str) -> Option<(Vec<String>, usize)> {
    // Of a longer row of raised digits or letters no more is read than tells that there is no mark.
    let high: String = rest.chars().map_while(raised).take(4).collect();
    if !high.is_empty() {
        let before = head.chars().rev().take_while(|c| c.is_alphanumeric()).take(3).count();
        let is_unit = (1..=2).contains(&before) || high.len() > 3 || head.ends_with(char::is_numeric);
        let length = rest.chars().take(high.len()).map(char::len_utf8).sum();
        return (!is_unit).then_some((vec![high], length));
    }
    let (open, close) = if rest.starts_with('[') { ("[", "]") } else { ("<sup>", "</sup>") };
    let inner = rest.strip_prefix(open)?;
    // A longer one is no mark: a text of open brackets is not searched to its end for each.
    let end = inner.get(..inner.floor_char_boundary(LONGEST_LABEL + close.len()))?.find(close)?;
    let (inner, behind) = inner.split_at_checked(end)?;
    // `[1](address)` is a link.
    let inner = inner.trim_matches(['[', ']']);
    let labels: Vec<String> = inner.split(',').map(|label| label.trim().to_owned()).collect();
    (!behind.starts_with("](")).then_some((labels, open.len() + end + close.len()))
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

    #[test]
    fn a_numbered_list_below_a_heading_has_notes_and_only_its_numbers_are_marks() {
        for (marks, list) in [
            (["[1]", "[2]", "[1, 2]"], "## References\n\n[1] Minutes, p. 3\n[2] Letter, para. 4"),
            (["¹", "²", "<sup>2</sup>"], "Notes:\n1. Minutes, p. 3\n2. Letter, para. 4"),
            (["<sup>1</sup>", " [2]", "[1][2]"], "#### Footnotes\n\n1) Minutes, p. 3\n\n2) Letter, para. 4"),
            (["[1]", "[2]", "<sup>[1]</sup>"], "**Sources**\n\n[1]: Minutes, p. 3\n[2]: Letter, para. 4"),
        ] {
            let [one, two, both] = marks;
            let text = format!("It covers 5 m² [3].{one} It opens{two} in May.{both}\n\n{list}\n");
            let notes: Vec<(String, &str)> =
                footnotes(&text).into_iter().map(|note| (note.label, text[note.text].trim())).collect();
            assert_eq!(notes, [("1".to_owned(), "Minutes, p. 3"), ("2".to_owned(), "Letter, para. 4")], "{text}");
            let body = body_only(&text);
            assert_eq!(
                body.split_whitespace().collect::<Vec<_>>().join(" "),
                "It covers 5 m² [3]. It opens in May.",
                "{text}"
            );
            assert!(without_marks(&text).contains("Letter, para. 4") && !without_marks(&text).contains('1'), "{text}");
        }
        for other in ["It has [1] and ¹.", "## Notes\n\nWe came late [1].", "The list:\n\n1. Tea\n2. Milk [1]"] {
            assert!(matches!(body_only(other), Cow::Borrowed(_)), "{other}");
        }
        let found: Vec<FootnoteMark> = super::marks("So.[^a] Then¹.\n\n[^a]: x\n\nNotes\n\n1. y");
        let labels: Vec<&str> = found.iter().map(|mark| mark.label.as_str()).collect();
        assert_eq!((labels, found[1].range.clone()), (vec!["a", "1"], 12..14));
    }

    #[test]
    fn a_text_of_marks_alone_is_read_once() {
        for marks in ["[", "[1]", "[^1]:", "<sup>", "¹"] {
            let text = format!("{}\n\n## Notes\n\n1. Minutes\n[^1]: Letter\n", marks.repeat(200_000));
            assert_eq!(body_only(&text).len(), text.len(), "{marks}");
        }
    }

    proptest! {
        #[test]
        fn no_byte_moves(text in "(\\[\\^|\\]|:|\n|#|1|ö| |Footnotes|\\[1\\]|¹|<sup>|1\\. |\\PC){0,40}") {
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
