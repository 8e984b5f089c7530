//! The proof of a draft, and what models think of the sentences that it does not call matching.

use std::sync::Arc;

use super::{Desk, work::by_rules};
use crate::{
    newsroom::{Doubt, Journal, Outcome, Step},
    ports, proof,
};

impl Desk {
    /// Proves the draft of a step. The entailment model, if there is one, then weighs what is in doubt. None if there is no draft.
    pub(super) async fn prove(&self, journal: Arc<Journal>, step: Step) -> Option<Box<Outcome>> {
        let mut outcome = by_rules(Arc::clone(&self.agents), Arc::clone(&journal), step).await?;
        if let (Outcome::Proof(proof), Some(entailment)) = (&mut *outcome, &self.entailment)
            && let Some(kept) = &mut proof.kept
        {
            let ledger = kept.ledger.clone();
            let doubts = move || -> Option<Vec<Doubt>> {
                let article = &journal.draft(step.round())?.article;
                Some(proof::doubts(article, &journal.opening.sources(), &ledger))
            };
            // Without its doubts a proof is whole.
            kept.doubts = tokio::task::spawn_blocking(doubts).await.ok().flatten().unwrap_or_default();
            if !kept.doubts.is_empty() {
                kept.opinions = Some(ports::opinions(&**entailment, &kept.doubts).await);
            }
        }
        Some(outcome)
    }
}
