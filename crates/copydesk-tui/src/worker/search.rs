//! Searches the index for the latest typed words, once the typing pauses. Earlier inquiries are dropped.

use std::{future, sync::Arc, time::Duration};

use tokio::{
    sync::{OnceCell, mpsc::UnboundedSender},
    time::{self, Instant},
};

use crate::app::{Inquiry, News, SearchAnswer, WantedPassage, Within};
use crate::worker::{LatestTask, WorkerContext};
use copydesk_core::ports::{Area, Filter, Found, Index, Passages, Query, RunKey, StoreError, StoryText};

/// Time without a key after which a search begins.
const PAUSE: Duration = Duration::from_millis(120);

/// Time after which a search begins even if the typing does not pause.
const LONGEST: Duration = Duration::from_millis(400);

/// How long an embedder may take before the hits by words alone are shown.
const PATIENCE: Duration = Duration::from_millis(300);

/// Most hits: a person looks through no more.
const MOST: usize = 30;

/// Most bytes that are shown before and after a passage.
const AROUND: usize = 32 * 1024;

/// A run's sources, once they are indexed.
type Sources = Arc<OnceCell<Vec<StoryText>>>;

#[derive(Default)]
pub(crate) struct Searching {
    waits: Option<Waiting>,
    /// The running search.
    at_work: LatestTask,
    /// The running read of a passage's surroundings.
    reading: LatestTask,
    /// The sources of the run that was searched last; they never change.
    sources: Option<(RunKey, Sources)>,
}

struct Waiting {
    inquiry: Box<Inquiry>,
    /// When the first key of this burst was typed.
    since: Instant,
    due: Instant,
}

impl Searching {
    /// Replaces the waiting inquiry.
    pub(crate) fn want(&mut self, inquiry: Box<Inquiry>) {
        let now = Instant::now();
        let since = self.waits.take().map_or(now, |waiting| waiting.since);
        self.waits = Some(Waiting { inquiry, since, due: (now + PAUSE).min(since + LONGEST) });
    }

    /// Returns when it is time to search; never if nothing is asked.
    pub(crate) async fn due(&self) {
        match &self.waits {
            Some(waiting) => time::sleep_until(waiting.due).await,
            None => future::pending().await,
        }
    }

    /// Searches for the latest inquiry.
    pub(crate) fn search_now(&mut self, context: &WorkerContext) {
        let Some(Waiting { inquiry, .. }) = self.waits.take() else { return };
        let sources = match &inquiry.within {
            Within::Sources { run, .. } => self.sources(*run),
            Within::Everywhere | Within::Knowledge | Within::Stories => Sources::default(),
        };
        let (tools, news) = (Arc::clone(&context.tools), context.news.clone());
        let occasion = match &inquiry.within {
            Within::Sources { journal, .. } => tools.desk.occasion(&journal.opening, "search on the screen".to_owned()),
            Within::Everywhere | Within::Knowledge | Within::Stories => tools.desk.of_house("search on the screen"),
        };
        self.at_work.start(async move {
            let found = find((&*tools.passages, &*tools.words), &*tools.index, &inquiry, &sources, &news);
            tell(&news, &inquiry, occasion.during(found).await);
        });
    }

    /// Reads the text around a passage.
    pub(crate) fn read_around(&mut self, context: &WorkerContext, wanted: Box<WantedPassage>) {
        let context = context.clone();
        self.reading.start(async move {
            let WantedPassage { ticket, story, passage } = *wanted;
            // If it cannot be read, the passage stands alone: the search itself tells the database's problem.
            let around = context.tools.index.around(story.as_ref(), &passage, AROUND).await.ok().flatten();
            context.say(News::Around { ticket, around });
        });
    }

    fn sources(&mut self, run: RunKey) -> Sources {
        let known = self.sources.take().filter(|(known, _)| *known == run);
        let (_, sources) = self.sources.insert(known.unwrap_or_else(|| (run, Sources::default())));
        Arc::clone(sources)
    }
}

