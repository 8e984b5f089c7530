//! A text, read once: sentences, words, quotations, figures, labels. Every rule uses this, and none cuts text itself.

use std::{borrow::Cow, ops::Range, sync::OnceLock};

use foldhash::HashSet;

use crate::reading::{
    Figure, Forms, Token, cells::raw_lines, figures, grammar::Grammar, halves::halves, token::Manner,
};
use copydesk_text::{
    footnotes,
    marks::{self, Quotation},
    sentences::{sentences, speaker},
    words::each_word,
};

/// Longest sentence in bytes.
const LONGEST: usize = 4_000;

/// A sentence.
#[derive(Debug, Clone)]
pub struct TextLine {
    pub start: usize,
    pub end: usize,
    /// Its words.
    pub tokens: Range<usize>,
    /// Its paragraph, counted from 0.
    pub paragraph: usize,
    /// A Markdown heading.
    pub heading: bool,
    /// The index of its paragraph's speaker label.
    pub label: Option<usize>,
}

/// A whole text.
#[derive(Debug)]
pub struct ParsedText<'a> {
    pub text: &'a str,
    pub tokens: Vec<Token>,
    pub lines: Vec<TextLine>,
    pub quotations: Vec<Quotation>,
    pub figures: Vec<Figure>,
    pub labels: Vec<Range<usize>>,
    /// The marks of footnotes: no words of anybody.
    pub marks: Vec<Range<usize>>,
    /// The grammar of each sentence, once it was asked for.
    grammars: Vec<OnceLock<Box<Grammar>>>,
}

impl<'a> ParsedText<'a> {
    /// Reads a text by itself.
    pub fn new(text: &'a str) -> Self {
        Self::read(text, &mut Forms::default())
    }

    /// Reads the body of a draft without its footnotes.
    pub fn of_body(text: &'a str) -> Self {
        let bare = footnotes::body_only(text);
        let mut read = Self::joined(Self::cut(text, &bare), tokens(&bare, &mut Forms::default()));
        read.figures = read.find_figures();
        read.marks = footnotes::marks(text).into_iter().map(|mark| mark.range).collect();
        read
    }

    /// Reads one of several texts whose words share their numbers.
    pub fn read(text: &'a str, forms: &mut Forms) -> Self {
        let bare = footnotes::without_marks(text);
        let mut read = Self::joined(Self::cut(text, &bare), tokens(&bare, forms));
        read.figures = read.find_figures();
        read
    }

    /// Reads several texts whose words share their numbers, without their figures. Independent halves of the work run
    /// at once.
    pub fn without_figures(texts: &[&'a str], forms: &mut Forms) -> Vec<Self> {
        let size = texts.iter().map(|text| text.len()).sum();
        let bare: Vec<_> = texts.iter().map(|text| footnotes::without_marks(text)).collect();
        let (cuts, tokens): (Vec<_>, Vec<_>) = halves(
            size,
            || texts.iter().zip(&bare).map(|(text, bare)| Self::cut(text, bare)).collect(),
            || bare.iter().map(|text| tokens(text, forms)).collect(),
        );
        cuts.into_iter().zip(tokens).map(|(cut, tokens)| Self::joined(cut, tokens)).collect()
    }

    /// Adds the figures of a text that was read without them.
    pub fn find_figures(&self) -> Vec<Figure> {
        figures::read(self.text, &self.tokens)
    }

    /// A text cut at its punctuation, without words, and its parts that are not spoken. `bare` is the text without footnotes.
    fn cut(text: &'a str, bare: &str) -> (Self, Vec<Range<usize>>) {
        let (labels, asides) = labels(bare);
        let (quotations, lines) = (marks::quotations(bare), lines(bare, &labels));
        let (tokens, figures, marks, grammars) = Default::default();
        (Self { text, tokens, lines, quotations, figures, labels, marks, grammars }, asides)
    }

    /// Gives each word its sentence and its voice, and each sentence its words.
    fn joined((mut read, asides): (Self, Vec<Range<usize>>), mut tokens: Vec<Token>) -> Self {
        let (mut line, mut quotation, mut aside) = (0, 0, 0);
        for (at, token) in tokens.iter_mut().enumerate() {
            while read.lines.get(line).is_some_and(|l| l.end <= token.start) {
                line += 1;
            }
            while read.quotations.get(quotation).is_some_and(|q| q.end <= token.start) {
                quotation += 1;
            }
            while asides.get(aside).is_some_and(|a| a.end <= token.start) {
                aside += 1;
            }
            token.line = line;
            if asides.get(aside).is_some_and(|a| a.start <= token.start) {
                token.manner = Manner::Aside;
            } else if read.quotations.get(quotation).is_some_and(|q| q.start <= token.start) {
                token.manner = Manner::Quoted;
            }
            if let Some(l) = read.lines.get_mut(line) {
                if l.tokens.is_empty() {
                    l.tokens.start = at;
                }
                l.tokens.end = at + 1;
            }
        }
        read.grammars = read.lines.iter().map(|_| OnceLock::new()).collect();
        read.tokens = tokens;
        read
    }

    pub fn slice(&self, range: Range<usize>) -> &'a str {
        self.text.get(range).unwrap_or_default()
    }

