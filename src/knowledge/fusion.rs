//! Two rankings become one.
//!
//! Scores of each are brought to 0..1 between the worst and the best of its candidates (min-max), then weighted and added; what one
//! ranking does not have gets 0 there.

use std::collections::HashMap;

use crate::ports::{Candidates, DenseMatch, TextMatch};

/// What the words weigh against the vectors.
const WORDS: f64 = 0.5;

/// A candidate of either ranking or of both.
#[derive(Debug, Clone, PartialEq)]
pub struct Fused {
    /// The passage.
    pub passage: i64,
    /// From 0 to 1.
    pub score: f64,
    /// Its place by words; which words is not known here.
    pub text: Option<TextMatch>,
    /// Its place by vector.
    pub dense: Option<DenseMatch>,
}

/// One ranking of both, best first; what is equal keeps the order of its keys.
#[must_use]
pub fn fuse(candidates: &Candidates) -> Vec<Fused> {
    let both = !candidates.text.is_empty() && !candidates.dense.is_empty();
    let (by_words, by_vector) = if both { (WORDS, 1.0 - WORDS) } else { (1.0, 1.0) };
    let mut found: HashMap<i64, Fused> = HashMap::new();
    let empty = |passage| Fused { passage, score: 0.0, text: None, dense: None };
    let scale = Scale::of(candidates.text.iter().map(|hit| hit.score), both);
    for (hit, rank) in candidates.text.iter().zip(1..) {
        let fused = found.entry(hit.passage).or_insert_with(|| empty(hit.passage));
        fused.score += by_words * scale.place(hit.score);
        fused.text = Some(TextMatch { rank, score: hit.score, words: Vec::new() });
    }
    let scale = Scale::of(candidates.dense.iter().map(|hit| hit.similarity), both);
    for (hit, rank) in candidates.dense.iter().zip(1..) {
        let fused = found.entry(hit.passage).or_insert_with(|| empty(hit.passage));
        fused.score += by_vector * scale.place(hit.similarity);
        fused.dense = Some(DenseMatch { rank, similarity: hit.similarity });
    }
    let mut fused: Vec<Fused> = found.into_values().collect();
    fused.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.passage.cmp(&b.passage)));
    fused
}

/// Where a score lies between the worst and the best.
struct Scale {
    least: f64,
    most: f64,
}

impl Scale {
    /// Alone, a ranking is measured from nothing, so that its last is not worth nothing.
    fn of(scores: impl Iterator<Item = f64>, both: bool) -> Self {
        let (least, most) =
            scores.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), score| (least.min(score), most.max(score)));
        Self { least: if both { least } else { 0.0 }, most }
    }

    fn place(&self, score: f64) -> f64 {
        let width = self.most - self.least;
        if width > 0.0 { ((score - self.least) / width).clamp(0.0, 1.0) } else { 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ports::{DenseHit, TextHit};

    fn text(passage: i64, score: f64) -> TextHit {
        TextHit { passage, score }
    }

    fn dense(passage: i64, similarity: f64) -> DenseHit {
        DenseHit { passage, similarity }
    }

    #[test]
    fn what_both_find_comes_before_what_one_finds() {
        let candidates = Candidates {
            text: vec![text(1, 10.0), text(2, 8.0), text(3, 2.0)],
            dense: vec![dense(2, 0.8), dense(4, 0.7), dense(3, 0.4)],
        };
        let fused = fuse(&candidates);
        let places: Vec<(i64, String)> = fused.iter().map(|f| (f.passage, format!("{:.3}", f.score))).collect();
        let expected = [(2, "0.875"), (1, "0.500"), (4, "0.375"), (3, "0.000")];
        assert_eq!(places, expected.map(|(passage, score)| (passage, score.to_owned())));
        assert_eq!((fused[0].text.as_ref().unwrap().rank, fused[0].dense.unwrap().rank), (2, 1));
        assert!(fused[2].text.is_none() && fused[1].dense.is_none());
    }

    #[test]
    fn one_ranking_alone_keeps_its_order() {
        let fused = fuse(&Candidates { text: vec![text(7, 4.0), text(3, 2.0), text(5, 2.0)], dense: vec![] });
        let places: Vec<(i64, f64)> = fused.iter().map(|f| (f.passage, f.score)).collect();
        assert_eq!(places, [(7, 1.0), (3, 0.5), (5, 0.5)]);
        assert!(fuse(&Candidates::default()).is_empty());
    }
}
