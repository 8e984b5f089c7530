//! Records of the memory as a table, as text and as JSON.

use serde_json::{Value, json};

use super::table::{headings, set_in};
use crate::{
    editorial::citations::for_reader,
    newsroom::{MemoryRecord, local_time},
    ports::{Remembered, Strike},
    text::sanitise,
};

/// Most characters of a query in the table.
const LONGEST_QUERY: usize = 80;

/// One line a record, what it was asked last. `since` is when records begin to be offered.
pub fn memory_table(records: &[Remembered], since: Option<&str>) -> String {
    let mut table = headings(["key", "state", "verdict", "checked", "agent", "model", "story", "query"]);
    for kept in records {
        let record = &kept.record;
        table.push(vec![
            record.cache_key_hash().to_owned(),
            kept.state(since).to_owned(),
            record.verdict().status.name().to_owned(),
            record.timestamp().chars().take(10).collect(),
            record.specialist().name().to_owned(),
            sanitise::excerpt(record.model_name(), 40),
            sanitise::excerpt(record.article_id(), 60),
            sanitise::excerpt(record.query(), LONGEST_QUERY),
        ]);
    }
    set_in(&table)
}

/// A record whole but for its prompt, as lines.
pub fn record_text(kept: &Remembered, since: Option<&str>) -> String {
    let (record, verdict) = (&kept.record, kept.record.verdict());
    let made = kept.run.as_ref().map_or_else(|| "imported".to_owned(), |run| format!("run {run}"));
    let line = sanitise::one_line;
    let mut lines = vec![
        format!("{} ({}): {}", record.cache_key_hash(), record.specialist().name(), kept.state(since)),
        format!(
            "  checked   {} for {}, concern {} ({made})",
            local_time(record.timestamp()),
            line(record.article_id()),
            verdict.concern_id
        ),
        format!("  by        {}", line(record.model_name())),
        format!("  query     {}", line(record.query())),
        format!("  verdict   {}: {}", verdict.status.name(), line(&verdict.rationale)),
    ];
    lines.extend(verdict.suggested_fix.iter().map(|fix| format!("  to do     {}", line(fix))));
    lines.extend(verdict.evidence.iter().map(|evidence| format!("  evidence  {}", line(evidence))));
    lines.extend(
        verdict.citations.iter().flatten().map(|citation| format!("  cites     {}", line(&for_reader(citation, &[])))),
    );
    if let Some(Strike { by, at, reason }) = kept.strike() {
        lines.push(format!("  struck    {} by {}: {}", local_time(at), line(by), line(reason)));
    }
    lines.push("  what was found:".to_owned());
    let found = sanitise::clean(record.passages_found());
    match found.trim() {
        "" => lines.push("    nothing".to_owned()),
        found => lines.extend(found.lines().map(|line| format!("    {}", for_reader(line, &[])).trim_end().to_owned())),
    }
    if let MemoryRecord::Evidence(search) = record {
        lines.extend(search.citations.iter().map(|citation| format!("    [{}]", line(citation))));
    }
    lines.join("\n")
}

/// The records without their long texts.
pub fn memory_json(records: &[Remembered], since: Option<&str>) -> Value {
    records
        .iter()
        .map(|kept| {
            let record = &kept.record;
            json!({
                "cache_key_hash": record.cache_key_hash(),
                "agent": record.specialist().name(),
                "timestamp": record.timestamp(),
                "article_id": record.article_id(),
                "model_name": record.model_name(),
                "query": record.query(),
                "status": record.verdict().status,
                "state": kept.state(since),
                "struck": kept.strike(),
                "run": kept.run,
            })
        })
        .collect()
}

/// A record whole, with how it stands.
///
/// # Errors
/// If it cannot be put as JSON.
pub fn record_json(kept: &Remembered, since: Option<&str>) -> serde_json::Result<Value> {
    let record = serde_json::to_value(&kept.record)?;
    Ok(json!({ "state": kept.state(since), "struck": kept.strike(), "run": kept.run, "record": record }))
}
