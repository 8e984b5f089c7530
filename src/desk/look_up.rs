//! What the house knows before a specialist is asked: the institutional memory first, then the knowledge base (docs/reference/contract.md).

use std::time::Duration;

use sha2::{Digest, Sha256};

use super::{Desk, DeskError, retrieve::NotRetrieved};
use crate::{
    agents::{self, Agents},
    editorial::{expiry, memory_key, questions},
    newsroom::{
        Agent, EvidenceRecord, FactCheckRecord, Failure, Journal, LookUp, MemoryRecord, Outcome, Specialist, Verdict,
    },
};

/// What is looked up.
#[derive(Clone, Copy)]
pub(super) struct LookUpSubject<'j> {
    specialist: Specialist,
    claim: &'j str,
    /// What a model wrote to be asked, if one did.
    questions: &'j [String],
}

impl<'j> LookUpSubject<'j> {
    /// Of a concern that is mapped.
    pub(super) fn of(journal: &'j Journal, round: u32, concern: u32) -> Option<Self> {
        let concerns = &journal.concerns(round)?.concerns;
        Some(Self {
            specialist: agents::specialist_of(journal, round, concern)?,
            claim: &concerns.iter().find(|candidate| candidate.concern_id == concern)?.excerpt,
            questions: journal.questions(round, concern).unwrap_or_default(),
        })
    }

    /// What is asked of the passages, the claim itself first: what a model wrote, else what the rule makes of the claim.
    fn asked(&self) -> Vec<String> {
        if self.questions.is_empty() {
            return questions::of_claim(self.claim);
        }
        let claim = self.claim.trim();
        let others = self.questions.iter().filter(|question| *question != claim).cloned();
        Some(claim.to_owned()).filter(|claim| !claim.is_empty()).into_iter().chain(others).collect()
    }
}

/// What the memory says to a claim.
pub(super) struct Recalled {
    normalized_query: String,
    model_name: String,
    kb_index_version: Option<String>,
    cache_key_hash: String,
    remembered: Option<MemoryRecord>,
}

impl Recalled {
    /// Whether nobody is to be asked: the memory has an answer, or nothing is left of the claim.
    pub(super) fn needs_nobody(&self) -> bool {
        self.remembered.is_some() || self.normalized_query.is_empty()
    }
}

impl Desk {
    /// Asks the memory. `pending` are records that the next commit makes.
    pub(super) async fn recall(
        &self,
        journal: &Journal,
        LookUpSubject { specialist, claim, .. }: LookUpSubject<'_>,
        pending: &[MemoryRecord],
    ) -> Result<Recalled, DeskError> {
        let searches = specialist == Specialist::EvidenceFinding;
        let asked = if searches { Agent::EvidenceSearch } else { Agent::Specialist(specialist) };
        let model_name = match *self.agents {
            Agents::Offline => "offline".to_owned(),
            Agents::Models { .. } => self.model.card(asked).model,
        };
        let kb_index_version = if searches { None } else { Some(witnesses(&self.passages.version().await?, journal)) };
        let normalized_query = memory_key::normalise(claim);
        let cache_key_hash =
            memory_key::cache_key_hash(specialist.name(), &normalized_query, &model_name, kb_index_version.as_deref());
        let fresh = pending.iter().rev().find(|record| record.cache_key_hash() == cache_key_hash).cloned();
        let remembered = match fresh {
            // A claim of which nothing is left once it is normalised is no claim to remember.
            _ if normalized_query.is_empty() => None,
            Some(record) => Some(record),
            None => {
                let since = expiry::since(self.clock.now(), self.memory_expires_after_days);
                self.memory.recall(&cache_key_hash, since.as_deref()).await?
            }
        };
        Ok(Recalled { normalized_query, model_name, kb_index_version, cache_key_hash, remembered })
    }

