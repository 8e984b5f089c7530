//! Failed steps: the list and what was tried, trying again, dropping, and what other programs do meanwhile.

use crate::screens::failed_steps::FailedStepsPage;
use crate::{
    app::{messages::Request, news::News, tests::seat::*},
    testing::demo_failed_steps::{failed_steps, tried},
    widgets::list_and_text::ListStage,
};
use copydesk_core::desk::FailedStep;
use copydesk_core::ports::RunKey;

fn boxed(place: usize) -> Box<FailedStep> {
    Box::new(failed_steps()[place].clone())
}

/// With the three failed steps open and the first one's story read.
fn at_failed_steps() -> Seat {
    let mut seat = Seat::at_desk();
    seat.keys("U");
    assert!(seat.state().contains("Failed steps: no step has failed"), "{}", seat.state());
    seat.hear(News::FailedSteps(failed_steps()));
    seat.keys("U");
    assert_eq!(seat.asked(), [Request::ReadFailedStep(boxed(0))]);
    seat.hear(News::Attempts(RunKey(1), tried()));
    seat
}

fn page(seat: &Seat) -> &FailedStepsPage {
    seat.model.overlays[0].page().unwrap()
}

fn text(seat: &Seat) -> String {
    page(seat).list.page.text().to_string()
}

#[test]
fn each_failed_step_is_read_once_with_what_was_tried() {
    let mut seat = at_failed_steps();
    let first = text(&seat);
    assert!(
        first.starts_with("Round 1, review  local-news/miller-park-vote\nFailed on 6 Oct 2026 12:03, after"),
        "{first}"
    );
    for says in [
        "Attempts on 5 Oct 2026\n23:59:50  Attempt 1  qwen3-30b-a3b at 127.0.0.1:1234 · 0.2 s\nthe model server at",
        "23:59:52  Attempt 2  qwen3-30b-a3b at 127.0.0.1:1234 · 2 min 05 s\nno answer within 120 s\n",
        "Attempts on 6 Oct 2026\n00:01:57  Gave up\n",
        "A new run replaces 20261005T235900Z_0123abcd from here: Round 1, review\n",
        "· repeated after an interruption\nIt was still running when the run ended.\n",
        "Retry 1 of 1 in 5 s\n",
        "127.0.0.1:1234 is back\n",
    ] {
        assert!(first.contains(says), "{says}\n{first}");
    }
    seat.keys("down");
    assert_eq!(seat.asked(), [Request::ReadFailedStep(boxed(1))]);
    assert!(text(&seat).ends_with("no answer within 120 s\n\nLoading the attempts…\n"), "{}", text(&seat));
    // An answer that comes after the selection has moved on is still taken in.
    seat.keys("down");
    assert_eq!(seat.asked(), [Request::ReadFailedStep(boxed(2))]);
    seat.hear(News::Attempts(RunKey(7), vec![]));
    assert!(text(&seat).contains("Failed on 6 Oct 2026 12:03, after 3 retries from the queue."), "{}", text(&seat));
    seat.keys("up");
    assert_eq!(seat.asked(), [], "it is known");
    assert!(text(&seat).contains("Failed on 6 Oct 2026 12:03, with no retry from the queue."), "{}", text(&seat));
    seat.keys("down down");
    assert!(seat.state().contains("> business/harbour-budget-and-who-pays-for-it draft"), "{}", seat.state());
}

#[test]
fn keys_go_into_the_list_or_into_the_text() {
    let mut seat = at_failed_steps();
    seat.keys("tab");
    assert!(page(&seat).list.page.text().len() > 500);
    page(&seat).list.page.resize(70, 5);
    seat.keys("down");
    assert_eq!((page(&seat).list.selected, page(&seat).list.page.shown().start > 0), (0, true), "the text is scrolled");
    seat.keys("up space");
    let far = page(&seat).list.page.shown().start;
    seat.keys("pgup");
    assert!(page(&seat).list.page.shown().start < far);
    seat.keys("left");
    assert_eq!(page(&seat).list.stage, ListStage::List);
    seat.keys("left right right");
    assert_eq!(page(&seat).list.stage, ListStage::Text);
    seat.keys("esc");
    assert_eq!(page(&seat).list.stage, ListStage::List);
    seat.keys("end");
    assert_eq!(page(&seat).list.selected, 2);
    seat.keys("esc");
    assert!(seat.model.overlays.is_empty());
    seat.keys("U enter");
    assert_eq!(seat.asked().last(), Some(&Request::Open(RunKey(1))));
    assert!(seat.model.overlays.is_empty(), "the story is shown as soon as it is read");
}

