//! Looks concerns up before a specialist is asked: first in the institutional memory, then in the knowledge base
//! (docs/reference/contract.md).

use std::sync::Arc;

use sha2::{Digest, Sha256};
use tokio::task::JoinError;

use super::{
    Desk, DeskError,
    retrieve::{NotRetrieved, behind},
};
use crate::{
    agents::{self, Agents},
    editorial::{dated, evidence, expiry, memory_key, subject::Subject},
    ports::aside,
};
use copydesk_newsroom::{
    Agent, EvidenceRecord, FactCheckRecord, Failure, FoundSource, Journal, LookUp, MemoryRecord, Outcome, Passage,
    ResearchErrand, ResearchTurn, Specialist, Tier, Verdict,
};
use copydesk_proof as proof;
use copydesk_text::sanitise::excerpt;

/// A concern that is mapped, as it is looked up.
pub(super) struct LookUpSubject {
    round: u32,
    concern: u32,
    specialist: Specialist,
    subject: Subject,
    /// Empty if no record can be about it: the draft does not have the statement, or a search is made for a statement that is dated.
    normalized_query: String,
    model_name: String,
}

impl LookUpSubject {
    fn cache_key_hash(&self, version: Option<&str>) -> String {
        memory_key::cache_key_hash(self.specialist.name(), &self.normalized_query, &self.model_name, version)
    }

    /// Returns the questions to the passages, the sentence first: the questions that a model wrote, else those of the rule.
    fn asked(&self, journal: &Journal) -> Vec<String> {
        let written = journal.questions(self.round, self.concern).unwrap_or_default();
        if written.is_empty() {
            return self.subject.questions();
        }
        let sentence = Some(self.subject.sentence.clone()).filter(|sentence| !sentence.is_empty());
        let others = written.iter().filter(|question| **question != self.subject.sentence).cloned();
        sentence.into_iter().chain(others).collect()
    }
}

impl Desk {
    /// Returns the subject of a concern's look-up; none if the concern is not mapped.
    pub(super) fn look_up_subject(&self, journal: &Journal, round: u32, concern: u32) -> Option<LookUpSubject> {
        let specialist = agents::specialist_of(journal, round, concern)?;
        let subject = Subject::of(journal, round, concern)?;
        let searches = specialist == Specialist::EvidenceFinding;
        let asked = if searches { Agent::EvidenceSearch } else { Agent::Specialist(specialist) };
        let model_name = match *self.agents {
            Agents::Offline => "offline".to_owned(),
            Agents::Models { .. } => self.model.card(asked).model,
        };
        // A search has no version that could hold the story: on another day, such a statement is another one.
        let query = subject.query().filter(|query| !(searches && dated::is_dated(query)));
        let normalized_query = memory_key::normalise(&query.unwrap_or_default());
        Some(LookUpSubject { round, concern, specialist, subject, normalized_query, model_name })
    }

    /// Whether no agent is to be asked: the memory has an answer, or no statement of the draft is looked up.
    pub(super) async fn needs_nobody(&self, journal: &Journal, asked: &LookUpSubject) -> Result<bool, DeskError> {
        let version = witnesses(&self.passages.version().await?, journal);
        Ok(asked.subject.sentence.is_empty() || self.recall(journal, asked, Some(&version)).await?.is_some())
    }

    /// Asks the memory for a record under a version of the witnesses.
    async fn recall(
        &self,
        journal: &Journal,
        asked: &LookUpSubject,
        version: Option<&str>,
    ) -> Result<Option<MemoryRecord>, DeskError> {
        let hash = asked.cache_key_hash(version);
        // If another concern of this round has asked the same anew, this one asks anew too. Otherwise the result would depend on how many
        // specialists work at once.
        let concerns = journal.concern_list(asked.round);
        let others = concerns.iter().map(|concern| concern.concern_id).filter(|id| *id != asked.concern);
        let beside = others
            .filter_map(|id| journal.look_up(asked.round, id))
            .any(|look_up| look_up.cache_key_hash == hash && look_up.remembered.is_none());
        if asked.normalized_query.is_empty() || beside {
            return Ok(None);
        }
        let since = expiry::since(self.clock.now(), self.memory_expires_after_days);
        let found = self.memory.recall(&hash, since.as_deref()).await?;
        Ok(found.filter(|record| record.normalized_query() == asked.normalized_query))
    }

