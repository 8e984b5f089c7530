//! The round of an editor's own text: no model reviews it. A concern that was open before stays open if its sentence still stands, and the
//! proof raises new findings.

use crate::editorial::{decisions::effective_verdicts, excerpts, research, vouching};
use copydesk_newsroom::{Concern, ConcernMapping, Journal, TriageWay, Verdict};
use copydesk_text::sentences::sentences_around;

/// The reviewer's bullets of the round before whose sentences still stand, as its review had them.
pub fn bullets(journal: &Journal, round: u32) -> String {
    let Some(before) = round.checked_sub(1) else { return String::new() };
    let concerns = journal.concern_list(before);
    let own = concerns.iter().filter(|concern| {
        !vouching::is_programs(journal, before, concern.concern_id) && still_stands(journal, round, concern)
    });
    own.map(|concern| format!("- {}", concern.review_note)).collect::<Vec<_>>().join("\n")
}

/// Whether the sentence of a concern from the round before is still there. A concern about no sentence is about the
/// whole text.
fn still_stands(journal: &Journal, round: u32, concern: &Concern) -> bool {
    let Some(before) = round.checked_sub(1) else { return false };
    let Some((field, place)) = excerpts::place_of(journal, before, concern.concern_id) else { return true };
    let text = |round: u32| journal.draft(round)?.article.field(field);
    let Some((old, new)) = text(before).zip(text(round)) else { return false };
    old.get(sentences_around(old, &place)).is_some_and(|sentence| new.contains(sentence.trim()))
}

/// The concern of the round before that a concern of this round was.
fn earlier(journal: &Journal, round: u32, concern: u32) -> Option<(u32, u32)> {
    let before = round.checked_sub(1)?;
    let now = journal.concern(round, concern)?;
    let same = |one: &&Concern| one.review_note == now.review_note && still_stands(journal, round, one);
    // Two bullets may be the same word for word: the second is the second.
    let earlier = journal.concern_list(round).iter().take_while(|one| one.concern_id != concern);
    let nth = earlier.filter(|one| one.review_note == now.review_note);
    journal.concern_list(before).iter().filter(same).nth(nth.count()).map(|one| (before, one.concern_id))
}

/// The verdict that a concern of the round before has, for the same concern of this round.
pub fn verdict(journal: &Journal, round: u32, concern: u32) -> Option<Verdict> {
    let (before, earlier) = earlier(journal, round, concern)?;
    let verdicts = effective_verdicts(journal, before);
    let verdict = verdicts.into_iter().find(|verdict| verdict.concern_id == earlier)?;
    Some(Verdict { concern_id: concern, ..verdict })
}

/// Likewise its mapping to a specialist.
pub fn mapping(journal: &Journal, round: u32, concern: u32) -> Option<ConcernMapping> {
    let (before, earlier) = earlier(journal, round, concern)?;
    Some(ConcernMapping { concern_id: concern, ..journal.mapping_of(before, earlier)?.clone() })
}

/// Likewise its way after triage, and its question for research.
pub fn way(journal: &Journal, round: u32, concern: u32) -> Option<(TriageWay, Option<String>)> {
    let (before, earlier) = earlier(journal, round, concern)?;
    let triaged = research::triaged(journal, before).into_iter().find(|triaged| triaged.concern == earlier)?;
    Some((triaged.way, triaged.question))
}

#[cfg(test)]
mod tests;
