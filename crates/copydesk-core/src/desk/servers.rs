//! Learns the state of servers from the calls to them.

use std::time::Duration;

use super::{Desk, DeskError, calls::LONGEST_WAIT};
use crate::ports::{CallError, ServerDid, ServerNews};
use copydesk_newsroom::{Agent, Answer, Step};

impl Desk {
    /// Returns what a call says about its server, and whether the step waits for that server. It waits if the server is
    /// left alone from now on and, as far as can be told, the step did not cause the failure.
    pub(super) async fn hear(
        &self,
        step: Step,
        asked: Agent,
        result: &Result<Answer, CallError>,
    ) -> Result<(Option<ServerNews>, bool), DeskError> {
        let server = self.model.card(asked).host;
        let (what, parks) = match result {
            Ok(answer) => {
                let usage = answer.usage.prompt_tokens.zip(answer.usage.completion_tokens);
                let tokens = usage.map(|(sent, received)| sent.saturating_add(received));
                (ServerDid::Answered { step, tokens }, false)
            }
            Err(error) => {
                if let Some(wait) = error.retry_after().filter(|wait| *wait <= LONGEST_WAIT) {
                    (ServerDid::Busy { until: self.milliseconds_after(wait) }, false)
                } else if error.is_the_servers() {
                    let at_most = self.queue_rules.breaker.failures;
                    let failing = self.queue.failing(&server, self.milliseconds_after(Duration::ZERO)).await?;
                    let down = at_most > 0 && failing.failures.saturating_add(1) >= at_most;
                    // A server that rested and breaks down again over this call may do so over each delivery of it.
                    let parks = down && !(failing.probed && error.may_be_the_prompts());
                    (ServerDid::Failed { error: error.to_string() }, parks)
                } else {
                    return Ok((None, false));
                }
            }
        };
        Ok((Some(ServerNews { server, what }), parks))
    }
}
