//! The Proof page, by keys.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Rect;

use crate::{
    app::{
        Effect,
        messages::Request,
        model::Screen,
        news::News,
        tests::seat::*,
        update::{Arrival, update},
    },
    screens::{
        proof::{
            ListedRow,
            proved::{NoProof, Proved},
        },
        story::tabs::{Pane, Tab},
    },
    testing::demo_proof::{self, note},
};
use copydesk_core::editorial::{
    testing::add,
    testing::{decide, overrule},
};
use copydesk_core::ports::RunKey;
use copydesk_newsroom::{ArticleReviewRaw, ArticleReviewResult, Choice, Outcome, PinnedRule, Review, Status, Step};
use copydesk_style::{StyleNote, StyleReview};
use crossterm::event::KeyModifiers;
use std::sync::Arc;

fn seat() -> Seat {
    let mut seat = Seat::with(demo_proof::proved());
    seat.keys("8");
    seat
}

fn selected(seat: &Seat) -> (usize, Option<usize>, Pane) {
    let sheet = &seat.model.story.as_ref().unwrap().proof;
    (sheet.selected, sheet.finding(), sheet.pane)
}

#[test]
fn the_proof_is_made_on_another_thread_and_each_draft_s_once() {
    let mut seat = Seat::with(demo_proof::proved());
    let asked = update(&mut seat.model, Arrival::Key(event("8")));
    let [Effect::Ask(Request::Prove { key, journal, round: 1 })] = &asked[..] else { panic!("{asked:?}") };
    update(&mut seat.model, Arrival::Key(event("1")));
    assert_eq!(update(&mut seat.model, Arrival::Key(event("8"))), [], "it is on its way");
    let proof = Ok(Arc::new(Proved::of(journal, 1).unwrap()));
    // A proof of a run that is not shown any more changes nothing.
    seat.hear(News::Proved { key: RunKey(2), round: 1, proof: proof.clone() });
    let shown = |seat: &Seat| seat.model.story.as_ref().unwrap().proof.count();
    assert_eq!(shown(&seat), 0);
    seat.hear(News::Proved { key: *key, round: 1, proof });
    assert!(shown(&seat) > 4);
}

#[test]
fn a_proof_that_broke_off_is_told_on_the_page() {
    let mut seat = Seat::with(demo_proof::proved());
    update(&mut seat.model, Arrival::Key(event("8")));
    seat.hear(News::Proved { key: RunKey(1), round: 1, proof: Err(NoProof::Failed) });
    assert_eq!(seat.model.story.as_ref().unwrap().proof.trouble(), Some(NoProof::Failed));
    // Nothing can be selected, and no key does harm.
    seat.keys("j enter down pgdn end");
    assert_eq!(selected(&seat), (0, None, Pane::List));
    for key in ["J", "K"] {
        seat.keys(key);
        let said = &seat.model.notice.as_ref().unwrap().text;
        assert_eq!(*said, NoProof::Failed.to_string(), "{key}");
    }
}

#[test]
fn enter_jumps_to_the_passage_and_esc_back_then_out_of_the_story() {
    let mut seat = seat();
    seat.keys("down enter");
    assert_eq!(selected(&seat), (1, Some(2), Pane::Source));
    let page = |seat: &Seat| seat.model.story.as_ref().unwrap().proof.source_page.clone();
    assert!(page(&seat).text().starts_with("MINUTES"));
    // There the keys move in the source, and a search is about it.
    seat.keys("/ \"nays\" enter");
    assert_eq!(seat.model.notice.as_ref().unwrap().text, "1 hit");
    seat.keys("esc esc");
    assert_eq!(selected(&seat), (1, Some(2), Pane::List));
    seat.keys("down enter");
    assert_eq!(
        seat.model.notice.as_ref().unwrap().text,
        "No matching passage for this row; the Source pane has the whole source"
    );
    seat.keys("esc");
    assert_eq!(seat.model.screen, Screen::Desk);
}

#[test]
fn findings_are_selected_whichever_pane_has_the_keys() {
    let mut seat = seat();
    seat.keys("tab tab J J");
    assert_eq!(selected(&seat), (2, Some(3), Pane::Verdict));
    seat.keys("K right");
    assert_eq!(selected(&seat), (1, Some(2), Pane::Source));
    seat.keys("J esc G");
    assert_eq!(selected(&seat).2, Pane::List);
    let sheet = &seat.model.story.as_ref().unwrap().proof;
    assert_eq!(sheet.selected + 1, sheet.count());
}

