//! A file of the institutional memory (docs/reference/contract.md), read strictly: what it says is offered to later stories as if this
//! desk had checked it.

use jiff::{SignedDuration, Timestamp, civil::DateTime, tz::TimeZone};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::memory_key;
use copydesk_newsroom::{EvidenceRecord, FactCheckRecord, MemoryRecord, Verdict};
use copydesk_text::sanitise;

/// Most bytes of such a file: a prompt with its sources fits many times.
pub const LARGEST: u64 = 8 << 20;

/// How far ahead of ours the clock may be that a record was made by.
const AHEAD: SignedDuration = SignedDuration::from_hours(24);

/// Why a file is no record of the memory.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadRecord(String);

fn bad<T>(why: impl Into<String>) -> Result<T, BadRecord> {
    Err(BadRecord(why.into()))
}

/// Reads a record. `now` is the hour at which it is read. Its texts are cleaned, and its time is put as this desk has it: ISO 8601
/// in UTC with milliseconds.
///
/// # Errors
/// [`BadRecord`] if a field is missing, unknown or of another kind, or if the key's hash is not that of its fields.
/// Also if the verdict could not be an answer, or if the time is none or lies ahead.
pub fn read(bytes: &[u8], now: Timestamp) -> Result<MemoryRecord, BadRecord> {
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > LARGEST {
        return bad(format!("it is larger than {} MiB, which no record is", LARGEST >> 20));
    }
    let Ok(text) = std::str::from_utf8(bytes) else { return bad("it is not UTF-8") };
    let fields = match serde_json::from_str::<Value>(text) {
        Ok(Value::Object(fields)) => fields,
        Ok(_) => return bad("it is no JSON object"),
        Err(error) => return bad(format!("it is not JSON: {}", super::topic_file::json_flaw(text, &error))),
    };
    // Each kind has one field that the other has not.
    let record = match (fields.contains_key("kb_response"), fields.contains_key("perplexity_response")) {
        (true, false) => MemoryRecord::FactCheck(typed(text)?),
        (false, true) => MemoryRecord::Evidence(typed(text)?),
        _ => return bad("it is neither a fact check (kb_response) nor an evidence search (perplexity_response)"),
    };
    check_key(&record)?;
    match record {
        MemoryRecord::FactCheck(record) => fact_check(record, now).map(MemoryRecord::FactCheck),
        MemoryRecord::Evidence(record) => evidence(record, now).map(MemoryRecord::Evidence),
    }
}

/// Read from the text, not from the value: there a field that stands twice would go unseen.
fn typed<T: DeserializeOwned>(text: &str) -> Result<T, BadRecord> {
    serde_json::from_str(text).map_err(|error| BadRecord(sanitise::excerpt(&error.to_string(), 300)))
}

fn fact_check(record: FactCheckRecord, now: Timestamp) -> Result<FactCheckRecord, BadRecord> {
    Ok(FactCheckRecord {
        timestamp: time(&record.timestamp, now)?,
        article_id: article(&record.article_id)?,
        verdict: verdict(record.verdict, record.concern_id)?,
        prompt: clean(&record.prompt),
        query: clean(&record.query),
        kb_response: clean(&record.kb_response),
        ..record
    })
}

fn evidence(record: EvidenceRecord, now: Timestamp) -> Result<EvidenceRecord, BadRecord> {
    let citations: Vec<String> = record.citations.iter().map(|citation| sanitise::one_line(citation)).collect();
    let verdict = verdict(record.verdict, record.concern_id)?;
    if let Some(made_up) = verdict.citations.iter().flatten().find(|citation| !citations.contains(citation)) {
        return bad(format!(
            "its verdict cites “{}”, which the search did not return",
            sanitise::excerpt(made_up, 100)
        ));
    }
    Ok(EvidenceRecord {
        timestamp: time(&record.timestamp, now)?,
        article_id: article(&record.article_id)?,
        prompt: clean(&record.prompt),
        query: clean(&record.query),
        perplexity_response: clean(&record.perplexity_response),
        citations,
        verdict,
        ..record
    })
}

