//! The files that a run leaves (docs/reference/contract.md): a projection of its journal, so that a file lost in a crash is made again from
//! it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::editorial::{drafts, report, research, vouching};
use copydesk_newsroom::{Choice, Decided, Entry, Finding, Journal, Outcome, Step};

/// A file of a run: its name in the run's folder and its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Artifact {
    /// Its name, such as `iter1_writer_draft.md`.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// The file that says who signed a run off, and what the audit log was then.
pub const SIGN_OFF: &str = "signoff.json";

/// Its content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignOffFile {
    /// The run's id.
    pub run: String,
    /// The editor.
    pub by: String,
    /// ISO 8601, UTC.
    pub at: String,
    /// The last link of the audit log before it, hex.
    pub chain: String,
    /// Whether a fact sheet was published as notes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub as_notes: bool,
}

/// Pretty JSON with a line feed at the end.
///
/// # Errors
/// Never for the newsroom's types; the error is passed on all the same.
pub fn json<T: Serialize>(value: &T) -> serde_json::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec_pretty(value)?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// The files that `entry` adds to the run's folder.
///
/// `iter{n}_verdicts.json` appears when the round's last verdict is in. Beside the contract's files,
/// `iter{n}_writer_notes.json` says what the desk took out of a draft and which to-dos were left undone, if there is
/// anything to say.
///
/// # Errors
/// As [`json`].
pub fn of_entry(journal: &Journal, entry: &Entry) -> serde_json::Result<Vec<Artifact>> {
    let mut files = Vec::new();
    let mut add = |name: String, bytes: Vec<u8>| files.push(Artifact { name, bytes });
    let round = match entry.step {
        Step::Draft | Step::Write(_) => 1,
        Step::Revise { round } => round.saturating_add(1),
        step => step.round(),
    };
    match &entry.outcome {
        Outcome::Draft(draft) => {
            add(format!("iter{round}_writer_draft.json"), json(&draft.article)?);
            add(format!("iter{round}_writer_draft.md"), drafts::to_markdown(&draft.article).into_bytes());
            // A draft that was written once more takes the place of the first, with its notes.
            let again = matches!(entry.step, Step::Write(_));
            if again || !draft.stripped.is_empty() || !draft.undone.is_empty() {
                let notes = serde_json::json!({ "stripped": draft.stripped, "undone": draft.undone });
                add(format!("iter{round}_writer_notes.json"), json(&notes)?);
            }
        }
        Outcome::Review(review) => {
            add(format!("iter{round}_article_review_raw.md"), review.raw.markdown_bullets.clone().into_bytes());
            // Each with its place in the draft and in the source, which a bullet does not hold.
            if !review.findings.is_empty() {
                let rows = (1..).zip(&review.findings).map(|finding| proof_row(journal, round, finding));
                add(format!("iter{round}_proof.json"), json(&rows.collect::<serde_json::Result<Vec<_>>>()?)?);
            }
        }
        Outcome::Concerns(concerns) => add(format!("iter{round}_article_review.json"), json(concerns)?),
        Outcome::Mapping(mapping) => add(format!("iter{round}_concern_mapping.json"), json(mapping)?),
        Outcome::Gate(_) => {
            if journal.mapping(round).is_some() {
                add(format!("iter{round}_verdicts.json"), json(&journal.verdicts(round))?);
            }
            decided(journal, round, &mut add)?;
        }
        // At sign-off: the round's gate has been left before.
        Outcome::Decision(decision) if journal.gate(round).is_some() => {
            decided(journal, round, &mut add)?;
            if let Choice::SignOff { chain, as_notes } = &decision.choice {
                let signed = SignOffFile {
                    run: journal.opening.run_id.clone(),
                    by: decision.by.clone(),
                    at: entry.at.clone(),
                    chain: chain.clone(),
                    as_notes: *as_notes,
                };
                add(SIGN_OFF.into(), json(&signed)?);
            }
        }
        Outcome::Feedback(feedback) => add(format!("iter{round}_feedback.json"), json(feedback)?),
        Outcome::Publication(publication) => {
            let result = report::result(journal, publication);
            add("editor_report.json".into(), json(&result.editor_report)?);
            if let Some(article) = &result.article {
                add("article.md".into(), drafts::to_markdown(article).into_bytes());
            }
            add("article_result.json".into(), json(&result)?);
        }
        Outcome::Claims(claims) => {
            // The score is null without claims.
            let scored = serde_json::json!({ "score": claims.score(), "claims": claims.claims });
            add(format!("iter{round}_claims.json"), json(&scored)?);
        }
        Outcome::Dossier(dossier) => {
            add("dossier.md".into(), dossier.text.clone().into_bytes());
            let research = serde_json::json!({ "open": dossier.open, "paragraphs": dossier.paragraphs });
            add("dossier.json".into(), json(&research)?);
        }
        Outcome::Triage(ways) => add(format!("iter{round}_triage.json"), json(ways)?),
        Outcome::Turn(turn) if turn.findings.is_some() => {
            if let Step::Turn { errand, .. } = entry.step {
                add(format!("research_{errand}.json"), json(&research::record(journal, errand, turn))?);
            }
        }
        Outcome::Prepared(notes) => add(format!("iter{round}_publisher.json"), json(notes)?),
        _ => {}
    }
    Ok(files)
}

