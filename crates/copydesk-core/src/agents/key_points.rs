//! The key points of sources that do not fit a window: the most telling block of each part. So no part of a long source
//! goes unseen because it stands late.
//!
//! A block is a paragraph, or a stretch of one. Words that come again, but not everywhere, make it telling, and so do
//! those of the topic. Each word counts ln(1 + df) · ln(1 + n / df): df is the number of blocks that have it, n the
//! number of all blocks. This lies between term frequency and inverse document frequency (Spärck Jones, 1972).

use std::ops::Range;

use foldhash::{HashMap, HashMapExt, HashSet};

use copydesk_newsroom::{Journal, SourcePlace};
use copydesk_text::{
    sentences::sentences,
    words::{fold, is_stop_word, words},
};

/// Longest block, in bytes.
const BLOCK: usize = 600;

/// Shorter blocks are headings, labels or noise.
const SHORTEST: usize = 40;

/// Bytes of a token, about.
const BYTES_A_TOKEN: u64 = 4;

/// The weight of a word of the topic, as a multiple of another word of the same frequency.
const OF_TOPIC: f64 = 4.0;

/// The blocks to show, most important first: the opening of each source, then the best block of each part, then the next best.
/// `room` is the number of tokens that there is for them; 0 gives all by their weight alone.
pub(super) fn places(journal: &Journal, room: u64) -> Vec<SourcePlace> {
    let blocks: Vec<(usize, Range<usize>)> = journal
        .texts()
        .enumerate()
        .flat_map(|(source, (_, text))| blocks(text).into_iter().map(move |block| (source, block)))
        .collect();
    let texts: Vec<&str> = journal.texts().map(|(_, text)| text).collect();
    let scores = scores(journal, &blocks, &texts);
    // As many parts as there is room for a block of each.
    let size = blocks.iter().map(|(_, block)| block.len()).sum::<usize>() / blocks.len().max(1);
    let parts = usize::try_from(room.saturating_mul(BYTES_A_TOKEN)).unwrap_or(usize::MAX) / size.max(1) * 2 / 3;
    let length = blocks.len().div_ceil(parts.max(1)).max(1);
    let score = |at: &usize| scores.get(*at).copied().unwrap_or(0.0);
    let best = |part: &[usize]| part.iter().copied().max_by(|a, b| score(a).total_cmp(&score(b)).then(b.cmp(a)));
    let all: Vec<usize> = (0..blocks.len()).collect();
    let opens = |at: &usize| {
        at.checked_sub(1).and_then(|before| blocks.get(before)).map(|block| block.0)
            != blocks.get(*at).map(|block| block.0)
    };
    let mut chosen: Vec<usize> = all.iter().copied().filter(opens).collect();
    chosen.extend(all.chunks(length).filter_map(best));
    let mut rest = all;
    rest.sort_by(|a, b| score(b).total_cmp(&score(a)).then(a.cmp(b)));
    chosen.extend(rest);
    let mut told = HashSet::default();
    chosen.retain(|at| told.insert(*at));
    let place = |at: usize| blocks.get(at).map(|(source, block)| SourcePlace::new(*source, block.clone()));
    chosen.into_iter().filter_map(place).collect()
}

/// How telling each block is, by the word.
#[expect(clippy::cast_precision_loss, reason = "counts of words")]
fn scores(journal: &Journal, blocks: &[(usize, Range<usize>)], texts: &[&str]) -> Vec<f64> {
    let topic = &journal.opening.topic;
    let asked =
        format!("{} {}", topic.source_metadata.topic_title, topic.optional_angle.as_deref().unwrap_or_default());
    let mut numbers: HashMap<String, u32> = HashMap::new();
    let mut number = |text: &str| -> Vec<u32> {
        let words = words(text).into_iter().map(|word| fold(word.text)).filter(|word| !is_stop_word(word));
        let mut found: Vec<u32> = words
            .map(|word| {
                let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
                *numbers.entry(word).or_insert(next)
            })
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    };
    let asked: HashSet<u32> = number(&asked).into_iter().collect();
    let words: Vec<Vec<u32>> = blocks
        .iter()
        .map(|(source, block)| number(texts.get(*source).and_then(|text| text.get(block.clone())).unwrap_or_default()))
        .collect();
    let mut often: HashMap<u32, f64> = HashMap::new();
    for word in words.iter().flatten() {
        *often.entry(*word).or_default() += 1.0;
    }
    let all = blocks.len() as f64;
    let worth = |word: &u32| {
        let often = often.get(word).copied().unwrap_or(1.0);
        // A word in every block says no more than a word in one block alone.
        let share = often.ln_1p() * (1.0 + all / often).ln();
        if asked.contains(word) { share * OF_TOPIC } else { share }
    };
    // Per root of the length: a long block says more, not in proportion.
    words.iter().map(|words| words.iter().map(worth).sum::<f64>() / (words.len().max(4) as f64).sqrt()).collect()
}

