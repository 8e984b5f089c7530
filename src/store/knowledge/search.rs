//! Candidates for a query, and what is known of them.

use async_trait::async_trait;
use rusqlite::{Row, params_from_iter, types::Value};
use sha2::{Digest, Sha256};

use super::{
    Place,
    shelf::slice,
    vectors::{product, signs},
};
use crate::{
    newsroom::{PathName, StoryKey, Tier},
    ports::{
        Area, Candidates, DenseHit, Filter, Index, Request, Span, Stock, StoreError, StoredPassage, StoryText, TextHit,
    },
    store::{Store, session::Session},
};

/// Candidates by sign that are compared anew by their floats. Its cost grows with the number; at 160 none of the best ten was missed.
const NEAREST: u32 = 160;

#[async_trait]
impl Index for Store {
    async fn candidates(&self, requests: Vec<Request>) -> Result<Vec<Candidates>, StoreError> {
        self.read(move |session| {
            session.forget_what_changed()?;
            // Questions that come together mostly go to the same few places.
            let mut scopes: Vec<(&Area, Option<Scope>)> = Vec::new();
            let mut found = Vec::with_capacity(requests.len());
            for request in &requests {
                if scopes.iter().all(|(area, _)| **area != request.area) {
                    scopes.push((&request.area, session.scope(&request.area)?));
                }
                let scope =
                    scopes.iter().find(|(area, _)| **area == request.area).and_then(|(_, scope)| scope.as_ref());
                found
                    .push(scope.map_or_else(|| Ok(Candidates::default()), |scope| session.candidates(scope, request))?);
            }
            Ok(found)
        })
        .await
    }

    async fn passages(&self, passages: Vec<i64>) -> Result<Vec<StoredPassage>, StoreError> {
        self.read(move |session| {
            let mut found = Vec::with_capacity(passages.len());
            for passage in passages {
                session.each(
                    "SELECT passage.id, document.id, document.name, document.title, document.tier, story.channel, story.slug,
                     document.credibility, document.published, passage.heading, passage.start, passage.stop, passage.tokens
                     FROM passage JOIN document ON document.id = passage.document LEFT JOIN story ON story.id = document.story
                     WHERE passage.id = ?1",
                    [passage],
                    |row| {
                        found.push(session.columns(|| stored(row))?);
                        Ok(())
                    },
                )?;
            }
            Ok(found)
        })
        .await
    }

