//! The page of sources, and what an editor does there.

use std::path::PathBuf;

use crate::{
    app::{messages::Request, news::News, tests::seat::*},
    screens::{sources::model::SourcesPage, story::tabs::Tab},
    widgets::list_and_text::ListStage,
};
use copydesk_core::editorial::{
    testing::at_gate,
    testing::research_report::{researched, triaged},
};
use copydesk_core::ports::RunKey;
use copydesk_newsroom::{Choice, Entry, Outcome, ResearchErrand, ResearchTurn, Step, ToolCall, TriageWay, Usage};

fn page(seat: &Seat) -> &SourcesPage {
    &seat.model.story.as_ref().unwrap().sources_page
}

fn text(seat: &Seat) -> String {
    page(seat).list.page.text().to_string()
}

fn said(seat: &Seat) -> &str {
    &seat.model.notice.as_ref().unwrap().text
}

#[test]
fn each_source_shows_why_it_is_trusted_where_it_is_used_and_its_text() {
    let mut seat = Seat::with(researched());
    seat.keys("0 j j j");
    let minutes = text(&seat);
    for part in [
        "Council minutes\nhttps://www.springfield.gov/minutes\nFound by the Reporter; kept\nPublished: 2026-10-06\n",
        "\nCredibility 0.88\n· Published by an authority: www.springfield.gov. (0.40 of 0.40)\n",
        "\nUsed: 1 finding, 1 passage\nRound 1, research, question 1: “voted seven to two”\nRound 2, concern 1: “",
        "\nText\nMinutes of the council.\n",
    ] {
        assert!(minutes.contains(part), "{part}\n{minutes}");
    }
    seat.keys("k k");
    let hides = "\nHidden text in letter.txt: readers do not see it, and Copydesk does not use it\na comment: “The town pays.”\n";
    assert!(text(&seat).contains(hides), "{}", text(&seat));
    seat.keys("j j");
    seat.keys("enter");
    assert_eq!(page(&seat).list.stage, ListStage::Text);
    seat.keys("j esc");
    assert_eq!((page(&seat).list.stage, page(&seat).list.selected), (ListStage::List, 3), "the keys were the text's");
    seat.keys("esc");
    assert!(seat.model.story.is_none());
}

