use super::*;
use crate::testing::{AT, open, opening_of, record, store, store_in_a_file, story};
use copydesk_core::ports::{Archive as _, Commit, Records as _, Stories as _};
use copydesk_newsroom::{Entry, Outcome};

const LATER: &str = "2026-10-07T12:00:00.000Z";

fn strike() -> Strike {
    Strike { by: "M. Ito".into(), at: LATER.into(), reason: "the ordinance has changed".into() }
}

/// The same record, checked at another time.
fn at(record: MemoryRecord, time: &str) -> MemoryRecord {
    match record {
        MemoryRecord::FactCheck(record) => {
            MemoryRecord::FactCheck(copydesk_newsroom::FactCheckRecord { timestamp: time.into(), ..record })
        }
        other @ MemoryRecord::Evidence(_) => other,
    }
}

async fn made(store: &Store, slug: &str, records: Vec<MemoryRecord>) -> RunKey {
    let run = open(store, opening_of(slug, slug, "Text."), None).await;
    store.commit(run, Commit { at: AT.into(), memory: records, ..Commit::default() }, None).await.unwrap();
    run
}

async fn standings(store: &Store) -> Vec<RecordState> {
    store.book("").await.unwrap().records.into_iter().map(|kept| kept.standing).collect()
}

#[tokio::test]
async fn a_struck_record_is_not_offered_until_it_is_restored_and_the_log_says_who_did_it() {
    let (_folder, store) = store_in_a_file();
    let park = record("desk/park", "one", "p");
    let run = made(&store, "park", vec![park.clone()]).await;
    assert_eq!(store.strike("one", strike()).await.unwrap(), 1);
    assert_eq!(store.strike("one", strike()).await.unwrap(), 0, "once is enough");
    assert_eq!(store.strike("two", strike()).await.unwrap(), 0, "there is none");
    assert_eq!(store.recall("one", None).await.unwrap(), None);
    assert_eq!(standings(&store).await, [RecordState::Struck(strike())]);

    // The same verdict again, from another story: it is kept and struck as well.
    made(&store, "mill", vec![record("desk/mill", "one", "m")]).await;
    assert_eq!(store.recall("one", None).await.unwrap(), None);
    assert_eq!(standings(&store).await, [RecordState::Struck(strike()), RecordState::Struck(strike())]);

    assert_eq!(store.restore("one", "Ada", LATER).await.unwrap(), 2);
    assert_eq!(store.restore("one", "Ada", LATER).await.unwrap(), 0);
    assert_eq!(store.recall("one", None).await.unwrap(), Some(record("desk/mill", "one", "m")));
    let told: Vec<Event> = store.events(run).await.unwrap().into_iter().skip(1).map(|told| told.event).collect();
    let struck = Event::MemoryStruck {
        by: "M. Ito".into(),
        cache_key_hash: "one".into(),
        reason: "the ordinance has changed".into(),
    };
    assert_eq!(told, [struck]);
    let audit = store.audit(vec![]).await.unwrap();
    assert_eq!((audit.events, audit.flaws), (4, vec![]));
}

#[tokio::test]
async fn what_was_overruled_stays_so_when_its_striking_is_taken_back() {
    let (_folder, store) = store_in_a_file();
    let run = made(&store, "park", vec![record("desk/park", "one", "p")]).await;
    let overruled = Commit { at: AT.into(), withdrawn: vec!["one".into()], ..Commit::default() };
    store.commit(run, overruled, None).await.unwrap();
    assert_eq!(standings(&store).await, [RecordState::Overruled]);
    store.strike("one", strike()).await.unwrap();
    assert_eq!(store.restore("one", "Ada", LATER).await.unwrap(), 1);
    assert_eq!(standings(&store).await, [RecordState::Overruled]);
    assert_eq!(store.recall("one", None).await.unwrap(), None);
}

#[tokio::test]
async fn an_imported_record_is_kept_once_and_belongs_to_no_run() {
    let (_folder, store) = store();
    let (own, foreign) = (record("desk/park", "one", "p"), at(record("other/pool", "two", "x"), LATER));
    made(&store, "park", vec![own.clone()]).await;
    let told = store.import(vec![own.clone(), foreign.clone(), foreign.clone()], "Ada", LATER).await.unwrap();
    assert_eq!(told, [Imported::Known, Imported::New, Imported::Known]);
    assert_eq!(store.import(vec![foreign.clone()], "Ada", LATER).await.unwrap(), [Imported::Known]);
    let book = store.book("").await.unwrap();
    let kept = |record: &MemoryRecord, run: Option<&str>| Remembered {
        record: record.clone(),
        run: run.map(str::to_owned),
        standing: RecordState::Offered,
    };
    let records = vec![kept(&foreign, None), kept(&own, Some("park"))];
    assert_eq!(book, Book { records, unreadable: 0 });
    assert_eq!(store.book("tw").await.unwrap().records, [kept(&foreign, None)]);
    assert_eq!(store.recall("two", None).await.unwrap(), Some(foreign));

    // One event, of the house: no list of runs shows it, and it is in the chain.
    let house: Vec<_> = store.events_after(1).await.unwrap().into_iter().map(|l| (l.run, l.record.event)).collect();
    assert_eq!(house, [(RunKey::HOUSE, Event::MemoryImported { by: "Ada".into(), records: 1 })]);
    assert_eq!(store.listed(&[RunKey::HOUSE]).await.unwrap(), []);
    let audit = store.audit(vec![]).await.unwrap();
    assert_eq!((audit.events, audit.flaws), (2, vec![]));
}