#[test]
fn the_row_is_copied_as_it_is_told() {
    let mut seat = seat();
    seat.keys("down y");
    let [Effect::Copy { text, what }] = &seat.effects[..] else { panic!("{:?}", seat.effects) };
    assert!(text.starts_with("ALTERED  quotation") && what == "the row of the proof", "{text}");
    // The list is no text: the draft is searched.
    seat.keys("/ \"holloway\" enter");
    assert_eq!(selected(&seat).2, Pane::Draft);
    assert_eq!(seat.model.notice.as_ref().unwrap().text, "1 hit");
}

#[test]
fn a_finding_is_accepted_with_a_reason_and_the_row_says_who_let_it_stand() {
    let mut seat = seat();
    seat.keys("down o");
    is(
        &seat,
        "
        desk/park: Proof round 1 concern 1 of 4 pane List waits r1.gate
          1 REWRITE
          2 REWRITE
          3 REWRITE
          4 REWRITE
        form: Let finding 2 stand
        > Reason: \"\"
        ",
    );
    // Without a reason it is refused, in the form.
    seat.keys("ctrl-s");
    assert!(
        matches!(&seat.asked()[..], [Request::Decide { choice: Choice::Override { reason, .. }, .. }] if reason.is_empty())
    );
    seat.answer(Err("overruling a verdict needs a reason"));
    assert!(seat.state().contains("problem: overruling a verdict needs a reason"), "{}", seat.state());
    seat.keys("\"I hold the tape.\" ctrl-s");
    let keep = Choice::Override { concern: 2, status: Status::Keep, fix: None, reason: "I hold the tape.".into() };
    assert_eq!(seat.commit(), [keep]);
    let told = |seat: &Seat| seat.model.story.as_ref().unwrap().proof.told.text().to_string();
    assert!(told(&seat).contains("Accepted by Ada in round 1, 6 Oct 2026 12:00\nI hold the tape."), "{}", told(&seat));
    seat.keys("o");
    let said = |seat: &Seat| seat.model.notice.as_ref().unwrap().text.clone();
    assert_eq!(said(&seat), "Let it stand: accepted already, by Ada; undo that decision to take it back");
    seat.keys("z");
    assert_eq!(seat.commit(), [Choice::Undo { number: 1 }]);
    assert!(!told(&seat).contains("Accepted by"), "{}", told(&seat));
    // A row without a finding needs no acceptance.
    seat.keys("G o");
    assert_eq!(said(&seat), "Let it stand: this row has no finding");
}

#[test]
fn what_holds_a_sign_off_back_is_shown_where_it_can_be_accepted() {
    let mut seat = Seat::with(demo_proof::held_back());
    assert_eq!(seat.model.story.as_ref().unwrap().tab, Tab::Article);
    seat.keys("S");
    assert_eq!(seat.asked(), [], "nothing is signed");
    let said = |seat: &Seat| seat.model.notice.as_ref().unwrap().text.clone();
    assert!(said(&seat).contains("accept finding 3 (“the swings are rusty"), "{}", said(&seat));
    assert_eq!((seat.model.story.as_ref().unwrap().tab, selected(&seat)), (Tab::Proof, (2, Some(3), Pane::List)));
    // There is no open verdict any more: the finding alone is vouched for.
    seat.keys("o \"She said so to me.\" ctrl-s");
    assert_eq!(seat.commit(), [Choice::Accept { finding: 3, reason: "She said so to me.".into() }]);
    assert_eq!(said(&seat), "Finding 3 accepted under your name");
    assert_eq!(seat.model.story.as_ref().unwrap().gate.held_back, [0; 0]);
    // Nothing was signed yet: it can be taken back, and then again holds the sign-off back.
    seat.keys("z");
    assert!(matches!(seat.commit()[..], [Choice::Undo { number: 3 }]));
    assert_eq!(seat.model.story.as_ref().unwrap().gate.held_back, [3]);
    seat.keys("o \"She said so to me.\" ctrl-s");
    seat.commit();
    seat.keys("4 S");
    assert!(seat.state().contains("question: Sign off?"), "{}", seat.state());
}

