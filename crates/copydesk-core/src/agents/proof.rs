//! The proof before a model's review: a program's findings in a draft, held against its sources and the draft before it.

use std::collections::HashSet;

use crate::editorial::citations;
use copydesk_newsroom::{ArticleResponse, Finding, GateOutcome, Journal, KeptLedger, LedgerRow, Proof};
use copydesk_proof::{self as proof, DraftLedger, Gravity};

/// The addition to the note of a finding that the draft before did not have.
const NEW: &str = " It is new in this draft: neither the one before nor the feedback has it.";

/// How far a rule is to be trusted: the share of its findings that were right, with one right and one wrong added. So a
/// rule that was right once in one time does not outrank one that was right 161 times in 162. A rule that was not
/// measured is in between.
pub(super) fn trust(rule: &str) -> u64 {
    let measured = proof::rule(rule).and_then(|rule| rule.measured);
    let (right, of) = measured.map_or((0, 0), |measured| (u64::from(measured.right), u64::from(measured.of)));
    (right + 1) * 1_000_000 / (of + 2)
}

/// Returns the proof of a round's draft; none if there is no draft.
pub(super) fn prove(journal: &Journal, round: u32) -> Option<Proof> {
    let article = &journal.draft(round)?.article;
    let sources = journal.sources();
    let pages = citations::pages(journal);
    let DraftLedger { mut ledger, passages, new_facts } =
        proof::ledger_beside(article, &sources, &pages, before(journal, round), Gravity::Concern);
    proof::remembered_only(&mut ledger, article, &citations::remembered_only(journal));
    // A passage that a verdict cites has more than the line that the writer was given for it.
    let is_cited =
        |row: &LedgerRow| row.passage.as_ref().is_some_and(|passage| citations::has_passage(journal, passage));
    ledger.rows.retain(|row| row.rule != proof::PLACE || !is_cited(row));
    // Each with its row.
    let rows = ledger.rows.iter().cloned().enumerate();
    let mut findings: Vec<(Finding, Option<usize>)> =
        rows.filter_map(|(place, row)| Some((row.finding()?, Some(place)))).collect();
    let told = findings.len();
    for brought in new_facts.into_iter().filter_map(LedgerRow::finding) {
        let known = findings.iter_mut().map(|(finding, _)| finding).take(told).find(|finding| {
            finding.field == brought.field && finding.start < brought.end && brought.start < finding.end
        });
        match known {
            Some(finding) if !finding.note.ends_with(NEW) => finding.note.push_str(NEW),
            Some(_) => {}
            None => findings.push((brought, None)),
        }
    }
    // A name that no source has is one concern, however often the draft has it. A person must vouch for a quotation in each place.
    let mut told = HashSet::new();
    findings.retain(|(finding, _)| finding.blocks || told.insert((finding.rule.clone(), finding.text.clone())));
    let (findings, rows) = findings.into_iter().unzip();
    Some(Proof {
        findings,
        kept: Some(KeptLedger { ledger, findings: rows, sources: passages, ..KeptLedger::default() }),
    })
}

