//! Reads calls, logs and runs, and computes what takes longer than a frame may, on threads of its own.

use std::sync::{Arc, OnceLock};

use crate::{
    app::{messages::CallLayout, news::News},
    screens::{calls, changes::comparisons::DraftPair, concerns::panes},
    worker::{context::WorkerContext, errands::RequestResult},
};
use copydesk_core::desk::FailedStep;
use copydesk_core::editorial::{changes, extract::Extract, report};
use copydesk_core::ports::{CallText, RunKey};
use copydesk_newsroom::{Journal, Step, StoryKey};
use copydesk_proof::Witnesses;

/// Tells the attempts of a failed step.
pub(crate) async fn attempts(context: &WorkerContext, failed: &FailedStep) -> RequestResult {
    let tried = failed.attempts(&*context.tools.archive).await?;
    context.say(News::Attempts(failed.run, tried));
    Ok(())
}

pub(crate) async fn log(context: &WorkerContext, run: RunKey) -> RequestResult {
    let events = context.tools.archive.events(run).await?;
    context.say(News::Log(run, events));
    Ok(())
}

pub(crate) async fn runs(context: &WorkerContext, story: StoryKey) -> RequestResult {
    let runs = context.tools.archive.runs_of(&story.to_string()).await?;
    context.say(News::StoryRuns(story, runs));
    Ok(())
}

pub(crate) async fn calls(context: &WorkerContext, run: RunKey) -> RequestResult {
    let calls = context.tools.archive.call_log(run).await?;
    context.say(News::Calls(run, calls));
    Ok(())
}

/// Measures a story beside the other work: a long one takes a while.
pub(crate) fn measure(context: &WorkerContext, run: RunKey) {
    let (news, measures) = (context.news.clone(), Arc::clone(&context.tools.measures));
    tokio::spawn(async move {
        // If the screen has ended, the news is not needed.
        let _ = news.send(News::Measured(run, measures.saved(run).await));
    });
}

pub(crate) async fn call(context: &WorkerContext, run: RunKey, step: Step, attempt: u32) -> RequestResult {
    let text = context.tools.archive.call_text(run, step, attempt).await?;
    context.say(News::Call { run, step, attempt, text: text.map(Box::new) });
    Ok(())
}

/// Lays out a call on a thread of its own: a long text takes a while.
pub(crate) fn lay_call(context: &WorkerContext, laid: CallLayout, call: Box<CallText>) {
    let news = context.news.clone();
    tokio::task::spawn_blocking(move || {
        let page = Box::new(calls::model::page(&call, laid.step, laid.raw));
        // If the screen has ended, the news is not needed.
        let _ = news.send(News::CallLaid { laid, page });
    });
}

/// Compares two drafts on a thread of its own: long ones take longer than a frame may.
pub(crate) fn compare(context: &WorkerContext, key: RunKey, journal: Arc<Journal>, pair: DraftPair) {
    let news = context.news.clone();
    tokio::task::spawn_blocking(move || {
        let comparison = changes::between(&journal, pair.0, pair.1).map(Arc::new);
        // If the screen has ended, the news is not needed.
        let _ = news.send(News::Compared { key, pair, comparison });
    });
}

/// Compares the articles of two runs as they stand, on a thread of its own.
pub(crate) async fn compare_runs(
    context: &WorkerContext,
    key: RunKey,
    journal: Arc<Journal>,
    other: RunKey,
) -> RequestResult {
    let beside = context.tools.desk.records.load(other).await?.journal;
    let news = context.news.clone();
    tokio::task::spawn_blocking(move || {
        let comparison = report::standing_draft(&journal)
            .zip(report::standing_draft(&beside))
            .map(|(here, there)| Arc::new(changes::by_hand(&here.article, &there.article)));
        // If the screen has ended, the news is not needed.
        let _ = news.send(News::RunsCompared { key, other, comparison });
    });
    Ok(())
}

/// Finds the excerpts of a round's concerns in the draft, on a thread of its own.
pub(crate) fn find_excerpts(context: &WorkerContext, key: RunKey, journal: Arc<Journal>, round: u32) {
    let news = context.news.clone();
    tokio::task::spawn_blocking(move || {
        let places = panes::places(&journal, round);
        // If the screen has ended, the news is not needed.
        let _ = news.send(News::Excerpts { key, round, places });
    });
}

/// Finds out which to-dos the draft of a round leaves, on a thread of its own.
pub(crate) fn follow_up(context: &WorkerContext, key: RunKey, journal: Arc<Journal>, round: u32) {
    let news = context.news.clone();
    tokio::task::spawn_blocking(move || {
        let (left, extract) = (changes::left(&journal, round), Extract::of(&journal, round));
        // If the screen has ended, the news is not needed.
        let _ = news.send(News::FollowedUp { key, entries: journal.entries().len(), left, extract });
    });
}

/// Finds the passages that bear on concerns. Reads the sources of a run once.
#[derive(Default)]
pub(crate) struct BearingPassages(Option<(RunKey, Arc<OnceLock<Witnesses>>)>);

impl BearingPassages {
    /// Finds the passage for a concern on a thread of its own.
    pub(crate) fn find(
        &mut self,
        context: &WorkerContext,
        key: RunKey,
        journal: Arc<Journal>,
        round: u32,
        concern: u32,
    ) {
        let news = context.news.clone();
        let witnesses = match &self.0 {
            Some((of, witnesses)) if *of == key => Arc::clone(witnesses),
            _ => Arc::default(),
        };
        self.0 = Some((key, Arc::clone(&witnesses)));
        tokio::task::spawn_blocking(move || {
            let read = witnesses.get_or_init(|| Witnesses::new(&journal));
            let bearing = read.passage_for(&journal, round, concern);
            // If the screen has ended, the news is not needed.
            let _ = news.send(News::Passage { key, round, concern, bearing });
        });
    }
}