fn tell(news: &UnboundedSender<News>, inquiry: &Inquiry, answer: Result<SearchAnswer, StoreError>) {
    // If the screen has ended, the news is not needed.
    let _ = news.send(News::Found { ticket: inquiry.ticket, answer: answer.map(Box::new) });
}

/// The answer. If the embedder takes long, the hits by words are told first.
async fn find(
    (passages, words): (&dyn Passages, &dyn Passages),
    index: &dyn Index,
    inquiry: &Inquiry,
    sources: &Sources,
    news: &UnboundedSender<News>,
) -> Result<SearchAnswer, StoreError> {
    let query = Query {
        text: inquiry.text.clone(),
        areas: areas(passages, &inquiry.within, sources).await?,
        filter: Filter { min_credibility: inquiry.min_credibility, ..Filter::default() },
        count: MOST,
    };
    let mut whole = passages.search(&query);
    let found = if let Ok(found) = time::timeout(PATIENCE, &mut whole).await {
        found?
    } else {
        let found = words.search(&query).await?;
        let words_only = Some("found by words; the search by meaning has not answered yet".to_owned());
        let found = Found { words_only, ..found };
        tell(news, inquiry, Ok(SearchAnswer { found, stock: index.stock().await?, goes_on: true }));
        whole.await?
    };
    Ok(SearchAnswer { found, stock: index.stock().await?, goes_on: false })
}

async fn areas(passages: &dyn Passages, within: &Within, sources: &Sources) -> Result<Vec<Area>, StoreError> {
    let stories = Area::Stories { tiers: Vec::new() };
    Ok(match within {
        Within::Everywhere => vec![Area::Knowledge, stories],
        Within::Knowledge => vec![Area::Knowledge],
        Within::Stories => vec![stories],
        Within::Sources { journal, .. } => {
            let story = journal.opening.topic.story();
            let shelved = || async { passages.shelve_sources(journal).await.map(|(texts, _)| texts) };
            let sources = sources.get_or_try_init(shelved).await?;
            vec![Area::Story { story, texts: Some(sources.clone()) }]
        }
    })
}

#[cfg(test)]
mod tests {
    use async_trait::async_trait;
    use tokio::sync::mpsc;

    use super::*;
    use crate::app::ticket::Ticket;
    use copydesk_newsroom::Journal;
    use copydesk_newsroom::StoryKey;
    use copydesk_newsroom::Tier;

    fn inquiry(text: &str) -> Inquiry {
        let (ticket, text) = (Ticket::default(), text.to_owned());
        Inquiry { ticket, text, within: Within::Everywhere, min_credibility: 0.7 }
    }

    #[tokio::test(start_paused = true)]
    async fn it_is_searched_where_the_typing_pauses_and_at_the_latest_after_a_while() {
        let mut searching = Searching::default();
        let moment = Duration::from_millis(1);
        let almost = PAUSE.saturating_sub(moment);
        assert!(time::timeout(LONGEST * 10, searching.due()).await.is_err(), "nothing is asked");
        searching.want(Box::new(inquiry("p")));
        assert!(time::timeout(almost, searching.due()).await.is_err());
        searching.want(Box::new(inquiry("pa")));
        assert!(time::timeout(almost, searching.due()).await.is_err(), "a key has come since");
        time::timeout(moment * 2, searching.due()).await.unwrap();
        let began = Instant::now();
        let mut searching = Searching::default();
        while time::timeout(Duration::from_millis(50), async {
            searching.want(Box::new(inquiry("park")));
            searching.due().await;
        })
        .await
        .is_err()
        {}
        assert_eq!(began.elapsed(), LONGEST, "somebody who never pauses");
        assert_eq!(searching.waits.map(|waiting| waiting.inquiry.text), Some("park".to_owned()));
    }

    /// Finds as many words as it has milliseconds to wait, which says which of two it is.
    struct Slow(u64);

