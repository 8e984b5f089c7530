//! Asks for proofs.

use std::sync::Arc;

use crate::tui::{
    app::{effects::Effect, messages::Request},
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