    /// The folded word of that index; empty if there is none.
    pub fn word(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.word.as_str())
    }

    /// The folded word so many places before an index; empty if there is none.
    pub fn word_before(&self, at: usize, steps: usize) -> &str {
        at.checked_sub(steps).map_or("", |at| self.word(at))
    }

    /// At most so many words right before an index.
    pub fn words_before(&self, at: usize, most: usize) -> &[Token] {
        self.tokens.get(at.saturating_sub(most)..at).unwrap_or_default()
    }

    /// A stretch without the marks of footnotes in it.
    pub fn words_of(&self, range: Range<usize>) -> Cow<'a, str> {
        let within = self.marks.iter().filter(|mark| range.start <= mark.start && mark.end <= range.end);
        let mut words = Cow::Borrowed("");
        let mut from = range.start;
        for mark in within {
            words += self.slice(from..mark.start);
            from = mark.end;
        }
        words += self.slice(from..range.end);
        words
    }

    /// Whether a word begins with a small letter of the Latin alphabet.
    pub fn begins_small(&self, token: &Token) -> bool {
        self.text.as_bytes().get(token.start).is_some_and(u8::is_ascii_lowercase)
    }

    pub fn line_text(&self, line: usize) -> &'a str {
        self.lines.get(line).map_or("", |l| self.slice(l.start..l.end))
    }

    /// The sentence of some words, by their indexes.
    pub fn line_of(&self, tokens: &Range<usize>) -> usize {
        self.tokens.get(tokens.start).map_or(0, |token| token.line)
    }

    /// The bytes from the first of some words to the last, by their indexes.
    pub fn span_of(&self, words: &Range<usize>) -> Option<Range<usize>> {
        Some(self.tokens.get(words.start)?.start..self.tokens.get(words.end.checked_sub(1)?)?.end)
    }

    pub fn line_tokens(&self, line: usize) -> &[Token] {
        self.lines.get(line).and_then(|l| self.tokens.get(l.tokens.clone())).unwrap_or_default()
    }

    /// The bytes from the first of some sentences to the last.
    pub fn bytes_of(&self, lines: Range<usize>) -> Option<Range<usize>> {
        Some(self.lines.get(lines.start)?.start..self.lines.get(lines.end.checked_sub(1)?)?.end)
    }

    /// The label of the speaker whose words a sentence is.
    pub fn label(&self, line: usize) -> Option<&Range<usize>> {
        self.labels.get(self.lines.get(line)?.label?)
    }

    pub fn label_tokens(&self, line: usize) -> &[Token] {
        self.label(line).map_or(&[], |label| self.between(label.start, label.end))
    }

    /// The grammar of a sentence.
    pub fn grammar(&self, line: usize) -> &Grammar {
        static NONE: Grammar = Grammar::none();
        let (Some(kept), Some(own)) = (self.grammars.get(line), self.lines.get(line)) else { return &NONE };
        kept.get_or_init(|| Grammar::of(self.text, self.line_tokens(line), own.tokens.start, own.end).into())
    }

    pub fn between(&self, start: usize, end: usize) -> &[Token] {
        self.tokens.get(self.words_between(start, end)).unwrap_or_default()
    }

    /// The words that begin between two bytes, by their indexes.
    pub fn words_between(&self, start: usize, end: usize) -> Range<usize> {
        let at = |byte: usize| self.tokens.partition_point(|token| token.start < byte);
        at(start)..at(end)
    }

    /// The sentence that holds a byte.
    pub fn line_at(&self, byte: usize) -> usize {
        self.lines.partition_point(|line| line.end <= byte).min(self.lines.len().saturating_sub(1))
    }

    /// The figures that begin between two bytes.
    pub fn figures_between(&self, start: usize, end: usize) -> &[Figure] {
        let at = |byte: usize| self.figures.partition_point(|figure| figure.start < byte);
        self.figures.get(at(start)..at(end)).unwrap_or_default()
    }

    /// Whether a sentence belongs to a heading: a short paragraph without an end (`DOCUMENT 3. CORRECTION, sent on Monday by the clerk`).
    pub fn heads(&self, line: usize) -> bool {
        let paragraph = self.paragraph(line);
        let whole = self.lines.get(paragraph.clone()).unwrap_or_default();
        let ends = ['.', '!', '?', ':', ';', ',', '"', '”', '’', ')'];
        let ended = paragraph.end.checked_sub(1).is_some_and(|last| self.line_text(last).trim_end().ends_with(ends));
        let spoken = whole.iter().any(|line| line.label.is_some());
        whole.len() < 3 && !ended && !spoken || whole.iter().any(|line| line.heading)
    }

    /// The sentences of the paragraph that a sentence belongs to.
    pub fn paragraph(&self, line: usize) -> Range<usize> {
        let Some(number) = self.lines.get(line).map(|l| l.paragraph) else { return 0..0 };
        let first = self.lines.partition_point(|l| l.paragraph < number);
        let last = self.lines.partition_point(|l| l.paragraph <= number);
        first..last
    }
}

