//! Cuts a text into passages of a limited number of tokens, on the largest boundaries that fit: headings, paragraphs, sentences.

use std::ops::Range;

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use text_splitter::{ChunkConfig, ChunkSizer, MarkdownSplitter, TextSplitter};
use unicode_segmentation::UnicodeSegmentation as _;

use super::ruler::Ruler;
use copydesk_core::ports::{NewPassage, StoreError, aside};
use copydesk_text::tokens;

/// Most words of a part of a passage that has its own vector. Whole passages give worse vectors: a model of this class reads some 256
/// tokens, and a long text's subject is lost in the average.
const CHILD_WORDS: usize = 200;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunking {
    /// The tokenizer, one of [`tokens::ENCODINGS`].
    pub encoding: String,
    /// Most tokens of a passage.
    pub size: usize,
    /// Tokens that neighbouring passages share.
    pub overlap: usize,
}

/// How a text marks its headings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Markup {
    /// It does not mark them.
    Plain,
    /// It marks them as Markdown does.
    Markdown,
}

/// A text cannot be cut, because the settings are wrong.
#[derive(Debug, thiserror::Error)]
pub enum CutError {
    #[error("{0} is not a known encoding")]
    UnknownEncoding(String),
    #[error("{0}")]
    Overlap(#[from] text_splitter::ChunkConfigError),
}

/// A text with its tokens and passages.
pub(super) struct CutText {
    pub(super) text: String,
    pub(super) tokens: u64,
    pub(super) passages: Vec<NewPassage>,
}

/// Raise this number if this program cuts the same text differently than before.
const CUTTER: u32 = 1;

impl Chunking {
    /// The settings that passages depend on, besides their text.
    pub(super) fn described(&self) -> String {
        format!("{CUTTER} {} {} {}", self.encoding, self.size, self.overlap)
    }

    /// Cuts `text`. Offsets are bytes; blank space around a passage is not part of it.
    ///
    /// # Errors
    /// `CutError`.
    pub fn cut(&self, text: &str, markup: Markup) -> Result<Vec<NewPassage>, CutError> {
        if !tokens::is_encoding(&self.encoding) {
            return Err(CutError::UnknownEncoding(self.encoding.clone()));
        }
        let whole = trimmed(text);
        if whole.is_empty() {
            return Ok(Vec::new());
        }
        let headings = match markup {
            Markup::Plain => Vec::new(),
            Markup::Markdown => headings(text),
        };
        let mut above = Above::new(&headings);
        let mut passage = |range: Range<usize>| NewPassage {
            heading: above.path(range.start),
            tokens: tokens::count(&self.encoding, text.get(range.clone()).unwrap_or_default()),
            start: range.start as u64,
            end: range.end as u64,
        };
        // Most texts fit. A text that is clearly too long need not be counted.
        if whole.len() <= self.surely_over() {
            let one = passage(whole.clone());
            if one.tokens <= self.size as u64 {
                return Ok(vec![one]);
            }
        }
        Ok(self.stretches(text, markup)?.into_iter().map(passage).collect())
    }

    /// Cuts and counts a plain text on a thread that serves no stories. `what` names the text in an error.
    pub(super) async fn cut_off_thread(&self, what: &str, text: String) -> Result<CutText, StoreError> {
        let chunking = self.clone();
        let cut = move || {
            let passages = chunking.cut(&text, Markup::Plain)?;
            Ok(CutText { tokens: tokens::count(&chunking.encoding, &text), passages, text })
        };
        let detail = match aside(cut).await {
            Ok(Ok(cut)) => return Ok(cut),
            Ok(Err(error)) => CutError::to_string(&error),
            Err(error) => error.to_string(),
        };
        Err(StoreError::Unreadable { what: what.to_owned(), detail })
    }

    /// The passages' byte ranges. For each passage the splitter looks through all the rest of its text, so it gets one window of the text at
    /// a time. The last passage of a window is cut again at the start of the next, together with the text that follows it; that also keeps
    /// the overlap of neighbours.
    fn stretches(&self, text: &str, markup: Markup) -> Result<Vec<Range<usize>>, CutError> {
        let mut found = Vec::new();
        let mut from = 0;
        while from < text.len() {
            let end = text.floor_char_boundary(from.saturating_add(WINDOW.max(2 * self.surely_over())).min(text.len()));
            let window = text.get(from..end).unwrap_or_default();
            let mut cut = self.split(window, markup)?;
            let next = match cut.last() {
                Some(last) if end < text.len() && last.start > 0 => cut.pop().map_or(end, |last| from + last.start),
                // A window that makes only one passage is mostly blank space. No word may be cut in two.
                Some(_) if end < text.len() => {
                    let edge = window.rfind(char::is_whitespace).filter(|edge| *edge > 0).unwrap_or(window.len());
                    cut = vec![trimmed(window.get(..edge).unwrap_or_default())];
                    from + edge
                }
                _ => end,
            };
            found.extend(cut.into_iter().map(|range| from + range.start..from + range.end));
            from = next;
        }
        Ok(found)
    }

