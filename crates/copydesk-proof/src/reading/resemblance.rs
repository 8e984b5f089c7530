//! Finds the place of the sources that most resembles a quotation.

use foldhash::HashMap;

use crate::reading::Stream;

/// The longest quotation, in words, that is aligned word by word.
const LONGEST: usize = 300;

/// At most so many places of a word vote for the most similar place.
const VOTES: usize = 6_000;

/// A stretch of a source that resembles a quotation.
#[derive(Debug, Clone)]
pub struct Resemblance {
    pub source: usize,
    /// The indexes of the words from the first that agrees to the last, without interruptions.
    pub tokens: Vec<usize>,
    /// How many words agree.
    pub agreeing: usize,
}

impl Stream {
    /// The stretch that resembles `needle` most, if any does.
    pub fn closest(&self, needle: &[u32]) -> Option<Resemblance> {
        let needle = needle.get(..needle.len().min(LONGEST))?;
        let width = (needle.len() / 2).max(6);
        let mut votes: HashMap<usize, f64> = HashMap::default();
        let mut rarest: Vec<(usize, usize)> =
            needle.iter().enumerate().map(|(offset, word)| (self.places(*word).len(), offset)).collect();
        rarest.sort_unstable();
        let mut room = VOTES;
        for (count, offset) in rarest {
            let Some(places) = needle.get(offset).map(|word| self.places(*word)) else { continue };
            if count == 0 || count > room {
                continue;
            }
            room -= count;
            #[expect(clippy::cast_precision_loss, reason = "counts of words")]
            let weight = (1.0 + self.words.len() as f64 / count as f64).ln();
            for place in places.iter().filter_map(|place| usize::try_from(*place).ok()) {
                let diagonal = (place + needle.len() - offset) / width;
                *votes.entry(diagonal).or_default() += weight;
                *votes.entry(diagonal + 1).or_default() += weight;
            }
        }
        let mut best: Vec<(usize, f64)> = votes.into_iter().collect();
        best.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        best.truncate(4);
        let windows = best.into_iter().map(|(diagonal, _)| {
            let start = (diagonal.saturating_sub(1) * width).saturating_sub(needle.len() + 4);
            let end = ((diagonal + 1) * width + width + 4).min(self.words.len());
            start.min(end)..end
        });
        let found = windows.flat_map(|window| {
            let spoken = window.clone().filter(|place| self.skip_over(*place).is_none()).collect();
            [self.align(needle, spoken), self.align(needle, window.collect())]
        });
        // Of two that agree as much, the shorter one, then the earlier; and one without interruptions.
        let key = |found: &Resemblance| (found.agreeing, std::cmp::Reverse((found.tokens.len(), found.source)));
        found.flatten().reduce(|best, next| if key(&next) > key(&best) { next } else { best })
    }

    /// The longest common subsequence of `needle` and some places; of several, the one that ends first.
    fn align(&self, needle: &[u32], places: Vec<usize>) -> Option<Resemblance> {
        let source = self.source_of(*places.get(places.len() / 2)?);
        let places: Vec<usize> = places.into_iter().filter(|place| self.source_of(*place) == source).collect();
        let words: Vec<u32> = places.iter().filter_map(|place| self.words.get(*place)).copied().collect();
        let columns = words.len() + 1;
        let mut table = vec![0u16; (needle.len() + 1) * columns];
        let at = |row: usize, column: usize| row * columns + column;
        for (row, wanted) in needle.iter().enumerate().rev() {
            for (column, word) in words.iter().enumerate().rev() {
                let value = if wanted == word {
                    table.get(at(row + 1, column + 1))? + 1
                } else {
                    *table.get(at(row + 1, column))?.max(table.get(at(row, column + 1))?)
                };
                *table.get_mut(at(row, column))? = value;
            }
        }
        let total = usize::from(*table.first()?);
        if total == 0 {
            return None;
        }
        // Takes the last column at which everything still fits, so that the stretch is as short as possible.
        let mut column = (0..words.len()).rev().find(|&column| table.get(column).copied() == table.first().copied())?;
        let mut row = 0;
        let (mut first, mut last) = (None, 0);
        while row < needle.len() && column < words.len() {
            let here = *table.get(at(row, column))?;
            if here == 0 {
                break;
            }
            if needle.get(row) == words.get(column) && here == table.get(at(row + 1, column + 1))? + 1 {
                first.get_or_insert(column);
                last = column;
                row += 1;
                column += 1;
            } else if *table.get(at(row + 1, column))? == here {
                row += 1;
            } else {
                column += 1;
            }
        }
        let base = self.bases.get(source)?;
        let tokens = places.get(first?..=last)?.iter().map(|place| place - base).collect();
        Some(Resemblance { source, tokens, agreeing: total })
    }
}