/// The words of a text, as if it were one sentence of its author.
fn tokens(text: &str, forms: &mut Forms) -> Vec<Token> {
    let mut tokens = Vec::with_capacity(text.len() / 6);
    for word in each_word(text) {
        let mut start = word.start;
        if !word.text.contains(['-', '‑']) {
            tokens.push(forms.token(word.text, start));
            continue;
        }
        // A soft hyphen does not divide a word.
        for part in word.text.split(['-', '‑']) {
            tokens.push(forms.token(part, start));
            let hyphen = text.get(start + part.len()..).and_then(|rest| rest.chars().next());
            start += part.len() + hyphen.map_or(0, char::len_utf8);
        }
    }
    tokens
}

fn lines(text: &str, labels: &[Range<usize>]) -> Vec<TextLine> {
    let mut found: Vec<TextLine> = Vec::new();
    let mut paragraph = 0;
    let mut label = None;
    let mut next_label = 0;
    for range in sentences(text).into_iter().flat_map(|range| short(text, range)) {
        let gap = found.last().map_or("", |last| text.get(last.end..range.start).unwrap_or_default());
        let heading = text.get(range.clone()).is_some_and(|line| line.starts_with('#'));
        let after_heading = found.last().is_some_and(|last| last.heading);
        let speaks = labels.get(next_label).is_some_and(|l| l.start < range.end);
        if gap.matches('\n').count() > 1 || heading || after_heading || speaks && !found.is_empty() {
            paragraph += 1;
            label = None;
        }
        if speaks {
            label = Some(next_label);
            while labels.get(next_label).is_some_and(|l| l.start < range.end) {
                next_label += 1;
            }
        }
        found.push(TextLine { start: range.start, end: range.end, tokens: 0..0, paragraph, heading, label });
    }
    found
}

