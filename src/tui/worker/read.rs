//! Reading: the list, an open run and what is added to it, calls, logs.

use std::{collections::HashSet, sync::Arc};

use crate::editorial::changes;
use crate::newsroom::{Journal, Step, StoryKey};
use crate::ports::{CallText, RunKey, StoreError};
use crate::proof::Witnesses;
use crate::tui::{
    app::{messages::Laid, news::News, ticket::Ticket},
    screens::{calls, changes::comparisons::Pair, concerns::panes},
    worker::room::Backroom,
};

#[expect(clippy::needless_pass_by_value, reason = "it is what map_err hands over")]
fn said(error: StoreError) -> String {
    error.to_string()
}

impl Backroom {
    pub(crate) async fn read_desk(&mut self) -> Result<(), String> {
        // The log's end first: what happens between the two is told of again, not lost.
        self.last = Some(self.tools.archive.tail(i64::MAX).await.map_err(said)?.last);
        let runs = self.tools.archive.desk().await.map_err(said)?;
        self.say(News::Desk(runs));
        self.tell_hands();
        self.read_letters().await
    }

    /// Tells of what was committed since it last looked, by whichever program.
    pub(crate) async fn look(&mut self) {
        if let Err(message) = self.look_or_say().await {
            self.say(News::Trouble(message));
        }
    }

    async fn look_or_say(&mut self) -> Result<(), String> {
        // What is not told now is seen at a later look.
        if self.backlog.is_long() {
            return Ok(());
        }
        if self.backlog.is_over() {
            self.say(News::Missed);
        }
        // Before the list is read there is nothing to compare with.
        let Some(last) = self.last else { return Ok(()) };
        let tail = self.tools.archive.tail(last).await.map_err(said)?;
        if tail.runs.is_empty() {
            return Ok(());
        }
        self.last = Some(tail.last);
        let changed = self.tools.archive.listed(&tail.runs).await.map_err(said)?;
        let known: HashSet<RunKey> = changed.iter().map(|(key, _)| *key).collect();
        // Of what this program deletes, it tells itself.
        let is_gone = |run: &&RunKey| !known.contains(run) && !self.deleting.contains(run);
        let gone = tail.runs.iter().filter(is_gone).copied().collect();
        // A letter comes with a run that fails, and goes with whatever becomes of its story.
        let letters =
            !self.letters.is_empty() || changed.iter().any(|(_, run)| run.state == crate::newsroom::RunState::Failed);
        self.backlog.put();
        self.say(News::Runs { changed, gone });
        if let Some((key, seq)) = self.open.filter(|(key, _)| tail.runs.contains(key)) {
            let entries = self.tools.archive.entries_after(key, seq).await.map_err(said)?;
            if let Some((last, _)) = entries.last() {
                self.open = Some((key, *last));
                self.say(News::Added { key, entries });
            }
        }
        if letters { self.read_letters().await } else { Ok(()) }
    }

    pub(crate) async fn open(&mut self, key: RunKey, ticket: Option<Ticket>) -> Result<(), String> {
        let Some((_, run)) = self.tools.archive.listed(&[key]).await.map_err(said)?.pop() else {
            return Err("that run is no longer there; it was deleted with its story".to_owned());
        };
        let stored = self.tools.records.load(key).await.map_err(said)?;
        let seq = i64::try_from(stored.journal.entries().len()).unwrap_or(i64::MAX);
        self.say(News::Opened { ticket, key, run, journal: Arc::new(stored.journal), seq });
        Ok(())
    }

    /// Tells of what is added to a run, beginning with what was added since it was read.
    pub(crate) async fn watch(&mut self, run: RunKey, seq: i64) -> Result<(), String> {
        let entries = self.tools.archive.entries_after(run, seq).await.map_err(said)?;
        self.open = Some((run, entries.last().map_or(seq, |(last, _)| *last)));
        if !entries.is_empty() {
            self.say(News::Added { key: run, entries });
        }
        Ok(())
    }

    pub(crate) async fn read_log(&self, run: RunKey) -> Result<(), String> {
        let events = self.tools.archive.events(run).await.map_err(said)?;
        self.say(News::Log(run, events));
        Ok(())
    }

    pub(crate) async fn read_runs(&self, story: StoryKey) -> Result<(), String> {
        let runs = self.tools.archive.runs_of(&story.to_string()).await.map_err(said)?;
        self.say(News::StoryRuns(story, runs));
        Ok(())
    }

    pub(crate) async fn read_calls(&self, run: RunKey) -> Result<(), String> {
        let calls = self.tools.archive.call_log(run).await.map_err(said)?;
        self.say(News::Calls(run, calls));
        Ok(())
    }

    pub(crate) async fn read_call(&self, run: RunKey, step: Step, attempt: u32) -> Result<(), String> {
        let text = self.tools.archive.call_text(run, step, attempt).await.map_err(said)?;
        self.say(News::Call { run, step, attempt, text: text.map(Box::new) });
        Ok(())
    }

    /// Laying a call out takes a while for a long text: on a thread of its own.
    pub(crate) fn lay_call(&self, laid: Laid, call: Box<CallText>) {
        let news = self.news.clone();
        tokio::task::spawn_blocking(move || {
            let page = Box::new(calls::model::page(&call, laid.raw));
            // Where the screen has gone there is nobody to tell.
            let _ = news.send(News::CallLaid { laid, page });
        });
    }

    /// Compares two drafts on a thread of its own: long ones take longer than a frame may.
    pub(crate) fn compare(&self, key: RunKey, journal: Arc<Journal>, pair: Pair) {
        let news = self.news.clone();
        tokio::task::spawn_blocking(move || {
            let comparison = changes::between(&journal, pair.0, pair.1).map(Arc::new);
            // Where the screen has gone there is nobody to tell.
            let _ = news.send(News::Compared { key, pair, comparison });
        });
    }

    /// Finds where the excerpts of a round's concerns stand, on a thread of its own.
    pub(crate) fn find_excerpts(&self, key: RunKey, journal: Arc<Journal>, round: u32) {
        let news = self.news.clone();
        tokio::task::spawn_blocking(move || {
            let places = panes::places(&journal, round);
            // Where the screen has gone there is nobody to tell.
            let _ = news.send(News::Excerpts { key, round, places });
        });
    }

    /// Finds the passage that bears on a concern, on a thread of its own. The sources are read once a run.
    pub(crate) fn find_passage(&mut self, key: RunKey, journal: Arc<Journal>, round: u32, concern: u32) {
        let news = self.news.clone();
        let witnesses = match &self.witnesses {
            Some((of, witnesses)) if *of == key => Arc::clone(witnesses),
            _ => Arc::default(),
        };
        self.witnesses = Some((key, Arc::clone(&witnesses)));
        tokio::task::spawn_blocking(move || {
            let read = witnesses.get_or_init(|| Witnesses::new(&journal));
            let bearing = read.passage_for(&journal, round, concern);
            // Where the screen has gone there is nobody to tell.
            let _ = news.send(News::Passage { key, round, concern, bearing });
        });
    }
}
