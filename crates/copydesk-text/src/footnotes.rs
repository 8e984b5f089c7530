//! Footnotes: the marks in a text, and the notes below it. Blanks of the same length take their place, so that no byte moves.
//!
//! Markdown's `[^1]` is read anywhere, and so is a note within the text, `^[Minutes, line 3]`. People also write `[1]`, `[1-3]`, `¹`, `†`,
//! `<sup>1</sup>`, `(1)` or a link within the page, with a list below a heading such as `Notes`, or of lines `[1] …` at the end of the text. Such
//! a mark is one only if the list has its number.

use std::{borrow::Cow, collections::HashSet, ops::Range, sync::LazyLock};

use crate::non_ascii;

/// Longest label of a note, in bytes.
const LONGEST_LABEL: usize = 64;

/// Longest note within a text, in bytes.
const LONGEST_INLINE: usize = 2_000;

/// Most numbers of one mark: `[1-20]`.
const MOST_OF_A_MARK: usize = 20;

/// Headings above notes, also in the languages of sources.
static HEADINGS: LazyLock<HashSet<&str>> = LazyLock::new(|| LISTED_HEADINGS.split('|').collect());
const LISTED_HEADINGS: &str = "footnotes|endnotes|notes|references|sources|citations|bibliography|works cited|source list|list of sources|\
    fußnoten|fussnoten|anmerkungen|quellen|quellenangaben|einzelnachweise|belege|notes de bas de page|références|\
    notas|notas al pie|fuentes|referencias|fonti|riferimenti|note a piè di pagina|voetnoten|noten|bronnen|\
    noter|fotnoter|kilder|källor|referenser";

/// A heading has at most so many blanks. Most lines of prose have more, and need no further look.
const MOST_BLANKS: usize = 10;

/// The words between two of them: `Notes and sources`.
const BETWEEN: [&str; 6] = [" and ", " & ", " und ", " et ", " y ", " / "];

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

/// Whether a line is the heading above a list of notes: `## Notes`, `**Sources**`, `Footnotes:`, `Notes and sources`.
pub fn is_heading(line: &str) -> bool {
    let line = line.trim();
    if line.len() > LONGEST_LABEL || line.bytes().filter(|byte| *byte == b' ').count() > MOST_BLANKS {
        return false;
    }
    let title = line.trim_matches(['#', '*', '_', ':', ' ']).to_lowercase();
    let is_known = |title: &str| HEADINGS.contains(title);
    is_known(&title)
        || BETWEEN.iter().filter_map(|word| title.split_once(word)).any(|(one, two)| is_known(one) && is_known(two))
}

/// Where the notes at the end of a text begin that have no heading. Each is a line with a label such as `[1]`, `¹` or `†`. The text above has
/// the first label as a mark.
pub fn unheaded(text: &str) -> Option<usize> {
    let (mut end, mut first) = (text.len(), None);
    for line in text.split_inclusive('\n').rev() {
        let start = end - line.len();
        let words = line.trim();
        let is_rule = words.len() > 2 && ["-", "*", "_"].iter().any(|sign| words.replace(sign, "").trim().is_empty());
        if words.starts_with('[') && numbered(words).is_some() || words.starts_with(|c| sign(c).is_some()) {
            first = Some(start);
        } else if !words.is_empty() && !is_rule {
            break;
        }
        end = start;
    }
    let first = first?;
    let (above, notes) = text.split_at_checked(first)?;
    let (label, _) = notes.lines().find_map(numbered)?;
    // Notes stand apart from the text.
    let is_apart =
        above.trim_end_matches([' ', '\t']).ends_with("\n\n") || above.lines().next_back().is_some_and(is_heading);
    let is_mark = |(at, _): (usize, char)| {
        let (head, rest) = above.split_at_checked(at).unwrap_or_default();
        // `[the report][1]` is a link, whose address stands below.
        !head.ends_with(']') && number_mark(head, rest, false).is_some_and(|(labels, _)| labels.contains(&label))
    };
    (is_apart && above.char_indices().filter(|(_, c)| begins_a_mark(*c, false)).any(is_mark)).then_some(first)
}

