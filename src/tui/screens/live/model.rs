//! What is on its way right now: calls that have begun and not ended, with what has arrived of their answers. Nothing of it is
//! committed; what is committed comes from the journal.

use std::collections::BTreeMap;

use crate::newsroom::{Event, EventRecord, Step};
use crate::tui::{
    app::unread::UnreadPieces,
    screens::live::streaming::{Awaited, Streaming},
};

/// A call on its way.
#[derive(Debug, Clone)]
pub struct OnItsWay {
    /// Which attempt.
    pub attempt: u32,
    /// Who asks.
    pub agent: String,
    /// Which model.
    pub model: String,
    /// The host that sees the text.
    pub host: String,
    /// When it began: ISO 8601, UTC.
    pub since: String,
    /// What has arrived.
    pub text: Streaming,
    /// Pieces that have arrived: about as many as tokens.
    pub pieces: usize,
    /// Why the attempt before was no use.
    pub trouble: Option<String>,
}

/// The calls of one run that are on their way.
#[derive(Debug, Clone, Default)]
pub struct Live {
    /// By step.
    pub calls: BTreeMap<Step, OnItsWay>,
    /// The step that is shown: it stays until it is done, however many are written at once.
    pub latest: Option<Step>,
}

impl Live {
    /// Takes an event in.
    pub fn happened(&mut self, record: &EventRecord) {
        match &record.event {
            Event::CallStarted { step, attempt, agent, model, host } => {
                let trouble = self.calls.remove(step).and_then(|call| call.trouble);
                let call = OnItsWay {
                    attempt: *attempt,
                    agent: agent.clone(),
                    model: model.clone(),
                    host: host.clone(),
                    since: record.at.clone(),
                    text: Streaming::new(Awaited::of(*step)),
                    pieces: 0,
                    trouble,
                };
                self.calls.insert(*step, call);
            }
            Event::CallFailed { step, message, again_in_seconds, .. } => {
                if let Some(call) = self.calls.get_mut(step) {
                    let again = again_in_seconds.map_or_else(String::new, |seconds| format!(" (again in {seconds} s)"));
                    call.trouble = Some(format!("{message}{again}"));
                }
            }
            Event::StepDone { step, .. } => {
                self.calls.remove(step);
            }
            Event::RunClosed { .. } | Event::GateWaits { .. } => self.calls.clear(),
            _ => {}
        }
        if self.latest.is_some_and(|step| !self.calls.contains_key(&step)) {
            self.latest = self.calls.keys().next().copied();
        }
    }

    /// Takes pieces of an answer in.
    pub fn heard(&mut self, step: Step, pieces: &UnreadPieces) {
        if let Some(call) = self.calls.get_mut(&step).filter(|_| pieces.count > 0) {
            call.text.push(&pieces.text);
            call.pieces = call.pieces.saturating_add(pieces.count);
            self.latest.get_or_insert(step);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn while_two_write_at_once_the_one_that_is_shown_stays_until_it_is_done() {
        let record = |event| EventRecord { at: "t".into(), story: "desk/park".into(), run: "r".into(), event };
        let (one, two) = (Step::Judge { round: 1, concern: 1 }, Step::Judge { round: 1, concern: 2 });
        let mut live = Live::default();
        for step in [one, two] {
            let [agent, model, host] = ["fact_check", "m", "h"].map(str::to_owned);
            live.happened(&record(Event::CallStarted { step, attempt: 1, agent, model, host }));
        }
        assert_eq!(live.latest, None);
        for step in [two, one, two, one] {
            live.heard(step, &"x".into());
            assert_eq!(live.latest, Some(two));
        }
        live.happened(&record(Event::StepDone { step: two, summary: "KEEP".into() }));
        assert_eq!(live.latest, Some(one));
        live.happened(&record(Event::StepDone { step: one, summary: "KEEP".into() }));
        assert_eq!(live.latest, None);
    }
}
