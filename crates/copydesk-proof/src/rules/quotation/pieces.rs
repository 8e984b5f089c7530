//! A quotation cut into pieces at its ellipses and at words that an editor put in brackets.
//!
//! An ellipsis leaves words out. Brackets add words or replace them; `[sic]` does neither. Brackets inside a word
//! (`[T]he`, `want[ed]`) belong to that word.

use compact_str::CompactString;

use crate::{reading::Stream, rules::prelude::*};
use copydesk_text::words::fold;

/// Words of an editor's remark.
static REMARKS: WordList = words(
    "expletive expletives slur redacted inaudible unintelligible withheld omitted deleted emphasis laughs laughter crosstalk pause",
);

/// The marks between two pieces.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct QuoteCut {
    /// An ellipsis.
    pub leaves_out: bool,
    /// Words in brackets.
    pub puts_in: bool,
    /// Words in brackets that deny.
    pub denies: bool,
    /// The stems of the content words in brackets that are no names.
    pub stems: Vec<CompactString>,
}

impl QuoteCut {
    fn with(self, other: Self) -> Self {
        Self {
            stems: [self.stems, other.stems].concat(),
            leaves_out: self.leaves_out || other.leaves_out,
            puts_in: self.puts_in || other.puts_in,
            denies: self.denies || other.denies,
        }
    }
}

/// A quotation in the form in which the sources are searched.
#[derive(Debug, Default)]
pub struct QuotePieces {
    /// Its bytes in the draft.
    pub range: Range<usize>,
    /// The numbers of each piece's words in the sources' stream. No piece is empty.
    pub needles: Vec<Vec<u32>>,
    /// The cuts before the first piece, between two, and after the last: one more than pieces.
    pub cuts: Vec<QuoteCut>,
}

impl QuotePieces {
    /// Whether it is one piece without added words.
    pub fn plain(&self) -> bool {
        self.needles.len() == 1 && !self.cuts.iter().any(|cut| cut.puts_in)
    }
}

/// A stretch of the draft that is not the speaker's.
struct Mark {
    range: Range<usize>,
    cut: QuoteCut,
    /// The whole word, if the bracket stands inside one.
    joined: Option<String>,
}

impl Mark {
    /// One with no words of an editor's.
    fn between(range: Range<usize>, leaves_out: bool) -> Self {
        Self { range, cut: QuoteCut { leaves_out, ..QuoteCut::default() }, joined: None }
    }
}

/// The pieces between two bytes of a draft. If `joins`, brackets inside a word are read as its letters, otherwise the
/// word is the editor's. If `labels`, what looks like a speaker's label counts as words.
pub fn pieces(draft: &ParsedText<'_>, range: Range<usize>, stream: &Stream, joins: bool, labels: bool) -> QuotePieces {
    let mut found = QuotePieces { range: range.clone(), ..QuotePieces::default() };
    let (mut needle, mut cut) = (Vec::new(), QuoteCut::default());
    let mut from = range.start;
    let words = |start: usize, end: usize| {
        let tokens = draft.between(start, end.max(start)).iter();
        let mut tokens = tokens.filter(|token| labels || !token.aside()).peekable();
        let mut ids = Vec::new();
        while let Some(token) = tokens.next() {
            // "co-operative" for "cooperative", unless it were another word: "re-sign".
            let part = tokens.next_if(|next| {
                let known = [&token.word, &next.word].iter().all(|part| stream.knows(part));
                let hyphen = draft.slice(token.end..next.start) == "-" && token.word != "re";
                hyphen && !known && stream.knows(&format!("{}{}", token.word, next.word))
            });
            let part = part.map_or("", |part| part.word.as_str());
            ids.push(stream.look_up(&format!("{}{part}", token.word)));
        }
        ids
    };
    for mark in marks(draft, range.clone()) {
        needle.extend(words(from, mark.range.start));
        from = mark.range.end.max(from);
        let joined = mark.joined.filter(|_| joins);
        if let Some(word) = joined {
            needle.extend(ParsedText::new(&word).tokens.iter().map(|token| stream.look_up(&token.word)));
        } else if mark.cut != QuoteCut::default() {
            close(&mut found, &mut needle, &mut cut);
            cut = cut.with(mark.cut);
        }
    }
    needle.extend(words(from, range.end));
    close(&mut found, &mut needle, &mut cut);
    found.cuts.push(cut);
    found
}

fn close(found: &mut QuotePieces, needle: &mut Vec<u32>, cut: &mut QuoteCut) {
    if !needle.is_empty() {
        found.needles.push(std::mem::take(needle));
        found.cuts.push(std::mem::take(cut));
    }
}

