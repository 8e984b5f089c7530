//! The claims of a draft: opened from a story's pages, gone through, searched, copied, led back to their source.

use crate::{
    app::{Effect, news::News, tests::seat::*},
    screens::{
        claims::model::{Check, ClaimsPage},
        story::tabs::Tab,
    },
    testing::demo_claims::{checked, claims},
};
use copydesk_core::editorial::testing::at_gate;
use copydesk_core::ports::RunKey;
use copydesk_newsroom::{Claims, Outcome, Passage, Tier};

/// A story at its gate with five claims; the best passage of the first is the story's own source.
fn with_claims() -> Seat {
    let mut claims = claims();
    let journal = at_gate();
    let source = journal.sources().remove(0);
    let (end, text) = (source.text.len() as u64, source.text);
    claims.claims[0].passage =
        Some(Passage { file: source.name, start: 0, end, text, tier: Tier::Source, ..Passage::default() });
    Seat::with(checked(journal, Some(Outcome::Claims(claims))))
}

fn page(seat: &Seat) -> &ClaimsPage {
    seat.model.on_top().unwrap()
}

fn copied(seat: &mut Seat) -> String {
    match seat.effects.pop() {
        Some(Effect::Copy { text, what }) if what == "the claim" => text.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_claims_open_from_the_pages_of_a_story_and_lead_back_to_them() {
    let mut seat = with_claims();
    for (tab, name) in [("2", "Concerns"), ("8", "Proof"), ("4", "Article")] {
        seat.keys(&format!("{tab} 9"));
        assert!(seat.state().ends_with("claims of draft 1, 1 of 5, List\n"), "{}", seat.state());
        seat.keys("esc");
        assert!(seat.state().starts_with(&format!("desk/park: {name} ")), "{}", seat.state());
        assert!(!seat.state().contains("claims of"), "{}", seat.state());
    }
    let mut desk = Seat::at_desk();
    desk.keys("ctrl-p \"show-claims\" esc ctrl-p \"claims\" enter");
    assert!(desk.state().contains("Claims: open a story first"), "{}", desk.state());
}

#[test]
fn beside_the_article_that_was_kept_stand_its_own_claims_whichever_round_is_shown() {
    let mut seat = Seat::with(crate::testing::demo_pages::signed());
    seat.keys("2 , 9");
    assert!(seat.state().contains("claims of draft 2, "), "{}", seat.state());
    seat.keys("esc 4 9");
    assert!(seat.state().contains("claims of draft 3, "), "{}", seat.state());
}

#[test]
fn claims_are_gone_through_and_the_selected_one_is_read() {
    let mut seat = with_claims();
    seat.keys("2 9 down down");
    assert_eq!(page(&seat).list.selected, 2);
    seat.keys("end");
    assert_eq!(page(&seat).list.selected, 4);
    seat.keys("pgdn g left down");
    assert!(seat.state().ends_with("2 of 5, List\n"), "{}", seat.state());
    seat.keys("right");
    assert!(seat.state().ends_with("2 of 5, Text\n"), "{}", seat.state());
    // In a pane of six rows, and not past its end.
    page(&seat).list.page.resize(76, 6);
    seat.keys("down");
    assert!(page(&seat).list.page.text()[page(&seat).list.page.shown()].starts_with("“The council voted"));
    seat.keys("pgdn");
    assert!(page(&seat).list.page.text()[page(&seat).list.page.shown()].starts_with("“The council voted."));
    let before = page(&seat).list.page.shown();
    seat.keys("space ctrl-b");
    assert_eq!(page(&seat).list.page.shown(), before);
    seat.keys("up right left");
    assert!(seat.state().ends_with("2 of 5, List\n"), "{}", seat.state());
    seat.keys("tab esc tab shift-tab y");
    assert!(seat.state().contains("2 of 5, List\n"), "{}", seat.state());
    assert!(copied(&mut seat).starts_with("✗ disputed  its witnesses disagree: you decide\n"));
    seat.keys("? esc esc");
    assert!(seat.model.overlays.is_empty());
}

#[test]
fn words_are_searched_in_all_claims_and_esc_ends_the_search_first() {
    let mut seat = with_claims();
    seat.keys("2 9 )");
    assert!(seat.state().contains("Search for something first"), "{}", seat.state());
    seat.keys("/ \"Three\" enter");
    assert!(
        seat.state().ends_with("5 of 5, Text\nDone: 2 hits in claim 5; no other claim matches\n"),
        "{}",
        seat.state()
    );
    seat.keys(") ( (");
    assert!(seat.state().contains("Hit 2 of 2"), "{}", seat.state());
    seat.keys("/ \"submarine\" enter");
    assert!(seat.state().contains("“submarine” is not in these claims"), "{}", seat.state());
    seat.keys("/ \"ordinance\" enter");
    assert!(seat.state().contains("1 hit in claim 2; 2 claims match, search again for the next"), "{}", seat.state());
    seat.keys("esc");
    assert!(seat.state().ends_with("2 of 5, Text\n") && !page(&seat).is_searching(), "{}", seat.state());
    seat.keys("esc esc");
    assert!(seat.model.overlays.is_empty());
}

#[test]
fn from_a_claim_its_passage_is_shown_in_its_source() {
    let mut seat = with_claims();
    seat.keys("4 9 end enter enter");
    assert!(seat.state().contains("The passage is no longer in this story's sources"), "{}", seat.state());
    seat.keys("esc up enter enter");
    assert!(seat.state().contains("Open: no passage found for this claim"), "{}", seat.state());
    seat.keys("esc up enter enter");
    let why = "Open: its closest passage is not in this story's sources";
    assert!(seat.state().contains(why), "{}", seat.state());
    seat.keys("esc up enter enter");
    let story = seat.model.story.as_ref().unwrap();
    assert!(seat.model.overlays.is_empty());
    assert_eq!(
        (story.tab, story.concerns.pane.name(), story.concerns.source.text().len()),
        (Tab::Concerns, "Source", 18)
    );
}

#[test]
fn a_check_that_comes_while_it_is_waited_for_is_shown() {
    let mut seat = Seat::with(checked(at_gate(), None));
    seat.keys("2 9 enter / y");
    assert_eq!(page(&seat).check, Check::NotYet);
    assert!(seat.state().ends_with("Trouble: Copy: no claims here\n"), "{}", seat.state());
    assert_eq!(seat.model.overlays.len(), 1, "nothing to be searched");
    let done = checked(at_gate(), Some(Outcome::Claims(claims())));
    let entry = done.entries().last().unwrap().clone();
    seat.hear(News::Added { key: RunKey(1), entries: vec![(99, entry)] });
    assert_eq!(page(&seat).claims(), claims().claims);
    let mut none = Seat::with(checked(at_gate(), Some(Outcome::Claims(Claims::default()))));
    none.keys("4 9 down enter");
    assert!(none.state().ends_with("Trouble: Open: no claims here\n"), "{}", none.state());
}

#[test]
fn a_page_of_a_story_leads_to_every_other_one() {
    let mut seat = with_claims();
    for (key, name) in [("8", "Proof"), ("2", "Concerns"), ("4", "Article")] {
        seat.keys(&format!("9 {key}"));
        assert!(seat.state().starts_with(&format!("desk/park: {name} ")), "{}", seat.state());
        assert!(seat.model.overlays.is_empty(), "{}", seat.state());
    }
    seat.keys("P V 9");
    assert!(seat.state().ends_with("claims of draft 1, 1 of 5, List\n"), "{}", seat.state());
    seat.keys("esc");
    assert!(seat.model.overlays.is_empty(), "each replaced the one before");
}
