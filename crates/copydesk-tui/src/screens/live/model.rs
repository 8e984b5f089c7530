//! The calls that have begun and not ended, with the text that has arrived. Nothing here is committed; committed results come
//! from the journal.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::app::unread::UnreadPieces;
use crate::screens::live::streaming::Streaming;
use copydesk_newsroom::{Event, EventRecord, Step};

#[derive(Debug, Clone)]
pub struct OnItsWay {
    pub attempt: u32,
    pub agent: String,
    pub model: String,
    /// The host that sees the text.
    pub host: String,
    /// When it began: ISO 8601, UTC.
    pub since: String,
    pub text: Streaming,
    /// Pieces that have arrived: about one per token.
    pub pieces: usize,
    /// When the first of them came.
    pub writes_since: Option<Timestamp>,
    /// Why the previous attempt failed.
    pub trouble: Option<String>,
}

/// The running calls of one run.
#[derive(Debug, Clone, Default)]
pub struct Live {
    pub calls: BTreeMap<Step, OnItsWay>,
    /// The step that is shown. It stays until it is done, also if other calls write meanwhile.
    pub latest: Option<Step>,
}

impl Live {
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
                    text: Streaming::new(*step),
                    pieces: 0,
                    writes_since: None,
                    trouble,
                };
                self.calls.insert(*step, call);
            }
            Event::CallFailed { step, message, again_in_seconds, .. } => {
                if let Some(call) = self.calls.get_mut(step) {
                    let again =
                        again_in_seconds.map_or_else(String::new, |seconds| format!(" (next try in {seconds} s)"));
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

    /// Takes in pieces of an answer.
    pub fn heard(&mut self, step: Step, pieces: &UnreadPieces, now: Timestamp) {
        if let Some(call) = self.calls.get_mut(&step).filter(|_| pieces.count > 0) {
            call.text.push(&pieces.text);
            call.pieces = call.pieces.saturating_add(pieces.count);
            call.writes_since.get_or_insert(now);
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
            live.heard(step, &"x".into(), Timestamp::UNIX_EPOCH);
            assert_eq!(live.latest, Some(two));
        }
        live.happened(&record(Event::StepDone { step: two, summary: "KEEP".into() }));
        assert_eq!(live.latest, Some(one));
        live.happened(&record(Event::StepDone { step: one, summary: "KEEP".into() }));
        assert_eq!(live.latest, None);
    }
}
