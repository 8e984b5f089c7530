use rusqlite::Connection;
use sha2::Digest as _;

use super::*;
use crate::testing::{AT, call, draft, open, opening_of, record, store, store_in_a_file, story};
use copydesk_core::ports::{
    Archive as _, CallText, Commit, Memory as _, Records as _, RunSummary, Stories as _, Strike,
};
use copydesk_newsroom::{Prompt, RunState, Step};

const NOW: &str = "2027-01-01T00:00:00.000Z";

fn summary(state: RunState, waits: Option<&str>, flags: &[&str], signed_by: Option<&str>) -> RunSummary {
    RunSummary {
        headline: None,
        state,
        waits: waits.map(str::to_owned),
        signed_by: signed_by.map(str::to_owned),
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

/// A run of `slug` with a call, which ends so; its files are written.
async fn ended(store: &Store, slug: &str, source: &str, summary: RunSummary) -> RunKey {
    let run = open(store, opening_of(slug, slug, source), None).await;
    let entries = vec![draft(source)];
    let made = Commit { entries, summary: Some(summary), ..call(Step::Draft, source, &format!("answer to {source}")) };
    store.commit(run, made, None).await.unwrap();
    store.files_written(run).await.unwrap();
    run
}

fn over() -> RunSummary {
    summary(RunState::Succeeded, None, &[], None)
}

fn taking(slug: &str) -> Taking {
    Taking { story: story(slug), texts: true, folders: 0 }
}

fn bodies(folder: &std::path::Path) -> i64 {
    let database = Connection::open(folder.join("copydesk.db")).unwrap();
    database.query_row("SELECT count(*) FROM blob", [], |row| row.get(0)).unwrap()
}

#[tokio::test]
async fn only_a_story_that_nobody_is_asked_about_any_more_is_over() {
    let (_folder, store) = store();
    ended(&store, "passed", "a", over()).await;
    ended(&store, "failed", "b", summary(RunState::Failed, None, &[], None)).await;
    ended(&store, "signed", "c", summary(RunState::Succeeded, None, &["a flag"], Some("Ada"))).await;
    ended(&store, "open", "d", summary(RunState::Open, None, &[], None)).await;
    ended(&store, "waits", "e", summary(RunState::Open, Some("r1.gate"), &[], None)).await;
    ended(&store, "flagged", "f", summary(RunState::Failed, None, &["a flag"], None)).await;
    let settled = ended(&store, "settled", "i", summary(RunState::Failed, None, &["a flag"], None)).await;
    assert!(store.settle_flags(settled, "Known.", "Ada", AT).await.unwrap());
    let unwritten = open(&store, opening_of("unwritten", "U", "g"), None).await;
    store.commit(unwritten, Commit { at: AT.into(), summary: Some(over()), ..Commit::default() }, None).await.unwrap();
    // A story that was over and is taken up again.
    let before = ended(&store, "again", "h", over()).await;
    open(&store, opening_of("again", "H2", "h"), Some(before)).await;
    let resting = |slug: &str| Resting { story: story(slug), changed_at: AT.into(), calls: 1, vectors: 0 };
    assert_eq!(
        store.resting().await.unwrap(),
        [resting("passed"), resting("failed"), resting("signed"), resting("settled")]
    );
}

#[tokio::test]
async fn texts_go_and_the_row_keeps_who_asked_what_with_its_digests() {
    let (folder, store) = store_in_a_file();
    let shared = "The council voted seven to two. ".repeat(20);
    let own = "Nobody but this story says so. ".repeat(20);
    let kept = ended(&store, "mill", &shared, over()).await;
    let before = bodies(folder.path());
    let run = ended(&store, "park", &own, over()).await;
    store.commit(run, call(Step::Review { round: 1 }, &shared, "none"), None).await.unwrap();
    let (log, events) = (store.call_log(run).await.unwrap(), store.events(run).await.unwrap().len());

    let would = store.take_texts(vec![taking("park")], "Ada", NOW, false).await.unwrap();
    assert_eq!(store.call_log(run).await.unwrap(), log, "a dry run changes nothing");
    assert_eq!(store.events(run).await.unwrap().len(), events);
    let freed = store.take_texts(vec![taking("park")], "Ada", NOW, true).await.unwrap();
    assert_eq!(Freed { wiped: true, ..would }, freed);
    assert_eq!((freed.calls, freed.wiped), (2, true));
    // Its draft and opening stay; of four stored texts the shared prompt does as well.
    assert_eq!(bodies(folder.path()), before + 2 + 1, "opening, outcome, and the prompt of nothing");
    assert_eq!(freed.texts, 4, "the source as a part, its prompt, two answers");

    let removed: Vec<_> =
        log.into_iter().map(|row| copydesk_core::ports::CallRow { removed_at: Some(NOW.into()), ..row }).collect();
    assert_eq!(store.call_log(run).await.unwrap(), removed);
    let text = store.call_text(run, Step::Draft, 1).await.unwrap();
    let nothing = CallText { prompt: Prompt::new(vec![]), answer: None, error: None, removed_at: Some(NOW.into()) };
    assert_eq!(text, Some(nothing));
    let database = Connection::open(folder.path().join("copydesk.db")).unwrap();
    let digest: Vec<u8> = database
        .query_row("SELECT answer_digest FROM llm_call WHERE run = ?1 AND step = 'draft'", [run.0], |row| row.get(0))
        .unwrap();
    let answer = copydesk_newsroom::Answer { text: format!("answer to {own}"), ..Default::default() };
    assert_eq!(digest, sha2::Sha256::digest(serde_json::to_vec(&answer).unwrap()).as_slice());
    assert!(!database.prepare("PRAGMA foreign_key_check").unwrap().exists([]).unwrap());

    // The run is there, and so is the other story's call.
    let stored = store.load(run).await.unwrap();
    assert_eq!(stored.journal.entries(), [draft(&own)]);
    assert!(stored.calls.iter().all(|call| call.answer.is_none() && !call.rejected));
    assert_eq!(store.answer_for(run, "digest of draft").await.unwrap(), None, "a fork asks again");
    assert_eq!(store.call_text(kept, Step::Draft, 1).await.unwrap().unwrap().prompt, crate::testing::prompt(&shared));
    let last = store.events(run).await.unwrap().pop().unwrap().event;
    assert_eq!(last, Event::RetentionApplied { by: "Ada".into(), calls: 2, folders: 0, records: 0 });
    assert_eq!(store.audit(vec![]).await.unwrap().flaws, []);
    // Nothing is left to take, and nothing more is told.
    let again = store.take_texts(vec![taking("park")], "Ada", NOW, true).await.unwrap();
    assert_eq!((again.calls, again.texts), (0, 0));
    assert_eq!(store.events(run).await.unwrap().len(), events + 1);
    assert_eq!(store.resting().await.unwrap().into_iter().map(|story| story.calls).collect::<Vec<_>>(), [1, 0]);
}

#[tokio::test]
async fn folders_that_went_are_told_of_though_no_text_goes() {
    let (_folder, store) = store_in_a_file();
    let run = ended(&store, "park", "x", over()).await;
    let folders = Taking { texts: false, folders: 2, ..taking("park") };
    assert_eq!(
        store.take_texts(vec![folders], "Ada", NOW, true).await.unwrap(),
        Freed { wiped: true, ..Freed::default() }
    );
    let last = store.events(run).await.unwrap().pop().unwrap().event;
    assert_eq!(last, Event::RetentionApplied { by: "Ada".into(), calls: 0, folders: 2, records: 0 });
    assert!(store.call_text(run, Step::Draft, 1).await.unwrap().unwrap().removed_at.is_none());
}

#[tokio::test]
async fn expired_records_go_but_for_those_that_must_not_come_back() {
    let (_folder, store) = store_in_a_file();
    let run = ended(&store, "park", "x", over()).await;
    let open_run = open(&store, opening_of("open", "O", "y"), None).await;
    let keep = |run, hash: &str| {
        let memory = vec![record("desk/park", hash, hash)];
        store.commit(run, Commit { at: AT.into(), memory, ..Commit::default() }, None)
    };
    for hash in ["old", "struck", "overruled"] {
        keep(run, hash).await.unwrap();
    }
    keep(open_run, "of an open story").await.unwrap();
    store.import(vec![record("x/y", "imported", "i")], "Ada", AT).await.unwrap();
    let strike = Strike { by: "Ada".into(), at: AT.into(), reason: "wrong".into() };
    store.strike("struck", strike).await.unwrap();
    let overruled = Commit { at: AT.into(), withdrawn: vec!["overruled".into()], ..Commit::default() };
    store.commit(run, overruled, None).await.unwrap();

    assert_eq!(store.drop_expired(AT, "Ada", NOW, true).await.unwrap().records, [], "not older than itself");
    let dry = store.drop_expired(NOW, "Ada", NOW, false).await.unwrap();
    assert_eq!(store.book("").await.unwrap().records.len(), 5);
    let lapsed = store.drop_expired(NOW, "Ada", NOW, true).await.unwrap();
    assert_eq!(dry.records, lapsed.records);
    assert_eq!(lapsed.records, [record("desk/park", "old", "old"), record("x/y", "imported", "i")]);
    assert_eq!((lapsed.freed.texts, lapsed.freed.wiped), (2, true));
    let mut left: Vec<String> =
        store.book("").await.unwrap().records.iter().map(|kept| kept.record.cache_key_hash().to_owned()).collect();
    left.sort();
    assert_eq!(left, ["of an open story", "overruled", "struck"]);
    assert_eq!(store.recall("old", None).await.unwrap(), None);
    let tail = store.events_after(0).await.unwrap().pop().unwrap();
    let event = Event::RetentionApplied { by: "Ada".into(), calls: 0, folders: 0, records: 2 };
    assert_eq!((tail.run, tail.record.event), (RunKey::HOUSE, event));
    assert_eq!(store.audit(vec![]).await.unwrap().flaws, []);
}
