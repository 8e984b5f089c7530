//! Given this draft and these sources, this sheet.

use crate::{
    screens::proof::{model::*, told::CONTRACT},
    testing::demo_proof,
};
use copydesk_core::editorial::testing::{add, article, decide, opening};
use copydesk_newsroom::{Choice, Draft, KeptLedger, Opinion, Outcome, Proof, SourceSpan, Step, Thought};

fn sheet() -> (ProofPage, Journal, Vec<Source>) {
    let journal = demo_proof::proved();
    let sources = journal.sources();
    let mut sheet = ProofPage::default();
    assert!(sheet.ask(1) && !sheet.ask(1), "it is asked for once");
    sheet.add(1, Ok(Arc::new(Proved::of(&journal, 1).unwrap())));
    sheet.show(1, &journal, &sources);
    (sheet, journal, sources)
}

fn said(sheet: &ProofPage) -> Vec<(&'static str, &'static str, String)> {
    sheet.rows().map(|row| (row.standing(), row.kind(), row.text().chars().take(24).collect())).collect()
}

#[test]
fn findings_stand_first_and_the_rest_where_the_draft_has_it() {
    let (mut sheet, journal, sources) = sheet();
    let found = [
        ("CONTRADICTED", "number", "$2.8 million".to_owned()),
        ("ALTERED", "quotation", "We do not know who mows ".to_owned()),
        ("NOT FOUND", "quotation", "the swings are rusty and".to_owned()),
        ("MISSPELT", "name", "Dennis Pruitt".to_owned()),
    ];
    assert_eq!(said(&sheet)[..4], found);
    assert_eq!(sheet.proved().unwrap().findings, 4);
    assert_eq!(sheet.rows().filter(|row| row.is_finding()).count(), 4);
    let places: Vec<&str> = sheet.rows().skip(4).map(|row| row.span().0).collect();
    assert_eq!(places.first().copied(), Some("headline"), "{places:?}");
    // The selected row stays selected wherever it goes: a note on style stands before the rows without a finding.
    let row = sheet.count() - 1;
    sheet.select(isize::MAX, &journal, &sources);
    let last = sheet.row().cloned();
    sheet.spell(1, StyleReview { notes: vec![demo_proof::note()], readability: None });
    sheet.arrange(&journal, &sources);
    assert_eq!((sheet.selected, sheet.row().cloned()), (row + 1, last));
}

#[test]
fn of_the_findings_the_worst_stands_first_with_its_reason() {
    let body = "He said: “The swings are rusty and somebody will be hurt before the summer.”\n\nShe said: “The mayor embezzled the \
                money for the swings of the park.”";
    let mut journal = Journal::new(opening());
    let draft = Draft { article: article(body), stripped: vec![], undone: vec![] };
    add(&mut journal, Step::Draft, Outcome::Draft(draft));
    let sources = journal.sources();
    let mut sheet = ProofPage::default();
    sheet.add(1, Ok(Arc::new(Proved::of(&journal, 1).unwrap())));
    sheet.show(1, &journal, &sources);
    let found = said(&sheet).into_iter().filter(|(standing, kind, _)| (*standing, *kind) == ("NOT FOUND", "quotation"));
    let found: Vec<String> = found.map(|(.., text)| text).collect();
    assert_eq!(found, ["The mayor embezzled the ", "The swings are rusty and"]);
    assert_eq!(sheet.reason(), Some("accusation"));
}

