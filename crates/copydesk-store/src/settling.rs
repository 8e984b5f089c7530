//! Flags that an editor lets stand.

use super::events::append_event;
use crate::prelude::*;

/// Notes who lets the flags of a run stand, with the event. False if no flag of it is open.
pub(super) fn settle_flags(db: &Database, run: RunKey, reason: &str, by: &str, at: &str) -> Result<bool, DbFault> {
    let flags: Option<[String; 2]> = db.one(
        "UPDATE run SET settled_by = ?2
         WHERE id = ?1 AND (flags <> '[]' OR accused <> '[]') AND state IN ('success', 'failed') AND signed_by IS NULL AND settled_by IS NULL
         RETURNING flags, accused",
        params![run.0, by],
        |row| Ok([row.get(0)?, row.get(1)?]),
    )?;
    let Some(lists) = flags else { return Ok(false) };
    let [mut flags, accused]: [Vec<String>; 2] = lists.map(|list| serde_json::from_str(&list).unwrap_or_default());
    flags.extend((!accused.is_empty()).then(|| format!("accuses {}", accused.join(", "))));
    append_event(db, run, at, &Event::FlagsSettled { by: by.to_owned(), flags, reason: reason.to_owned() })?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Store,
        testing::{AT, open, opening_of, store, story},
    };
    use copydesk_core::ports::{Archive as _, Commit, Records as _, RunSummary, Stories as _, StoryChange};
    use copydesk_newsroom::{EventRecord, Priority, RunState};

    fn summary(state: RunState, waits: Option<&str>, flags: &[&str]) -> RunSummary {
        RunSummary {
            headline: None,
            state,
            waits: waits.map(str::to_owned),
            signed_by: None,
            rounds: 1,
            max_rounds: 2,
            open_concerns: 0,
            flags: flags.iter().map(|flag| (*flag).to_owned()).collect(),
            prompt_tokens: 0,
            completion_tokens: 0,
            error: None,
            extract: false,
        }
    }

    async fn stands(store: &Store, run: RunKey, at: &str, summary: RunSummary) {
        let commit = Commit { at: at.into(), summary: Some(summary), ..Commit::default() };
        store.commit(run, commit, None).await.unwrap();
    }

    #[tokio::test]
    async fn flags_stand_once_with_who_says_so_and_why_in_the_log() {
        let (_folder, store) = store();
        let run = open(&store, opening_of("park", "R1", "Text."), None).await;
        assert!(!store.settle_flags(run, "Fine.", "M. Ito", AT).await.unwrap(), "it has not ended");
        stands(&store, run, AT, summary(RunState::Failed, None, &[])).await;
        assert!(!store.settle_flags(run, "Fine.", "M. Ito", AT).await.unwrap(), "it is not flagged");
        stands(&store, run, AT, summary(RunState::Failed, None, &["a flag", "another"])).await;
        let listed = store.listed(&[run]).await.unwrap();
        assert!(listed[0].1.is_in_review() && listed[0].1.settled_by.is_none());
        assert!(store.settle_flags(run, "Fine.", "M. Ito", AT).await.unwrap());
        assert!(!store.settle_flags(run, "Again.", "Ada", AT).await.unwrap(), "once");
        let listed = store.listed(&[run]).await.unwrap();
        assert_eq!(listed[0].1.settled_by.as_deref(), Some("M. Ito"));
        assert_eq!((listed[0].1.flags.len(), listed[0].1.is_in_review()), (2, false), "the flags are the record");
        let events = store.events(run).await.unwrap();
        let settled = Event::FlagsSettled {
            by: "M. Ito".into(),
            flags: vec!["a flag".into(), "another".into()],
            reason: "Fine.".into(),
        };
        let last = EventRecord { at: AT.into(), story: "desk/park".into(), run: "R1".into(), event: settled };
        assert_eq!(events.last(), Some(&last));
    }

    #[tokio::test]
    async fn a_list_has_the_working_title_until_the_headline_changes() {
        let (_folder, store) = store();
        let run = open(&store, opening_of("park", "R1", "Text."), None).await;
        let title = || async { store.listed(&[run]).await.unwrap()[0].1.title.clone() };
        let first = title().await;
        let changed = |headline: Option<&str>| RunSummary {
            headline: headline.map(str::to_owned),
            ..summary(RunState::Open, Some("r1.gate"), &[])
        };
        stands(&store, run, AT, changed(None)).await;
        assert_eq!(title().await, first);
        stands(&store, run, AT, changed(Some("Council votes"))).await;
        assert_eq!(title().await, "Council votes");
    }

    #[tokio::test]
    async fn what_has_stood_longest_comes_first_whatever_was_decided_there_since() {
        let (_folder, store) = store();
        let at = |minute: u32| format!("2026-10-06T12:{minute:02}:00.000Z");
        let gate = || summary(RunState::Open, Some("r1.gate"), &[]);
        let mut runs = Vec::new();
        for (slug, minute) in [("first", 1), ("second", 2), ("urgent", 3)] {
            let run = open(&store, opening_of(slug, slug, "Text."), None).await;
            stands(&store, run, &at(minute), gate()).await;
            runs.push(run);
        }
        store.change(&story("urgent"), StoryChange::Priority(Priority::High), "M. Ito", AT).await.unwrap();
        // A verdict that is overruled at the gate changes the run, not since when it waits.
        stands(&store, runs[0], &at(9), gate()).await;
        let queue = || async {
            let mut runs: Vec<_> = store.list(false).await.unwrap();
            runs.sort_by(|(_, one), (_, other)| one.review_order().cmp(&other.review_order()));
            runs.into_iter().map(|(_, run)| (run.run, run.stands_since)).collect::<Vec<_>>()
        };
        let of = |run: &str, minute| (run.to_owned(), at(minute));
        assert_eq!(queue().await, [of("urgent", 3), of("first", 1), of("second", 2)]);
        stands(&store, runs[0], &at(10), summary(RunState::Open, Some("r1.sign-off"), &[])).await;
        assert_eq!(queue().await, [of("urgent", 3), of("second", 2), of("first", 10)]);
        stands(&store, runs[1], &at(11), summary(RunState::Failed, None, &["a flag"])).await;
        assert_eq!(queue().await, [of("urgent", 3), of("first", 10), of("second", 11)]);
    }
}
