//! The index's port: candidates for a query, and what is known of them.

use sha2::{Digest, Sha256};

use super::{
    around::around,
    documents::{knowledge_files, known_document_text, slice, story_id},
    fulltext::ranked,
    nearest::{nearest_of_knowledge, nearest_of_stories},
    remembering::{forget_what_changed, found_before, has_word},
    settings::{CHUNKING, embedder, setting},
    shelves::{ShelfKind, tally},
    vectors::{product, signs},
    words::looked_up,
};
use crate::prelude::*;
use copydesk_core::ports::{
    Area, Around, Candidates, Filter, Index, PassageHit, PassageRequest, Span, Stock, StoredPassage, StoryText,
};
use copydesk_newsroom::{Passage, Tier};

#[async_trait]
impl Index for Store {
    async fn candidates(&self, requests: Vec<PassageRequest>) -> Result<Vec<Candidates>, StoreError> {
        self.read(move |db| {
            forget_what_changed(db)?;
            // Questions that come together mostly go to the same few places.
            let mut scopes: Vec<(&Area, Option<Scope>)> = Vec::new();
            let mut found = Vec::with_capacity(requests.len());
            for request in &requests {
                if scopes.iter().all(|(area, _)| **area != request.area) {
                    scopes.push((&request.area, scope(db, &request.area)?));
                }
                let scope =
                    scopes.iter().find(|(area, _)| **area == request.area).and_then(|(_, scope)| scope.as_ref());
                found.push(scope.map_or_else(|| Ok(Candidates::default()), |scope| candidates(db, scope, request))?);
            }
            Ok(found)
        })
        .await
    }

    async fn passages(&self, passages: Vec<i64>) -> Result<Vec<StoredPassage>, StoreError> {
        self.read(move |db| {
            let mut found = Vec::with_capacity(passages.len());
            for passage in &passages {
                found.append(&mut db.rows(
                    "SELECT passage.id, document.id, document.name, document.title, document.tier, story.channel, story.slug,
                     document.credibility, document.published, passage.heading, passage.start, passage.stop, passage.tokens
                     FROM passage JOIN document ON document.id = passage.document LEFT JOIN story ON story.id = document.story
                     WHERE passage.id = ?1",
                    [passage],
                    stored,
                )?);
            }
            Ok(found)
        })
        .await
    }

    async fn texts(&self, spans: Vec<Span>) -> Result<Vec<String>, StoreError> {
        self.read(move |db| {
            let mut texts = vec![String::new(); spans.len()];
            let mut order: Vec<usize> = (0..spans.len()).collect();
            // Each text is unpacked once, however many stretches of it are wanted.
            order.sort_by_key(|place| spans.get(*place).map(|span| span.document));
            let mut open: Option<(i64, String)> = None;
            for place in order {
                let Some(span) = spans.get(place) else { continue };
                if open.as_ref().is_none_or(|(document, _)| *document != span.document) {
                    // Another program may have removed it since it was found.
                    let text = known_document_text(db, span.document)?.map_or_else(String::new, |(_, text)| text);
                    open = Some((span.document, text));
                }
                if let (Some((_, text)), Some(wanted)) = (&open, texts.get_mut(place)) {
                    slice(text, span.start, span.end).clone_into(wanted);
                }
            }
            Ok(texts)
        })
        .await
    }

    async fn words_in(&self, asked: Vec<(Vec<i64>, Vec<String>)>) -> Result<Vec<Vec<Vec<String>>>, StoreError> {
        self.read(move |db| {
            let has = |passage: &i64, words: &[String]| {
                let mut found = Vec::new();
                for word in words {
                    if has_word(db, *passage, word)? {
                        found.push(word.clone());
                    }
                }
                Ok(found)
            };
            asked.iter().map(|(passages, words)| passages.iter().map(|passage| has(passage, words)).collect()).collect()
        })
        .await
    }

    async fn around(
        &self,
        story: Option<&StoryKey>,
        passage: &Passage,
        most: usize,
    ) -> Result<Option<Around>, StoreError> {
        let (folded, passage) = (story.map(StoryKey::folded), passage.clone());
        self.read(move |db| around(db, folded.as_deref(), &passage, most)).await
    }

