//! Saves a text while it is typed: at once, then at most every 300 ms.

use std::{future, time::Duration};

use tokio::time::{self, Instant};

use crate::app::{News, Trouble};
use crate::worker::slots::KeptPlaces;
use crate::worker::{RequestResult, WorkerContext};
use copydesk_core::ports::RunKey;
use copydesk_text::count;

/// Least time between two commits of a text that is being typed.
const APART: Duration = Duration::from_millis(300);

/// Time until the next try after a failure.
const AGAIN: Duration = Duration::from_secs(2);

/// A text that is not saved yet.
struct Typed {
    run: RunKey,
    what: String,
    text: String,
}

#[derive(Default)]
pub(crate) struct Keeping {
    typed: Option<Typed>,
    /// When the next save may happen.
    not_before: Option<Instant>,
    /// Where each text is kept: another terminal may type it, too.
    slots: KeptPlaces,
    /// Whether the last try failed. A failure is told once.
    failed: bool,
}

impl Keeping {
    /// Returns when it is time to save; never if there is nothing to save.
    pub(crate) async fn due(&self) {
        match (&self.typed, self.not_before) {
            (None, _) => future::pending().await,
            (Some(_), None) => {}
            (Some(_), Some(moment)) => time::sleep_until(moment).await,
        }
    }

    fn drop_of(&mut self, run: RunKey, what: &str) {
        self.typed = self.typed.take().filter(|typed| typed.run != run || typed.what != what);
    }

    /// Saves a text, now or in a moment; the latest wins.
    pub(crate) async fn keep(&mut self, context: &WorkerContext, run: RunKey, what: String, text: String) {
        if self.typed.as_ref().is_some_and(|typed| typed.run != run || typed.what != what) {
            self.keep_now(context).await;
        }
        self.typed = Some(Typed { run, what, text });
    }

    pub(crate) async fn keep_now(&mut self, context: &WorkerContext) {
        let Some(Typed { run, what, text }) = self.typed.take() else { return };
        let at = context.now();
        let tried = match context.missing() {
            Some(trouble) => Err(trouble),
            None => self.slots.keep(&*context.tools.scratch, (run, &what), &text, &at).await.map_err(Trouble::from),
        };
        match tried {
            Ok(is_shared) => {
                if is_shared {
                    context.say(News::Trouble(Trouble::new(
                        "This draft is edited in another terminal, too. Both texts are kept; the one that is saved last counts",
                    )));
                }
                self.not_before = Some(Instant::now() + APART);
                self.failed = false;
                context.say(News::IsKept { run, what, kept: Ok(at) });
            }
            Err(problem) => {
                if !self.failed {
                    let problem = Trouble::new(format!("your text cannot be saved now: {problem}; trying again"));
                    context.say(News::IsKept { run, what: what.clone(), kept: Err(problem) });
                }
                // There is no newer text: the next one waits in the same queue.
                self.typed = Some(Typed { run, what, text });
                self.not_before = Some(Instant::now() + AGAIN);
                self.failed = true;
            }
        }
    }

    /// Deletes a saved text.
    pub(crate) async fn forget(&mut self, context: &WorkerContext, run: RunKey, what: &str) -> RequestResult {
        self.drop_of(run, what);
        Ok(self.slots.forget(&*context.tools.scratch, run, what).await?)
    }

    pub(crate) async fn read_kept(&mut self, context: &WorkerContext, run: RunKey, what: String) -> RequestResult {
        self.keep_now(context).await;
        let (latest, others) = self.slots.read(&*context.tools.scratch, run, &what).await?;
        context.say(News::Kept { run, what, text: latest.map(|kept| (kept.text, kept.at)) });
        if others > 0 {
            context.say(News::Trouble(Trouble::new(format!(
                "{} of this draft is kept: this is the latest. Discard it to see the other",
                count(others, "other unfinished edit")
            ))));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed() -> Typed {
        Typed { run: RunKey(1), what: "r1.edit".into(), text: "a".into() }
    }

    #[tokio::test(start_paused = true)]
    async fn the_first_key_is_kept_at_once_and_a_burst_together() {
        let mut keeping = Keeping::default();
        let moment = Duration::from_millis(1);
        assert!(time::timeout(APART * 10, keeping.due()).await.is_err(), "there is nothing to keep");
        keeping.typed = Some(typed());
        time::timeout(moment, keeping.due()).await.unwrap();
        keeping.not_before = Some(Instant::now() + APART);
        assert!(time::timeout(APART / 2, keeping.due()).await.is_err());
        time::timeout(APART / 2 + moment, keeping.due()).await.unwrap();
    }

    #[test]
    fn only_what_is_thrown_away_is_dropped() {
        let mut keeping = Keeping { typed: Some(typed()), ..Keeping::default() };
        keeping.drop_of(RunKey(1), "r2.edit");
        keeping.drop_of(RunKey(2), "r1.edit");
        assert!(keeping.typed.is_some());
        keeping.drop_of(RunKey(1), "r1.edit");
        assert!(keeping.typed.is_none());
    }
}
