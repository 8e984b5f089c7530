//! Makes the vectors of passages that have none yet, a batch at a time.

use std::sync::Arc;

use super::chunking;
use copydesk_core::ports::{ChildVector, EmbedError, Embedder, Occasion, Shelf, Stock, StoreError, Unembedded};
use copydesk_text::{count, sanitise};

/// Passages that get their vectors in one transaction. An interruption loses no more than these.
const BATCH: usize = 64;

#[derive(Debug, thiserror::Error)]
pub enum VectorError {
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The embedder failed. Vectors made before are kept.
    #[error("{0} (the search still matches by words; run `copydesk kb index` to continue)")]
    Embedder(#[from] EmbedError),
    /// Another program has switched the index to another embedder.
    #[error(
        "another copydesk now makes vectors with another embedder, so this one stopped: give both the same knowledge_base.embedding, \
         then run `copydesk kb index`"
    )]
    TakenOver,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Embedded {
    /// Passages that got vectors.
    pub passages: usize,
    /// One message for each text with passages that the embedder refused. They are not tried again.
    pub problems: Vec<String>,
}

/// The number of passages that still need a vector: all, if the index holds another embedder's vectors.
pub fn waiting(stock: &Stock, embedder: &dyn Embedder) -> usize {
    let its_own = stock.embedder.as_ref().is_some_and(|(identity, _)| identity == embedder.identity());
    let waiting = if its_own { stock.without_vector } else { stock.passages + stock.story_passages };
    usize::try_from(waiting).unwrap_or(usize::MAX)
}

/// Gives vectors to every passage that has none, after forgetting those of another embedder. `progress` is called with how many passages are
/// done. If this is interrupted, the next time continues. A passage that the embedder refuses does not hold up the others.
///
/// # Errors
/// [`VectorError`]; passages done before keep their vectors.
pub async fn embed_all(
    shelf: &dyn Shelf,
    embedder: &Arc<dyn Embedder>,
    progress: &(dyn Fn(usize) + Send + Sync),
) -> Result<Embedded, VectorError> {
    let elsewhere = embedder.is_elsewhere();
    let waits = shelf.spare_confidential(embedder.identity(), elsewhere).await?;
    // Another machine that has nothing to do is asked for nothing.
    if elsewhere && !waits {
        return Ok(Embedded::default());
    }
    // The length of the vectors is known only from a vector.
    let length = probe(embedder).await?;
    shelf.set_embedder(embedder.identity(), length).await?;
    shelf.spare_confidential(embedder.identity(), elsewhere).await?;
    let mut done = 0;
    let mut refused = Vec::new();
    loop {
        let waiting = shelf.unembedded(BATCH).await?;
        if waiting.is_empty() {
            return Ok(Embedded { passages: done, problems: sentences(&refused) });
        }
        // A story's passages are sent by themselves, on its occasion alone.
        let mut left: Vec<&[Unembedded]> = waiting.chunk_by(|one, next| one.story == next.story).rev().collect();
        while let Some(some) = left.pop() {
            let theirs = match vectors(embedder, some).await {
                Ok(vectors) => {
                    done += some.len();
                    shelf.keep_vectors(embedder.identity(), vectors).await?
                }
                Err(error) if !error.may_lie_in_a_text() => return Err(error.into()),
                Err(error) => match (some, some.split_at_checked(some.len() / 2)) {
                    ([guilty], _) => {
                        // If the embedder fails at a plain word, too, this passage is not the cause.
                        probe(embedder).await?;
                        refused.push((guilty.name.clone(), error));
                        shelf.note_refused(embedder.identity(), guilty.passage).await?
                    }
                    (_, halves) => {
                        left.extend(halves.into_iter().flat_map(|(first, second)| [second, first]));
                        continue;
                    }
                },
            };
            if !theirs {
                return Err(VectorError::TakenOver);
            }
            progress(done + refused.len());
        }
    }
}

/// The length of the embedder's vectors.
async fn probe(embedder: &Arc<dyn Embedder>) -> Result<usize, EmbedError> {
    Ok(embedder.embed(vec!["length".to_owned()]).await?.first().map_or(0, Vec::len))
}

/// The vectors of each part of the passages. The title comes before each part, because a part may not name its subject.
async fn vectors(embedder: &Arc<dyn Embedder>, waiting: &[Unembedded]) -> Result<Vec<ChildVector>, EmbedError> {
    let (passages, texts): (Vec<i64>, Vec<String>) = waiting
        .iter()
        .flat_map(|passage| chunking::children(&passage.text).into_iter().map(move |part| (passage, part)))
        .map(|(passage, part)| (passage.passage, format!("{}\n{part}", passage.title)))
        .unzip();
    let made = embedder.embed(texts);
    let vectors = match waiting.first().and_then(|passage| passage.story.clone().map(|story| (story, &passage.secrecy)))
    {
        None => made.await?,
        Some((story, secrecy)) => {
            let books = Occasion::now().and_then(|now| now.books.clone());
            let why = "vectors of its texts".to_owned();
            Occasion { story: Some(story), secrecy: secrecy.clone(), why, books }.during(made).await?
        }
    };
    Ok(passages.into_iter().zip(vectors).map(|(passage, vector)| ChildVector { passage, vector }).collect())
}

