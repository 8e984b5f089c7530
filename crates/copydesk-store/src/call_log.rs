//! Calls read back for a person: which model was asked, what it was asked, and what came.

use std::collections::HashSet;

use super::{
    blobs::record,
    calls::prompt,
    columns::{count, read_step, times_in, usage},
};
use crate::prelude::*;
use copydesk_core::ports::{CallNumbers, CallRow, CallState, CallText};
use copydesk_newsroom::{Cost, Usage};

/// A run's tokens, by model.
pub(super) fn spent(db: &Database, run: RunKey) -> Result<Vec<(String, Usage)>, DbFault> {
    db.rows(
        "SELECT model, CAST(sum(prompt_tokens) AS BIGINT), CAST(sum(completion_tokens) AS BIGINT), CAST(sum(cached_tokens) AS BIGINT)
         FROM llm_call WHERE run = ?1 GROUP BY model ORDER BY model",
        [run.0],
        |row| Ok((row.get(0)?, usage(row, 1)?)),
    )
}

/// The calls behind a run's journal. If the run took steps over from earlier runs, their calls are among them.
pub(super) fn call_log(db: &Database, run: RunKey) -> Result<Vec<CallRow>, DbFault> {
    let mut log = call_rows(db, run)?;
    let own: HashSet<Step> = log.iter().map(|call| call.step).collect();
    let steps =
        db.rows("SELECT step FROM journal WHERE run = ?1", [run.0], |row| read_step(row.get_ref(0)?.as_str()?))?;
    let mut open: HashSet<Step> = steps.into_iter().filter(|step| !own.contains(step)).collect();
    let mut seen = HashSet::from([run]);
    let mut next = took_over(db, run)?;
    while let Some(earlier) = next
        && !open.is_empty()
        && seen.insert(earlier)
    {
        let mut found = call_rows(db, earlier)?;
        found.retain(|call| open.contains(&call.step));
        for call in &found {
            open.remove(&call.step);
        }
        log.append(&mut found);
        next = took_over(db, earlier)?;
    }
    // The calls of one commit have one time: those of the first concerns come first.
    let place = |call: &CallRow| (call.step.round(), call.step.concern(), call.step, call.attempt);
    log.sort_by(|a, b| a.asked_at.cmp(&b.asked_at).then_with(|| place(a).cmp(&place(b))));
    Ok(log)
}

fn took_over(db: &Database, run: RunKey) -> Result<Option<RunKey>, DbFault> {
    let found: Option<Option<i64>> = db.optional("SELECT took_over FROM run WHERE id = ?1", [run.0])?;
    Ok(found.flatten().map(RunKey))
}

pub(super) fn call_rows(db: &Database, run: RunKey) -> Result<Vec<CallRow>, DbFault> {
    db.rows(
        "SELECT step, attempt, agent, model, host, state, error, prompt_tokens, completion_tokens, cached_tokens,
         asked_at, ended_at, repeats, removed_at, waited_ms, worked_ms, prompt_bytes, answer_bytes, cost, currency
         FROM llm_call WHERE run = ?1",
        [run.0],
        |row| {
            Ok(CallRow {
                run,
                step: read_step(row.get_ref(0)?.as_str()?)?,
                attempt: row.get(1)?,
                agent: row.get(2)?,
                model: row.get(3)?,
                host: row.get(4)?,
                // The table allows no other state than these three.
                state: row.get_ref(5)?.as_str()?.parse().unwrap_or(CallState::Asked),
                error: row.get(6)?,
                usage: usage(row, 7)?,
                numbers: CallNumbers { times: times_in(row, 14)?, cost: cost(row.get(18)?, row.get(19)?) },
                prompt_bytes: count(row, 16)?,
                answer_bytes: count(row, 17)?,
                asked_at: row.get(10)?,
                ended_at: row.get(11)?,
                repeats: row.get(12)?,
                removed_at: row.get(13)?,
            })
        },
    )
}