#[test]
fn an_altered_quotation_is_told_word_by_word_with_its_passage_and_its_rule() {
    let (mut sheet, journal, sources) = sheet();
    sheet.select(1, &journal, &sources);
    let told = sheet.told.text().to_string();
    for words in [
        "ALTERED  quotation, in the body\n“We do not know who mows the lawn, and we have budgeted for it,”",
        "and we have {+not+} budgeted for it\n",
        "\nCompared with Minutes of the town council\n“",
        "\nWhy this is checked\n",
        "Nobody can sign off until an editor accepts this.\n",
        "quotation.altered",
        CONTRACT,
    ] {
        assert!(told.contains(words), "{words}\n{told}");
    }
    let brief = sheet.brief.text();
    assert!(brief.contains("Why this is checked") && !brief.contains("quotation.altered"), "{brief}");
    let passage = &sources[0].text[sheet.proved().unwrap().passage(sheet.place().unwrap()).unwrap()];
    assert!(passage.contains("we have not budgeted for it"), "{passage}");
    // A figure is no quotation, and the letter is another source.
    sheet.select(2, &journal, &sources);
    assert!(!sheet.told.text().contains(CONTRACT), "{}", sheet.told.text());
    // The page does not repeat what a finding says.
    assert_eq!(told.matches("The source has other words here.").count(), 1, "{told}");
    assert_eq!((sheet.row().unwrap().text.as_str(), sheet.source), ("Dennis Pruitt", 1));
    // If no passage decides, the page says so, and the source that was shown stays.
    sheet.select(-1, &journal, &sources);
    assert!(sheet.told.text().contains("\nNo matching passage in the sources\n"), "{}", sheet.told.text());
    assert_eq!((sheet.has_passage(), sheet.source), (false, 1));
}

#[test]
fn a_short_span_is_told_with_the_words_around_it() {
    let (mut sheet, journal, sources) = sheet();
    let first = |sheet: &ProofPage| sheet.told.text().lines().nth(1).unwrap().to_owned();
    assert_eq!(first(&sheet), "The work is estimated at $2.8 million, of which the state grant covers $800,000. …");
    sheet.select(3, &journal, &sources);
    assert_eq!(first(&sheet), "…is over”. The chair of the Friends is Dennis Pruitt.");
}

#[test]
fn into_the_passage_and_back() {
    let (mut sheet, ..) = sheet();
    sheet.pane = Pane::Draft;
    sheet.show_passage();
    sheet.show_passage();
    assert_eq!(sheet.pane, Pane::Source);
    assert!(sheet.back());
    assert_eq!(sheet.pane, Pane::Draft);
    assert!(sheet.back() && !sheet.back());
    assert_eq!(sheet.pane, Pane::List);
}

#[test]
fn findings_are_gone_through_around_the_end() {
    let (mut sheet, journal, sources) = sheet();
    let mut seen = Vec::new();
    for _ in 0..5 {
        let by = sheet.to_finding(true).unwrap();
        sheet.select(by, &journal, &sources);
        seen.push(sheet.finding().unwrap());
    }
    assert_eq!(seen, [2, 3, 4, 1, 2]);
    let by = sheet.to_finding(false).unwrap();
    sheet.select(by, &journal, &sources);
    assert_eq!(sheet.finding(), Some(1));
    assert_eq!(ProofPage::default().to_finding(true), None);
}

#[test]
fn of_very_many_findings_only_the_selected_one_is_marked() {
    let body: Vec<String> =
        (1..400).map(|number| format!("The town paid ${number}.5 million for road {number}.")).collect();
    let article = copydesk_core::editorial::testing::article(&body.join("\n\n"));
    let sources = [Source { name: "Notes".into(), text: "The town paid $0.5 million for road 0.".into() }];
    let ledger = copydesk_proof::ledger(&article, &sources, copydesk_proof::Gravity::Concern);
    let proved = Proved::new(ledger, &article, &sources);
    assert!(proved.findings > MOST_MARKS, "{}", proved.findings);
    let sheet = ProofPage { rows: vec![3], ..ProofPage::default() };
    let marks = sheet.marks(&proved, &article);
    assert_eq!(marks.iter().map(|mark| mark.role).collect::<Vec<_>>(), [TextRole::Excerpt]);
}

