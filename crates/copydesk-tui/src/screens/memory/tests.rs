//! The memory: its list, what a verdict was reused from, striking and restoring.

use crate::app::{
    messages::Request,
    news::News,
    tests::seat::*,
    update::{Arrival, update},
};
use crate::screens::forms::model::Form;
use crate::screens::memory::record::RecordPage;
use copydesk_core::editorial::{testing::at_gate, testing::verdict};
use copydesk_core::ports::{Book, RecordState, Remembered, Strike};
use copydesk_newsroom::{Entry, FactCheckRecord, LookUp, MemoryRecord, Outcome, Status, Step, Usage};

fn record(query: &str, hash: &str, day: &str) -> MemoryRecord {
    let text = |text: &str| text.to_owned();
    MemoryRecord::FactCheck(FactCheckRecord {
        timestamp: format!("{day}T12:00:00.000Z"),
        article_id: text("desk/mill"),
        concern_id: 2,
        prompt: text("Is it so?"),
        query: text(query),
        normalized_query: format!("⟦{query}⟧"),
        model_name: text("m"),
        kb_index_version: text("v"),
        cache_key_hash: text(hash),
        kb_response: String::new(),
        verdict: verdict(2, Status::Keep, None),
    })
}

fn kept(query: &str, hash: &str, day: &str) -> Remembered {
    Remembered { record: record(query, hash, day), run: Some("R1".into()), standing: RecordState::Offered }
}

fn struck(kept: Remembered) -> Remembered {
    let strike = Strike { by: "Ada".into(), at: "2026-10-06T12:05:00.000Z".into(), reason: "outdated".into() };
    Remembered { standing: RecordState::Struck(strike), ..kept }
}

fn book(records: Vec<Remembered>) -> Book {
    Book { records, unreadable: 0 }
}

/// With the list of three records open, one of them too old.
fn at_the_list() -> Seat {
    let mut seat = Seat::at_desk();
    seat.keys("M");
    assert_eq!(seat.asked(), [Request::ReadMemory]);
    assert!(seat.state().ends_with("memory \"\", 0 of 0 shown\n"), "{}", seat.state());
    let old = kept("the bridge", "c", "2020-01-01");
    seat.hear(News::Memory(book(vec![kept("the park", "a", "2026-10-05"), kept("the mill", "b", "2026-10-04"), old])));
    seat
}

/// A story at its gate whose first concern was decided by an earlier check.
fn remembered() -> Seat {
    let mut journal = at_gate();
    let concern = journal.concerns(1).unwrap().concerns[0].concern_id;
    let look_up = LookUp {
        query: "the park".into(),
        normalized_query: "the park".into(),
        model_name: "m".into(),
        kb_index_version: Some("v".into()),
        cache_key_hash: "a".into(),
        remembered: Some(record("the park", "a", "2026-10-05")),
        passages: vec![],
        ..LookUp::default()
    };
    journal.push(Entry {
        step: Step::LookUp { round: 1, concern },
        outcome: Outcome::LookUp(look_up),
        at: "2026-10-06T12:00:00.000Z".into(),
        usage: Usage::default(),
        shown: None,
    });
    let mut seat = Seat::with(journal);
    seat.keys("2");
    seat
}

#[test]
fn the_list_is_filtered_as_one_types_and_opens_what_is_selected() {
    let mut seat = at_the_list();
    assert!(
        seat.state()
            .ends_with("memory \"\", 3 of 3 shown\n> the park offered\n  the mill offered\n  the bridge expired\n"),
        "{}",
        seat.state()
    );
    seat.keys("\"the br\"");
    assert!(seat.state().ends_with("memory \"the br\", 1 of 3 shown\n> the bridge expired\n"), "{}", seat.state());
    seat.keys("backspace backspace \"zz\"");
    assert!(seat.state().ends_with("memory \"the zz\", 0 of 3 shown\n"), "{}", seat.state());
    seat.keys("enter");
    assert!(!seat.state().contains("record"), "nothing is selected: {}", seat.state());
    seat.keys("backspace backspace down enter");
    assert!(seat.state().ends_with("record the mill: KEEP  fact check, offered\n"), "{}", seat.state());
    seat.keys("esc esc");
    assert!(!seat.state().contains("memory"), "{}", seat.state());
    update(&mut seat.model, Arrival::Paste("x".into()));
    seat.keys("esc");
    let mut seat = at_the_list();
    update(&mut seat.model, Arrival::Paste("mill\nR".into()));
    assert!(seat.state().contains("memory \"mill R\", 3 of 3 shown"), "{}", seat.state());
}

