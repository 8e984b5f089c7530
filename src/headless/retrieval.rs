//! The quality of the search, as a table for a person, as a JSON array for a program.

use serde::Serialize;

use super::table::{plain, trimmed};
use crate::knowledge::measures::Measures;

/// The scores of one way of searching.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RetrievalScores {
    /// `text`, `dense` or `fused`.
    pub mode: &'static str,
    /// Questions that were measured.
    pub queries: usize,
    /// The means over them.
    #[serde(flatten)]
    pub measures: Measures,
    /// Seconds until everything that this way needs was indexed.
    pub index_s: f64,
    /// Milliseconds a question.
    pub query_ms: Milliseconds,
}

/// Milliseconds a question.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Milliseconds {
    /// The median.
    pub p50: f64,
    /// The time that 95 of 100 questions stay below.
    pub p95: f64,
}

/// The scores as one JSON array.
///
/// # Errors
/// If they cannot be written as JSON, which their types rule out.
pub fn retrieval_json(scores: &[RetrievalScores]) -> serde_json::Result<String> {
    serde_json::to_string(scores)
}

/// The scores as a table.
#[must_use]
pub fn retrieval_table(scores: &[RetrievalScores]) -> String {
    let head =
        ["mode", "queries", "nDCG@10", "recall@5", "recall@10", "MRR@10", "index s", "query ms p50", "query ms p95"];
    let mut table = plain(&head);
    for score in scores {
        let Measures { ndcg_10, recall_5, recall_10, mrr_10 } = score.measures;
        let mut row = vec![score.mode.to_owned(), score.queries.to_string()];
        row.extend([ndcg_10, recall_5, recall_10, mrr_10].map(|value| format!("{value:.3}")));
        row.extend([score.index_s, score.query_ms.p50, score.query_ms.p95].map(|value| format!("{value:.2}")));
        table.add_row(row);
    }
    trimmed(&table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_for_people_and_an_array_for_programs() {
        let scores = [RetrievalScores {
            mode: "text",
            queries: 3,
            measures: Measures { ndcg_10: 0.5, recall_5: 0.25, recall_10: 1.0, mrr_10: 0.75 },
            index_s: 0.125,
            query_ms: Milliseconds { p50: 1.0, p95: 2.5 },
        }];
        assert_eq!(
            retrieval_json(&scores).unwrap(),
            "[{\"mode\":\"text\",\"queries\":3,\"ndcg@10\":0.5,\"recall@5\":0.25,\"recall@10\":1.0,\"mrr@10\":0.75,\"index_s\":0.125,\
             \"query_ms\":{\"p50\":1.0,\"p95\":2.5}}]"
        );
        let said = retrieval_table(&scores);
        let row: Vec<&str> = said.lines().last().unwrap().split_whitespace().collect();
        assert_eq!(row, ["text", "3", "0.500", "0.250", "1.000", "0.750", "0.12", "1.00", "2.50"]);
    }
}
