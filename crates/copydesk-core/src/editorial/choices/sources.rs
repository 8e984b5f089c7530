//! Whether research can be ordered, and which sources can be added and removed.

use super::{refused::Refused, texts::said};
use crate::editorial::{
    decisions::{max_rounds, outcome, standing},
    research,
};
use copydesk_newsroom::{Choice, GateOutcome, Journal, TriageWay};
use copydesk_text::sanitise;

/// Most bytes of a source that an editor adds.
const LONGEST_SOURCE: usize = 16 << 20;

/// Whether a choice on research or sources is possible.
pub(super) fn check(journal: &Journal, round: u32, choice: &Choice) -> Result<(), Refused> {
    match choice {
        Choice::AddSource { .. } | Choice::RemoveSource { .. } | Choice::DistrustSource { .. } => {
            changes(journal, choice)
        }
        _ => researches(journal, round, choice),
    }
}

/// Whether a verdict can go another way, or the Reporter be sent.
fn researches(journal: &Journal, round: u32, choice: &Choice) -> Result<(), Refused> {
    if !journal.opening.research.is_some_and(|rules| rules.assigned || rules.triages) {
        return Err(Refused::Text("nobody researches for this story: research.triage was false when it was opened"));
    }
    let has_room = || {
        if round >= max_rounds(journal) {
            Err(Refused::NoRoundLeft("nobody would write what is found"))
        } else {
            Ok(())
        }
    };
    match choice {
        Choice::Triage { concern, way, question } => {
            if !research::triaged(journal, round).iter().any(|triaged| triaged.concern == *concern) {
                return Err(Refused::NotTriaged { round, concern: *concern });
            }
            match (way, question) {
                (TriageWay::Rewrite, _) => Ok(()),
                (TriageWay::Research, Some(question)) => has_room().and_then(|()| asked(question)),
                (TriageWay::Research, None) if research::question_of(journal, round, *concern).is_none() => {
                    Err(Refused::Text("the concern is about no sentence of the draft: say what to find out"))
                }
                (TriageWay::Research, None) => has_room(),
            }
        }
        Choice::Research { question } => has_room().and_then(|()| asked(question)),
        _ => Ok(()),
    }
}

/// A question that can be sent to a search.
fn asked(question: &str) -> Result<(), Refused> {
    said(question, "say what is to be found out")?;
    let limit = research::LONGEST_QUESTION;
    if question.len() > limit { Err(Refused::Text("the question is longer than 600 bytes")) } else { Ok(()) }
}

/// Whether a source can be added, removed or distrusted.
fn changes(journal: &Journal, choice: &Choice) -> Result<(), Refused> {
    match choice {
        Choice::AddSource { name, text, hidden: _ } => {
            said(name, "a source needs a name")?;
            if sanitise::is_blank(text) {
                return Err(Refused::Text("the source is empty"));
            }
            if text.len() > LONGEST_SOURCE {
                return Err(Refused::Text("the source is longer than 16 MB"));
            }
            if journal.texts().any(|(known, _)| known == name) {
                return Err(Refused::Text("a source of this story has that name: choose another"));
            }
        }
        Choice::RemoveSource { name, reason } => {
            said(reason, "say why the source is not to count")?;
            if journal.distrusted().iter().any(|(known, _)| known == name) {
                return Ok(());
            }
            can_be_spared(journal, name)?;
            if !journal.texts().any(|(known, text)| known == name && !text.is_empty()) {
                return Err(Refused::NoSource { name: name.clone() });
            }
        }
        Choice::DistrustSource { name, reason } => {
            said(reason, "say why the source is not to be trusted")?;
            if journal.is_no_witness(name) {
                return Err(Refused::Text(
                    "nothing rests on that source any more: it is removed or distrusted already",
                ));
            }
            can_be_spared(journal, name)?;
            // A text that the Reporter read can be distrusted before anything rests on it.
            if !journal.texts().any(|(known, _)| known == name) && journal.brought(name).is_none() {
                return Err(Refused::NoSource { name: name.clone() });
            }
        }
        _ => {}
    }
    Ok(())
}

/// Whether a draft that is approved now was proved by the sources that count now. A signature never rests on a source that was taken away
/// since.
pub(super) fn proved_by_todays(journal: &Journal, round: u32) -> Result<(), Refused> {
    let is_of_sources = |choice: &Choice| {
        matches!(choice, Choice::AddSource { .. } | Choice::RemoveSource { .. } | Choice::DistrustSource { .. })
    };
    let changed = standing(journal, round).any(|decided| is_of_sources(&decided.decision.choice));
    if changed && journal.proof(round).is_some() && outcome(journal, round) == GateOutcome::Passed {
        return Err(Refused::Text(
            "the draft was proved before you changed its sources: give a to-do, edit it, or undo the change, so that it is \
             proved by today's sources. Stet accepts it as it stands",
        ));
    }
    Ok(())
}

/// Whether the story has something to rest on without that source.
fn can_be_spared(journal: &Journal, name: &str) -> Result<(), Refused> {
    let mut texts = journal.texts();
    if journal.dossier().is_none() && texts.next().is_some_and(|(own, _)| own == name) {
        return Err(Refused::Text("the story's own text stays: it is what the story is made from"));
    }
    let mut counting = journal.texts().filter(|(_, text)| !text.is_empty());
    if counting.all(|(known, _)| known == name) {
        return Err(Refused::Text(
            "nothing would be left to rest on: add another source and write from that, or spike",
        ));
    }
    Ok(())
}
