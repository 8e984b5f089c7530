//! Cuts a text into passages of a limited number of tokens, on the largest boundaries that fit: headings, paragraphs, sentences.

use std::ops::Range;

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use unicode_segmentation::UnicodeSegmentation as _;

use super::pieces::{stretches, trimmed};
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

/// A text with its tokens and passages.
pub(super) struct CutText {
    pub(super) text: String,
    pub(super) tokens: u64,
    pub(super) passages: Vec<NewPassage>,
}

/// Raise this number if this program cuts the same text differently than before.
const CUTTER: u32 = 2;

impl Chunking {
    /// The settings that passages depend on, besides their text.
    pub(super) fn described(&self) -> String {
        format!("{CUTTER} {} {} {}", self.encoding, self.size, self.overlap)
    }

    /// Cuts `text`. Offsets are bytes; blank space around a passage is not part of it.
    pub fn cut(&self, text: &str, markup: Markup) -> Vec<NewPassage> {
        let headings = match markup {
            Markup::Plain => Vec::new(),
            Markup::Markdown => headings(text),
        };
        let places: Vec<_> = headings.iter().map(|heading| (heading.start, heading.level)).collect();
        let mut above = Above { left: headings.iter().peekable(), open: Vec::new() };
        let mut passage = |range: Range<usize>| NewPassage {
            heading: above.path(range.start),
            tokens: tokens::count(&self.encoding, text.get(range.clone()).unwrap_or_default()),
            start: range.start as u64,
            end: range.end as u64,
        };
        // Most texts fit as they are. A text that is clearly too long need not be counted for that.
        let whole = trimmed(text, 0..text.len());
        if !whole.is_empty() && whole.len() <= self.size.saturating_mul(BYTES_A_TOKEN) {
            let one = passage(whole);
            if one.tokens <= self.size as u64 {
                return vec![one];
            }
        }
        let tokens = |words: &str| usize::try_from(tokens::count(&self.encoding, words)).unwrap_or(usize::MAX);
        stretches(text, &places, self.size, self.overlap, &tokens).into_iter().map(passage).collect()
    }

    /// Cuts and counts a plain text on a thread that serves no stories. `what` names the text in an error.
    pub(super) async fn cut_off_thread(&self, what: &str, text: String) -> Result<CutText, StoreError> {
        let chunking = self.clone();
        let cut = move || CutText {
            tokens: tokens::count(&chunking.encoding, &text),
            passages: chunking.cut(&text, Markup::Plain),
            text,
        };
        aside(cut).await.map_err(|error| StoreError::Unreadable { what: what.to_owned(), detail: error.to_string() })
    }
}

/// More bytes than a token has on average in any prose.
const BYTES_A_TOKEN: usize = 12;

/// The parts of a passage that have their own vectors: at most [`CHILD_WORDS`] words each, cut between sentences.
pub fn children(text: &str) -> Vec<&str> {
    let words = |text: &str| text.unicode_words().count();
    stretches(text, &[], CHILD_WORDS, 0, &words).into_iter().filter_map(|part| text.get(part)).collect()
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

impl Above<'_> {
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
pub fn first_heading(text: &str) -> Option<String> {
    headings(text).into_iter().map(|heading| heading.words.trim().to_owned()).find(|words| !words.is_empty())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

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
        let cut = chunking(64, 16).cut(&text, Markup::Plain);
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
        let cut = chunking(64, 16).cut("\n\n  The park is shut. \n", Markup::Plain);
        assert_eq!(cut, [NewPassage { start: 4, end: 21, heading: String::new(), tokens: 5 }]);
        assert!(chunking(64, 16).cut(" \n ", Markup::Plain).is_empty());
    }

    #[test]
    fn headings_divide_and_are_told() {
        let filler = "The council met in the old hall and spoke of it at length. ".repeat(6);
        let text =
            format!("# Parks\n\n{filler}\n\n## Cost\n\n{filler}\n\n### 2026\n\n{filler}\n\n# Roads\n\n{filler}\n");
        let cut = chunking(100, 0).cut(&text, Markup::Markdown);
        let paths: Vec<&str> = cut.iter().map(|passage| passage.heading.as_str()).collect();
        assert_eq!(paths, ["Parks", "Parks > Cost", "Parks > Cost > 2026", "Roads"]);
        assert!(slice(&text, &cut[3]).starts_with("# Roads"));
        assert_eq!(first_heading(&text).as_deref(), Some("Parks"));
        assert_eq!(first_heading("No heading, #1 in the list."), None);
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
                let cut = chunking(500, 50).cut(&text, markup);
                assert!(cut.len() > 5 && cut.iter().all(|passage| passage.tokens <= 500), "{}", cut.len());
                assert_eq!(cut.last().unwrap().end, text.trim_end().len() as u64);
                assert!(cut.windows(2).all(|pair| pair[0].start < pair[1].start && pair[1].start <= pair[0].end + 1));
            }
            begun.elapsed()
        };
        let (once, four) = (took(1), took(4));
        // Four times as long; with the square sixteen times. How fast the machine is does not matter.
        assert!(four < once * 10, "{once:?} and {four:?}");
    }

    #[test]
    fn blank_space_without_end_divides_no_word() {
        let text = format!("Parks{}roads{}harbours", " ".repeat(30_000), " ".repeat(90_000));
        let cut = chunking(2000, 0).cut(&text, Markup::Plain);
        let words: Vec<&str> = cut.iter().flat_map(|passage| slice(&text, passage).split_whitespace()).collect();
        assert_eq!(words, ["Parks", "roads", "harbours"]);
    }

    #[test]
    fn a_heading_without_end_is_not_kept_with_each_passage() {
        let line = "The park é was opened. ".repeat(400);
        let cut = chunking(100, 0).cut(&format!("# {line}\n\nText."), Markup::Markdown);
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

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn no_word_is_lost_and_no_passage_is_too_long(
            text in "([A-Za-z]{1,9}|[a-z]{200}|[0-9]{1,5}|[ \n\r\t]{1,3}|# |[.,;:!?/()\"*#+=_-]{1,3}|[éüß’“”–]|[\u{301}\u{93e}क]|[公园的かナ]{1,3}|[。、，]){0,300}",
            size in 8..60_usize,
            overlap in 0..70_usize,
            markdown: bool,
        ) {
            let markup = if markdown { Markup::Markdown } else { Markup::Plain };
            let mut behind = 0;
            for passage in &chunking(size, overlap).cut(&text, markup) {
                let (start, end) = (usize::try_from(passage.start).unwrap(), usize::try_from(passage.end).unwrap());
                prop_assert!(passage.tokens <= size as u64 && end > behind, "{:?} of {:?}", passage, text);
                prop_assert!(start <= behind || text[behind..start].trim().is_empty(), "{:?} of {:?}", passage, text);
                behind = end;
            }
            prop_assert!(text[behind..].trim().is_empty(), "{:?}", text);
        }
    }
}
