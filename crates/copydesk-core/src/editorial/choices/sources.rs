//! Whether research can be ordered, and which sources can be added and removed.

use super::{
    refused::Refused,
    texts::{has_round, refused_if, said},
};
use crate::editorial::{
    decisions::{outcome, standing},
    research,
};
use copydesk_newsroom::{Choice, GateOutcome, Journal, TriageWay};
use copydesk_text::sanitise;

/// Most bytes of a source that an editor adds.
const LONGEST_SOURCE: usize = 16 << 20;

/// Whether a choice on research or sources is possible.
pub(super) fn check(journal: &Journal, round: u32, choice: &Choice) -> Result<(), Refused> {
    let researches = journal.opening.research.is_some_and(|rules| rules.assigned || rules.triages);
    let can_research =
        || refused_if(!researches, "nobody researches for this story: research.triage was false when it was opened");
    let has_room = || has_round(journal, round, "no writer would use what is found");
    match choice {
        Choice::Triage { concern, way, question } => {
            can_research()?;
            if !research::triaged(journal, round).iter().any(|triaged| triaged.concern == *concern) {
                return Err(Refused::NotTriaged { round, concern: *concern });
            }
            match (way, question) {
                (TriageWay::Rewrite, _) => Ok(()),
                (TriageWay::Research, Some(question)) => has_room().and_then(|()| asked(question)),
                (TriageWay::Research, None) => {
                    let is_missing = research::question_of(journal, round, *concern).is_none();
                    refused_if(is_missing, "the concern is about no sentence of the draft: say what to find out")?;
                    has_room()
                }
            }
        }
        Choice::Research { question } => {
            can_research()?;
            has_room()?;
            asked(question)
        }
        Choice::AddSource { name, text, hidden: _, recorded: _ } => {
            said(name, "a source needs a name")?;
            refused_if(sanitise::is_blank(text), "the source is empty")?;
            refused_if(text.len() > LONGEST_SOURCE, "the source is longer than 16 MB")?;
            let is_known = journal.texts().any(|(known, _)| known == name);
            refused_if(is_known, "a source of this story has that name: choose another")
        }
        Choice::RemoveSource { name, reason } => {
            said(reason, "say why you remove the source")?;
            if journal.distrusted().iter().any(|(known, _)| known == name) {
                return Ok(());
            }
            can_be_spared(journal, name)?;
            let counts = journal.texts().any(|(known, text)| known == name && !text.is_empty());
            if counts { Ok(()) } else { Err(Refused::NoSource { name: name.clone() }) }
        }
        Choice::DistrustSource { name, reason } => {
            said(reason, "say why you distrust the source")?;
            let is_out = journal.is_no_witness(name);
            refused_if(is_out, "that source is already removed or distrusted")?;
            can_be_spared(journal, name)?;
            // A text that the Reporter read can be distrusted before anything rests on it.
            let is_known = journal.texts().any(|(known, _)| known == name) || journal.brought(name).is_some();
            if is_known { Ok(()) } else { Err(Refused::NoSource { name: name.clone() }) }
        }
        _ => Ok(()),
    }
}

/// A question that can be sent to a search.
fn asked(question: &str) -> Result<(), Refused> {
    said(question, "say what is to be found out")?;
    refused_if(question.len() > research::LONGEST_QUESTION, "the question is longer than 600 bytes")
}

/// Whether a draft that is approved now was proved by the sources that count now. A signature never rests on a source that was taken away
/// since.
pub(super) fn proved_by_todays(journal: &Journal, round: u32) -> Result<(), Refused> {
    let changed = standing(journal, round).any(|decided| decided.decision.choice.changes_sources());
    refused_if(
        changed && journal.proof(round).is_some() && outcome(journal, round) == GateOutcome::Passed,
        "the draft was checked before you changed its sources. Give a to-do, edit it or undo the change, so that it is \
         checked against today's sources. Stet accepts it as it stands",
    )
}

/// Whether the story has something to rest on without that source.
fn can_be_spared(journal: &Journal, name: &str) -> Result<(), Refused> {
    let is_own = journal.dossier().is_none() && journal.texts().next().is_some_and(|(own, _)| own == name);
    refused_if(is_own, "the story's own text cannot be removed or distrusted")?;
    let is_last = journal.texts().filter(|(_, text)| !text.is_empty()).all(|(known, _)| known == name);
    refused_if(is_last, "no source would be left: add another first, or spike the story")
}
