//! Proves a draft on a thread of its own: long sources take longer than a frame may.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        mpsc::{Receiver, Sender, channel},
    },
    thread,
    time::Duration,
};

use tokio::runtime::Handle;

use crate::app::{News, Trouble};
use crate::screens::forms::Margin;
use crate::screens::gate::margin::OpenRound;
use crate::screens::proof::{NoProof, Proved};
use crate::worker::{RequestResult, WorkerContext};
use copydesk_core::ports::RunKey;
use copydesk_newsroom::{ArticleResponse, Journal, Source};
use copydesk_proof::{ReadSources, TypedProof, Witnesses};
use copydesk_style::StyleNote;

/// The screen ignores the result if it shows another run by then.
pub(crate) fn prove(context: &WorkerContext, key: RunKey, journal: Arc<Journal>, round: u32) {
    let context = context.clone();
    tokio::task::spawn_blocking(move || {
        let proof = unless_it_fails(|| Proved::of(&journal, round)).map(Arc::new);
        context.say(News::Proved { key, round, proof });
        spell(&context, key, &journal, round);
    });
}

/// A text that is being typed, and waits for its proof.
pub(crate) struct Typed {
    pub(crate) run: RunKey,
    pub(crate) journal: Arc<Journal>,
    /// The round of the draft that it is typed over.
    pub(crate) round: u32,
    pub(crate) article: Box<ArticleResponse>,
}

/// Proves texts as they are typed, the latest first, on a thread of its own that keeps the sources it has read.
#[derive(Default)]
pub(crate) struct TypedProofs(Option<Sender<Typed>>);

/// The thread ends, and forgets the sources, if nothing was typed for so long.
const IDLE: Duration = Duration::from_mins(2);
/// The weight of the thread: the greater, the longer it waits for the others.
#[cfg(target_os = "linux")]
const BEHIND: i32 = 5;
/// Text that is typed within this time is proved before the sentences that did not change.
const PAUSE: Duration = Duration::from_millis(150);
/// Bytes of the draft that are proved before the thread looks for a newer text.
const PIECE: usize = 1_500;

impl TypedProofs {
    pub(crate) fn prove(&mut self, context: &WorkerContext, mut typed: Typed) {
        if let Some(thread) = &self.0 {
            match thread.send(typed) {
                Ok(()) => return,
                Err(back) => typed = back.0,
            }
        }
        let (sender, queue) = channel();
        let worker = context.clone();
        // House style looks things up in the runtime.
        let runtime = Handle::current();
        let started = thread::Builder::new().name("typed proof".into()).spawn(move || {
            let _inside = runtime.enter();
            // Each key comes first, on a machine of few cores too. A proof at full weight is no error. Elsewhere the whole process would wait.
            #[cfg(target_os = "linux")]
            let _ = rustix::process::setpriority_process(None, BEHIND);
            let mut next = Some(typed);
            while let Some(typed) = next.take() {
                let sources = typed.journal.sources();
                // A text that the proof fails on keeps the margin it had. The next one gets a new reading of the sources.
                let proved = catch_unwind(AssertUnwindSafe(|| prove_typed(&queue, &sources, typed, &worker)));
                next = proved.unwrap_or_else(|_| queue.recv_timeout(IDLE).ok());
            }
        });
        match started {
            Ok(_) => self.0 = Some(sender),
            Err(error) => context.say(News::Trouble(Trouble::new(format!("your text is not checked now: {error}")))),
        }
    }
}

/// Proves what is typed against `sources`, until a text of another story comes, which is returned, or none for long.
fn prove_typed(queue: &Receiver<Typed>, sources: &[Source], first: Typed, context: &WorkerContext) -> Option<Typed> {
    let read = ReadSources::new(sources);
    let (mut proof, mut style) = (TypedProof::default(), Vec::new());
    let mut typed = first;
    let mut open = OpenRound::of(&typed.journal, typed.round, None);
    let mut witnesses = None;
    loop {
        let say = |proof: &TypedProof, style: &[StyleNote], open: &OpenRound, is_checking: bool| {
            let margin = Box::new(Margin { is_checking, ..open.margin(&typed.article, proof, style) });
            context.say(News::TypedProved { run: typed.run, round: typed.round, margin });
        };
        read.typed(&mut proof, &typed.article);
        say(&proof, &style, &open, true);
        let mut next = queue.recv_timeout(PAUSE).ok();
        if next.is_none() {
            style = context.tools.speller.notes(&typed.article, sources).map(|review| review.notes).unwrap_or_default();
            read.go_on(&mut proof, PIECE, || {
                next = queue.try_recv().ok();
                next.is_some()
            });
            if next.is_none() {
                let witnesses = witnesses.get_or_insert_with(|| Witnesses::new(&typed.journal));
                open = OpenRound::of(&typed.journal, typed.round, Some(witnesses));
                say(&proof, &style, &open, false);
            }
        }
        let newer = match next {
            Some(newer) => newer,
            None => queue.recv_timeout(IDLE).ok()?,
        };
        // Text that was typed over meanwhile is not proved.
        let newer = queue.try_iter().last().unwrap_or(newer);
        let is_another = !Arc::ptr_eq(&newer.journal, &typed.journal);
        if is_another && !newer.journal.sources().iter().eq(sources) {
            return Some(newer);
        }
        if is_another || newer.round != typed.round {
            open = OpenRound::of(&newer.journal, newer.round, None);
        }
        typed = newer;
    }
}

/// Adds a word to the newsroom's dictionary and checks the story's drafts again.
pub(crate) async fn add_word(
    context: WorkerContext,
    word: String,
    key: RunKey,
    journal: Arc<Journal>,
) -> RequestResult {
    let adding = tokio::task::spawn_blocking(move || {
        let added = context.tools.speller.learn(&word)?;
        for round in 1..=journal.latest_draft() {
            spell(&context, key, &journal, round);
        }
        let already = if added { "" } else { " already" };
        context.say(News::Done(format!("“{word}” is in the dictionary{already}")));
        Ok(())
    });
    adding.await.unwrap_or_else(|error| Err(error.into()))
}

/// Tells what house style and spelling have to say of a draft.
fn spell(context: &WorkerContext, key: RunKey, journal: &Journal, round: u32) {
    let Some(draft) = journal.draft(round) else { return };
    context.say(match context.tools.speller.notes(&draft.article, &journal.sources()) {
        Ok(review) => News::Spelt { key, round, review },
        Err(trouble) => News::Trouble(trouble),
    });
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
