//! The texts beside the list of concerns: the draft with its excerpts marked, the verdict, and the source with its passage
//! marked. They are made when the selection changes, never per frame.

use std::{ops::Range, sync::Arc};

use crate::screens::concerns::{self, ConcernRow};
use crate::widgets::{FieldMark, Page, Sheet, TextRole, unsure, words};
use copydesk_core::editorial::{citations, excerpts};
use copydesk_newsroom::{CitationState, Journal, Passage, Source, TriageWay, Verdict};
use copydesk_proof::Bearing;
use copydesk_text::{in_marks, sanitise};

/// The place of each concern's excerpt in the draft: the field, and bytes in it. None if the draft does not have it.
pub type ExcerptPlaces = Vec<Option<(&'static str, Range<usize>)>>;

/// The places of the concerns' excerpts. Made once a round, because a long draft with many concerns takes a while.
pub fn places(journal: &Journal, round: u32) -> ExcerptPlaces {
    concerns::model::rows(journal, round).iter().map(|concern| excerpts::place_of(journal, round, concern.id)).collect()
}

/// The marks of the excerpts; that of the selected concern stands out.
pub(crate) fn excerpts(places: &ExcerptPlaces, selected: usize) -> Vec<FieldMark> {
    let marks = places.iter().enumerate().filter_map(|(place, found)| {
        let (field, range) = found.clone()?;
        let role = if place == selected { TextRole::Excerpt } else { TextRole::Concern };
        Some(FieldMark { field, range, role })
    });
    marks.collect()
}

/// The verdict on a concern: the status that counts with its reason and to-do, the verdict that was overruled, the reviewer's note, and the
/// evidence. `doubts` are the words that a recogniser was unsure of; `fixed` is the sentence before and after its fix.
pub(crate) fn verdict(
    concern: Option<&ConcernRow>,
    sources: &[Source],
    doubts: &[String],
    fixed: Option<&(String, String)>,
) -> Page {
    let mut sheet = Sheet::default();
    let Some(concern) = concern else {
        sheet.line("No concern is selected.", TextRole::Dim);
        return sheet.into_page();
    };
    let who = concern.judge();
    match (&concern.overruled, &concern.verdict) {
        (Some(overruled), given) => {
            sheet.add(overruled.status.name(), TextRole::Heading);
            if let Some(given) = given {
                sheet.add("  was ", TextRole::Dim);
                sheet.add(given.status.name(), TextRole::Removed);
            }
            sheet.line("", TextRole::Text);
            sheet.line(&format!("Decided by {}, {}", overruled.by, words::day_and_time(&overruled.at)), TextRole::Dim);
            reason(&mut sheet, &overruled.reason, overruled.fix.as_deref(), TextRole::Strong);
            if let Some(given) = given {
                sheet.section(&format!("Overruled: {}", what_is_said_of(given, concern, who.as_deref())));
                reason(&mut sheet, &given.rationale, given.suggested_fix.as_deref(), TextRole::Removed);
            }
        }
        (None, Some(given)) => {
            sheet.add(given.status.name(), TextRole::Heading);
            sheet.line(&format!(" · {}", what_is_said_of(given, concern, who.as_deref())), TextRole::Dim);
            reason(&mut sheet, &given.rationale, given.suggested_fix.as_deref(), TextRole::Strong);
        }
        (None, None) => {
            let said =
                who.map_or("Not assigned yet.".to_owned(), |who| format!("No verdict yet. It will come from {who}."));
            sheet.line(&said, TextRole::Dim);
        }
    }
    if let Some((before, after)) = fixed {
        sheet.add("Now   ", TextRole::Dim);
        sheet.line(&sanitise::one_line(before), TextRole::Removed);
        sheet.add("Then  ", TextRole::Dim);
        let after = if after.is_empty() { "(the sentence goes)".to_owned() } else { sanitise::one_line(after) };
        sheet.line(&after, TextRole::Strong);
        sheet.line("enter takes this fix", TextRole::Dim);
    }
    if let Some(triaged) = &concern.way {
        let to = match triaged.way {
            TriageWay::Research => "to the Reporter, before the writer revises",
            TriageWay::Rewrite => "to the writer",
        };
        sheet.section(&format!("Goes {to}"));
        if let Some(question) = &triaged.question {
            sheet.line(&in_marks(&sanitise::one_line(question)), TextRole::Quote);
        }
        sheet.line(&sanitise::one_line(&triaged.why), TextRole::Text);
    }
    if let Some((round, before)) = concern.decided_otherwise() {
        sheet.section(&format!("Overruled before, in round {round}"));
        sheet.add(before.status.name(), TextRole::Strong);
        sheet.line(&format!("  by {}: {}", before.by, before.reason), TextRole::Text);
    }
    sheet.section(&concern.kind.map_or("Concern".to_owned(), |kind| format!("Concern: {}", kind.words())));
    if !concern.note.contains(concern.excerpt.trim()) {
        sheet.line(&in_marks(concern.excerpt.trim()), TextRole::Quote);
    }
    let listed = concern.group.as_deref().unwrap_or_default();
    if listed.is_empty() {
        // The heading has the kind already.
        sheet.line(&concern.note_alone(), TextRole::Text);
    }
    for finding in listed {
        sheet.add("· ", TextRole::Dim);
        sheet.add(&format!("{} ", in_marks(&sanitise::one_line(&finding.text))), TextRole::Quote);
        sheet.line(&finding.note, TextRole::Text);
    }
    if concern.finding.is_some() || !listed.is_empty() {
        sheet.line("Also found by the proof (8)", TextRole::Dim);
    }
    evidence(&mut sheet, concern, sources);
    unsure::section(&mut sheet, doubts);
    sheet.into_page()
}

/// The reason of a verdict, and its to-do.
pub(crate) fn reason(sheet: &mut Sheet, reason: &str, to_do: Option<&str>, role: TextRole) {
    sheet.line(reason, TextRole::Text);
    if let Some(to_do) = to_do {
        sheet.line(&format!("To do: {to_do}"), role);
    }
}

/// `fact check · readers would be misled · from an earlier check`.
fn what_is_said_of(given: &Verdict, concern: &ConcernRow, who: Option<&str>) -> String {
    let misleading = given.misleading.then_some("readers would be misled");
    let remembered = concern.remembered.then_some("from an earlier check");
    [who, misleading, remembered].into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// The evidence of a verdict, without what its reason quotes already; then the citations, each with its state.
fn evidence(sheet: &mut Sheet, concern: &ConcernRow, sources: &[Source]) {
    let given = concern.verdict.as_ref();
    let text = given.and_then(|given| given.evidence.as_deref()).map(str::trim).filter(|text| !text.is_empty());
    let new = text.filter(|text| given.is_none_or(|given| !given.rationale.contains(text)));
    let given_citations = given.and_then(|given| given.citations.as_deref()).unwrap_or_default();
    if new.is_none() && given_citations.is_empty() && concern.cited.is_empty() {
        return;
    }
    sheet.section("Evidence");
    if let Some(text) = new {
        sheet.line(text, TextRole::Quote);
    }
    let bare = given_citations.iter().filter(|citation| concern.cited.iter().all(|cited| cited.citation != **citation));
    for citation in bare {
        sheet.add("· ", TextRole::Dim);
        sheet.line(&citations::for_reader(citation, sources), TextRole::Name);
    }
    for cited in &concern.cited {
        sheet.add("· ", TextRole::Dim);
        sheet.line(&cited.citation, TextRole::Name);
        sheet.line(&format!("  {}", cited.words()), TextRole::Dim);
        let Some(CitationState::Opened(page)) = &cited.state else { continue };
        for hidden in &page.hidden {
            sheet.add("  hidden text (not used): ", TextRole::Dim);
            sheet.line(&sanitise::one_line(&hidden.to_string()), TextRole::Removed);
        }
        let Some(passage) = &page.passage else { continue };
        sheet.line(&in_marks(&words::excerpt(&passage.text, LONGEST_PASSAGE)), TextRole::Quote);
        let read = words::day_and_time(&page.opened_at);
        sheet.line(&format!("  {}, read {read}", page.title), TextRole::Dim);
    }
}

/// Most characters of a page's passage.
const LONGEST_PASSAGE: usize = 400;

/// The source with the passage marked; the first source if no passage bears on the concern.
pub(crate) fn source(journal: &Journal, sources: &[Source], bearing: Option<&Bearing>) -> (String, Page) {
    let place = bearing.map_or(0, |bearing| bearing.source);
    let passage = bearing.map(|bearing| bearing.range.clone());
    sources.get(place).map(|source| lay_source(journal, source, passage)).unwrap_or_default()
}

/// The source that has a searched passage, with the passage marked.
pub(crate) fn passage(journal: &Journal, sources: &[Source], passage: &Passage) -> Option<(String, Page)> {
    let (start, end) = (usize::try_from(passage.start).ok()?, usize::try_from(passage.end).ok()?);
    let has_it = |source: &&Source| source.name == passage.file && source.text.get(start..end) == Some(&passage.text);
    sources.iter().find(has_it).map(|source| lay_source(journal, source, Some(start..end)))
}

/// The name and the text of a source, with the passage marked and in sight.
fn lay_source(journal: &Journal, source: &Source, passage: Option<Range<usize>>) -> (String, Page) {
    let mut page = Page::new(Arc::from(source.text.as_str()));
    if let Some(range) = &passage {
        page.show(range);
    }
    page.mark(unsure::marks(passage, journal.recording(&source.name)));
    (source.name.clone(), page)
}

#[cfg(test)]
mod tests {
    use super::*;
    use copydesk_core::editorial::citations::Cited;
    use copydesk_newsroom::{Carries, ConcernType, Finding, HiddenText, OpenedPage, Passage, Specialist, Status};

    fn row() -> ConcernRow {
        ConcernRow {
            id: 3,
            excerpt: "in April".into(),
            note: "The minutes name no month.".into(),
            kind: Some(ConcernType::InferredFact),
            specialist: Some(Specialist::FactCheck),
            verdict: Some(Verdict {
                concern_id: 3,
                misleading: true,
                status: Status::Rewrite,
                rationale: "The minutes say: “no month was named”.".into(),
                suggested_fix: Some("Say “in spring”.".into()),
                evidence: Some("no month was named".into()),
                citations: None,
            }),
            overruled: None,
            applied: false,
            before: None,
            finding: None,
            group: None,
            remembered: true,
            way: None,
            cited: Vec::new(),
        }
    }

    #[test]
    fn what_counts_stands_first_and_nothing_is_said_twice() {
        let said = "REWRITE · fact check · readers would be misled · from an earlier check\nThe minutes say: “no month was named”.\nTo do: Say “in \
                    spring”.\n\nConcern: not stated in the source\n“in April”\nThe minutes name no month.\n";
        assert_eq!(&**verdict(Some(&row()), &[], &[], None).text(), said);
        let mut other = row();
        if let Some(verdict) = &mut other.verdict {
            (verdict.evidence, verdict.citations) =
                (Some("The clerk confirms.".into()), Some(vec!["a.example".into()]));
        }
        let evidence = format!("{said}\nEvidence\nThe clerk confirms.\n· a.example\n");
        assert_eq!(&**verdict(Some(&other), &[], &[], None).text(), evidence);
        let unjudged = ConcernRow { verdict: None, kind: None, note: "“in April”: when?".into(), ..row() };
        let said = "No verdict yet. It will come from fact check.\n\nConcern\n“in April”: when?\n";
        assert_eq!(&**verdict(Some(&unjudged), &[], &[], None).text(), said);
        assert_eq!(&**verdict(None, &[], &[], None).text(), "No concern is selected.\n");
    }

    #[test]
    fn a_group_is_judged_by_a_rule_and_shows_its_list() {
        let found = copydesk_proof::testing::check_texts(
            "The plan lays 1.8 miles of paths. The plan costs $3 million.",
            "The plan lays 1.4 miles of paths. The plan costs $2 million.",
        );
        assert_eq!(found.len(), 2);
        let note = "inferred_fact: 2 more findings of this kind: “1.8”, “$3 million”";
        let group = ConcernRow { group: Some(found), specialist: None, note: note.into(), remembered: false, ..row() };
        let said = verdict(Some(&group), &[], &[], None).text().to_string();
        assert!(said.starts_with("REWRITE · a rule · readers would be misled\n"), "{said}");
        let list =
            "· “1.8” The source has 1.4 here.\n· “$3 million” The source has $2 million here.\nAlso found by the proof";
        assert!(said.contains(list) && !said.contains("more findings"), "{said}");
        assert_eq!(group.about(), "2 more findings of this kind: “1.8”, “$3 million”");
        // The reviewer's group is its own text.
        let own =
            ConcernRow { group: Some(vec![]), note: "2 more concerns of the reviewer:\n  - a\n  - b".into(), ..group };
        let said = verdict(Some(&own), &[], &[], None).text().to_string();
        assert!(said.contains("reviewer:\n  - a\n  - b\n") && !said.contains("found by the proof"), "{said}");
        assert_eq!(
            (own.about(), row().about()),
            ("2 more concerns of the reviewer: - a - b".into(), "“in April”".into())
        );
        let quotes_nothing = ConcernRow { excerpt: " ".into(), note: "“ ” Too long.".into(), ..row() };
        assert_eq!(quotes_nothing.about(), "“ ” Too long.");
        let note = "attribution_gap: Nobody says so.".to_owned();
        let of_another_kind = ConcernRow { excerpt: note.clone(), note, ..row() };
        assert_eq!(of_another_kind.about(), "no speaker named: Nobody says so.");
    }

    #[test]
    fn a_citation_stands_with_what_its_page_says() {
        let passage = Passage { start: 9, end: 24, text: "The park is shut.".into(), ..Passage::default() };
        let page = OpenedPage {
            address: "https://a.example/".into(),
            title: "Parks".into(),
            text: String::new(),
            of_itself: Vec::new(),
            opened_at: "2026-10-06T12:00:00Z".into(),
            digest: "0".repeat(64),
            carries: Carries::Not,
            passage: Some(passage),
            similarity: None,
            hidden: vec![HiddenText { how: "white on white".into(), text: "It is open.".into() }],
        };
        let cited = |citation: &str, used, state| Cited {
            round: 1,
            concern: 3,
            citation: citation.into(),
            used,
            state,
            remarks: Vec::new(),
        };
        let gone = CitationState::NotOpened { why: "it is gone".into() };
        let cited = vec![
            cited("a.example", true, Some(CitationState::Opened(Box::new(page)))),
            cited("b.example", false, Some(gone)),
        ];
        let mut row = ConcernRow { cited, ..row() };
        if let Some(verdict) = &mut row.verdict {
            verdict.citations = Some(vec!["a.example".into()]);
        }
        let said = "\nEvidence\n· a.example\n  opened, does not carry the claim, has hidden text\n  hidden text (not used): white on white: “It is open.”\n“The park is shut.”\n  Parks, read 6 Oct 2026 12:00\n· b.example\n  not opened: it is gone; the verdict does not cite it\n";
        let page = verdict(Some(&row), &[], &[], None);
        assert!(page.text().ends_with(said), "{}", page.text());
    }

    #[test]
    fn a_concern_that_the_proof_raised_says_so() {
        let finding = Finding {
            concern_type: ConcernType::InferredFact,
            rule: "quotation.altered".into(),
            field: "articleBody".into(),
            start: 0,
            end: 8,
            text: "in April".into(),
            note: "The minutes name no month.".into(),
            passage: None,
            blocks: true,
            replacement: None,
        };
        let page = verdict(Some(&ConcernRow { finding: Some(finding), ..row() }), &[], &[], None);
        let said = "The minutes name no month.\nAlso found by the proof (8)\n";
        assert!(page.text().contains(said), "{}", page.text());
    }

    #[test]
    fn what_was_overruled_before_is_said_where_the_verdict_says_otherwise_again() {
        let before = |status| crate::screens::concerns::model::Overruled {
            by: "Ada Quill".into(),
            at: "2026-10-06T12:00:00Z".into(),
            status,
            fix: None,
            reason: "The clerk confirmed April.".into(),
        };
        let page = |status| verdict(Some(&ConcernRow { before: Some((1, before(status))), ..row() }), &[], &[], None);
        let said = "Overruled before, in round 1\nKEEP  by Ada Quill: The clerk confirmed April.\n";
        assert!(page(Status::Keep).text().contains(said), "{}", page(Status::Keep).text());
        assert_eq!(page(Status::Rewrite).text(), verdict(Some(&row()), &[], &[], None).text());
    }

    #[test]
    fn an_overruled_verdict_stays_beside_what_counts_now() {
        let overruled = crate::screens::concerns::model::Overruled {
            by: "Ada Quill".into(),
            at: "2026-10-06T12:00:00Z".into(),
            status: Status::Keep,
            fix: None,
            reason: "The clerk confirmed April.".into(),
        };
        let page = verdict(Some(&ConcernRow { overruled: Some(overruled), ..row() }), &[], &[], None);
        let said = "KEEP  was REWRITE\nDecided by Ada Quill, 6 Oct 2026 12:00\nThe clerk confirmed April.\n\nOverruled: fact \
                    check · readers would be misled · from an earlier check\nThe minutes say: “no month was named”.\nTo do: Say “in spring”.\n";
        assert!(page.text().starts_with(said), "{}", page.text());
    }
}