/// Whether the key is that of its fields, and its normalised query that of its query.
fn check_key(record: &MemoryRecord) -> Result<(), BadRecord> {
    let index = match record {
        MemoryRecord::FactCheck(record) => Some(record.kb_index_version.as_str()),
        MemoryRecord::Evidence(_) => None,
    };
    let (query, model) = (record.normalized_query(), record.model_name());
    for (name, value) in [("normalized_query", Some(query)), ("model_name", Some(model)), ("kb_index_version", index)] {
        let Some(value) = value else { continue };
        if sanitise::is_blank(value) {
            return bad(format!("its {name} is empty"));
        }
        if sanitise::clean(value) != value {
            return bad(format!("its {name} holds control characters"));
        }
    }
    let is = memory_key::cache_key_hash(record.specialist().name(), query, model, index);
    if is != record.cache_key_hash() {
        let given = sanitise::excerpt(record.cache_key_hash(), 40);
        return bad(format!("its cache_key_hash is {given}, but the key's fields give {is}"));
    }
    // Another desk may normalise otherwise; another query it must not be.
    if memory_key::normalise(&sanitise::clean(record.query())) != memory_key::normalise(query) {
        return bad("its normalized_query is not that of its query");
    }
    Ok(())
}

fn verdict(verdict: Verdict, concern: u32) -> Result<Verdict, BadRecord> {
    if verdict.concern_id != concern {
        return bad(format!("its verdict is on concern {}, the record on concern {concern}", verdict.concern_id));
    }
    if let Some(flaw) = verdict.flaw() {
        return bad(format!("its verdict cannot be used: {flaw}"));
    }
    if sanitise::is_blank(&verdict.rationale) {
        return bad("its verdict cannot be used: nothing of its rationale can be seen");
    }
    let tidy = |text: Option<String>| text.map(|text| clean(&text)).filter(|text| !sanitise::is_blank(text));
    let citations: Option<Vec<String>> = verdict
        .citations
        .map(|citations| citations.iter().map(|citation| sanitise::one_line(citation)).collect())
        .filter(|citations: &Vec<String>| !citations.is_empty());
    Ok(Verdict {
        rationale: clean(&verdict.rationale),
        suggested_fix: tidy(verdict.suggested_fix),
        evidence: tidy(verdict.evidence),
        citations,
        ..verdict
    })
}

/// A time as this desk has it. One without a zone is UTC, as the contract says.
fn time(text: &str, now: Timestamp) -> Result<String, BadRecord> {
    let naive = || text.parse::<DateTime>().ok().and_then(|time| time.to_zoned(TimeZone::UTC).ok());
    let Some(time) = text.parse::<Timestamp>().ok().or_else(|| naive().map(|zoned| zoned.timestamp())) else {
        return bad(format!("its timestamp “{}” is no time in ISO 8601", sanitise::excerpt(text, 40)));
    };
    if now.checked_add(AHEAD).is_ok_and(|latest| time > latest) {
        return bad(format!("its timestamp {time} lies in the future"));
    }
    Ok(format!("{time:.3}"))
}

fn article(text: &str) -> Result<String, BadRecord> {
    let article = sanitise::one_line(text);
    if sanitise::is_blank(&article) { bad("its article_id is empty") } else { Ok(article) }
}