/// One message for each text, with the reason that its first passage was refused for.
fn sentences(refused: &[(String, EmbedError)]) -> Vec<String> {
    let mut texts: Vec<(&str, &EmbedError, usize)> = Vec::new();
    for (name, error) in refused {
        match texts.iter_mut().find(|(known, ..)| known == name) {
            Some((.., passages)) => *passages += 1,
            None => texts.push((name, error, 1)),
        }
    }
    let sentence = |(name, error, passages): (&str, &EmbedError, usize)| {
        format!(
            "{}: {} got no vectors: {error}; the search finds them by their words, until the text changes or you configure another embedder",
            sanitise::one_line(name),
            count(passages, "passage")
        )
    };
    texts.into_iter().map(sentence).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use async_trait::async_trait;

    use super::*;
    use copydesk_core::ports::{CallError, Index as _, KnowledgeFile, NewDocument, NewPassage};
    use copydesk_newsroom::Tier;
    use copydesk_store::Store;

    type Answer = fn(usize, &[String]) -> Result<usize, EmbedError>;

    /// An embedder whose answer, the length of its vectors, is scripted by the number of earlier calls and the texts.
    struct Scripted {
        answer: Answer,
        asked: Mutex<Vec<usize>>,
    }

    #[async_trait]
    impl Embedder for Scripted {
        fn identity(&self) -> &'static str {
            "scripted"
        }

        async fn embed(&self, texts: Vec<String>) -> Result<Vec<Vec<f32>>, EmbedError> {
            let mut asked = self.asked.lock().unwrap();
            let length = (self.answer)(asked.len(), &texts)?;
            asked.push(texts.len());
            let mut vector = vec![0.0; length];
            vector[0] = 1.0;
            Ok(vec![vector; texts.len()])
        }
    }

    fn scripted(answer: Answer) -> Arc<dyn Embedder> {
        Arc::new(Scripted { answer, asked: Mutex::default() })
    }

    fn refusal(status: u16) -> EmbedError {
        let (host, message) = ("bge".into(), "no".into());
        EmbedError::Call(CallError::Status { host, status, message, retry_after: None })
    }

    /// Refuses each text with the word `poison`.
    fn refuses_poison(_: usize, texts: &[String]) -> Result<usize, EmbedError> {
        if texts.iter().any(|text| text.contains("poison")) { Err(refusal(400)) } else { Ok(8) }
    }

    fn store() -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("copydesk.db")).unwrap();
        (folder, store)
    }

    async fn put(store: &Store, name: &str, lines: &[String]) {
        let text = lines.concat();
        let mut start = 0;
        let passages = lines.iter().map(|line| {
            let passage = NewPassage { start, end: start + line.len() as u64, heading: String::new(), tokens: 3 };
            start = passage.end;
            passage
        });
        let document = NewDocument {
            passages: passages.collect(),
            name: name.into(),
            tier: Tier::Knowledge,
            text,
            ..NewDocument::default()
        };
        let file = KnowledgeFile { path: name.into(), size: 1, modified: 1, digest: name.into() };
        store.index_file(file, document).await.unwrap();
    }

    async fn stand(store: &Store) -> (u64, u64) {
        let stock = store.stock().await.unwrap();
        (stock.without_vector, stock.refused)
    }

    #[tokio::test]
    async fn a_passage_that_is_refused_is_told_of_and_all_others_get_their_vectors() {
        let (_folder, store) = store();
        let lines = |poison: &[usize]| -> Vec<String> {
            (0..100).map(|n| if poison.contains(&n) { format!("poison {n}.") } else { format!("Line {n}.") }).collect()
        };
        put(&store, "minutes.txt", &lines(&[3, 70])).await;
        put(&store, "notes.txt", &lines(&[99])).await;
        let told = Mutex::new(0);
        let done = embed_all(&store, &scripted(refuses_poison), &|done| *told.lock().unwrap() = done).await.unwrap();
        let rest = "the search finds them by their words, until the text changes or you configure another embedder";
        let no = "the embedder (knowledge_base.embedding): bge answered 400: no";
        let problems = [
            format!("minutes.txt: 2 passages got no vectors: {no}; {rest}"),
            format!("notes.txt: 1 passage got no vectors: {no}; {rest}"),
        ];
        assert_eq!(done, Embedded { passages: 197, problems: problems.to_vec() });
        assert_eq!((stand(&store).await, told.into_inner().unwrap()), ((0, 3), 200));
        // The next time nothing is left to do.
        let done = embed_all(&store, &scripted(refuses_poison), &|_| {}).await.unwrap();
        assert_eq!(done, Embedded::default());
    }

    #[tokio::test]
    async fn an_embedder_that_fails_at_every_text_ends_the_work_and_nothing_is_marked() {
        let answers: [Answer; 4] = [
            // From the first batch on: the server's own trouble; refusals of whatever it is asked; another model.
            |before, _| if before < 2 { Ok(8) } else { Err(refusal(503)) },
            |before, _| if before < 2 { Ok(8) } else { Err(refusal(401)) },
            |before, _| if before < 2 { Ok(8) } else { Err(refusal(400)) },
            |before, _| {
                if before < 2 { Ok(8) } else { Err(EmbedError::Dimension { from: "bge".into(), was: 8, is: 16 }) }
            },
        ];
        for answer in answers {
            let (_folder, store) = store();
            put(&store, "minutes.txt", &(0..100).map(|n| format!("Line {n}.")).collect::<Vec<_>>()).await;
            let failed = embed_all(&store, &scripted(answer), &|_| {}).await.unwrap_err();
            assert!(matches!(failed, VectorError::Embedder(_)), "{failed}");
            assert_eq!(stand(&store).await, (36, 0), "what was done before stays");
        }
    }

    #[tokio::test]
    async fn one_that_another_took_the_place_of_stops() {
        let (_folder, store) = store();
        put(&store, "minutes.txt", &["The council met.".into()]).await;
        // Its server has another model now, of the same name.
        let failed = embed_all(&store, &scripted(|before, _| Ok(if before == 0 { 8 } else { 16 })), &|_| {}).await;
        assert!(matches!(failed, Err(VectorError::TakenOver)), "{failed:?}");
        assert_eq!(stand(&store).await, (1, 0));
    }
}
