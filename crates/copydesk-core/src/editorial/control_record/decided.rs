//! The decisions of editors: verdicts overruled, findings let stand, edits, and every decision in words.

use super::model::{AcceptedRow, DecisionRow, EditRow, EditedWords, OverruledRow, RecordedRun};
use crate::editorial::{
    changes::{self, in_words},
    decisions::{self, effective_verdicts, left, lines, overruled, overruled_concerns},
    own_notes,
    version::version_of,
    vouching,
};
use copydesk_newsroom::{ArticleResponse, Choice, ConcernType, Decided, Event, Journal, Status, TriageWay, Verdict};
use copydesk_text::{count, in_marks, sanitise};

/// The verdicts that an editor's decision replaces.
pub(super) fn overruled_verdicts(journal: &Journal) -> Vec<OverruledRow> {
    let mut rows = Vec::new();
    for round in 1..=journal.latest_draft() {
        let (effective, overruled) = (effective_verdicts(journal, round), overruled_concerns(journal, round));
        for verdict in journal.verdicts(round).into_iter().filter(|of| overruled.contains(&of.concern_id)) {
            let Some(now) = effective.iter().find(|now| now.concern_id == verdict.concern_id) else { continue };
            let Some((decided, reason)) = overruling(journal, round, &verdict) else { continue };
            let concern = journal.concern(round, verdict.concern_id);
            rows.push(OverruledRow {
                round,
                concern: verdict.concern_id,
                excerpt: concern.map(|concern| ConcernType::in_words(&concern.excerpt)).unwrap_or_default(),
                verdict: verdict.status,
                rationale: verdict.rationale.clone(),
                now: now.status,
                by: decided.decision.by.clone(),
                at: decided.at.to_owned(),
                reason,
            });
        }
    }
    rows
}

/// The decision that overrules a verdict, with its reason.
fn overruling<'j>(journal: &'j Journal, round: u32, verdict: &Verdict) -> Option<(Decided<'j>, String)> {
    let own = overruled(journal, round, verdict.concern_id);
    if let Some(decided) = own.or_else(|| vouching::settled_beside(journal, round, verdict.concern_id)) {
        let reason = vouching::reason(decided.decision).to_owned();
        return Some((decided, reason));
    }
    let decided = left(journal, round)?;
    match &decided.decision.choice {
        Choice::Stet { reason } => Some((decided, format!("stet: {reason}"))),
        _ => None,
    }
}

/// The findings of the proof that an editor accepted one by one.
pub(super) fn accepted_findings(journal: &Journal) -> Vec<AcceptedRow> {
    let rounds = 1..=journal.latest_draft();
    let accepted = rounds.flat_map(|round| decisions::standing(journal, round)).filter_map(|decided| {
        let Choice::Accept { finding: number, reason } = &decided.decision.choice else { return None };
        let finding = vouching::finding(journal, decided.round, *number)?;
        Some(AcceptedRow {
            round: decided.round,
            finding: *number,
            text: finding.text.clone(),
            note: finding.note.clone(),
            by: decided.decision.by.clone(),
            at: decided.at.to_owned(),
            reason: reason.clone(),
        })
    });
    accepted.collect()
}

/// Every text that an editor put in the place of a draft.
pub(super) fn edits(journal: &Journal) -> Vec<EditRow> {
    let mut rows = Vec::new();
    for round in 1..=journal.latest_draft() {
        let mut before: Option<&ArticleResponse> = journal.draft(round).map(|draft| &draft.article);
        for decided in journal.decisions(round) {
            let (concern, article) = match &decided.decision.choice {
                Choice::Edit { article } => (None, article),
                Choice::Applied { concern, article } => (Some(*concern), article),
                _ => continue,
            };
            let Some(old) = before else { continue };
            rows.push(EditRow {
                round,
                by: decided.decision.by.clone(),
                at: decided.at.to_owned(),
                concern,
                from_version: version_of(old),
                to_version: version_of(article),
                changes: changed(old, article),
                undone: decided.undone,
            });
            if !decided.undone {
                before = Some(article);
            }
        }
    }
    rows
}

fn changed(old: &ArticleResponse, new: &ArticleResponse) -> Vec<EditedWords> {
    let text = |article: &ArticleResponse, field: &str, range: &std::ops::Range<usize>| {
        article.field(field).and_then(|text| text.get(range.clone())).unwrap_or_default().to_owned()
    };
    let comparison = changes::by_hand(old, new);
    let words = comparison.changes.iter().map(|change| EditedWords {
        field: change.field.to_owned(),
        removed: text(old, change.field, &change.old),
        added: text(new, change.field, &change.new),
    });
    words.collect()
}

