//! Writes files, deletes stories and backs up the desk, each as an errand.

use std::{io::Write as _, path::PathBuf, sync::Arc};

use crate::{
    app::{news::News, trouble::Trouble, under_way::WorkKind},
    worker::{
        context::WorkerContext,
        errands::{Errand, Errands, Reply, Working},
    },
};
use copydesk_core::desk::Deletion;
use copydesk_core::ports::RunKey;
use copydesk_newsroom::StoryKey;
use copydesk_text::count;

pub(crate) fn write(errands: &mut Errands, path: PathBuf, bytes: Vec<u8>, reply: Reply) {
    errands.run(async move {
        let shown = path.display().to_string();
        let written = tokio::task::spawn_blocking(move || {
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder)?;
            }
            let mut file = std::fs::File::create_new(&path)?;
            file.write_all(&bytes)?;
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
                Err(Trouble::new(format!("{shown} exists already; choose another name (nothing was replaced)")))
            }
            Err(error) => Err(Trouble::new(format!("{shown} cannot be written: {error}"))),
        };
        reply.end(result);
        Errand::Done
    });
}

pub(crate) fn delete(context: &WorkerContext, errands: &mut Errands, run: RunKey, story: StoryKey, reply: Reply) {
    let desk = Arc::clone(&context.tools.desk);
    let working = Working::begin(context, WorkKind::Deleting);
    errands.run(async move {
        let _working = working;
        let result = match desk.delete(&story).await {
            Ok(deleted) => {
                let said = deleted_words(&story, deleted.as_ref());
                reply.say(News::Deleted(story));
                reply.say(News::Done(said));
                for sentence in deleted.into_iter().flat_map(|deletion| deletion.missed) {
                    reply.say(News::Trouble(Trouble::new(sentence)));
                }
                Ok(())
            }
            Err(error) => Err(error),
        };
        reply.end(result);
        Errand::Deleted(run)
    });
}

pub(crate) fn back_up(context: &WorkerContext, errands: &mut Errands, path: PathBuf, reply: Reply) {
    let tools = Arc::clone(&context.tools);
    let working = Working::begin(context, WorkKind::BackUp);
    errands.run(async move {
        let result = match tools.stories.backup(&path, working.progress()).await {
            Ok(bytes) => {
                let mib = bytes.div_ceil(1 << 20);
                let shown = path.display();
                reply.say(News::Done(format!("the desk is in {shown} ({mib} MiB); `copydesk restore` reads it")));
                Ok(())
            }
            Err(error) => Err(error),
        };
        reply.end(result);
        Errand::Done
    });
}

/// The message about a deletion, and about copies that this program cannot delete.
fn deleted_words(story: &StoryKey, deleted: Option<&Deletion>) -> String {
    let Some(Deletion { records, paths, .. }) = deleted else { return format!("{story} was already deleted") };
    let wiped = if records.wiped {
        ""
    } else {
        " Another program has the database open: some deleted text stays in the -wal file until that program closes it."
    };
    format!(
        "{story} is deleted: {}, {}, {}, {}. Delete your backups yourself.{wiped}",
        count(records.runs, "run"),
        count(records.calls, "call"),
        count(records.texts, "text"),
        if paths.len() == 1 { "1 file or folder".to_owned() } else { format!("{} files and folders", paths.len()) },
    )
}
