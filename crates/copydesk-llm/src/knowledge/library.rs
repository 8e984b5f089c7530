//! The search that the desk uses. It joins matches by words and by vectors, merges neighbouring passages, and says for each hit why it
//! was found.

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
    chunking::{Chunking, CutText},
    ranking::{By, ParsedQuery, RankedQuery, Ranking, hits, rank},
    words,
};
use copydesk_core::ports::{
    CallError, EmbedError, Embedder, Found, Hit, Index, NewDocument, Passages, Query, Shelf, ShelvedText, StoreError,
    StoryText,
};
use copydesk_newsroom::{StoryKey, Tier};

/// Texts whose vectors are cached: a claim is searched for in several places and then compared with its passage.
const REMEMBERED: NonZeroUsize = NonZeroUsize::new(64).unwrap();

/// How long a search waits for its vector, and how long an embedder that failed is not asked again. So no story waits
/// for a server that is busy or gone.
const PATIENCE: Duration = Duration::from_secs(5);
const REST: Duration = Duration::from_mins(1);

/// If more than one in this many passages has no vector yet, the search matches by words alone; otherwise the passages with vectors would
/// displace the others.
const FEW: u64 = 20;
/// This many passages may always lack a vector: they are a story's own texts, whose vectors come in a moment.
const A_FEW: u64 = 32;

/// The search over an index.
pub struct Library {
    index: Arc<dyn Index>,
    shelf: Arc<dyn Shelf>,
    open: Open,
    embedder: OnceCell<Result<Option<Arc<dyn Embedder>>, EmbedError>>,
    recent: Mutex<LruCache<String, Vec<f32>>>,
    /// When the embedder failed last, and why.
    failed: Mutex<Option<(Instant, NoVector)>>,
    /// How the stories' texts are cut.
    pub(super) sources: Chunking,
}

/// Why a text has no vector.
#[derive(Debug, Clone, thiserror::Error)]
enum NoVector {
    #[error(transparent)]
    Embed(#[from] EmbedError),
    #[error("the embedder did not answer within {} s", PATIENCE.as_secs())]
    Late,
}

/// Opens the embedder, if one is configured. The first search calls it, so that a program that searches nothing reads no model.
pub type Open = Box<dyn Fn() -> BoxFuture<'static, Result<Option<Arc<dyn Embedder>>, EmbedError>> + Send + Sync>;

impl Library {
    /// A search of `index`, which `shelf` fills; `sources` says how the stories' texts are cut.
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