/// Cuts a sentence into pieces of bounded length at white space, because a sentence of a megabyte is a table.
fn short(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let mut start = range.start;
    while range.end - start > LONGEST {
        let Some(rest) = text.get(start..range.end) else { break };
        let mut blanks = rest.char_indices().filter(|(at, c)| *at > LONGEST / 2 && c.is_whitespace());
        let Some((cut, blank)) = blanks.next() else { break };
        pieces.push(start..start + cut);
        start += cut + blank.len_utf8();
    }
    pieces.push(start..range.end);
    pieces.retain(|piece| piece.end > piece.start);
    pieces
}

/// The speakers' labels, and the unspoken parts of each line: time codes and labels.
fn labels(text: &str) -> (Vec<Range<usize>>, Vec<Range<usize>>) {
    let (mut labels, mut asides) = (Vec::new(), Vec::new());
    for (start, line) in raw_lines(text) {
        if let Some(range) = speaker(line).or_else(|| initials(line)) {
            labels.push(start + range.start..start + range.end);
            asides.push(start..start + range.end);
        } else if let Some(code) = line.trim_start().strip_prefix('[').and_then(|rest| rest.split_once(']'))
            && code.0.chars().all(|c| c.is_ascii_digit() || matches!(c, ':' | '.' | ',' | ' ' | '-' | '–' | '>'))
        {
            asides.push(start..start + (line.len() - code.1.len()));
        }
    }
    careless(text, &mut labels, &mut asides);
    alone(text, &mut labels, &mut asides);
    markup(text, &mut asides);
    (labels, asides)
}

/// The initials of the speaker, if a line of notes has them before a quotation: `- HT: "it is too late"`.
fn initials(line: &str) -> Option<Range<usize>> {
    let said = line.trim_start().strip_prefix(['-', '*', '•'])?.trim_start();
    let (label, rest) = said.split_once(':')?;
    let loud = (2..=3).contains(&label.len()) && label.chars().all(|c| c.is_ascii_uppercase());
    let start = line.len() - said.len();
    (loud && rest.trim_start().starts_with(['"', '“', '‘', '\'', '«', '„'])).then(|| start..start + label.len())
}

/// Adds the markup that an author's text keeps: addresses of links, tags of HTML, character references.
fn markup(text: &str, asides: &mut Vec<Range<usize>>) {
    let before = asides.len();
    let mut from = 0;
    let bytes = text.as_bytes();
    let begins = |from: usize| memchr::memchr3(b'<', b'&', b'(', bytes.get(from..)?).map(|at| from + at);
    while let Some(at) = begins(from) {
        from = at + 1;
        let rest = text.get(from..).unwrap_or_default();
        let (close, most) = match bytes.get(at) {
            Some(b'(') if text.get(..at).is_some_and(|head| head.ends_with(']')) => (')', LONGEST_ADDRESS),
            Some(b'<') if rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/') => ('>', LONGEST_ADDRESS),
            Some(b'&') if rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '#') => (';', LONGEST_REFERENCE),
            _ => continue,
        };
        let stops = |c: char| c == close || c == '\n' || close == ';' && !c.is_ascii_alphanumeric() && c != '#';
        let end =
            rest.find(stops).filter(|end| *end < most && rest.get(*end..).is_some_and(|tail| tail.starts_with(close)));
        if let Some(end) = end {
            from += end + 1;
            asides.push(at..from);
        }
    }
    if asides.len() > before {
        asides.sort_by_key(|aside| aside.start);
    }
}

/// An address and a tag have at most so many bytes, and a character reference so many.
const LONGEST_ADDRESS: usize = 2_000;
const LONGEST_REFERENCE: usize = 10;

