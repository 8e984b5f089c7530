mod claims;
mod holding;
mod limits;

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use super::*;
use crate::{
    Store,
    testing::{AT, intent, opening_of, store, story},
};
use copydesk_core::ports::{
    Admission, Archive as _, Breaker, Budget, Commit, Intent, Leased, NewRun, Queue as _, Records as _, ServerDid,
    ServerLimits, ServerNews, StoreError, Stories as _, StoryChange,
};
use copydesk_newsroom::{Event, EventRecord, Pool, Priority, Specialist, Step, StoryKey};

const SERVER: &str = "127.0.0.1:1234";
const DRAFT: Option<Step> = Some(Step::Draft);
const REVIEW: Option<Step> = Some(Step::Review { round: 1 });

/// A worker with so many places in all, and one of each pool where `one_each`.
struct Places {
    worker: &'static str,
    left: Mutex<usize>,
    one_each: Option<Mutex<Vec<Pool>>>,
    limits: HashMap<&'static str, ServerLimits>,
    aged: bool,
    budget: Budget,
}

fn limits(at_once: u32) -> ServerLimits {
    ServerLimits { server: SERVER.into(), at_once, per_minute: None, tokens_per_minute: None }
}

impl Places {
    fn new(worker: &'static str, places: usize) -> Self {
        let limits = HashMap::from([("writer", limits(16))]);
        Self { worker, left: Mutex::new(places), one_each: None, limits, aged: false, budget: Budget::default() }
    }

    fn with(self, limits: ServerLimits) -> Self {
        Self { limits: HashMap::from([("writer", limits)]), ..self }
    }
}

impl Slots for Places {
    fn worker(&self) -> &str {
        self.worker
    }
    fn lease(&self) -> Duration {
        Duration::from_mins(1)
    }
    fn pins(&self) -> &'static str {
        "pins"
    }
    fn only(&self) -> Option<&str> {
        None
    }
    fn give_back(&self) {}
    fn admit(&self, _: RunKey, _: Option<Step>, pool: Pool) -> Admission {
        if let Some(each) = &self.one_each {
            let mut each = each.lock().unwrap();
            if each.contains(&pool) {
                return Admission::PoolFull;
            }
            each.push(pool);
        }
        let mut left = self.left.lock().unwrap();
        if *left == 0 {
            return Admission::StoriesFull;
        }
        *left -= 1;
        Admission::Admitted
    }
    fn limits(&self, asks: &str) -> Option<ServerLimits> {
        self.limits.get(asks).cloned()
    }
    fn ageing(&self) -> Option<Duration> {
        self.aged.then_some(Duration::from_mins(10))
    }
    fn budget(&self) -> &Budget {
        &self.budget
    }
    fn breaker(&self) -> Breaker {
        Breaker { failures: 2, rest: Duration::from_secs(5), longest: Duration::from_secs(15) }
    }
}

fn places(worker: &'static str, places: usize) -> Arc<dyn Slots> {
    Arc::new(Places::new(worker, places))
}

/// So many seconds after the time at which everything here begins.
fn after(seconds: i64) -> i64 {
    milliseconds(AT).unwrap() + seconds * 1000
}

fn iso(seconds: i64) -> String {
    format!("{:.3}", jiff::Timestamp::from_millisecond(after(seconds)).unwrap())
}

fn ask(step: Option<Step>) -> QueuedStep {
    QueuedStep { asks: Some(Agent::Writer), tokens: 100, ..QueuedStep::new(step, Pool::Writer) }
}

/// A run whose story has one step in the queue since then.
async fn waits(store: &Store, slug: &str, seconds: i64, put: QueuedStep) -> RunKey {
    let mut opening = opening_of(slug, &format!("run of {slug}"), "Text.");
    opening.pins = "pins".into();
    let queue = QueueChanges { put: vec![put], arrived: Some(after(seconds)), ..QueueChanges::default() };
    let first = Commit { at: iso(seconds), queue, ..Commit::default() };
    store
        .open_run(NewRun { opening, takes_over: None, priority: None, batch: None, first }, None)
        .await
        .unwrap()
        .unwrap()
        .0
}

async fn take(store: &Store, slots: Arc<dyn Slots>, seconds: i64) -> Vec<RunKey> {
    store.take(slots, after(seconds)).await.unwrap().into_iter().map(|taken| taken.run).collect()
}

async fn commit(
    store: &Store,
    run: RunKey,
    seconds: i64,
    queue: QueueChanges,
    slots: Option<Arc<dyn Slots>>,
) -> Committed {
    store.commit(run, Commit { at: iso(seconds), queue, ..Commit::default() }, slots).await.unwrap()
}

