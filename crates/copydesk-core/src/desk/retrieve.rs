//! A task's questions, each with its best passages, and the union of these under a budget of tokens.

use super::{Desk, DeskError};
use crate::ports::{Area, Filter, Found, Hit, Query, StoreError};
use copydesk_newsroom::{Failure, Journal, LookUp, Outcome, Passage};

/// Passages behind `known` ones, without those that lie within one of these.
pub(super) fn behind(known: &[Passage], passages: Vec<Passage>) -> Vec<Passage> {
    let within = |inner: &Passage| {
        let same = |outer: &&Passage| outer.tier == inner.tier && outer.file == inner.file;
        known.iter().filter(same).any(|outer| outer.start <= inner.start && inner.end <= outer.end)
    };
    let new: Vec<Passage> = passages.into_iter().filter(|passage| !within(passage)).collect();
    known.iter().cloned().chain(new).collect()
}

/// Why nothing was retrieved.
#[derive(Debug)]
pub(super) enum NotRetrieved {
    /// It took longer than `knowledge_base.timeout_seconds`.
    TimedOut,
    Store(StoreError),
}

/// The texts that a story's tasks search: its own sources, indexed, and the knowledge base.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Reach {
    areas: [Area; 2],
    /// Tokens of the story's whole sources.
    source_tokens: u64,
}

impl Desk {
    /// Makes sure that a story's sources are indexed: once a task, however many questions it has.
    pub(super) async fn reach(&self, journal: &Journal) -> Result<Reach, NotRetrieved> {
        let story = journal.opening.topic.story();
        let work = async {
            let (texts, source_tokens) = self.passages.shelve_sources(journal).await?;
            let sources = Area::Story { story, texts: Some(texts) };
            Ok(Reach { areas: [sources, Area::Knowledge], source_tokens })
        };
        self.in_time(1, work).await
    }

    /// The passages within reach that bear on each of several tasks' questions. The tasks are asked together, and have the time of all of
    /// them together.
    pub(super) async fn retrieve(&self, reach: &Reach, tasks: &[Vec<String>]) -> Result<Vec<LookUp>, NotRetrieved> {
        let work = async {
            let mut queries = Vec::new();
            for text in tasks.iter().flatten() {
                // Each witness is asked by itself, so that neither pushes the other out.
                queries.extend(reach.areas.iter().map(|area| Query {
                    text: text.clone(),
                    areas: vec![area.clone()],
                    // A page that the story rests on is searched, however weak it is: it may contradict a better one.
                    filter: match area {
                        Area::Story { .. } => Filter::default(),
                        _ => Filter { min_credibility: self.retrieval.min_credibility, ..Filter::default() },
                    },
                    count: self.retrieval.top_k,
                }));
            }
            let mut found = self.passages.search_each(&queries).await?.into_iter();
            Ok(tasks
                .iter()
                .map(|task| self.united(reach, found.by_ref().take(task.len() * reach.areas.len())))
                .collect())
        };
        self.in_time(tasks.len(), work).await
    }

    /// Unites the finds for one task.
    fn united(&self, reach: &Reach, found: impl Iterator<Item = Found>) -> LookUp {
        let mut union = Union::default();
        let (mut words_only, mut degraded) = (None, false);
        for found in found {
            words_only = words_only.or(found.words_only);
            degraded |= found.degraded;
            let words = found.words;
            found.hits.into_iter().filter(|hit| bears(hit, words)).for_each(|hit| union.add(hit));
        }
        let (passages, tokens) = union.within(self.retrieval.budget_tokens);
        let (retrieved_tokens, source_tokens) = (Some(tokens), Some(reach.source_tokens));
        LookUp { passages, retrieved_tokens, source_tokens, words_only, degraded, ..LookUp::default() }
    }

    /// The outcome of a step for which nothing was retrieved.
    pub(super) fn not_retrieved(&self, why: NotRetrieved) -> Result<Outcome, DeskError> {
        match why {
            NotRetrieved::Store(error) => Err(error.into()),
            NotRetrieved::TimedOut => Ok(Outcome::Failure(Failure::of(format!(
                "the knowledge base gave no answer within {} s (knowledge_base.timeout_seconds)",
                self.retrieval.timeout.as_secs_f64()
            )))),
        }
    }

