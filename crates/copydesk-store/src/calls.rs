//! Calls: written with their prompt before they are made; closed with the answer, or with the reason why it could not be used.

use serde::{Serialize, de::DeserializeOwned};

use super::{
    blobs::{bytes, put_record, put_texts, record, record_in},
    columns::{counted, read_step, times_in, usage},
    ends::TextDigest,
    stored_prompt::{StoredMessage, StoredPart, StoredPrompt},
};
use crate::prelude::*;
use copydesk_core::ports::{CallNumbers, CallState, Intent, StoredCall};
use copydesk_newsroom::{Answer, CallKey, Message, Part, Prompt};

/// Shortest part of a prompt that is stored by itself: sources, drafts and templates come again and again.
const OWN_BLOB: usize = 200;

fn part_of(name: &str, text: String) -> StoredPart {
    StoredPart { name: name.to_owned(), text: Some(text), blob: None }
}

/// A list as a part that holds its JSON.
fn list_of<T: Serialize>(name: &str, list: &[T]) -> Result<StoredPart, DbFault> {
    let json = serde_json::to_string(list).map_err(|error| unreadable(format!("new {name}"), error))?;
    Ok(part_of(name, json))
}

/// Stores a prompt. Returns its digest.
pub(super) fn put_prompt(db: &Database, prompt: &Prompt) -> Result<TextDigest, DbFault> {
    let message_of = |message: &Message| {
        Ok(StoredMessage {
            role: message.role,
            parts: message.parts.iter().map(|part| part_of(&part.name, part.text.clone())).collect(),
            calls: (!message.calls.is_empty()).then(|| list_of("calls", &message.calls)).transpose()?,
            answers: message.answers.clone(),
        })
    };
    let messages = prompt.messages.iter().map(message_of).collect::<Result<Vec<_>, DbFault>>()?;
    let mut stored = if prompt.tools.is_empty() {
        StoredPrompt::Plain(messages)
    } else {
        StoredPrompt::WithTools { messages, tools: list_of("tools", &prompt.tools)? }
    };
    let texts: Vec<String> =
        stored.parts().filter_map(|part| part.text.take_if(|text| text.len() >= OWN_BLOB)).collect();
    let keys = put_texts(db, &texts)?;
    stored.parts().filter(|part| part.text.is_none()).zip(&keys).for_each(|(part, key)| part.blob = Some(*key));
    let digest = put_record(db, &stored)?;
    for part in keys {
        db.write(
            "INSERT INTO prompt_part (part, prompt) VALUES (?1, (SELECT id FROM text_key WHERE digest = ?2)) ON CONFLICT DO NOTHING",
            params![part, digest.as_slice()],
        )?;
    }
    Ok(digest)
}

/// Reads a prompt back.
pub(super) fn prompt(db: &Database, id: i64) -> Result<Prompt, DbFault> {
    let what = || format!("the prompt {id}");
    let text = |part: StoredPart| match (part.text, part.blob) {
        (Some(text), _) => Ok(text),
        (None, Some(blob)) => String::from_utf8(bytes(db, blob)?).map_err(|error| unreadable(what(), error)),
        (None, None) => Err(unreadable(what(), format!("{} has no text", part.name))),
    };
    let (stored, tools) = match record(db, id)? {
        StoredPrompt::Plain(messages) => (messages, None),
        StoredPrompt::WithTools { messages, tools } => (messages, Some(tools)),
    };
    let mut messages = Vec::new();
    for StoredMessage { role, parts, calls, answers } in stored {
        let part = |part: StoredPart| Ok(Part { name: part.name.clone(), text: text(part)? });
        let parts = parts.into_iter().map(part).collect::<Result<_, DbFault>>()?;
        let calls = calls.map(|calls| list(&text(calls)?, what)).transpose()?.unwrap_or_default();
        messages.push(Message { role, parts, calls, answers });
    }
    let tools = tools.map(|tools| list(&text(tools)?, what)).transpose()?.unwrap_or_default();
    Ok(Prompt { tools, ..Prompt::new(messages) })
}

fn list<T: DeserializeOwned>(json: &str, what: impl Fn() -> String) -> Result<Vec<T>, DbFault> {
    serde_json::from_str(json).map_err(|error| unreadable(what(), error))
}

pub(super) fn write_intent(db: &Database, run: RunKey, at: &str, intent: &Intent) -> Result<(), DbFault> {
    let prompt = put_prompt(db, &intent.prompt)?;
    db.write(
        "INSERT INTO llm_call (run, step, attempt, agent, model, host, digest, prompt, state, asked_at,
             reckoned_prompt, reckoned_answer, prompt_bytes)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, (SELECT id FROM text_key WHERE digest = ?8), 'asked', ?9, ?10, ?11, ?12)",
        params![
            run.0,
            intent.key.step.to_string(),
            intent.key.attempt,
            intent.agent.name(),
            intent.model,
            intent.host,
            intent.digest,
            prompt.as_slice(),
            at,
            whole(intent.reckoned.0),
            whole(intent.reckoned.1),
            whole(counted(intent.prompt.bytes()))
        ],
    )
}

