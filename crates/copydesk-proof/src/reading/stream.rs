//! The words of all sources in their order. Quotations are looked up here.
//!
//! All sources are in one sequence, so that one index serves them all. Interruptions (a time code, a speaker's label,
//! `,” she said. “`, `[laughs]`) stay in it, but a quotation may skip them.

use std::ops::Range;

use compact_str::CompactString;
use foldhash::HashMap;

use crate::reading::{Forms, ParsedText, interruptions::interruptions};

/// A word that no source has.
const UNKNOWN: u32 = u32::MAX;

/// The separator between two sources.
const END: u32 = u32::MAX - 1;

/// Two pieces of a quotation are at most so many words apart.
const LEAP: usize = 250;

/// At most so many places of a word are tried.
const TRIED: usize = 20_000;

/// The words of all sources in one sequence.
#[derive(Debug, Default)]
pub struct Stream {
    ids: HashMap<CompactString, u32>,
    pub words: Vec<u32>,
    /// The first place of each source. A place minus this is the word's index in that source.
    pub bases: Vec<usize>,
    /// The interruptions, in order and apart from each other.
    skips: Vec<Range<usize>>,
    /// The places of word `id` are `places[starts[id]..starts[id + 1]]`.
    starts: Vec<usize>,
    places: Vec<u32>,
}

/// The place of a quotation's pieces in one source, as ranges of its words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamMatch {
    pub source: usize,
    pub parts: Vec<Range<usize>>,
}

impl StreamMatch {
    /// From the first word to the last.
    pub fn whole(&self) -> Range<usize> {
        let start = self.parts.first().map_or(0, |part| part.start);
        start..self.parts.last().map_or(start, |part| part.end)
    }
}

impl Stream {
    /// The words of some texts that were read with these `forms`.
    pub fn new<'r, 'a: 'r>(readings: impl IntoIterator<Item = &'r ParsedText<'a>>, forms: &Forms) -> Self {
        let mut stream = Self { ids: forms.words().clone(), ..Self::default() };
        for reading in readings {
            if !stream.words.is_empty() {
                stream.words.push(END);
            }
            let base = stream.words.len();
            stream.bases.push(base);
            stream.words.extend(reading.tokens.iter().map(|token| token.id));
            stream.skips.extend(interruptions(reading).into_iter().map(|range| base + range.start..base + range.end));
        }
        let mut starts = vec![0usize; stream.ids.len() + 1];
        for id in &stream.words {
            if let Some(count) = starts.get_mut((*id as usize).saturating_add(1)) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut next = starts.clone();
        let mut places = vec![0u32; sum];
        for (at, id) in stream.words.iter().enumerate() {
            let Some(free) = next.get_mut(*id as usize) else { continue };
            if let Some(place) = places.get_mut(*free) {
                *place = u32::try_from(at).unwrap_or(u32::MAX);
            }
            *free += 1;
        }
        Self { starts, places, ..stream }
    }

    /// The number under which a folded word is compared.
    pub fn look_up(&self, word: &str) -> u32 {
        self.ids.get(word).copied().unwrap_or(UNKNOWN)
    }

    /// Whether a source has a folded word.
    pub fn knows(&self, word: &str) -> bool {
        !self.places(self.look_up(word)).is_empty()
    }

    pub fn places(&self, word: u32) -> &[u32] {
        let id = word as usize;
        let Some([start, end]) = self.starts.get(id..id.saturating_add(2)) else { return &[] };
        self.places.get(*start..*end).unwrap_or_default()
    }

    pub fn source_of(&self, place: usize) -> usize {
        self.bases.partition_point(|base| *base <= place).saturating_sub(1)
    }

    /// The places at which all `needles` stand in order in one source, each word for word and none far from the next;
    /// at most `most`.
    pub fn find(&self, needles: &[Vec<u32>], most: usize) -> Vec<StreamMatch> {
        let longest = needles.iter().enumerate().max_by_key(|(at, needle)| (needle.len(), std::cmp::Reverse(*at)));
        let Some((anchor, needle)) = longest else { return Vec::new() };
        let (Some(before), Some(after)) = (needles.get(..anchor), needles.get(anchor + 1..)) else { return Vec::new() };
        let mut found = Vec::new();
        for middle in self.occurrences(needle) {
            let mut parts = vec![middle.clone()];
            let mut start = middle.start;
            let left = before.iter().rev().all(|needle| {
                let part = (start.saturating_sub(LEAP)..start).rev().find_map(|last| self.behind(needle, last + 1));
                start = part.as_ref().map_or(start, |part| part.start);
                part.map(|part| parts.insert(0, part)).is_some()
            });
            let mut end = middle.end;
            let right = left
                && after.iter().all(|needle| {
                    let part = (end..end + LEAP).find_map(|first| self.ahead(needle, first));
                    end = part.as_ref().map_or(end, |part| part.end);
                    part.map(|part| parts.push(part)).is_some()
                });
            let source = self.source_of(middle.start);
            let one = self.source_of(start) == source && self.source_of(end.saturating_sub(1)) == source;
            if let (true, true, Some(base)) = (right, one, self.bases.get(source)) {
                let parts = parts.into_iter().map(|part| part.start - base..part.end - base).collect();
                found.push(StreamMatch { source, parts });
                if found.len() >= most {
                    break;
                }
            }
        }
        found
    }