    async fn stock(&self) -> Result<Stock, StoreError> {
        self.read(|db| {
            let count = |sql: &str| db.value(&format!("SELECT count(*) FROM {sql}"), []).map(natural);
            Ok(Stock {
                files: count("document WHERE story IS NULL")?,
                passages: natural(tally(db, ShelfKind::Knowledge)?),
                story_texts: count("document WHERE story IS NOT NULL")?,
                story_passages: natural(tally(db, ShelfKind::Story)?),
                without_vector: count("passage WHERE embedded = 0")?,
                refused: count("passage WHERE embedded = 3")?,
                embedder: embedder(db)?,
            })
        })
        .await
    }

    async fn version(&self) -> Result<String, StoreError> {
        self.read(|db| {
            let mut digest = Sha256::new();
            digest.update(setting(db, CHUNKING)?.unwrap_or_default());
            digest.update([0]);
            digest.update(embedder(db)?.map_or_else(String::new, |(identity, length)| format!("{length} {identity}")));
            for file in knowledge_files(db)? {
                digest.update([0]);
                digest.update(file.path);
                digest.update([0]);
                digest.update(file.digest);
            }
            Ok(hex::encode(digest.finalize()).chars().take(16).collect())
        })
        .await
    }
}

/// An area as the tables have it.
struct Scope {
    shelf: ShelfKind,
    story: Option<i64>,
    /// Documents that count; none: all of the shelf that are of `tiers`.
    documents: Option<Vec<i64>>,
    tiers: Vec<Tier>,
    /// The first and the last passage that can count.
    passages: Option<(i64, i64)>,
}

impl Scope {
    fn holds(&self, document: i64, tier: &str) -> bool {
        self.documents.as_ref().is_none_or(|documents| documents.contains(&document))
            && (self.tiers.is_empty() || self.tiers.iter().any(|wanted| wanted.name() == tier))
    }
}

/// None if there is nothing to search.
fn scope(db: &Database, area: &Area) -> Result<Option<Scope>, DbFault> {
    let whole = |shelf, tiers| Scope { shelf, story: None, documents: None, tiers, passages: None };
    let (story, texts) = match area {
        Area::Knowledge => return Ok(Some(whole(ShelfKind::Knowledge, Vec::new()))),
        Area::Stories { tiers } => return Ok(Some(whole(ShelfKind::Story, tiers.clone()))),
        Area::Story { story, texts } => (story, texts),
    };
    let Some(story) = story_id(db, &story.folded())? else { return Ok(None) };
    let mut documents: Vec<i64> = Vec::new();
    db.each("SELECT id, tier, name, digest FROM document WHERE story = ?1", [story], |row| {
        let (tier, name, digest) = (row.get_ref(1)?.as_str()?, row.get_ref(2)?.as_str()?, row.get_ref(3)?.as_str()?);
        let is = |text: &StoryText| text.tier.name() == tier && text.name == name && text.digest == digest;
        if texts.as_ref().is_none_or(|texts| texts.iter().any(is)) {
            documents.push(row.get(0)?);
        }
        Ok(())
    })?;
    let mut passages: Option<(i64, i64)> = None;
    for document in &documents {
        // A text's passages were put in together, so that their keys are neighbours.
        let sql = "SELECT min(id), max(id) FROM passage WHERE document = ?1";
        let ends: (Option<i64>, Option<i64>) = db.first(sql, [document], |row| Ok((row.get(0)?, row.get(1)?)))?;
        if let (Some(first), Some(last)) = ends {
            passages = Some(passages.map_or((first, last), |known| (known.0.min(first), known.1.max(last))));
        }
    }
    let documents = Some(documents);
    Ok(passages.map(|_| Scope { shelf: ShelfKind::Story, story: Some(story), documents, tiers: Vec::new(), passages }))
}

