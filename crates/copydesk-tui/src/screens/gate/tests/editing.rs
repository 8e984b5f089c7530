//! The hand edit: typing, undo, find and replace.

use super::*;
use crate::screens::forms::model::Form;

#[test]
fn a_hand_edit_goes_with_to_dos_and_is_possible_in_the_last_round_and_at_sign_off() {
    let mut journal = at_gate();
    journal.opening.settings.max_rounds = 1;
    decide(&mut journal, 1, Choice::AnotherRound);
    decide(&mut journal, 1, Choice::Feedback { text: "Name the chair.".into() });
    let kept = Request::ReadKept { run: RunKey(1), what: "r1.edit".into() };
    let mut seat = Seat::with(journal);
    seat.keys("e");
    assert_eq!(seat.asked(), std::slice::from_ref(&kept));
    let mut journal = at_gate();
    journal.opening.settings.max_rounds = 1;
    let mut seat = Seat::with(journal);
    seat.keys("e");
    assert_eq!(seat.asked(), std::slice::from_ref(&kept), "the last round");
    let mut journal = at_gate();
    decide(&mut journal, 1, Choice::Stet { reason: "It is right.".into() });
    go_on(&mut journal);
    let mut seat = Seat::with(journal);
    seat.keys("4 enter");
    assert_eq!(seat.asked(), [kept], "sign-off");
    seat.answer(Ok(()));
    seat.keys("\"Oh. \" ctrl-s");
    assert!(matches!(&seat.commit()[..], [Choice::Edit { article }] if article.articleBody.starts_with("Oh. ")));
    let said = &seat.model.notice.as_ref().unwrap().text;
    assert_eq!(said, "Your text is the next draft; it is checked and comes back to you");
}

#[test]
fn a_hand_edit_is_proved_as_it_is_typed_and_its_undo_has_no_end() {
    let mut seat = Seat::with(at_gate());
    let margin = |seat: &Seat| {
        let Some(form) = seat.model.on_top::<Form>() else { panic!("{}", seat.state()) };
        let margin = form.margin.as_deref().unwrap();
        let said = |note: &crate::screens::forms::margin::MarginNote| note.about.clone();
        (form.draft.as_ref().unwrap().words(), margin.notes.iter().map(said).collect::<Vec<_>>())
    };
    seat.keys("e");
    seat.asked();
    seat.answer(Ok(()));
    let (words, before) = margin(&seat);
    seat.keys("\"It costs $131,500 in all. \"");
    let (more, now) = margin(&seat);
    assert_eq!(more, words + 5);
    let new: Vec<&String> = now.iter().filter(|note| !before.contains(note)).collect();
    assert!(new.iter().any(|note| note.contains("131,500")), "{now:?}");
    seat.keys(&"ctrl-z ".repeat(60));
    assert_eq!(margin(&seat), (words, before));
    // An edit that deletes everything is refused in words, and nothing is lost.
    seat.keys("ctrl-a backspace ctrl-s");
    seat.asked();
    seat.answer(Err("The headline is empty"));
    assert!(seat.state().contains("problem: The headline is empty"), "{}", seat.state());
    seat.keys("ctrl-z");
    assert_eq!(margin(&seat).0, words);
}

#[test]
fn words_are_found_and_replaced_and_one_undo_each_brings_them_back() {
    let mut seat = typing(at_gate());
    seat.keys("ctrl-a \"The park. A park. No park.\" home");
    seat.keys("ctrl-f \"park\" enter");
    assert_eq!(edited(&seat).cursor().unwrap().byte, 4);
    seat.keys("f3");
    assert_eq!(edited(&seat).cursor().unwrap().byte, 12);
    seat.keys("ctrl-f tab \"pond\" enter");
    assert_eq!(edited(&seat).value(FieldName::Text), "The park. A pond. No park.");
    // The words of before are not put again, unless they are typed.
    seat.keys("ctrl-f tab tab ctrl-s");
    assert_eq!(edited(&seat).value(FieldName::Text), "The park. A pond. No park.");
    seat.keys("ctrl-f tab \"pond\" tab right ctrl-s");
    assert_eq!(edited(&seat).value(FieldName::Text), "The pond. A pond. No pond.");
    assert_eq!(said(&seat), "2 places replaced; undo takes it back");
    seat.keys("ctrl-z ctrl-z");
    assert_eq!(edited(&seat).value(FieldName::Text), "The park. A park. No park.");
    seat.keys("ctrl-f \"bench\" enter");
    assert_eq!(said(&seat), "“bench” is not in the draft");
}

#[test]
fn undo_and_redo_are_kept_over_a_restart() {
    let mut seat = typing(at_gate());
    let before = edited(&seat).value(FieldName::Text);
    seat.keys("\"One. Two. \" ctrl-z");
    let kept = seat.asked();
    let Some(Request::Keep { text, .. }) = kept.last() else { panic!("{kept:?}") };
    let text = text.clone();
    let mut again = Seat::with(at_gate());
    again.keys("e");
    again.asked();
    let at = "2026-10-06T12:04:00.000Z".to_owned();
    again.hear(News::Kept { run: RunKey(1), what: "r1.edit".into(), text: Some((text, at)) });
    again.answer(Ok(()));
    assert_eq!(edited(&again).value(FieldName::Text), format!("One. {before}"));
    assert_eq!(edited(&again).cursor().unwrap().byte, 0, "it opens at its beginning");
    again.keys("ctrl-y");
    assert_eq!(edited(&again).value(FieldName::Text), format!("One. Two. {before}"));
    again.keys("ctrl-z ctrl-z ctrl-z");
    assert_eq!(edited(&again).value(FieldName::Text), before);
}

