//! How much of one text's words another has.

use std::{collections::HashSet, ops::Range};

use super::{
    sentences::sentences,
    words::{fold, is_stop_word, stem, words},
};

/// What a text's words come to without their endings; words that say nothing are left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stems(HashSet<String>);

impl Stems {
    /// Of a text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let spoken = words(text);
        let folded = spoken.iter().map(|word| fold(word.text)).filter(|word| !is_stop_word(word));
        Self(folded.map(|word| stem(&word)).collect())
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.len()
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

/// The sentences of a text that have any of the claim's words, those with the most first; of those with as many,
/// the first of the text.
#[must_use]
pub fn nearest_sentences(claim: &Stems, text: &str) -> Vec<Near> {
    let near = |range: Range<usize>| {
        let has = Stems::of(text.get(range.clone()).unwrap_or_default());
        let shared = claim.0.intersection(&has.0).count();
        #[expect(clippy::cast_precision_loss, reason = "counts of words")]
        let share = shared as f64 / claim.0.len().max(1) as f64;
        Near { range, shared, share }
    };
    let mut found: Vec<Near> = sentences(text).into_iter().map(near).filter(|near| near.shared > 0).collect();
    found.sort_by_key(|near| std::cmp::Reverse(near.shared));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sentence_with_most_of_a_claims_words_comes_first() {
        let text = "The park is old. It rained. The council voted to close the park. The council met.";
        let near = nearest_sentences(&Stems::of("The council votes to close the parks."), text);
        let told: Vec<(&str, usize)> = near.iter().map(|near| (&text[near.range.clone()], near.shared)).collect();
        let expected = [("The council voted to close the park.", 4), ("The park is old.", 1), ("The council met.", 1)];
        assert_eq!(told, expected);
        assert!(near[0].share > 0.99 && near[1].share < 0.26, "{near:?}");
        assert!(nearest_sentences(&Stems::of("of the and"), text).is_empty());
    }
}