#[test]
fn only_the_round_that_waits_can_be_decided_about() {
    let mut journal = demo_proof::second_draft();
    let mut unreviewed = Seat::with(journal.clone());
    let review = Review::new(ArticleReviewRaw { markdown_bullets: String::new() }, vec![]);
    add(&mut journal, Step::Review { round: 2 }, Outcome::Review(review));
    add(&mut journal, Step::Parse { round: 2 }, Outcome::Concerns(ArticleReviewResult { concerns: vec![] }));
    let mut seat = Seat::with(journal);
    let said = |seat: &Seat| seat.model.notice.as_ref().unwrap().text.clone();
    seat.keys("8 , o");
    assert_eq!(
        said(&seat),
        "Let it stand: round 1 is decided already; you can change only the round that waits for you"
    );
    // The second draft has its own proof, and its findings were never shown.
    seat.keys(". o");
    assert_eq!(
        said(&seat),
        "Let it stand: this round's review does not have this finding: it is not finished, or it used other rules"
    );
    unreviewed.keys("8 o");
    assert_eq!(
        said(&unreviewed),
        "This story has not reached its next gate. Accepting a finding is possible only while a story waits for you"
    );
}

#[test]
fn a_draft_that_was_handed_in_to_be_proved_begins_on_its_proof_page_and_no_other_story_does() {
    let mut seat = Seat::at_desk();
    seat.model.next.tab = Some(Tab::Proof);
    seat.open(demo_proof::proved());
    assert_eq!(seat.model.story.as_ref().unwrap().tab, Tab::Proof);
    assert!(seat.model.story.as_ref().unwrap().proof.proved().is_some(), "it is asked for at once");
    seat.keys("esc");
    assert_eq!(seat.asked(), [Request::CloseStory]);
    seat.open(demo_proof::proved());
    assert_eq!(seat.model.story.as_ref().unwrap().tab, Tab::Article);
}

#[test]
fn a_click_selects_the_row_that_was_clicked() {
    let mut seat = seat();
    seat.keys("tab");
    seat.model.drawn.list = Rect::new(1, 4, 48, 10);
    let click = |row| MouseEvent {
        kind: MouseEventKind::Down(MouseButton::Left),
        column: 7,
        row,
        modifiers: KeyModifiers::NONE,
    };
    update(&mut seat.model, Arrival::Mouse(click(7)));
    assert_eq!(selected(&seat), (3, Some(4), Pane::List));
    update(&mut seat.model, Arrival::Mouse(click(30)));
    assert_eq!(selected(&seat), (3, Some(4), Pane::List), "there is no row");
}

#[test]
fn the_source_is_there_to_be_read_while_the_proof_is_made() {
    let mut seat = Seat::with(demo_proof::proved());
    update(&mut seat.model, Arrival::Key(event("8")));
    let sheet = &seat.model.story.as_ref().unwrap().proof;
    assert!(sheet.source_page.text().starts_with("MINUTES") && sheet.proved().is_none());
}

#[test]
fn an_acceptance_that_was_overtaken_is_about_what_there_is_to_see_now() {
    let mut seat = seat();
    seat.keys("down o \"I hold the tape.\" ctrl-s");
    let asked = |seat: &mut Seat| match seat.asked().pop() {
        Some(Request::Decide { choice, .. }) => choice,
        other => panic!("{other:?}"),
    };
    assert_eq!(asked(&mut seat).name(), "override");
    // Meanwhile another program has overruled the verdict.
    let mut journal = demo_proof::proved();
    let before = i64::try_from(journal.entries().len()).unwrap();
    decide(&mut journal, 1, overrule(2, Status::Keep, None));
    let entry = journal.entries().last().unwrap().clone();
    seat.hear(News::Added { key: RunKey(1), entries: vec![(before + 1, entry)] });
    seat.answer(Err("something else was decided on this story in the meantime"));
    seat.keys("ctrl-s");
    assert_eq!(asked(&mut seat), Choice::Accept { finding: 2, reason: "I hold the tape.".into() });
}

fn spelt(seat: &mut Seat, notes: Vec<StyleNote>) {
    seat.hear(News::Spelt { key: RunKey(1), round: 1, review: StyleReview { notes, readability: None } });
}

