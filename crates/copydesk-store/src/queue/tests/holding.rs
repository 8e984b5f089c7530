//! Holding, resuming, putting back, retrying and giving up.

use super::*;

#[tokio::test]
async fn a_paused_or_held_story_is_not_taken_until_it_is_resumed() {
    let (_folder, store) = store();
    let run = waits(&store, "park", 0, ask(DRAFT)).await;
    store.change(&story("park"), StoryChange::Paused(true), "M. Ito", AT).await.unwrap();
    assert_eq!(take(&store, places("a", 1), 1).await, []);
    let committed = commit(
        &store,
        run,
        2,
        QueueChanges { done: vec![DRAFT], put: vec![ask(REVIEW)], ..QueueChanges::default() },
        Some(places("a", 1)),
    )
    .await;
    assert_eq!((committed.going, committed.taken), (PauseState::Paused, vec![]));
    store.change(&story("park"), StoryChange::Priority(Priority::High), "M. Ito", AT).await.unwrap();
    assert_eq!(take(&store, places("a", 1), 3).await, [], "urgent, and paused all the same");
    store.change(&story("park"), StoryChange::Paused(false), "M. Ito", AT).await.unwrap();
    store.hold(run, after(4)).await.unwrap();
    assert_eq!(take(&store, places("a", 1), 4).await, []);
    store.resume(run, "pins", after(5)).await.unwrap();
    assert_eq!(take(&store, places("a", 1), 5).await, [run]);
    // Putting a paused run back does not resume it.
    store.change(&story("park"), StoryChange::Paused(true), "M. Ito", AT).await.unwrap();
    store.put_back("a", run, None, after(6)).await.unwrap();
    assert_eq!(states(&store).await, [("park".to_owned(), REVIEW, MessageState::Held)]);
}

#[tokio::test]
async fn what_a_program_commits_that_hung_is_refused_once_its_story_was_passed_on() {
    let (_folder, store) = store();
    let run = waits(&store, "park", 0, ask(DRAFT)).await;
    let other = waits(&store, "mill", 0, ask(DRAFT)).await;
    let held = store.load(run).await.unwrap().generation;
    let late = async |run, generation| {
        let queue = QueueChanges { done: vec![DRAFT], put: vec![ask(REVIEW)], ..QueueChanges::default() };
        store.commit(run, Commit { at: iso(1), generation, queue, ..Commit::default() }, Some(places("a", 0))).await
    };
    assert_eq!(late(run, Some(held)).await.unwrap().generation, held);
    let before = states(&store).await;
    store.pass_on(&story("park")).await.unwrap();
    let refused = late(run, Some(held)).await;
    assert_eq!(refused, Err(StoreError::TakenOver { story: story("park") }));
    assert_eq!(states(&store).await, before, "nothing of it is written");
    assert_ne!(store.load(run).await.unwrap().generation, held);
    late(other, Some(held)).await.unwrap();
    late(run, Some(store.load(run).await.unwrap().generation)).await.unwrap();
}

#[tokio::test]
async fn a_story_that_a_worker_has_steps_of_is_left_to_it() {
    let (_folder, store) = store();
    let run = waits(&store, "park", 0, ask(DRAFT)).await;
    assert_eq!(take(&store, places("a", 1), 1).await, [run]);
    commit(&store, run, 2, QueueChanges { put: vec![ask(REVIEW)], ..QueueChanges::default() }, None).await;
    assert_eq!(take(&store, places("b", 1), 3).await, []);
    assert_eq!(take(&store, places("a", 1), 4).await, [run]);
}

#[tokio::test]
async fn a_run_without_a_message_is_put_in_when_it_is_resumed() {
    let (_folder, store) = store();
    let run = waits(&store, "park", 0, ask(DRAFT)).await;
    commit(&store, run, 1, QueueChanges { clear: true, ..QueueChanges::default() }, None).await;
    assert_eq!(states(&store).await, []);
    store.resume(run, "other pins", after(2)).await.unwrap();
    assert_eq!(take(&store, places("a", 1), 3).await, [], "it is for who has those pins");
    store.resume(run, "pins", after(4)).await.unwrap();
    let taken = store.take(places("a", 1), after(5)).await.unwrap();
    assert_eq!(taken.iter().map(|taken| (taken.run, taken.step)).collect::<Vec<_>>(), [(run, None)]);
}

