//! The rows that lists are made of, against the records and events behind them.

use std::collections::{HashMap, HashSet};

use super::log_book::LogBook;
use crate::prelude::*;
use crate::{blobs::record_in, columns::read_step, journal::load};
use copydesk_core::editorial::decisions;
use copydesk_core::ports::{Flaw, SignedOff};
use copydesk_newsroom::{Answer, Choice, Journal, MemoryRecord, Opening, Outcome, fold_name};

/// Compares runs, calls, the memory and signatures.
pub(super) fn rows(db: &Database, told: &LogBook, signed: &[SignedOff], flaws: &mut Vec<Flaw>) -> Result<(), DbFault> {
    let mut wrong = |run: &str, what| {
        let flaw = Flaw::Run { run: run.to_owned(), what };
        if !flaws.contains(&flaw) {
            flaws.push(flaw);
        }
    };
    openings(db, told, &mut wrong)?;
    outputs(db, told, &mut wrong)?;
    calls(db, told, &mut wrong)?;
    signatures(db, told, signed, flaws)?;
    memory(db, flaws)
}

/// A run against what it was opened with, and against its end.
fn openings(db: &Database, told: &LogBook, wrong: &mut impl FnMut(&str, &'static str)) -> Result<(), DbFault> {
    db.each(
        "SELECT run.id, run.run_id, run.title, run.desk, run.pins, run.opened_at, run.state, run.rounds, run.open_concerns,
             run.flags, run.error, run.prompt_tokens, run.completion_tokens,
             (SELECT CAST(coalesce(sum(prompt_tokens), 0) AS BIGINT) FROM journal WHERE run = run.id),
             (SELECT CAST(coalesce(sum(completion_tokens), 0) AS BIGINT) FROM journal WHERE run = run.id),
             story.folded, story.channel, story.slug, run.updated_at, blob.size, blob.packed, blob.body, run.extract
         FROM run LEFT JOIN story ON story.id = run.story LEFT JOIN blob ON blob.id = run.opening",
        [],
        |row| {
            let (id, run): (i64, String) = (row.get(0)?, row.get(1)?);
            // If its opening cannot be read, the check of the texts says so.
            if let Some(opening) = readable(record_in::<Opening>(db, row, 19))? {
                opened(row, &opening, |what| wrong(&run, what))?;
            }
            if let Some(closed) = told.closed.get(&id) {
                ended(row, closed, |what| wrong(&run, what))?;
            }
            Ok(())
        },
    )
}

fn opened(row: &DbRow<'_>, opening: &Opening, mut wrong: impl FnMut(&'static str)) -> Result<(), DbFault> {
    let story = opening.topic.story();
    let text = |column: usize| row.get::<Option<String>>(column);
    let mut same = |what, listed: Option<String>, written: Option<&str>| {
        if listed.as_deref() != written {
            wrong(what);
        }
    };
    same("name", text(1)?, Some(&opening.run_id));
    same("title", text(2)?, Some(&opening.topic.source_metadata.topic_title));
    same("desk", text(3)?, opening.desk.as_deref());
    same("settings", text(4)?, Some(&opening.pins));
    same("time of opening", text(5)?, Some(&opening.opened_at));
    same("story", text(15)?.as_deref().map(fold_name), Some(&story.folded()));
    let spelled = text(16)?.zip(text(17)?).map(|(channel, slug)| fold_name(&format!("{channel}/{slug}")));
    same("story", spelled, Some(&story.folded()));
    // An extract in which somebody has written is none any more.
    if row.get::<bool>(22)? && !opening.extract {
        wrong("mark of an extract");
    }
    let changed: Option<String> = text(18)?;
    if changed.is_none_or(|at| at.parse::<jiff::Timestamp>().is_err()) {
        wrong("time of the last change");
    }
    Ok(())
}

