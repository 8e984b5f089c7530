//! Proves a draft on a thread of its own: long sources take longer than a frame may.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use tokio::sync::mpsc::UnboundedSender;

use crate::newsroom::Journal;
use crate::ports::RunKey;
use crate::tui::{
    app::news::News,
    screens::proof::proved::Proved,
    worker::{
        context::{Speller, WorkerContext},
        errands::{Errand, Errands, Reply},
    },
};

/// The screen ignores the result if it shows another run by then.
pub(crate) fn prove(context: &WorkerContext, key: RunKey, journal: Arc<Journal>, round: u32) {
    let (news, speller) = (context.news.clone(), Arc::clone(&context.tools.speller));
    tokio::task::spawn_blocking(move || {
        let made = unless_it_fails(|| Proved::of(&journal, round));
        let proof = made.and_then(|proved| proved.map(Arc::new).ok_or_else(|| "there is no such draft".to_owned()));
        // If the screen has ended, nobody needs it.
        let _ = news.send(News::Proved { key, round, proof });
        spell(&*speller, &news, key, &journal, round);
    });
}

/// Adds a word to the newsroom's dictionary and checks the story's drafts again.
pub(crate) fn add_word(
    context: &WorkerContext,
    errands: &mut Errands,
    word: String,
    (key, journal): (RunKey, Arc<Journal>),
    reply: Reply,
) {
    let (news, speller) = (context.news.clone(), Arc::clone(&context.tools.speller));
    errands.run(async move {
        let adding = tokio::task::spawn_blocking(move || {
            let added = speller.learn(&word)?;
            for round in 1..=journal.latest_draft() {
                spell(&*speller, &news, key, &journal, round);
            }
            Ok(format!("“{word}” is in the dictionary{}", if added { "" } else { " already" }))
        });
        let added = adding.await.unwrap_or_else(|error| Err(error.to_string()));
        let result = added.map(|said| reply.say(News::Done(said)));
        reply.end(result);
        Errand::Done
    });
}

/// Tells what house style and spelling have to say of a draft.
fn spell(speller: &dyn Speller, news: &UnboundedSender<News>, key: RunKey, journal: &Journal, round: u32) {
    let Some(draft) = journal.draft(round) else { return };
    let said = match speller.notes(&draft.article, &journal.opening.sources()) {
        Ok(review) => News::Spelt { key, round, review },
        Err(trouble) => News::Trouble(trouble),
    };
    // As above.
    let _ = news.send(said);
}

/// The result of the work. The terminal's hook tells a panic; the page that waits must hear of it, too.
fn unless_it_fails<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| {
        "The proof of this draft failed; please report this. You can review and sign without this page.".to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_proof_tells_the_page_that_waits_for_it() {
        assert_eq!(unless_it_fails(|| 7), Ok(7));
        let broke = unless_it_fails(|| assert!(std::hint::black_box(false), "a rule failed"));
        assert!(broke.unwrap_err().starts_with("The proof of this draft failed"));
    }
}
