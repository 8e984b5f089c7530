//! What a step comes to by the rules of the house alone: the journal says it, and nobody is asked.

use crate::{
    editorial::{bullets, decisions, report},
    newsroom::{Failure, Journal, Outcome, Publication, Step},
};

/// What `step` comes to; `now` is when. None where it is not for the rules to say, or what it is made from is not there.
pub(super) fn derived(journal: &Journal, step: Step, now: &str) -> Option<Outcome> {
    Some(match step {
        Step::Parse { round } => match bullets::parse(&journal.review(round)?.raw) {
            Ok(concerns) => Outcome::Concerns(concerns),
            Err(error) => Outcome::Failure(Failure { message: error.to_string() }),
        },
        Step::Gate { round } => Outcome::Gate(decisions::outcome(journal, round)),
        Step::Feedback { round } => Outcome::Feedback(decisions::feedback(journal, round)),
        Step::Publish => Outcome::Publication(Publication {
            generated_at: now.to_owned(),
            success: report::succeeded(journal),
            flags: report::flags(journal),
        }),
        Step::Draft
        | Step::Prove { .. }
        | Step::Review { .. }
        | Step::Map { .. }
        | Step::Questions { .. }
        | Step::LookUp { .. }
        | Step::Search { .. }
        | Step::Open { .. }
        | Step::Judge { .. }
        | Step::Decide { .. }
        | Step::Claims { .. }
        | Step::Revise { .. } => return None,
    })
}