    /// Looks a concern up: in the memory; for a fact check also in the story's sources and the knowledge base.
    ///
    /// A record that rests on the story's own sources is for reruns of that story. A record that rests on the knowledge
    /// base alone serves every story. It counts, and is made, only if no source of the story speaks of the sentence,
    /// and the sentence says the same on every day.
    pub(super) async fn look_up(&self, journal: &Arc<Journal>, asked: LookUpSubject) -> Result<Outcome, DeskError> {
        let mut version = None;
        let mut found = LookUp::default();
        let mut questions = Vec::new();
        let mut remembered;
        if asked.specialist == Specialist::FactCheck {
            let knowledge = self.passages.version().await?;
            let own = witnesses(&knowledge, journal);
            remembered = self.recall(journal, &asked, Some(&own)).await?;
            version = Some(own);
            if remembered.is_none() {
                questions = asked.asked(journal);
                let Ok(beside) = beside(journal, &asked).await else { return Ok(broke_off()) };
                found = match self.passages_for(journal, &questions).await {
                    // First the passages beside the sentence, then the finds of the questions, each witness apart.
                    Ok(found) => LookUp { passages: behind(&beside, found.passages), ..found },
                    Err(why) => return self.not_retrieved(why),
                };
                if serves_every_story(&found.passages, &asked.normalized_query) {
                    remembered = self.recall(journal, &asked, Some(&knowledge)).await?;
                    version = Some(knowledge);
                }
                if remembered.is_some() {
                    found.passages.clear();
                }
            }
        } else {
            remembered = self.recall(journal, &asked, None).await?;
        }
        Ok(Outcome::LookUp(LookUp {
            query: asked.subject.shown(),
            cache_key_hash: asked.cache_key_hash(version.as_deref()),
            normalized_query: asked.normalized_query,
            model_name: asked.model_name,
            kb_index_version: version,
            remembered,
            questions,
            ..found
        }))
    }

    /// The passages of a fact check that the questions find.
    async fn passages_for(&self, journal: &Journal, questions: &[String]) -> Result<LookUp, NotRetrieved> {
        let reach = self.reach(journal).await?;
        let task = questions.to_vec();
        Ok(self.retrieve(&reach, std::slice::from_ref(&task)).await?.pop().unwrap_or_default())
    }
}

/// Returns the passages of the sources on the sentence. Without a kept ledger of the draft, the sources are read for it, away from the
/// thread that serves every story.
async fn beside(journal: &Arc<Journal>, asked: &LookUpSubject) -> Result<Vec<Passage>, JoinError> {
    let Some(place) = asked.subject.place.clone() else { return Ok(Vec::new()) };
    let (journal, round) = (Arc::clone(journal), asked.round);
    let read = move || proof::passages_of(&journal, round, &place);
    aside(read).await
}

/// Reading on another thread ended in a fault of the program.
pub(super) fn broke_off() -> Outcome {
    let message = "the reading of draft and sources broke off; please report this with the topic".to_owned();
    Outcome::Failure(Failure::of(message))
}

/// Returns the version of a fact check's witnesses, which covers the knowledge base *and* the story's own sources. A verdict on one
/// story's sources says nothing about another's, so the memory's key carries both.
fn witnesses(knowledge: &str, journal: &Journal) -> String {
    let mut digest = Sha256::new();
    digest.update(knowledge);
    for (_, text) in journal.texts() {
        digest.update((text.len() as u64).to_be_bytes());
        digest.update(text);
    }
    hex::encode(digest.finalize()).chars().take(16).collect()
}