fn cost(amount: Option<f64>, currency: Option<String>) -> Option<Cost> {
    Some(Cost { amount: amount?, currency: currency? })
}

/// The texts of an attempt.
pub(super) fn call_text(db: &Database, run: RunKey, step: Step, attempt: u32) -> Result<Option<CallText>, DbFault> {
    type Texts = (i64, Option<i64>, Option<String>, Option<String>);
    let found: Option<Texts> = db.one(
        "SELECT prompt, answer, error, removed_at FROM llm_call WHERE run = ?1 AND step = ?2 AND attempt = ?3",
        params![run.0, step.to_string(), attempt],
        |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)),
    )?;
    let Some((asked, answer, error, removed_at)) = found else { return Ok(None) };
    let answer = answer.map(|answer| record(db, answer)).transpose()?;
    Ok(Some(CallText { prompt: prompt(db, asked)?, answer, error, removed_at }))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use crate::testing::{AT, call, conversation, draft, intent, open, opening_of, prompt, store};
    use copydesk_core::ports::{
        Archive as _, CallNumbers, CallRow, CallState, CallText, Commit, Records as _, Rejected, RunKey, Times,
    };
    use copydesk_newsroom::{Answer, CallKey, Step, Usage};

    fn took(worked_ms: u64) -> CallNumbers {
        CallNumbers { times: Times { waited_ms: Some(0), worked_ms: Some(worked_ms) }, cost: None }
    }

    fn row(run: RunKey, step: Step, attempt: u32, (asked, said): (&str, &str), error: Option<&str>) -> CallRow {
        CallRow {
            run,
            step,
            attempt,
            agent: "writer".into(),
            model: "m".into(),
            host: "localhost".into(),
            state: if error.is_some() { CallState::Rejected } else { CallState::Answered },
            error: error.map(str::to_owned),
            usage: Usage::default(),
            numbers: CallNumbers::default(),
            prompt_bytes: u64::try_from(prompt(asked).bytes()).ok(),
            answer_bytes: u64::try_from(said.len()).ok(),
            asked_at: AT.into(),
            ended_at: Some(AT.into()),
            repeats: 0,
            removed_at: None,
        }
    }

    #[tokio::test]
    async fn a_fork_shows_the_calls_behind_the_steps_that_it_took_over() {
        let (_folder, store) = store();
        let review = Step::Review { round: 1 };
        let key = CallKey { step: Step::Draft, attempt: 1 };
        let useless = Rejected {
            key: key.clone(),
            error: "no JSON".into(),
            answer: Some(Answer { text: "Sorry.".into(), ..Answer::default() }),
        };
        let first = open(&store, opening_of("park", "R1", "One."), None).await;
        let again = CallKey { step: Step::Draft, attempt: 2 };
        let asked = Commit {
            at: AT.into(),
            numbers: HashMap::from([(key, took(10)), (again.clone(), took(20))]),
            intents: vec![intent(Step::Draft, 1, "One."), intent(Step::Draft, 2, "One.")],
            rejected: vec![useless],
            answers: vec![(again, Answer::default())],
            entries: vec![draft("A draft.")],
            ..Commit::default()
        };
        store.commit(first, asked, None).await.unwrap();
        store.commit(first, call(review, "the first review", "none"), None).await.unwrap();
        // The fork shares the draft and reviews anew; a fork of the fork has made no call at all.
        let second = open(&store, opening_of("park", "R2", "One."), Some(first)).await;
        store
            .commit(second, Commit { entries: vec![draft("A draft.")], ..call(review, "again", "none") }, None)
            .await
            .unwrap();
        let third = open(&store, opening_of("park", "R3", "One."), Some(second)).await;
        store
            .commit(third, Commit { at: AT.into(), entries: vec![draft("A draft.")], ..Commit::default() }, None)
            .await
            .unwrap();

        let drafts = [
            CallRow { numbers: took(10), ..row(first, Step::Draft, 1, ("One.", "Sorry."), Some("no JSON")) },
            CallRow { numbers: took(20), ..row(first, Step::Draft, 2, ("One.", ""), None) },
        ];
        let reviewed = |run, asked: &str| row(run, review, 1, (asked, "none"), None);
        let with = |review: CallRow| drafts.iter().cloned().chain([review]).collect::<Vec<_>>();
        assert_eq!(store.call_log(first).await.unwrap(), with(reviewed(first, "the first review")));
        assert_eq!(store.call_log(second).await.unwrap(), with(reviewed(second, "again")));
        assert_eq!(store.call_log(third).await.unwrap(), drafts);
        assert_eq!(
            store
                .runs_of("Desk/PARK")
                .await
                .unwrap()
                .into_iter()
                .map(|(key, run)| (key, run.current, run.took_over))
                .collect::<Vec<_>>(),
            [(third, true, Some("R2".into())), (second, false, Some("R1".into())), (first, false, None)]
        );
    }

    #[tokio::test]
    async fn the_prompt_and_the_raw_answer_are_read_back_as_they_were() {
        let (_folder, store) = store();
        let source = "The council voted seven to two. ".repeat(30);
        let run = open(&store, opening_of("park", "R1", &source), None).await;
        store.commit(run, call(Step::Draft, &source, "{\u{7}"), None).await.unwrap();
        let answer = Some(Answer { text: "{\u{7}".into(), ..Answer::default() });
        assert_eq!(
            store.call_text(run, Step::Draft, 1).await.unwrap(),
            Some(CallText { prompt: prompt(&source), answer, error: None, removed_at: None })
        );
        assert_eq!(store.call_text(run, Step::Draft, 2).await.unwrap(), None);
    }

    #[tokio::test]
    async fn a_conversation_and_an_answer_of_calls_are_read_back_as_they_were() {
        let (_folder, store) = store();
        let run = open(&store, opening_of("park", "R1", "One."), None).await;
        for (attempt, source) in [(1, "short".to_owned()), (2, "The council voted. ".repeat(30))] {
            let prompt = conversation(&source);
            let calls = prompt.messages[2].calls.clone();
            let answer = Answer { calls, ..Answer::default() };
            let key = CallKey { step: Step::Draft, attempt };
            let mut intent = intent(Step::Draft, attempt, "");
            intent.prompt = prompt.clone();
            let made = Commit {
                at: AT.into(),
                intents: vec![intent],
                answers: vec![(key, answer.clone())],
                ..Commit::default()
            };
            store.commit(run, made, None).await.unwrap();
            let read = store.call_text(run, Step::Draft, attempt).await.unwrap().unwrap();
            assert_eq!((read.prompt, read.answer.as_ref()), (prompt.clone(), Some(&answer)));
            let log = store.call_log(run).await.unwrap();
            let row = log.iter().find(|row| row.attempt == attempt).unwrap();
            assert_eq!(row.prompt_bytes, u64::try_from(prompt.bytes()).ok());
            assert_eq!(row.answer_bytes, u64::try_from(answer.bytes()).ok());
            let stored = store.load(run).await.unwrap().calls;
            assert_eq!(stored.last().unwrap().answer, Some(answer), "a resumed step finds it whole");
        }
    }

    #[tokio::test]
    async fn a_journal_is_read_on_from_where_one_was() {
        let (_folder, store) = store();
        let run = open(&store, opening_of("park", "R1", "One."), None).await;
        let mut second = draft("Another.");
        second.step = Step::Revise { round: 1 };
        let entries = vec![draft("A draft."), second.clone()];
        store.commit(run, Commit { at: AT.into(), entries, ..Commit::default() }, None).await.unwrap();
        assert_eq!(store.entries_after(run, 0).await.unwrap().len(), 2);
        assert_eq!(store.entries_after(run, 1).await.unwrap(), [(2, second)]);
        assert_eq!(store.entries_after(run, 2).await.unwrap(), []);
        assert_eq!(store.listed(&[RunKey(99), run]).await.unwrap().len(), 1);
    }
}