#[test]
fn a_step_is_tried_again_after_a_question() {
    let mut seat = at_failed_steps();
    seat.keys("down r");
    seat.asked();
    assert!(seat.state().ends_with("question: Try it again? enter: try it again\n"), "{}", seat.state());
    seat.keys("esc");
    assert_eq!(seat.asked(), []);
    seat.keys("r enter");
    assert_eq!(seat.asked(), [Request::RetryFailedStep(boxed(1))]);
    // The failed step is gone with the new run; the next one takes its place, and what was tried for that is read.
    seat.hear(News::FailedSteps(vec![failed_steps()[0].clone(), failed_steps()[2].clone()]));
    assert_eq!(seat.asked(), [Request::ReadFailedStep(boxed(2))]);
    assert!(
        seat.state().ends_with(
            "failed steps, List\n  local-news/miller-park-vote r1.review\n> business/harbour-budget-and-who-pays-for-it draft\n"
        ),
        "{}",
        seat.state()
    );
}

#[test]
fn a_failed_step_is_dropped_with_a_reason() {
    let mut seat = at_failed_steps();
    seat.keys("x");
    assert!(seat.state().contains("form: Drop the failed step?\n> Reason: \"\"\n"), "{}", seat.state());
    seat.keys("\" \" ctrl-s");
    assert!(seat.state().contains("problem: say why the step is not tried again"), "{}", seat.state());
    seat.keys("\"Old news.\" ctrl-s");
    assert_eq!(seat.asked(), [Request::DropFailedStep { failed: boxed(0), reason: "Old news.".into() }]);
    seat.answer(Err("somebody was quicker"));
    assert!(seat.state().contains("problem: somebody was quicker"), "{}", seat.state());
    seat.keys("ctrl-s");
    seat.asked();
    seat.hear(News::FailedSteps(vec![failed_steps()[1].clone()]));
    seat.answer(Ok(()));
    assert!(seat.state().ends_with("failed steps, List\n> science/公園の話 r1.c3.judge\n"), "{}", seat.state());
}

#[test]
fn what_other_programs_do_is_seen_on_the_open_page() {
    let mut seat = at_failed_steps();
    seat.keys("tab");
    // The selected one stays with its reader, wherever it stands.
    let more = [failed_steps()[1].clone(), failed_steps()[0].clone()].to_vec();
    seat.hear(News::FailedSteps(more));
    assert_eq!((page(&seat).list.selected, page(&seat).list.stage), (1, ListStage::Text));
    assert_eq!(seat.asked(), []);
    seat.hear(News::FailedSteps(vec![]));
    assert!(seat.state().ends_with("failed steps, List\n"), "{}", seat.state());
    for (key, what) in [("r", "Retry the step"), ("x", "Drop the failed step"), ("enter", "Open")] {
        seat.keys(key);
        assert!(seat.state().contains(&format!("{what}: no failed steps")), "{}", seat.state());
    }
    seat.keys("tab esc U");
    assert!(seat.state().contains("Failed steps: no step has failed"), "{}", seat.state());
    seat.keys("ctrl-p \"drop-failed-step\"");
    seat.keys("esc ctrl-p \"drop the let\" enter");
    assert!(seat.state().contains("Drop the failed step: open the failed steps first"), "{}", seat.state());
    // News that comes after the page was closed does not open it again.
    seat.hear(News::FailedSteps(failed_steps()));
    seat.hear(News::Attempts(RunKey(1), tried()));
    assert!(seat.model.overlays.is_empty());
}