/// A finding in `iter{n}_proof.json`, with who let it stand in an earlier round, and why. Decisions in its own round are in the file of that
/// round's decisions.
fn proof_row(journal: &Journal, round: u32, (number, finding): (u32, &Finding)) -> serde_json::Result<Value> {
    let mut row = serde_json::to_value(finding)?;
    if let Some(Decided { round, number, at, decision, .. }) = vouching::accepted_before(journal, round, number)
        && let Some(fields) = row.as_object_mut()
    {
        let reason = vouching::reason(decision);
        let by = &decision.by;
        let accepted = serde_json::json!({ "round": round, "number": number, "by": by, "at": at, "reason": reason });
        fields.insert("accepted".to_owned(), accepted);
    }
    Ok(row)
}

/// `iter{n}_decisions.json`: what the editor decided in a round, the agents' verdict beside each that was overruled, the proof's
/// finding beside each that was accepted.
fn decided(journal: &Journal, round: u32, add: &mut impl FnMut(String, Vec<u8>)) -> serde_json::Result<()> {
    let rows: Vec<Value> = journal
        .decisions(round)
        .into_iter()
        .map(|decided| {
            let mut row = serde_json::json!({
                "number": decided.number,
                "at": decided.at,
                "by": decided.decision.by,
                "undone": decided.undone,
                "decision": decided.decision.choice,
            });
            let beside = match &decided.decision.choice {
                Choice::Override { concern, .. } => {
                    Some(("overruled_verdict", serde_json::json!(journal.verdict(round, *concern))))
                }
                Choice::Accept { finding, .. } => {
                    Some(("accepted_finding", serde_json::json!(vouching::finding(journal, round, *finding))))
                }
                _ => None,
            };
            if let (Some((name, value)), Some(fields)) = (beside, row.as_object_mut()) {
                fields.insert(name.into(), value);
            }
            row
        })
        .collect();
    if !rows.is_empty() {
        add(format!("iter{round}_decisions.json"), json(&rows)?);
    }
    Ok(())
}

/// The file of a memory record below its agent's folder: `{date}/{cache_key_hash}.json` (docs/reference/contract.md).
pub fn memory_file(timestamp: &str, cache_key_hash: &str) -> String {
    let date: String = timestamp.chars().take_while(|c| *c != 'T').collect();
    format!("{date}/{cache_key_hash}.json")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::testing::{add, add_round, decide, opening, verdict};
    use copydesk_newsroom::{GateOutcome, Publication, Specialist, Status};

    #[test]
    fn a_sign_off_says_whether_a_fact_sheet_was_published_as_notes() {
        for as_notes in [true, false] {
            let mut journal = Journal::new(opening());
            add_round(&mut journal, 1, &[]);
            add(&mut journal, Step::Gate { round: 1 }, Outcome::Gate(GateOutcome::Passed));
            decide(&mut journal, 1, Choice::SignOff { chain: "head".into(), as_notes });
            let files = of_entry(&journal, journal.entries().last().unwrap()).unwrap();
            let file = files.iter().find(|file| file.name == SIGN_OFF).unwrap();
            let signed: SignOffFile = serde_json::from_slice(&file.bytes).unwrap();
            assert_eq!((signed.by.as_str(), signed.as_notes), ("Ada", as_notes));
        }
    }

    #[test]
    fn a_run_of_two_rounds_leaves_the_files_of_the_seed() {
        let mut journal = Journal::new(opening());
        add_round(&mut journal, 1, &[Specialist::Opinion]);
        let outcome = Outcome::Verdict(verdict(1, Status::Rewrite, Some("fix")));
        add(&mut journal, Step::Judge { round: 1, concern: 1 }, outcome);
        add(&mut journal, Step::Gate { round: 1 }, Outcome::Gate(GateOutcome::Revise));
        let feedback = crate::editorial::gate::compile(1, &journal.verdicts(1));
        add(&mut journal, Step::Feedback { round: 1 }, Outcome::Feedback(feedback));
        add_round(&mut journal, 2, &[]);
        add(&mut journal, Step::Gate { round: 2 }, Outcome::Gate(GateOutcome::Passed));
        let publication = Publication { generated_at: "t".into(), success: true, flags: vec![] };
        add(&mut journal, Step::Publish, Outcome::Publication(publication));
        let names: Vec<String> = journal
            .entries()
            .iter()
            .flat_map(|entry| of_entry(&journal, entry).unwrap())
            .map(|artifact| artifact.name)
            .collect();
        assert_eq!(
            names,
            [
                "iter1_writer_draft.json",
                "iter1_writer_draft.md",
                "iter1_article_review_raw.md",
                "iter1_article_review.json",
                "iter1_concern_mapping.json",
                "iter1_verdicts.json",
                "iter1_feedback.json",
                "iter2_writer_draft.json",
                "iter2_writer_draft.md",
                "iter2_article_review_raw.md",
                "iter2_article_review.json",
                "editor_report.json",
                "article.md",
                "article_result.json",
            ]
        );
    }
}
