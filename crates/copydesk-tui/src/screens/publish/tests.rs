//! Keys of the publish page.

use crate::screens::publish::PublishPage;
use crate::{
    app::{messages::Request, news::News, tests::seat::*},
    testing::demo_publish::{held_back, standing},
};
use copydesk_core::ports::RunKey;

fn read() -> Request {
    let opening = Seat::at_gate().model.story.unwrap().journal.opening.topic.story();
    Request::ReadPublishing { run: RunKey(1), story: opening }
}

/// With the page open, and this known.
fn at_page(known: copydesk_core::desk::PublishStanding) -> Seat {
    let mut seat = Seat::at_gate();
    seat.keys("P");
    assert_eq!(seat.asked(), [read()]);
    seat.hear(News::Publishing(RunKey(1), Box::new(known)));
    seat
}

fn page(seat: &Seat) -> &PublishPage {
    seat.model.overlays[0].page().unwrap()
}

#[test]
fn a_story_is_sent_to_one_target_or_to_all_after_a_question() {
    let mut seat = at_page(standing());
    let story = page(&seat).story.clone();
    let text = page(&seat).list.page.text().to_string();
    assert!(text.contains("Sent to site") && text.contains("# Council votes"), "{text}");
    seat.keys("down c");
    assert!(seat.state().contains("question: Send the story out? enter: send it"), "{}", seat.state());
    seat.keys("n c enter");
    let order = |targets: &[&str]| Request::Publish {
        run: RunKey(1),
        story: story.clone(),
        targets: targets.iter().map(|&target| target.to_owned()).collect(),
    };
    assert_eq!(seat.asked(), [order(&["cms"])]);
    assert!(page(&seat).sending);
    seat.keys("c");
    assert!(seat.state().contains("it is being sent"), "{}", seat.state());
    // The result is read again.
    seat.hear(News::Publishing(RunKey(2), Box::new(held_back())));
    assert!(page(&seat).sending, "another story's");
    seat.hear(News::Publishing(RunKey(1), Box::new(standing())));
    assert!(!page(&seat).sending);
    seat.keys("* enter");
    assert_eq!(seat.asked(), [order(&[])]);
}

#[test]
fn what_is_held_back_says_why_and_the_embargo_and_the_preview_are_there_all_the_same() {
    let mut seat = at_page(held_back());
    seat.keys("*");
    assert!(seat.state().contains("waits for its sign-off"), "{}", seat.state());
    assert_eq!(seat.asked(), []);
    let story = page(&seat).story.clone();
    seat.keys("v");
    assert_eq!(seat.asked(), [Request::OpenPreview { run: RunKey(1), story: story.clone() }]);
    seat.keys("d");
    assert!(seat.state().contains("form: Embargo"), "{}", seat.state());
    seat.keys("enter");
    let [Request::SetEmbargo { run: RunKey(1), story: of, typed }] = &seat.asked()[..] else { panic!("no embargo") };
    assert!(of == &story && typed.starts_with("2026-10-0"), "{typed}");
    seat.answer(Ok(()));
    seat.keys("tab esc esc");
    assert!(seat.model.overlays.is_empty(), "the text is left, then the page");
}

#[test]
fn where_no_target_is_the_page_names_the_settings() {
    let mut seat = at_page(copydesk_core::desk::PublishStanding::default());
    let text = page(&seat).list.page.text().to_string();
    assert!(text.contains("add one on the settings page, at Publish to"), "{text}");
    seat.keys("c");
    assert!(seat.state().contains("add one on the settings page, at Publish to"), "{}", seat.state());
    seat.keys("O");
    assert!(seat.state().contains("form: Settings"), "the key in the footer leads there: {}", seat.state());
    assert_eq!(seat.model.overlays.len(), 1, "new settings are used once no page lies over the story");
}
