//! Calls: written before they are made, with the prompt; closed with the answer or the reason why it was no use.

use rusqlite::{OptionalExtension, params};
use serde::{Deserialize, Serialize};

use super::session::Session;
use crate::{
    newsroom::{Answer, CallKey, Message, Part, Prompt, Role, Step, UnknownStep, Usage},
    ports::{Intent, Rejected, RunKey, StoreError, StoredCall},
};

/// Shortest part of a prompt that is stored by itself: sources, drafts and templates come again and again.
const OWN_BLOB: usize = 200;

/// A prompt as it is stored: long parts by reference.
#[derive(Serialize, Deserialize)]
struct StoredMessage {
    role: Role,
    parts: Vec<StoredPart>,
}

#[derive(Serialize, Deserialize)]
struct StoredPart {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    blob: Option<i64>,
}

impl Session {
    fn put_prompt(&self, prompt: &Prompt) -> Result<i64, StoreError> {
        let messages = prompt
            .messages
            .iter()
            .map(|message| {
                let parts = message
                    .parts
                    .iter()
                    .map(|part| {
                        let name = part.name.clone();
                        if part.text.len() < OWN_BLOB {
                            return Ok(StoredPart { name, text: Some(part.text.clone()), blob: None });
                        }
                        let blob = self.put_blob(part.text.as_bytes())?;
                        Ok(StoredPart { name, text: None, blob: Some(blob) })
                    })
                    .collect::<Result<_, StoreError>>()?;
                Ok(StoredMessage { role: message.role, parts })
            })
            .collect::<Result<Vec<_>, StoreError>>()?;
        let prompt = self.put_json(&messages)?;
        for part in messages.iter().flat_map(|message| &message.parts).filter_map(|part| part.blob) {
            self.sql(|connection| {
                connection
                    .prepare_cached("INSERT OR IGNORE INTO prompt_part (part, prompt) VALUES (?1, ?2)")?
                    .execute([part, prompt])
            })?;
        }
        Ok(prompt)
    }

    /// Reads a prompt back.
    pub(super) fn prompt(&self, id: i64) -> Result<Prompt, StoreError> {
        let unreadable = |detail: String| StoreError::Unreadable { what: format!("the prompt {id}"), detail };
        let mut messages = Vec::new();
        for message in self.json::<Vec<StoredMessage>>(id)? {
            let mut parts = Vec::new();
            for StoredPart { name, text, blob } in message.parts {
                let text = match (text, blob) {
                    (Some(text), _) => text,
                    (None, Some(blob)) => {
                        String::from_utf8(self.blob(blob)?).map_err(|error| unreadable(error.to_string()))?
                    }
                    (None, None) => return Err(unreadable(format!("{name} has no text"))),
                };
                parts.push(Part { name, text });
            }
            messages.push(Message { role: message.role, parts });
        }
        Ok(Prompt { messages })
    }

