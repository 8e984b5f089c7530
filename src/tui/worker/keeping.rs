//! Keeping what is being typed: at once where the last time is a while ago, else together with what is typed until then.

use std::{future, time::Duration};

use tokio::time::{self, Instant};

use crate::ports::RunKey;
use crate::tui::{app::news::News, worker::room::Backroom};

/// Least time between two commits of a text that is being typed.
const APART: Duration = Duration::from_millis(300);

/// Time after which it is tried again where it could not be kept.
const AGAIN: Duration = Duration::from_secs(2);

/// A text that is not in the database yet.
struct Typed {
    run: RunKey,
    what: String,
    text: String,
}

/// The text that is being typed.
#[derive(Default)]
pub(crate) struct Keeping {
    typed: Option<Typed>,
    /// Before when nothing is kept.
    not_before: Option<Instant>,
    /// Whether the last try failed; told once.
    failed: bool,
}

impl Keeping {
    /// Returns once something is to be kept; never where there is nothing.
    pub(crate) async fn due(&self) {
        match (&self.typed, self.not_before) {
            (None, _) => future::pending().await,
            (Some(_), None) => {}
            (Some(_), Some(moment)) => time::sleep_until(moment).await,
        }
    }

    /// Takes what is to be thrown away.
    fn drop_of(&mut self, run: RunKey, what: &str) {
        self.typed = self.typed.take().filter(|typed| typed.run != run || typed.what != what);
    }
}

impl Backroom {
    /// Keeps a text, now or in a moment; the latest wins.
    pub(crate) async fn keep(&mut self, run: RunKey, what: String, text: String) {
        if self.keeping.typed.as_ref().is_some_and(|typed| typed.run != run || typed.what != what) {
            self.keep_now().await;
        }
        self.keeping.typed = Some(Typed { run, what, text });
    }

    /// Keeps what is not kept yet.
    pub(crate) async fn keep_now(&mut self) {
        let Some(Typed { run, what, text }) = self.keeping.typed.take() else { return };
        let at = self.now();
        let tried = match self.missing() {
            Some(message) => Err(message),
            None => self.tools.scratch.keep(run, &what, &text, &at).await.map_err(|error| error.to_string()),
        };
        match tried {
            Ok(()) => {
                self.keeping.not_before = Some(Instant::now() + APART);
                self.keeping.failed = false;
                self.say(News::IsKept { run, what, kept: Ok(at) });
            }
            Err(problem) => {
                if !self.keeping.failed {
                    let kept = Err(format!("what you type cannot be kept now: {problem}; it is tried again"));
                    self.say(News::IsKept { run, what: what.clone(), kept });
                }
                // Nothing newer has come: whoever types waits in the same queue.
                self.keeping.typed = Some(Typed { run, what, text });
                self.keeping.not_before = Some(Instant::now() + AGAIN);
                self.keeping.failed = true;
            }
        }
    }

    /// Throws a text away that was kept.
    pub(crate) async fn forget(&mut self, run: RunKey, what: &str) -> Result<(), String> {
        self.keeping.drop_of(run, what);
        self.tools.scratch.forget(run, what).await.map_err(|error| error.to_string())
    }

    pub(crate) async fn read_kept(&mut self, run: RunKey, what: String) -> Result<(), String> {
        self.keep_now().await;
        let kept = self.tools.scratch.kept(run, &what).await.map_err(|error| error.to_string())?;
        self.say(News::Kept { run, what, text: kept.map(|kept| (kept.text, kept.at)) });
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
