//! What touches files: saving an article, deleting a story, backing the desk up.

use std::{io::Write as _, path::PathBuf, sync::Arc};

use crate::desk::Deletion;
use crate::newsroom::StoryKey;
use crate::text::count;
use crate::tui::{
    app::news::News,
    worker::{
        errands::{Errand, Reply},
        room::Backroom,
    },
};

impl Backroom {
    pub(crate) fn write(&mut self, path: PathBuf, text: String, reply: Reply) {
        self.errands.run(async move {
            let shown = path.display().to_string();
            let written = tokio::task::spawn_blocking(move || {
                if let Some(folder) = path.parent() {
                    std::fs::create_dir_all(folder)?;
                }
                let mut file = std::fs::File::create_new(&path)?;
                file.write_all(text.as_bytes())?;
                file.sync_all()
            })
            .await
            .unwrap_or_else(|error| Err(error.into()));
            let result = match written {
                Ok(()) => {
                    reply.say(News::Done(format!("saved: {shown}")));
                    Ok(())
                }
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                    Err(format!("{shown} exists already; nothing was replaced, choose another name"))
                }
                Err(error) => Err(format!("{shown} cannot be written: {error}")),
            };
            reply.end(result);
            Errand::Done
        });
    }

    pub(crate) async fn delete(&mut self, story: StoryKey, reply: Reply) {
        let run = match self.current(&story).await {
            Ok(Some(run)) => run,
            Ok(None) => return reply.end(Err(format!("there is no story {story}"))),
            Err(message) => return reply.end(Err(message)),
        };
        self.work.stop(&story).await;
        self.refuse_later(&story, "the story is being deleted");
        self.tell_hands();
        self.deleting.insert(run);
        let desk = Arc::clone(&self.tools.desk);
        self.errands.run(async move {
            let result = match desk.delete(&story).await {
                Ok(deleted) => {
                    let said = deleted_words(&story, deleted.as_ref());
                    reply.say(News::Deleted(story));
                    reply.say(News::Done(said));
                    for sentence in deleted.into_iter().flat_map(|deletion| deletion.missed) {
                        reply.say(News::Trouble(sentence));
                    }
                    Ok(())
                }
                Err(error) => Err(error.to_string()),
            };
            reply.end(result);
            Errand::Deleted(run)
        });
    }

    pub(crate) fn back_up(&mut self, path: PathBuf, reply: Reply) {
        let tools = Arc::clone(&self.tools);
        self.errands.run(async move {
            let result = match tools.stories.backup(&path).await {
                Ok(bytes) => {
                    let mib = bytes.div_ceil(1 << 20);
                    let shown = path.display();
                    reply.say(News::Done(format!("the desk is in {shown} ({mib} MiB); `copydesk restore` reads it")));
                    Ok(())
                }
                Err(error) => Err(error.to_string()),
            };
            reply.end(result);
            Errand::Done
        });
    }
}

/// What was deleted, and what is not for this program to delete.
fn deleted_words(story: &StoryKey, deleted: Option<&Deletion>) -> String {
    let Some(Deletion { records, paths, .. }) = deleted else { return format!("{story} was not there any more") };
    let wiped = if records.wiped {
        ""
    } else {
        " Another program reads the database: what it still needs stays in the -wal file until the last one closes it."
    };
    format!(
        "{story} is deleted: {}, {}, {}, {}. Backups are yours to delete.{wiped}",
        count(records.runs, "run"),
        count(records.calls, "call"),
        count(records.texts, "text"),
        if paths.len() == 1 { "1 file or folder".to_owned() } else { format!("{} files and folders", paths.len()) },
    )
}