#[test]
fn a_paste_that_no_draft_holds_is_refused_and_nothing_is_lost() {
    let mut seat = typing(at_gate());
    let before = edited(&seat).value(FieldName::Text);
    update(&mut seat.model, Arrival::Paste("word ".repeat(1 << 20)));
    assert_eq!(edited(&seat).value(FieldName::Text), before);
    assert!(seat.state().contains("problem: this text of 5.2 MB is too long"), "{}", seat.state());
}

/// The entry of a decision that a colleague made at the gate of the first round.
fn made_elsewhere(journal: &mut copydesk_newsroom::Journal, choice: Choice) -> Vec<(i64, copydesk_newsroom::Entry)> {
    let known = journal.entries().len();
    decide(journal, 1, choice);
    (1_000..).zip(journal.entries()[known..].to_vec()).collect()
}

fn with_words(journal: &copydesk_newsroom::Journal, old: &str, new: &str) -> copydesk_newsroom::ArticleResponse {
    journal.draft(1).unwrap().article.map(|_, text| text.replace(old, new))
}

#[test]
fn what_a_colleague_changes_meanwhile_goes_into_the_text_that_is_typed() {
    let mut journal = with_source();
    let body = journal.draft(1).unwrap().article.articleBody.clone();
    let (first, last) = (body.split(' ').next().unwrap(), body.trim_end_matches('.').rsplit(' ').next().unwrap());
    let mut seat = typing(journal.clone());
    seat.keys("\"Today: \"");
    let theirs = with_words(&journal, last, "elsewhere");
    let entries = made_elsewhere(&mut journal, Choice::Edit { article: theirs.clone() });
    seat.hear(News::Added { key: RunKey(1), entries });
    assert_eq!(said(&seat), "Another window changed this draft; the changes are in your text now");
    let both = format!("Today: {}", theirs.articleBody);
    assert_eq!(edited(&seat).value(FieldName::Text), both);
    assert_eq!(edited(&seat).cursor().unwrap().byte, 7, "the cursor stays where one types");
    assert!(
        seat.asked().iter().any(|request| matches!(request, Request::Keep { text, .. } if text.contains("elsewhere")))
    );
    // It can be saved at once, and undone.
    seat.keys("ctrl-z");
    assert_eq!(edited(&seat).value(FieldName::Text), format!("Today: {body}"));
    seat.keys("ctrl-y ctrl-s");
    assert!(matches!(&seat.commit()[..], [Choice::Edit { article }] if article.articleBody == both));

    // The same words: those that were typed here stand, and the others are named.
    let mut journal = with_source();
    let mut seat = typing(journal.clone());
    seat.keys("right \"!\"");
    let theirs = with_words(&journal, first, "Her");
    let entries = made_elsewhere(&mut journal, Choice::Edit { article: theirs });
    seat.hear(News::Added { key: RunKey(1), entries });
    let told = format!("problem: Another window changed “{first}” to “Her”, and you changed it, too.");
    assert!(seat.state().contains(&told), "{}", seat.state());
    assert!(!edited(&seat).value(FieldName::Text).starts_with("Her"));
    // A person who saves in that moment has to see it first.
    seat.asked();
    seat.keys("ctrl-s");
    assert!(seat.asked().is_empty() && seat.state().contains(&told), "{}", seat.state());
    seat.keys("ctrl-s");
    assert!(matches!(&seat.commit()[..], [Choice::Edit { .. }]));
}

#[test]
fn an_edit_that_was_kept_takes_in_what_was_changed_before_it_was_opened_again() {
    let mut journal = with_source();
    let mut seat = typing(journal.clone());
    seat.keys("\"Today: \"");
    let kept = seat.asked();
    let Some(Request::Keep { text, .. }) = kept.last() else { panic!("{kept:?}") };
    let last =
        journal.draft(1).unwrap().article.articleBody.trim_end_matches('.').rsplit(' ').next().unwrap().to_owned();
    let theirs = with_words(&journal, &last, "elsewhere");
    decide(&mut journal, 1, Choice::Edit { article: theirs.clone() });
    let mut again = Seat::with(journal);
    again.keys("e");
    again.asked();
    let at = "2026-10-06T12:04:00.000Z".to_owned();
    again.hear(News::Kept { run: RunKey(1), what: "r1.edit".into(), text: Some((text.clone(), at)) });
    again.answer(Ok(()));
    assert_eq!(edited(&again).value(FieldName::Text), format!("Today: {}", theirs.articleBody));
}

#[test]
fn a_run_that_another_one_replaced_says_so_while_its_draft_is_typed() {
    let mut seat = typing(at_gate());
    let replaced = copydesk_newsroom::ListedRun { current: false, ..listed("desk/park", "superseded") };
    seat.hear(News::Runs { changed: vec![(RunKey(1), replaced)], gone: vec![] });
    let problem = edited(&seat).problem.clone().unwrap();
    assert!(problem.starts_with("Another run of this story has replaced this one"), "{problem}");
    seat.keys("\"More. \" esc");
    assert!(seat.state().contains("question: The story has moved on"), "{}", seat.state());
}
