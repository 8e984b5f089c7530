//! Searching what is indexed: the latest that was typed, once the typing pauses. What was asked before is dropped.

use std::{future, sync::Arc, time::Duration};

use tokio::{
    sync::{OnceCell, mpsc::UnboundedSender},
    task::AbortHandle,
    time::{self, Instant},
};

use super::{Backroom, Tools};
use crate::{
    newsroom::{Journal, Tier},
    ports::{Area, Filter, Found, Passages, Query, RunKey, StoreError},
    tui::msg::{Answer, Inquiry, News, Wanted, Within},
};

/// The typing pauses where no key came for so long.
const PAUSE: Duration = Duration::from_millis(120);

/// After so long it is searched even where the typing does not pause.
const LONGEST: Duration = Duration::from_millis(400);

/// How long an embedder is waited for before what the words alone find is shown.
const PATIENCE: Duration = Duration::from_millis(300);

/// Most passages that are found: more nobody looks through.
const MOST: usize = 30;

/// Most bytes before and behind a passage that are shown.
const AROUND: usize = 32 * 1024;

/// The digests of a run's sources, once they are indexed.
type Digests = Arc<OnceCell<Vec<String>>>;

/// What is being searched for.
#[derive(Default)]
pub(super) struct Searching {
    waits: Option<Waiting>,
    /// The search that is under way.
    at_work: Option<AbortHandle>,
    /// The surroundings that are being read.
    reading: Option<AbortHandle>,
    /// Of the run whose sources were searched last: they never change.
    digests: Option<(RunKey, Digests)>,
}

struct Waiting {
    inquiry: Box<Inquiry>,
    /// When the first key of this burst was typed.
    since: Instant,
    due: Instant,
}

impl Searching {
    /// Takes in what was typed; it takes the place of what waits.
    pub(super) fn want(&mut self, inquiry: Box<Inquiry>) {
        let now = Instant::now();
        let since = self.waits.take().map_or(now, |waiting| waiting.since);
        self.waits = Some(Waiting { inquiry, since, due: (now + PAUSE).min(since + LONGEST) });
    }

    /// Returns once it is to be searched; never where nothing is asked.
    pub(super) async fn due(&self) {
        match &self.waits {
            Some(waiting) => time::sleep_until(waiting.due).await,
            None => future::pending().await,
        }
    }

    fn digests(&mut self, run: RunKey) -> Digests {
        match &self.digests {
            Some((of, digests)) if *of == run => Arc::clone(digests),
            _ => {
                let digests = Digests::default();
                self.digests = Some((run, Arc::clone(&digests)));
                digests
            }
        }
    }
}

/// Puts a task in the place of the one before, which nobody waits for any more.
fn replace(place: &mut Option<AbortHandle>, task: impl Future<Output = ()> + Send + 'static) {
    let task = tokio::spawn(task).abort_handle();
    if let Some(before) = place.replace(task) {
        before.abort();
    }
}

impl Backroom {
    /// Searches for what was asked last.
    pub(super) fn search_now(&mut self) {
        let Some(Waiting { inquiry, .. }) = self.searching.waits.take() else { return };
        let digests = match &inquiry.within {
            Within::Sources { run, .. } => self.searching.digests(*run),
            Within::Everywhere | Within::Knowledge | Within::Stories => Digests::default(),
        };
        let (tools, news) = (Arc::clone(&self.tools), self.news.clone());
        replace(&mut self.searching.at_work, async move {
            let found = find(&tools, &inquiry, &digests, &news).await;
            tell(&news, &inquiry, found.map_err(|error| error.to_string()));
        });
    }

    /// Reads what stands around a passage.
    pub(super) fn read_around(&mut self, wanted: Box<Wanted>) {
        let (tools, news) = (Arc::clone(&self.tools), self.news.clone());
        replace(&mut self.searching.reading, async move {
            let Wanted { ticket, story, passage } = &*wanted;
            // Where it cannot be read, the passage stands alone: the search itself says what is wrong with the database.
            let around = tools.texts.around(story.as_ref(), passage, AROUND).await.ok().flatten();
            // Where the screen has gone there is nobody to tell.
            let _ = news.send(News::Around { ticket: *ticket, around });
        });
    }

    /// Tells what there is to be searched.
    pub(super) async fn read_stock(&self) -> Result<(), String> {
        let stock = self.tools.index.stock().await.map_err(|error| error.to_string())?;
        self.say(News::Stock(stock));
        Ok(())
    }
}

fn tell(news: &UnboundedSender<News>, inquiry: &Inquiry, answer: Result<Answer, String>) {
    // Where the screen has gone there is nobody to tell.
    let _ = news.send(News::Found { ticket: inquiry.ticket, answer: answer.map(Box::new) });
}

/// What is found. Where the embedder takes long, what the words find is told first.
async fn find(
    tools: &Tools,
    inquiry: &Inquiry,
    digests: &Digests,
    news: &UnboundedSender<News>,
) -> Result<Answer, StoreError> {
    let query = Query {
        text: inquiry.text.clone(),
        areas: areas(tools.passages.as_ref(), &inquiry.within, digests).await?,
        filter: Filter { min_credibility: inquiry.min_credibility, ..Filter::default() },
        count: MOST,
    };
    let mut whole = tools.passages.search(&query);
    let found = if let Ok(found) = time::timeout(PATIENCE, &mut whole).await {
        found?
    } else {
        let found = tools.words.search(&query).await?;
        let words_only = Some("the embedder has not answered yet: full text for now".to_owned());
        let found = Found { words_only, ..found };
        tell(news, inquiry, Ok(Answer { found, stock: tools.index.stock().await?, goes_on: true }));
        whole.await?
    };
    Ok(Answer { found, stock: tools.index.stock().await?, goes_on: false })
}

async fn areas(passages: &dyn Passages, within: &Within, digests: &Digests) -> Result<Vec<Area>, StoreError> {
    let stories = Area::Stories { tiers: Vec::new() };
    Ok(match within {
        Within::Everywhere => vec![Area::Knowledge, stories],
        Within::Knowledge => vec![Area::Knowledge],
        Within::Stories => vec![stories],
        Within::Sources { journal, .. } => {
            let story = journal.opening.topic.story();
            let digests = digests.get_or_try_init(|| shelved(passages, journal)).await?;
            vec![Area::Story { story, digests: Some(digests.clone()) }]
        }
    })
}

/// Makes sure that the sources of a run are indexed.
async fn shelved(passages: &dyn Passages, journal: &Journal) -> Result<Vec<String>, StoreError> {
    let texts: Vec<(String, String)> =
        journal.opening.sources().into_iter().map(|source| (source.name, source.text)).collect();
    Ok(passages.shelve(&journal.opening.topic.story(), Tier::Source, &texts).await?.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::msg::Ticket;

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

    #[test]
    fn the_sources_of_a_run_are_indexed_once() {
        let mut searching = Searching::default();
        let first = searching.digests(RunKey(1));
        assert!(Arc::ptr_eq(&first, &searching.digests(RunKey(1))));
        let other = searching.digests(RunKey(2));
        assert!(!Arc::ptr_eq(&first, &other) && Arc::ptr_eq(&other, &searching.digests(RunKey(2))));
    }
}