#[tokio::test]
async fn the_latest_check_is_offered_whichever_came_in_last() {
    let (_folder, store) = store();
    let (early, late) = (record("desk/park", "one", "early"), at(record("other/pool", "one", "late"), LATER));
    store.import(vec![late.clone()], "Ada", LATER).await.unwrap();
    made(&store, "park", vec![early]).await;
    assert_eq!(store.recall("one", None).await.unwrap(), Some(late));
}

#[tokio::test]
async fn what_was_struck_stays_struck_when_it_is_imported() {
    let (_folder, store) = store();
    made(&store, "park", vec![record("desk/park", "one", "p")]).await;
    store.strike("one", strike()).await.unwrap();
    let told = store.import(vec![at(record("other/pool", "one", "again"), LATER)], "Ada", LATER).await.unwrap();
    assert_eq!(told, [Imported::Struck]);
    assert_eq!(store.recall("one", None).await.unwrap(), None);
    // The strike of a record that was only imported is logged without a run.
    store.import(vec![record("other/pool", "two", "x")], "Ada", LATER).await.unwrap();
    let seen = store.tail(0).await.unwrap().last;
    store.strike("two", strike()).await.unwrap();
    assert_eq!(store.tail(seen).await.unwrap().runs, [RunKey::HOUSE]);
}

#[tokio::test]
async fn an_expired_record_is_not_offered_and_stays() {
    let (_folder, store) = store();
    let old = record("desk/park", "one", "p");
    made(&store, "park", vec![old.clone()]).await;
    assert_eq!(store.recall("one", Some(AT)).await.unwrap(), Some(old.clone()), "on its last day");
    assert_eq!(store.recall("one", Some("2026-10-06T12:00:00.001Z")).await.unwrap(), None);
    assert!(old.is_expired(Some("2026-10-06T12:00:00.001Z")) && !old.is_expired(Some(AT)) && !old.is_expired(None));
    assert_eq!(store.book("").await.unwrap().records.len(), 1);
}

#[tokio::test]
async fn records_about_a_deleted_story_go_with_it_wherever_they_came_from() {
    let (_folder, store) = store();
    let own = record("desk/park", "one", "p");
    let (about, other) = (record("Desk/Park", "two", "i"), record("desk/mill", "two", "m"));
    made(&store, "park", vec![own.clone()]).await;
    store.import(vec![about.clone(), other.clone()], "Ada", LATER).await.unwrap();
    let held = store.holdings(&story("park")).await.unwrap().unwrap();
    assert_eq!((held.memory, held.others), (vec![own, about], vec![other.clone()]));
    assert_eq!(store.delete_story(&story("park"), "Ada", LATER).await.unwrap().unwrap().memory, 2);
    let left: Vec<_> = store.book("").await.unwrap().records.into_iter().map(|kept| kept.record).collect();
    assert_eq!(left, [other]);
}

#[tokio::test]
async fn what_a_record_cost_is_known_as_long_as_its_run_is() {
    let (_folder, store) = store();
    let run = open(&store, opening_of("park", "R1", "Text."), None).await;
    let kept = record("desk/park", "one", "p");
    let entry = |step, tokens: u64, verdict: bool| {
        let outcome = if verdict {
            Outcome::Verdict(kept.verdict().clone())
        } else {
            Outcome::Failure(copydesk_newsroom::Failure::of("for its tokens"))
        };
        let usage = Usage { prompt_tokens: Some(tokens), completion_tokens: Some(1), ..Usage::default() };
        Entry { step, outcome, at: AT.into(), usage, shown: None }
    };
    let entries = vec![
        entry(Step::Search { round: 1, concern: 1 }, 20, false),
        entry(Step::Judge { round: 1, concern: 1 }, 100, true),
        entry(Step::Judge { round: 1, concern: 2 }, 1000, true),
    ];
    store
        .commit(run, Commit { at: AT.into(), entries, memory: vec![kept.clone()], ..Commit::default() }, None)
        .await
        .unwrap();
    let spent = Usage { prompt_tokens: Some(120), completion_tokens: Some(2), ..Usage::default() };
    assert_eq!(store.spent_on(&kept).await.unwrap(), Some(spent));
    assert_eq!(store.spent_on(&at(kept.clone(), LATER)).await.unwrap(), None, "another check");
    store.delete_story(&story("park"), "Ada", LATER).await.unwrap();
    store.import(vec![kept.clone()], "Ada", LATER).await.unwrap();
    assert_eq!(store.spent_on(&kept).await.unwrap(), None);
}

#[tokio::test]
async fn a_record_that_cannot_be_read_is_counted() {
    let (folder, store) = store_in_a_file();
    made(&store, "park", vec![record("desk/park", "one", "p"), record("desk/park", "two", "q")]).await;
    let database = rusqlite::Connection::open(folder.path().join("copydesk.db")).unwrap();
    let damage =
        "UPDATE blob SET packed = 1, body = x'00' WHERE id = (SELECT record FROM memory WHERE cache_key_hash = 'two')";
    database.execute(damage, []).unwrap();
    let book = store.book("").await.unwrap();
    assert_eq!((book.records.len(), book.unreadable), (1, 1));
}