/// The record of a verdict that was looked up for and not remembered.
///
/// There is none if nothing was looked up, or not by all the means that the house has: a later search may find more
/// than this one. There is none if a search outside was made and the story's own sources decided.
/// There is none either if the verdict quotes words that no text has, if it came after calls of tools and cites nothing, or if the story
/// keeps anything secret. `prompt` is that of the specialist; none if no model was asked in the step itself.
pub(super) fn record(
    journal: &Journal,
    round: u32,
    verdict: &Verdict,
    prompt: Option<String>,
    timestamp: &str,
) -> Option<MemoryRecord> {
    let concern_id = verdict.concern_id;
    let errand = ResearchErrand::Check { round, concern: concern_id };
    let turns: Vec<&ResearchTurn> = (1..).map_while(|turn| journal.turn(errand, turn)).collect();
    let called = turns.iter().any(|turn| !turn.calls.is_empty());
    let unsupported = called && verdict.citations.is_none();
    // A record serves other stories, and shows the words of this one in clear.
    if unsupported || evidence::is_missing(verdict) || !journal.opening.secrecy.is_none() {
        return None;
    }
    let look_up = journal
        .look_up(round, concern_id)
        .filter(|look_up| look_up.remembered.is_none() && !look_up.normalized_query.is_empty() && !look_up.degraded)?;
    let article_id = journal.opening.topic.story().to_string();
    let (query, normalized_query) = (look_up.query.clone(), look_up.normalized_query.clone());
    let model_name = look_up.model_name.clone();
    let timestamp = timestamp.to_owned();
    let cites = |cited: &dyn Fn(&String) -> bool| verdict.citations.iter().flatten().any(cited);
    let verdict = verdict.clone();
    match (&look_up.kb_index_version, journal.evidence(round, concern_id)) {
        (Some(version), _) => {
            let known = cites(&|cited| look_up.passages.iter().any(|passage| passage.citation() == *cited));
            let pages = journal.checked_pages(round, concern_id);
            let opened: Vec<&FoundSource> =
                pages.into_iter().filter(|page| cites(&|cited| page.address == *cited)).collect();
            // The version of the witnesses leaves out opened pages, so a verdict that rests on one serves no other story.
            let (version, cache_key_hash) = match own_key(journal, look_up).filter(|_| !known || !opened.is_empty()) {
                Some(own) => own,
                None => (version.clone(), look_up.cache_key_hash.clone()),
            };
            let passages = look_up.passages.iter().map(|passage| format!("{}\n{}", passage.citation(), passage.text));
            let opened = opened.into_iter().map(|page| {
                format!("{} (opened {}, SHA-256 {})\n{}", page.address, page.read_at, page.digest, page.title)
            });
            let found: Vec<String> = passages.chain(opened).collect();
            Some(MemoryRecord::FactCheck(FactCheckRecord {
                timestamp,
                article_id,
                concern_id,
                prompt: prompt.unwrap_or_else(|| asked_in(&turns)),
                query,
                normalized_query,
                model_name,
                kb_index_version: version,
                cache_key_hash,
                kb_response: found.join("\n\n"),
                verdict,
            }))
        }
        // Without a citation from the search, the story's own sources decided.
        (None, Some(found)) => cites(&|cited| found.citations.contains(cited)).then(|| {
            MemoryRecord::Evidence(EvidenceRecord {
                timestamp,
                article_id,
                concern_id,
                prompt: found.prompt.clone(),
                query,
                normalized_query,
                model_name,
                cache_key_hash: look_up.cache_key_hash.clone(),
                perplexity_response: found.response.clone(),
                citations: found.citations.clone(),
                verdict,
            })
        }),
        (None, None) => None,
    }
}

/// Most characters of a call in the prompt of a record.
const LONGEST_CALL: usize = 300;

/// The prompt of a verdict that no model was asked for in its own step.
fn asked_in(turns: &[&ResearchTurn]) -> String {
    if turns.iter().all(|turn| turn.said.is_empty()) {
        return "decided by the offline rules".to_owned();
    }
    let calls = turns.iter().flat_map(|turn| &turn.calls).map(|call| excerpt(&call.line(), LONGEST_CALL));
    let lines: Vec<String> = std::iter::once("asked in turns with tools".to_owned()).chain(calls).collect();
    lines.join("\n")
}

/// The keys under which a verdict on a look-up may be kept.
pub(super) fn keys(journal: &Journal, look_up: &LookUp) -> impl Iterator<Item = String> {
    std::iter::once(look_up.cache_key_hash.clone()).chain(own_key(journal, look_up).map(|(_, hash)| hash))
}

/// Whether a look-up with these passages is made for every story.
fn serves_every_story(passages: &[Passage], query: &str) -> bool {
    !passages.iter().any(|passage| matches!(passage.tier, Tier::Source | Tier::Found)) && !dated::is_dated(query)
}

/// Returns version and key for this story alone, of a look-up that was made for every story. A verdict that cites nothing of the
/// knowledge base is about the gaps of *these* sources.
fn own_key(journal: &Journal, look_up: &LookUp) -> Option<(String, String)> {
    let knowledge = look_up.kb_index_version.as_ref()?;
    if !serves_every_story(&look_up.passages, &look_up.normalized_query) {
        return None;
    }
    let version = witnesses(knowledge, journal);
    let agent = Specialist::FactCheck.name();
    let hash =
        memory_key::cache_key_hash(agent, &look_up.normalized_query, &look_up.model_name, Some(version.as_str()));
    Some((version, hash))
}
