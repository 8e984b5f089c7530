//! Cutting a text into passages of at most so many tokens, on the largest boundaries that fit: headings, paragraphs, sentences.

use std::ops::Range;

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use text_splitter::{ChunkConfig, ChunkSizer, MarkdownSplitter, TextSplitter};
use unicode_segmentation::UnicodeSegmentation as _;

use crate::{ports::NewPassage, text::tokens};

/// Most words of a part of a passage that has a vector of its own. Whole passages embed worse: a model of this class reads some
/// 256 tokens, and what a long text speaks of is averaged away.
const CHILD_WORDS: usize = 200;

/// How texts are cut.
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
    /// Not at all.
    Plain,
    /// As Markdown does.
    Markdown,
}

impl Chunking {
    /// Cuts `text`. Offsets are bytes of it; blank space around a passage is left out.
    ///
    /// # Errors
    /// A sentence, where the settings cannot be kept: an unknown encoding, an overlap that leaves no room.
    pub fn cut(&self, text: &str, markup: Markup) -> Result<Vec<NewPassage>, String> {
        if tokens::table(&self.encoding).is_none() {
            return Err(format!("{} is no encoding", self.encoding));
        }
        let whole = trimmed(text);
        if whole.is_empty() {
            return Ok(Vec::new());
        }
        let headings = match markup {
            Markup::Plain => Vec::new(),
            Markup::Markdown => headings(text),
        };
        let count = |range: &Range<usize>| tokens::count(&self.encoding, text.get(range.clone()).unwrap_or_default());
        let passage = |range: Range<usize>| NewPassage {
            heading: path(&headings, range.start),
            tokens: count(&range),
            start: range.start as u64,
            end: range.end as u64,
        };
        // Most texts fit. A long one need not be counted as a whole to know that it does not.
        if whole.len() <= self.size.saturating_mul(BYTES_A_TOKEN) {
            let one = passage(whole.clone());
            if one.tokens <= self.size as u64 {
                return Ok(vec![one]);
            }
        }
        let config = ChunkConfig::new(self.size).with_sizer(Counted(self)).with_overlap(self.overlap);
        let config = config.map_err(|error| error.to_string())?;
        let ranges: Vec<Range<usize>> = match markup {
            Markup::Plain => {
                let splitter = TextSplitter::new(config);
                splitter.chunk_indices(text).map(|(start, chunk)| start..start + chunk.len()).collect()
            }
            Markup::Markdown => {
                let splitter = MarkdownSplitter::new(config);
                splitter.chunk_indices(text).map(|(start, chunk)| start..start + chunk.len()).collect()
            }
        };
        Ok(ranges.into_iter().map(passage).collect())
    }
}

/// More bytes than a token has on average in any prose.
const BYTES_A_TOKEN: usize = 12;

/// The parts of a passage that have vectors of their own: at most [`CHILD_WORDS`] words each, on the boundaries of sentences.
#[must_use]
pub fn children(text: &str) -> Vec<&str> {
    if text.unicode_words().take(CHILD_WORDS + 1).count() <= CHILD_WORDS {
        return vec![text];
    }
    TextSplitter::new(ChunkConfig::new(CHILD_WORDS).with_sizer(Words)).chunks(text).collect()
}

/// Tokens. Of what is surely short enough, for an overlap too, only that is said: counting takes most of the time.
struct Counted<'a>(&'a Chunking);

impl ChunkSizer for Counted<'_> {
    fn size(&self, chunk: &str) -> usize {
        // A token is at least one byte.
        if chunk.len() <= self.0.overlap {
            return chunk.len();
        }
        usize::try_from(tokens::count(&self.0.encoding, chunk)).unwrap_or(usize::MAX)
    }
}

struct Words;

impl ChunkSizer for Words {
    fn size(&self, chunk: &str) -> usize {
        chunk.unicode_words().count()
    }
}

/// A heading: where it begins, its level from 1, its words.
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
                }
            }
            _ => {}
        }
    }
    found
}

/// The headings above the place `start`, outermost first; the one that begins there is among them.
fn path(headings: &[Heading], start: usize) -> String {
    let mut above: Vec<&Heading> = Vec::new();
    for heading in headings.iter().take_while(|heading| heading.start <= start) {
        while above.last().is_some_and(|outer| outer.level >= heading.level) {
            above.pop();
        }
        above.push(heading);
    }
    above.iter().map(|heading| heading.words.trim()).filter(|words| !words.is_empty()).collect::<Vec<_>>().join(" > ")
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
        assert_eq!(unknown.cut(&text, Markup::Plain).unwrap_err(), "runes is no encoding");
    }
}