async fn states(store: &Store) -> Vec<(String, Option<Step>, MessageState)> {
    let messages = store.messages(None).await.unwrap();
    messages.into_iter().map(|message| (message.story.slug.to_string(), message.step, message.state)).collect()
}

#[tokio::test]
async fn the_most_urgent_comes_first_and_then_who_came_first() {
    let (_folder, store) = store();
    let one = waits(&store, "one", 2, ask(DRAFT)).await;
    let two = waits(&store, "two", 1, ask(DRAFT)).await;
    let three = waits(&store, "three", 3, ask(DRAFT)).await;
    let four = waits(&store, "four", 0, ask(DRAFT)).await;
    store.change(&story("three"), StoryChange::Priority(Priority::High), "M. Ito", AT).await.unwrap();
    store.change(&story("four"), StoryChange::Priority(Priority::Low), "M. Ito", AT).await.unwrap();
    assert_eq!(take(&store, places("a", 3), 10).await, [three, two, one]);
    assert_eq!(take(&store, places("a", 3), 10).await, [four]);
    assert_eq!(take(&store, places("b", 3), 10).await, [], "what somebody has nobody else takes");
}

#[tokio::test]
async fn a_story_that_is_raised_overtakes_at_the_next_step_and_who_was_overtaken_keeps_its_turn() {
    let (_folder, store) = store();
    let first = waits(&store, "first", 0, ask(DRAFT)).await;
    let second = waits(&store, "second", 1, ask(DRAFT)).await;
    let breaking = waits(&store, "breaking", 2, ask(DRAFT)).await;
    assert_eq!(take(&store, places("a", 1), 3).await, [first]);
    store.change(&story("breaking"), StoryChange::Priority(Priority::High), "M. Ito", AT).await.unwrap();
    let next = |step| QueueChanges {
        done: vec![DRAFT],
        put: vec![QueuedStep {
            start: Some(Start::Call(Box::new(intent(Step::Review { round: 1 }, 1, "s")), started())),
            ..ask(step)
        }],
        arrived: Some(after(0)),
        ..QueueChanges::default()
    };
    let committed = commit(&store, first, 4, next(REVIEW), Some(places("a", 1))).await;
    assert_eq!(committed.taken.iter().map(|taken| taken.run).collect::<Vec<_>>(), [breaking]);
    assert!(store.load(first).await.unwrap().calls.is_empty(), "nobody makes its call yet");
    // Then the first story's own turn comes, before who came after it.
    let over = QueueChanges { clear: true, ..QueueChanges::default() };
    let committed = commit(&store, breaking, 5, over, Some(places("a", 1))).await;
    assert_eq!(committed.taken.iter().map(|taken| (taken.run, taken.step)).collect::<Vec<_>>(), [(first, REVIEW)]);
    assert_eq!(take(&store, places("a", 1), 6).await, [second]);
}

fn started() -> Event {
    Event::CallStarted {
        step: Step::Review { round: 1 },
        attempt: 1,
        agent: "writer".into(),
        model: "m".into(),
        host: "h".into(),
    }
}

#[tokio::test]
async fn the_next_step_its_intent_and_the_end_of_the_one_before_are_one_transaction() {
    let (_folder, store) = store();
    let run = waits(&store, "park", 0, ask(DRAFT)).await;
    assert_eq!(take(&store, places("a", 1), 1).await, [run]);
    let asked: Intent = intent(Step::Review { round: 1 }, 1, "s");
    let put = QueuedStep { start: Some(Start::Call(Box::new(asked), started())), ..ask(REVIEW) };
    let queue = QueueChanges { done: vec![DRAFT], put: vec![put.clone()], ..QueueChanges::default() };
    let committed = commit(&store, run, 2, queue, Some(places("a", 1))).await;
    assert_eq!(committed.taken.len(), 1);
    assert_eq!(states(&store).await, [("park".to_owned(), REVIEW, MessageState::Leased)]);
    assert_eq!(store.load(run).await.unwrap().calls.len(), 1);
    assert_eq!(store.events(run).await.unwrap().len(), 1);
    // A commit that fails leaves all of it as it was.
    let again = QueueChanges { done: vec![REVIEW], put: vec![put], ..QueueChanges::default() };
    let failed =
        store.commit(run, Commit { at: iso(3), queue: again, ..Commit::default() }, Some(places("a", 1))).await;
    assert!(matches!(failed, Err(StoreError::Failed { .. })), "the call is written already: {failed:?}");
    assert_eq!(states(&store).await, [("park".to_owned(), REVIEW, MessageState::Leased)]);
}

