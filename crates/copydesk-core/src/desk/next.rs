//! Chooses the next step of a run from its journal alone.

use crate::editorial::next_steps::next_steps;
use copydesk_newsroom::{Journal, Step};

/// The first ready step that is not `in_hand`; of the concerns only the first `specialists` open ones are worked on at once.
pub(super) fn next(journal: &Journal, specialists: usize, in_hand: impl Fn(Step) -> bool) -> Option<Step> {
    let mut concerns = Vec::new();
    next_steps(journal).into_iter().find(|step| {
        if let Some(concern) = step.concern() {
            if !concerns.contains(&concern) {
                concerns.push(concern);
            }
            if concerns.len() > specialists {
                return false;
            }
        }
        !in_hand(*step)
    })
}

/// Whether an agent does the step: then it may take a while.
pub(super) fn is_an_agents(step: Step) -> bool {
    match step {
        Step::Plan
        | Step::Turn { .. }
        | Step::Tool { .. }
        | Step::Coverage { .. }
        | Step::Triage { .. }
        | Step::Draft
        | Step::Write(_)
        | Step::Prove { .. }
        | Step::Opinion { .. }
        | Step::Sections { .. }
        | Step::ReviewSection { .. }
        | Step::Review { .. }
        | Step::Map { .. }
        | Step::Questions { .. }
        | Step::Search { .. }
        | Step::Judge { .. }
        | Step::Revise { .. } => true,
        Step::Parse { .. }
        | Step::Dossier
        | Step::LookUp { .. }
        | Step::Open { .. }
        | Step::Decide { .. }
        | Step::Claims { .. }
        | Step::Prepare { .. }
        | Step::Gate { .. }
        | Step::Feedback { .. }
        | Step::Publish => false,
    }
}
