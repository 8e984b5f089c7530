//! The pages of a story.

use crate::widgets::page::ScrolledText as _;
use crate::{
    app::{
        Effect,
        messages::{CallLayout, Request},
        model::Screen,
        news::News,
        tests::seat::*,
        unread::UnreadText,
        update::{Arrival, update},
    },
    screens::{changes::model::Compared, desk::model::StoryHolder},
    widgets::page::Page,
};
use copydesk_core::editorial::{
    changes,
    testing::{add, opening},
    testing::{at_gate, decide, go_on},
};
use copydesk_core::ports::{CallNumbers, CallRow, CallState, RunKey};
use copydesk_newsroom::{Choice, Draft, Event, EventRecord, Journal, Outcome, Priority, Step, Usage};
use std::sync::Arc;

#[test]
fn what_arrived_while_another_page_was_shown_is_there_on_the_way_back() {
    let mut seat = Seat::with(Journal::new(opening()));
    let shown = |seat: &mut Seat| {
        crate::app::hints::before_frame(&mut seat.model);
        seat.model.story.as_ref().unwrap().live.text.text().to_string()
    };
    let heard = |text: &str| {
        let unread = UnreadText::default();
        assert!(unread.add(text));
        News::Heard { story: "desk/park".into(), step: Step::Draft, unread }
    };
    seat.hear(News::Happened(EventRecord {
        story: "desk/park".into(),
        run: "run-of-desk/park".into(),
        at: "2026-10-06T12:00:00.000Z".into(),
        event: Event::CallStarted {
            step: Step::Draft,
            attempt: 1,
            agent: "writer".into(),
            model: "m".into(),
            host: "127.0.0.1".into(),
        },
    }));
    seat.hear(heard("{\"headline\": \"A park"));
    assert!(shown(&mut seat).contains("A park"));
    seat.keys("4");
    seat.hear(heard(" plan passes"));
    shown(&mut seat);
    seat.keys("1");
    assert!(shown(&mut seat).contains("A park plan passes"));
    // It is heard before it is said that it is at work.
    let hands = |hands| News::StoryHolder(vec![("desk/park".into(), hands)]);
    for is in [StoryHolder::OursSoon, StoryHolder::Ours] {
        seat.hear(hands(is));
        assert!(shown(&mut seat).contains("A park plan passes") && crate::app::hints::moves(&seat.model), "{is:?}");
    }
    // Stopped, or put back into the queue: nothing is on its way any more.
    let at_work = seat.model.live.clone();
    for is in [News::StoryHolder(vec![]), hands(StoryHolder::OursSoon), hands(StoryHolder::Others)] {
        seat.hear(hands(StoryHolder::Ours));
        seat.model.live.clone_from(&at_work);
        seat.hear(is);
        assert!(!crate::app::hints::moves(&seat.model));
    }
}

#[test]
fn a_call_that_is_laid_out_late_does_not_stand_under_another() {
    let mut seat = Seat::at_gate();
    let row = |attempt| CallRow {
        run: RunKey(1),
        step: Step::Draft,
        attempt,
        agent: "writer".into(),
        model: "m".into(),
        host: "h".into(),
        state: CallState::Answered,
        error: None,
        usage: Usage::default(),
        numbers: CallNumbers::default(),
        prompt_bytes: None,
        answer_bytes: None,
        asked_at: "2026-10-06T12:00:00.000Z".into(),
        ended_at: None,
        repeats: 0,
        removed_at: None,
    };
    seat.keys("5");
    seat.hear(News::Calls(RunKey(1), vec![row(1), row(2)]));
    let laid = |attempt, raw| News::CallLaid {
        laid: CallLayout { run: RunKey(1), step: Step::Draft, attempt, raw },
        page: Box::new(Page::new(Arc::from(format!("call {attempt} {raw}")))),
    };
    let shown = |seat: &Seat| seat.model.story.as_ref().unwrap().calls.page.text().to_string();
    seat.hear(laid(2, false));
    seat.hear(laid(1, true));
    assert_eq!(shown(&seat), "");
    seat.hear(laid(1, false));
    assert_eq!(shown(&seat), "call 1 false");
}

/// A run with a second draft, which is the editor's own.
fn edited() -> Journal {
    let mut journal = at_gate();
    let mut edited = journal.draft(1).unwrap().article.clone();
    edited.articleBody.push_str("\n\nThe mayor stayed away.\n\nThe mayor of Garlow came.");
    decide(&mut journal, 1, Choice::Edit { article: edited.clone() });
    decide(&mut journal, 1, Choice::Continue);
    go_on(&mut journal);
    let draft = Draft { article: edited, stripped: vec![], undone: vec![] };
    add(&mut journal, Step::Revise { round: 1 }, Outcome::Draft(draft));
    journal
}

