//! What the proof found in a round, the concern that each finding became, and who vouches for what it could not find.
//!
//! Why: words between quotation marks that no source carries are not for a program to wave through, nor for a model's KEEP. Before such
//! a story is signed, a human says that they may stand, and why; the record keeps both.

use crate::{
    editorial::decisions::{effective_verdicts, left, overruled, standing},
    newsroom::{Choice, Decided, Decision, Finding, Journal, Status, Wait},
};

/// The findings of a round by their numbers, from 1.
pub fn findings(journal: &Journal, round: u32) -> impl Iterator<Item = (u32, &Finding)> {
    let findings = journal.review(round).map(|review| review.findings.as_slice()).unwrap_or_default();
    (1..).zip(findings)
}

/// The finding of that number.
#[must_use]
pub fn finding(journal: &Journal, round: u32, number: u32) -> Option<&Finding> {
    findings(journal, round).find(|(its, _)| *its == number).map(|(_, finding)| finding)
}

/// The finding behind a concern, with its number: the proof's bullets come last in a review, one each, in their order.
#[must_use]
pub fn behind(journal: &Journal, round: u32, concern: u32) -> Option<(u32, &Finding)> {
    let concerns = &journal.concerns(round)?.concerns;
    let place = concerns.iter().position(|candidate| candidate.concern_id == concern)?;
    let before = concerns.len().checked_sub(findings(journal, round).count())?;
    findings(journal, round).nth(place.checked_sub(before)?)
}

/// The concern that a finding became.
#[must_use]
pub fn concern_of(journal: &Journal, round: u32, number: u32) -> Option<u32> {
    let concerns = &journal.concerns(round)?.concerns;
    let before = concerns.len().checked_sub(findings(journal, round).count())?;
    let place = before.checked_add(usize::try_from(number).ok()?.checked_sub(1)?)?;
    concerns.get(place).map(|concern| concern.concern_id)
}

/// The decision by which a human lets a finding stand: it was accepted, or its concern's verdict overruled with KEEP; in this round,
/// or in an earlier one of the run for the same words under the same rule.
#[must_use]
pub fn accepted(journal: &Journal, round: u32, number: u32) -> Option<Decided<'_>> {
    let wanted = finding(journal, round, number)?;
    (1..=round).rev().find_map(|round| {
        let same = findings(journal, round).filter(|(_, other)| {
            other.rule == wanted.rule && other.text == wanted.text && other.passage == wanted.passage
        });
        same.filter_map(|(number, _)| accepted_here(journal, round, number)).last()
    })
}

fn accepted_here(journal: &Journal, round: u32, number: u32) -> Option<Decided<'_>> {
    let accepted = standing(journal, round)
        .filter(|decided| matches!(decided.decision.choice, Choice::Accept { finding, .. } if finding == number))
        .last();
    let kept = || {
        let decided = overruled(journal, round, concern_of(journal, round, number)?)?;
        matches!(decided.decision.choice, Choice::Override { status: Status::Keep, .. }).then_some(decided)
    };
    accepted.or_else(kept).or_else(|| stetted(journal, round, number))
}

/// The stet that overruled an open verdict on the finding's concern; one that a KEEP had settled says nothing of it.
fn stetted(journal: &Journal, round: u32, number: u32) -> Option<Decided<'_>> {
    let concern = concern_of(journal, round, number)?;
    let open = |verdict: &crate::newsroom::Verdict| verdict.concern_id == concern && verdict.status != Status::Keep;
    let decided = left(journal, round)?;
    let stet = matches!(decided.decision.choice, Choice::Stet { .. });
    (stet && journal.verdicts(round).iter().any(open)).then_some(decided)
}

/// Why a decision lets a finding stand.
#[must_use]
pub fn reason(decision: &Decision) -> &str {
    match &decision.choice {
        Choice::Accept { reason, .. } | Choice::Override { reason, .. } | Choice::Stet { reason } => reason,
        Choice::Feedback { .. }
        | Choice::Edit { .. }
        | Choice::AnotherRound
        | Choice::Undo { .. }
        | Choice::Continue
        | Choice::Spike { .. }
        | Choice::SignOff { .. }
        | Choice::SendBack { .. } => "",
    }
}

/// The findings of a round that hold its sign-off back until a human has decided.
pub fn unsettled(journal: &Journal, round: u32) -> impl Iterator<Item = (u32, &Finding)> {
    findings(journal, round)
        .filter(move |(number, finding)| finding.blocks && accepted(journal, round, *number).is_none())
}

/// The choice with which a finding is accepted where the run waits at `wait`: an open verdict on its concern is overruled, so that it
/// does not go back to the writer; otherwise the finding alone is vouched for.
#[must_use]
pub fn accepting(journal: &Journal, wait: Wait, number: u32, reason: String) -> Choice {
    let round = wait.round();
    let concern = concern_of(journal, round, number).filter(|_| matches!(wait, Wait::Gate { .. }));
    let open = effective_verdicts(journal, round)
        .into_iter()
        .find(|verdict| Some(verdict.concern_id) == concern && verdict.status != Status::Keep);
    match open {
        Some(verdict) => Choice::Override { concern: verdict.concern_id, status: Status::Keep, fix: None, reason },
        None => Choice::Accept { finding: number, reason },
    }
}

#[cfg(test)]
mod tests;