fn ended(row: &DbRow<'_>, closed: &Event, mut wrong: impl FnMut(&'static str)) -> Result<(), DbFault> {
    let Event::RunClosed { success, rounds, open_concerns, flags: told, error, .. } = closed else { return Ok(()) };
    let state: String = row.get(6)?;
    // A later run of the story takes an open one's place, never an ended one's.
    if state != if *success { "success" } else { "failed" } {
        wrong("result");
    }
    let flags: Vec<String> = serde_json::from_str(row.get_ref(9)?.as_str()?).unwrap_or_default();
    let numbers = (row.get::<u32>(7)?, row.get::<u32>(8)?);
    if numbers != (*rounds, *open_concerns) {
        wrong("number of rounds or concerns");
    }
    if flags != *told {
        wrong("list of flags");
    }
    if row.get::<Option<String>>(10)? != *error {
        wrong("error");
    }
    let spent = (row.get::<i64>(11)?, row.get::<i64>(12)?);
    if spent != (row.get(13)?, row.get(14)?) {
        wrong("number of tokens");
    }
    Ok(())
}

/// The steps of each journal: in order, known, and each with the output that the log names.
fn outputs(db: &Database, told: &LogBook, wrong: &mut impl FnMut(&str, &'static str)) -> Result<(), DbFault> {
    let mut expected: HashMap<i64, i64> = HashMap::new();
    db.each(
        "SELECT journal.run, seq, step, journal.at, hex(blob.digest), run.run_id FROM journal
         JOIN run ON run.id = journal.run LEFT JOIN blob ON blob.id = journal.outcome ORDER BY journal.run, seq",
        [],
        |row| {
            let (run, seq, name): (i64, i64, String) = (row.get(0)?, row.get(1)?, row.get(5)?);
            let next = expected.entry(run).or_insert(1);
            if seq != *next {
                wrong(&name, "journal");
            }
            *next = seq.saturating_add(1);
            let step = readable(read_step(row.get_ref(2)?.as_str()?))?;
            let is_time = row.get::<String>(3).is_ok_and(|at| at.parse::<jiff::Timestamp>().is_ok());
            let Some(step) = step.filter(|_| is_time) else {
                wrong(&name, "journal");
                return Ok(());
            };
            let digest: String = row.get(4)?;
            if told.outputs.get(&(run, Some(step))).is_some_and(|told| !told.eq_ignore_ascii_case(&digest)) {
                wrong(&name, "journal");
            }
            Ok(())
        },
    )?;
    let done: Vec<(i64, String, HashSet<String>, String)> = db.rows(
        "SELECT run.id, run.run_id, hex(blob.digest), (SELECT string_agg(step, ' ') FROM journal WHERE journal.run = run.id)
         FROM run LEFT JOIN blob ON blob.id = run.opening",
        [],
        |row| {
            let steps = row.get_ref(3)?.as_str_or_null()?.unwrap_or_default().split(' ').map(String::from).collect();
            Ok((row.get(0)?, row.get(1)?, steps, row.get(2)?))
        },
    )?;
    let mut steps: HashMap<i64, Vec<Step>> = HashMap::new();
    for (run, step) in told.outputs.keys() {
        steps.entry(*run).or_default().extend(step);
    }
    for (run, name, journal, opening) in done {
        if told.outputs.get(&(run, None)).is_some_and(|told| !told.eq_ignore_ascii_case(&opening)) {
            wrong(&name, "topic");
        }
        let in_journal = |step: &Step| journal.contains(&step.to_string());
        if !steps.get(&run).is_none_or(|steps| steps.iter().all(in_journal)) {
            wrong(&name, "journal");
        }
    }
    Ok(())
}

/// Calls against the log, and against what the servers said.
fn calls(db: &Database, told: &LogBook, wrong: &mut impl FnMut(&str, &'static str)) -> Result<(), DbFault> {
    db.each(
        "SELECT llm_call.run, step, attempt, agent, model, host, prompt_tokens, completion_tokens,
             (SELECT run_id FROM run WHERE run.id = llm_call.run), size, packed, body
         FROM llm_call LEFT JOIN blob ON blob.id = llm_call.answer",
        [],
        |row| {
            let name: String = row.get(8)?;
            let step = readable(read_step(row.get_ref(1)?.as_str()?))?;
            let Some(step) = step else {
                wrong(&name, "list of calls");
                return Ok(());
            };
            let asked: [String; 3] = [row.get(3)?, row.get(4)?, row.get(5)?];
            let key = (row.get(0)?, step, row.get(2)?);
            if told.calls.get(&key).is_some_and(|told| *told != asked) {
                wrong(&name, "list of calls");
            }
            if row.get::<Option<i64>>(9)?.is_some()
                && let Some(answer) = readable(record_in::<Answer>(db, row, 9))?
            {
                let listed = (row.get::<Option<i64>>(6)?, row.get::<Option<i64>>(7)?);
                let whole = |tokens: Option<u64>| tokens.map(crate::columns::whole);
                if listed != (whole(answer.usage.prompt_tokens), whole(answer.usage.completion_tokens)) {
                    wrong(&name, "list of calls");
                }
            }
            Ok(())
        },
    )
}

/// Signatures: of the rows against the journals, of the journals against the log, of the artifacts against both.
fn signatures(db: &Database, told: &LogBook, signed: &[SignedOff], flaws: &mut Vec<Flaw>) -> Result<(), DbFault> {
    let runs: Vec<(i64, String, Option<String>, bool)> = db.rows(
        "SELECT id, run_id, signed_by, EXISTS (SELECT 1 FROM journal WHERE run = run.id AND step LIKE 'r%.d%')
         FROM run WHERE signed_by IS NOT NULL OR state IN ('success', 'failed')",
        [],
        |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)),
    )?;
    let mut listed: HashMap<String, Option<String>> = HashMap::new();
    for (id, run, by, decided) in runs {
        listed.insert(run.clone(), by.clone());
        if by.is_none() && !decided {
            continue;
        }
        let Some(stored) = readable(load(db, RunKey(id)))? else {
            flaws.push(Flaw::Run { run, what: "journal" });
            continue;
        };
        match (&by, signature(&stored.journal)) {
            (None, None) => {}
            (Some(by), Some((author, chain)))
                if *by == author && told.sign_offs.contains(&(author.clone(), chain.clone())) => {}
            (Some(by), _) => flaws.push(Flaw::Signature { run, by: by.clone() }),
            (None, Some(_)) => flaws.push(Flaw::Run { run, what: "signature" }),
        }
    }
    for SignedOff { run, by, chain } in signed {
        // The run can be one of a story that is hidden from the user.
        if told.hidden > 0 && !listed.contains_key(run) {
            continue;
        }
        // A story that was deleted leaves no run; its artifacts went with it.
        if listed.get(run) != Some(&Some(by.clone())) || !told.has_link(chain) {
            flaws.push(Flaw::SignatureGone { run: run.clone(), by: by.clone() });
        }
    }
    Ok(())
}

/// Who signed the run off, and on what link of the log.
fn signature(journal: &Journal) -> Option<(String, String)> {
    journal.publication()?;
    let by = decisions::signed_by(journal)?;
    journal.entries().iter().rev().find_map(|entry| match &entry.outcome {
        Outcome::Decision(decision) => match &decision.choice {
            Choice::SignOff { chain, .. } => Some((by.to_owned(), chain.clone())),
            _ => None,
        },
        _ => None,
    })
}

/// Compares records of the memory with the columns that find them.
fn memory(db: &Database, flaws: &mut Vec<Flaw>) -> Result<(), DbFault> {
    let mut changed = 0;
    db.each(
        "SELECT cache_key_hash, at, size, packed, body FROM memory LEFT JOIN blob ON blob.id = memory.record",
        [],
        |row| {
            if let Some(record) = readable(record_in::<MemoryRecord>(db, row, 2))? {
                let found_by = (row.get_ref(0)?.as_str()?, row.get_ref(1)?.as_str()?);
                changed += usize::from(found_by != (record.cache_key_hash(), record.timestamp()));
            }
            Ok(())
        },
    )?;
    if changed > 0 {
        flaws.push(Flaw::Memory(changed));
    }
    Ok(())
}
