//! Proves a draft on a thread of its own: long sources take longer than a frame may.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex, PoisonError},
};

use tokio::sync::mpsc::UnboundedSender;

use crate::newsroom::{ArticleResponse, Journal};
use crate::ports::RunKey;
use crate::tui::{
    app::{news::News, trouble::Trouble},
    screens::{
        gate::margin::margin,
        proof::proved::{NoProof, Proved},
    },
    worker::{
        context::{Speller, WorkerContext},
        errands::{Errand, Errands, Reply},
    },
};

/// The screen ignores the result if it shows another run by then.
pub(crate) fn prove(context: &WorkerContext, key: RunKey, journal: Arc<Journal>, round: u32) {
    let (news, speller) = (context.news.clone(), Arc::clone(&context.tools.speller));
    tokio::task::spawn_blocking(move || {
        let proof = unless_it_fails(|| Proved::of(&journal, round)).map(Arc::new);
        // If the screen has ended, nobody needs it.
        let _ = news.send(News::Proved { key, round, proof });
        spell(&*speller, &news, key, &journal, round);
    });
}

/// A text that is being typed, and waits for its proof.
struct Typed {
    run: RunKey,
    journal: Arc<Journal>,
    round: u32,
    article: Box<ArticleResponse>,
}

/// Proves texts as they are typed, one at a time. What was typed over meanwhile is not proved.
#[derive(Default)]
pub(crate) struct TypedProofs(Arc<Mutex<TypedQueue>>);

#[derive(Default)]
struct TypedQueue {
    next: Option<Typed>,
    /// Whether a thread takes what comes next.
    busy: bool,
}

impl TypedProofs {
    /// Proves `article`, typed over the draft of `round`.
    pub(crate) fn prove(
        &self,
        context: &WorkerContext,
        (run, journal, round): (RunKey, Arc<Journal>, u32),
        article: Box<ArticleResponse>,
    ) {
        let mut queue = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        queue.next = Some(Typed { run, journal, round, article });
        if std::mem::replace(&mut queue.busy, true) {
            return;
        }
        drop(queue);
        let (news, speller) = (context.news.clone(), Arc::clone(&context.tools.speller));
        let waiting = Arc::clone(&self.0);
        tokio::task::spawn_blocking(move || {
            while let Some(Typed { run, journal, round, article }) = next(&waiting) {
                // A text that the proof fails on keeps the margin it had.
                let made = catch_unwind(AssertUnwindSafe(|| {
                    let style = speller.notes(&article, &journal.sources()).map(|review| review.notes);
                    margin(&journal, round, &article, &style.unwrap_or_default())
                }));
                if let Ok(margin) = made {
                    // If the screen has ended, nobody needs it.
                    let _ = news.send(News::TypedProved { run, round, margin: Box::new(margin) });
                }
            }
        });
    }
}

/// What is to be proved next; if nothing, the thread ends.
fn next(waiting: &Mutex<TypedQueue>) -> Option<Typed> {
    let mut queue = waiting.lock().unwrap_or_else(PoisonError::into_inner);
    let next = queue.next.take();
    queue.busy = next.is_some();
    next
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
            Ok::<_, Trouble>(format!("“{word}” is in the dictionary{}", if added { "" } else { " already" }))
        });
        let added = adding.await.unwrap_or_else(|error| Err(error.into()));
        let result = added.map(|said| reply.say(News::Done(said)));
        reply.end(result);
        Errand::Done
    });
}

/// Tells what house style and spelling have to say of a draft.
fn spell(speller: &dyn Speller, news: &UnboundedSender<News>, key: RunKey, journal: &Journal, round: u32) {
    let Some(draft) = journal.draft(round) else { return };
    let said = match speller.notes(&draft.article, &journal.sources()) {
        Ok(review) => News::Spelt { key, round, review },
        Err(trouble) => News::Trouble(trouble),
    };
    // As above.
    let _ = news.send(said);
}

/// The result of the work. The terminal's hook tells a panic; the page that waits must hear of it, too.
fn unless_it_fails<T>(work: impl FnOnce() -> Result<T, NoProof>) -> Result<T, NoProof> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or(Err(NoProof::Failed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_proof_tells_the_page_that_waits_for_it() {
        assert_eq!(unless_it_fails(|| Ok(7)), Ok(7));
        assert_eq!(unless_it_fails::<u32>(|| Err(NoProof::NoDraft)), Err(NoProof::NoDraft));
        let broke = unless_it_fails(|| {
            assert!(std::hint::black_box(false), "a rule failed");
            Ok(7)
        });
        assert_eq!(broke, Err(NoProof::Failed));
    }
}
