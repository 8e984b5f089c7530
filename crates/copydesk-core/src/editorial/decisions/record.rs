//! The decisions themselves, read off the journal: those that count, the signature, and the writer's to-dos.

use std::collections::BTreeSet;

use copydesk_newsroom::{ArticleResponse, Choice, Decided, GateOutcome, Journal};
use copydesk_text::sanitise;

/// The decisions of a round that count: without those undone and without the undoings.
pub fn standing(journal: &Journal, round: u32) -> impl Iterator<Item = Decided<'_>> {
    journal
        .decisions(round)
        .into_iter()
        .filter(|decided| !decided.undone && !matches!(decided.decision.choice, Choice::Undo { .. }))
}

/// How many rounds the run may take: as it was opened, and one for each that an editor added.
pub fn max_rounds(journal: &Journal) -> u32 {
    let added = journal
        .decided_rounds()
        .into_iter()
        .flat_map(|round| standing(journal, round))
        .filter(|decided| decided.decision.choice == Choice::AnotherRound)
        .count();
    let by_hand = (2..=journal.latest_draft().saturating_add(1)).filter(|round| is_by_hand(journal, *round)).count();
    journal.opening.settings.max_rounds.saturating_add(u32::try_from(added + by_hand).unwrap_or(u32::MAX))
}

/// Whether the draft of a round is an editor's own, which costs no round and about which no model is asked.
pub fn is_by_hand(journal: &Journal, round: u32) -> bool {
    let before = round.saturating_sub(1);
    match journal.gate(before) {
        Some(GateOutcome::Edited) => true,
        Some(GateOutcome::Passed | GateOutcome::Stet) => {
            at_sign_off(journal, before).is_some_and(|decided| edits(&decided.decision.choice))
        }
        _ => false,
    }
}

/// Whether the draft after this round's is an editor's own.
pub fn is_rewritten(journal: &Journal, round: u32) -> bool {
    journal.gate(round) == Some(GateOutcome::Edited) || is_by_hand(journal, round.saturating_add(1))
}

/// Whether the article becomes another by a choice.
fn edits(choice: &Choice) -> bool {
    matches!(choice, Choice::Edit { .. } | Choice::Applied { .. })
}

/// The concerns of a round whose fixes an editor made in the text.
pub fn applied(journal: &Journal, round: u32) -> BTreeSet<u32> {
    let fixes = standing(journal, round).filter_map(|decided| match decided.decision.choice {
        Choice::Applied { concern, .. } => Some(concern),
        _ => None,
    });
    fixes.collect()
}

/// The decision that overrules the verdict on a concern; the latest counts.
pub fn overruled(journal: &Journal, round: u32, concern: u32) -> Option<Decided<'_>> {
    standing(journal, round)
        .filter(|decided| matches!(decided.decision.choice, Choice::Override { concern: of, .. } if of == concern))
        .last()
}

/// The decision with which an editor left the gate of a round. It holds for that gate alone: the draft of a hand edit waits at its own.
pub fn left(journal: &Journal, round: u32) -> Option<Decided<'_>> {
    standing(journal, round).find(|decided| {
        matches!(decided.decision.choice, Choice::Continue | Choice::Stet { .. } | Choice::Spike { .. })
    })
}

/// The decision about the article that passed: signed off, sent back, edited or spiked.
pub fn at_sign_off(journal: &Journal, round: u32) -> Option<Decided<'_>> {
    journal.gate(round)?;
    let at_gate = left(journal, round).map_or(0, |decided| decided.number);
    let edited = |decided: &Decided<'_>| decided.number > at_gate && edits(&decided.decision.choice);
    standing(journal, round).find(|decided| {
        matches!(decided.decision.choice, Choice::SignOff { .. } | Choice::SendBack { .. })
            || (matches!(decided.decision.choice, Choice::Spike { .. })
                && journal.gate(round) != Some(GateOutcome::Spiked))
            || edited(decided)
    })
}

/// The hand edit of a round, or the last fix that was made in its text; the latest counts.
pub fn edit(journal: &Journal, round: u32) -> Option<&ArticleResponse> {
    journal.decisions(round).into_iter().rev().filter(|decided| !decided.undone).find_map(|decided| {
        match &decided.decision.choice {
            Choice::Edit { article } | Choice::Applied { article, .. } => Some(article),
            _ => None,
        }
    })
}

/// Whether the round's draft passed its gate and was not sent back, edited or spiked afterwards.
pub fn passed(journal: &Journal, round: u32) -> bool {
    matches!(journal.gate(round), Some(GateOutcome::Passed | GateOutcome::Stet))
        && !at_sign_off(journal, round)
            .is_some_and(|decided| !matches!(decided.decision.choice, Choice::SignOff { .. }))
}

/// Who signed the run's article off; none if it is not signed.
pub fn signed_by(journal: &Journal) -> Option<&str> {
    let round = journal.rounds();
    let decided = at_sign_off(journal, round)?;
    matches!(decided.decision.choice, Choice::SignOff { .. }).then_some(decided.decision.by.as_str())
}

/// Who signed the run's article off, in words. A fact sheet that no editor changed is signed as notes.
pub fn signed_in_words(journal: &Journal) -> Option<String> {
    let by = signed_by(journal)?;
    let signed = at_sign_off(journal, journal.rounds())?;
    let as_notes = matches!(signed.decision.choice, Choice::SignOff { as_notes: true, .. });
    Some(format!("{} by {by}", if as_notes { "signed as notes" } else { "signed off" }))
}

/// The first of the rounds whose requests hold in a round: those made beside a hand edit are acted on after it. If an editor accepted
/// a draft as it stands, the requests before that are settled.
fn requested_since(journal: &Journal, round: u32) -> u32 {
    let is_accepted =
        |round| left(journal, round).is_some_and(|decided| matches!(decided.decision.choice, Choice::Stet { .. }));
    let mut first = round;
    while is_by_hand(journal, first) && !is_accepted(first.saturating_sub(1)) {
        first = first.saturating_sub(1);
    }
    first
}

/// The choices that hold in a round, in order, with those made beside the hand edits before.
pub fn requests(journal: &Journal, round: u32) -> impl Iterator<Item = &Choice> {
    let decided = (requested_since(journal, round)..=round).flat_map(move |round| standing(journal, round));
    decided.map(|decided| &decided.decision.choice)
}

/// The to-dos that an editor added at the gate, or sent back at sign-off, in order.
pub fn to_dos(journal: &Journal, round: u32) -> Vec<String> {
    let to_dos = requests(journal, round).flat_map(|choice| match choice {
        Choice::Feedback { text } | Choice::SendBack { text } => lines(text),
        _ => Vec::new(),
    });
    to_dos.collect()
}

/// One to-do a line; list marks and empty lines are left out.
pub fn lines(text: &str) -> Vec<String> {
    text.lines()
        .map(|line| sanitise::one_line(line.trim_start().trim_start_matches(['-', '*', '•'])))
        .filter(|line| !line.is_empty())
        .collect()
}