/// Every decision of a run, in the order in which they were made.
pub(super) fn decisions(journal: &Journal) -> Vec<DecisionRow> {
    let decided = journal.decided_rounds().into_iter().flat_map(|round| journal.decisions(round));
    let rows = decided.map(|decided| DecisionRow {
        round: decided.round,
        at: decided.at.to_owned(),
        by: decided.decision.by.clone(),
        what: decision_in_words(journal, &decided),
        undone: decided.undone,
    });
    rows.collect()
}

/// The flags that an editor let stand after the end of a run.
pub(super) fn settled(run: &RecordedRun) -> Vec<DecisionRow> {
    let rows = run.events.iter().filter_map(|record| match &record.event {
        Event::FlagsSettled { by, flags, reason } => Some(DecisionRow {
            round: run.journal.rounds(),
            at: record.at.clone(),
            by: by.clone(),
            what: format!("let the flags stand ({}): {reason}", flags.join("; ")),
            undone: false,
        }),
        _ => None,
    });
    rows.collect()
}

/// A decision in words, as in “Ada …”.
pub fn decision_in_words(journal: &Journal, decided: &Decided<'_>) -> String {
    let round = decided.round;
    match &decided.decision.choice {
        Choice::Override { concern, status, reason, fix } => {
            let before = journal.verdict(round, *concern).map_or("no verdict", |verdict| verdict.status.name());
            let fix = fix.as_ref().map_or_else(String::new, |fix| format!(" To do: {fix}"));
            format!("overruled the verdict on concern {concern}, {before}, with {}: {reason}{fix}", status.name())
        }
        Choice::Accept { finding, reason } => {
            let text = vouching::finding(journal, round, *finding).map_or("", |finding| finding.text.as_str());
            format!("let finding {finding} of the proof stand, {}: {reason}", in_marks(&sanitise::one_line(text)))
        }
        Choice::Feedback { text } => format!("gave the writer to-dos: {}", lines(text).join(" / ")),
        Choice::Edit { .. } => "edited the draft by hand".to_owned(),
        Choice::Applied { concern, .. } => format!("made the fix for concern {concern} in the text"),
        Choice::Triage { concern, way: TriageWay::Research, .. } => {
            format!("sent the Reporter for concern {concern}")
        }
        Choice::Triage { concern, way: TriageWay::Rewrite, .. } => format!("left concern {concern} to the writer"),
        Choice::Research { question } => format!("sent the Reporter: {question}"),
        Choice::AddSource { name, .. } => format!("added the source {name}"),
        Choice::RemoveSource { name, reason } => format!("removed the source {name}: {reason}"),
        Choice::DistrustSource { name, reason } => format!("distrusted the source {name}: {reason}"),
        Choice::Call { call, allows, note } => {
            let allowed = if *allows { "allowed" } else { "refused" };
            format!("{allowed} a call of a tool ({}) {note}", call.in_words()).trim_end().to_owned()
        }
        Choice::Plan { text } => format!("set the questions: {}", text.replace('\n', " / ")),
        choice if own_notes::keeps(choice) => format!("kept a note to self: {}", own_notes::said(choice)),
        choice if own_notes::ticks_off(journal, choice) => format!("ticked off the note: {}", own_notes::said(choice)),
        Choice::Comment { about, text } if about.is_empty() => format!("noted: {text}"),
        Choice::Comment { about, text } => format!("noted on {}: {text}", in_marks(about)),
        Choice::AcceptChange { removed, added, .. } => format!("accepted a change: {}", in_words(removed, added)),
        Choice::AnotherRound => "allowed one more round".to_owned(),
        Choice::Undo { number } => format!("undid decision {number} of this round"),
        Choice::Continue => "left the gate: go on".to_owned(),
        Choice::Stet { reason } => {
            let fixed = decisions::applied(journal, round);
            let is_open = |verdict: &&Verdict| verdict.status != Status::Keep && !fixed.contains(&verdict.concern_id);
            let open = decisions::settled_verdicts(journal, round).iter().filter(is_open).count();
            let what = if decisions::edit(journal, round).is_some() { "their own text" } else { "the draft" };
            format!("accepted {what} as it stands (stet), {} open: {reason}", count(open, "verdict"))
        }
        Choice::Spike { reason } => format!("gave the story up (spike): {reason}"),
        Choice::SignOff { as_notes: true, .. } => "signed the fact sheet off as notes".to_owned(),
        Choice::SignOff { as_notes: false, .. } => "signed the article off".to_owned(),
        Choice::SendBack { text } => format!("sent the article back: {}", lines(text).join(" / ")),
    }
}
