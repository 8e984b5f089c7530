//! The index in the background: what changed in the knowledge folder, then the stories' texts, then vectors. Full text is searched at
//! once, vectors follow; nothing waits for it but stories, until the knowledge base is what its folder holds.

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

use crate::text::count;
use crate::tui::app::{inquiry::Shelving, news::News};

/// Time from which on work on the index is worth a message.
const LONG: Duration = Duration::from_secs(2);

/// Least time between two reports of how far it is.
const APART: Duration = Duration::from_millis(500);

/// Is told how far a piece of work is: done, in all.
pub type Progress<'a> = &'a (dyn Fn(usize, usize) + Send + Sync);

/// Whoever keeps the index. Each can be broken off and goes on the next time.
#[async_trait]
pub trait Librarian: Send + Sync {
    /// Indexes what changed in the knowledge folder. Returns what could not be read, each with its reason.
    ///
    /// # Errors
    /// Where the database fails.
    async fn refresh(&self, progress: Progress<'_>) -> Result<Vec<String>, String>;

    /// Indexes the texts of stories. Returns what could not be read.
    ///
    /// # Errors
    /// Where the database fails.
    async fn shelve(&self) -> Result<Vec<String>, String>;

    /// Makes the vectors that are missing, where an embedder is configured. Returns how many passages got theirs, and what is to be said of
    /// those that got none.
    ///
    /// # Errors
    /// Where the database or the embedder fails.
    async fn embed(&self, progress: Progress<'_>) -> Result<(usize, Vec<String>), String>;
}

/// Keeps the index until it is dropped: once at the beginning, and again whenever `again` rings. `read` is told once the knowledge base
/// is what its folder holds, or cannot be made so.
pub(crate) async fn keep(
    librarian: Arc<dyn Librarian>,
    news: UnboundedSender<News>,
    again: Arc<Notify>,
    read: oneshot::Sender<()>,
) {
    let mut desk = Desk { news, said: HashSet::new() };
    let report = desk.report(Shelving::Files, "stories begin once it is read", "the knowledge base is being read");
    let refreshed = librarian.refresh(&|done, all| report.at(done, all)).await;
    for problem in refreshed.unwrap_or_else(|error| vec![error]) {
        desk.warn(&format!("knowledge base: {problem}"));
    }
    desk.tell(Shelving::Rests);
    // Nobody waits for it where the screen has gone.
    let _ = read.send(());
    loop {
        match librarian.shelve().await {
            Ok(problems) => problems.iter().for_each(|problem| desk.warn(problem)),
            Err(error) => desk.warn(&error),
        }
        desk.tell(Shelving::Rests);
        let report = desk.report(Shelving::Vectors, "full text is searched meanwhile", "vectors are being made");
        match librarian.embed(&|done, all| report.at(done, all)).await {
            Ok((done, problems)) => {
                if report.was_said() {
                    desk.say(News::Done(format!("the search: {} got vectors", count(done, "passage"))));
                }
                for problem in &problems {
                    desk.warn(problem);
                }
            }
            Err(error) => desk.warn(&error),
        }
        desk.tell(Shelving::Rests);
        again.notified().await;
    }
}

/// What was told.
struct Desk {
    news: UnboundedSender<News>,
    /// Warnings that were given: an embedder that does not answer is told of once.
    said: HashSet<String>,
}

impl Desk {
    /// Where the screen has gone there is nobody to tell.
    fn say(&self, news: News) {
        let _ = self.news.send(news);
    }

    fn tell(&self, how: Shelving) {
        self.say(News::Shelving(how));
    }

    fn warn(&mut self, problem: &str) {
        if self.said.insert(problem.to_owned()) {
            self.say(News::Trouble(problem.to_owned()));
        }
    }

    fn report(&self, how: fn(usize, usize) -> Shelving, meanwhile: &'static str, what: &'static str) -> Report {
        let told = Told { since: None, last: None, said: false };
        Report { news: self.news.clone(), how, what, meanwhile, told: Mutex::new(told) }
    }
}

/// Says how far a piece of work is, now and then; once in a message, where it takes long.
struct Report {
    news: UnboundedSender<News>,
    how: fn(usize, usize) -> Shelving,
    what: &'static str,
    meanwhile: &'static str,
    told: Mutex<Told>,
}

struct Told {
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
        // Where the screen has gone there is nobody to tell.
        let _ = self.news.send(News::Shelving((self.how)(done, all)));
        if !told.said && done < all && now - since >= LONG {
            told.said = true;
            let said = format!("{}: {done} of {all}; {}", self.what, self.meanwhile);
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
        async fn refresh(&self, progress: Progress<'_>) -> Result<Vec<String>, String> {
            for done in 0..=self.files {
                progress(done, self.files);
                time::sleep(Duration::from_secs(1)).await;
            }
            Ok(vec!["a.pdf: it is protected".into()])
        }

        async fn shelve(&self) -> Result<Vec<String>, String> {
            Err("the database is busy".into())
        }

        async fn embed(&self, progress: Progress<'_>) -> Result<(usize, Vec<String>), String> {
            if self.embedded.fetch_add(1, Ordering::Relaxed) < 2 {
                return Err("nobody answers".into());
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
                News::Shelving(how) => format!("{how:?}"),
                News::Done(text) | News::Trouble(text) => text,
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
                "the knowledge base is being read: 2 of 4; stories begin once it is read",
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
                "vectors are being made: 1 of 3; full text is searched meanwhile",
                "Vectors(2, 3)",
                "the search: 3 passages got vectors",
                "b.pdf: 1 passage got no vectors",
                "Rests",
            ]
        );
        task.abort();
    }
}
