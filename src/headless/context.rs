//! The savings and losses of shortening for a model, as tables for a person, as one JSON object for a program.

use serde::Serialize;

use super::{
    MeasuredShare,
    table::{plain, trimmed},
};
use crate::{
    agents::{CompactionRecord, SkillTokens},
    text::toon::Notation,
};

/// The tokens of data of one shape, in each notation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ShapeTokens {
    /// Such as `numeric table`.
    pub shape: &'static str,
    /// In JSON with white space.
    pub pretty: u64,
    /// In JSON without white space.
    pub json: u64,
    /// In TOON. Null if it cannot hold the data.
    pub toon: Option<u64>,
    /// The notation that is sent: the smaller of the last two.
    pub sent: Notation,
}

/// A conversation with tools, shortened to a budget.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ConversationScores {
    pub budget: u64,
    #[serde(flatten)]
    pub record: CompactionRecord,
}

/// The losses of a source if only the sentences that bear on a task are kept.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RelevanceScores {
    /// Where the task's words come from: `sentence` (of the draft) or `headline`.
    pub task: &'static str,
    /// The most that is kept, in per cent of the source's tokens.
    pub limit: u64,
    /// Tokens of all sources, once for each task.
    pub tokens: u64,
    pub tokens_kept: u64,
    /// Passages that a fact-checker needs and that were kept whole.
    pub passages: MeasuredShare,
    /// The same if only the beginning of the source is kept.
    pub passages_of_beginning: MeasuredShare,
}

/// All that `eval context` measures.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ContextScores {
    pub encoding: &'static str,
    pub shapes: Vec<ShapeTokens>,
    pub conversation: Vec<ConversationScores>,
    pub relevance: Vec<RelevanceScores>,
    /// The delivered skills.
    pub skills: Vec<SkillTokens>,
}

/// The scores as one JSON object.
///
/// # Errors
/// If they cannot be written as JSON, which their types rule out.
pub fn context_json(scores: &ContextScores) -> serde_json::Result<String> {
    serde_json::to_string(scores)
}

/// The scores as tables.
#[must_use]
pub fn context_tables(scores: &ContextScores) -> String {
    let mut shapes = plain(&["shape", "pretty JSON", "compact JSON", "TOON", "to pretty %", "to compact %", "sent"]);
    for ShapeTokens { shape, pretty, json, toon, sent } in &scores.shapes {
        let to = |other: u64| toon.map_or_else(|| "–".to_owned(), |toon| change(other, toon));
        shapes.add_row([
            (*shape).to_owned(),
            pretty.to_string(),
            json.to_string(),
            toon.map_or_else(|| "–".to_owned(), |toon| toon.to_string()),
            to(*pretty),
            to(*json),
            match sent {
                Notation::Toon => "TOON".to_owned(),
                Notation::Json => "JSON".to_owned(),
            },
        ]);
    }
    let head = ["budget", "exchanges", "before", "after", "change %", "by TOON", "by compact JSON", "by extracts"];
    let mut conversation = plain(&head);
    for ConversationScores { budget, record } in &scores.conversation {
        let saved = [record.toon, record.json, record.extracts].map(|by| by.tokens_saved.to_string());
        let before = [*budget, record.exchanges, record.tokens_before, record.tokens_after].map(|one| one.to_string());
        let change = change(record.tokens_before, record.tokens_after);
        conversation.add_row(before.into_iter().chain([change]).chain(saved));
    }
    let head = ["task", "limit %", "tokens", "kept", "change %", "passages kept %", "by the beginning %"];
    let mut relevance = plain(&head);
    for RelevanceScores { task, limit, tokens, tokens_kept, passages, passages_of_beginning } in &scores.relevance {
        let [passages, beginning] = [passages, passages_of_beginning]
            .map(|share| format!("{:.1} ({:.1} to {:.1})", share.share, share.low, share.high));
        let numbers = [*limit, *tokens, *tokens_kept].map(|one| one.to_string());
        let change = change(*tokens, *tokens_kept);
        relevance.add_row(std::iter::once((*task).to_owned()).chain(numbers).chain([change, passages, beginning]));
    }
    let mut skills = plain(&["agent", "skills", "names", "and one text", "and all texts", "one for all %"]);
    for SkillTokens { agent, skills: number, names, one, all } in &scores.skills {
        let numbers = [*number, *names, *one, *all].map(|one| one.to_string());
        skills.add_row(std::iter::once((*agent).to_owned()).chain(numbers).chain([change(*all, *one)]));
    }
    let title = format!("Tokens are those of {}.", scores.encoding);
    [title, trimmed(&shapes), trimmed(&conversation), trimmed(&relevance), trimmed(&skills)].join("\n\n")
}

/// How much more or less that is, in per cent.
#[expect(clippy::cast_precision_loss, reason = "counts of tokens")]
fn change(before: u64, after: u64) -> String {
    format!("{:+.1}", (after as f64 / before.max(1) as f64 - 1.0) * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::Shortened;

    #[test]
    fn tables_for_people_say_what_is_saved_and_what_is_lost() {
        let shape = |shape, toon, sent| ShapeTokens { shape, pretty: 200, json: 100, toon, sent };
        let record = CompactionRecord {
            exchanges: 4,
            tokens_before: 1_000,
            tokens_after: 250,
            toon: Shortened { messages: 1, tokens_saved: 150 },
            extracts: Shortened { messages: 2, tokens_saved: 600 },
            ..CompactionRecord::default()
        };
        let scores = ContextScores {
            encoding: "o200k_base",
            shapes: vec![shape("mapping", Some(50), Notation::Toon), shape("deep", None, Notation::Json)],
            conversation: vec![ConversationScores { budget: 300, record }],
            relevance: vec![RelevanceScores {
                task: "headline",
                limit: 50,
                tokens: 1_000,
                tokens_kept: 480,
                passages: MeasuredShare::new(9, 10),
                passages_of_beginning: MeasuredShare::new(5, 10),
            }],
            skills: vec![SkillTokens { agent: "editor", skills: 6, names: 400, one: 2_000, all: 10_000 }],
        };
        let said = context_tables(&scores);
        let rows: Vec<String> =
            said.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        for row in [
            "Tokens are those of o200k_base.",
            "mapping 200 100 50 -75.0 -50.0 TOON",
            "deep 200 100 – – – JSON",
            "300 4 1000 250 -75.0 150 0 600",
            "headline 50 1000 480 -52.0 90.0 (59.6 to 98.2) 50.0 (23.7 to 76.3)",
            "editor 6 400 2000 10000 -80.0",
        ] {
            assert!(rows.iter().any(|found| found == row), "{row}:\n{said}");
        }
        let json: serde_json::Value = serde_json::from_str(&context_json(&scores).unwrap()).unwrap();
        assert_eq!(
            (&json["shapes"][0]["sent"], &json["conversation"][0]["tokens_after"]),
            (&"toon".into(), &250.into())
        );
    }
}
