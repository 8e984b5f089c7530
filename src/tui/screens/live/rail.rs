//! The list of steps and their states, from the journal and from the running calls.

use std::collections::BTreeSet;

use crate::editorial::{decisions, next_steps::next_steps, second_opinion};
use crate::newsroom::{GateOutcome, Journal, Outcome, Status, Step, Usage, Wait};
use crate::tui::{
    screens::live::model::{Live, OnItsWay},
    widgets::{said::step_words, words::count},
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RailState {
    /// It is in the journal.
    Done,
    Running,
    /// It is ready, and this program does not work on it.
    Ready,
    Waits,
    Failed,
}

impl RailState {
    #[must_use]
    pub fn mark(self) -> &'static str {
        match self {
            Self::Done => "✓",
            Self::Running => "▸",
            Self::Ready => "·",
            Self::Waits => "?",
            Self::Failed => "✗",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RailRow {
    /// The step of the row; for the specialists of a round the one that runs or came last.
    pub step: Option<Step>,
    /// Such as `Review` or `Specialists 2/5`.
    pub label: String,
    pub state: RailState,
    /// The result, or what is wrong.
    pub detail: String,
    /// When a running step began: ISO 8601, UTC.
    pub since: Option<String>,
    /// Tokens sent and received so far.
    pub tokens: u64,
    /// Whether the row begins a round or ends the run.
    pub heading: bool,
}

/// The rail of a run. `live` are the calls of this program, `at_work` says whether it works on the run.
#[must_use]
pub fn rail(journal: &Journal, live: Option<&Live>, at_work: bool) -> Vec<RailRow> {
    let mut rows = Vec::new();
    let ready: BTreeSet<Step> = next_steps(journal).into_iter().collect();
    let see = Seen { journal, live, ready: &ready, at_work };
    rows.extend(see.step(Step::Draft, "Draft"));
    for round in 1..=decisions::max_rounds(journal) {
        if journal.draft(round).is_none() {
            break;
        }
        let state = if journal.gate(round).is_some() { RailState::Done } else { RailState::Running };
        rows.push(RailRow::new(None, format!("Round {round}"), state, "").into_heading());
        if journal.opening.proves {
            rows.extend(see.step(Step::Prove { round }, "Proof"));
        }
        for batch in 1..=second_opinion::batches(journal, round) {
            rows.extend(see.step(Step::Opinion { round, batch }, &format!("Second opinion {batch}")));
        }
        rows.extend(see.step(Step::Review { round }, "Review"));
        rows.extend(see.step(Step::Map { round }, "Assigning"));
        rows.extend(see.specialists(round));
        if journal.opening.claims.is_some() {
            rows.extend(see.step(Step::Claims { round }, "Claims"));
        }
        rows.extend(see.gate(round));
        rows.extend(see.step(Step::Revise { round }, "Revision"));
    }
    rows.extend(see.end());
    rows
}

impl RailRow {
    fn new(
        step: impl Into<Option<Step>>,
        label: impl Into<String>,
        state: RailState,
        detail: impl Into<String>,
    ) -> Self {
        let (step, label, detail) = (step.into(), label.into(), detail.into());
        Self { step, label, state, detail, since: None, tokens: 0, heading: false }
    }

    /// A row of a step that a call works on.
    fn running(step: Step, label: impl Into<String>, call: &OnItsWay, detail: impl Into<String>) -> Self {
        let detail = call.trouble.clone().unwrap_or_else(|| detail.into());
        let tokens = u64::try_from(call.pieces).unwrap_or(u64::MAX);
        Self { since: Some(call.since.clone()), tokens, ..Self::new(step, label, RailState::Running, detail) }
    }

    fn into_heading(self) -> Self {
        Self { heading: true, ..self }
    }
}

struct Seen<'a> {
    journal: &'a Journal,
    live: Option<&'a Live>,
    ready: &'a BTreeSet<Step>,
    at_work: bool,
}

impl Seen<'_> {
    fn entry(&self, step: Step) -> Option<(&Outcome, Usage)> {
        let entry = self.journal.entries().iter().find(|entry| entry.step == step)?;
        Some((&entry.outcome, entry.usage))
    }

    /// A step that is done, running or ready.
    fn step(&self, step: Step, label: &str) -> Option<RailRow> {
        if let Some((outcome, usage)) = self.entry(step) {
            let state = if matches!(outcome, Outcome::Failure(_)) { RailState::Failed } else { RailState::Done };
            return Some(RailRow { tokens: tokens(usage), ..RailRow::new(step, label, state, detail(outcome)) });
        }
        if let Some(call) = self.live.and_then(|live| live.calls.get(&step)) {
            return Some(RailRow::running(step, label, call, format!("{} at {}", call.model, call.host)));
        }
        self.ready.contains(&step).then(|| {
            let state = if self.at_work { RailState::Running } else { RailState::Ready };
            RailRow::new(step, label, state, "")
        })
    }

    /// All specialists of a round in one row, and a row for each one that runs.
    fn specialists(&self, round: u32) -> Vec<RailRow> {
        let Some(mapping) = self.journal.mapping(round) else { return Vec::new() };
        let all = mapping.mappings.len();
        let verdicts = self.journal.verdicts(round);
        let effective = decisions::effective_verdicts(self.journal, round);
        let open = effective.iter().filter(|verdict| verdict.status != Status::Keep).count();
        let used = self
            .journal
            .entries()
            .iter()
            .filter(|entry| entry.step.round() == round && entry.step.concern().is_some())
            .map(|entry| tokens(entry.usage))
            .fold(0, u64::saturating_add);
        let failed = self.journal.failure().filter(|(step, _)| step.round() == round && step.concern().is_some());
        let state = match failed {
            Some(_) => RailState::Failed,
            None if verdicts.len() == all => RailState::Done,
            None if self.at_work => RailState::Running,
            None => RailState::Ready,
        };
        let detail = match failed {
            Some((step, failure)) => format!("{}: {}", step_words(step), failure.message),
            None if verdicts.is_empty() => String::new(),
            None => format!("{open} to change, {} kept", verdicts.len() - open),
        };
        let judge = Step::Judge { round, concern: u32::try_from(verdicts.len()).unwrap_or(u32::MAX).max(1) };
        let label = format!("Specialists {}/{all}", verdicts.len());
        let mut rows = vec![RailRow { tokens: used, ..RailRow::new(judge, label, state, detail) }];
        let calls = self.live.into_iter().flat_map(|live| &live.calls).filter(|(step, _)| step.round() == round);
        rows.extend(calls.filter_map(|(step, call)| {
            let concern = format!("concern {}", step.concern()?);
            Some(RailRow::running(*step, format!("  {}", call.agent), call, concern))
        }));
        rows
    }

    fn gate(&self, round: u32) -> Option<RailRow> {
        let step = Step::Gate { round };
        let waits = decisions::waits(self.journal) == Some(Wait::Gate { round });
        let (state, detail) = match self.journal.gate(round) {
            Some(outcome) => (RailState::Done, gate_words(outcome)),
            None if waits => (RailState::Waits, "waits for you"),
            None => return self.step(step, "Gate"),
        };
        Some(RailRow::new(step, "Gate", state, detail))
    }

    fn end(&self) -> Option<RailRow> {
        let row = |state, label, detail: String| RailRow::new(Step::Publish, label, state, detail).into_heading();
        if let Some(Wait::SignOff { .. }) = decisions::waits(self.journal) {
            return Some(row(RailState::Waits, "Sign-off", "waits for you".into()));
        }
        let publication = self.journal.publication()?;
        Some(match (publication.success, decisions::signed_by(self.journal)) {
            (true, Some(by)) => row(RailState::Done, "Signed off", format!("by {by}")),
            (true, None) => row(RailState::Done, "Passed", "not signed off".into()),
            (false, _) => {
                row(RailState::Failed, "Ended", crate::editorial::report::error(self.journal).unwrap_or_default())
            }
        })
    }
}

fn tokens(usage: Usage) -> u64 {
    usage.prompt_tokens.unwrap_or(0).saturating_add(usage.completion_tokens.unwrap_or(0))
}

/// What a gate decided, in a few words.
#[must_use]
pub fn gate_words(outcome: GateOutcome) -> &'static str {
    match outcome {
        GateOutcome::Passed => "ready for sign-off",
        GateOutcome::Revise => "sent to the writer",
        GateOutcome::RoundsUsedUp => "no rounds left",
        GateOutcome::Stet => "accepted as it stands (stet)",
        GateOutcome::Edited => "your text is the next draft",
        GateOutcome::Spiked => "spiked",
    }
}

/// The result of a step, in a few words.
fn detail(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Draft(draft) => count(draft.article.articleBody.split_whitespace().count(), "word"),
        Outcome::Proof(proof) => count(proof.findings.len(), "finding"),
        Outcome::Review(review) => {
            let bullets =
                review.raw.markdown_bullets.lines().filter(|line| line.starts_with("- ") || line.starts_with("* "));
            count(bullets.count(), "concern")
        }
        Outcome::Opinions(opinions) => opinions.in_words(),
        Outcome::Mapping(mapping) => count(mapping.mappings.len(), "concern"),
        Outcome::Claims(claims) => format!("{} of {} verified", claims.verified(), claims.claims.len()),
        Outcome::Failure(failure) => failure.message.clone(),
        _ => String::new(),
    }
}
