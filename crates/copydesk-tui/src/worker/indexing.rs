//! Keeps the index in the background: changes in the knowledge folder, then the stories' texts, then vectors. The search by
//! words works at once, vectors follow. Stories wait only until the knowledge base matches its folder.

use std::{collections::HashSet, sync::Arc, time::Duration};

use tokio::{
    sync::{Notify, mpsc::UnboundedSender, oneshot},
    time::Instant,
};

use crate::app::{News, Trouble, WorkKind};
use crate::worker::Working;
use crate::worker::context::Librarian;
use copydesk_core::ports::Clock;

/// Least time between two looks into the knowledge folder. The screen asks for the size of the index after each look, and that rings again.
const APART: Duration = Duration::from_secs(10);

/// The bells of the index.
#[derive(Clone, Default)]
pub(crate) struct IndexBells {
    /// A story has texts to index.
    pub(crate) stories: Arc<Notify>,
    /// Somebody looks at the search: files may have come into the knowledge folder.
    pub(crate) files: Arc<Notify>,
}

/// Keeps the index until it is dropped: once at the start, and again when a bell rings. `read` is told as soon as the
/// knowledge base matches its folder, or cannot.
pub(crate) async fn keep(
    librarian: Arc<dyn Librarian>,
    (news, clock): (UnboundedSender<News>, Arc<dyn Clock>),
    bells: IndexBells,
    read: oneshot::Sender<()>,
) {
    let mut warnings = Warnings { news, said: HashSet::new() };
    let mut looked = read_files(&*librarian, &*clock, &mut warnings).await;
    // If the screen has ended, the signal is not needed.
    let _ = read.send(());
    loop {
        warnings.warn_all(librarian.shelve().await);
        let working = Working::new(&warnings.news, &*clock, WorkKind::Vectors);
        warnings.warn_all(librarian.embed(&working.progress()).await);
        drop(working);
        loop {
            tokio::select! {
                () = bells.stories.notified() => break,
                () = bells.files.notified() => {}
            }
            if looked.elapsed() >= APART {
                looked = read_files(&*librarian, &*clock, &mut warnings).await;
                break;
            }
        }
    }
}

/// Brings the knowledge base up to its folder. Returns when it was done.
async fn read_files(librarian: &dyn Librarian, clock: &dyn Clock, warnings: &mut Warnings) -> Instant {
    let working = Working::new(&warnings.news, clock, WorkKind::Files);
    let refreshed = librarian.refresh(&working.progress()).await;
    for problem in refreshed.unwrap_or_else(|error| vec![error.into()]) {
        warnings.warn(Trouble::new(format!("knowledge base: {problem}")));
    }
    Instant::now()
}

/// Warns of each problem once.
struct Warnings {
    news: UnboundedSender<News>,
    said: HashSet<Trouble>,
}

impl Warnings {
    fn warn(&mut self, problem: Trouble) {
        if self.said.insert(problem.clone()) {
            // If the screen has ended, the warning is not needed.
            let _ = self.news.send(News::Trouble(problem));
        }
    }

    fn warn_all(&mut self, worked: Result<Vec<String>, Trouble>) {
        match worked {
            Ok(problems) => problems.into_iter().map(Trouble::new).for_each(|problem| self.warn(problem)),
            Err(error) => self.warn(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        sync::atomic::{AtomicUsize, Ordering},
        time::Duration,
    };

    use async_trait::async_trait;
    use jiff::Timestamp;
    use tokio::{sync::mpsc, time};

    use super::*;
    use copydesk_core::ports::WorkProgress;

    struct Noon;

    impl Clock for Noon {
        fn now(&self) -> Timestamp {
            "2026-10-06T12:00:00Z".parse().unwrap()
        }
    }

    /// Files take a second each, passages two; the embedder does not answer at first.
    #[derive(Default)]
    struct Slow {
        files: usize,
        passages: usize,
        embedded: AtomicUsize,
    }

    #[async_trait]
    impl Librarian for Slow {
        async fn refresh(&self, progress: &WorkProgress) -> Result<Vec<String>, Trouble> {
            for done in 0..=self.files {
                progress.at(done as u64, self.files as u64);
                time::sleep(Duration::from_secs(1)).await;
            }
            Ok(vec!["a.pdf: it is protected".into()])
        }

        async fn shelve(&self) -> Result<Vec<String>, Trouble> {
            Err(Trouble::new("the database is busy"))
        }

        async fn embed(&self, progress: &WorkProgress) -> Result<Vec<String>, Trouble> {
            if self.embedded.fetch_add(1, Ordering::Relaxed) < 2 {
                return Err(Trouble::new("nobody answers"));
            }
            for done in 0..self.passages {
                progress.at(done as u64, self.passages as u64);
                time::sleep(Duration::from_secs(2)).await;
            }
            Ok(vec!["b.pdf: 1 passage got no vectors".into()])
        }
    }

    async fn heard(news: &mut mpsc::UnboundedReceiver<News>) -> Vec<String> {
        // By then it rests, whatever there was to do.
        time::sleep(Duration::from_mins(1)).await;
        let mut heard = Vec::new();
        while let Ok(news) = news.try_recv() {
            heard.push(match news {
                News::GoesOn(work) => format!("{:?} {:?}", work.kind, work.far.unwrap_or_default()),
                News::IsOver { kind, .. } => format!("{kind:?} over"),
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
        let bells = IndexBells::default();
        let again = Arc::clone(&bells.stories);
        let slow = Arc::new(Slow { files: 4, passages: 3, ..Slow::default() });
        let task = tokio::spawn(keep(slow, (tell, Arc::new(Noon)), bells.clone(), read));
        time::sleep(Duration::from_millis(4_500)).await;
        assert!(is_read.try_recv().is_err(), "not all files are read");
        let first = heard(&mut news).await;
        assert!(is_read.try_recv().is_ok());
        assert_eq!(
            first,
            [
                "Files (0, 0)",
                "Files (0, 4)",
                "Files (1, 4)",
                "Files (2, 4)",
                "Files (3, 4)",
                "Files (4, 4)",
                "knowledge base: a.pdf: it is protected",
                "Files over",
                "the database is busy",
                "Vectors (0, 0)",
                "nobody answers",
                "Vectors over",
            ]
        );
        again.notify_one();
        assert_eq!(heard(&mut news).await, ["Vectors (0, 0)", "Vectors over"], "what was said is not said again");
        again.notify_one();
        assert_eq!(
            heard(&mut news).await,
            [
                "Vectors (0, 0)",
                "Vectors (0, 3)",
                "Vectors (1, 3)",
                "Vectors (2, 3)",
                "b.pdf: 1 passage got no vectors",
                "Vectors over",
            ]
        );
        // Files may come while the program runs; many looks at the search are one look into the folder.
        bells.files.notify_one();
        time::sleep(Duration::from_millis(5_500)).await;
        bells.files.notify_one();
        let read: Vec<String> = heard(&mut news).await.into_iter().filter(|said| said.starts_with("Files")).collect();
        assert_eq!(
            read,
            [
                "Files (0, 0)",
                "Files (0, 4)",
                "Files (1, 4)",
                "Files (2, 4)",
                "Files (3, 4)",
                "Files (4, 4)",
                "Files over"
            ]
        );
        task.abort();
    }
}
