//! The search as the desk has it: words and vectors, fused, neighbours as one passage, each hit with why it was found.

use std::{
    num::NonZeroUsize,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use async_trait::async_trait;
use futures_util::future::BoxFuture;
use lru::LruCache;
use sha2::{Digest, Sha256};
use tokio::sync::OnceCell;

use super::{
    chunking::{Chunking, Markup},
    fusion,
    ranking::{By, Ranked, Ranking},
    words,
};
use crate::{
    newsroom::{Passage, StoryKey, Tier},
    ports::{
        EmbedError, Embedder, Found, Hit, Index, NewDocument, Passages, Query, Request, Shelf, Span, StoreError,
        StoryText,
    },
};

/// Candidates of either kind that are fused, where fewer are wanted.
const CANDIDATES: usize = 100;

/// Most neighbouring passages that become one: more would be no passage any more.
const MOST_NEIGHBOURS: usize = 3;

/// Texts whose vectors are remembered: a claim is looked for in several places and then held beside its passage.
const REMEMBERED: NonZeroUsize = NonZeroUsize::new(64).unwrap();

/// How long a question waits for its vector, and how long an embedder that gave none is not asked again: no story is held up by a server
/// that is busy or gone.
const PATIENCE: Duration = Duration::from_secs(5);
const REST: Duration = Duration::from_mins(1);

/// While more than one of so many passages has no vector yet, words alone are compared: what has a vector would push aside what has none.
const FEW: u64 = 20;
/// So many do no harm: a story's own texts, which follow in a moment.
const A_FEW: u64 = 32;

/// Bytes of blank space that may lie between neighbours.
const GAP: u64 = 8;

/// The search over an index.
pub struct Library {
    index: Arc<dyn Index>,
    shelf: Arc<dyn Shelf>,
    open: Open,
    embedder: OnceCell<Result<Option<Arc<dyn Embedder>>, EmbedError>>,
    recent: Mutex<LruCache<String, Vec<f32>>>,
    /// When the embedder failed last, and why.
    failed: Mutex<Option<(Instant, String)>>,
    /// How the stories' texts are cut.
    sources: Chunking,
}

/// Opens the embedder, where one is configured. Done for the first question: a program that asks none need not read a model.
pub type Open = Box<dyn Fn() -> BoxFuture<'static, Result<Option<Arc<dyn Embedder>>, EmbedError>> + Send + Sync>;

/// What a query is once it is taken apart.
#[derive(Debug, Clone, Default, PartialEq)]
struct Asked {
    words: Vec<String>,
    vector: Option<Vec<f32>>,
    words_only: Option<String>,
    degraded: bool,
}

impl Library {
    /// A search of `index`, which `shelf` fills; `sources` says how the stories' texts are cut.
    #[must_use]
    pub fn new(index: Arc<dyn Index>, shelf: Arc<dyn Shelf>, open: Open, sources: Chunking) -> Self {
        Self {
            index,
            shelf,
            open,
            embedder: OnceCell::new(),
            recent: Mutex::new(LruCache::new(REMEMBERED)),
            failed: Mutex::default(),
            sources,
        }
    }

    /// How the stories' texts are cut.
    pub(super) fn chunking(&self) -> &Chunking {
        &self.sources
    }

    /// The embedder; none where full text alone serves.
    ///
    /// # Errors
    /// Why it cannot be opened.
    pub async fn embedder(&self) -> Result<Option<&Arc<dyn Embedder>>, &EmbedError> {
        self.embedder.get_or_init(&self.open).await.as_ref().map(Option::as_ref)
    }

    /// The passages of a query, best first, as they are cut.
    ///
    /// # Errors
    /// As the index.
    pub async fn ranked(&self, query: &Query, by: By) -> Result<Ranking, StoreError> {
        let asked = match by {
            By::Words => Asked { words: words::of_query(&query.text), ..Asked::default() },
            By::Vectors => Asked { words: Vec::new(), ..self.asked(&query.text).await? },
            By::Both => self.asked(&query.text).await?,
        };
        let passages = self.rank(query, &asked, query.count).await?;
        Ok(Ranking { passages, words_only: asked.words_only })
    }

    /// The words, and the vector where there is an embedder whose vectors are kept. One that fails does not stop the search.
    async fn asked(&self, text: &str) -> Result<Asked, StoreError> {
        let words = words::of_query(text);
        let alone = |why: String| Asked { words: words.clone(), words_only: Some(why), ..Asked::default() };
        let degraded = |why: String| Asked { degraded: true, ..alone(why) };
        let embedder = match self.embedder().await {
            Ok(Some(embedder)) => embedder,
            Ok(None) => return Ok(alone("no embedder is configured: full text alone".into())),
            Err(error) => return Ok(degraded(format!("{error}: full text alone"))),
        };
        let anothers = "the vectors are another embedder's, until `copydesk kb index`: full text alone";
        let stock = self.index.stock().await?;
        let length = match &stock.embedder {
            Some((identity, length)) if identity == embedder.identity() => *length,
            Some(_) => return Ok(degraded(anothers.into())),
            None => {
                return Ok(alone("there are no vectors yet: full text alone; `copydesk kb index` makes them".into()));
            }
        };
        if words.is_empty() {
            return Ok(Asked::default());
        }
        let (waiting, all) = (stock.without_vector, stock.passages + stock.story_passages);
        if waiting > (all / FEW).max(A_FEW) {
            return Ok(alone(format!(
                "{waiting} of {all} passages have no vector yet: full text alone until they have"
            )));
        }
        match self.vectors(&**embedder, [text]).await {
            // A server can have another model under the same name.
            Ok([vector]) if vector.len() != length => Ok(degraded(anothers.into())),
            Ok([vector]) => {
                let words_only = (waiting > 0)
                    .then(|| format!("{waiting} passages have no vector yet: those are found by their words alone"));
                Ok(Asked { vector: Some(vector), words, words_only, degraded: false })
            }
            Err(why) => Ok(degraded(format!("{why}: full text alone"))),
        }
    }

    /// The vectors of texts, those from memory that were asked for a moment ago. An error says why there are none.
    async fn vectors<const N: usize>(
        &self,
        embedder: &dyn Embedder,
        texts: [&str; N],
    ) -> Result<[Vec<f32>; N], String> {
        let mut vectors = {
            let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
            texts.map(|text| recent.get(text).cloned().unwrap_or_default())
        };
        let unknown: Vec<String> = texts
            .iter()
            .zip(&vectors)
            .filter(|(_, known)| known.is_empty())
            .map(|(text, _)| (*text).to_owned())
            .collect();
        if unknown.is_empty() {
            return Ok(vectors);
        }
        let failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((_, why)) = failed.filter(|(when, _)| when.elapsed() < REST) {
            return Err(why);
        }
        let made = match tokio::time::timeout(PATIENCE, embedder.embed(unknown.clone())).await {
            Ok(Ok(made)) => made,
            failed => {
                let why = match failed {
                    Ok(Err(error)) => error.to_string(),
                    _ => format!("the embedder gave a question no vector within {} s", PATIENCE.as_secs()),
                };
                *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), why.clone()));
                return Err(why);
            }
        };
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        for (vector, made) in vectors.iter_mut().filter(|known| known.is_empty()).zip(&made) {
            vector.clone_from(made);
        }
        unknown.into_iter().zip(made).for_each(|(text, made)| drop(recent.put(text, made)));
        Ok(vectors)
    }

    async fn rank(&self, query: &Query, asked: &Asked, count: usize) -> Result<Vec<Ranked>, StoreError> {
        let mut ranked: Vec<Ranked> = Vec::new();
        for area in &query.areas {
            let request = Request {
                area: area.clone(),
                filter: query.filter.clone(),
                words: asked.words.clone(),
                vector: asked.vector.clone(),
                most: CANDIDATES.max(count),
            };
            let mut fused = fusion::fuse(&self.index.candidates(request).await?);
            fused.truncate(count);
            let ids: Vec<i64> = fused.iter().map(|fused| fused.passage).collect();
            if query.areas.len() > 1 {
                // The best of an area is only the best there: beside those of another it counts as far as it answers the query.
                let words = self.index.words_in(ids.clone(), asked.words.clone()).await?;
                for (fused, words) in fused.iter_mut().zip(words) {
                    #[expect(clippy::cast_precision_loss, reason = "counts of words")]
                    let share = words.len() as f64 / asked.words.len().max(1) as f64;
                    fused.score *= fused.dense.map_or(share, |dense| dense.similarity.max(share));
                }
            }
            let passages = self.index.passages(ids).await?;
            for passage in passages {
                if let Some(fused) = fused.iter().find(|fused| fused.passage == passage.id) {
                    ranked.push(Ranked { passage, fused: fused.clone() });
                }
            }
        }
        // Of what is as good in two areas the first area's comes first.
        ranked.sort_by(|a, b| b.fused.score.total_cmp(&a.fused.score));
        ranked.truncate(count);
        Ok(ranked)
    }

    async fn hits(&self, ranked: Vec<Ranked>, words: &[String], count: usize) -> Result<Vec<Hit>, StoreError> {
        let mut groups = merge(ranked, count);
        let texts = self.index.texts(groups.iter().map(|group| group.span).collect()).await?;
        let ids: Vec<i64> = groups.iter().map(|group| group.best.passage.id).collect();
        let words = self.index.words_in(ids, words.to_vec()).await?;
        for (group, words) in groups.iter_mut().zip(words) {
            if let Some(text) = &mut group.best.fused.text {
                text.words = words;
            }
        }
        // A text that was taken away meanwhile is no hit.
        let there = groups.into_iter().zip(texts).filter(|(_, text)| !text.is_empty());
        Ok(there.map(|(group, text)| hit(group, text)).collect())
    }
}