fn candidates(db: &Database, scope: &Scope, request: &PassageRequest) -> Result<Candidates, DbFault> {
    let text = found_before(db, request, || {
        let words = looked_up(db, scope.shelf, &request.words)?;
        if words.is_empty() { Ok(Vec::new()) } else { by_words(db, scope, request, &words) }
    })?;
    let dense = match &request.vector {
        Some(vector) => by_vector(db, scope, request, vector)?,
        None => Vec::new(),
    };
    Ok(Candidates { text, dense })
}

fn by_words(
    db: &Database,
    scope: &Scope,
    request: &PassageRequest,
    words: &[&str],
) -> Result<Vec<PassageHit>, DbFault> {
    let PassageRequest { filter, most, .. } = request;
    let limit = i64::try_from(*most).unwrap_or(i64::MAX);
    let find = |limit| ranked(db, scope.shelf, words, scope.passages, limit);
    // The best are taken first and checked then, because checking every passage that has one of the words takes far longer. All are ranked
    // only if too many of the best do not count.
    let best = find(limit)?;
    let all = best.len() < *most;
    let mut hits = counting(db, scope, filter, best)?;
    if !all && hits.len() < *most {
        hits = counting(db, scope, filter, find(i64::MAX)?)?;
    }
    hits.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.passage.cmp(&b.passage)));
    hits.truncate(*most);
    Ok(hits)
}

fn by_vector(
    db: &Database,
    scope: &Scope,
    request: &PassageRequest,
    vector: &[f32],
) -> Result<Vec<PassageHit>, DbFault> {
    if embedder(db)?.is_none_or(|(_, length)| length != vector.len()) {
        return Ok(Vec::new());
    }
    let signs = signs(vector);
    let nearest = match (scope.shelf, scope.story) {
        (ShelfKind::Knowledge, _) => nearest_of_knowledge(db, &signs, request.filter.min_credibility)?,
        (ShelfKind::Story, story) => nearest_of_stories(db, &signs, story)?,
    };
    let mut hits: Vec<PassageHit> = Vec::new();
    for id in nearest {
        hits.append(&mut db.rows("SELECT passage, vector FROM embedding WHERE id = ?1", [id], |row| {
            Ok(PassageHit { passage: row.get(0)?, score: product(row.get_ref(1)?.as_blob()?, vector) })
        })?);
    }
    hits.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.passage.cmp(&b.passage)));
    // The nearest part speaks for its passage.
    let mut seen = std::collections::HashSet::new();
    hits.retain(|hit| seen.insert(hit.passage));
    let mut hits = counting(db, scope, &request.filter, hits)?;
    hits.truncate(request.most);
    Ok(hits)
}

/// Those of `hits` whose texts the query may find.
fn counting(db: &Database, scope: &Scope, filter: &Filter, hits: Vec<PassageHit>) -> Result<Vec<PassageHit>, DbFault> {
    let mut kept = Vec::with_capacity(hits.len());
    for hit in hits {
        let counts = db.one(
            "SELECT document.id, document.tier, document.credibility, document.published
             FROM passage JOIN document ON document.id = passage.document WHERE passage.id = ?1",
            [hit.passage],
            |row| {
                let published = row.get_ref(3)?.as_str_or_null()?;
                Ok(scope.holds(row.get(0)?, row.get_ref(1)?.as_str()?) && filter.admits(row.get(2)?, published))
            },
        )?;
        if counts == Some(true) {
            kept.push(hit);
        }
    }
    Ok(kept)
}

fn stored(row: &DbRow<'_>) -> Result<StoredPassage, DbFault> {
    let story = match (row.get(5)?, row.get(6)?) {
        (Some(channel), Some(slug)) => readable(story_key(channel, slug))?,
        _ => None,
    };
    let passage = Passage {
        file: row.get(2)?,
        start: natural(row.get(10)?),
        end: natural(row.get(11)?),
        text: String::new(),
        tier: row.get_ref(4)?.as_str()?.parse().unwrap_or_default(),
        heading: row.get(9)?,
        credibility: Some(row.get(7)?),
        published: row.get(8)?,
    };
    let (title, tokens) = (row.get(3)?, natural(row.get(12)?));
    Ok(StoredPassage { id: row.get(0)?, document: row.get(1)?, passage, title, story, tokens })
}