/// A text cut into paragraphs, and long ones at the ends of sentences.
fn blocks(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut open: Option<Range<usize>> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let range = at..at + line.len();
        at = range.end;
        if line.trim().is_empty() {
            found.extend(open.take());
        } else if let Some(block) = open.as_mut().filter(|block| range.end - block.start <= BLOCK) {
            block.end = range.end;
        } else {
            found.extend(open.replace(range));
        }
    }
    found.extend(open);
    let found = found.into_iter().flat_map(|block| if block.len() > BLOCK { cut(text, block) } else { vec![block] });
    found.filter(|block| block.len() >= SHORTEST || text.len() < SHORTEST).collect()
}

/// A long line at the ends of its sentences, and an endless sentence anywhere.
fn cut(text: &str, block: Range<usize>) -> Vec<Range<usize>> {
    let own = text.get(block.clone()).unwrap_or_default();
    let mut parts: Vec<Range<usize>> = Vec::new();
    for sentence in sentences(own) {
        let mut from = block.start + sentence.start;
        let end = block.start + sentence.end;
        while from < end {
            let to = text.ceil_char_boundary((from + BLOCK).min(end));
            match parts.last_mut() {
                Some(part) if to - part.start <= BLOCK => part.end = to,
                _ => parts.push(from..to),
            }
            from = to;
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::testing::opening;

    fn journal(text: &str) -> Journal {
        let mut opening = opening();
        opening.topic.source_text = text.into();
        opening.topic.source_metadata.topic_title = "The park plan".into();
        Journal::new(opening)
    }

    #[test]
    fn every_part_of_a_long_source_is_seen_and_the_telling_block_of_each() {
        let filler = |n: usize| format!("Item {n}: somebody coughed, and a chair was moved across the floor.\n\n");
        let mut text: String = (0..300).map(filler).collect();
        let late = "The park plan costs $2 million, the council of the park was told at last.\n\n";
        text.push_str(late);
        text.extend((300..310).map(filler));
        let journal = journal(&text);
        let places = places(&journal, 600);
        let shown: Vec<&str> = places.iter().take(25).map(|place| &text[place.start..place.end]).collect();
        assert!(shown[0].starts_with("Item 0:"), "the opening comes first: {shown:?}");
        assert!(
            shown.contains(&late.trim_end()) || shown.iter().any(|block| block.contains("$2 million")),
            "{shown:?}"
        );
        let first = places.iter().take(25).map(|place| place.start).max().unwrap();
        assert!(first > text.len() * 9 / 10, "the end is seen too");
        let mut starts: Vec<usize> = places.iter().map(|place| place.start).collect();
        starts.sort_unstable();
        starts.dedup();
        assert_eq!(starts.len(), places.len(), "each block once");
    }

    #[test]
    fn a_source_of_one_endless_line_is_cut() {
        let text = "word ".repeat(10_000);
        let blocks = blocks(&text);
        assert!(blocks.len() > 30 && blocks.iter().all(|block| block.len() <= BLOCK + 4), "{}", blocks.len());
        let text = "é".repeat(5_000);
        assert!(super::blocks(&text).iter().all(|block| text.get(block.clone()).is_some()));
        assert_eq!(super::blocks("Short."), vec![0..6]);
        assert!(places(&journal(" \n"), 100).is_empty());
    }
}