fn clean(text: &str) -> String {
    sanitise::clean(text).into_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn now() -> Timestamp {
        "2026-10-07T12:00:00Z".parse().unwrap()
    }

    fn a_fact_check() -> Value {
        json!({
            "timestamp": "2026-10-06T14:00:00.123456+02:00", "article_id": "desk/park", "concern_id": 2,
            "prompt": "Is it so?", "query": "“The Council voted.”", "normalized_query": "the council voted",
            "model_name": "m", "kb_index_version": "v",
            "cache_key_hash": memory_key::cache_key_hash("fact_check", "the council voted", "m", Some("v")),
            "kb_response": "minutes.md, bytes 0-17\nThe council voted.",
            "verdict": { "concern_id": 2, "misleading": false, "status": "KEEP", "rationale": "It did.",
                         "suggested_fix": null, "evidence": "The minutes.", "citations": ["minutes.md, bytes 0-17"] }
        })
    }

    fn a_search() -> Value {
        let mut record = a_fact_check();
        let fields = record.as_object_mut().unwrap();
        fields.remove("kb_index_version");
        fields.remove("kb_response");
        fields.insert("perplexity_response".into(), json!("It did."));
        fields.insert("citations".into(), json!(["https://council.example/minutes"]));
        fields["verdict"]["citations"] = json!(["https://council.example/minutes"]);
        fields["cache_key_hash"] =
            json!(memory_key::cache_key_hash("evidence_finding", "the council voted", "m", None));
        record
    }

    fn said(record: &Value) -> String {
        read(record.to_string().as_bytes(), now()).unwrap_err().to_string()
    }

    #[test]
    fn a_record_is_read_with_its_time_in_utc_and_reads_back_as_it_was_kept() {
        for (record, hash) in [(a_fact_check(), "fact_check"), (a_search(), "evidence_finding")] {
            let kept = read(record.to_string().as_bytes(), now()).unwrap();
            assert_eq!(kept.timestamp(), "2026-10-06T12:00:00.123Z");
            assert_eq!(kept.specialist().name(), hash);
            assert_eq!((kept.article_id(), kept.query()), ("desk/park", "“The Council voted.”"));
            let again = serde_json::to_vec(&kept).unwrap();
            assert_eq!(read(&again, now()).unwrap(), kept, "a file of our own comes back as the same record");
        }
        let mut naive = a_fact_check();
        naive["timestamp"] = json!("2026-10-06T12:00:00");
        assert_eq!(read(naive.to_string().as_bytes(), now()).unwrap().timestamp(), "2026-10-06T12:00:00.000Z");
    }

    #[test]
    fn texts_are_cleaned() {
        let mut record = a_fact_check();
        record["kb_response"] = json!("\u{1b}[31mred\u{202e}");
        record["verdict"]["rationale"] = json!("It\u{1b}]0;x\u{7} did.");
        record["verdict"]["suggested_fix"] = json!(" \u{200b}");
        record["article_id"] = json!("desk/park\n");
        let MemoryRecord::FactCheck(kept) = read(record.to_string().as_bytes(), now()).unwrap() else { panic!() };
        assert_eq!((kept.kb_response.as_str(), kept.article_id.as_str()), ("red", "desk/park"));
        assert_eq!((kept.verdict.rationale.as_str(), kept.verdict.suggested_fix), ("It did.", None));
    }

    #[test]
    fn whatever_breaks_the_contract_is_refused_and_says_why() {
        type Change = fn(&mut Value);
        let changes: [(Change, &str); 16] = [
            (|r| r["note"] = json!(1), "unknown field `note`"),
            (|r| r["verdict"]["note"] = json!(1), "unknown field `note`"),
            (|r| drop(r.as_object_mut().unwrap().remove("prompt")), "missing field `prompt`"),
            (|r| r["concern_id"] = json!("2"), "invalid type"),
            (|r| r["perplexity_response"] = json!(""), "neither a fact check"),
            (|r| r["cache_key_hash"] = json!("00"), "cache_key_hash is 00, but the key's fields give "),
            (|r| r["model_name"] = json!("other"), "but the key's fields give "),
            (|r| r["model_name"] = json!(" "), "its model_name is empty"),
            (|r| r["normalized_query"] = json!("a\u{1b}[1mb"), "normalized_query holds control characters"),
            (|r| r["query"] = json!("The council rested."), "normalized_query is not that of its query"),
            (|r| r["verdict"]["misleading"] = json!(true), "keeps a text that it calls misleading"),
            (|r| r["verdict"]["rationale"] = json!(" "), "rationale is empty"),
            (|r| r["verdict"]["rationale"] = json!("\u{200b}"), "nothing of its rationale can be seen"),
            (|r| r["verdict"]["concern_id"] = json!(3), "verdict is on concern 3, the record on concern 2"),
            (|r| r["timestamp"] = json!("yesterday"), "“yesterday” is no time"),
            (|r| r["timestamp"] = json!("2026-10-09T12:00:00Z"), "lies in the future"),
        ];
        for (change, why) in changes {
            let mut record = a_fact_check();
            change(&mut record);
            assert!(said(&record).contains(why), "{why}: {}", said(&record));
        }
        let mut search = a_search();
        search["verdict"]["citations"] = json!(["https://made.up"]);
        assert!(said(&search).contains("cites “https://made.up”, which the search did not return"));
        let mut nameless = a_search();
        nameless["article_id"] = json!("\n");
        assert!(said(&nameless).contains("article_id is empty"));
    }

    #[test]
    fn what_is_no_record_at_all_is_refused() {
        let twice = a_fact_check().to_string().replacen('{', "{\"query\":\"x\",", 1);
        for (bytes, why) in [
            (b"\xff".to_vec(), "not UTF-8"),
            (b"[]".to_vec(), "no JSON object"),
            (b"{".to_vec(), "not JSON"),
            (twice.into_bytes(), "duplicate field `query`"),
            (vec![b' '; usize::try_from(LARGEST).unwrap() + 1], "larger than 8 MiB"),
        ] {
            let error = read(&bytes, now()).unwrap_err().to_string();
            assert!(error.contains(why), "{why}: {error}");
        }
    }
}
