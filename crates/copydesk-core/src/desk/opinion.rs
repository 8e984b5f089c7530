//! The proof of a draft, and the opinions of models on the sentences that it does not call matching.

use std::sync::Arc;

use super::{Desk, work::by_rules};
use crate::{
    agents::{notes_without_model, without_answer},
    ports::{self, aside},
};
use copydesk_newsroom::{Doubt, Failure, Journal, Opinions, Outcome, Proof, Step, Writing};
use copydesk_proof as proof;

impl Desk {
    /// Proves the draft of a step. The entailment model, if there is one, then weighs the doubtful sentences. None if there is no draft.
    pub(super) async fn prove(&self, journal: Arc<Journal>, step: Step) -> Option<Box<Outcome>> {
        let mut outcome = by_rules(Arc::clone(&self.agents), Arc::clone(&journal), step).await?;
        let asks = journal.opening.second_opinion || self.entailment.is_some();
        if let Outcome::Proof(Proof { kept: Some(kept), .. }) = &mut *outcome
            && asks
        {
            let ledger = kept.ledger.clone();
            let doubts = move || -> Option<Vec<Doubt>> {
                let article = &journal.draft(step.round())?.article;
                Some(proof::doubts(article, &journal.sources(), &ledger))
            };
            // Without its doubts a proof is whole.
            kept.doubts = aside(doubts).await.ok().flatten().unwrap_or_default();
            if let Some(entailment) = self.entailment.as_ref().filter(|_| !kept.doubts.is_empty()) {
                kept.opinions = Some(ports::opinions(&**entailment, &kept.doubts).await);
            }
        }
        Some(outcome)
    }
}

/// Whether a run continues without a step that fails. So it does without opinions, without the notes of the Publisher's model, and without
/// anything that the writer is asked once more.
pub(super) fn is_optional(step: Step) -> bool {
    matches!(step, Step::Opinion { .. } | Step::Prepare { .. } | Step::Write(Writing::Mend(_) | Writing::Again))
}

/// Returns the outcome of a step that is given up.
pub(super) fn given_up(journal: &Journal, step: Step, failure: Failure) -> Outcome {
    match step {
        Step::Opinion { .. } => Outcome::Opinions(Opinions { problem: Some(failure.message), ..Opinions::default() }),
        Step::Prepare { round } => match notes_without_model(journal, round, &failure.message) {
            Some(notes) => Outcome::Prepared(notes),
            None => Outcome::Failure(failure),
        },
        step => without_answer(journal, step).unwrap_or(Outcome::Failure(failure)),
    }
}
