//! Tests the limits that hold a step back: its server and its budget.

use super::*;
use crate::testing::store_in_a_file;
use copydesk_core::ports::{Failing, Rejected};
use copydesk_newsroom::{TokenPrice, Usage};

#[tokio::test]
async fn a_server_gets_no_more_at_once_than_it_may_from_all_programs_together() {
    let (folder, store) = store_in_a_file();
    let mut runs = Vec::new();
    for (number, slug) in ["a", "b", "c"].into_iter().enumerate() {
        runs.push(waits(&store, slug, i64::try_from(number).unwrap(), ask(DRAFT)).await);
    }
    let other = Store::open(&folder.path().join("copydesk.db")).unwrap();
    let two = |worker| Arc::new(Places::new(worker, 5).with(limits(2))) as Arc<dyn Slots>;
    assert_eq!(take(&store, two("x"), 5).await, runs[..2]);
    assert_eq!(take(&other, two("y"), 5).await, []);
    let done = QueueChanges { clear: true, ..QueueChanges::default() };
    commit(&store, runs[0], 6, done, None).await;
    assert_eq!(take(&other, two("y"), 7).await, runs[2..]);
}

#[tokio::test]
async fn a_server_gets_no_more_in_a_minute_than_it_may() {
    let (_folder, store) = store();
    let mut runs = Vec::new();
    for number in 0..5 {
        runs.push(waits(&store, &format!("s{number}"), number, ask(DRAFT)).await);
    }
    let slots_with = |per_minute, tokens_per_minute| {
        let limits = ServerLimits { per_minute, tokens_per_minute, ..limits(16) };
        Arc::new(Places::new("x", 9).with(limits)) as Arc<dyn Slots>
    };
    assert_eq!(take(&store, slots_with(Some(2), None), 10).await, runs[..2]);
    assert_eq!(take(&store, slots_with(Some(2), None), 69).await, []);
    // Tokens are those that were reckoned with until the server says how many it were.
    assert_eq!(take(&store, slots_with(None, Some(250)), 69).await, []);
    let answered = ServerDid::Answered { step: Step::Draft, tokens: Some(20) };
    let heard = vec![ServerNews { server: SERVER.into(), what: answered }];
    commit(
        &store,
        runs[0],
        69,
        QueueChanges { heard, done: vec![DRAFT], ..QueueChanges::default() },
        Some(places("x", 0)),
    )
    .await;
    assert_eq!(take(&store, slots_with(None, Some(250)), 69).await, runs[2..3], "20, 100 and 100 are no more than 250");
    assert_eq!(
        take(&store, slots_with(Some(2), Some(50)), 131).await,
        runs[3..4],
        "one that is too large by itself is made alone"
    );
    assert_eq!(take(&store, slots_with(Some(2), None), -3600).await, runs[4..], "the clock was set back");
}

#[tokio::test]
async fn a_server_that_is_down_is_left_alone_and_one_call_finds_out_whether_it_is_back() {
    let (_folder, store) = store();
    let mut runs = Vec::new();
    for number in 0..4 {
        runs.push(waits(&store, &format!("s{number}"), number, ask(DRAFT)).await);
    }
    let fails = |step| QueueChanges {
        put: vec![ask(step)],
        heard: vec![ServerNews { server: SERVER.into(), what: ServerDid::Failed { error: "refused".into() } }],
        ..QueueChanges::default()
    };
    let answers = |step| QueueChanges {
        done: vec![step],
        heard: vec![ServerNews {
            server: SERVER.into(),
            what: ServerDid::Answered { step: Step::Draft, tokens: None },
        }],
        ..QueueChanges::default()
    };
    assert_eq!(take(&store, places("x", 3), 10).await, runs[..3]);
    let committed = commit(&store, runs[0], 10, fails(DRAFT), Some(places("x", 0))).await;
    assert_eq!((committed.events, store.failing(SERVER, after(1)).await.unwrap().failures), (vec![], 1));
    let committed = commit(&store, runs[1], 10, fails(DRAFT), Some(places("x", 0))).await;
    let down =
        |seconds| vec![Event::ServerDown { server: SERVER.into(), again_in_seconds: seconds, error: "refused".into() }];
    assert_eq!(committed.events, down(5.0));
    // A call that was on its way says nothing new.
    assert_eq!(commit(&store, runs[2], 11, fails(DRAFT), Some(places("x", 0))).await.events, vec![]);
    assert_eq!(take(&store, places("x", 3), 14).await, []);
    let listed = store.servers_down(after(14)).await.unwrap();
    assert_eq!(listed.len(), 1);
    assert_eq!((listed[0].since, listed[0].until), (Some(after(10)), after(15)));
    // One call, and longer rests while it stays down.
    for (seconds, rest) in [(15, 10.0), (25, 15.0), (40, 15.0)] {
        let probe = take(&store, places("x", 3), seconds).await;
        assert_eq!(probe.len(), 1, "{seconds}");
        assert_eq!(
            commit(&store, probe[0], seconds, fails(DRAFT), Some(places("x", 0))).await.events,
            down(rest),
            "{seconds}"
        );
    }
    let probe = take(&store, places("x", 3), 55).await;
    let back = commit(&store, probe[0], 56, answers(DRAFT), Some(places("x", 5))).await;
    assert_eq!(back.events, [Event::ServerBack { server: SERVER.into() }]);
    assert_eq!(back.taken.len(), 3, "all go on");
    assert_eq!(store.servers_down(after(56)).await.unwrap(), []);
}