#[test]
fn a_finding_that_somebody_lets_stand_says_who_when_and_why() {
    let (mut sheet, mut journal, sources) = sheet();
    assert_eq!((sheet.number(), sheet.accepted(&journal, 2).is_none()), (Some(1), true));
    // Before the acceptance the writer would repair it. A row without a fault needs no repair.
    let told =
        |sheet: &ProofPage| sheet.told.text().contains("To do for the writer, unless you let it stand\nPut it as");
    sheet.select(2, &journal, &sources);
    assert!(told(&sheet));
    assert_eq!(sheet.next, Some(Status::Rewrite));
    sheet.select(isize::MAX, &journal, &sources);
    assert!(sheet.finding().is_none() && !told(&sheet) && sheet.next.is_none());
    let keep = Choice::Override { concern: 3, status: Status::Keep, fix: None, reason: "I hold the tape.".into() };
    decide(&mut journal, 1, keep);
    sheet.want(3);
    sheet.show(1, &journal, &sources);
    assert_eq!(sheet.number(), Some(3), "what is wanted is shown");
    let told = sheet.told.text().to_string();
    assert!(told.contains("\nAccepted by Ada in round 1, 6 Oct 2026 12:00\nI hold the tape.\n"), "{told}");
    assert!(!told.contains("holds back") && !told.contains("Continue"), "{told}");
    assert_eq!(sheet.accepted(&journal, 2).map(|decided| decided.number), Some(1));
    // A review that was made otherwise has no such finding.
    let unknown = Journal::new(journal.opening.clone());
    assert_eq!(numbers(sheet.proved().unwrap(), &unknown, 1), HashMap::new());
}

#[test]
fn the_journal_says_which_row_is_which_finding() {
    let (sheet, mut journal, _) = sheet();
    let by_place = numbers(sheet.proved().unwrap(), &journal, 1);
    assert_eq!(by_place.len(), 4);
    let ledger = sheet.proved().unwrap().ledger.clone();
    let review = journal.review(1).unwrap().clone();
    // Two rows are one finding here: the journal numbers the first alone.
    let mut rows: Vec<Option<usize>> = by_place.keys().copied().map(Some).collect();
    rows.sort();
    rows[1] = None;
    let kept = Some(KeptLedger { ledger: ledger.clone(), findings: rows.clone(), ..KeptLedger::default() });
    add(&mut journal, Step::Prove { round: 1 }, Outcome::Proof(Proof { findings: review.findings, kept }));
    let proved = Proved::of(&journal, 1).unwrap();
    assert_eq!(proved.ledger, ledger, "it is read, not made");
    let numbered = [(rows[0].unwrap(), 1), (rows[2].unwrap(), 3), (rows[3].unwrap(), 4)];
    assert_eq!(numbers(&proved, &journal, 1), numbered.into());
}

#[test]
fn what_a_model_thinks_of_a_sentence_is_told_below_its_rows_and_called_no_proof() {
    let (mut sheet, mut journal, sources) = sheet();
    let row = sheet.row().unwrap().clone();
    let passage = SourceSpan { source: "s".into(), start: 0, end: 4, text: "I can".into() };
    let opinion = Opinion {
        field: row.field.clone(),
        start: row.start,
        end: row.end + 3,
        thought: Thought::NotCarried,
        quoted: vec![passage],
        thrown_away: 0,
    };
    let elsewhere = Opinion { start: row.end + 900, end: row.end + 901, thought: Thought::Carried, ..opinion.clone() };
    let opinions = Opinions { by: "your-model-name".into(), given: vec![opinion, elsewhere], problem: None };
    add(&mut journal, Step::Opinion { round: 1, batch: 2 }, Outcome::Opinions(opinions));
    sheet.show(1, &journal, &sources);
    let told = sheet.told.text();
    let said = "A model thinks (this is no proof)\nthe passages do not carry it\n“I can”\nyour-model-name\n";
    assert!(told.contains(said) && !told.contains("the passages carry it"), "{told}");
    assert_eq!(sheet.row(), Some(&row), "the row is as it was");
    let step = Step::Opinion { round: 1, batch: 1 };
    let problem = Some("the server answered 500".to_owned());
    add(&mut journal, step, Outcome::Opinions(Opinions { problem, ..Opinions::default() }));
    sheet.show(1, &journal, &sources);
    let told = sheet.told.text();
    assert!(told.contains("A model was asked\nno opinion: the server answered 500\n"), "{told}");
}
