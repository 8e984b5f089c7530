//! Joins the ranking by words and the ranking by vectors.
//!
//! The scores of each are scaled to 0..1 between its worst and its best candidate (min-max), then weighted and added. A passage that one
//! ranking does not have gets 0 from it.

use std::collections::HashMap;

use copydesk_core::ports::{Candidates, DenseMatch, TextMatch};

/// The weight of the words; the vectors have the rest.
const WORDS: f64 = 0.5;

/// A candidate of either ranking or of both.
#[derive(Debug, Clone, PartialEq)]
pub struct Fused {
    pub passage: i64,
    /// From 0 to 1.
    pub score: f64,
    /// Its rank by words. The words themselves are looked up later.
    pub text: Option<TextMatch>,
    /// Its rank by vector.
    pub dense: Option<DenseMatch>,
}

/// One ranking of both, best first. Passages of the same score are in the order of their keys.
pub fn fuse(candidates: &Candidates) -> Vec<Fused> {
    let both = !candidates.text.is_empty() && !candidates.dense.is_empty();
    let (by_words, by_vector) = if both { (WORDS, 1.0 - WORDS) } else { (1.0, 1.0) };
    let mut found: HashMap<i64, Fused> = HashMap::new();
    let empty = |passage| Fused { passage, score: 0.0, text: None, dense: None };
    let place = scale(candidates.text.iter().map(|hit| hit.score), both);
    for (hit, rank) in candidates.text.iter().zip(1..) {
        let fused = found.entry(hit.passage).or_insert_with(|| empty(hit.passage));
        fused.score += by_words * place(hit.score);
        fused.text = Some(TextMatch { rank, score: hit.score, words: Vec::new() });
    }
    let place = scale(candidates.dense.iter().map(|hit| hit.score), both);
    for (hit, rank) in candidates.dense.iter().zip(1..) {
        let fused = found.entry(hit.passage).or_insert_with(|| empty(hit.passage));
        fused.score += by_vector * place(hit.score);
        fused.dense = Some(DenseMatch { rank, similarity: hit.score });
    }
    let mut fused: Vec<Fused> = found.into_values().collect();
    fused.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.passage.cmp(&b.passage)));
    fused
}

/// The place of a score on the scale from the worst to the best. A ranking alone is scaled from 0, so that its last passage still has a
/// score.
fn scale(scores: impl Iterator<Item = f64>, both: bool) -> impl Fn(f64) -> f64 {
    let (least, most) =
        scores.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), score| (least.min(score), most.max(score)));
    let least = if both { least } else { 0.0 };
    let width = most - least;
    move |score: f64| if width > 0.0 { ((score - least) / width).clamp(0.0, 1.0) } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use copydesk_core::ports::PassageHit;

    fn found(passage: i64, score: f64) -> PassageHit {
        PassageHit { passage, score }
    }

    #[test]
    fn what_both_find_comes_before_what_one_finds() {
        let candidates = Candidates {
            text: vec![found(1, 10.0), found(2, 8.0), found(3, 2.0)],
            dense: vec![found(2, 0.8), found(4, 0.7), found(3, 0.4)],
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
        let fused = fuse(&Candidates { text: vec![found(7, 4.0), found(3, 2.0), found(5, 2.0)], dense: vec![] });
        let places: Vec<(i64, f64)> = fused.iter().map(|f| (f.passage, f.score)).collect();
        assert_eq!(places, [(7, 1.0), (3, 0.5), (5, 0.5)]);
        assert!(fuse(&Candidates::default()).is_empty());
    }
}