#[async_trait]
impl Passages for Library {
    async fn search(&self, query: &Query) -> Result<Found, StoreError> {
        let asked = self.asked(&query.text).await?;
        // Neighbours become one: more are ranked than are wanted.
        let ranked = self.rank(query, &asked, query.count.saturating_mul(MOST_NEIGHBOURS)).await?;
        let hits = self.hits(ranked, &asked.words, query.count).await?;
        let Asked { words, words_only, degraded, .. } = asked;
        Ok(Found { hits, words: words.len(), words_only, degraded })
    }

    async fn similarity(&self, one: &str, other: &str) -> Result<Option<f64>, StoreError> {
        let Ok(Some(embedder)) = self.embedder().await else { return Ok(None) };
        let Ok([one, other]) = self.vectors(&**embedder, [one, other]).await else { return Ok(None) };
        Ok(Some(one.iter().zip(&other).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()))
    }

    async fn version(&self) -> Result<String, StoreError> {
        self.index.version().await
    }

    async fn shelve(
        &self,
        story: &StoryKey,
        tier: Tier,
        texts: &[(String, String)],
    ) -> Result<(Vec<StoryText>, u64), StoreError> {
        let known_by = |(name, text): &(String, String)| StoryText {
            tier,
            name: name.clone(),
            digest: hex::encode(Sha256::digest(text)),
        };
        let keys: Vec<StoryText> = texts.iter().map(known_by).collect();
        let known = self.shelf.story_texts(story, keys.clone()).await?;
        let mut tokens = 0;
        for ((name, text), key) in texts.iter().zip(&keys) {
            if let Some((_, known)) = known.iter().find(|(known, _)| known == key) {
                tokens += known;
                continue;
            }
            let document = self.cut(name, tier, text, &key.digest).await?;
            tokens += document.tokens;
            self.shelf.index_story_text(story, document).await?;
        }
        Ok((keys, tokens))
    }
}