/// The ellipses and brackets of a stretch, in order.
fn marks(reading: &ParsedText<'_>, range: Range<usize>) -> Vec<Mark> {
    let text = reading.slice(range.clone());
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text.get(from..).and_then(|rest| rest.find(['…', '.', '['])).map(|at| from + at) {
        let rest = text.get(at..).unwrap_or_default();
        let dots = ellipsis(rest);
        if dots > 0 {
            from = at + dots;
            found.push(Mark::between(range.start + at..range.start + from, true));
        } else if let Some(close) = rest.strip_prefix('[').and_then(|rest| rest.find(']')).map(|end| at + end + 2) {
            let behind = text.get(close..).unwrap_or_default();
            // The words of a link are the speaker's. The number of its address is not.
            let number = behind.strip_prefix('[').and_then(|number| number.find(']')).map(|end| close + end + 2);
            from = number.unwrap_or(close);
            if number.is_some() {
                found.push(Mark::between(range.start + close..range.start + from, false));
            } else if !behind.starts_with(['(', '[']) {
                found.push(bracket(reading, &range, range.start + at..range.start + close));
            }
        } else {
            from = at + rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    found
}

/// The length in bytes of the ellipsis that a text begins with: `…`, `...`, `. . .`.
fn ellipsis(text: &str) -> usize {
    let mut dots = 0;
    let mut end = 0;
    for (at, c) in text.char_indices() {
        match c {
            '…' => dots += 3,
            '.' => dots += 1,
            ' ' | '\u{A0}' if dots > 0 => continue,
            _ => break,
        }
        end = at + c.len_utf8();
    }
    if dots >= 3 { end } else { 0 }
}

/// A bracket, extended to the word that it stands in.
fn bracket(reading: &ParsedText<'_>, quotation: &Range<usize>, range: Range<usize>) -> Mark {
    if reading.marks.iter().any(|mark| mark.start <= range.start && range.end <= mark.end) {
        return Mark::between(range, false);
    }
    let word = reading.slice(range.start + 1..range.end - 1).trim();
    let dots = ellipsis(word) == word.len() && !word.is_empty();
    if dots || word.is_empty() || fold(word).trim_end_matches(['!', '.']) == "sic" {
        return Mark::between(range, dots);
    }
    let letters = |c: &char| c.is_alphanumeric() || matches!(c, '\'' | '’');
    let head = reading.slice(quotation.start..range.start);
    let left: usize = head.chars().rev().take_while(letters).map(char::len_utf8).sum();
    let tail = reading.slice(range.end..quotation.end);
    let right: usize = tail.chars().take_while(letters).map(char::len_utf8).sum();
    let whole = range.start - left..range.end + right;
    let joined = (left + right > 0).then(|| reading.slice(whole.clone()).replace(['[', ']'], ""));
    let tokens = joined.as_deref().map(ParsedText::new);
    let inside = tokens.as_ref().map_or(reading.between(range.start, range.end), |reading| &reading.tokens);
    let noted = inside.iter().any(|token| REMARKS.contains(&token.word));
    let told = inside.iter().filter(|token| !noted && !token.stop && !token.capital).map(|token| token.stem.clone());
    let denies = inside.iter().any(refuses);
    let cut = QuoteCut { puts_in: true, denies, leaves_out: false, stems: told.collect() };
    Mark { range: whole, cut, joined }
}

/// Whether a word reverses its sentence: a denial, or nearly one.
pub fn refuses(token: &Token) -> bool {
    denies(token) || matches!(token.word.as_str(), "hardly" | "barely" | "scarcely" | "seldom" | "rarely")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::Forms;

    fn shown(quotation: &str, source: &str) -> (Vec<usize>, Vec<&'static str>) {
        let mut forms = Forms::default();
        let (reading, source) = (ParsedText::new(quotation), [ParsedText::read(source, &mut forms)]);
        let stream = Stream::new(&source, &forms);
        let found = pieces(&reading, 0..quotation.len(), &stream, true, false);
        let cut = |cut: &QuoteCut| match (cut.leaves_out, cut.puts_in, cut.denies) {
            (true, false, _) => "…",
            (false, true, false) => "[]",
            (false, true, true) => "[not]",
            (true, true, _) => "…[]",
            (false, false, _) => "",
        };
        (found.needles.iter().map(Vec::len).collect(), found.cuts.iter().map(cut).collect())
    }

    #[test]
    fn ellipses_and_brackets_cut() {
        let source = "The council has voted on the plan that it wanted.";
        assert_eq!(shown("The council … voted", source), (vec![2, 1], vec!["", "…", ""]));
        assert_eq!(shown("... the council . . . voted ....", source), (vec![2, 1], vec!["…", "…", "…"]));
        assert_eq!(shown("the council [...] voted [on] it", source), (vec![2, 1, 1], vec!["", "…", "[]", ""]));
        assert_eq!(shown("[It] has [never] voted", source), (vec![1, 1], vec!["[]", "[not]", ""]));
        assert_eq!(shown("has voted [sic] on a 2.5 plan. It", source), (vec![7], vec!["", ""]));
        assert_eq!(shown("[T]he council want[ed] it", source), (vec![4], vec!["", ""]));
        assert_eq!(shown("an [open bracket", source), (vec![3], vec!["", ""]));
        assert_eq!(shown("a coun-cil voted-on", source), (vec![4], vec!["", ""]));
    }
}
