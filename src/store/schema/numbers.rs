//! Version 7: the numbers of each step and each attempt at a call. They say how long it waited and worked, how much
//! went to the server and came back, and what it cost. Also what a step's model was shown of sources that did not fit
//! its window.

/// Null if nothing was measured, or the server did not say it, and so in all rows of earlier versions.
pub(super) const SEVENTH: &str = "
ALTER TABLE journal ADD COLUMN cached_tokens INTEGER;      -- of the prompts, that the server had in its cache
ALTER TABLE journal ADD COLUMN waited_ms INTEGER;          -- ready until begun, all attempts together
ALTER TABLE journal ADD COLUMN worked_ms INTEGER;          -- begun until ended
ALTER TABLE journal ADD COLUMN shown TEXT;                 -- JSON: places of the sources in the step's prompt; null if they stood there whole
ALTER TABLE llm_call ADD COLUMN cached_tokens INTEGER;
ALTER TABLE llm_call ADD COLUMN waited_ms INTEGER;
ALTER TABLE llm_call ADD COLUMN worked_ms INTEGER;
ALTER TABLE llm_call ADD COLUMN prompt_bytes INTEGER;
ALTER TABLE llm_call ADD COLUMN answer_bytes INTEGER;
ALTER TABLE llm_call ADD COLUMN cost REAL;                 -- by the price of that day
ALTER TABLE llm_call ADD COLUMN currency TEXT;             -- of the cost
";

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use rusqlite::{OpenFlags, params};
    use rusqlite_migration::Migrations;

    use super::super::steps;
    use crate::{
        newsroom::{Answer, CallKey, Cost, ShownSources, SourcePlace, Step, Usage},
        ports::{Archive as _, CallNumbers, CallState, Commit, Records as _, RunKey, Times},
        store::{
            Store,
            blobs::{put_bytes, put_record},
            database::Database,
            testing::{AT, draft, intent, opening_of, prompt},
        },
    };

    #[tokio::test]
    async fn rows_of_version_6_have_no_numbers_and_the_next_ones_have_theirs() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("copydesk.db");
        let mut db = Database::with(&file, OpenFlags::default()).unwrap();
        Migrations::new(steps().into_iter().take(6).collect()).to_latest(&mut db.connection).unwrap();
        let opening = put_record(&db, &opening_of("park", "R1", "The council voted.")).unwrap();
        let outcome = put_record(&db, &draft("A draft.").outcome).unwrap();
        let asked = put_bytes(&db, b"[]").unwrap();
        // As it wrote it: without cached tokens.
        let said = br#"{"text":"A draft.","citations":[],"usage":{"prompt_tokens":5,"completion_tokens":6}}"#;
        let said = put_bytes(&db, said).unwrap();
        db.sql(|connection| {
            connection
                .execute("INSERT INTO story (id, folded, channel, slug) VALUES (1, 'desk/park', 'desk', 'park')", [])?;
            connection.execute(
                "INSERT INTO run (id, story, run_id, title, pins, opening, state, opened_at, updated_at)
                     VALUES (7, 1, 'R1', 'The park', 'pins', ?1, 'open', ?2, ?2)",
                params![opening, AT],
            )?;
            connection.execute("UPDATE story SET current_run = 7", [])?;
            connection.execute("INSERT INTO journal VALUES (7, 1, 'draft', ?1, ?2, 5, 6)", params![AT, outcome])?;
            connection.execute(
                "INSERT INTO llm_call (run, step, attempt, agent, model, host, digest, prompt, answer, state, prompt_tokens,
                     completion_tokens, asked_at, ended_at)
                     VALUES (7, 'draft', 1, 'writer', 'm', 'h', 'd', ?1, ?2, 'answered', 5, 6, ?3, ?3)",
                params![asked, said, AT],
            )
        })
        .unwrap();
        drop(db);

        let store = Store::open(&file).unwrap();
        let run = RunKey(7);
        let usage = Usage { prompt_tokens: Some(5), completion_tokens: Some(6), cached_tokens: None };
        let stored = store.load(run).await.unwrap();
        assert_eq!((stored.journal.entries()[0].usage, stored.calls[0].usage), (usage, usage));
        assert_eq!(stored.calls[0].answer.as_ref().unwrap().usage, usage);
        assert_eq!(store.times(run).await.unwrap(), HashMap::from([(Step::Draft, Times::default())]));
        let old = store.call_log(run).await.unwrap().remove(0);
        assert_eq!((old.state, old.usage, old.numbers), (CallState::Answered, usage, CallNumbers::default()));
        assert_eq!((old.prompt_bytes, old.answer_bytes), (None, None));

        let review = Step::Review { round: 1 };
        let usage = Usage { prompt_tokens: Some(90), completion_tokens: Some(8), cached_tokens: Some(64) };
        let times = Times { waited_ms: Some(40), worked_ms: Some(2_500) };
        let numbers = CallNumbers { times, cost: Some(Cost { amount: 0.25, currency: "EUR".into() }) };
        let key = CallKey { step: review, attempt: 1 };
        let mut entry = draft("A draft.");
        (entry.step, entry.usage) = (review, usage);
        let place = SourcePlace { source: 0, start: 3, end: 9, speaker: None };
        entry.shown = Some(ShownSources { places: vec![place], bytes: 90 });
        let commit = Commit {
            at: AT.into(),
            entries: vec![entry.clone()],
            times: HashMap::from([(review, times)]),
            intents: vec![intent(review, 1, "s")],
            answers: vec![(key.clone(), Answer { text: "Déjà".into(), citations: vec![], usage, calls: vec![] })],
            numbers: HashMap::from([(key, numbers.clone())]),
            ..Commit::default()
        };
        store.commit(run, commit, None).await.unwrap();
        assert_eq!(store.load(run).await.unwrap().journal.entries()[1], entry);
        assert_eq!(store.times(run).await.unwrap()[&review], times);
        let row = store.call_log(run).await.unwrap().remove(1);
        let bytes = u64::try_from(prompt("s").bytes()).unwrap();
        assert_eq!(
            (row.usage, row.numbers, row.prompt_bytes, row.answer_bytes),
            (usage, numbers, Some(bytes), Some(6))
        );
    }
}
