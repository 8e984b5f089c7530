//! The notes beside a draft: concerns, findings, comments and changes.

use super::*;

#[test]
fn notes_are_gone_through_accepted_and_rejected_without_leaving_the_text() {
    let mut seat = typing(with_source());
    seat.keys("ctrl-a \"The council voted to spend $137,500 on the swings.\"");
    seat.asked();
    seat.keys("home alt-n");
    let here = crate::screens::gate::notes::note_here(&seat.model).unwrap();
    assert_eq!((here.about.as_str(), here.fix.as_deref()), ("$137,500", Some("$131,500")), "{here:?}");
    assert!(here.passage.as_ref().unwrap().text.contains("$131,500"));
    seat.keys("alt-a");
    assert_eq!(edited(&seat).value(FieldName::Text), "The council voted to spend $131,500 on the swings.");
    assert_eq!(said(&seat), "The fix is in your text; undo takes it back");
    seat.keys("ctrl-z");
    assert_eq!(edited(&seat).value(FieldName::Text), "The council voted to spend $137,500 on the swings.");
    seat.keys("ctrl-y");
    assert_eq!(edited(&seat).value(FieldName::Text), "The council voted to spend $131,500 on the swings.");
    seat.keys("alt-r");
    assert_eq!(said(&seat), "There is no note here; go to one first");
}

#[test]
fn a_concern_is_accepted_or_rejected_from_the_draft_and_typing_goes_on() {
    let mut journal = at_gate();
    decide(&mut journal, 1, overrule(2, Status::Rewrite, Some("Replace “Draft” with “Text”.")));
    let mut seat = typing(journal);
    let words = edited(&seat).value(FieldName::Text);
    seat.keys("home alt-n alt-a");
    let asked = seat.commit();
    assert!(matches!(&asked[..], [Choice::Applied { concern: 2, .. }]), "{asked:?}, {}", seat.state());
    assert_eq!(edited(&seat).value(FieldName::Text), words.replacen("Draft", "Text", 1));
    seat.keys("end \" Yes.\" ctrl-s");
    let made = seat.commit();
    assert!(matches!(&made[..], [Choice::Edit { article }] if article.articleBody.contains("Yes.")), "{made:?}");

    let mut seat = typing(at_gate());
    seat.keys("home alt-n alt-r");
    assert!(seat.state().contains("form: Reject the note"), "{}", seat.state());
    seat.keys("tab ctrl-s");
    let made = seat.commit();
    let by_list = "The source says so elsewhere".to_owned();
    assert_eq!(made, [Choice::Override { concern: 2, status: Status::Keep, fix: None, reason: by_list }]);
    let open = edited(&seat).margin.as_ref().unwrap().notes.iter().filter(|note| note.concern == Some(2)).count();
    assert_eq!(open, 0, "the draft is still open, and the concern is not");
}

#[test]
fn a_comment_goes_to_the_record_and_to_nobody() {
    let mut seat = typing(at_gate());
    seat.keys("home alt-m \"Ask Denise.\" ctrl-s");
    let made = seat.commit();
    assert!(matches!(&made[..], [Choice::Comment { about, text }] if !about.is_empty() && text == "Ask Denise."));
    let journal = &seat.model.story.as_ref().unwrap().journal;
    let before = at_gate();
    assert_eq!(
        copydesk_core::editorial::decisions::feedback(journal, 1, vec![]),
        copydesk_core::editorial::decisions::feedback(&before, 1, vec![])
    );
    assert_eq!(said(&seat), "Your comment is in the record");
}

#[test]
fn each_change_of_a_later_draft_is_accepted_or_taken_back_alone() {
    let mut seat = Seat::with(at_second_gate());
    seat.keys("3 o");
    let made = seat.commit();
    assert!(
        matches!(&made[..], [Choice::Edit { article }] if article.articleBody == "Draft 1 with an x."),
        "{made:?}, {}",
        seat.state()
    );
    assert_eq!(said(&seat), "Your edit is ready; c checks it");
    seat.keys("o");
    assert!(said(&seat).contains("its words changed in your text"), "{}", said(&seat));
    seat.keys("z");
    assert_eq!(seat.commit(), [Choice::Undo { number: 1 }]);
    seat.keys("u");
    let made = seat.commit();
    let [Choice::AcceptChange { from: 1, field, removed, added, .. }] = &made[..] else { panic!("{made:?}") };
    assert!(field == "articleBody" && removed != added, "{made:?}");
    assert_eq!(said(&seat), "You have accepted every change");
    seat.keys("u");
    assert!(said(&seat).contains("you accepted it already"), "{}", said(&seat));
    seat.keys("z");
    assert_eq!(seat.commit(), [Choice::Undo { number: 3 }]);
    assert!(seat.model.story.as_ref().unwrap().changes.compared.as_ref().unwrap().state.accepted.is_empty());
    // The first draft waits for no decision any more.
    let mut seat = Seat::with(at_gate());
    seat.keys("3 o");
    assert_eq!(seat.asked(), []);
}

