//! The facts about the open story and its gate that decisions need.

use crate::{
    app::model::Model,
    screens::{forms::purpose::DecisionPoint, story::model::StoryView},
};
use copydesk_core::editorial::{choices::GateSeen, decisions};
use copydesk_newsroom::{Choice, Journal, Wait};

/// The gate or sign-off at which the open story waits.
pub(crate) fn place(model: &Model) -> Option<(DecisionPoint, &StoryView)> {
    let view = model.story.as_deref()?;
    let seen = GateSeen::of(&view.journal, view.waits()?);
    Some((DecisionPoint { run: view.key, story: view.journal.opening.topic.story(), seen }, view))
}

/// The concern whose open verdict is overruled when a finding is accepted.
pub(crate) fn overruled_with(journal: &Journal, wait: Wait, finding: u32) -> Option<u32> {
    match decisions::accepting(journal, wait, finding, String::new()) {
        Choice::Override { concern, .. } => Some(concern),
        _ => None,
    }
}

/// The name under which a hand edit is saved while it is typed.
pub(crate) fn kept_name(round: u32) -> String {
    format!("r{round}.edit")
}
