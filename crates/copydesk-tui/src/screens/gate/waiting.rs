//! The facts about the open story and its gate that decisions need.

use crate::app::Model;
use crate::screens::forms::DecisionPoint;
use crate::screens::story::StoryView;
use copydesk_core::editorial::choices::GateSeen;

/// The gate or sign-off at which the open story waits.
pub(crate) fn place(model: &Model) -> Option<(DecisionPoint, &StoryView)> {
    let view = model.story.as_deref()?;
    let seen = GateSeen::of(&view.journal, view.waits()?);
    Some((DecisionPoint { run: view.key, story: view.journal.opening.topic.story(), seen }, view))
}

/// The name under which a hand edit is saved while it is typed.
pub(crate) fn kept_name(round: u32) -> String {
    format!("r{round}.edit")
}