#[test]
fn a_draft_is_read_and_decided_on_its_own_page() {
    let mut journal = with_source();
    decide(&mut journal, 1, overrule(2, Status::Rewrite, Some("Replace “Draft” with “Text”.")));
    let mut seat = Seat::with(journal);
    seat.keys("4 u");
    assert_eq!(said(&seat), "There is no note here; go to one first");
    seat.keys("J u");
    let made = seat.commit();
    assert!(matches!(&made[..], [Choice::Applied { concern: 2, article }] if article.articleBody.contains("Text")));
    let shown = |seat: &Seat| seat.model.story.as_ref().unwrap().article.printed.article().unwrap().articleBody.clone();
    assert!(shown(&seat).contains("Text"), "the page shows what the editor made of the draft");

    // A finding of the proof, on a text of one's own.
    let wrong = "The council met on the swings. It voted to spend $137,500 on the swings.";
    let mut journal = with_source();
    decide(&mut journal, 1, Choice::Edit { article: article(wrong) });
    let mut seat = Seat::with(journal);
    seat.keys("4 J");
    while note(&seat) != "$137,500" {
        seat.keys("J");
    }
    // One goes on typing where one has read, and comes back to the page.
    seat.keys("enter");
    seat.asked();
    seat.answer(Ok(()));
    assert_eq!(edited(&seat).cursor().unwrap().byte, wrong.find('$').unwrap());
    seat.keys("esc");
    assert!(seat.model.overlays.is_empty(), "{}", seat.state());
    seat.asked();
    seat.keys("o");
    assert_eq!(said(&seat), "Words that you typed raised this. You can reject it once your text is the next draft");
    seat.keys("alt-m \"Ask the clerk.\" ctrl-s");
    let made = seat.commit();
    assert!(matches!(&made[..], [Choice::Comment { about, .. }] if about == "$137,500"), "{made:?}");
    seat.keys("u");
    let made = seat.commit();
    assert!(matches!(&made[..], [Choice::Edit { article }] if article.articleBody.contains("$131,500")), "{made:?}");
    assert!(shown(&seat).contains("$131,500"));
}

fn note(seat: &Seat) -> &str {
    let note = crate::screens::gate::notes::note_here(&seat.model).unwrap();
    &note.about
}

#[test]
fn a_change_is_a_note_on_the_draft_until_it_is_accepted_or_taken_back() {
    let changed =
        |seat: &Seat| crate::screens::gate::notes::note_here(&seat.model).is_some_and(|note| note.change.is_some());
    let at_change = || {
        let mut seat = Seat::with(at_second_gate());
        seat.keys("4 J");
        for _ in 0..9 {
            if !changed(&seat) {
                seat.keys("J");
            }
        }
        assert!(changed(&seat), "{}", seat.state());
        seat
    };
    let mut seat = at_change();
    seat.keys("u");
    assert!(matches!(&seat.commit()[..], [Choice::AcceptChange { from: 1, .. }]));
    assert_eq!(said(&seat), "Change accepted");
    assert!(!changed(&seat));
    let mut seat = at_change();
    seat.keys("o");
    let made = seat.commit();
    assert!(matches!(&made[..], [Choice::Edit { article }] if article.articleBody == "Draft 1 with an x."), "{made:?}");
    // The same while the draft is typed: one undo brings the new words back.
    let mut seat = at_change();
    seat.keys("enter");
    seat.asked();
    seat.answer(Ok(()));
    let before = edited(&seat).value(FieldName::Text);
    assert!(changed(&seat));
    seat.keys("alt-r");
    assert_eq!(edited(&seat).value(FieldName::Text), "Draft 1 with an x.");
    seat.keys("ctrl-z");
    assert_eq!(edited(&seat).value(FieldName::Text), before);
    seat.asked();
    seat.keys("alt-a");
    assert!(matches!(&seat.commit()[..], [Choice::AcceptChange { from: 1, .. }]));
}

