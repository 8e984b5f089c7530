//! The proof's findings of a round, the concern that each became, and the person who vouches for words that no source has.
//!
//! Words between quotation marks that no source carries are not for a program to wave through, nor for a model's KEEP. Before such a story
//! is signed, an editor says that they may stand, and why. The record keeps both.

use std::{borrow::Cow, ops::RangeInclusive};

use crate::editorial::decisions::record::{at_sign_off, edit, overruled, standing};
use copydesk_newsroom::{Choice, Decided, Decision, Finding, Journal, LastBullet, Ledger, Status, Verdict};
use copydesk_text::sentences::sentences_around;

/// The findings of a round by their numbers, from 1.
pub fn findings(journal: &Journal, round: u32) -> impl Iterator<Item = (u32, &Finding)> {
    let findings = journal.review(round).map(|review| review.findings.as_slice()).unwrap_or_default();
    (1..).zip(findings)
}

/// The finding of that number.
pub fn finding(journal: &Journal, round: u32, number: u32) -> Option<&Finding> {
    journal.review(round)?.findings.get(usize::try_from(number).ok()?.checked_sub(1)?)
}

/// For each finding of a round, the index of its row in the ledger, as the journal has it. None if the journal has
/// another ledger than this. None, too, if the review has findings of its own, as that of the offline rules.
pub fn rows<'j>(journal: &'j Journal, round: u32, ledger: &Ledger) -> Option<&'j [Option<usize>]> {
    let proof = journal
        .proof(round)
        .filter(|proof| journal.review(round).is_some_and(|review| review.findings == proof.findings))?;
    proof.kept.as_ref().filter(|kept| kept.ledger == *ledger).map(|kept| kept.findings.as_slice())
}

/// The finding behind a concern, with its number; of doubles the strongest. None if the concern is the reviewer's alone, or a group.
pub fn behind(journal: &Journal, round: u32, concern: u32) -> Option<(u32, &Finding)> {
    match &*last_bullet(journal, round, concern)? {
        LastBullet::Findings(numbers) => findings_of(journal, round, numbers).into_iter().next(),
        LastBullet::Group(_) => None,
    }
}

/// The findings of a group with their numbers; none if the concern is no group. The reviewer's group has no finding.
pub fn group(journal: &Journal, round: u32, concern: u32) -> Option<Vec<(u32, &Finding)>> {
    match &*last_bullet(journal, round, concern)? {
        LastBullet::Findings(_) => None,
        LastBullet::Group(numbers) => Some(findings_of(journal, round, numbers)),
    }
}

/// The concern that a finding became, alone or with others.
pub fn concern_of(journal: &Journal, round: u32, number: u32) -> Option<u32> {
    let review = journal.review(round)?;
    if let Some(shared) = review.shared.iter().find(|shared| shared.findings.contains(&number)) {
        return Some(shared.bullet);
    }
    let place = if review.has_a_bullet_each() {
        usize::try_from(number).ok()?.checked_sub(1)?
    } else {
        review.last_bullets.iter().position(|bullet| numbers(bullet).contains(&number))?
    };
    let concerns = &journal.concerns(round)?.concerns;
    concerns.get(review.before(concerns.len())?.checked_add(place)?).map(|concern| concern.concern_id)
}

/// Whether a program wrote the bullet of a concern.
pub fn is_programs(journal: &Journal, round: u32, concern: u32) -> bool {
    let place = || {
        let (review, concerns) = (journal.review(round)?, &journal.concerns(round)?.concerns);
        let place = concerns.iter().position(|candidate| candidate.concern_id == concern)?;
        Some(place >= review.before(concerns.len())?)
    };
    place().unwrap_or(false)
}

