//! Reading: the list, an open run and what is added to it, calls, logs; keeping what is typed; files.

use std::{io::Write as _, path::PathBuf, sync::Arc};

use super::Backroom;
use crate::{
    newsroom::{Journal, Step, StoryKey},
    ports::{CallText, RunKey, StoreError},
    proof::Witnesses,
    tui::{model::call, msg::News},
};

#[expect(clippy::needless_pass_by_value, reason = "it is what map_err hands over")]
fn said(error: StoreError) -> String {
    error.to_string()
}

impl Backroom {
    pub(super) async fn read_desk(&mut self) -> Result<(), String> {
        // The log's end first: what happens between the two is told of again, not lost.
        self.last = Some(self.tools.archive.tail(i64::MAX).await.map_err(said)?.last);
        let runs = self.tools.archive.desk().await.map_err(said)?;
        self.say(News::Desk(runs));
        self.tell_hands();
        Ok(())
    }

    /// Tells of what was committed since it last looked, by whichever program.
    pub(super) async fn look(&mut self) {
        if let Err(message) = self.look_or_say().await {
            self.say(News::Trouble(message));
        }
    }

    async fn look_or_say(&mut self) -> Result<(), String> {
        // Before the list is read there is nothing to compare with.
        let Some(last) = self.last else { return Ok(()) };
        let tail = self.tools.archive.tail(last).await.map_err(said)?;
        if tail.runs.is_empty() {
            return Ok(());
        }
        self.last = Some(tail.last);
        let runs = self.tools.archive.listed(&tail.runs).await.map_err(said)?;
        self.say(News::Runs(runs));
        if let Some((key, seq)) = self.open.filter(|(key, _)| tail.runs.contains(key)) {
            let entries = self.tools.archive.entries_after(key, seq).await.map_err(said)?;
            if let Some((last, _)) = entries.last() {
                self.open = Some((key, *last));
                self.say(News::Added { key, entries });
            }
        }
        Ok(())
    }

    pub(super) async fn open(&mut self, key: RunKey) -> Result<(), String> {
        let Some((_, run)) = self.tools.archive.listed(&[key]).await.map_err(said)?.pop() else {
            return Err("that run is no longer there; it was deleted with its story".to_owned());
        };
        let stored = self.tools.records.load(key).await.map_err(said)?;
        let seq = i64::try_from(stored.journal.entries().len()).unwrap_or(i64::MAX);
        self.open = Some((key, seq));
        self.say(News::Opened { key, run, journal: Arc::new(stored.journal), seq });
        Ok(())
    }

    pub(super) async fn read_log(&self, run: RunKey) -> Result<(), String> {
        let events = self.tools.archive.events(run).await.map_err(said)?;
        self.say(News::Log(run, events));
        Ok(())
    }

    pub(super) async fn read_runs(&self, story: StoryKey) -> Result<(), String> {
        let runs = self.tools.archive.runs_of(&story.to_string()).await.map_err(said)?;
        self.say(News::StoryRuns(story, runs));
        Ok(())
    }

    pub(super) async fn read_calls(&self, run: RunKey) -> Result<(), String> {
        let calls = self.tools.archive.call_log(run).await.map_err(said)?;
        self.say(News::Calls(run, calls));
        Ok(())
    }

    pub(super) async fn read_call(&self, run: RunKey, step: Step, attempt: u32) -> Result<(), String> {
        let text = self.tools.archive.call_text(run, step, attempt).await.map_err(said)?;
        self.say(News::Call { run, step, attempt, text: text.map(Box::new) });
        Ok(())
    }

    pub(super) async fn keep(&self, run: RunKey, what: String, text: &str) -> Result<(), String> {
        let at = self.now();
        self.tools.scratch.keep(run, &what, text, &at).await.map_err(said)?;
        self.say(News::IsKept { what, at });
        Ok(())
    }

    pub(super) async fn read_kept(&self, run: RunKey, what: String) -> Result<(), String> {
        let kept = self.tools.scratch.kept(run, &what).await.map_err(said)?;
        self.say(News::Kept { run, what, text: kept.map(|kept| (kept.text, kept.at)) });
        Ok(())
    }

    pub(super) async fn write(&self, path: PathBuf, text: String) -> Result<(), String> {
        let shown = path.display().to_string();
        let written = tokio::task::spawn_blocking(move || {
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder)?;
            }
            let mut file = std::fs::File::create_new(&path)?;
            file.write_all(text.as_bytes())?;
            file.sync_all()
        })
        .await;
        match written {
            Ok(Ok(())) => {
                self.say(News::Done(format!("saved: {shown}")));
                Ok(())
            }
            Ok(Err(error)) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                Err(format!("{shown} exists already; nothing was replaced, choose another name"))
            }
            Ok(Err(error)) => Err(format!("{shown} cannot be written: {error}")),
            Err(error) => Err(format!("{shown} cannot be written: {error}")),
        }
    }

    pub(super) async fn delete(&mut self, story: StoryKey) -> Result<(), String> {
        if self.current(&story).await?.is_none() {
            return Err(format!("there is no story {story}"));
        }
        self.work.stop(&story).await;
        let deleted = self.tools.desk.delete(&story).await.map_err(|error| error.to_string())?;
        self.open = None;
        let said = match deleted {
            Some(deletion) => format!(
                "{story} is deleted: {} runs, {} calls, {} texts, {} files and folders",
                deletion.records.runs,
                deletion.records.calls,
                deletion.records.texts,
                deletion.paths.len()
            ),
            None => format!("{story} was not there any more"),
        };
        self.say(News::Deleted(story));
        self.say(News::Done(said));
        Ok(())
    }

    pub(super) async fn back_up(&self, path: PathBuf) -> Result<(), String> {
        let bytes = self.tools.stories.backup(&path).await.map_err(said)?;
        let mib = bytes.div_ceil(1 << 20);
        self.say(News::Done(format!("the desk is in {} ({mib} MiB); `copydesk restore` reads it", path.display())));
        Ok(())
    }

    /// Laying a call out takes a while for a long text: on a thread of its own.
    pub(super) fn lay_call(&self, key: RunKey, call: Box<CallText>, raw: bool) {
        let news = self.news.clone();
        tokio::task::spawn_blocking(move || {
            let page = Box::new(call::page(&call, raw));
            // Where the screen has gone there is nobody to tell.
            let _ = news.send(News::CallLaid { key, page });
        });
    }

    /// Finds the passage that bears on a concern, on a thread of its own. The sources are read once a run.
    pub(super) fn find_passage(&mut self, key: RunKey, journal: Arc<Journal>, round: u32, concern: u32) {
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
