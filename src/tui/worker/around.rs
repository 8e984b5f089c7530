//! Looking around: which stories other programs work on, and whether the database is still where it was.

use std::{collections::HashSet, path::Path, sync::Arc};

use crate::desk::is_held;
use crate::newsroom::StoryKey;
use crate::ports::Queued;
use crate::tui::{app::news::News, screens::desk::model::Hands, worker::room::Backroom};

/// What tells one file from another that took its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FileId(u64, u64);

/// The file at a path; none where there is none.
pub(crate) fn file_id(path: &Path) -> Option<FileId> {
    let file = std::fs::metadata(path).ok()?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        Some(FileId(file.dev(), file.ino()))
    }
    #[cfg(not(unix))]
    {
        drop(file);
        Some(FileId(0, 0))
    }
}

impl Backroom {
    pub(crate) async fn look_around(&mut self) {
        if let Some(message) = self.missing() {
            return self.say(News::Trouble(message));
        }
        // Where the records cannot be read, the look at what has changed says so.
        let Ok(unfinished) = self.tools.records.unfinished().await else {
            // Nobody knows what still waits there.
            self.queued.clear();
            return self.tell_hands();
        };
        let now = self.tools.clock.now().as_millisecond();
        let down = self.tools.desk.queue.servers_down(now).await.unwrap_or_default();
        if down != self.down {
            self.down.clone_from(&down);
            self.say(News::ServersDown(down));
        }
        // Nobody works on what waits for its editor.
        let at_work = unfinished.into_iter().filter(|run| !run.waits && !self.work.runs(&run.story));
        let at_work: Vec<_> = at_work.collect();
        let queued: HashSet<StoryKey> =
            at_work.iter().filter(|run| run.queued == Queued::Waits).map(|run| run.story.clone()).collect();
        let at_work = at_work.into_iter();
        let stories: Vec<StoryKey> = at_work.map(|run| run.story).collect();
        let desk = Arc::clone(&self.tools.desk);
        let held = tokio::task::spawn_blocking(move || {
            let held = |story: &StoryKey| is_held(&desk.locks, story).unwrap_or(false);
            stories.into_iter().filter(held).collect::<HashSet<StoryKey>>()
        });
        let Ok(held) = held.await else { return };
        self.work.leave(&held);
        if held != self.elsewhere || queued != self.queued {
            self.elsewhere = held;
            self.queued = queued;
            self.tell_hands();
        }
    }

    /// Tells who works on what: this program and others.
    pub(crate) fn tell_hands(&self) {
        let ours = self.work.hands();
        let others = self.elsewhere.iter().map(StoryKey::to_string);
        let others = others.filter(|story| !ours.iter().any(|(known, _)| known == story));
        let others: Vec<_> = others.map(|story| (story, Hands::Others)).collect();
        let known = [ours, others].concat();
        let queued = self.queued.iter().map(StoryKey::to_string);
        let queued = queued.filter(|story| !known.iter().any(|(known, _)| known == story));
        let queued: Vec<_> = queued.map(|story| (story, Hands::Queued)).collect();
        self.say(News::Hands([known, queued].concat()));
    }

    /// What is to be said where the database is not in its place any more: everything written from then on would be lost.
    pub(crate) fn missing(&self) -> Option<String> {
        let before = self.file?;
        (file_id(&self.tools.database) != Some(before)).then(|| {
            format!(
                "the database was deleted, moved or replaced; nothing is kept until it is put back, or quit and `copydesk restore` a \
                 backup ({})",
                self.tools.database.display()
            )
        })
    }
}