/// Adds labels in small letters, if the text has the same with a capital: `oli:` beside `Oli:`.
fn careless(text: &str, labels: &mut Vec<Range<usize>>, asides: &mut Vec<Range<usize>>) {
    let known: HashSet<String> =
        labels.iter().filter_map(|label| text.get(label.clone())).map(str::to_lowercase).collect();
    let before = labels.len();
    for (start, line) in raw_lines(text) {
        if let Some((label, _)) = line.split_once(": ").filter(|(label, _)| known.contains(*label)) {
            labels.push(start..start + label.len());
            asides.push(start..start + label.len());
        }
    }
    if labels.len() > before {
        labels.sort_by_key(|label| label.start);
        asides.sort_by_key(|aside| aside.start);
    }
}

/// Adds names in lines of their own, if a line of this text has the same surname before a seat and a party: `Mr Berg` below
/// `Tom Berg (Lund) (Lab)`.
fn alone(text: &str, labels: &mut Vec<Range<usize>>, asides: &mut Vec<Range<usize>>) {
    let sitting = labels.iter().filter(|label| {
        let line = text.get(label.end..).unwrap_or_default().split('\n').next().unwrap_or_default().trim_end();
        line.starts_with(" (") && line.ends_with(')')
    });
    let surname = |name: &str| name.rsplit(' ').next().map(str::to_owned);
    let known: HashSet<String> = sitting.filter_map(|label| surname(text.get(label.clone())?)).collect();
    if known.is_empty() {
        return;
    }
    for (start, line) in raw_lines(text) {
        let name = line.trim();
        let words = (2..=5).contains(&name.split(' ').count())
            && name.split(' ').all(|word| word.starts_with(char::is_uppercase));
        if words && surname(name).is_some_and(|surname| known.contains(&surname)) {
            let start = start + line.len() - line.trim_start().len();
            labels.push(start..start + name.len());
            asides.push(start..start + name.len());
        }
    }
    labels.sort_by_key(|label| label.start);
    asides.sort_by_key(|aside| aside.start);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_alone_is_a_label_where_a_parliament_prints_seats() {
        let text = "Mr Tom Berg (Lund) (Lab)\nIt is late.\n\nAda Lie (Oslo) (Con)\nNo.\n\nMr Berg\nIt is.\n";
        let reading = ParsedText::new(text);
        let labels: Vec<&str> = reading.labels.iter().map(|label| reading.slice(label.clone())).collect();
        assert_eq!(labels, ["Mr Tom Berg", "Ada Lie", "Mr Berg"]);
        assert_eq!(ParsedText::new("Mr Berg\nIt is.\n").labels.len(), 0);
    }

    #[test]
    fn a_transcript_is_read_with_its_speakers() {
        let text = "[00:01] VOSS: Good evening. We have a quorum.\n\n[00:02] TULL: “Thank you,” she wrote.";
        let reading = ParsedText::new(text);
        let labels: Vec<&str> = reading.labels.iter().map(|l| reading.slice(l.clone())).collect();
        assert_eq!(labels, ["VOSS", "TULL"]);
        assert_eq!(
            reading.lines.iter().map(|l| (l.paragraph, l.label)).collect::<Vec<_>>(),
            [(0, Some(0)), (0, Some(0)), (1, Some(1))]
        );
        let notes = ParsedText::new("Phone, Hank Tessler\n- HT: \"nobody wants to walk\"\n- ETA: 12 minutes");
        assert_eq!(notes.labels.len(), 1);
        let careless = ParsedText::new("Oli: No.\n\noli: It is late.\n\nnote: none.");
        assert_eq!(careless.labels.len(), 2);
        let spoken: Vec<&str> = reading.tokens.iter().filter(|t| !t.aside()).map(|t| t.word.as_str()).collect();
        assert_eq!(spoken, ["good", "evening", "we", "have", "a", "quorum", "thank", "you", "she", "wrote"]);
        assert_eq!(reading.tokens.iter().filter(|t| t.quoted()).count(), 2);
    }
}