#[tokio::test]
async fn a_server_that_asks_for_a_pause_gets_it() {
    let (_folder, store) = store();
    let run = waits(&store, "park", 0, ask(DRAFT)).await;
    waits(&store, "mill", 1, ask(DRAFT)).await;
    assert_eq!(take(&store, places("x", 1), 2).await, [run]);
    let heard = vec![ServerNews { server: SERVER.into(), what: ServerDid::Busy { until: after(30) } }];
    commit(
        &store,
        run,
        3,
        QueueChanges { heard, put: vec![ask(DRAFT)], ..QueueChanges::default() },
        Some(places("x", 0)),
    )
    .await;
    assert_eq!(take(&store, places("x", 2), 29).await, []);
    assert_eq!(store.servers_down(after(29)).await.unwrap()[0].since, None);
    assert_eq!(take(&store, places("x", 2), 31).await.len(), 2);
}

#[tokio::test]
async fn no_call_is_made_that_could_pass_the_budget_of_its_story_or_its_batch() {
    let (_folder, store) = store();
    let mut runs = Vec::new();
    for slug in ["one", "two"] {
        let mut opening = opening_of(slug, slug, "Text.");
        opening.pins = "pins".into();
        let queue = QueueChanges { put: vec![ask(DRAFT)], ..QueueChanges::default() };
        let first = Commit { at: iso(0), queue, ..Commit::default() };
        let new = NewRun { opening, takes_over: None, priority: None, batch: Some("b".into()), first };
        runs.push(store.open_run(new, None).await.unwrap().unwrap().0);
    }
    // Each call may use 150 tokens, and is reckoned with until its server says what it was.
    let put = |step: Step| QueuedStep {
        start: Some(Start::Call(Box::new(intent(step, 1, "s")), started())),
        ..ask(Some(step))
    };
    let limited = |story, batch, cost| {
        let price = TokenPrice { currency: "EUR".into(), sent: 0.001, cached: 0.0, received: 0.01 };
        let prices = HashMap::from([("m".to_owned(), price)]);
        let budget = Budget { tokens: [story, batch], cost: [cost, None], prices };
        Arc::new(Places { budget, ..Places::new("x", 1) }) as Arc<dyn Slots>
    };
    let try_it = async |run: usize, step: Step, at: i64, slots: Arc<dyn Slots>| {
        let changes = QueueChanges { put: vec![put(step)], ..QueueChanges::default() };
        commit(&store, runs[run], at, changes, Some(slots)).await
    };
    let refused = |committed: Committed| {
        committed.over_budget.into_iter().next().map(|(_, over)| (over.key, over.limit, over.used, over.call))
    };
    let fits =
        |committed: Committed| assert!(committed.over_budget.is_empty() && committed.taken.len() == 1, "{committed:?}");
    let waits = |committed: Committed| {
        let made = committed.taken.iter().any(|taken| taken.step == REVIEW);
        assert!(committed.over_budget.is_empty() && !made, "{committed:?}");
    };
    fits(try_it(0, Step::Draft, 1, limited(Some(150), Some(300), None)).await);
    let review = Step::Review { round: 1 };
    // A call under way may use less than its estimate.
    waits(try_it(0, review, 2, limited(Some(299), None, None)).await);
    fits(try_it(1, Step::Draft, 3, limited(Some(150), Some(300), None)).await);
    waits(try_it(1, review, 4, limited(None, Some(449), None)).await);
    // 100 sent and 50 received cost 0.6.
    waits(try_it(0, review, 5, limited(None, None, Some(1.0))).await);
    // A call that was given up may have used all of its estimate.
    let given_up = QueueChanges { done: vec![DRAFT], ..QueueChanges::default() };
    commit(&store, runs[1], 6, given_up, None).await;
    let over = refused(try_it(1, review, 7, limited(Some(299), None, None)).await);
    assert_eq!(over, Some(("desk.budget.story_tokens", 299.0, 150.0, 150.0)));
    let over = refused(try_it(1, review, 7, limited(None, None, Some(1.0))).await);
    assert_eq!(over.map(|over| over.0), Some("desk.budget.story_cost"));
    let usage = Usage { prompt_tokens: Some(10), completion_tokens: Some(5), cached_tokens: Some(4) };
    let answer = copydesk_newsroom::Answer { text: "a".into(), usage, ..Default::default() };
    let key = copydesk_newsroom::CallKey { step: Step::Draft, attempt: 1 };
    let answered = Commit { at: iso(8), answers: vec![(key, answer)], ..Commit::default() };
    store.commit(runs[0], answered, None).await.unwrap();
    let over = refused(try_it(1, review, 9, limited(None, Some(314), None)).await);
    assert_eq!(over, Some(("desk.budget.batch_tokens", 314.0, 165.0, 150.0)));
    // Tokens from the server's cache cost nothing.
    fits(try_it(0, review, 10, limited(Some(165), None, Some(0.658))).await);
}