    #[async_trait]
    impl Passages for Slow {
        async fn search(&self, query: &Query) -> Result<Found, StoreError> {
            time::sleep(Duration::from_millis(self.0)).await;
            if query.text == "broken" {
                return Err(StoreError::Failed { file: "copydesk.db".into(), detail: "it is full".into() });
            }
            Ok(Found { words: usize::try_from(self.0).unwrap() + query.areas.len(), ..Found::default() })
        }

        async fn search_each(&self, _: &[Query]) -> Result<Vec<Found>, StoreError> {
            unreachable!("the screen asks one question at a time")
        }

        async fn similarity(&self, _: &str, _: &str) -> Result<Option<f64>, StoreError> {
            Ok(None)
        }

        async fn version(&self) -> Result<String, StoreError> {
            Ok(String::new())
        }

        async fn shelve(
            &self,
            _: &StoryKey,
            tier: Tier,
            texts: &[copydesk_core::ports::ShelvedText],
        ) -> Result<(Vec<StoryText>, u64), StoreError> {
            Ok((texts.iter().map(|text| known_as(tier, &text.name)).collect(), 1))
        }
    }

    fn known_as(tier: Tier, name: &str) -> StoryText {
        StoryText { tier, name: name.to_owned(), digest: String::new() }
    }

    async fn found(slow: u64, inquiry: &Inquiry) -> (Vec<(usize, bool)>, Result<(usize, bool), StoreError>) {
        let folder = tempfile::tempdir().unwrap();
        let store = copydesk_store::Store::open(&folder.path().join("copydesk.db")).unwrap();
        let (tell, mut news) = mpsc::unbounded_channel();
        let said = |answer: SearchAnswer| (answer.found.words, answer.goes_on);
        let last = find((&Slow(slow), &Slow(1)), &store, inquiry, &Sources::default(), &tell).await.map(said);
        let mut first = Vec::new();
        while let Ok(News::Found { answer, .. }) = news.try_recv() {
            first.push(said(*answer.unwrap()));
        }
        (first, last)
    }

    #[tokio::test(start_paused = true)]
    async fn an_embedder_that_takes_long_is_not_waited_for() {
        assert_eq!(found(200, &inquiry("park")).await, (vec![], Ok((202, false))));
        assert_eq!(found(5_000, &inquiry("park")).await, (vec![(3, true)], Ok((5_002, false))));
        for slow in [200, 5_000] {
            let (first, last) = found(slow, &inquiry("broken")).await;
            assert!(first.is_empty() && last.unwrap_err().to_string().contains("it is full"));
        }
    }

    #[tokio::test]
    async fn a_place_to_search_is_its_areas() {
        let journal = Arc::new(Journal::new(copydesk_core::editorial::testing::opening()));
        let sources = journal.sources();
        let texts = sources.iter().map(|source| known_as(Tier::Source, &source.name)).collect();
        let story = journal.opening.topic.story();
        let stories = Area::Stories { tiers: vec![] };
        for (within, wanted) in [
            (Within::Everywhere, vec![Area::Knowledge, stories.clone()]),
            (Within::Knowledge, vec![Area::Knowledge]),
            (Within::Stories, vec![stories]),
            (Within::Sources { run: RunKey(1), journal }, vec![Area::Story { story, texts: Some(texts) }]),
        ] {
            assert_eq!(areas(&Slow(0), &within, &Sources::default()).await.unwrap(), wanted);
        }
    }

    #[test]
    fn the_sources_of_a_run_are_indexed_once() {
        let mut searching = Searching::default();
        let first = searching.sources(RunKey(1));
        assert!(Arc::ptr_eq(&first, &searching.sources(RunKey(1))));
        let other = searching.sources(RunKey(2));
        assert!(!Arc::ptr_eq(&first, &other) && Arc::ptr_eq(&other, &searching.sources(RunKey(2))));
    }
}
