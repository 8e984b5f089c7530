//! Measures how good a ranking is, by the usual measures of retrieval.
//!
//! The measure nDCG@10 is as in `trec_eval` (Järvelin and Kekäläinen, 2002): a text's grade is its gain, divided by the
//! binary logarithm of its place + 1. The sum is divided by what the best order would have. The measure recall@k is the
//! share of the relevant texts among the first k. The measure MRR@10 is the mean of 1 over the place of the first
//! relevant one, 0 if none is among the first ten.

use std::{collections::HashMap, hash::BuildHasher};

use serde::Serialize;

use crate::evaluation::float;

/// The measures of one ranking, or their means over many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub(crate) struct Measures {
    #[serde(rename = "ndcg@10")]
    pub(crate) ndcg_10: f64,
    #[serde(rename = "recall@5")]
    pub(crate) recall_5: f64,
    #[serde(rename = "recall@10")]
    pub(crate) recall_10: f64,
    #[serde(rename = "mrr@10")]
    pub(crate) mrr_10: f64,
}

/// Measures a ranking of texts, by their names, against the grades of the relevant texts (above 0). None if no text is relevant.
pub(crate) fn measure<S: AsRef<str>, H: BuildHasher>(
    ranking: &[S],
    grades: &HashMap<String, u32, H>,
) -> Option<Measures> {
    let mut ideal: Vec<u32> = grades.values().copied().filter(|grade| *grade > 0).collect();
    if ideal.is_empty() {
        return None;
    }
    ideal.sort_unstable_by(|a, b| b.cmp(a));
    let grade = |name: &S| grades.get(name.as_ref()).copied().unwrap_or(0);
    let found: Vec<u32> = ranking.iter().take(10).map(grade).collect();
    let relevant = |most: usize| found.iter().take(most).filter(|grade| **grade > 0).count();
    let share = |most: usize| float(relevant(most)) / float(ideal.len());
    let first = found.iter().zip(1_u32..).find(|(grade, _)| **grade > 0);
    Some(Measures {
        ndcg_10: gain(&found) / gain(&ideal),
        recall_5: share(5),
        recall_10: share(10),
        mrr_10: first.map_or(0.0, |(_, place)| 1.0 / f64::from(place)),
    })
}

/// Discounted cumulative gain of the first ten.
fn gain(grades: &[u32]) -> f64 {
    grades.iter().take(10).zip(2_u32..).map(|(grade, place)| f64::from(*grade) / f64::from(place).log2()).sum()
}

pub(crate) fn mean(of: &[Measures]) -> Measures {
    let count = float(of.len().max(1));
    let mean = |value: fn(&Measures) -> f64| of.iter().map(value).sum::<f64>() / count;
    Measures {
        ndcg_10: mean(|m| m.ndcg_10),
        recall_5: mean(|m| m.recall_5),
        recall_10: mean(|m| m.recall_10),
        mrr_10: mean(|m| m.mrr_10),
    }
}

/// The value below which a share of `values` lies (nearest rank); 0 of none.
pub(crate) fn percentile(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a place in a list")]
    let place = ((float(sorted.len()) * share).ceil() as usize).saturating_sub(1);
    sorted.get(place).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ranking_is_measured_as_the_field_does() {
        let grades: HashMap<String, u32> =
            [("a", 2), ("b", 1), ("c", 1), ("d", 0)].map(|(n, g)| (n.to_owned(), g)).into();
        let measured = measure(&["x", "a", "d", "b", "y"], &grades).unwrap();
        // (2/log2(3) + 1/log2(5)) / (2/log2(2) + 1/log2(3) + 1/log2(4))
        assert!((measured.ndcg_10 - 0.540_586).abs() < 1e-6, "{}", measured.ndcg_10);
        assert!((measured.recall_5 - 2.0 / 3.0).abs() < 1e-12 && (measured.recall_10 - 2.0 / 3.0).abs() < 1e-12);
        assert!((measured.mrr_10 - 0.5).abs() < 1e-12);
        let perfect = measure(&["a", "c", "b"], &grades).unwrap();
        assert_eq!(perfect, Measures { ndcg_10: 1.0, recall_5: 1.0, recall_10: 1.0, mrr_10: 1.0 });
        assert_eq!(measure(&["x"], &grades), Some(Measures::default()));
        assert_eq!(measure(&["d"], &[("d".to_owned(), 0)].into()), None);
        let both = mean(&[perfect, Measures::default()]);
        assert!((both.ndcg_10 - 0.5).abs() < 1e-12 && (both.mrr_10 - 0.5).abs() < 1e-12);
    }

    #[test]
    fn percentiles_are_values_that_occurred() {
        let values = [5.0, 1.0, 3.0, 2.0, 4.0];
        assert!((percentile(&values, 0.5) - 3.0).abs() < f64::EPSILON);
        assert!((percentile(&values, 0.95) - 5.0).abs() < f64::EPSILON);
        assert!(percentile(&[], 0.5).abs() < f64::EPSILON);
    }
}