    async fn in_time<T>(
        &self,
        tasks: usize,
        work: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, NotRetrieved> {
        let limit = self.retrieval.timeout.saturating_mul(u32::try_from(tasks).unwrap_or(u32::MAX));
        match tokio::time::timeout(limit, work).await {
            Ok(done) => done.map_err(NotRetrieved::Store),
            Err(_) => Err(NotRetrieved::TimedOut),
        }
    }
}

/// Whether a passage bears on a question of `words` words: it has a third of them, and at least two of several, or is near it in meaning.
/// A search always finds something; a passage that shares one word with a claim says nothing of it.
fn bears(hit: &Hit, words: usize) -> bool {
    let shared = hit.text.as_ref().map_or(0, |text| text.words.len());
    let by_words = shared > 0 && shared >= words.min(2) && shared.saturating_mul(3) >= words;
    by_words || hit.dense.is_some_and(|dense| dense.similarity >= NEAR)
}

/// Cosine similarity from which on two texts are near: below it, vectors of this class find mere neighbours of the subject.
const NEAR: f64 = 0.5;

/// The hits of several questions, each passage once.
#[derive(Default)]
struct Union(Vec<Hit>);

impl Union {
    /// A passage that lies in another, or holds it, is that one.
    fn add(&mut self, hit: Hit) {
        let same = |known: &Hit| {
            known.passage.file == hit.passage.file
                && known.passage.tier == hit.passage.tier
                && known.passage.start < hit.passage.end
                && hit.passage.start < known.passage.end
        };
        let within = |inner: &Hit, outer: &Hit| {
            outer.passage.start <= inner.passage.start && inner.passage.end <= outer.passage.end
        };
        for known in self.0.iter_mut().filter(|known| same(known)) {
            if within(&hit, known) {
                known.score = known.score.max(hit.score);
                return;
            }
            if within(known, &hit) {
                let score = known.score.max(hit.score);
                *known = Hit { score, ..hit };
                return;
            }
        }
        self.0.push(hit);
    }

    /// The best that fit; the best of all always does. With the tokens that they take.
    fn within(mut self, budget: u64) -> (Vec<Passage>, u64) {
        // Of equally good passages the sources come first: they were asked first, and the sort keeps the order.
        self.0.sort_by(|a, b| b.score.total_cmp(&a.score));
        let mut tokens = 0;
        let mut passages = Vec::new();
        for hit in self.0 {
            if passages.is_empty() || tokens + hit.tokens <= budget {
                tokens += hit.tokens;
                passages.push(hit.passage);
            }
        }
        (passages, tokens)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ports::{DenseMatch, TextMatch};

    fn hit(file: &str, span: (u64, u64), tokens: u64, score: f64) -> Hit {
        Hit {
            passage: Passage { file: file.into(), start: span.0, end: span.1, ..Passage::default() },
            title: String::new(),
            story: None,
            tokens,
            score,
            text: None,
            dense: None,
        }
    }

    #[test]
    fn the_union_has_each_passage_once_and_keeps_to_its_budget() {
        let mut union = Union::default();
        union.add(hit("a", (0, 100), 50, 0.5));
        union.add(hit("b", (0, 100), 60, 0.9));
        union.add(hit("a", (0, 300), 150, 0.8));
        union.add(hit("a", (10, 20), 5, 1.0));
        union.add(hit("c", (0, 10), 5, 0.1));
        let (passages, tokens) = union.within(210);
        let places: Vec<String> = passages.iter().map(Passage::citation).collect();
        assert_eq!(places, ["a, bytes 0-300", "b, bytes 0-100"]);
        assert_eq!(tokens, 210);
        let mut large = Union::default();
        large.add(hit("a", (0, 9), 9000, 0.5));
        assert_eq!(large.within(100).1, 9000, "one passage is better than none");
    }

    #[test]
    fn what_shares_one_word_with_a_claim_does_not_bear_on_it() {
        let with = |words: &[&str], similarity: Option<f64>| {
            let words = words.iter().map(|word| (*word).to_owned()).collect();
            let mut hit = hit("a", (0, 9), 3, 1.0);
            hit.text = Some(TextMatch { rank: 1, score: 3.0, words });
            hit.dense = similarity.map(|similarity| DenseMatch { rank: 1, similarity });
            hit
        };
        assert!(bears(&with(&["council"], None), 1));
        assert!(!bears(&with(&["council"], None), 2));
        assert!(bears(&with(&["council", "park"], None), 6));
        assert!(!bears(&with(&["council", "park"], None), 7));
        assert!(!bears(&with(&[], None), 0));
        assert!(bears(&with(&[], Some(0.6)), 9) && !bears(&with(&["park"], Some(0.4)), 9));
    }
}