/// Returns the draft before and the feedback on it. None if the draft is an editor's own text: facts that it adds are its author's affair.
fn before(journal: &Journal, round: u32) -> Option<(&ArticleResponse, &[String])> {
    let before = round.checked_sub(1)?;
    let (previous, feedback) = (journal.draft(before)?, journal.feedback(before)?);
    let by_writer = before > 0 && journal.gate(before) != Some(GateOutcome::Edited);
    by_writer.then_some((&previous.article, feedback.todo_list.as_slice()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::testing::{add, article, opening};
    use copydesk_newsroom::{Draft, Outcome, Step, WriterFeedback};

    /// The proof of a second draft after a first, with this to-do between them.
    fn proof(second: &str, to_do: &str, gate: GateOutcome) -> Proof {
        let mut opening = opening();
        opening.topic.source_text = "The council voted seven to two on Tuesday to renovate Miller Park.".into();
        let mut journal = Journal::new(opening);
        let draft = |body: &str| {
            let mut article = article(body);
            article.headline = "Council votes".into();
            Outcome::Draft(Draft { article, stripped: vec![], undone: vec![] })
        };
        add(&mut journal, Step::Draft, draft("The council voted seven to two on Tuesday."));
        add(&mut journal, Step::Gate { round: 1 }, Outcome::Gate(gate));
        let feedback = WriterFeedback { todo_list: vec![to_do.into()], ..crate::editorial::gate::compile(1, &[]) };
        add(&mut journal, Step::Feedback { round: 1 }, Outcome::Feedback(feedback));
        add(&mut journal, Step::Revise { round: 1 }, draft(second));
        prove(&journal, 2).unwrap()
    }

    fn found(second: &str, to_do: &str, gate: GateOutcome) -> Vec<(String, String)> {
        let findings = proof(second, to_do, gate).findings;
        findings.into_iter().map(|finding| (finding.text, finding.note.ends_with(NEW).to_string())).collect()
    }

    #[test]
    fn a_rule_is_trusted_by_how_often_it_was_right_and_by_how_often_it_was_measured() {
        let by_trust = ["quotation.altered", "number.contradicted", "no such rule"];
        assert!(by_trust.is_sorted_by(|more, less| trust(more) > trust(less)), "{:?}", by_trust.map(trust));
        let seldom = proof::rules()
            .find(|rule| rule.measured.is_some_and(|measured| measured.right == measured.of && measured.of < 5));
        assert!(seldom.is_some_and(|rule| trust(rule.name) < trust("number.contradicted")));
    }

    #[test]
    fn what_a_revision_brings_must_come_from_somewhere() {
        let body = "The council voted seven to two on Tuesday. It pays $480,000 for the park.";
        let found = |to_do, gate| found(body, to_do, gate);
        let of = |new: bool| [("$480,000".to_owned(), new.to_string())];
        assert_eq!(found("Shorten it.", GateOutcome::Revise), of(true));
        // Only a source is a witness: words that the editor asked for stay a finding, but the writer did not make them
        // up.
        assert_eq!(found("Say that it pays $480,000.", GateOutcome::Revise), of(false));
        assert_eq!(found("Shorten it.", GateOutcome::Edited), of(false), "the editor's own text");
    }

    #[test]
    fn one_concern_for_one_name_and_one_for_each_place_of_a_quotation() {
        let body = "Conrad Ohm left. “We have all the money in the world,” said Ohm. “We have all the money in the world,” said a clerk. \
                    Later Conrad Ohm came back.";
        let texts: Vec<String> = found(body, "x", GateOutcome::Edited).into_iter().map(|(text, _)| text).collect();
        let count = |text: &str| texts.iter().filter(|its| *its == text).count();
        assert_eq!((count("Conrad Ohm"), count("We have all the money in the world,")), (1, 2), "{texts:?}");
    }
    #[test]
    fn the_whole_ledger_is_kept_with_the_row_of_each_finding() {
        let body = "The council voted seven to two on Tuesday. Conrad Ohm left. The mayor thanked Conrad Ohm.";
        let Proof { findings, kept } = proof(body, "x", GateOutcome::Revise);
        let KeptLedger { ledger, findings: rows, .. } = kept.unwrap();
        let found: Vec<(usize, Finding)> =
            ledger.rows.iter().enumerate().filter_map(|(place, row)| Some((place, row.clone().finding()?))).collect();
        assert!(ledger.rows.len() > found.len(), "rows in order are kept, too");
        let (place, first) = found[0].clone();
        assert_eq!((found.len(), rows), (2, vec![Some(place)]), "one concern for one name");
        assert_eq!(findings, [Finding { note: first.note.clone() + NEW, ..first }]);
    }
}
