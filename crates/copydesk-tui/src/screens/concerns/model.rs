//! The concerns of a round, each with its note, its specialist, its verdict and the editor's decision.

use crate::widgets::words;
use copydesk_core::editorial::citations::Cited;
use copydesk_core::editorial::repeated::overruled_before;
use copydesk_core::editorial::{citations, decisions, research, vouching};
use copydesk_newsroom::{Choice, ConcernType, Decided, Finding, Journal, Specialist, Status, Triaged, Verdict};
use copydesk_text::{in_marks, sanitise};

/// An editor's decision that overrules a verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overruled {
    pub by: String,
    /// When: ISO 8601, UTC.
    pub at: String,
    pub status: Status,
    pub fix: Option<String>,
    pub reason: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ConcernRow {
    pub id: u32,
    /// The words of the draft that the concern is about; the note itself if it quotes none.
    pub excerpt: String,
    pub note: String,
    /// None until the concern is assigned.
    pub kind: Option<ConcernType>,
    /// None until the concern is assigned, and of a group.
    pub specialist: Option<Specialist>,
    pub verdict: Option<Verdict>,
    /// The editor's own verdict instead.
    pub overruled: Option<Overruled>,
    /// Whether the editor accepted the fix, so that it stands in the text.
    pub applied: bool,
    /// How the editor overruled the same concern in an earlier round: the round, and what was decided there.
    pub before: Option<(u32, Overruled)>,
    /// The finding of the proof, if the proof raised it.
    pub finding: Option<Finding>,
    /// The findings of a group; the reviewer's has none. None if the concern is no group.
    pub group: Option<Vec<Finding>>,
    /// Whether the verdict comes from an earlier check.
    pub remembered: bool,
    /// Which way the verdict goes, if it was triaged.
    pub way: Option<Triaged>,
    /// The citations of a search outside, and whether they could be opened.
    pub cited: Vec<Cited>,
}

impl Overruled {
    fn new(decided: &Decided<'_>, status: Status, fix: Option<String>, reason: &str) -> Self {
        Self { by: decided.decision.by.clone(), at: decided.at.to_owned(), status, fix, reason: reason.to_owned() }
    }

    /// None for any other decision.
    fn of(decided: &Decided<'_>) -> Option<Self> {
        match &decided.decision.choice {
            Choice::Override { status, fix, reason, .. } => Some(Self::new(decided, *status, fix.clone(), reason)),
            _ => None,
        }
    }
}

impl ConcernRow {
    /// The subject of the concern, in one line: the words of the draft, or the note if it quotes none or is a group.
    pub fn about(&self) -> String {
        if self.group.is_some() || !self.quotes() {
            return sanitise::one_line(&self.note_alone());
        }
        in_marks(&sanitise::one_line(&self.excerpt))
    }

    /// Whether its note quotes words of the draft.
    pub fn quotes(&self) -> bool {
        !sanitise::is_blank(&self.excerpt) && self.excerpt != self.note
    }

    /// The note without the kind that stands elsewhere; another kind stands in words.
    pub fn note_alone(&self) -> String {
        let kind = self.kind.map_or_else(String::new, |kind| format!("{}: ", kind.name()));
        ConcernType::in_words(&self.note.replacen(&kind, "", 1))
    }

    /// Who gives the verdict; none until the concern is assigned.
    pub fn judge(&self) -> Option<String> {
        if self.group.is_some() {
            return Some("a rule".to_owned());
        }
        self.specialist.map(|specialist| words::plain(specialist.name()))
    }

    pub fn status(&self) -> Option<Status> {
        let given = self.verdict.as_ref().map(|verdict| verdict.status);
        self.overruled.as_ref().map(|overruled| overruled.status).or(given)
    }

    /// Whether the concern still needs a change or a decision.
    pub fn is_open(&self) -> bool {
        self.status() != Some(Status::Keep) && !self.applied
    }

    /// The round and the editor's earlier decision on the same concern, if the verdict now differs from it.
    pub fn decided_otherwise(&self) -> Option<&(u32, Overruled)> {
        let given = self.verdict.as_ref()?.status;
        self.before.as_ref().filter(|(_, before)| self.overruled.is_none() && before.status != given)
    }
}

/// The editor's decision about the same words in another field, which settles this concern too.
fn beside(journal: &Journal, round: u32, concern: u32) -> Option<Overruled> {
    let decided = vouching::settled_beside(journal, round, concern)?;
    Some(Overruled::new(&decided, Status::Keep, None, vouching::reason(decided.decision)))
}

pub fn rows(journal: &Journal, round: u32) -> Vec<ConcernRow> {
    let Some(result) = journal.concerns(round) else { return Vec::new() };
    let verdicts = journal.verdicts(round);
    let mut overrulings: Vec<(u32, Overruled)> = Vec::new();
    let mut applied: Vec<u32> = Vec::new();
    for decided in decisions::standing(journal, round) {
        match &decided.decision.choice {
            Choice::Override { concern, .. } => {
                overrulings.extend(Overruled::of(&decided).map(|overruled| (*concern, overruled)));
            }
            Choice::Applied { concern, .. } => applied.push(*concern),
            // A draft that was accepted as it stands has no open verdict.
            Choice::Stet { reason } => {
                for verdict in &verdicts {
                    let id = verdict.concern_id;
                    let before = overrulings.iter().rev().find(|(of, _)| *of == id);
                    if before.map_or(verdict.status, |(_, before)| before.status) != Status::Keep {
                        overrulings
                            .push((id, Overruled::new(&decided, Status::Keep, None, &format!("stet: {reason}"))));
                    }
                }
            }
            _ => {}
        }
    }
    let before = overruled_before(journal, round);
    let ways = research::triaged(journal, round);
    result
        .concerns
        .iter()
        .map(|concern| {
            let id = concern.concern_id;
            let mapping = journal.mapping_of(round, id);
            let group = vouching::group(journal, round, id)
                .map(|findings| findings.into_iter().map(|(_, finding)| finding.clone()).collect());
            ConcernRow {
                id,
                excerpt: concern.excerpt.clone(),
                note: concern.review_note.clone(),
                kind: mapping.map(|mapping| mapping.concern_type),
                specialist: mapping.filter(|_| group.is_none()).map(|mapping| mapping.selected_agent),
                verdict: journal.verdict(round, id).cloned(),
                overruled: overrulings
                    .iter()
                    .rev()
                    .find(|(of, _)| *of == id)
                    .map(|(_, overruled)| overruled.clone())
                    .or_else(|| beside(journal, round, id)),
                applied: applied.contains(&id),
                before: before.get(&id).and_then(|decided| Some((decided.round, Overruled::of(decided)?))),
                finding: vouching::behind(journal, round, id).map(|(_, finding)| finding.clone()),
                group,
                remembered: journal.look_up(round, id).is_some_and(|look_up| look_up.remembered.is_some()),
                way: ways.iter().find(|triaged| triaged.concern == id).cloned(),
                cited: citations::of_concern(journal, round, id),
            }
        })
        .collect()
}