#[test]
fn drafts_are_compared_on_another_thread_and_each_pair_once() {
    let mut seat = Seat::with(edited());
    let mut press = |key: &str| update(&mut seat.model, Arrival::Key(event(key)));
    let asked = press("3");
    let [Effect::Ask(Request::Compare { key, journal, pair })] = &asked[..] else { panic!("{asked:?}") };
    assert_eq!(*pair, (1, 2));
    // The article's page waits for the same.
    assert_eq!(press("4"), []);
    assert_eq!(press("3"), []);
    let story = |seat: &Seat| seat.model.story.as_ref().unwrap().changes.compared.as_ref().map(Compared::pair);
    assert_eq!(story(&seat), None);
    let comparison = changes::between(journal, 1, 2).map(Arc::new);
    seat.hear(News::Compared { key: *key, pair: *pair, comparison });
    assert_eq!(story(&seat), Some((1, 2)));
}

#[test]
fn excerpts_are_looked_for_on_another_thread_and_none_is_missing_before_that() {
    let mut seat = Seat::with(edited());
    let effects = update(&mut seat.model, Arrival::Key(event("2")));
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::Ask(Request::FindExcerpts { .. }))), "known");
    seat.model.story.as_mut().unwrap().show_round(1);
    assert!(!seat.model.story.as_ref().unwrap().concerns.has_no_excerpt());
    seat.keys("2");
    assert_eq!(seat.model.story.as_ref().unwrap().concerns.places().map(Vec::len), Some(2));
}

#[test]
fn the_changes_are_searched_and_their_words_copied() {
    let mut seat = Seat::with(edited());
    seat.keys("3");
    let story = seat.model.story.as_mut().unwrap();
    story.changes.compared.as_mut().unwrap().lay(60, 5, &seat.model.theme);
    seat.keys("/ \"MAYOR\" enter");
    assert_eq!(seat.model.notice.as_ref().unwrap().text, "2 hits");
    seat.keys(")");
    assert_eq!(seat.model.notice.as_ref().unwrap().text, "Hit 2 of 2");
    seat.effects.clear();
    seat.keys("y");
    let [Effect::Copy { text, .. }] = &seat.effects[..] else { panic!("{:?}", seat.effects) };
    assert!(text.starts_with("+ ") && text.contains("The mayor stayed away."), "{text}");
    seat.keys("esc");
    assert_eq!(
        (seat.model.screen, seat.model.story.as_ref().unwrap().changes.compared.as_ref().unwrap().hit()),
        (Screen::Story, None)
    );
}

#[test]
fn the_log_is_searched_by_what_it_shows() {
    let mut seat = Seat::at_gate();
    seat.keys("6");
    let record = |event| EventRecord {
        story: "desk/park".into(),
        run: "run-of-desk/park".into(),
        at: "2026-10-06T12:00:00.000Z".into(),
        event,
    };
    let done = |round| record(Event::StepDone { step: Step::Revise { round }, summary: "draft".into() });
    let opened = record(Event::PrioritySet { priority: Priority::High, by: "Ada".into() });
    seat.hear(News::Log(RunKey(1), vec![done(1), opened, done(2)]));
    let selected = |seat: &Seat| seat.model.story.as_ref().unwrap().log.selected;
    seat.keys("/ \"revision\" enter");
    assert_eq!(selected(&seat), 0, "from the last one to the first");
    assert_eq!(seat.model.notice.as_ref().unwrap().text, "Record 1 of 2 with “revision”; search again for the next");
    seat.keys("/ \"revision\" enter");
    assert_eq!(selected(&seat), 2);
    seat.keys("/ \"mayor\" enter");
    let notice = seat.model.notice.as_ref().unwrap();
    assert_eq!((notice.tone, notice.text.as_str()), (crate::app::notices::Tone::Trouble, "“mayor” is not in the log"));
}

#[test]
fn the_open_run_stands_beside_the_selected_one() {
    let mut seat = Seat::with(edited());
    seat.keys("7");
    seat.asked();
    let run = |number: i64| (RunKey(number), listed("desk/park", "failed"));
    let story = seat.model.story.as_ref().unwrap().journal.opening.topic.story();
    seat.hear(News::StoryRuns(story, vec![run(1), run(8), run(9)]));
    let wants = |seat: &mut Seat| -> Vec<RunKey> {
        let asked = seat.asked().into_iter();
        asked
            .filter_map(|request| match request {
                Request::CompareRuns { key: RunKey(1), other, .. } => Some(other),
                _ => None,
            })
            .collect()
    };
    // The open run is selected: the next one stands beside it, and is compared once.
    assert_eq!(wants(&mut seat), [RunKey(8)]);
    seat.keys("down");
    assert_eq!(wants(&mut seat), []);
    seat.keys("down");
    assert_eq!(wants(&mut seat), [RunKey(9)]);
    let shown = |seat: &Seat| seat.model.story.as_ref().unwrap().two_runs.shown.as_ref().map(|(run, _)| *run);
    seat.hear(News::RunsCompared { key: RunKey(1), other: RunKey(8), comparison: None });
    assert_eq!(shown(&seat), None, "nobody asks for that one any more");
    seat.hear(News::RunsCompared { key: RunKey(1), other: RunKey(9), comparison: None });
    assert_eq!(shown(&seat), Some(RunKey(9)));
}
