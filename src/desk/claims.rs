//! The claims of a draft, checked: each with its best passage, how like that is, and what speaks against it.
//!
//! Similarity alone passes 40 of 100 false sentences (measured on 883 pairs that differ in one thing), so a claim is verified only where
//! its passage is similar *and* the proof finds nothing against it.

use std::{collections::HashSet, ops::Range};

use super::{Desk, DeskError, retrieve::NotRetrieved};
use crate::{
    editorial::conflict,
    newsroom::{
        Claim, ClaimRules, Claims, Failure, Journal, Outcome, Passage, SimilarityMeasure, Source, Stance, Tier, Witness,
    },
    proof::{self, Testimony},
    text::overlap::{nearest_sentences, stems},
};

/// Most claims of a draft that are checked: an article has some thirty.
const MOST: usize = 200;

/// Most passages that are asked what they say of a claim.
const WITNESSES: usize = 6;

impl Desk {
    /// Checks the claims of the draft of `round`.
    pub(super) async fn check_claims(
        &self,
        journal: &Journal,
        round: u32,
        rules: ClaimRules,
    ) -> Result<Outcome, DeskError> {
        let Some(draft) = journal.draft(round) else { return Ok(Outcome::Claims(Claims::default())) };
        let (article, sources) = (draft.article.clone(), journal.opening.sources());
        let held_against = sources.clone();
        let body = article.articleBody.clone();
        // Rules over a large source take a while: not on the thread that serves every story.
        let checkable = move || {
            let ledger = proof::ledger(&article, &held_against, proof::Gravity::Concern);
            proof::checkable(&article, &ledger)
        };
        let Ok(mut checkable) = tokio::task::spawn_blocking(checkable).await else {
            let message = "the proof broke off over the draft's claims; please report this with the topic".to_owned();
            return Ok(Outcome::Failure(Failure { message }));
        };
        checkable.truncate(MOST);
        if checkable.is_empty() {
            return Ok(Outcome::Claims(Claims::default()));
        }
        let refused = |why: NotRetrieved| match why {
            NotRetrieved::Store(error) => Err(error.into()),
            NotRetrieved::TimedOut => Ok(super::look_up::timed_out(self.retrieval.timeout)),
        };
        let reach = match self.reach(&journal.opening.topic.story(), &sources).await {
            Ok(reach) => reach,
            Err(why) => return refused(why),
        };
        let mut claims = Vec::with_capacity(checkable.len());
        for checkable in checkable {
            let text = body.get(checkable.range.clone()).unwrap_or_default().to_owned();
            let found = match self.retrieve(&reach, std::slice::from_ref(&text)).await {
                Ok(found) => found.passages,
                Err(why) => return refused(why),
            };
            let best = best(&text, &found);
            let (witnesses, carried) = self.witnesses(&text, found).await;
            let resolved = conflict::resolve(rules.conflict_resolution, &witnesses);
            // What the sources lack, the knowledge base may have.
            let clean = checkable.findings.is_empty() || (checkable.only_missing && carried);
            let prevails = resolved.as_ref().is_none_or(|resolved| resolved.prevails == Some(Stance::Carries));
            claims.push(Claim {
                start: checkable.range.start,
                end: checkable.range.end,
                text,
                passage: best.as_ref().map(|best| best.passage.clone()),
                similarity: best.as_ref().map(|best| best.share),
                measure: SimilarityMeasure::Words,
                findings: if clean { Vec::new() } else { checkable.findings },
                witnesses: if resolved.is_some() { witnesses } else { Vec::new() },
                resolved,
                verified: clean && prevails,
            });
            // The sentence is what the claim is compared with by meaning.
            if let (Some(claim), Some(best)) = (claims.last_mut(), best)
                && let Some(cosine) = self.passages.similarity(&claim.text, &best.sentence).await?
            {
                claim.similarity = Some(cosine);
                claim.measure = SimilarityMeasure::Cosine;
            }
        }
        let least = f64::from(rules.similarity) / 100.0;
        for claim in &mut claims {
            claim.verified &= claim.similarity.is_some_and(|similarity| similarity >= least);
        }
        Ok(Outcome::Claims(Claims { claims }))
    }

    /// What the passages say of a claim, one voice a text; and whether one of the knowledge base's carries it.
    async fn witnesses(&self, claim: &str, found: Vec<Passage>) -> (Vec<Witness>, bool) {
        let claim = claim.to_owned();
        let ask = move || {
            let mut witnesses: Vec<Witness> = Vec::new();
            for passage in found.into_iter().take(WITNESSES) {
                let source = Source { name: passage.file.clone(), text: passage.text.clone() };
                if let Some(Testimony { stance, note, range }) = proof::testimony(&claim, &source) {
                    witnesses.push(Witness { passage: narrowed(&passage, &range), stance, note });
                }
            }
            // A text that carries the claim in one passage is not contradicted by its other ones: these speak of something else.
            let of = |witness: &Witness| (witness.passage.tier, witness.passage.file.clone());
            let carrying: HashSet<_> =
                witnesses.iter().filter(|witness| witness.stance == Stance::Carries).map(of).collect();
            witnesses.retain(|witness| witness.stance == Stance::Carries || !carrying.contains(&of(witness)));
            witnesses
        };
        // A rule that breaks off says nothing of the claim.
        let witnesses = tokio::task::spawn_blocking(ask).await.unwrap_or_default();
        let carried = witnesses
            .iter()
            .any(|witness| witness.stance == Stance::Carries && witness.passage.tier == Tier::Knowledge);
        (witnesses, carried)
    }
}

/// The sentence of a passage that is most like a claim.
struct Best {
    passage: Passage,
    sentence: String,
    /// The share of the claim's words that it has.
    share: f64,
}

/// The best sentence of all passages; the first of those that are as good.
fn best(claim: &str, passages: &[Passage]) -> Option<Best> {
    let wanted = stems(claim);
    let mut best: Option<Best> = None;
    for passage in passages {
        let Some(near) = nearest_sentences(&wanted, &passage.text).into_iter().next() else { continue };
        if best.as_ref().is_none_or(|best| near.share > best.share) {
            let sentence = passage.text.get(near.range.clone()).unwrap_or_default().to_owned();
            best = Some(Best { passage: narrowed(passage, &near.range), sentence, share: near.share });
        }
    }
    best
}

/// A stretch of a passage as a passage: what decides stands by itself, at its own place, however long the text is that it was found in.
fn narrowed(passage: &Passage, range: &Range<usize>) -> Passage {
    let text = passage.text.get(range.clone()).unwrap_or_default().to_owned();
    let start = passage.start + range.start as u64;
    Passage { start, end: start + text.len() as u64, text, ..passage.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_is_held_beside_the_sentence_that_is_most_like_it() {
        let passage = |text: &str| Passage { text: text.into(), start: 100, end: 200, ..Passage::default() };
        let passages = [
            passage("The park is old. It rained."),
            passage("On Monday the council met. The council voted to close the park."),
        ];
        let best = best("The council votes to close the parks.", &passages).unwrap();
        assert_eq!(best.sentence, "The council voted to close the park.");
        assert!(best.share > 0.99, "{}", best.share);
        let place = (best.passage.start, best.passage.end, best.passage.text.as_str());
        assert_eq!(place, (127, 163, "The council voted to close the park."));
        assert!(super::best("Nothing like it.", &passages).is_none());
    }
}
