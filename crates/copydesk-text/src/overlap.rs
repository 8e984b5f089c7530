//! How much of one text's words another has.

use std::ops::Range;

use foldhash::{HashMap, HashSet};

use super::{
    sentences::sentences,
    words::{fold, is_stop_word, stem, words},
};

/// The stems of a text's words, without stop words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stems(HashSet<String>);

impl Stems {
    /// Of a text.
    pub fn of(text: &str) -> Self {
        let spoken = words(text);
        let folded = spoken.iter().map(|word| fold(word.text)).filter(|word| !is_stop_word(word));
        Self(folded.map(|word| stem(&word)).collect())
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// How many of them another text has.
    pub fn shared(&self, other: &Self) -> usize {
        self.0.iter().filter(|stem| other.0.contains(*stem)).count()
    }

    /// The words of `text` that are not among these, each once, as they are written there. Stop words do not count.
    pub fn missing_of(&self, text: &str) -> Vec<String> {
        let mut seen = HashSet::default();
        let folded = words(text).into_iter().map(|word| (word.text, fold(word.text)));
        folded
            .filter(|(_, folded)| !is_stop_word(folded))
            .filter(|(_, folded)| !self.0.contains(&stem(folded)) && seen.insert(folded.clone()))
            .map(|(written, _)| written.to_owned())
            .collect()
    }

    /// For each part of a text: the sum of ln(1 + n / df) over those of these words that it has. Here df is the number
    /// of parts that have the word, and n the number of all parts.
    #[expect(clippy::cast_precision_loss, reason = "counts of words")]
    pub fn idf_scores(&self, parts: &[&str]) -> Vec<f64> {
        let mut shared: Vec<Vec<String>> = parts
            .iter()
            .map(|part| Self::of(part).0.into_iter().filter(|stem| self.0.contains(stem)).collect())
            .collect();
        let mut often: HashMap<String, f64> = HashMap::default();
        for stem in shared.iter().flatten() {
            *often.entry(stem.clone()).or_default() += 1.0;
        }
        let worth = |stem: &String| (1.0 + parts.len() as f64 / often.get(stem).copied().unwrap_or(1.0)).ln();
        // In the order of the alphabet: a sum of floats depends on its order, and that of a set is never the same.
        for stems in &mut shared {
            stems.sort_unstable();
        }
        shared.iter().map(|stems| stems.iter().map(worth).sum()).collect()
    }
}

/// A sentence beside a claim.
#[derive(Debug, Clone, PartialEq)]
pub struct Near {
    /// Its place in the text.
    pub range: Range<usize>,
    /// How many of the claim's words it has.
    pub shared: usize,
    /// Their share of the claim's words, from 0 to 1.
    pub share: f64,
}

/// A text's sentences with the words that each has: read once, however many claims are held beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentences {
    ranges: Vec<Range<usize>>,
    /// The places in `ranges` of the sentences that have a word.
    with: HashMap<String, Vec<usize>>,
}

impl Sentences {
    /// Of a text.
    pub fn of(text: &str) -> Self {
        let ranges = sentences(text);
        let mut with: HashMap<String, Vec<usize>> = HashMap::default();
        for (place, range) in ranges.iter().enumerate() {
            for stem in Stems::of(text.get(range.clone()).unwrap_or_default()).0 {
                with.entry(stem).or_default().push(place);
            }
        }
        Self { ranges, with }
    }

    /// The sentences that have any of the claim's words, those with the most first; of those with as many, the first of the text.
    pub fn nearest(&self, claim: &Stems) -> Vec<Near> {
        let mut shared = vec![0; self.ranges.len()];
        for place in claim.0.iter().filter_map(|stem| self.with.get(stem)).flatten() {
            if let Some(shared) = shared.get_mut(*place) {
                *shared += 1;
            }
        }
        let near = |(range, shared): (&Range<usize>, usize)| {
            #[expect(clippy::cast_precision_loss, reason = "counts of words")]
            let share = shared as f64 / claim.0.len().max(1) as f64;
            Near { range: range.clone(), shared, share }
        };
        let mut found: Vec<Near> = self.ranges.iter().zip(shared).filter(|(_, shared)| *shared > 0).map(near).collect();
        found.sort_by_key(|near| std::cmp::Reverse(near.shared));
        found
    }

    /// A sentence with the one before it and the one behind it.
    pub fn around(&self, sentence: &Range<usize>) -> Range<usize> {
        let at = self.ranges.iter().position(|range| range == sentence).unwrap_or(0);
        let first = self.ranges.get(at.saturating_sub(1)).map_or(sentence.start, |range| range.start);
        first..self.ranges.get(at + 1).map_or(sentence.end, |range| range.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sentence_with_most_of_a_claims_words_comes_first() {
        let text = "The park is old. It rained. The council voted to close the park. The council met.";
        let near = Sentences::of(text).nearest(&Stems::of("The council votes to close the parks."));
        let told: Vec<(&str, usize)> = near.iter().map(|near| (&text[near.range.clone()], near.shared)).collect();
        let expected = [("The council voted to close the park.", 4), ("The park is old.", 1), ("The council met.", 1)];
        assert_eq!(told, expected);
        assert!(near[0].share > 0.99 && near[1].share < 0.26, "{near:?}");
        assert!(Sentences::of(text).nearest(&Stems::of("of the and")).is_empty());
    }
    #[test]
    fn a_rare_word_counts_more_than_a_common_one() {
        let parts = ["The park is old.", "A park is green.", "The mayor of the park.", "Rain."];
        let scores = Stems::of("The mayor's parks").idf_scores(&parts);
        let (park, mayor) = ((1.0 + 4.0 / 3.0_f64).ln(), 5.0_f64.ln());
        assert_eq!(scores, [park, park, mayor + park, 0.0]);
    }
}
