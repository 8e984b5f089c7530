//! `copydesk backup` and `copydesk restore`: the desk in one file, and back.

use crate::cli::commands::audit::audited;
use crate::cli::prelude::*;
use crate::ports::{StoreError, Stories};
use crate::store::{self, RestoreError};

#[derive(Debug, Args)]
pub(crate) struct BackupArgs {
    /// The file to write. It must not exist.
    file: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct RestoreArgs {
    /// A file that `copydesk backup` wrote.
    file: PathBuf,
}

pub(crate) async fn backup(config: Option<&Path>, arguments: BackupArgs) -> Result<Exit> {
    let (settings, store) = wiring::open(config)?;
    let audit = audited(&settings, &store).await?;
    let bar = headless::Bar::of_bytes("copying the desk");
    let size = store.backup(&arguments.file, bar.progress()).await.map_err(|error| match error {
        StoreError::Exists { .. } | StoreError::Backup { .. } => wrong_use(error.to_string()),
        other => other.into(),
    })?;
    drop(bar);
    headless::message(&format!(
        "The whole desk is in {} ({:.1} MB): sources, drafts, calls, decisions, memory. Only you can read it. \
         `copydesk restore` puts it back; articles and other files below the workspace are not part of it.",
        arguments.file.display(),
        headless::megabytes(size)
    ));
    headless::messages(audit.flaws.iter().map(|flaw| format!("The database is not as it was written: {flaw}.")));
    if audit.flaws.is_empty() {
        return Ok(Exit::Fine);
    }
    headless::message("Keep your earlier backups: `copydesk restore` may refuse this one.");
    Ok(Exit::Failed)
}

pub(crate) async fn restore(config: Option<&Path>, arguments: RestoreArgs) -> Result<Exit> {
    let settings = settings::load(config)?;
    let Some(database) = settings.database.file().map(Path::to_owned) else {
        return Err(wrong_use(format!(
            "the desk is on {}: restore it with the server's own tools, such as pg_restore",
            settings.database
        )));
    };
    let stamp = clock::stamp();
    let bar = headless::Bar::new("restoring", "rows and texts");
    let progress = bar.progress();
    let restored = tokio::task::spawn_blocking(move || store::restore(&arguments.file, &database, &stamp, &progress));
    let restored = restored.await?;
    drop(bar);
    let restored = restored.map_err(|error| match error {
        RestoreError::Unfit { .. } => wrong_use(error.to_string()),
        other => other.into(),
    })?;
    headless::message(&format!(
        "Restored {}. Stories: {}. Events of the audit log: {}, and its chain is whole.",
        settings.database, restored.stories, restored.events
    ));
    if let Some(kept) = restored.replaced {
        headless::message(&format!(
            "The database that was there is kept as {}; delete it once you no longer need it.",
            kept.display()
        ));
    }
    Ok(Exit::Fine)
}