#[test]
fn a_note_of_the_publisher_is_accepted_as_an_edit_or_left() {
    let mut journal = at_gate();
    decide(&mut journal, 1, Choice::Stet { reason: "It is right.".into() });
    go_on(&mut journal);
    let body = journal.draft(1).unwrap().article.articleBody.clone();
    let noted = PublishingNote {
        check: PublishingCheck::Accessibility,
        field: "articleBody".into(),
        start: 0,
        end: 5,
        text: body[..5].into(),
        what: "It is spelt out aloud.".into(),
        fix: "Write it.".into(),
        replacement: Some("Text".into()),
        by_model: false,
    };
    add(&mut journal, Step::Prepare { round: 1 }, Outcome::Prepared(vec![noted]));
    let mut seat = Seat::with(journal);
    let is_publishers = |seat: &Seat| {
        let here = crate::screens::gate::notes::note_here(&seat.model);
        here.is_some_and(|note| note.origin == crate::screens::forms::margin::NoteOrigin::Publisher)
    };
    seat.keys("4 J");
    for _ in 0..9 {
        if !is_publishers(&seat) {
            seat.keys("J");
        }
    }
    seat.keys("o");
    assert_eq!(said(&seat), "The Publisher’s notes are only advice: you can leave this one, and sign");
    assert_eq!(seat.asked(), []);
    seat.keys("u");
    let made = seat.commit();
    assert!(
        matches!(&made[..], [Choice::Edit { article }] if article.articleBody == format!("Text{}", &body[5..])),
        "{made:?}"
    );
}

#[test]
fn a_to_do_that_only_a_model_can_do_is_kept_as_a_note_that_one_key_ticks_off() {
    let mut journal = at_gate();
    journal.opening.by_rules = true;
    let mut seat = Seat::with(journal);
    seat.keys("f \"Make it livelier.\" enter \"Delete “an x”.\" ctrl-s");
    assert_eq!(seat.asked(), []);
    let problem =
        "only a model can do “Make it livelier.”. Take it out here; sent on its own, it is kept as a note to yourself";
    assert!(seat.state().contains(problem), "{}", seat.state());
    seat.keys("esc enter f \"Make it livelier.\" ctrl-s");
    assert!(seat.state().contains("question: Only a model can do this enter: keep it as a note"), "{}", seat.state());
    seat.keys("esc");
    assert!(seat.state().contains("form: Feedback to the writer"), "a no leaves the text: {}", seat.state());
    seat.keys("ctrl-s enter");
    let note = "Make it livelier.".to_owned();
    assert_eq!(seat.commit(), [copydesk_core::editorial::own_notes::keeping(std::slice::from_ref(&note))]);
    assert!(seat.model.overlays.is_empty(), "{}", seat.state());
    assert!(said(&seat).contains("accept the note to tick it off"), "{}", said(&seat));
    // It stands among the notes, and among those before the sign-off.
    let story = seat.model.story.as_deref_mut().unwrap();
    story.lay_signing();
    let signing = |seat: &Seat| -> Vec<String> {
        let notes = &seat.model.story.as_ref().unwrap().article.signing.notes;
        notes.iter().map(|note| note.text.clone()).filter(|text| text.contains("livelier")).collect()
    };
    assert!(signing(&seat).contains(&"Your note: Make it livelier.".to_owned()), "{:?}", signing(&seat));
    seat.keys("4");
    let is_here =
        |seat: &Seat| crate::screens::gate::notes::note_here(&seat.model).is_some_and(|here| here.about == note);
    for _ in 0..9 {
        if !is_here(&seat) {
            perform(&mut seat, crate::app::actions::Action::NextNote);
        }
    }
    assert!(is_here(&seat), "it is not among the notes");
    perform(&mut seat, crate::app::actions::Action::AcceptNote);
    assert_eq!(seat.commit(), [copydesk_core::editorial::own_notes::ticking_off(&note)]);
    assert_eq!(said(&seat), "Note ticked off");
    seat.model.story.as_deref_mut().unwrap().lay_signing();
    assert!(!signing(&seat).contains(&"Your note: Make it livelier.".to_owned()));
    // A model takes any to-do.
    let mut seat = Seat::at_gate();
    seat.keys("f \"Make it livelier.\" ctrl-s");
    assert_eq!(seat.commit(), [Choice::Feedback { text: note }]);
}

/// An action by its name, whatever its key.
fn perform(seat: &mut Seat, action: crate::app::actions::Action) {
    crate::app::perform::perform(&mut seat.model, action);
    let effects = std::mem::take(&mut seat.model.effects);
    seat.take(effects);
}