    /// The embedder; none if none is configured.
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
            By::Words => ParsedQuery { words: words::of_query(&query.text), ..ParsedQuery::default() },
            By::Vectors => ParsedQuery { words: Vec::new(), ..self.asked(&query.text).await? },
            By::Both => self.asked(&query.text).await?,
        };
        let wanted = RankedQuery { query, asked: &asked, count: query.count };
        let passages = rank(&*self.index, &[wanted]).await?.into_iter().flatten().collect();
        Ok(Ranking { passages, words_only: asked.words_only })
    }

    /// The query's words, and its vector if the index holds this embedder's vectors. An embedder that fails does not stop the search.
    async fn asked(&self, text: &str) -> Result<ParsedQuery, StoreError> {
        let words = words::of_query(text);
        let alone = |why: String| ParsedQuery { words: words.clone(), words_only: Some(why), ..ParsedQuery::default() };
        let degraded = |why: String| ParsedQuery { degraded: true, ..alone(why) };
        let embedder = match self.embedder().await {
            Ok(Some(embedder)) => embedder,
            Ok(None) => return Ok(alone("Found by words, not by meaning: no model for that is configured".into())),
            Err(error) => return Ok(degraded(format!("Matched by words alone: {error}"))),
        };
        let anothers =
            "Matched by words alone: the index has vectors of another embedding model; run `copydesk kb index`";
        let stock = self.index.stock().await?;
        let length = match &stock.embedder {
            Some((identity, length)) if identity == embedder.identity() => *length,
            Some(_) => return Ok(degraded(anothers.into())),
            None => {
                return Ok(alone("Matched by words alone: there are no vectors yet; run `copydesk kb index`".into()));
            }
        };
        if words.is_empty() {
            return Ok(ParsedQuery::default());
        }
        let (waiting, all) = (stock.without_vector, stock.passages + stock.story_passages);
        if waiting > (all / FEW).max(A_FEW) {
            return Ok(alone(format!(
                "Found by words, not by meaning: {waiting} of {all} passages are not ready for that yet"
            )));
        }
        match self.vectors(&**embedder, [text]).await {
            // A server may have loaded another model under the same name.
            Ok([vector]) if vector.len() != length => Ok(degraded(anothers.into())),
            Ok([vector]) => {
                let words_only = (waiting > 0).then(|| {
                    format!("{waiting} passages are not ready for the search by meaning; they are found by words")
                });
                Ok(ParsedQuery { vector: Some(vector), words, words_only, degraded: false })
            }
            Err(why) => Ok(degraded(format!("Matched by words alone: {why}"))),
        }
    }

    /// The vectors of texts, from the cache if they were made a moment ago.
    async fn vectors<const N: usize>(
        &self,
        embedder: &dyn Embedder,
        texts: [&str; N],
    ) -> Result<[Vec<f32>; N], NoVector> {
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
        let answer = tokio::time::timeout(PATIENCE, embedder.embed(unknown.clone())).await;
        let made = match answer.map_or(Err(NoVector::Late), |made| made.map_err(NoVector::Embed)) {
            Ok(made) => made,
            // The embedder is not at fault if a story must not send its text.
            Err(why @ NoVector::Embed(EmbedError::Call(CallError::Withheld(_)))) => return Err(why),
            Err(why) => {
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
}

#[async_trait]
impl Passages for Library {
    async fn search_each(&self, queries: &[Query]) -> Result<Vec<Found>, StoreError> {
        let mut asked: Vec<ParsedQuery> = Vec::with_capacity(queries.len());
        for (place, query) in queries.iter().enumerate() {
            // A text that is searched for in several places is parsed once.
            let before = place.checked_sub(1).and_then(|before| Some((queries.get(before)?, asked.get(before)?)));
            let same = before.filter(|(before, _)| before.text == query.text).map(|(_, same)| same.clone());
            asked.push(match same {
                Some(same) => same,
                None => self.asked(&query.text).await?,
            });
        }
        let hits = hits(&*self.index, queries, &asked).await?;
        let found = |(hits, asked): (Vec<Hit>, ParsedQuery)| {
            let ParsedQuery { words, words_only, degraded, .. } = asked;
            Found { hits, words: words.len(), words_only, degraded }
        };
        Ok(hits.into_iter().zip(asked).map(found).collect())
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
        texts: &[ShelvedText],
    ) -> Result<(Vec<StoryText>, u64), StoreError> {
        let known_by = |text: &ShelvedText| StoryText {
            tier,
            name: text.name.clone(),
            digest: hex::encode(Sha256::digest(&text.text)),
        };
        let keys: Vec<StoryText> = texts.iter().map(known_by).collect();
        let known = self.shelf.story_texts(story, keys.clone()).await?;
        let mut tokens = 0;
        for (ShelvedText { name, text, credibility, published }, key) in texts.iter().zip(&keys) {
            if let Some((_, known)) = known.iter().find(|(known, _)| known == key) {
                tokens += known;
                continue;
            }
            let CutText { text, tokens: own, passages } = self.sources.cut_off_thread(name, text.clone()).await?;
            let document = NewDocument {
                title: name.clone(),
                name: name.clone(),
                tier,
                credibility: *credibility,
                published: published.clone(),
                digest: key.digest.clone(),
                tokens: own,
                text,
                passages,
                ..NewDocument::default()
            };
            tokens += own;
            self.shelf.index_story_text(story, document).await?;
        }
        Ok((keys, tokens))
    }
}
