//! Holding a draft against its sources, on a thread of its own: long sources take longer than a frame may.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use crate::newsroom::Journal;
use crate::ports::RunKey;
use crate::tui::{app::news::News, screens::proof::proved::Proved, worker::room::Backroom};

impl Backroom {
    /// Tells of what came of it. Where the screen shows another run by then, it takes no notice.
    pub(crate) fn prove(&self, key: RunKey, journal: Arc<Journal>, round: u32) {
        let news = self.news.clone();
        tokio::task::spawn_blocking(move || {
            let made = unless_it_breaks_off(|| Proved::of(&journal, round));
            let proof = made.and_then(|proved| proved.map(Arc::new).ok_or_else(|| "there is no such draft".to_owned()));
            // Where the screen has gone there is nobody to tell.
            let _ = news.send(News::Proved { key, round, proof });
        });
    }
}

/// What the work brings. The terminal's hook tells of a panic; the page that waits must hear of it, too.
fn unless_it_breaks_off<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| {
        "The proof of this draft broke off, which it never should: please report it. Reviewing and signing do not need this page."
            .to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_that_breaks_off_says_so_to_the_page_that_waits_for_it() {
        assert_eq!(unless_it_breaks_off(|| 7), Ok(7));
        let broke = unless_it_breaks_off(|| assert!(std::hint::black_box(false), "a rule broke off"));
        assert!(broke.unwrap_err().starts_with("The proof of this draft broke off"));
    }
}
