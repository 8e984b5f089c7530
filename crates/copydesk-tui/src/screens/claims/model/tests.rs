use crate::widgets::page::ScrolledText as _;
use crate::{
    screens::claims::model::*,
    testing::demo_claims::{checked, claims},
};
use copydesk_core::editorial::{
    testing::at_gate,
    testing::{add, opening},
};
use copydesk_newsroom::{Failure, GateOutcome, Passage, Publication, Tier, UnsureWords};

fn page(outcome: Option<Outcome>) -> ClaimsPage {
    ClaimsPage::new(&checked(at_gate(), outcome), 1)
}

fn full() -> ClaimsPage {
    page(Some(Outcome::Claims(claims())))
}

/// The text of the claim at a place of the draft.
fn text(page: &mut ClaimsPage, place: usize) -> String {
    page.list.selected = page.ranks.iter().position(|(at, _)| *at == place).unwrap();
    page.open();
    page.list.page.text().to_string()
}

#[test]
fn the_worst_stand_first_each_with_its_reason_and_keep_their_place_in_the_draft() {
    let figure = Some("figure");
    let mut page = full();
    assert_eq!(page.ranks, [(1, Some("money")), (0, figure), (4, figure), (3, None), (2, figure)]);
    assert_eq!(page.claim().map(|claim| &claim.text), Some(&claims().claims[1].text));
    page.select(9);
    assert_eq!((page.place(), page.claim().map(|claim| claim.verified)), (Some(2), Some(true)));
}

#[test]
fn a_claim_says_what_it_lacks_and_what_speaks_against_it() {
    let mut page = full();
    assert_eq!(
        text(&mut page, 1),
        "✗ disputed  2 findings against it\n\
         “The work costs 1.2 million dollars, most of it from the state.”\n\
         Similarity: 0.83 by meaning; at least 0.70 is wanted\n\
         Against it: 2 findings\n\
         · The source has “2.1 million dollars”, not “1.2 million dollars”.\n\
         · 0.8 of 2.1 million is not most of it.\n\n\
         Closest passage\n\
         “The work is estimated at 2.1 million dollars, of which the state grant covers 0.8 million.”\n\
         Minutes · source · credibility 1 · of 2026-10-06\n"
    );
    assert_eq!(
        text(&mut page, 3),
        "~ no passage says all of this  no passage found\n\
         “‘We do not know who mows the lawn,’ said Piet de Vries.”\n\
         Similarity: none: no passage found\n\
         Against it: nothing\n"
    );
    assert!(text(&mut page, 4).starts_with("~ no passage says all of this  no close match in the sources\n"));
    let mut claims = claims();
    let one = &mut claims.claims[1];
    (one.findings, one.similarity, one.measure) =
        (vec!["Wrong.".into()], Some(0.2), copydesk_newsroom::SimilarityMeasure::Words);
    let said = text(&mut self::page(Some(Outcome::Claims(claims))), 1);
    assert!(said.starts_with("✗ disputed  no close match in the sources, 1 finding against it\n"), "{said}");
    assert!(said.contains("Similarity: 0.20 by shared words; ") && said.contains("Against it: 1 finding\n"), "{said}");
}

#[test]
fn witnesses_that_disagree_stand_below_each_other() {
    let mut page = full();
    let told = text(&mut page, 0);
    let said = "Witnesses disagree\n\
                You decide.\n\n\
                + For the claim (1)\n\
                “The council voted five to two to reopen the park in April.”\n\
                Minutes · source · credibility 1 · of 2026-10-06\n\n\
                - Against it (2)\n\
                “Work on parks must not begin in April, when birds breed.”\n\
                parks/ordinance.md · knowledge base · Parks > When work may begin · credibility 0.9 · of 2019-03-05\n\
                The passage says that work must not begin in April.\n";
    assert!(told.contains(said), "{told}");
    let resolved = text(&mut page, 2);
    assert!(resolved.starts_with("✓ verified  it matches its passage; nothing contradicts it\n"), "{resolved}");
    let said = "Decided for the claim (rule: credibility): the witness of higher credibility prevails.\n";
    assert!(resolved.contains(said), "{resolved}");
    let mut claims = claims();
    let lost = &mut claims.claims[2];
    lost.verified = false;
    lost.resolved.as_mut().unwrap().prevails = Some(copydesk_newsroom::Stance::Contradicts);
    let said = text(&mut self::page(Some(Outcome::Claims(claims))), 2);
    assert!(said.starts_with("✗ disputed  the witness against it counts more\n"), "{said}");
    assert!(said.contains("Decided against the claim (rule: credibility): "), "{said}");
}

