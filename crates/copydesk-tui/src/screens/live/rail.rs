//! The list of steps and their states, from the journal and from the running calls.

use std::collections::BTreeSet;

use crate::screens::live::{Live, OnItsWay};
use crate::widgets::Page;
use crate::widgets::words::{self, count};
use copydesk_core::editorial::{
    bullets, decisions, drafting, next_steps::next_steps, research, second_opinion, sections,
};
use copydesk_newsroom::{
    GateOutcome, Journal, Outcome, ResearchErrand, Review, Status, Step, TriageWay, Usage, Wait, Writing,
};
use copydesk_text::sanitise;

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
pub fn rail(journal: &Journal, live: Option<&Live>, at_work: bool) -> Vec<RailRow> {
    let mut rows = Vec::new();
    let ready: BTreeSet<Step> = next_steps(journal).into_iter().collect();
    let see = Seen { journal, live, ready: &ready, at_work };
    rows.extend(see.step(Step::Plan, "Questions"));
    let passes = (1..).map(ResearchErrand::Pass).take_while(|errand| !research::questions(journal, *errand).is_empty());
    for (pass, errand) in (1..).zip(passes) {
        rows.extend(see.errand(errand));
        rows.extend(see.step(Step::Coverage { pass }, "Coverage"));
    }
    rows.extend(see.step(Step::Dossier, "Dossier"));
    for writing in drafting::calls(journal) {
        rows.extend(see.step(Step::Write(writing), &words::capital(&writing.in_words())));
    }
    rows.extend(see.step(Step::Draft, "Draft"));
    rows.extend(see.step(Step::Write(Writing::Again), "Draft, once more"));
    for round in 1..=decisions::max_rounds(journal) {
        if journal.draft(round).is_none() {
            break;
        }
        let state = if journal.gate(round).is_some() { RailState::Done } else { RailState::Running };
        rows.push(RailRow::new(None, format!("Round {round}"), state, "").into_heading());
        if journal.opening.settings.proves {
            rows.extend(see.step(Step::Prove { round }, "Proof"));
        }
        for batch in 1..=second_opinion::batches(journal, round) {
            rows.extend(see.step(Step::Opinion { round, batch }, &format!("Second opinion {batch}")));
        }
        for (section, _) in (1..).zip(sections::of(journal, round)) {
            rows.extend(see.step(Step::ReviewSection { round, section }, &format!("Review, section {section}")));
        }
        rows.extend(see.step(Step::Review { round }, "Review"));
        rows.extend(see.step(Step::Map { round }, "Assigning"));
        rows.extend(see.specialists(round));
        if journal.opening.settings.claims.is_some() {
            rows.extend(see.step(Step::Claims { round }, "Claims"));
        }
        rows.extend(see.step(Step::Triage { round }, "Triage"));
        rows.extend(see.gate(round));
        if journal.opening.settings.prepares
            && (journal.prepared(round).is_some() || journal.gate(round) == Some(GateOutcome::Passed))
        {
            rows.extend(see.step(Step::Prepare { round }, "Publisher"));
        }
        rows.extend(see.errand(ResearchErrand::Round(round)));
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

    /// The tokens of some steps together.
    fn used(&self, is_one: impl Fn(Step) -> bool) -> u64 {
        let entries = self.journal.entries().iter().filter(|entry| is_one(entry.step));
        entries.map(|entry| entry.usage.tokens()).fold(0, u64::saturating_add)
    }

    /// A step that is done, running or ready.
    fn step(&self, step: Step, label: &str) -> Option<RailRow> {
        if let Some((outcome, usage)) = self.entry(step) {
            let state = if matches!(outcome, Outcome::Failure(_)) { RailState::Failed } else { RailState::Done };
            return Some(RailRow { tokens: usage.tokens(), ..RailRow::new(step, label, state, detail(outcome)) });
        }
        if let Some(call) = self.live.and_then(|live| live.calls.get(&step)) {
            return Some(RailRow::running(step, label, call, format!("{} at {}", call.model, call.host)));
        }
        self.ready.contains(&step).then(|| {
            let state = if self.at_work { RailState::Running } else { RailState::Ready };
            RailRow::new(step, label, state, "")
        })
    }

    /// All turns and calls of an errand in one row, with what is called now.
    fn errand(&self, errand: ResearchErrand) -> Option<RailRow> {
        let label = match errand {
            ResearchErrand::Pass(_) => errand.in_words(),
            ResearchErrand::Round(_) | ResearchErrand::Gaps(_) | ResearchErrand::Check { .. } => "Research".to_owned(),
        };
        let of_it =
            |step: Step| matches!(step, Step::Turn { errand: of, .. } | Step::Tool { errand: of, .. } if of == errand);
        let used = self.used(of_it);
        let failed = self.journal.failure().filter(|(step, _)| of_it(*step));
        let now = self.live.and_then(|live| live.calls.iter().find(|(step, _)| of_it(**step)));
        let ready = self.ready.iter().copied().find(|step| of_it(*step));
        let row = |step: Step, state, detail: String| {
            let since = now.map(|(_, call)| call.since.clone());
            RailRow { tokens: used, since, ..RailRow::new(step, label.clone(), state, detail) }
        };
        if let Some((step, failure)) = failed {
            return Some(row(step, RailState::Failed, failure.message.clone()));
        }
        if let Some(findings) = self.journal.findings(errand).and_then(|turn| turn.findings.as_ref()) {
            let kept = count(self.journal.kept_sources(errand).len(), "source");
            let detail = format!("{}, {kept}", count(findings.len(), "finding"));
            return Some(RailRow { since: None, ..row(Step::Turn { errand, turn: 1 }, RailState::Done, detail) });
        }
        let waits = decisions::waits(self.journal).and_then(Wait::call).filter(|step| of_it(*step));
        if let Some(step) = waits {
            return Some(row(step, RailState::Waits, format!("{} waits for you", self.called(step))));
        }
        let step = now.map(|(step, _)| *step).or(ready)?;
        let state = if self.at_work { RailState::Running } else { RailState::Ready };
        Some(row(step, state, self.called(step)))
    }

    /// The name of the tool that a step of an errand calls, such as `fetch_content`, or the turn's number.
    fn called(&self, step: Step) -> String {
        match step {
            Step::Tool { errand, turn, call } => {
                let calls = self.journal.turn(errand, turn).map(|turn| turn.calls.as_slice()).unwrap_or_default();
                let call = usize::try_from(call).ok().and_then(|call| calls.get(call.checked_sub(1)?));
                call.map(|call| sanitise::excerpt(&sanitise::one_line(&call.name), 40)).unwrap_or_default()
            }
            Step::Turn { turn, .. } => format!("turn {turn}"),
            _ => String::new(),
        }
    }

    /// All specialists of a round in one row, and a row for each one that runs.
    fn specialists(&self, round: u32) -> Vec<RailRow> {
        let Some(mapping) = self.journal.mapping(round) else { return Vec::new() };
        let all = mapping.mappings.len();
        let verdicts = self.journal.verdicts(round);
        let effective = decisions::effective_verdicts(self.journal, round);
        let open = effective.iter().filter(|verdict| verdict.status != Status::Keep).count();
        let is_judged = |step: Step| step.round() == round && step.concern().is_some();
        let used = self.used(is_judged);
        let failed = self.journal.failure().filter(|(step, _)| is_judged(*step));
        let state = match failed {
            Some(_) => RailState::Failed,
            None if verdicts.len() == all => RailState::Done,
            None if self.at_work => RailState::Running,
            None => RailState::Ready,
        };
        let detail = match failed {
            Some((step, failure)) => format!("{}: {}", step.in_words(), failure.message),
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
            (true, None) if self.journal.opening.extract => row(RailState::Done, "Fact sheet", "not signed off".into()),
            (true, None) => row(RailState::Done, "Passed", "not signed off".into()),
            // The step that failed has said why.
            (false, _) if self.journal.failure().is_some() => row(RailState::Failed, "Ended", String::new()),
            (false, _) => row(
                RailState::Failed,
                "Ended",
                words::failure(&copydesk_core::editorial::report::error(self.journal).unwrap_or_default()),
            ),
        })
    }
}