    /// Looks a concern's claim up.
    pub(super) async fn look_up(
        &self,
        journal: &Journal,
        subject: LookUpSubject<'_>,
        pending: &[MemoryRecord],
    ) -> Result<Outcome, DeskError> {
        let Recalled { normalized_query, model_name, kb_index_version, cache_key_hash, remembered } =
            self.recall(journal, subject, pending).await?;
        let mut asked = Vec::new();
        let mut retrieved = None;
        if remembered.is_none() && subject.specialist == Specialist::FactCheck {
            asked = subject.asked();
            let story = journal.opening.topic.story();
            let work = async {
                let reach = self.reach(&story, &journal.opening.sources()).await?;
                self.retrieve(&reach, std::slice::from_ref(&asked)).await
            };
            retrieved = match work.await {
                Ok(mut retrieved) => retrieved.pop(),
                Err(NotRetrieved::Store(error)) => return Err(error.into()),
                Err(NotRetrieved::TimedOut) => {
                    return Ok(timed_out(self.retrieval.timeout));
                }
            };
        }
        let (retrieved_tokens, source_tokens) =
            retrieved.as_ref().map(|retrieved| (retrieved.tokens, retrieved.source_tokens)).unzip();
        let retrieved = retrieved.unwrap_or_default();
        Ok(Outcome::LookUp(LookUp {
            query: subject.claim.to_owned(),
            normalized_query,
            model_name,
            kb_index_version,
            cache_key_hash,
            remembered,
            passages: retrieved.passages,
            questions: asked,
            retrieved_tokens,
            source_tokens,
            words_only: retrieved.words_only,
            degraded: retrieved.degraded,
        }))
    }
}

/// A search that took too long.
pub(super) fn timed_out(limit: Duration) -> Outcome {
    let seconds = limit.as_secs_f64();
    Outcome::Failure(Failure::of(format!(
        "the knowledge base gave no answer within {seconds} s (knowledge_base.timeout_seconds)"
    )))
}

/// What a fact check was decided on: the knowledge base *and* the story's own sources. A verdict on one story's sources says
/// nothing about another's, so both are in the version that the memory's key carries.
fn witnesses(knowledge: &str, journal: &Journal) -> String {
    let mut digest = Sha256::new();
    digest.update(knowledge);
    for source in journal.opening.sources() {
        digest.update((source.text.len() as u64).to_be_bytes());
        digest.update(source.text);
    }
    hex::encode(digest.finalize()).chars().take(16).collect()
}

/// The record of a verdict that was looked up for and not remembered; none if nothing was looked up, or not by all the means that the
/// house has: what such a search did not find, the next one may.
pub(super) fn record(
    journal: &Journal,
    round: u32,
    verdict: &Verdict,
    prompt: &str,
    timestamp: &str,
) -> Option<MemoryRecord> {
    let concern_id = verdict.concern_id;
    let look_up = journal
        .look_up(round, concern_id)
        .filter(|look_up| look_up.remembered.is_none() && !look_up.normalized_query.is_empty() && !look_up.degraded)?;
    let article_id = journal.opening.topic.story().to_string();
    let (query, normalized_query) = (look_up.query.clone(), look_up.normalized_query.clone());
    let (model_name, cache_key_hash) = (look_up.model_name.clone(), look_up.cache_key_hash.clone());
    let timestamp = timestamp.to_owned();
    let verdict = verdict.clone();
    Some(match (&look_up.kb_index_version, journal.evidence(round, concern_id)) {
        (Some(version), _) => {
            let passages: Vec<String> =
                look_up.passages.iter().map(|passage| format!("{}\n{}", passage.citation(), passage.text)).collect();
            MemoryRecord::FactCheck(FactCheckRecord {
                timestamp,
                article_id,
                concern_id,
                prompt: prompt.to_owned(),
                query,
                normalized_query,
                model_name,
                kb_index_version: version.clone(),
                cache_key_hash,
                kb_response: passages.join("\n\n"),
                verdict,
            })
        }
        (None, Some(found)) => MemoryRecord::Evidence(EvidenceRecord {
            timestamp,
            article_id,
            concern_id,
            prompt: found.prompt.clone(),
            query,
            normalized_query,
            model_name,
            cache_key_hash,
            perplexity_response: found.response.clone(),
            citations: found.citations.clone(),
            verdict,
        }),
        (None, None) => return None,
    })
}