#[test]
fn a_note_on_spelling_is_a_row_between_the_findings_and_the_rest() {
    let mut seat = seat();
    // News of another run changes nothing.
    seat.hear(News::Spelt { key: RunKey(2), round: 1, review: StyleReview { notes: vec![note()], readability: None } });
    let page = |seat: &Seat| seat.model.story.as_ref().unwrap().proof.clone();
    let before = page(&seat).count();
    spelt(&mut seat, vec![note()]);
    assert_eq!(page(&seat).count(), before + 1);
    let rows: Vec<&str> = page(&seat).rows().map(ListedRow::standing).collect();
    assert_eq!(rows[4], "SPELLING", "{rows:?}");
    seat.keys("J J J J");
    assert_eq!(selected(&seat), (4, None, Pane::List));
    let told = page(&seat).told.text().to_string();
    assert!(told.starts_with("SPELLING  word, in the body\n…"), "{told}");
    assert!(told.contains(" the state grant covers $800,000. "), "{told}");
    assert!(told.contains("\n“covers” is in no dictionary and in no source.\n"), "{told}");
    // It is no finding of the proof, and has no passage.
    seat.keys("o");
    assert_eq!(seat.model.notice.as_ref().unwrap().text, "Let it stand: this row has no finding");
    seat.keys("enter");
    assert!(seat.model.notice.as_ref().unwrap().text.starts_with("No matching passage for this row"));
}

#[test]
fn a_word_is_added_to_the_dictionary_after_a_question() {
    let mut seat = seat();
    spelt(&mut seat, vec![note()]);
    seat.keys("n");
    let said = |seat: &Seat| seat.model.notice.as_ref().unwrap().text.clone();
    assert_eq!(said(&seat), "Add to the dictionary: this row is not about spelling");
    seat.keys("J J J J n");
    assert!(seat.state().contains("question: Add this word? enter: add it"), "{}", seat.state());
    seat.keys("esc");
    assert_eq!(seat.asked(), []);
    seat.keys("n enter");
    assert!(matches!(&seat.asked()[..], [Request::AddWord { word, key: RunKey(1), .. }] if word == "covers"));
    // The worker has looked again.
    spelt(&mut seat, vec![]);
    assert!(seat.model.story.as_ref().unwrap().proof.word().is_none());
}

#[test]
fn a_note_on_style_has_no_word_for_the_dictionary_and_says_whether_it_goes_to_the_writer() {
    let mut seat = seat();
    let repeated = StyleNote { rule: "House.Rule".into(), replacement: Some("pays".into()), ..note() };
    spelt(&mut seat, vec![repeated.clone()]);
    seat.keys("J J J J n");
    assert_eq!(seat.model.notice.as_ref().unwrap().text, "Add to the dictionary: this row is not about spelling");
    let told = |seat: &Seat| seat.model.story.as_ref().unwrap().proof.told.text().to_string();
    assert!(told(&seat).starts_with("STYLE  wording, in the body\n"), "{}", told(&seat));
    assert!(told(&seat).contains("\nInstead: “pays”\nThis note changes nothing in the review."), "{}", told(&seat));
    let story = seat.model.story.as_mut().unwrap();
    let mut journal = (*story.journal).clone();
    journal.opening.settings.style_rules = vec![PinnedRule { name: "House/Rule.yml".into(), text: String::new() }];
    story.journal = Arc::new(journal);
    spelt(&mut seat, vec![repeated]);
    assert!(told(&seat).contains("a to-do for the writer, after yours."), "{}", told(&seat));
}

#[test]
fn a_note_without_a_word_adds_nothing() {
    let mut seat = seat();
    let message = "Spelling is checked up to here.".to_owned();
    spelt(&mut seat, vec![StyleNote { text: String::new(), end: note().start, message, ..note() }]);
    seat.keys("J J J J n");
    let said = &seat.model.notice.as_ref().unwrap().text;
    assert!(said.starts_with("Add to the dictionary: \"\" is not a word: "), "{said}");
    let told = seat.model.story.as_ref().unwrap().proof.told.text().to_string();
    assert!(told.ends_with("Spelling is checked up to here.\n") && !told.contains("dictionary"), "{told}");
}