#[test]
fn a_record_is_struck_with_a_reason_and_restored_after_a_question() {
    let mut seat = at_the_list();
    seat.keys("enter r");
    assert!(seat.state().contains("Restore the record: the record is not struck"), "{}", seat.state());
    seat.keys("x");
    assert!(seat.state().contains("form: Strike this record?\n> Reason: \"\"\n"), "{}", seat.state());
    seat.keys("\" \" ctrl-s");
    assert!(seat.state().contains("problem: say why it must not be used again"), "{}", seat.state());
    assert_eq!(seat.asked(), []);
    seat.keys("\"outdated\" ctrl-s");
    let (cache_key_hash, reason) = ("a".to_owned(), "outdated".to_owned());
    assert_eq!(seat.asked(), [Request::StrikeRecord { cache_key_hash, reason }]);
    assert!(seat.state().contains("(sent)"), "{}", seat.state());
    seat.hear(News::Record("a".into(), book(vec![struck(kept("the park", "a", "2026-10-05"))])));
    seat.answer(Ok(()));
    assert!(seat.state().ends_with("record the park: KEEP  fact check, struck\n"), "{}", seat.state());
    seat.keys("x");
    assert!(seat.state().contains("Strike the record: the record is already struck"), "{}", seat.state());
    seat.keys("r");
    assert!(seat.state().contains("question: Restore this record? enter: restore it"), "{}", seat.state());
    seat.keys("enter");
    assert_eq!(seat.asked(), [Request::RestoreRecord("a".into())]);
    seat.keys("esc");
    assert!(seat.state().contains("> the park struck\n  the mill offered\n"), "the list knows: {}", seat.state());
}

#[test]
fn what_a_verdict_was_reused_from_is_one_key_away() {
    let mut seat = remembered();
    seat.keys("v");
    assert_eq!(seat.asked(), [Request::ReadRecord("a".into())]);
    assert!(seat.state().ends_with("record the park: KEEP  fact check, loading\n"), "{}", seat.state());
    let text = |seat: &Seat| seat.model.on_top::<RecordPage>().unwrap().page.text().to_string();
    let said = text(&seat);
    assert!(said.contains("The verdict on concern 1 of desk/park comes from this check."), "{said}");
    assert!(said.contains("Story: desk/mill · concern 2\n") && said.contains("Model: m\n"), "{said}");
    seat.keys("x");
    assert!(
        seat.state().contains("Strike the record: the record is still loading; try again in a moment"),
        "{}",
        seat.state()
    );
    // Another key's records are another page's.
    seat.hear(News::Record("b".into(), book(vec![])));
    assert!(text(&seat).starts_with("KEEP  fact check, loading"));
    seat.hear(News::Record("a".into(), book(vec![kept("the park", "a", "2026-10-05")])));
    assert!(text(&seat).starts_with("KEEP  fact check, offered"));
    seat.keys("x");
    let Some(form) = seat.model.on_top::<Form>() else { panic!("{}", seat.state()) };
    assert!(
        form.explanation.ends_with("The verdict on concern 1 of desk/park stands until you overrule it there."),
        "{}",
        form.explanation
    );
    seat.keys("esc");
    seat.hear(News::Record("a".into(), book(vec![])));
    assert!(text(&seat).starts_with("KEEP  fact check, no longer in the memory"));
    seat.keys("x");
    assert!(seat.state().contains("the record is no longer in the memory"), "{}", seat.state());
}

#[test]
fn a_verdict_that_was_not_reused_says_so() {
    let mut seat = remembered();
    seat.keys("J v");
    assert!(
        seat.state().contains("Earlier check: this verdict does not come from an earlier check"),
        "{}",
        seat.state()
    );
    let mut desk = Seat::at_desk();
    desk.keys("ctrl-p \"strike\" enter");
    assert!(desk.state().contains("open a memory record first"), "{}", desk.state());
    desk.hear(News::Memory(book(vec![])));
    assert!(!desk.state().contains("memory \""), "a list that was closed stays so");
}