    fn split(&self, window: &str, markup: Markup) -> Result<Vec<Range<usize>>, CutError> {
        let config = ChunkConfig::new(self.size).with_sizer(Ruler::new(&self.encoding, window));
        let config = config.with_overlap(self.overlap)?;
        let range = |(start, chunk): (usize, &str)| start..start + chunk.len();
        Ok(match markup {
            Markup::Plain => TextSplitter::new(config).chunk_indices(window).map(range).collect(),
            Markup::Markdown => MarkdownSplitter::new(config).chunk_indices(window).map(range).collect(),
        })
    }

    /// So many bytes have, in any prose, more tokens than a passage may have.
    fn surely_over(&self) -> usize {
        self.size.saturating_mul(BYTES_A_TOKEN)
    }
}

/// Fewest bytes of text that the splitter gets at once: many passages of the usual size.
const WINDOW: usize = 32 << 10;

/// More bytes than a token has on average in any prose.
const BYTES_A_TOKEN: usize = 12;

/// The parts of a passage that have their own vectors: at most [`CHILD_WORDS`] words each, cut between sentences.
#[must_use]
pub fn children(text: &str) -> Vec<&str> {
    if text.unicode_words().take(CHILD_WORDS + 1).count() <= CHILD_WORDS {
        return vec![text];
    }
    TextSplitter::new(ChunkConfig::new(CHILD_WORDS).with_sizer(Words)).chunks(text).collect()
}

struct Words;

impl ChunkSizer for Words {
    fn size(&self, chunk: &str) -> usize {
        chunk.unicode_words().count()
    }
}

struct Heading {
    start: usize,
    level: HeadingLevel,
    words: String,
}

fn headings(text: &str) -> Vec<Heading> {
    let mut found: Vec<Heading> = Vec::new();
    let mut open = false;
    for (event, range) in Parser::new_ext(text, Options::empty()).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                found.push(Heading { start: range.start, level, words: String::new() });
                open = true;
            }
            Event::End(TagEnd::Heading(_)) => open = false,
            Event::Text(words) | Event::Code(words) if open => {
                if let Some(heading) = found.last_mut() {
                    heading.words.push_str(&words);
                    // Each of its passages stores it.
                    heading.words.truncate(heading.words.floor_char_boundary(LONGEST_HEADING));
                }
            }
            _ => {}
        }
    }
    found
}

/// Most bytes of a heading that are kept: a whole text can be one line that begins with `#`.
const LONGEST_HEADING: usize = 400;

/// Finds the headings above each place; the places must come in ascending order.
struct Above<'a> {
    left: std::iter::Peekable<std::slice::Iter<'a, Heading>>,
    open: Vec<&'a Heading>,
}

impl<'a> Above<'a> {
    fn new(headings: &'a [Heading]) -> Self {
        Self { left: headings.iter().peekable(), open: Vec::new() }
    }

    /// The headings above the place `start`, outermost first, including one that begins there.
    fn path(&mut self, start: usize) -> String {
        while let Some(heading) = self.left.next_if(|heading| heading.start <= start) {
            while self.open.last().is_some_and(|outer| outer.level >= heading.level) {
                self.open.pop();
            }
            self.open.push(heading);
        }
        self.open
            .iter()
            .map(|heading| heading.words.trim())
            .filter(|words| !words.is_empty())
            .collect::<Vec<_>>()
            .join(" > ")
    }
}

/// The first heading of a text.
#[must_use]
pub fn first_heading(text: &str) -> Option<String> {
    headings(text).into_iter().map(|heading| heading.words.trim().to_owned()).find(|words| !words.is_empty())
}