/// The decision at a gate, in a few words.
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
        Outcome::Draft(draft) => count(draft.article.words(), "word"),
        Outcome::Proof(proof) => count(proof.findings.len(), "finding"),
        Outcome::Prepared(notes) => count(notes.iter().filter(|noted| !noted.is_missing()).count(), "note"),
        Outcome::Bullets(raw) | Outcome::Review(Review { raw, .. }) => count(bullets::count(raw), "concern"),
        Outcome::Opinions(opinions) => opinions.in_words(),
        Outcome::Mapping(mapping) => count(mapping.mappings.len(), "concern"),
        Outcome::ArticlePlan(plan) => count(plan.sections.len(), "section"),
        Outcome::Prose(section) => count(section.words(), "word"),
        Outcome::Claims(claims) => format!("{} of {} verified", claims.verified(), claims.claims.len()),
        Outcome::Questions(questions) => count(questions.len(), "question"),
        Outcome::Coverage(coverage) => {
            let answered = coverage.questions.iter().filter(|covered| covered.answered).count();
            format!("{answered} of {} answered", coverage.questions.len())
        }
        Outcome::Dossier(dossier) => count(dossier.paragraphs.len(), "paragraph"),
        Outcome::Triage(ways) => {
            format!("{} to the Reporter", ways.iter().filter(|triaged| triaged.way == TriageWay::Research).count())
        }
        Outcome::Failure(failure) => failure.message.clone(),
        _ => String::new(),
    }
}

#[derive(Debug, Clone, Default)]
pub struct LivePage {
    pub rail: Vec<RailRow>,
    /// How many rows of the rail are below its last row on the screen.
    pub rows_below: usize,
    pub text: Page,
}

#[cfg(test)]
mod tests {
    use super::*;
    use copydesk_core::editorial::{
        testing::add,
        testing::research::{assigned, first_pass},
    };
    use copydesk_newsroom::{ResearchTurn, ToolCall};

    fn lines(journal: &Journal, at_work: bool) -> Vec<String> {
        let line = |row: &RailRow| format!("{} {} {}", row.state.mark(), row.label, row.detail).trim_end().to_owned();
        rail(journal, None, at_work).iter().map(line).collect()
    }

    #[test]
    fn research_has_a_row_for_its_questions_and_one_for_each_errand() {
        let mut journal = assigned();
        assert_eq!(lines(&journal, true), ["▸ Questions"]);
        let errand = ResearchErrand::Pass(1);
        let mut begun = journal.clone();
        add(&mut begun, Step::Plan, Outcome::Questions(vec!["Who voted?".into()]));
        assert_eq!(lines(&begun, false), ["✓ Questions 1 question", "· Research 1 turn 1"]);
        let call = ToolCall { id: "a".into(), name: "fetch_content".into(), arguments: "{}".into() };
        let turn = ResearchTurn { calls: vec![call], ..ResearchTurn::default() };
        add(&mut begun, Step::Turn { errand, turn: 1 }, Outcome::Turn(turn));
        assert_eq!(lines(&begun, true), ["✓ Questions 1 question", "▸ Research 1 fetch_content"]);
        first_pass(&mut journal);
        assert_eq!(
            lines(&journal, true),
            ["✓ Questions 2 questions", "✓ Research 1 1 finding, 1 source", "▸ Coverage"]
        );
    }
}