    pub(super) fn write_intent(&self, run: RunKey, at: &str, intent: &Intent) -> Result<(), StoreError> {
        let prompt = self.put_prompt(&intent.prompt)?;
        self.sql(|connection| {
            connection
                .prepare_cached(
                    "INSERT INTO llm_call (run, step, attempt, agent, model, host, digest, prompt, state, asked_at,
                         reckoned_prompt, reckoned_answer)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 'asked', ?9, ?10, ?11)",
                )?
                .execute(params![
                    run.0,
                    intent.key.step.to_string(),
                    intent.key.attempt,
                    intent.agent.name(),
                    intent.model,
                    intent.host,
                    intent.digest,
                    prompt,
                    at,
                    whole(Some(intent.reckoned.0)),
                    whole(Some(intent.reckoned.1))
                ])
        })?;
        Ok(())
    }

    /// Notes that a call which was in flight at an interruption is made again.
    pub(super) fn write_repeat(&self, run: RunKey, key: &CallKey) -> Result<(), StoreError> {
        self.sql(|connection| {
            connection
                .prepare_cached(
                    "UPDATE llm_call SET repeats = repeats + 1 WHERE run = ?1 AND step = ?2 AND attempt = ?3",
                )?
                .execute(params![run.0, key.step.to_string(), key.attempt])
        })?;
        Ok(())
    }

    pub(super) fn write_answer(&self, run: RunKey, at: &str, key: &CallKey, answer: &Answer) -> Result<(), StoreError> {
        self.close_call(run, at, key, "answered", Some(answer), None)
    }

    pub(super) fn write_rejected(&self, run: RunKey, at: &str, rejected: &Rejected) -> Result<(), StoreError> {
        self.close_call(run, at, &rejected.key, "rejected", rejected.answer.as_ref(), Some(&rejected.error))
    }

    fn close_call(
        &self,
        run: RunKey,
        at: &str,
        key: &CallKey,
        state: &str,
        answer: Option<&Answer>,
        error: Option<&str>,
    ) -> Result<(), StoreError> {
        let blob = answer.map(|answer| self.put_json(answer)).transpose()?;
        let usage = answer.map(|answer| answer.usage).unwrap_or_default();
        let closed = self.sql(|connection| {
            connection
                .prepare_cached(
                    "UPDATE llm_call SET state = ?4, answer = ?5, error = ?6, prompt_tokens = ?7, completion_tokens = ?8,
                     ended_at = ?9 WHERE run = ?1 AND step = ?2 AND attempt = ?3",
                )?
                .execute(params![
                    run.0,
                    key.step.to_string(),
                    key.attempt,
                    state,
                    blob,
                    error,
                    whole(usage.prompt_tokens),
                    whole(usage.completion_tokens),
                    at
                ])
        })?;
        if closed == 1 {
            return Ok(());
        }
        Err(StoreError::Unreadable {
            what: format!("the call {} attempt {}", key.step, key.attempt),
            detail: "it was never written".into(),
        })
    }

    /// The calls of a run.
    pub(super) fn calls_of(&self, run: RunKey) -> Result<Vec<StoredCall>, StoreError> {
        let mut calls = Vec::new();
        self.each(
            "SELECT step, attempt, llm_call.digest, state, prompt_tokens, completion_tokens, size, packed, body
             FROM llm_call LEFT JOIN blob ON blob.id = llm_call.answer AND state = 'answered'
             WHERE run = ?1 ORDER BY step, attempt",
            [run.0],
            |row| {
                let (step, state): (String, String) = self.columns(|| Ok((row.get(0)?, row.get(3)?)))?;
                let (attempt, digest, usage, has_answer) = self.columns(|| {
                    let usage = Usage { prompt_tokens: natural(row.get(4)?), completion_tokens: natural(row.get(5)?) };
                    Ok((row.get(1)?, row.get(2)?, usage, row.get::<_, Option<i64>>(6)?.is_some()))
                })?;
                let step = read_step(&step)?;
                calls.push(StoredCall {
                    key: CallKey { step, attempt },
                    digest,
                    answer: has_answer.then(|| self.value(row, 6)).transpose()?,
                    rejected: state == "rejected",
                    usage,
                });
                Ok(())
            },
        )?;
        Ok(calls)
    }

    /// A usable answer of `run` for this input, or else of the nearest run that it took over from.
    pub(super) fn answer_of(&self, run: RunKey, digest: &str) -> Result<Option<Answer>, StoreError> {
        let blob: Option<i64> = self.sql(|connection| {
            connection
                .prepare_cached(
                    // A run takes over from an earlier one only, so the latest is the nearest.
                    "WITH RECURSIVE line (id) AS (
                         SELECT ?1 UNION SELECT run.took_over FROM run JOIN line ON run.id = line.id
                         WHERE run.took_over IS NOT NULL)
                     SELECT answer FROM llm_call JOIN line ON llm_call.run = line.id
                     WHERE digest = ?2 AND state = 'answered' AND answer IS NOT NULL ORDER BY llm_call.run DESC LIMIT 1",
                )?
                .query_row(params![run.0, digest], |row| row.get(0))
                .optional()
        })?;
        blob.map(|blob| self.json(blob)).transpose()
    }
}

/// The texts that a stored prompt names as its parts; none where it is no prompt.
pub(super) fn parts_of(prompt: &[u8]) -> Option<Vec<i64>> {
    let messages: Vec<StoredMessage> = serde_json::from_slice(prompt).ok()?;
    Some(messages.iter().flat_map(|message| &message.parts).filter_map(|part| part.blob).collect())
}

/// A step by its stored name.
pub(super) fn read_step(name: &str) -> Result<Step, StoreError> {
    name.parse().map_err(|error: UnknownStep| StoreError::Unreadable {
        what: format!("a row of {name}"),
        detail: error.to_string(),
    })
}

/// SQLite's integers are signed.
pub(super) fn whole(number: Option<u64>) -> Option<i64> {
    number.map(|number| i64::try_from(number).unwrap_or(i64::MAX))
}

/// And back.
pub(super) fn natural(number: Option<i64>) -> Option<u64> {
    number.and_then(|number| u64::try_from(number).ok())
}