#[test]
fn a_passage_of_a_recording_says_where_to_listen() {
    let mut journal = at_gate();
    let Source { name, text: said } = journal.sources().remove(0);
    let passage = Passage {
        file: name.clone(),
        start: 0,
        end: said.len() as u64,
        text: said.clone(),
        tier: Tier::Source,
        ..Passage::default()
    };
    let unsure = vec![UnsureWords { start: 0, end: 3, seconds: 10 }];
    journal.opening.recorded = vec![RecordedSource { source: name, file: Some("talk.wav".into()), unsure }];
    let mut claims = claims();
    claims.claims[0].passage = Some(passage.clone());
    claims.claims[2].witnesses[0].passage = passage;
    let mut page = ClaimsPage::new(&checked(journal, Some(Outcome::Claims(claims))), 1);
    let words = &said[..3];
    let closest = text(&mut page, 0);
    let told = format!("\n\nThe recogniser was unsure of these words\n“{words}” (listen: 00:00:10)\n");
    assert!(closest.contains(&told), "{closest}");
    let witness = text(&mut page, 2);
    assert!(witness.contains(&format!("\nunsure: “{words}” (listen: 00:00:10)\n")), "{witness}");
}

#[test]
fn a_search_goes_through_the_claims() {
    let mut page = full();
    page.select(1);
    let query = "knowledge base · parks > when work may begin";
    let mut next =
        || page.search(query).map(|found| (found, page.list.selected, page.list.stage, page.list.page.hit()));
    let in_text = |at| Some(((1, 2), at, ListStage::Text, Some((1, 1))));
    assert_eq!([(); 3].map(|()| next()), [1, 2, 1].map(in_text), "asked again it goes on, around the end");
    assert_eq!(page.search("submarine"), None);
    assert!(page.is_searching() && page.list.selected == 1, "what was found stays");
    page.end_search();
    assert!(!page.is_searching());
}

#[test]
fn a_check_says_how_far_it_is() {
    let mut gone = checked(at_gate(), None);
    assert_eq!(ClaimsPage::new(&gone, 1).check, Check::NotYet);
    assert_eq!(ClaimsPage::new(&gone, 2).check, Check::NoDraft);
    assert_eq!(ClaimsPage::new(&at_gate(), 1).check, Check::Off);
    add(&mut gone, Step::Gate { round: 1 }, Outcome::Gate(GateOutcome::Revise));
    assert_eq!(ClaimsPage::new(&gone, 1).check, Check::Never);
    let publication = Publication { generated_at: String::new(), success: false, flags: vec![] };
    let mut ended = checked(at_gate(), None);
    add(&mut ended, Step::Publish, Outcome::Publication(publication));
    assert_eq!(ClaimsPage::new(&ended, 1).check, Check::Never);
    let failure = Failure::of("no");
    assert_eq!(page(Some(Outcome::Failure(failure))).check, Check::Failed("no".into()));
    assert_eq!((full().claims().len(), full().claim().map(|claim| claim.verified)), (5, Some(false)));
}

#[test]
fn what_arrives_is_taken_in_and_a_reader_stays_where_nothing_is_new() {
    let mut page = ClaimsPage::new(&checked(Journal::new(opening()), None), 0);
    page.list.turn(0);
    assert_eq!((page.list.stage, page.claim()), (ListStage::List, None), "there is nothing to be read");
    page.read(&checked(at_gate(), None));
    assert_eq!((page.round, &page.check), (1, &Check::NotYet));
    let done = checked(at_gate(), Some(Outcome::Claims(claims())));
    page.read(&done);
    page.select(2);
    page.list.turn(5);
    page.read(&done);
    assert_eq!((page.list.selected, page.list.stage), (2, ListStage::Text));
    page.select(9);
    page.list.turn(5);
    assert_eq!((page.list.selected, page.list.stage), (4, ListStage::List));
}
