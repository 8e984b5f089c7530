//! A question to a story's sources: asked, stopped, answered, and led to the passages of the answer.

use crate::{
    app::{Effect, Overlay as _, messages::Request, news::News, tests::seat::*, ticket::Ticket, trouble::Trouble},
    screens::{ask::model::AskPage, story::tabs::Tab},
    testing::demo_ask::{answer, passages},
};
use copydesk_core::{desk::SourceAnswer, editorial::testing::at_gate};

fn page(seat: &Seat) -> &AskPage {
    seat.model.on_top().unwrap()
}

/// The ticket of the question that was asked since the last look, and its words.
fn question(seat: &mut Seat) -> (Ticket, String) {
    match seat.asked().pop() {
        Some(Request::AskSources { ticket, question, .. }) => (ticket, question),
        other => panic!("{other:?}"),
    }
}

fn answered(seat: &mut Seat, ticket: Ticket, answer: SourceAnswer) {
    seat.hear(News::SourcesAnswered { ticket, answer: Ok(Box::new(answer)) });
}

#[test]
fn each_sentence_leads_to_its_passage_and_the_answer_stays() {
    let mut seat = Seat::at_gate();
    seat.keys("Q enter");
    assert!(seat.state().ends_with("ask \"\", 1 of 0, List\n"), "{}", seat.state());
    assert_eq!(seat.asked(), [], "nothing is typed");
    seat.keys("\"Who  voted?\" enter");
    let (ticket, words) = question(&mut seat);
    assert_eq!(words, "Who voted?");
    answered(&mut seat, ticket, answer(&at_gate()));
    assert!(seat.state().ends_with("1 of 4, List\n"), "{}", seat.state());
    assert_eq!(
        page(&seat).list.page.text().to_string(),
        "The council voted.\n\n[1] Minutes, line 1\n“The council voted.”\n"
    );
    // Of several passages, the first.
    seat.keys("down");
    let said = page(&seat).list.page.text().to_string();
    assert!(
        said.starts_with("It paid $2 million.\n! “$2 million”: Not in its passage.\n\n[1] Minutes, line 1\n"),
        "{said}"
    );
    assert!(said.contains("\n[2] Letter\n"), "{said}");
    seat.keys("enter");
    let story = seat.model.story.as_ref().unwrap();
    assert!(seat.model.overlays.is_empty());
    assert_eq!((story.tab, story.concerns.pane.name()), (Tab::Concerns, "Source"));
    seat.keys("Q end down down");
    assert!(seat.state().ends_with("ask \"Who  voted?\", 4 of 4, List\n"), "{}", seat.state());
    seat.keys("enter");
    assert!(seat.state().contains("The passage is no longer in this story's sources"), "{}", seat.state());
    seat.keys("tab esc esc");
    assert!(seat.model.overlays.is_empty());
    let again = seat.asked().into_iter().any(|request| matches!(request, Request::AskSources { .. }));
    assert!(!again, "the answer stays");
}

#[test]
fn esc_stops_the_question_first_and_what_comes_later_is_not_shown() {
    let mut seat = Seat::at_gate();
    seat.keys("Q \"Who?\" enter enter");
    let (first, _) = question(&mut seat);
    seat.keys("esc");
    assert_eq!(seat.asked(), [Request::StopAsking]);
    answered(&mut seat, first, answer(&at_gate()));
    assert!(page(&seat).rows().is_empty(), "it was stopped");
    seat.keys("enter");
    let (second, _) = question(&mut seat);
    assert_ne!(first, second);
    seat.hear(News::SourcesAnswered { ticket: second, answer: Err(Trouble::new("the server is down")) });
    seat.keys("enter");
    let (third, _) = question(&mut seat);
    answered(&mut seat, third, SourceAnswer { passages: passages(&at_gate()), ..SourceAnswer::default() });
    assert_eq!(page(&seat).rows().len(), 2, "the passages alone");
    seat.keys("ctrl-u \"And when?\" enter");
    assert_eq!(question(&mut seat).1, "And when?");
    seat.keys("esc esc");
    assert!(seat.model.overlays.is_empty());
    let stops = |effect: &Effect| matches!(effect, Effect::Ask(Request::StopAsking));
    assert_eq!(seat.effects.iter().filter(|effect| stops(effect)).count(), 1, "{:?}", seat.effects);
}

#[test]
fn questions_on_pasted_lines_stay_apart() {
    let mut page = AskPage::new(at_gate().into());
    page.paste("What does it cost?\nwho voted no\nwhen does it begin?\n");
    assert_eq!(page.question, "What does it cost? who voted no; when does it begin?");
    let mut page = AskPage::new(at_gate().into());
    page.paste("and who\u{20}");
    assert_eq!(page.question, "and who");
}