/// The number and the words of a line of a list of notes: `1. Minutes`, `[1] Minutes`, `(1) Minutes`, `¹ Minutes`, `† Minutes`.
pub fn numbered(line: &str) -> Option<(String, &str)> {
    let line = line.trim_start();
    let inner = line.strip_prefix(['[', '(']).unwrap_or(line);
    let digits = inner.len() - inner.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, rest) = if digits > 0 {
        let (number, rest) = inner.split_at_checked(digits)?;
        (number.to_owned(), rest.strip_prefix([']', ')', '.', ':'])?.trim_start_matches([':', '.']))
    } else {
        let rest = inner.trim_start_matches(|c| sign(c).is_some());
        (inner.chars().map_while(sign).collect(), rest)
    };
    let is_label =
        (1..=3).contains(&number.chars().count()) && (rest.is_empty() || rest.starts_with([' ', '\t']) || digits == 0);
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

/// The digit of a raised one, or a dagger.
fn sign(c: char) -> Option<char> {
    raised(c).or_else(|| matches!(c, '†' | '‡').then_some(c))
}

/// Whether a mark can begin with a character. Only those of a list `(1) …` begin with a round bracket.
fn begins_a_mark(c: char, is_round: bool) -> bool {
    matches!(c, '[' | '<') || is_round && c == '(' || sign(c).is_some()
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
    let unheaded = unheaded(text).unwrap_or(text.len());
    let mut all: Vec<Stretch> = Vec::new();
    let (mut at, mut in_note, mut in_list, mut blank) = (0, false, false, false);
    for line in text.split_inclusive('\n') {
        let (start, end) = (at, at + line.len());
        at = end;
        in_list |= start >= unheaded;
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
    for note in inline(text) {
        let behind = all.partition_point(|stretch| stretch.whole.end <= note.start);
        if all.get(behind).is_none_or(|next| note.end <= next.whole.start) {
            let words = note.start + 2..note.end - 1;
            let note_of = Footnote { label: format!("^{}", note.start), text: words };
            all.insert(behind, Stretch { whole: note, note: Some(note_of), is_listed: false });
        }
    }
    all
}

/// The notes within a text, `^[Minutes, line 3]`, in bytes with their marks. One within another is part of it; none goes over a blank line.
fn inline(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    if !text.contains("^[") {
        return found;
    }
    // Each open bracket, and whether it begins a note.
    let mut open: Vec<(usize, bool)> = Vec::new();
    let (mut before, mut earlier) = (' ', ' ');
    for (at, c) in text.char_indices() {
        match c {
            // `[^[^1]]` is a mark inside a mark.
            '[' if before == '^' && earlier != '[' => open.push((at - 1, true)),
            '[' => open.push((at, false)),
            ']' => {
                if let Some((start, true)) = open.pop() {
                    let has_words = text.get(start..at).is_some_and(|note| note.contains(char::is_alphabetic));
                    if has_words && at - start <= LONGEST_INLINE {
                        while found.pop_if(|inner| inner.start > start).is_some() {}
                        let end = at + c.len_utf8();
                        found.push(start..end);
                    }
                }
            }
            '\n' if before == '\n' => open.clear(),
            _ => {}
        }
        (earlier, before) = (before, c);
    }
    found
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
    for Stretch { whole, note, .. } in stretches {
        if let Some(note) = note.as_ref().filter(|note| note.label.starts_with('^')) {
            all.push(FootnoteMark { label: note.label.clone(), range: whole.start..note.text.start });
            all.push(FootnoteMark { label: String::new(), range: note.text.end..whole.end });
        }
    }
    all.sort_by_key(|mark| mark.range.start);
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
    let is_round = listed
        .iter()
        .all(|(stretch, _)| text.get(stretch.whole.clone()).is_some_and(|line| line.trim_start().starts_with('(')));
    let brackets = memchr::memchr3_iter(b'[', b'<', b'(', text.as_bytes());
    let mut places: Vec<usize> = brackets.chain(non_ascii(text).map(|(at, _)| at)).collect();
    places.sort_unstable();
    let begins = |at: usize| text.get(at..).is_some_and(|rest| rest.starts_with(|c| begins_a_mark(c, is_round)));
    let mut last = 0;
    for start in places.into_iter().filter(|at| begins(*at) && !is_in_notes(at)) {
        let (head, rest) = text.split_at_checked(start).unwrap_or_default();
        if let Some((labels, length)) = number_mark(head, rest, is_round).filter(|_| start >= last)
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

/// The numbers and the length of a mark that `rest` begins with: `[1]`, `[1, 2]`, `[1-3]`, `[[1]](#n1)`, `¹`, `¹,²`, `†`, `<sup>1</sup>`, and
/// `(1)` if `is_round`. `m²` has none.
fn number_mark(head: &str, rest: &str, is_round: bool) -> Option<(Vec<String>, usize)> {
    if rest.starts_with(|c| sign(c).is_some()) {
        return raised_mark(head, rest);
    }
    let (open, close) = match rest {
        _ if rest.starts_with("[[") => ("[[", "]]"),
        _ if rest.starts_with('[') => ("[", "]"),
        _ if is_round && rest.starts_with('(') => ("(", ")"),
        _ => ("<sup>", "</sup>"),
    };
    let inner = rest.strip_prefix(open)?;
    // A longer one is no mark: a text of open brackets is not searched to its end for each.
    let end = inner.get(..inner.floor_char_boundary(2 * LONGEST_LABEL + close.len()))?.find(close)?;
    let (inner, behind) = inner.split_at_checked(end)?;
    let behind = behind.strip_prefix(close)?;
    // `[1](address)` is a link; `[1](#note-1)` leads to a note of the same page.
    let to_note = if open.starts_with('[') && behind.starts_with("(#") {
        behind.get(..behind.floor_char_boundary(LONGEST_LABEL))?.find(')')? + 1
    } else if open.starts_with('[') && behind.starts_with('(') {
        return None;
    } else {
        0
    };
    let labels = labels(&plain_label(inner))?;
    Some((labels, open.len() + end + close.len() + to_note))
}

/// The numbers and the length of a row of raised digits or daggers.
fn raised_mark(head: &str, rest: &str) -> Option<(Vec<String>, usize)> {
    let (mut found, mut length) = (Vec::new(), 0);
    while let Some(row) = rest.get(length..) {
        let joint =
            if found.is_empty() { 0 } else { row.strip_prefix([',', '˒']).map_or(0, |tail| row.len() - tail.len()) };
        // Four signs are enough to tell a mark from a longer row.
        let tail = row.get(joint..).unwrap_or_default();
        let high: String = tail.chars().map_while(sign).take(4).collect();
        if high.is_empty() || joint == 0 && !found.is_empty() {
            break;
        }
        if high.chars().count() > 3 {
            return None;
        }
        length += joint + tail.chars().take(high.chars().count()).map(char::len_utf8).sum::<usize>();
        found.push(high);
        if found.len() >= MOST_OF_A_MARK {
            break;
        }
    }
    let before = head.chars().rev().take_while(|c| c.is_alphanumeric()).take(3).count();
    let is_digit = found.first().is_some_and(|label| label.starts_with(|c: char| c.is_ascii_digit()));
    let is_unit = is_digit && ((1..=2).contains(&before) || head.ends_with(char::is_numeric));
    (!is_unit && !found.is_empty()).then_some((found, length))
}

/// The inside of a mark without brackets, tags and links within the page, and with plain digits.
fn plain_label(inner: &str) -> String {
    let mut plain = String::new();
    let (mut in_tag, mut in_link) = (false, false);
    for c in inner.chars() {
        match c {
            '<' => in_tag = true,
            '>' => in_tag = false,
            '(' => in_link = true,
            ')' => in_link = false,
            '[' | ']' => {}
            _ if in_tag || in_link => {}
            c => plain.push(raised(c).unwrap_or(c)),
        }
    }
    plain
}

/// The numbers of a mark: `1`, `1, 2`, `1-3`. None if it has anything else.
fn labels(inner: &str) -> Option<Vec<String>> {
    let mut all = Vec::new();
    for part in inner.split([',', ';']) {
        let number = |text: &str| text.trim().parse::<u16>().ok();
        match part.split_once(['-', '–']) {
            Some((first, last)) => {
                let (first, last) = (number(first)?, number(last)?);
                all.extend((first..=last).take(MOST_OF_A_MARK).map(|number| number.to_string()));
            }
            None => all.push(part.trim().to_owned()),
        }
    }
    (!all.is_empty() && all.iter().all(|label| !label.is_empty())).then_some(all)
}

/// The text with blanks for some stretches; line ends stay.
fn blanked<'t>(text: &'t str, gone: &[Range<usize>]) -> Cow<'t, str> {
    if gone.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut out = text.to_owned();
    for range in gone {
        let Some(old) = text.get(range.clone()) else { continue };
        let blank: String = old.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect();
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
        for (body, list) in [
            ("It opens in May.^[Minutes, p. 3] So say they^[Letter, para. 4].", ""),
            ("It opens in May.[1-2]", "## Notes and sources\n\n[1] Minutes, p. 3\n[2] Letter, para. 4"),
            ("It opens in May.[[1]](#n1) Then.[2](#fn-2)", "## Works cited\n\n1. Minutes, p. 3\n2. Letter, para. 4"),
            (
                "It opens in May.<sup><a href=\"#fn1\">1</a></sup> Then.¹,²",
                "## Quellen\n\n1. Minutes, p. 3\n2. Letter, para. 4",
            ),
            ("It opens in May (1). Then (2).", "## Notes\n\n(1) Minutes, p. 3\n(2) Letter, para. 4"),
            ("It opens in May.[1] Then.[2]", "---\n\n[1] Minutes, p. 3\n\n[2] Letter, para. 4"),
            ("It opens in May.¹ Then.²", "¹ Minutes, p. 3\n² Letter, para. 4"),
            ("It opens in May.† Then.‡", "† Minutes, p. 3\n‡ Letter, para. 4"),
        ] {
            let text = format!("{body}\n\n{list}\n");
            let notes: Vec<&str> = footnotes(&text).into_iter().map(|note| text[note.text].trim()).collect();
            assert_eq!(notes, ["Minutes, p. 3", "Letter, para. 4"], "{text}");
            let bare = body_only(&text);
            let rest = bare.replace(['[', '-'], " ").split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(
                [
                    "It opens in May. So say they .",
                    "It opens in May.",
                    "It opens in May. Then.",
                    "It opens in May . Then ."
                ]
                .contains(&&*rest),
                "{text}: {rest}"
            );
            let labels: HashSet<String> = super::marks(&text).into_iter().map(|mark| mark.label).collect();
            assert_eq!(labels.len(), 2, "{text}: {labels:?}");
        }
        for other in [
            "The list is long (1).\n\n1. Tea\n2. Milk",
            "It holds.\n\n[1] Tea\n[2] Milk\n",
            "Hans Meier † was here.\n\n- Tea",
            "See [the plan][1].\n\n[1]: https://a.example/plan\n",
            "An array a[1] and x^[2] and x^[a",
            "It has [1].\n[1] Tea",
            "It has [1] and ¹.",
            "## Notes\n\nWe came late [1].",
            "The list:\n\n1. Tea\n2. Milk [1]",
        ] {
            assert!(matches!(body_only(other), Cow::Borrowed(_)), "{other}");
        }
        let found: Vec<FootnoteMark> = super::marks("So.[^a] Then¹.\n\n[^a]: x\n\nNotes\n\n1. y");
        let labels: Vec<&str> = found.iter().map(|mark| mark.label.as_str()).collect();
        assert_eq!((labels, found[1].range.clone()), (vec!["a", "1"], 12..14));
    }

    #[test]
    fn a_text_of_marks_alone_is_read_once() {
        for marks in ["[", "[1]", "[^1]:", "<sup>", "¹", "^[", "[[1", "†", "¹,", "(1"] {
            let text = format!("{}\n\n## Notes\n\n1. Minutes\n[^1]: Letter\n", marks.repeat(200_000));
            assert_eq!(body_only(&text).len(), text.len(), "{marks}");
        }
    }

    proptest! {
        #[test]
        fn no_byte_moves(text in "(\\[\\^|\\]|\\^\\[|†|---|\\(1\\)|:|\n|#|1|ö| |Footnotes|\\[1\\]|¹|<sup>|1\\. |\\PC){0,40}") {
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
