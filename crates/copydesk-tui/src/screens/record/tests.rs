//! Keys of the record page.

use crate::{
    app::{
        messages::Request,
        news::{News, StoryRecord},
        tests::seat::*,
    },
    testing::demo_record::{known, nothing_yet},
};
use copydesk_core::ports::RunKey;

fn at_page(known: StoryRecord) -> (Seat, copydesk_newsroom::StoryKey) {
    let mut seat = Seat::at_gate();
    let story = seat.model.story.as_ref().unwrap().journal.opening.topic.story();
    seat.keys("V");
    assert_eq!(seat.asked(), [Request::ReadStoryRecord { run: RunKey(1), story: story.clone() }]);
    seat.keys("Q");
    assert!(seat.state().contains("the record is still being read"), "{}", seat.state());
    seat.hear(News::StoryRecord(RunKey(1), Box::new(known)));
    (seat, story)
}

#[test]
fn who_was_asked_and_what_they_said_is_noted_with_the_open_names_at_hand() {
    let (mut seat, story) = at_page(known());
    seat.keys("Q");
    assert!(seat.state().contains("> Who: \"Cy Ray\""), "the first who is accused: {}", seat.state());
    seat.keys(r#"tab "the fire" tab "+2h" enter"#);
    let asked = Request::AskForReply {
        run: RunKey(1),
        story: story.clone(),
        name: "Cy Ray".into(),
        about: "the fire".into(),
        due: "+2h".into(),
    };
    assert_eq!(seat.asked(), [asked]);
    seat.answer(Ok(()));
    seat.keys("n");
    assert!(seat.state().contains("> Who: \"Bo Kim\""), "who has not answered: {}", seat.state());
    seat.keys("tab ctrl-s");
    assert!(seat.state().contains("say what they answered"), "{}", seat.state());
    seat.keys(r#""No." ctrl-s"#);
    let noted = Request::NoteReply { run: RunKey(1), story, name: "Bo Kim".into(), text: "No.".into() };
    assert_eq!(seat.asked(), [noted]);
    seat.answer(Ok(()));
    seat.keys("tab esc esc");
    assert!(seat.model.overlays.is_empty(), "the text is left, then the page");
}

#[test]
fn a_signed_version_is_corrected_or_withdrawn_with_words_and_one_that_is_not_signed_is_neither() {
    let (mut seat, story) = at_page(known());
    seat.keys("e ctrl-s");
    assert!(seat.state().contains("tell readers what was wrong"), "{}", seat.state());
    seat.keys(r#""It was 4." ctrl-s"#);
    let note = "It was 4.".to_owned();
    assert_eq!(seat.asked(), [Request::Correct { run: RunKey(1), story: story.clone(), note }]);
    seat.answer(Ok(()));
    assert!(seat.model.overlays.is_empty(), "the new run opens");
    let (mut seat, story) = at_page(known());
    seat.keys("x ctrl-s");
    assert!(seat.state().contains("readers see it in the notice"), "{}", seat.state());
    seat.keys(r#""Forged." ctrl-s"#);
    assert_eq!(seat.asked(), [Request::Withdraw { run: RunKey(1), story, reason: "Forged.".into() }]);
    let (mut seat, _) = at_page(nothing_yet());
    seat.keys("e");
    assert!(seat.state().contains("no version of it is signed off"), "{}", seat.state());
    seat.keys("n");
    assert!(seat.state().contains("nobody's reply is open"), "{}", seat.state());
    assert_eq!(seat.asked(), []);
}
