//! Divides a text into sentences and joins as many of them as fit, ending where the text itself is divided most.

use std::{cmp::Reverse, ops::Range};

use pulldown_cmark::HeadingLevel;

use copydesk_text::sentences::sentences;

/// How a text is divided in front of a piece, the weakest division first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Division {
    /// Within a sentence that is too long.
    Within,
    Sentence,
    Line,
    Paragraph,
    Heading(Reverse<HeadingLevel>),
}

/// A sentence, or a part of one that is too long.
struct Piece {
    range: Range<usize>,
    before: Division,
    /// Its size with the blank space in front of it.
    size: usize,
}

/// The largest stretches of `text`, as byte ranges without the blank space around them, of at most `limit`; neighbours share up to
/// `overlap`, but nothing from above a heading. Both are in the unit of `measure`. No two parts together may measure less than alone.
/// `headings` are places, in ascending order.
pub(super) fn stretches(
    text: &str,
    headings: &[(usize, HeadingLevel)],
    limit: usize,
    overlap: usize,
    measure: &dyn Fn(&str) -> usize,
) -> Vec<Range<usize>> {
    packed(&Cutter { text, limit, measure, pieces: Vec::new() }.pieces(headings), limit, overlap)
}

/// A part without the blank space around it.
pub(super) fn trimmed(text: &str, part: Range<usize>) -> Range<usize> {
    let words = text.get(part.clone()).unwrap_or_default();
    let start = part.start + words.len() - words.trim_start().len();
    start..start + words.trim().len()
}

struct Cutter<'a> {
    text: &'a str,
    limit: usize,
    measure: &'a dyn Fn(&str) -> usize,
    pieces: Vec<Piece>,
}

impl Cutter<'_> {
    fn pieces(mut self, headings: &[(usize, HeadingLevel)]) -> Vec<Piece> {
        let mut starts: Vec<usize> = sentences(self.text).into_iter().map(|sentence| sentence.start).collect();
        starts.extend(headings.iter().map(|(place, _)| *place));
        starts.extend([0, self.text.len()]);
        starts.sort_unstable();
        starts.dedup();
        let mut headings = headings.iter().peekable();
        for pair in starts.windows(2) {
            let [start, end] = *pair else { continue };
            let part = trimmed(self.text, start..end);
            let mut before = self.division(part.start);
            while let Some((_, level)) = headings.next_if(|(place, _)| *place <= start) {
                before = Division::Heading(Reverse(*level));
            }
            self.add(part, before, self.limit);
        }
        self.pieces
    }

    fn behind_last(&self) -> usize {
        self.pieces.last().map_or(0, |last| last.range.end)
    }

    /// How the blank space in front of a place divides the text.
    fn division(&self, place: usize) -> Division {
        match self.text.get(self.behind_last()..place).unwrap_or_default().matches('\n').count() {
            0 => Division::Sentence,
            1 => Division::Line,
            _ => Division::Paragraph,
        }
    }

    /// Adds a part. One that measures more than `most` is halved at a blank, if it has any, until it measures an eighth of the limit, so
    /// that neighbours can share some of it.
    fn add(&mut self, part: Range<usize>, before: Division, most: usize) {
        if part.is_empty() {
            return;
        }
        let glued = part.start == self.behind_last();
        let words = self.text.get(self.behind_last()..part.end).unwrap_or_default();
        // A division inside a word can change what both sides measure by one.
        let size = (self.measure)(words) + usize::from(glued);
        let halves =
            Some(self.middle(&part)).filter(|middle| size > most && (part.start + 1..part.end).contains(middle));
        let Some(middle) = halves else { return self.pieces.push(Piece { range: part, before, size }) };
        let most = (self.limit / 8).max(1);
        self.add(trimmed(self.text, part.start..middle), before, most);
        self.add(trimmed(self.text, middle..part.end), Division::Within, most);
    }

    /// The place of the blank that is next to the middle of a part; the middle if it has none.
    fn middle(&self, part: &Range<usize>) -> usize {
        let middle = self.text.floor_char_boundary(part.start.midpoint(part.end));
        let (left, right) = (self.text.get(part.start..middle), self.text.get(middle..part.end));
        let left = left.unwrap_or_default().rfind(char::is_whitespace).map(|place| part.start + place);
        left.or_else(|| Some(middle + right?.find(char::is_whitespace)?)).unwrap_or(middle)
    }
}

/// Joins pieces: as many as fit, up to the strongest division among those behind the stretch before. The words that a stretch shares with
/// the one before it begin at a division as strong as the one between them. So behind a paragraph no half of one stands first.
fn packed(pieces: &[Piece], limit: usize, overlap: usize) -> Vec<Range<usize>> {
    let before = |at: usize| pieces.get(at).map_or(Division::Within, |piece| piece.before);
    let mut sums = vec![0];
    sums.extend(pieces.iter().scan(0, |sum, piece| {
        *sum += piece.size;
        Some(*sum)
    }));
    let size = |part: Range<usize>| sums.get(part.end).zip(sums.get(part.start)).map_or(0, |(end, start)| end - start);
    let mut stretches = Vec::new();
    let (mut first, mut done) = (0, 0);
    while done < pieces.len() {
        let full = (done + 1..=pieces.len()).take_while(|end| size(first..*end) <= limit).last().unwrap_or(done + 1);
        let end =
            if full == pieces.len() { full } else { (done + 1..=full).max_by_key(|end| before(*end)).unwrap_or(full) };
        stretches.extend(pieces.get(first..end).and_then(|all| Some(all.first()?.range.start..all.last()?.range.end)));
        let shared = |from: &usize| {
            let fits = size(*from..end) <= overlap && size(*from..end + 1) <= limit;
            fits && !matches!(before(from + 1), Division::Heading(_))
        };
        let alike = |from: &usize| before(*from) >= before(end);
        (first, done) = ((first + 1..end).rev().take_while(shared).filter(alike).last().unwrap_or(end), end);
    }
    stretches
}