impl Library {
    async fn cut(&self, name: &str, tier: Tier, text: &str, digest: &str) -> Result<NewDocument, StoreError> {
        let (chunking, name, text, digest) =
            (self.sources.clone(), name.to_owned(), text.to_owned(), digest.to_owned());
        let what = name.clone();
        let cut = move || {
            let passages = chunking.cut(&text, Markup::Plain)?;
            let tokens = crate::text::tokens::count(&chunking.encoding, &text);
            // A story's own sources are what the story is; what a search outside found is not.
            let credibility = if tier == Tier::Evidence { EVIDENCE } else { 1.0 };
            Ok(NewDocument {
                title: name.clone(),
                name,
                tier,
                credibility,
                published: None,
                digest,
                tokens,
                text,
                passages,
            })
        };
        let failed = |detail: String| StoreError::Unreadable { what, detail };
        match tokio::task::spawn_blocking(cut).await {
            Ok(cut) => cut.map_err(failed),
            Err(error) => Err(failed(error.to_string())),
        }
    }
}

/// How far a page is trusted that a search outside cited: less than any filter lets through that asks for trust.
const EVIDENCE: f64 = 0.5;

/// Passages that are shown as one.
struct Group {
    best: Ranked,
    span: Span,
    tokens: u64,
    members: usize,
}

/// Joins neighbours to the better one of them, until there are `count`.
fn merge(ranked: Vec<Ranked>, count: usize) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for ranked in ranked {
        let passage = &ranked.passage;
        let neighbour = groups.iter_mut().find(|group| {
            group.members < MOST_NEIGHBOURS
                && group.span.document == passage.document
                && passage.start <= group.span.end + GAP
                && group.span.start <= passage.end + GAP
        });
        if let Some(group) = neighbour {
            let whole = (group.span.end.max(passage.end)) - (group.span.start.min(passage.start));
            let apart = (group.span.end - group.span.start) + (passage.end - passage.start);
            // What they share is counted once: tokens in proportion to bytes.
            group.tokens = ((group.tokens + passage.tokens) * whole).div_ceil(apart.max(whole).max(1));
            group.span.start = group.span.start.min(passage.start);
            group.span.end = group.span.end.max(passage.end);
            group.members += 1;
        } else if groups.len() < count {
            let span = Span { document: passage.document, start: passage.start, end: passage.end };
            groups.push(Group { span, tokens: passage.tokens, members: 1, best: ranked });
        }
    }
    groups
}

fn hit(group: Group, text: String) -> Hit {
    let Ranked { passage, fused } = group.best;
    Hit {
        passage: Passage {
            file: passage.name,
            start: group.span.start,
            end: group.span.end,
            text,
            tier: passage.tier,
            heading: passage.heading,
            credibility: Some(passage.credibility),
            published: passage.published,
        },
        title: passage.title,
        story: passage.story,
        tokens: group.tokens,
        score: fused.score,
        text: fused.text,
        dense: fused.dense,
    }
}
