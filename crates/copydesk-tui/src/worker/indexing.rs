//! Keeps the index in the background: changes in the knowledge folder, then the stories' texts, then vectors. The search by
//! words works at once, vectors follow. Stories wait only until the knowledge base matches its folder.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use tokio::{
    sync::{Notify, mpsc::UnboundedSender, oneshot},
    time::Instant,
};

use crate::app::{inquiry::Indexing, news::News, trouble::Trouble};
use copydesk_text::count;

/// Time after which work on the index is worth a message.
const LONG: Duration = Duration::from_secs(2);

/// Least time between two reports of progress.
const APART: Duration = Duration::from_millis(500);

/// Is called with the progress: done, in all.
pub type IndexProgress<'a> = &'a (dyn Fn(usize, usize) + Send + Sync);

/// Keeps the index. Each method can be interrupted and continues the next time.
#[async_trait]
pub trait Librarian: Send + Sync {
    /// Indexes the changes in the knowledge folder. Returns the files that could not be read, each with its reason.
    ///
    /// # Errors
    /// If the database fails.
    async fn refresh(&self, progress: IndexProgress<'_>) -> Result<Vec<String>, Trouble>;

    /// Indexes the texts of stories. Returns the texts that could not be read.
    ///
    /// # Errors
    /// If the database fails.
    async fn shelve(&self) -> Result<Vec<String>, Trouble>;

    /// Makes the missing vectors, if an embedder is configured. Returns how many passages got one, and the problems of the
    /// others.
    ///
    /// # Errors
    /// If the database or the embedder fails.
    async fn embed(&self, progress: IndexProgress<'_>) -> Result<(usize, Vec<String>), Trouble>;
}

/// Keeps the index until it is dropped: once at the start, and again when `again` rings. `read` is told as soon as the
/// knowledge base matches its folder, or cannot.
pub(crate) async fn keep(
    librarian: Arc<dyn Librarian>,
    news: UnboundedSender<News>,
    again: Arc<Notify>,
    read: oneshot::Sender<()>,
) {
    let mut reporter = Reporter { news, said: HashSet::new() };
    let report = reporter.report(Indexing::Files, "stories begin when it is read", "reading the knowledge base");
    let refreshed = librarian.refresh(&|done, all| report.at(done, all)).await;
    for problem in refreshed.unwrap_or_else(|error| vec![error.into()]) {
        reporter.warn(Trouble::new(format!("knowledge base: {problem}")));
    }
    reporter.tell(Indexing::Rests);
    // If the screen has ended, the signal is not needed.
    let _ = read.send(());
    loop {
        match librarian.shelve().await {
            Ok(problems) => problems.into_iter().map(Trouble::new).for_each(|problem| reporter.warn(problem)),
            Err(error) => reporter.warn(error),
        }
        reporter.tell(Indexing::Rests);
        let report =
            reporter.report(Indexing::Vectors, "until then, the search matches words", "making vectors for the search");
        match librarian.embed(&|done, all| report.at(done, all)).await {
            Ok((done, problems)) => {
                if report.was_said() {
                    reporter.say(News::Done(format!("the search: {} got vectors", count(done, "passage"))));
                }
                problems.into_iter().map(Trouble::new).for_each(|problem| reporter.warn(problem));
            }
            Err(error) => reporter.warn(error),
        }
        reporter.tell(Indexing::Rests);
        again.notified().await;
    }
}

/// Tells the screen.
struct Reporter {
    news: UnboundedSender<News>,
    /// The warnings so far: each is told once.
    said: HashSet<Trouble>,
}

impl Reporter {
    /// Does nothing if the screen has ended.
    fn say(&self, news: News) {
        let _ = self.news.send(news);
    }

    fn tell(&self, how: Indexing) {
        self.say(News::Indexing(how));
    }

    fn warn(&mut self, problem: Trouble) {
        if self.said.insert(problem.clone()) {
            self.say(News::Trouble(problem));
        }
    }

    fn report(&self, how: fn(usize, usize) -> Indexing, meanwhile: &'static str, what: &'static str) -> Report {
        let told = IndexingNews { since: None, last: None, said: false };
        Report { news: self.news.clone(), how, what, meanwhile, told: Mutex::new(told) }
    }
}

/// Reports progress now and then; once, if the work takes long, says in a message what that means. The line above the footer says how far it is.
struct Report {
    news: UnboundedSender<News>,
    how: fn(usize, usize) -> Indexing,
    what: &'static str,
    meanwhile: &'static str,
    told: Mutex<IndexingNews>,
}

struct IndexingNews {
    since: Option<Instant>,
    last: Option<Instant>,
    said: bool,
}

impl Report {
    fn at(&self, done: usize, all: usize) {
        let now = Instant::now();
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let since = *told.since.get_or_insert(now);
        if told.last.is_some_and(|last| now - last < APART) {
            return;
        }
        told.last = Some(now);
        // If the screen has ended, the news is not needed.
        let _ = self.news.send(News::Indexing((self.how)(done, all)));
        if !told.said && done < all && now - since >= LONG {
            told.said = true;
            let said = format!("{}; {}", self.what, self.meanwhile);
            let _ = self.news.send(News::Done(said));
        }
    }

    fn was_said(&self) -> bool {
        self.told.lock().unwrap_or_else(PoisonError::into_inner).said
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tokio::{sync::mpsc, time};

    use super::*;

    /// Files take a second each, passages two; the embedder does not answer at first.
    #[derive(Default)]
    struct Slow {
        files: usize,
        passages: usize,
        embedded: AtomicUsize,
    }

    #[async_trait]
    impl Librarian for Slow {
        async fn refresh(&self, progress: IndexProgress<'_>) -> Result<Vec<String>, Trouble> {
            for done in 0..=self.files {
                progress(done, self.files);
                time::sleep(Duration::from_secs(1)).await;
            }
            Ok(vec!["a.pdf: it is protected".into()])
        }

        async fn shelve(&self) -> Result<Vec<String>, Trouble> {
            Err(Trouble::new("the database is busy"))
        }

        async fn embed(&self, progress: IndexProgress<'_>) -> Result<(usize, Vec<String>), Trouble> {
            if self.embedded.fetch_add(1, Ordering::Relaxed) < 2 {
                return Err(Trouble::new("nobody answers"));
            }
            for done in 0..self.passages {
                progress(done, self.passages);
                time::sleep(Duration::from_secs(2)).await;
            }
            Ok((self.passages, vec!["b.pdf: 1 passage got no vectors".into()]))
        }
    }

    async fn heard(news: &mut mpsc::UnboundedReceiver<News>) -> Vec<String> {
        // By then it rests, whatever there was to do.
        time::sleep(Duration::from_mins(1)).await;
        let mut heard = Vec::new();
        while let Ok(news) = news.try_recv() {
            heard.push(match news {
                News::Indexing(how) => format!("{how:?}"),
                News::Done(text) => text,
                News::Trouble(problem) => problem.into(),
                other => panic!("{other:?}"),
            });
        }
        heard
    }

    #[tokio::test(start_paused = true)]
    async fn stories_wait_for_the_files_alone_and_what_goes_wrong_is_told_once() {
        let (tell, mut news) = mpsc::unbounded_channel();
        let (read, mut is_read) = oneshot::channel();
        let again = Arc::new(Notify::new());
        let slow = Arc::new(Slow { files: 4, passages: 3, ..Slow::default() });
        let task = tokio::spawn(keep(slow, tell, Arc::clone(&again), read));
        time::sleep(Duration::from_millis(4_500)).await;
        assert!(is_read.try_recv().is_err(), "not all files are read");
        let first = heard(&mut news).await;
        assert!(is_read.try_recv().is_ok());
        assert_eq!(
            first,
            [
                "Files(0, 4)",
                "Files(1, 4)",
                "Files(2, 4)",
                "reading the knowledge base; stories begin when it is read",
                "Files(3, 4)",
                "Files(4, 4)",
                "knowledge base: a.pdf: it is protected",
                "Rests",
                "the database is busy",
                "Rests",
                "nobody answers",
                "Rests",
            ]
        );
        again.notify_one();
        assert_eq!(heard(&mut news).await, ["Rests", "Rests"], "what was said is not said again");
        again.notify_one();
        assert_eq!(
            heard(&mut news).await,
            [
                "Rests",
                "Vectors(0, 3)",
                "Vectors(1, 3)",
                "making vectors for the search; until then, the search matches words",
                "Vectors(2, 3)",
                "the search: 3 passages got vectors",
                "b.pdf: 1 passage got no vectors",
                "Rests",
            ]
        );
        task.abort();
    }
}
