//! The concerns of a round with everything that was said about each: what the reviewer saw, who got it, what was decided, what the
//! editor made of it.

use crate::{
    editorial::decisions,
    newsroom::{Choice, ConcernType, Finding, Journal, Specialist, Status, Verdict},
};

/// An editor's override, beside the verdict that it overrules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overruled {
    /// Its number among the round's decisions.
    pub number: u32,
    /// Who.
    pub by: String,
    /// When: ISO 8601, UTC.
    pub at: String,
    /// What counts now.
    pub status: Status,
    /// What the writer is to do.
    pub fix: Option<String>,
    /// Why.
    pub reason: String,
}

/// One concern.
#[derive(Debug, Clone, PartialEq)]
pub struct ConcernRow {
    /// Its number.
    pub id: u32,
    /// The words of the draft that it is about.
    pub excerpt: String,
    /// The reviewer's note.
    pub note: String,
    /// Its kind, once it is mapped.
    pub kind: Option<ConcernType>,
    /// Who decides it, once it is mapped.
    pub specialist: Option<Specialist>,
    /// What the specialist decided.
    pub verdict: Option<Verdict>,
    /// What the editor decided instead.
    pub overruled: Option<Overruled>,
    /// The ledger row, where a program found it.
    pub finding: Option<Finding>,
    /// Whether the verdict comes from an earlier check.
    pub remembered: bool,
}

impl ConcernRow {
    /// The status that counts.
    #[must_use]
    pub fn status(&self) -> Option<Status> {
        self.overruled
            .as_ref()
            .map(|overruled| overruled.status)
            .or(self.verdict.as_ref().map(|verdict| verdict.status))
    }
}

/// The concerns of `round`, in order.
#[must_use]
pub fn rows(journal: &Journal, round: u32) -> Vec<ConcernRow> {
    let Some(result) = journal.concerns(round) else { return Vec::new() };
    let verdicts = journal.verdicts(round);
    let mut overrides: Vec<(u32, Overruled)> = Vec::new();
    for decided in decisions::standing(journal, round) {
        let overruled = |status: Status, fix: Option<String>, reason: &str| Overruled {
            number: decided.number,
            by: decided.decision.by.clone(),
            at: decided.at.to_owned(),
            status,
            fix,
            reason: reason.to_owned(),
        };
        match &decided.decision.choice {
            Choice::Override { concern, status, fix, reason } => {
                overrides.push((*concern, overruled(*status, fix.clone(), reason)));
            }
            // A draft that was accepted as it stands has no open verdict.
            Choice::Stet { reason } => {
                for verdict in &verdicts {
                    let id = verdict.concern_id;
                    let before = overrides.iter().rev().find(|(of, _)| *of == id);
                    if before.map_or(verdict.status, |(_, before)| before.status) != Status::Keep {
                        overrides.push((id, overruled(Status::Keep, None, &format!("stet: {reason}"))));
                    }
                }
            }
            _ => {}
        }
    }
    let mappings = journal.mapping(round).map(|mapping| mapping.mappings.as_slice()).unwrap_or_default();
    let findings = journal.review(round).map(|review| review.findings.as_slice()).unwrap_or_default();
    // Where a model reviewed there are none, or not one for each bullet.
    let findings = if findings.len() == result.concerns.len() { findings } else { &[] };
    result
        .concerns
        .iter()
        .enumerate()
        .map(|(place, concern)| {
            let id = concern.concern_id;
            let mapping = mappings.iter().find(|mapping| mapping.concern_id == id);
            ConcernRow {
                id,
                excerpt: concern.excerpt.clone(),
                note: concern.review_note.clone(),
                kind: mapping.map(|mapping| mapping.concern_type),
                specialist: mapping.map(|mapping| mapping.selected_agent),
                verdict: verdicts.iter().find(|verdict| verdict.concern_id == id).cloned(),
                overruled: overrides.iter().rev().find(|(of, _)| *of == id).map(|(_, overruled)| overruled.clone()),
                finding: findings.get(place).cloned(),
                remembered: journal.look_up(round, id).is_some_and(|look_up| look_up.remembered.is_some()),
            }
        })
        .collect()
}