#[tokio::test]
async fn a_step_waits_until_its_time_and_no_longer_where_the_clock_was_set_back() {
    let (_folder, store) = store();
    let run = waits(&store, "park", 0, QueuedStep { not_before: Some(after(30)), ..ask(DRAFT) }).await;
    assert_eq!(take(&store, places("a", 1), 29).await, []);
    let outlook = store.outlook("worker", "pins", None).await.unwrap();
    assert_eq!((outlook.waiting, outlook.due), (false, Some(after(30))));
    assert_eq!(store.outlook("worker", "pins", None).await.unwrap().due, Some(after(30)));
    assert_eq!(take(&store, places("a", 1), 30).await, [run]);
    let later =
        QueueChanges { put: vec![QueuedStep { not_before: Some(after(90)), ..ask(DRAFT) }], ..QueueChanges::default() };
    commit(&store, run, 31, later, None).await;
    assert_eq!(take(&store, places("a", 1), 32).await, []);
    assert_eq!(take(&store, places("a", 1), -3600).await, [run], "an hour back");
}

#[tokio::test]
async fn a_step_of_a_story_that_another_worker_has_is_no_outlook() {
    let (_folder, store) = store();
    let run = waits(&store, "park", 0, ask(DRAFT)).await;
    assert_eq!(take(&store, places("a", 1), 0).await, [run]);
    let more = QueueChanges { put: vec![ask(REVIEW)], ..QueueChanges::default() };
    commit(&store, run, 1, more, None).await;
    for (worker, waiting) in [("a", true), ("b", false)] {
        assert_eq!(store.outlook(worker, "pins", None).await.unwrap().waiting, waiting, "{worker}");
    }
}

#[tokio::test]
async fn what_a_worker_has_is_its_own_until_somebody_finds_that_it_has_ended() {
    let (_folder, store) = store();
    let run = waits(&store, "park", 0, ask(DRAFT)).await;
    assert_eq!(take(&store, places("a", 1), 0).await, [run]);
    store.renew("a", after(100)).await.unwrap();
    let lease = Leased { run, story: story("park"), worker: "a".into(), since: after(0), until: after(100) };
    assert_eq!(store.leases().await.unwrap(), std::slice::from_ref(&lease));
    let outlook = store.outlook("worker", "pins", None).await.unwrap();
    assert_eq!((outlook.waiting, outlook.due, outlook.leased), (false, None, true));
    // One that ends later than any can was written before the clock was set back.
    let run_out = |seconds| lease.has_run_out(after(seconds), Duration::from_mins(1));
    assert_eq!([101, 100, -20, -21].map(run_out), [true, false, false, true]);
    assert_eq!(take(&store, places("b", 1), 101).await, [], "whether it hangs is not for the queue to say");
    store.release("b", run, after(102)).await.unwrap();
    assert_eq!(take(&store, places("b", 1), 102).await, [], "it is a's");
    store.release("a", run, after(103)).await.unwrap();
    assert_eq!(take(&store, places("a", 1), 1).await, [run]);
    store.put_back("b", run, None, after(2)).await.unwrap();
    assert_eq!(take(&store, places("b", 1), 2).await, [], "it is not b's to put back");
    store.put_back("a", run, Some(after(5)), after(2)).await.unwrap();
    assert_eq!((take(&store, places("b", 1), 4).await, take(&store, places("b", 1), 5).await), (vec![], vec![run]));
    store.take_out("b", run).await.unwrap();
    assert_eq!(states(&store).await, []);
}

#[tokio::test]
async fn what_has_waited_long_comes_now_and_then_before_what_is_urgent() {
    let (_folder, store) = store();
    let low = waits(&store, "low", 0, ask(DRAFT)).await;
    store.change(&story("low"), StoryChange::Priority(Priority::Low), "M. Ito", AT).await.unwrap();
    let mut high = Vec::new();
    for slug in ["a", "b", "c"] {
        high.push(waits(&store, slug, 500, ask(DRAFT)).await);
        store.change(&story(slug), StoryChange::Priority(Priority::High), "M. Ito", AT).await.unwrap();
    }
    let aged = |worker| Arc::new(Places { aged: true, ..Places::new(worker, 1) }) as Arc<dyn Slots>;
    assert_eq!(take(&store, aged("x"), 599).await, [high[0]], "nothing has waited long");
    assert_eq!(take(&store, places("x", 1), 601).await, [high[1]], "it is not its turn");
    assert_eq!(take(&store, aged("x"), 601).await, [low]);
    assert_eq!(take(&store, aged("x"), 601).await, [high[2]]);
}