/// The findings or the group behind a concern's bullet. Either a program wrote the bullet, and then it comes last in a review, or the
/// reviewer wrote it about the same words as a finding.
fn last_bullet(journal: &Journal, round: u32, concern: u32) -> Option<Cow<'_, LastBullet>> {
    let (review, concerns) = (journal.review(round)?, &journal.concerns(round)?.concerns);
    let place = concerns.iter().position(|candidate| candidate.concern_id == concern)?;
    let Some(place) = place.checked_sub(review.before(concerns.len())?) else {
        let shared = review.shared.iter().find(|shared| shared.bullet == concern)?;
        return Some(Cow::Owned(LastBullet::Findings(shared.findings.clone())));
    };
    if review.has_a_bullet_each() {
        return Some(Cow::Owned(LastBullet::Findings(vec![u32::try_from(place).ok()?.checked_add(1)?])));
    }
    review.last_bullets.get(place).map(Cow::Borrowed)
}

fn numbers(bullet: &LastBullet) -> &[u32] {
    match bullet {
        LastBullet::Findings(numbers) | LastBullet::Group(numbers) => numbers,
    }
}

fn findings_of<'j>(journal: &'j Journal, round: u32, numbers: &[u32]) -> Vec<(u32, &'j Finding)> {
    numbers.iter().filter_map(|number| Some((*number, finding(journal, round, *number)?))).collect()
}

/// The decision that lets a finding stand, if the last one about it does. An editor accepted it, overruled its concern's verdict with KEEP,
/// or let it stand by a stet. A decision of an earlier round counts for the same words in the same sentence. So a decision never vouches
/// for a speaker whom a later draft has put there.
pub fn accepted(journal: &Journal, round: u32, number: u32) -> Option<Decided<'_>> {
    last_word(journal, 1..=round, (round, number)).filter(|last| lets_stand(&last.decision.choice))
}

/// As [`accepted`], by what had been decided before the round began.
pub fn accepted_before(journal: &Journal, round: u32, number: u32) -> Option<Decided<'_>> {
    last_word(journal, 1..=round.checked_sub(1)?, (round, number)).filter(|last| lets_stand(&last.decision.choice))
}

/// The decision of an earlier round that lets every finding behind a concern stand, the latest if there were several.
/// Nobody is asked about it again, and its verdict is KEEP, until the editor says otherwise.
pub fn settled_before(journal: &Journal, round: u32, concern: u32) -> Option<Decided<'_>> {
    all_stand(journal, round, concern, accepted_before)
}

/// The latest of the decisions that let the findings behind a concern stand. None if one of the findings does not
/// stand, or there is none.
fn all_stand<'j>(
    journal: &'j Journal,
    round: u32,
    concern: u32,
    stands: impl Fn(&'j Journal, u32, u32) -> Option<Decided<'j>>,
) -> Option<Decided<'j>> {
    let bullet = last_bullet(journal, round, concern)?;
    let decided: Option<Vec<_>> = numbers(&bullet).iter().map(|number| stands(journal, round, *number)).collect();
    decided?.into_iter().max_by_key(|decided| (decided.round, decided.number))
}

/// The decision of this round that lets a concern stand although it is about another one. The same words in the same
/// sentence can stand in two fields of the draft. If they may stand in one, they must not be rewritten from the other.
pub fn settled_beside(journal: &Journal, round: u32, concern: u32) -> Option<Decided<'_>> {
    if overruled(journal, round, concern).is_some() {
        return None;
    }
    all_stand(journal, round, concern, accepted).filter(|decided| {
        decided.round == round && matches!(decided.decision.choice, Choice::Accept { .. } | Choice::Override { .. })
    })
}

/// The last decision of `rounds` about a finding, named by its round and number.
fn last_word(journal: &Journal, rounds: RangeInclusive<u32>, (round, number): (u32, u32)) -> Option<Decided<'_>> {
    // Most runs let nothing stand, and the code below reads whole drafts.
    if !rounds.clone().any(|round| standing(journal, round).any(|decided| lets_stand(&decided.decision.choice))) {
        return None;
    }
    let own = finding(journal, round, number)?;
    let wanted = around(journal, round, own)?;
    rounds.rev().find_map(|round| {
        // The sentences around the words are read only if the words are the same.
        let alike =
            |other: &Finding| (&other.rule, &other.text, &other.passage) == (&own.rule, &own.text, &own.passage);
        let same =
            findings(journal, round).filter(|(_, other)| alike(other) && around(journal, round, other) == Some(wanted));
        same.flat_map(|(number, _)| about(journal, round, number)).max_by_key(|decided| decided.number)
    })
}