#[tokio::test]
async fn a_run_that_takes_over_belongs_to_the_same_batch_and_an_answer_without_a_count_counts_as_reckoned() {
    let (_folder, store) = store();
    let mut opening = opening_of("park", "first", "Text.");
    opening.pins = "pins".into();
    let first = Commit { at: iso(0), intents: vec![intent(Step::Draft, 1, "s")], ..Commit::default() };
    let new = NewRun { opening: opening.clone(), takes_over: None, priority: None, batch: Some("b".into()), first };
    let run = store.open_run(new, None).await.unwrap().unwrap().0;
    let key = copydesk_newsroom::CallKey { step: Step::Draft, attempt: 1 };
    let answer = Some(copydesk_newsroom::Answer { text: "no JSON".into(), ..Default::default() });
    let rejected = vec![Rejected { key, error: "no JSON".into(), answer }];
    store.commit(run, Commit { at: iso(1), rejected, ..Commit::default() }, None).await.unwrap();
    opening.run_id = "second".into();
    let first = Commit { at: iso(2), ..Commit::default() };
    let next = NewRun { opening, takes_over: Some(run), priority: None, batch: None, first };
    let next = store.open_run(next, None).await.unwrap().unwrap().0;
    let budget = Budget { tokens: [None, Some(200)], ..Budget::default() };
    let slots = Arc::new(Places { budget, ..Places::new("x", 9) }) as Arc<dyn Slots>;
    let start = Some(Start::Call(Box::new(intent(Step::Draft, 1, "s")), started()));
    let changes = QueueChanges { put: vec![QueuedStep { start, ..ask(DRAFT) }], ..QueueChanges::default() };
    let over = commit(&store, next, 3, changes, Some(slots)).await.over_budget;
    assert_eq!(
        over.iter().map(|(_, over)| (over.key, over.used)).collect::<Vec<_>>(),
        [("desk.budget.batch_tokens", 150.0)]
    );
}

#[tokio::test]
async fn a_server_that_rested_is_probed_by_the_next_call() {
    let (_folder, store) = store();
    let run = waits(&store, "park", 0, ask(DRAFT)).await;
    let fails = || QueueChanges {
        heard: vec![ServerNews { server: SERVER.into(), what: ServerDid::Failed { error: "500".into() } }],
        ..QueueChanges::default()
    };
    for at in [1, 2] {
        assert!(!store.failing(SERVER, after(at)).await.unwrap().probed);
        commit(&store, run, at, fails(), Some(places("a", 1))).await;
    }
    let failing = async |at| store.failing(SERVER, after(at)).await.unwrap();
    assert_eq!(failing(3).await, Failing { failures: 2, probed: false }, "it is left alone");
    assert_eq!(failing(7).await, Failing { failures: 2, probed: true });
}