#[tokio::test]
async fn a_run_that_lost_its_message_is_put_in_again_and_no_other() {
    let (_folder, store) = store();
    let lost = waits(&store, "lost", 0, ask(DRAFT)).await;
    let taken = waits(&store, "taken", 1, ask(DRAFT)).await;
    commit(&store, lost, 1, QueueChanges { clear: true, ..QueueChanges::default() }, None).await;
    store.mend("other pins", after(2)).await.unwrap();
    assert_eq!(states(&store).await.len(), 1);
    for _ in 0..2 {
        store.mend("pins", after(3)).await.unwrap();
        assert_eq!(states(&store).await.len(), 2);
    }
    assert_eq!(take(&store, places("a", 5), 4).await, [taken, lost]);
}

#[tokio::test]
async fn what_is_paused_before_its_time_has_come_waits_for_it_afterwards() {
    let (_folder, store) = store();
    let run = waits(&store, "park", 0, QueuedStep { not_before: Some(after(60)), ..ask(DRAFT) }).await;
    for (paused, at) in [(true, 10), (false, 20)] {
        store.change(&story("park"), StoryChange::Paused(paused), "M. Ito", &iso(at)).await.unwrap();
    }
    assert_eq!(take(&store, places("a", 1), 21).await, []);
    assert_eq!(take(&store, places("a", 1), 60).await, [run]);
}

#[tokio::test]
async fn a_worker_puts_back_all_it_has_and_letting_go_takes_nothing_from_one() {
    let (_folder, store) = store();
    let run = waits(&store, "park", 0, ask(DRAFT)).await;
    assert_eq!(take(&store, places("a", 1), 1).await, [run]);
    store.resume(run, "pins", after(2)).await.unwrap();
    assert_eq!(take(&store, places("b", 1), 3).await, [], "it is a's");
    store.put_all_back("b", after(4)).await.unwrap();
    assert_eq!(take(&store, places("b", 1), 5).await, []);
    store.put_all_back("a", after(6)).await.unwrap();
    assert_eq!(take(&store, places("b", 1), 7).await, [run]);
}

#[tokio::test]
async fn a_failed_step_stays_until_it_is_dropped_or_its_story_is_begun_anew() {
    let (_folder, store) = store();
    let run = waits(&store, "park", 0, ask(DRAFT)).await;
    let dead = QueuedStep { redeliveries: 3, error: Some("refused".into()), ..ask(DRAFT) };
    let bury = || QueueChanges {
        clear: true,
        dead: Some(dead.clone()),
        put: vec![QueuedStep::new(None, Pool::Publisher)],
        ..QueueChanges::default()
    };
    commit(&store, run, 1, bury(), None).await;
    store.files_written(run).await.unwrap();
    let listed = store.messages(Some(MessageState::Dead)).await.unwrap();
    assert_eq!(listed.len(), 1);
    assert_eq!((listed[0].step, listed[0].error.as_deref(), listed[0].redeliveries), (DRAFT, Some("refused"), 3));
    assert_eq!(take(&store, places("x", 5), 2).await, []);
    assert_eq!(listed[0].stands_since(), iso(1));
    let waiting = waits(&store, "mill", 0, ask(DRAFT)).await;
    assert!(!store.drop_dead(waiting, Step::Draft, "Ada", "Old.", AT).await.unwrap(), "it was not given up");
    assert_eq!(store.events(waiting).await.unwrap(), []);
    store.delete_story(&story("mill"), "Ada", AT).await.unwrap();
    assert!(store.drop_dead(run, Step::Draft, "Ada", "Old.", &iso(2)).await.unwrap());
    assert!(!store.drop_dead(run, Step::Draft, "Ada", "Again.", &iso(3)).await.unwrap());
    let event = Event::DeadLetterDropped { step: Step::Draft, by: "Ada".into(), reason: "Old.".into() };
    let dropped = EventRecord { at: iso(2), story: "desk/park".into(), run: "run of park".into(), event };
    assert_eq!(store.events(run).await.unwrap(), [dropped]);
    commit(&store, run, 3, bury(), None).await;
    let mut again = opening_of("park", "another", "Text.");
    again.pins = "pins".into();
    let first = Commit { at: iso(4), ..Commit::default() };
    store
        .open_run(NewRun { opening: again, takes_over: None, priority: Some(Priority::High), batch: None, first }, None)
        .await
        .unwrap();
    assert_eq!(states(&store).await, []);
    let key: StoryKey = story("park");
    assert_eq!(store.runs_of(&key.to_string()).await.unwrap().last().unwrap().1.priority, Priority::High);
}
