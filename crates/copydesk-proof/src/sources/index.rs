//! The index of all words of the sources, made in one pass.

use crate::reading::ParsedText;

/// How the sources write a word.
#[derive(Debug, Clone, Copy, Default)]
pub struct WordCase {
    pub capital: bool,
    pub lower: bool,
}

/// The index of all words of the sources, by their numbers.
#[derive(Default)]
pub struct WordIndex {
    /// The sentences of all sources are numbered together; this is each source's first number.
    pub bases: Vec<usize>,
    /// The sentences that have a stem, by the stem's number.
    postings: Vec<Vec<u32>>,
    /// How each word is written, by its number. A word with neither flag occurs only as part of another.
    pub vocabulary: Vec<WordCase>,
    /// The words of each source that are of any class but numbers, in order.
    pub notable: Vec<Vec<usize>>,
    pub lines: usize,
}

impl WordIndex {
    pub fn of(readings: &[ParsedText<'_>]) -> Self {
        let mut index = Self::default();
        for reading in readings {
            index.bases.push(index.lines);
            let mut notable = Vec::new();
            for (at, token) in reading.tokens.iter().enumerate() {
                if token.class.notable() {
                    notable.push(at);
                }
                if let Some(seen) = slot(&mut index.vocabulary, token.base_id) {
                    seen.capital |= token.capital;
                    seen.lower |= !token.capital;
                }
                let line = u32::try_from(index.lines + token.line).unwrap_or(u32::MAX);
                if !token.stop
                    && let Some(places) = slot(&mut index.postings, token.stem_id)
                    && places.last() != Some(&line)
                {
                    places.push(line);
                }
            }
            index.notable.push(notable);
            index.lines += reading.lines.len();
        }
        index
    }

    /// The sentences that have a stem, by their numbers across all sources.
    pub fn having(&self, stem: u32) -> &[u32] {
        self.postings.get(stem as usize).map_or(&[], Vec::as_slice)
    }

    /// How much a word says about where a sentence comes from that so many sentences have: the rarer, the more.
    #[expect(clippy::cast_precision_loss, reason = "counts of sentences")]
    pub fn weight(&self, places: usize) -> f64 {
        (1.0 + self.lines.max(1) as f64 / (places as f64).max(0.5)).ln()
    }
}

/// The place of a number in a list, which grows to hold it.
fn slot<T: Clone + Default>(list: &mut Vec<T>, id: u32) -> Option<&mut T> {
    let id = id as usize;
    if list.len() <= id {
        list.resize(id + 1, T::default());
    }
    list.get_mut(id)
}