fn trimmed(text: &str) -> Range<usize> {
    let start = text.len() - text.trim_start().len();
    start..(start + text.trim().len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunking(size: usize, overlap: usize) -> Chunking {
        Chunking { encoding: "o200k_base".into(), size, overlap }
    }

    fn slice<'a>(text: &'a str, passage: &NewPassage) -> &'a str {
        let at = |place: u64| usize::try_from(place).unwrap();
        &text[at(passage.start)..at(passage.end)]
    }

    #[test]
    fn passages_keep_their_place_and_their_size_and_share_what_they_should() {
        let lines: Vec<String> =
            (0..200).map(|n| format!("The council met {n} times. It voted seven to two.")).collect();
        let text = lines.join(" ");
        let cut = chunking(64, 16).cut(&text, Markup::Plain).unwrap();
        assert!(cut.len() > 30, "{}", cut.len());
        for pair in cut.windows(2) {
            assert!(pair[0].end > pair[1].start, "neighbours share a sentence: {pair:?}");
        }
        for passage in &cut {
            let words = slice(&text, passage);
            assert!(passage.tokens <= 64 && passage.tokens == tokens::count("o200k_base", words));
            assert!(words.starts_with("The council") || words.starts_with("It voted"), "{words}");
            assert!(words.ends_with('.'), "{words}");
        }
    }

    #[test]
    fn a_short_text_is_one_passage_without_its_blank_edges() {
        let cut = chunking(64, 16).cut("\n\n  The park is shut. \n", Markup::Plain).unwrap();
        assert_eq!(cut, [NewPassage { start: 4, end: 21, heading: String::new(), tokens: 5 }]);
        assert!(chunking(64, 16).cut(" \n ", Markup::Plain).unwrap().is_empty());
    }

    #[test]
    fn headings_divide_and_are_told() {
        let filler = "The council met in the old hall and spoke of it at length. ".repeat(6);
        let text =
            format!("# Parks\n\n{filler}\n\n## Cost\n\n{filler}\n\n### 2026\n\n{filler}\n\n# Roads\n\n{filler}\n");
        let cut = chunking(100, 0).cut(&text, Markup::Markdown).unwrap();
        let paths: Vec<&str> = cut.iter().map(|passage| passage.heading.as_str()).collect();
        assert_eq!(paths, ["Parks", "Parks > Cost", "Parks > Cost > 2026", "Roads"]);
        assert!(slice(&text, &cut[3]).starts_with("# Roads"));
        assert_eq!(first_heading(&text).as_deref(), Some("Parks"));
        assert_eq!(first_heading("No heading, #1 in the list."), None);
    }

    #[test]
    fn a_long_text_is_cut_as_if_it_were_given_to_the_splitter_at_once() {
        let lines: Vec<String> = (0..1500)
            .map(|n| {
                format!("The council met {n} times.{}", if n % 7 == 0 { "\n\n" } else { " It voted seven to two. " })
            })
            .collect();
        let text = lines.concat();
        assert!(text.len() > 2 * WINDOW);
        let how = chunking(100, 20);
        for markup in [Markup::Plain, Markup::Markdown] {
            let at_once = how.split(&text, markup).unwrap();
            assert_eq!(how.stretches(&text, markup).unwrap(), at_once, "{markup:?}");
        }
    }

    #[test]
    fn time_does_not_grow_with_the_square_of_a_line_or_of_the_headings() {
        let base64 = |length: usize| {
            let mut state = 7_u64;
            let letters = std::iter::repeat_with(|| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                char::from(b'A' + u8::try_from(state >> 59).unwrap() % 26 + if state >> 33 & 1 == 0 { 0 } else { 32 })
            });
            letters.take(length).collect::<String>()
        };
        let took = |times: usize| {
            let begun = std::time::Instant::now();
            for (text, markup) in [
                // No sentence ends in it.
                ("the council met in the old hall and spoke of it ".repeat(5_000 * times), Markup::Plain),
                (base64(40_000 * times), Markup::Plain),
                ("a".repeat(40_000 * times), Markup::Plain),
                ("# a b\n".repeat(25_000 * times), Markup::Markdown),
            ] {
                let cut = chunking(500, 50).cut(&text, markup).unwrap();
                assert!(cut.len() > 5 && cut.iter().all(|passage| passage.tokens <= 500), "{}", cut.len());
                assert_eq!(cut.last().unwrap().end, text.trim_end().len() as u64);
                assert!(cut.windows(2).all(|pair| pair[0].start < pair[1].start && pair[1].start <= pair[0].end + 1));
            }
            begun.elapsed()
        };
        // The tokenizer's table is read first.
        chunking(500, 50).cut("warm", Markup::Plain).unwrap();
        let (once, four) = (took(1), took(4));
        // Four times as long; with the square sixteen times. How fast the machine is does not matter.
        assert!(four < once * 10, "{once:?} and {four:?}");
    }

    #[test]
    fn blank_space_without_end_divides_no_word() {
        let text = format!("Parks{}roads{}harbours", " ".repeat(WINDOW - 8), " ".repeat(3 * WINDOW));
        let cut = chunking(2000, 0).cut(&text, Markup::Plain).unwrap();
        let words: Vec<&str> = cut.iter().flat_map(|passage| slice(&text, passage).split_whitespace()).collect();
        assert_eq!(words, ["Parks", "roads", "harbours"]);
    }

    #[test]
    fn a_heading_without_end_is_not_kept_with_each_passage() {
        let line = "The park é was opened. ".repeat(400);
        let cut = chunking(100, 0).cut(&format!("# {line}\n\nText."), Markup::Markdown).unwrap();
        assert!(cut.len() > 10 && cut.iter().all(|passage| passage.heading.len() <= LONGEST_HEADING));
        assert!(line.starts_with(&cut[3].heading) && cut[3].heading.len() > LONGEST_HEADING - 30);
    }

    #[test]
    fn parts_that_are_embedded_have_at_most_two_hundred_words() {
        let text = "The council met in the old hall. ".repeat(60);
        let parts = children(&text);
        assert_eq!(parts.len(), 3);
        assert!(parts.iter().all(|part| part.unicode_words().count() <= CHILD_WORDS));
        assert_eq!(children("A short one."), ["A short one."]);
    }

    #[test]
    fn settings_that_cannot_be_kept_are_told() {
        let text = "word ".repeat(100);
        assert!(chunking(10, 10).cut(&text, Markup::Plain).is_err());
        let unknown = Chunking { encoding: "runes".into(), size: 10, overlap: 0 };
        assert_eq!(unknown.cut(&text, Markup::Plain).unwrap_err().to_string(), "runes is not a known encoding");
    }
}
