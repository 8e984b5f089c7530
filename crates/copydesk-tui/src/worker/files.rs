//! Writes files, deletes stories and backs up the desk, each as an errand.

use std::{io::Write as _, path::PathBuf};

use crate::app::{News, Trouble, WorkKind};
use crate::worker::{RequestResult, WorkerContext, Working};
use copydesk_core::desk::Deletion;
use copydesk_newsroom::StoryKey;
use copydesk_text::count;

pub(crate) async fn write(context: WorkerContext, path: PathBuf, bytes: Vec<u8>) -> RequestResult {
    let shown = path.display().to_string();
    let written = tokio::task::spawn_blocking(move || {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let mut file = std::fs::File::create_new(&path)?;
        file.write_all(&bytes)?;
        file.sync_all()
    });
    match written.await.unwrap_or_else(|error| Err(error.into())) {
        Ok(()) => {
            context.say(News::Done(format!("saved: {shown}")));
            Ok(())
        }
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            Err(Trouble::new(format!("{shown} exists already; choose another name (nothing was replaced)")))
        }
        Err(error) => Err(Trouble::new(format!("{shown} cannot be written: {error}"))),
    }
}

pub(crate) async fn delete(context: WorkerContext, story: StoryKey) -> RequestResult {
    let _working = Working::begin(&context, WorkKind::Deleting);
    let deleted = context.tools.desk.delete(&story).await?;
    let said = deleted_words(&story, deleted.as_ref());
    context.say(News::Deleted(story));
    context.say(News::Done(said));
    for sentence in deleted.into_iter().flat_map(|deletion| deletion.missed) {
        context.say(News::Trouble(Trouble::new(sentence)));
    }
    Ok(())
}

pub(crate) async fn back_up(context: WorkerContext, path: PathBuf) -> RequestResult {
    let working = Working::begin(&context, WorkKind::BackUp);
    let bytes = context.tools.desk.stories.backup(&path, working.progress()).await?;
    let (mib, shown) = (bytes.div_ceil(1 << 20), path.display());
    context.say(News::Done(format!("the desk is in {shown} ({mib} MiB); `copydesk restore` reads it")));
    Ok(())
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