    /// The places of one needle.
    fn occurrences(&self, needle: &[u32]) -> impl Iterator<Item = Range<usize>> {
        let rarest = needle.iter().enumerate().min_by_key(|(_, word)| self.places(**word).len());
        let (offset, word) = rarest.map_or((0, UNKNOWN), |(offset, word)| (offset, *word));
        let (head, tail) = needle.split_at_checked(offset).unwrap_or_default();
        self.places(word).iter().take(TRIED).filter_map(move |place| {
            let place = *place as usize;
            let start = if head.is_empty() { place } else { self.behind(head, place)?.start };
            Some(start..self.ahead(tail, place)?.end)
        })
    }

    /// The stretch from `at` on that has `needle`, without interruptions.
    fn ahead(&self, needle: &[u32], at: usize) -> Option<Range<usize>> {
        let (mut place, mut index) = (at, 0);
        while let Some(word) = needle.get(index) {
            if self.words.get(place) == Some(word) {
                (place, index) = (place + 1, index + 1);
                continue;
            }
            // Words that agreed inside the interruption agreed by chance.
            let skip = self.skips.get(self.skips.partition_point(|skip| skip.end <= place))?;
            if skip.start > place || skip.start <= at {
                return None;
            }
            index = index.checked_sub(place - skip.start)?;
            place = skip.end;
        }
        Some(at..place)
    }

    /// The stretch up to `to` that has `needle`, without interruptions.
    fn behind(&self, needle: &[u32], to: usize) -> Option<Range<usize>> {
        let (mut place, mut left) = (to, needle.len());
        while left > 0 {
            if place > 0 && self.words.get(place - 1) == needle.get(left - 1) {
                (place, left) = (place - 1, left - 1);
                continue;
            }
            let skip = self.skips.get(self.skips.partition_point(|skip| skip.end < place))?;
            if skip.start >= place || skip.start == 0 {
                return None;
            }
            left += skip.end - place;
            if left > needle.len() {
                return None;
            }
            place = skip.start;
        }
        Some(place..to)
    }

    /// The word before or after one of a source, if only an interruption stands between.
    pub fn beside(&self, source: usize, token: usize, behind: bool) -> Option<usize> {
        let base = *self.bases.get(source)?;
        let mut place = base + token;
        if behind {
            place += 1;
            if let Some(skip) = self.skip_over(place) {
                place = skip.end;
            }
        } else {
            place = place.checked_sub(1)?;
            if let Some(skip) = self.skip_over(place) {
                place = skip.start.checked_sub(1)?;
            }
        }
        let spoken = self.words.get(place).is_some_and(|word| *word != END);
        (spoken && self.source_of(place) == source).then(|| place - base)
    }

    pub fn skip_over(&self, place: usize) -> Option<&Range<usize>> {
        self.skips.get(self.skips.partition_point(|skip| skip.end <= place)).filter(|skip| skip.start <= place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "[00:01] VOSS: We vote [laughs] on Thursday.\n[00:02] VOSS: I would not call it a party.\n\n\
                          “I can get to the gate,” she said. “In eleven years I have not once got to the pond.”";

    fn found(pieces: &[&str]) -> Vec<String> {
        let mut forms = Forms::default();
        let readings = [ParsedText::read("Other words.", &mut forms), ParsedText::read(SOURCE, &mut forms)];
        let stream = Stream::new(&readings, &forms);
        let needles: Vec<Vec<u32>> = pieces
            .iter()
            .map(|piece| ParsedText::new(piece).tokens.iter().map(|token| stream.look_up(&token.word)).collect())
            .collect();
        let show = |passage: &StreamMatch| {
            let tokens = &readings[passage.source].tokens[passage.whole()];
            tokens.iter().map(|token| token.word.as_str()).collect::<Vec<_>>().join(" ")
        };
        stream.find(&needles, 8).iter().map(show).collect()
    }

    #[test]
    fn a_quotation_passes_over_what_interrupts_it() {
        assert_eq!(found(&["we vote on thursday i would not"]), ["we vote laughs on thursday 00 02 voss i would not"]);
        assert_eq!(found(&["we vote laughs on"]), ["we vote laughs on"]);
        assert_eq!(found(&["to the gate in eleven years"]), ["to the gate she said in eleven years"]);
        assert_eq!(found(&["the gate she said in"]), ["the gate she said in"]);
        assert_eq!(found(&["would not party"]), [""; 0]);
        assert_eq!(found(&["words we vote"]), [""; 0]);
    }

    #[test]
    fn pieces_stand_in_order() {
        assert_eq!(found(&["i would", "a party"]), ["i would not call it a party"]);
        assert_eq!(found(&["a party", "i would"]), [""; 0]);
        assert_eq!(
            found(&["i", "years i have", "got"]),
            ["i can get to the gate she said in eleven years i have not once got"]
        );
    }
}