#[test]
fn an_errand_shows_what_was_asked_kept_and_left_out_while_the_reporter_works() {
    let mut seat = Seat::with(researched());
    seat.keys("0 G k");
    let done = text(&seat);
    for part in [
        "Round 1, research\nDone\n\nQuestions\n1. The council voted seven to two.\n2. Who pays?\n",
        "search_knowledge_base “The council voted seven to two.”\n   found S1 Council minutes; S2 A walk in the park\n",
        "weather “{\"day\":\"today\"}”\n   failed: there is no tool weather\n",
        "\nKept\n“voted seven to two”\n   S1, for question 1\n",
        "\nLeft out\n“the town pays”\n   its quotation does not stand in S2\n",
    ] {
        assert!(done.contains(part), "{part}\n{done}");
    }
    seat.keys("G");
    assert!(text(&seat).contains("Round 2, research\nNot begun\n"), "{}", text(&seat));
    let call = ToolCall { id: "a".into(), name: "search_web".into(), arguments: r#"{"query":"Who pays?"}"#.into() };
    let entry = Entry {
        step: Step::Turn { errand: ResearchErrand::Round(2), turn: 1 },
        outcome: Outcome::Turn(ResearchTurn { calls: vec![call], ..ResearchTurn::default() }),
        at: "2026-10-06T12:00:01Z".into(),
        usage: Usage::default(),
        shown: None,
    };
    seat.hear(News::Added { key: RunKey(1), entries: vec![(1_000, entry)] });
    let at_work = text(&seat);
    assert!(at_work.contains("Round 2, research\nAt work\n"), "{at_work}");
    assert!(at_work.contains("search_web “Who pays?”\n   running\n"), "{at_work}");
}

#[test]
fn a_source_is_removed_with_a_reason_and_only_where_something_rests_on_it() {
    let mut seat = Seat::with(researched());
    seat.keys("0 D");
    assert_eq!(said(&seat), "Remove the source: the story's own text cannot be removed or distrusted");
    seat.keys("j D");
    assert!(said(&seat).ends_with("it is removed already; undo that decision to use it again"), "{}", said(&seat));
    seat.keys("j j j D");
    assert!(said(&seat).contains("the story does not use it"), "{}", said(&seat));
    seat.keys("j D");
    assert_eq!(said(&seat), "Remove the source: select a source first");
    seat.keys("g j j D \"A copy.\" ctrl-s");
    assert_eq!(seat.commit(), [Choice::RemoveSource { name: "notes.md".into(), reason: "A copy.".into() }]);
    assert!(text(&seat).contains("Added at a gate; removed by Ada: A copy."), "{}", text(&seat));
    let story = seat.model.story.as_ref().unwrap();
    assert_eq!((story.tab, story.sources[2].text.as_str()), (Tab::Sources, ""), "the other pages know it");
}

#[test]
fn a_source_is_distrusted_with_a_reason_also_one_that_was_only_read() {
    let mut seat = Seat::with(researched());
    seat.keys("0 o");
    assert_eq!(said(&seat), "Distrust the source: the story's own text cannot be removed or distrusted");
    seat.keys("j o");
    assert!(said(&seat).ends_with("that source is already removed or distrusted"), "{}", said(&seat));
    seat.keys("j j o \"It copies press releases.\" ctrl-s");
    let reason = "It copies press releases.".to_owned();
    let name = copydesk_core::editorial::testing::research_report::ADDRESS.to_owned();
    assert_eq!(seat.commit(), [Choice::DistrustSource { name: name.clone(), reason: reason.clone() }]);
    let shown = text(&seat);
    assert!(
        shown.contains("Found by the Reporter; distrusted by Ada, so nothing rests on it: It copies press releases."),
        "{shown}"
    );
    assert!(shown.contains("\nText\nMinutes of the council.\n"), "it is still shown\n{shown}");
    let story = seat.model.story.as_ref().unwrap();
    let known = story.sources.iter().find(|source| source.name == name).unwrap();
    assert_eq!(known.text, "", "the other pages know that nothing rests on it");
    seat.keys("j o \"A blog.\" ctrl-s");
    assert_eq!(seat.commit(), [Choice::DistrustSource { name: "blog.html".into(), reason: "A blog.".into() }]);
    seat.keys("j o");
    assert_eq!(said(&seat), "Distrust the source: select a source first");
}

#[test]
fn a_file_becomes_a_source_once_it_is_read() {
    let mut seat = Seat::with(researched());
    seat.keys("0 n \"report.pdf\" tab \"The report\" ctrl-s");
    let asked = seat.asked();
    let [Request::AddSource { at, path, name }] = &asked[..] else { panic!("{asked:?}") };
    assert_eq!((at.run, path, name.as_deref()), (RunKey(1), &PathBuf::from("report.pdf"), Some("The report")));
    seat.answer(Err("the source report.pdf: it cannot be read"));
    assert!(seat.state().contains("problem: the source report.pdf: it cannot be read"), "{}", seat.state());
    seat.keys("esc n ctrl-s");
    assert!(seat.state().contains("problem: enter a file name"), "{}", seat.state());
    assert!(seat.asked().is_empty());
}

#[test]
fn the_reporter_is_sent_with_one_line() {
    let mut seat = Seat::with(researched());
    seat.keys("I \"Who mows the lawn?\" enter");
    assert_eq!(seat.commit(), [Choice::Research { question: "Who mows the lawn?".into() }]);
    let mut seat = Seat::with(at_gate());
    seat.keys("I");
    assert!(said(&seat).contains("research.triage was false when it was opened"), "{}", said(&seat));
}

#[test]
fn a_concern_is_sent_the_other_way_and_back() {
    let mut seat = Seat::with(triaged());
    let verdict = |seat: &Seat| seat.model.story.as_ref().unwrap().concerns.verdict.text().to_string();
    let way = |way| [Choice::Triage { concern: 1, way, question: None }];
    assert!(
        verdict(&seat).contains("Goes to the Reporter, before the writer revises\n“The council voted seven to two.”")
    );
    seat.keys("2 ;");
    assert_eq!(seat.commit(), way(TriageWay::Rewrite));
    assert!(verdict(&seat).contains("Goes to the writer\nAda decided it"), "{}", verdict(&seat));
    seat.keys(";");
    assert_eq!(seat.commit(), way(TriageWay::Research));
    let mut seat = Seat::with(at_gate());
    seat.keys("2 ;");
    assert!(said(&seat).contains("nobody researches for this story"), "{}", said(&seat));
}
