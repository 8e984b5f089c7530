//! The story and the purpose of requests. Code that works for a story states them once, around the work; the one place that sends reads
//! them.
//!
//! It is bound to the task, so that no adapter passes it on and none can forget it. A request without one goes to no other machine.

use std::sync::Arc;

use super::{Clock, RequestLedger};
use copydesk_newsroom::{Secrecy, StoryKey};

tokio::task_local! {
    static OCCASION: Arc<Occasion>;
}

/// Where requests are noted, and the clock beside it.
#[derive(Clone)]
pub struct RequestBooks {
    pub ledger: Arc<dyn RequestLedger>,
    pub clock: Arc<dyn Clock>,
}

/// The purpose of a request.
#[derive(Clone, Default)]
pub struct Occasion {
    /// None if it is no story's.
    pub story: Option<StoryKey>,
    pub secrecy: Secrecy,
    /// Such as `r1.review: reviewer`.
    pub why: String,
    /// None if there is no database: in `init`, and in tests.
    pub books: Option<RequestBooks>,
}

impl Occasion {
    /// Work for no story.
    #[must_use]
    pub fn of_house(why: &str, books: Option<RequestBooks>) -> Self {
        Self { why: why.to_owned(), books, ..Self::default() }
    }

    /// The occasion of the current task; none if the task has none.
    #[must_use]
    pub fn now() -> Option<Arc<Self>> {
        OCCASION.try_with(Arc::clone).ok()
    }

    /// Does work on this occasion.
    pub fn during<F: Future>(self, work: F) -> impl Future<Output = F::Output> + use<F> {
        // In a box: the work of a whole step would make every future around it large.
        OCCASION.scope(Arc::new(self), Box::pin(work))
    }

    /// The same for work that does not wait.
    pub fn around<T>(self, work: impl FnOnce() -> T) -> T {
        OCCASION.sync_scope(Arc::new(self), work)
    }

    /// The same for an occasion that is shared; without one the work is done on none.
    pub async fn again<F: Future>(occasion: Option<Arc<Self>>, work: F) -> F::Output {
        match occasion {
            Some(occasion) => OCCASION.scope(occasion, work).await,
            None => work.await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_innermost_occasion_counts_and_another_task_has_none() {
        let why = || Occasion::now().map(|now| now.why.clone());
        let inner = async { (why(), tokio::spawn(async move { why() }).await.unwrap()) };
        let outer = async {
            let before = why();
            (before, Occasion::of_house("inner", None).during(inner).await, why())
        };
        let found = Occasion::of_house("outer", None).during(outer).await;
        let said = |why: &str| Some(why.to_owned());
        assert_eq!(found, (said("outer"), (said("inner"), None), said("outer")));
        assert_eq!(why(), None);
        assert_eq!(Occasion::again(None, async { why() }).await, None);
    }
}
