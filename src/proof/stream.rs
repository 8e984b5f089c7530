//! What a source says, word for word, in the order in which it is said: where a quotation is looked for.

use std::{collections::HashMap, ops::Range};

use super::{reading::Reading, speakers::is_saying};

/// A word that no source has.
pub(super) const UNKNOWN: u32 = u32::MAX;

/// Longest quotation that is aligned word by word where it does not stand as it is.
const LONGEST: usize = 300;

/// The numbers under which words are compared.
#[derive(Debug, Default)]
pub(super) struct Lexicon {
    ids: HashMap<String, u32>,
}

impl Lexicon {
    fn learn(&mut self, word: &str) -> u32 {
        if let Some(id) = self.ids.get(word) {
            return *id;
        }
        let id = u32::try_from(self.ids.len()).unwrap_or(UNKNOWN);
        self.ids.insert(word.to_owned(), id);
        id
    }

    pub fn look_up(&self, word: &str) -> u32 {
        self.ids.get(word).copied().unwrap_or(UNKNOWN)
    }
}

/// One source's words in a row.
#[derive(Debug)]
pub(super) struct Stream {
    words: Vec<u32>,
    /// The word's index in the reading.
    tokens: Vec<usize>,
    places: HashMap<u32, Vec<usize>>,
}

/// A stretch of a stream that resembles a quotation.
#[derive(Debug, Clone)]
pub(super) struct Resemblance {
    /// The stretch, from the first word that agrees to the last.
    pub range: Range<usize>,
    /// How many words agree.
    pub agreeing: usize,
}

impl Stream {
    /// Everything that is spoken or written, without time codes and speakers' labels.
    pub fn whole(reading: &Reading<'_>, lexicon: &mut Lexicon) -> Self {
        Self::of(reading, lexicon, |_| false)
    }

    /// The same without the attributions that interrupt a quotation (`,” she said. “`), so that a draft may take them out.
    pub fn uninterrupted(reading: &Reading<'_>, lexicon: &mut Lexicon) -> Self {
        let mut skipped = Vec::new();
        for pair in reading.quotations.windows(2) {
            let [one, two] = pair else { continue };
            let gap = reading.between(one.end, two.start);
            let same_paragraph = !reading.text.get(one.end..two.start).unwrap_or("\n\n").contains("\n\n");
            if same_paragraph && gap.len() <= 14 && gap.iter().any(|token| is_saying(&token.word)) {
                skipped.push(one.end..two.start);
            }
        }
        let mut next = 0;
        Self::of(reading, lexicon, |start| {
            while skipped.get(next).is_some_and(|gap: &Range<usize>| gap.end <= start) {
                next += 1;
            }
            skipped.get(next).is_some_and(|gap| gap.start <= start)
        })
    }

    fn of(reading: &Reading<'_>, lexicon: &mut Lexicon, mut skip: impl FnMut(usize) -> bool) -> Self {
        let mut stream = Self { words: Vec::new(), tokens: Vec::new(), places: HashMap::new() };
        for (index, token) in reading.tokens.iter().enumerate() {
            if token.aside() || skip(token.start) {
                continue;
            }
            let id = lexicon.learn(&token.word);
            stream.places.entry(id).or_default().push(stream.words.len());
            stream.words.push(id);
            stream.tokens.push(index);
        }
        stream
    }

    /// The reading's word at a place of the stream.
    pub fn token(&self, place: usize) -> Option<usize> {
        self.tokens.get(place).copied()
    }

    /// Where `needle` stands word for word at or after `from`, at most `most` times.
    pub fn find(&self, needle: &[u32], from: usize, most: usize) -> Vec<Range<usize>> {
        let rarest = needle.iter().enumerate().min_by_key(|(_, word)| self.places.get(word).map_or(0, Vec::len));
        let Some((offset, word)) = rarest else { return Vec::new() };
        let places = self.places.get(word).map_or(&[][..], Vec::as_slice);
        places
            .iter()
            .filter_map(|place| place.checked_sub(offset))
            .filter(|start| *start >= from)
            .map(|start| start..start + needle.len())
            .filter(|range| self.words.get(range.clone()) == Some(needle))
            .take(most)
            .collect()
    }

    /// The stretch that resembles `needle` most, where any does.
    pub fn closest(&self, needle: &[u32]) -> Option<Resemblance> {
        let needle = needle.get(..needle.len().min(LONGEST))?;
        let width = (needle.len() / 2).max(6);
        let mut votes: HashMap<usize, f64> = HashMap::new();
        for (offset, word) in needle.iter().enumerate() {
            let places = self.places.get(word).map_or(&[][..], Vec::as_slice);
            if places.is_empty() || places.len() > 1_500 && needle.len() > 8 {
                continue;
            }
            #[expect(clippy::cast_precision_loss, reason = "counts of words")]
            let weight = (1.0 + self.words.len() as f64 / places.len() as f64).ln();
            for place in places {
                let diagonal = (place + needle.len() - offset) / width;
                *votes.entry(diagonal).or_default() += weight;
                *votes.entry(diagonal + 1).or_default() += weight;
            }
        }
        let mut best: Vec<(usize, f64)> = votes.into_iter().collect();
        best.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        best.truncate(4);
        best.into_iter()
            .filter_map(|(diagonal, _)| {
                let start = (diagonal.saturating_sub(1) * width).saturating_sub(needle.len() + 4);
                let end = ((diagonal + 1) * width + width + 4).min(self.words.len());
                self.align(needle, start.min(end)..end)
            })
            .max_by_key(|found| {
                (found.agreeing, std::cmp::Reverse(found.range.len()), std::cmp::Reverse(found.range.start))
            })
    }

    /// The longest common subsequence of `needle` and a window; of several, the one that ends soonest.
    fn align(&self, needle: &[u32], window: Range<usize>) -> Option<Resemblance> {
        let words = self.words.get(window.clone())?;
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
        // Latest column at which everything still fits: the tightest stretch from the left.
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
        let first = first?;
        Some(Resemblance { range: window.start + first..window.start + last + 1, agreeing: total })
    }
}