/// The sentences around the words of a finding. With its rule, its words and its passage they tell that it is the same in two drafts.
fn around<'j>(journal: &'j Journal, round: u32, finding: &Finding) -> Option<&'j str> {
    let text = journal.draft(round)?.article.field(&finding.field)?;
    text.get(sentences_around(text, &(finding.start..finding.end)))
}

/// The decisions of a round about one of its findings.
fn about(journal: &Journal, round: u32, number: u32) -> Vec<Decided<'_>> {
    let concern = concern_of(journal, round, number);
    let verdicts = journal.verdicts(round);
    // A stet overrules an open verdict. It says nothing of a concern that a KEEP had settled.
    let open = verdicts.iter().any(|verdict| Some(verdict.concern_id) == concern && verdict.status != Status::Keep);
    // A draft that was sent back or given up at sign-off was not accepted after all.
    let taken_back = at_sign_off(journal, round)
        .is_some_and(|decided| matches!(decided.decision.choice, Choice::SendBack { .. } | Choice::Spike { .. }));
    let speaks = |choice: &Choice| match choice {
        Choice::Accept { finding, .. } => *finding == number,
        Choice::Override { concern: of, .. } => Some(*of) == concern,
        Choice::Stet { .. } => open && !taken_back,
        _ => false,
    };
    standing(journal, round).filter(|decided| speaks(&decided.decision.choice)).collect()
}

fn lets_stand(choice: &Choice) -> bool {
    matches!(choice, Choice::Accept { .. } | Choice::Stet { .. } | Choice::Override { status: Status::Keep, .. })
}

/// The message about a draft that is [`unproved`].
pub const NOT_PROVED: &str =
    "This draft was reviewed without being compared with its sources. Restart from its review to compare it.";

/// Whether a draft was reviewed without being compared with its sources, in a run that does so. The run
/// shares that review with one from before the setting was changed.
pub fn unproved(journal: &Journal, round: u32) -> bool {
    journal.opening.settings.proves && journal.review(round).is_some() && journal.proof(round).is_none()
}

/// Why a decision lets a finding stand.
pub fn reason(decision: &Decision) -> &str {
    match &decision.choice {
        Choice::Accept { reason, .. } | Choice::Override { reason, .. } | Choice::Stet { reason } => reason,
        _ => "",
    }
}

/// The findings of a round that hold its sign-off back until a human has decided.
pub fn unsettled(journal: &Journal, round: u32) -> impl Iterator<Item = (u32, &Finding)> {
    findings(journal, round)
        .filter(move |(number, finding)| finding.blocks && accepted(journal, round, *number).is_none())
}

/// The findings of a round that a specialist's KEEP set aside, and that no editor has let stand. Words that an editor's text has no more
/// are left out.
pub fn set_aside(journal: &Journal, round: u32) -> impl Iterator<Item = (u32, &Finding)> {
    let verdicts = journal.verdicts(round);
    let edit = edit(journal, round);
    findings(journal, round).filter(move |(number, finding)| {
        let concern = concern_of(journal, round, *number);
        let is_kept = |verdict: &Verdict| Some(verdict.concern_id) == concern && verdict.status == Status::Keep;
        let text = || edit.and_then(|edit| edit.field(&finding.field));
        verdicts.iter().any(is_kept)
            && concern.is_some_and(|concern| overruled(journal, round, concern).is_none())
            && accepted(journal, round, *number).is_none()
            && text().is_none_or(|text| text.contains(&finding.text))
    })
}

#[cfg(test)]
mod tests;
