//! The requests for a story's Proof page: a proof, and the passage of the selected row.

use std::sync::Arc;

use crate::{
    app::{effects::Effect, messages::Request, model::Model},
    screens::story::model::StoryView,
};

/// Asks for the proof of the shown draft, once.
pub(crate) fn prove(story: &mut StoryView) -> Vec<Effect> {
    let round = story.round;
    if story.journal.draft(round).is_none() || !story.proof.ask(round) {
        return Vec::new();
    }
    vec![Effect::Ask(Request::Prove { key: story.key, journal: Arc::clone(&story.journal), round })]
}

/// Enter: opens the passage of the selected row.
pub(crate) fn to_passage(model: &mut Model) -> Vec<Effect> {
    let Some(story) = model.story.as_deref_mut() else { return Vec::new() };
    if story.proof.count() == 0 {
        return Vec::new();
    }
    if story.proof.has_passage() {
        story.proof.show_passage();
    } else {
        model.warn("no matching passage for this row; the Source pane has the whole source");
    }
    Vec::new()
}