/// Notes that a call which was under way at an interruption is made again.
pub(super) fn write_repeat(db: &Database, run: RunKey, key: &CallKey) -> Result<(), DbFault> {
    db.write(
        "UPDATE llm_call SET repeats = repeats + 1 WHERE run = ?1 AND step = ?2 AND attempt = ?3",
        params![run.0, key.step.to_string(), key.attempt],
    )
}

/// Refuses to close a call that was never written.
pub(super) fn must_be_written(db: &Database, run: RunKey, key: &CallKey) -> Result<(), DbFault> {
    let sql = "SELECT 1 FROM llm_call WHERE run = ?1 AND step = ?2 AND attempt = ?3";
    if db.exists(sql, params![run.0, key.step.to_string(), key.attempt])? {
        return Ok(());
    }
    Err(unreadable(format!("the call {} attempt {}", key.step, key.attempt), "it was never written"))
}

/// Closes a call with its answer; `error` says why that could not be used, or why there is none.
pub(super) fn close_call(
    db: &Database,
    run: RunKey,
    at: &str,
    (key, answer, error): (&CallKey, Option<&Answer>, Option<&str>),
    CallNumbers { times, cost }: &CallNumbers,
) -> Result<(), DbFault> {
    let state = if error.is_none() { CallState::Answered } else { CallState::Rejected };
    let text = answer.map(|answer| put_record(db, answer)).transpose()?;
    let usage = answer.map(|answer| answer.usage).unwrap_or_default();
    db.write(
        "UPDATE llm_call SET state = ?4, answer = (SELECT id FROM text_key WHERE digest = ?5), error = ?6, prompt_tokens = ?7,
         completion_tokens = ?8, cached_tokens = ?9, ended_at = ?10, waited_ms = ?11, worked_ms = ?12, answer_bytes = ?13,
         cost = ?14, currency = ?15
         WHERE run = ?1 AND step = ?2 AND attempt = ?3",
        params![
            run.0,
            key.step.to_string(),
            key.attempt,
            <&str>::from(state),
            text.as_ref().map(TextDigest::as_slice),
            error,
            usage.prompt_tokens.map(whole),
            usage.completion_tokens.map(whole),
            usage.cached_tokens.map(whole),
            at,
            times.waited_ms.map(whole),
            times.worked_ms.map(whole),
            answer.map(|answer| whole(counted(answer.bytes()))),
            cost.as_ref().map(|cost| cost.amount),
            cost.as_ref().map(|cost| &cost.currency)
        ],
    )
}

/// The calls of a run.
pub(super) fn calls_of(db: &Database, run: RunKey) -> Result<Vec<StoredCall>, DbFault> {
    db.rows(
        "SELECT step, attempt, llm_call.digest, state, prompt_tokens, completion_tokens, cached_tokens, waited_ms,
             worked_ms, error, size, packed, body
         FROM llm_call LEFT JOIN blob ON blob.id = llm_call.answer
         WHERE run = ?1 ORDER BY step, attempt",
        [run.0],
        |row| {
            let has_answer = row.get::<Option<i64>>(10)?.is_some();
            Ok(StoredCall {
                key: CallKey { step: read_step(row.get_ref(0)?.as_str()?)?, attempt: row.get(1)? },
                digest: row.get(2)?,
                answer: has_answer.then(|| record_in(db, row, 10)).transpose()?,
                rejected: row.get_ref(3)?.as_str()? == <&str>::from(CallState::Rejected),
                error: row.get(9)?,
                usage: usage(row, 4)?,
                times: times_in(row, 7)?,
            })
        },
    )
}

/// A usable answer of `run` for this input, or else of the nearest run that it took over from.
pub(super) fn answer_of(db: &Database, run: RunKey, digest: &str) -> Result<Option<Answer>, DbFault> {
    let blob: Option<i64> = db.optional(
        // A run takes over from an earlier one only, so the latest is the nearest.
        "WITH RECURSIVE line (id) AS (
             SELECT CAST(?1 AS BIGINT) UNION SELECT run.took_over FROM run JOIN line ON run.id = line.id
             WHERE run.took_over IS NOT NULL)
         SELECT answer FROM llm_call JOIN line ON llm_call.run = line.id
         WHERE digest = ?2 AND state = 'answered' AND answer IS NOT NULL ORDER BY llm_call.run DESC LIMIT 1",
        params![run.0, digest],
    )?;
    blob.map(|blob| record(db, blob)).transpose()
}