    async fn texts(&self, spans: Vec<Span>) -> Result<Vec<String>, StoreError> {
        self.read(move |session| {
            let mut texts = vec![String::new(); spans.len()];
            let mut order: Vec<usize> = (0..spans.len()).collect();
            // Each text is unpacked once, however many stretches of it are wanted.
            order.sort_by_key(|place| spans.get(*place).map(|span| span.document));
            let mut open: Option<(i64, String)> = None;
            for place in order {
                let Some(span) = spans.get(place) else { continue };
                if open.as_ref().is_none_or(|(document, _)| *document != span.document) {
                    // Another program may have taken it away since it was found.
                    let text = session.known_document_text(span.document)?.map_or_else(String::new, |(_, text)| text);
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
        self.read(move |session| {
            let has = |passage: &i64, words: &[String]| {
                let mut found = Vec::new();
                for word in words {
                    if session.has_word(*passage, word)? {
                        found.push(word.clone());
                    }
                }
                Ok(found)
            };
            asked.iter().map(|(passages, words)| passages.iter().map(|passage| has(passage, words)).collect()).collect()
        })
        .await
    }

    async fn stock(&self) -> Result<Stock, StoreError> {
        self.read(|session| {
            let (files, story_texts, without_vector, refused): (i64, i64, i64, i64) = session.sql(|connection| {
                connection.query_row(
                    "SELECT (SELECT count(*) FROM document WHERE story IS NULL), (SELECT count(*) FROM document WHERE story IS NOT NULL),
                     (SELECT count(*) FROM passage WHERE embedded = 0), (SELECT count(*) FROM passage WHERE embedded = 3)",
                    [],
                    |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)),
                )
            })?;
            let whole = |number: i64| u64::try_from(number).unwrap_or(0);
            Ok(Stock {
                files: whole(files),
                passages: whole(session.tally(Place::Knowledge)?),
                story_texts: whole(story_texts),
                story_passages: whole(session.tally(Place::Story)?),
                without_vector: whole(without_vector),
                refused: whole(refused),
                embedder: session.embedder()?,
            })
        })
        .await
    }

    async fn version(&self) -> Result<String, StoreError> {
        self.read(|session| {
            let mut digest = Sha256::new();
            digest.update(session.setting("knowledge.chunking")?.unwrap_or_default());
            digest.update([0]);
            digest.update(
                session.embedder()?.map_or_else(String::new, |(identity, length)| format!("{length} {identity}")),
            );
            for file in session.knowledge_files()? {
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
    place: Place,
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

impl Session {
    /// None where there is nothing to search.
    fn scope(&self, area: &Area) -> Result<Option<Scope>, StoreError> {
        let (story, texts) = match area {
            Area::Knowledge => {
                return Ok(Some(Scope {
                    place: Place::Knowledge,
                    story: None,
                    documents: None,
                    tiers: Vec::new(),
                    passages: None,
                }));
            }
            Area::Stories { tiers } => {
                return Ok(Some(Scope {
                    place: Place::Story,
                    story: None,
                    documents: None,
                    tiers: tiers.clone(),
                    passages: None,
                }));
            }
            Area::Story { story, texts } => (story, texts),
        };
        let Some(story) = self.story_id(&story.folded())? else { return Ok(None) };
        let mut documents: Vec<i64> = Vec::new();
        self.each("SELECT id, tier, name, digest FROM document WHERE story = ?1", [story], |row| {
            let wanted = self.columns(|| {
                let (tier, name, digest) =
                    (row.get_ref(1)?.as_str()?, row.get_ref(2)?.as_str()?, row.get_ref(3)?.as_str()?);
                let is = |text: &StoryText| text.tier.name() == tier && text.name == name && text.digest == digest;
                Ok(texts.as_ref().is_none_or(|texts| texts.iter().any(is)))
            })?;
            if wanted {
                documents.push(self.columns(|| row.get(0))?);
            }
            Ok(())
        })?;
        let mut passages: Option<(i64, i64)> = None;
        for document in &documents {
            // A text's passages were put in together, so that their keys are neighbours.
            self.each("SELECT min(id), max(id) FROM passage WHERE document = ?1", [document], |row| {
                if let (Some(first), Some(last)) = self.columns(|| Ok((row.get(0)?, row.get(1)?)))? {
                    passages = Some(
                        passages.map_or((first, last), |known: (i64, i64)| (known.0.min(first), known.1.max(last))),
                    );
                }
                Ok(())
            })?;
        }
        let known = passages.is_some();
        Ok(known.then_some(Scope {
            place: Place::Story,
            story: Some(story),
            documents: Some(documents),
            tiers: Vec::new(),
            passages,
        }))
    }

    fn candidates(&self, scope: &Scope, request: &Request) -> Result<Candidates, StoreError> {
        let text = self.found_before(request, || match self.expression(scope.place, &request.words)? {
            Some(expression) => self.by_words(scope, &request.filter, &expression, request.most),
            None => Ok(Vec::new()),
        })?;
        let dense = match &request.vector {
            Some(vector) => self.by_vector(scope, &request.filter, vector, request.most)?,
            None => Vec::new(),
        };
        Ok(Candidates { text, dense })
    }

    fn by_words(
        &self,
        scope: &Scope,
        filter: &Filter,
        expression: &str,
        most: usize,
    ) -> Result<Vec<TextHit>, StoreError> {
        let name = scope.place.name();
        let between = if scope.passages.is_some() { "AND rowid BETWEEN ?2 AND ?3" } else { "" };
        let limit = i64::try_from(most).unwrap_or(i64::MAX);
        // By the function and not by FTS5's column `rank`, which sorts every match with all its places before the first is cut off.
        let find = |limit: i64| -> Result<Vec<TextHit>, StoreError> {
            let mut parameters = vec![Value::Text(expression.to_owned())];
            if let Some((first, last)) = scope.passages {
                parameters.extend([Value::Integer(first), Value::Integer(last)]);
            }
            let mut hits = Vec::new();
            self.each(
                // The limit stands in the statement: where it is a parameter, SQLite prepares the statement anew each time.
                &format!(
                    "SELECT rowid, bm25({name}_fts, 2.0, 1.0) AS score FROM {name}_fts WHERE {name}_fts MATCH ?1 {between}
                     ORDER BY score LIMIT {limit}"
                ),
                params_from_iter(parameters),
                |row| {
                    let (passage, rank): (i64, f64) = self.columns(|| Ok((row.get(0)?, row.get(1)?)))?;
                    hits.push(TextHit { passage, score: -rank });
                    Ok(())
                },
            )?;
            Ok(hits)
        };
        // The best are taken first and looked at then, since a look at every passage that has one of the words takes far longer. Only
        // where too many of them do not count, all are ranked.
        let ranked = find(limit)?;
        let all = ranked.len() < most;
        let mut hits = self.counting(scope, filter, ranked, |hit| hit.passage)?;
        if !all && hits.len() < most {
            hits = self.counting(scope, filter, find(i64::MAX)?, |hit| hit.passage)?;
        }
        hits.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.passage.cmp(&b.passage)));
        hits.truncate(most);
        Ok(hits)
    }

    fn by_vector(
        &self,
        scope: &Scope,
        filter: &Filter,
        vector: &[f32],
        most: usize,
    ) -> Result<Vec<DenseHit>, StoreError> {
        if self.embedder()?.is_none_or(|(_, length)| length != vector.len()) {
            return Ok(Vec::new());
        }
        let signs = signs(vector);
        let nearest = match (scope.place, scope.story) {
            (Place::Knowledge, _) => self.nearest_of_knowledge(&signs, NEAREST, filter.min_credibility)?,
            (Place::Story, story) => self.nearest_of_stories(&signs, NEAREST, story)?,
        };
        let mut hits: Vec<DenseHit> = Vec::new();
        for id in nearest {
            self.each("SELECT passage, vector FROM embedding WHERE id = ?1", [id], |row| {
                let passage: i64 = self.columns(|| row.get(0))?;
                let similarity = self.columns(|| Ok(product(row.get_ref(1)?.as_blob()?, vector)))?;
                hits.push(DenseHit { passage, similarity });
                Ok(())
            })?;
        }
        hits.sort_by(|a, b| b.similarity.total_cmp(&a.similarity).then(a.passage.cmp(&b.passage)));
        // The nearest part speaks for its passage.
        let mut seen = std::collections::HashSet::new();
        hits.retain(|hit| seen.insert(hit.passage));
        let mut hits = self.counting(scope, filter, hits, |hit| hit.passage)?;
        hits.truncate(most);
        Ok(hits)
    }

    /// Those of `hits` whose texts count.
    fn counting<T>(
        &self,
        scope: &Scope,
        filter: &Filter,
        hits: Vec<T>,
        passage: fn(&T) -> i64,
    ) -> Result<Vec<T>, StoreError> {
        let mut kept = Vec::with_capacity(hits.len());
        for hit in hits {
            let mut counts = false;
            self.each(
                "SELECT document.id, document.tier, document.credibility, document.published
                 FROM passage JOIN document ON document.id = passage.document WHERE passage.id = ?1",
                [passage(&hit)],
                |row| {
                    counts = self.columns(|| {
                        let published = row.get_ref(3)?.as_str_or_null()?;
                        Ok(scope.holds(row.get(0)?, row.get_ref(1)?.as_str()?) && filter.admits(row.get(2)?, published))
                    })?;
                    Ok(())
                },
            )?;
            if counts {
                kept.push(hit);
            }
        }
        Ok(kept)
    }
}

fn stored(row: &Row<'_>) -> rusqlite::Result<StoredPassage> {
    let whole = |column: usize| row.get::<_, i64>(column).map(|number| u64::try_from(number).unwrap_or(0));
    let (channel, slug): (Option<String>, Option<String>) = (row.get(5)?, row.get(6)?);
    let story = channel
        .zip(slug)
        .and_then(|(channel, slug)| Some(StoryKey::new(PathName::new(channel).ok()?, PathName::new(slug).ok()?)));
    Ok(StoredPassage {
        id: row.get(0)?,
        document: row.get(1)?,
        name: row.get(2)?,
        title: row.get(3)?,
        tier: Tier::by_name(row.get_ref(4)?.as_str()?).unwrap_or_default(),
        story,
        credibility: row.get(7)?,
        published: row.get(8)?,
        heading: row.get(9)?,
        start: whole(10)?,
        end: whole(11)?,
        tokens: whole(12)?,
    })
}