#[tokio::test]
async fn what_is_as_urgent_keeps_its_place_however_long_others_have_waited() {
    let (_folder, store) = store();
    let first = waits(&store, "first", 0, ask(DRAFT)).await;
    let aged = |worker| Arc::new(Places { aged: true, ..Places::new(worker, 1) }) as Arc<dyn Slots>;
    assert_eq!(take(&store, aged("x"), 1).await, [first]);
    let second = waits(&store, "second", 1, ask(DRAFT)).await;
    // The first story's next step is new in the queue, and the second story has waited all the time.
    store.put_back("x", first, None, after(1000)).await.unwrap();
    assert_eq!(take(&store, aged("x"), 1001).await, [first]);
    assert_eq!(take(&store, aged("x"), 1001).await, [second]);
}

#[tokio::test]
async fn of_those_that_have_waited_long_the_first_that_can_be_worked_on_has_its_turn() {
    let (_folder, store) = store();
    let stuck = waits(&store, "stuck", 0, QueuedStep { asks: Some(Agent::ArticleReview), ..ask(DRAFT) }).await;
    let low = waits(&store, "low", 1, ask(DRAFT)).await;
    let next = waits(&store, "next", 2, ask(DRAFT)).await;
    let high = waits(&store, "high", 700, ask(DRAFT)).await;
    store.change(&story("low"), StoryChange::Priority(Priority::Low), "M. Ito", AT).await.unwrap();
    store.change(&story("high"), StoryChange::Priority(Priority::High), "M. Ito", AT).await.unwrap();
    // No worker here has the editor's model. One step is taken for its age, the others in order.
    let aged = Places { aged: true, ..Places::new("a", 3) };
    assert_eq!(take(&store, Arc::new(aged), 800).await, [low, high, next]);
    assert_eq!(take(&store, places("b", 3), 801).await, []);
    assert!(states(&store).await.iter().any(|(slug, ..)| slug == "stuck"), "{stuck:?}");
}

#[tokio::test]
async fn what_waits_behind_others_of_its_pool_is_found_whoever_asks() {
    let (_folder, store) = store();
    let open = QueuedStep::new(DRAFT, Pool::Reporter);
    let search = QueuedStep { asks: Some(Agent::Writer), ..QueuedStep::new(DRAFT, Pool::Reporter) };
    waits(&store, "files", 0, QueuedStep::new(None, Pool::Editor)).await;
    for number in 0..8 {
        waits(&store, &format!("stuck-{number}"), 1, QueuedStep { asks: Some(Agent::ArticleReview), ..ask(DRAFT) })
            .await;
    }
    let search = waits(&store, "search", 2, search).await;
    waits(&store, "open", 3, open).await;
    // Nothing of the first eight can be worked on.
    let slots = Places { one_each: Some(Mutex::new(vec![Pool::Editor])), ..Places::new("a", 9) };
    assert_eq!(take(&store, Arc::new(slots), 10).await, [search]);
}

#[tokio::test]
async fn who_waits_for_a_full_pool_keeps_no_other_from_its_place() {
    let (_folder, store) = store();
    for number in 0..20 {
        waits(&store, &format!("writer{number}"), number, QueuedStep::new(DRAFT, Pool::Writer)).await;
    }
    let review = waits(&store, "review", 50, QueuedStep::new(REVIEW, Pool::Review)).await;
    let judge =
        QueuedStep { asks: Some(Agent::Specialist(Specialist::Opinion)), ..QueuedStep::new(REVIEW, Pool::Review) };
    waits(&store, "other-server", 49, judge).await;
    let one_each = || Places { one_each: Some(Mutex::default()), ..Places::new("a", 10) };
    let first = take(&store, Arc::new(one_each()), 60).await;
    assert_eq!(first.len(), 1, "the commit looks at the first few only");
    let slots = one_each();
    slots.one_each.as_ref().unwrap().lock().unwrap().push(Pool::Writer);
    assert_eq!(take(&store, Arc::new(slots), 60).await, [review], "no writer, and no server that nobody knows");
}

#[tokio::test]
async fn a_run_that_another_has_replaced_puts_nothing_in() {
    let (_folder, store) = store();
    let run = waits(&store, "park", 0, ask(DRAFT)).await;
    let mut opening = opening_of("park", "another", "Text.");
    opening.pins = "pins".into();
    let first = Commit { at: iso(1), ..Commit::default() };
    store.open_run(NewRun { opening, takes_over: Some(run), priority: None, batch: None, first }, None).await.unwrap();
    commit(&store, run, 2, QueueChanges { put: vec![ask(REVIEW)], ..QueueChanges::default() }, None).await;
    assert_eq!(states(&store).await, []);
    assert_eq!(store.unfinished_run(run).await.unwrap(), None);
}
