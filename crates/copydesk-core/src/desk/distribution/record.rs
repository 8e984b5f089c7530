//! The control record of a run, read whole.

use std::path::Path;

use super::{Distribution, DistributionError};
use crate::{
    editorial::{
        control_record::{self, ArticleOnDisk, CheckedLog, ControlRecord, RecordedRun},
        version::version_of,
    },
    ports::StoreError,
};
use copydesk_newsroom::{ArticleGenerationResult, ListedRun, StoryKey};

impl Distribution {
    /// The control record of a run. The desk's whole record is checked for it.
    ///
    /// # Errors
    /// [`DistributionError`] if the database cannot be read, or the run was deleted meanwhile.
    pub async fn control_record(&self, listed: &ListedRun) -> Result<ControlRecord, DistributionError> {
        let runs = self.read_runs(&listed.story).await?;
        let audit = self.archive.audit(self.outputs.witnesses().await).await?;
        let log = CheckedLog {
            events: audit.events,
            head: self.archive.chain_head().await?,
            flaws: audit.flaws.iter().map(ToString::to_string).collect(),
        };
        let file = runs.last().map(|last| self.outputs.canonical(&last.journal.opening.topic.story()));
        let on_disk = match file {
            Some(file) => tokio::task::spawn_blocking(move || on_disk(&file)).await.ok().flatten(),
            None => None,
        };
        let record = control_record::record(&runs, &listed.run, &log, on_disk.as_ref());
        record.ok_or_else(|| DistributionError::RunGone { run: listed.run.clone() })
    }

    /// All runs of a story, oldest first.
    async fn read_runs(&self, name: &str) -> Result<Vec<RecordedRun>, StoreError> {
        let mut listed = self.archive.runs_of(name).await?;
        listed.sort_by_key(|(key, _)| key.0);
        let mut runs = Vec::with_capacity(listed.len());
        for (key, run) in listed {
            let journal = self.records.load(key).await?.journal;
            runs.push(RecordedRun { run, journal, events: self.archive.events(key).await? });
        }
        Ok(runs)
    }

    /// Whether a target has the version of this run, or may have it.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn was_sent(&self, story: &StoryKey, run: &str) -> Result<bool, DistributionError> {
        let deliveries = self.outbox.deliveries(story).await?;
        Ok(deliveries.iter().any(|kept| kept.run == run && kept.delivery.may_be_there()))
    }
}

/// The canonical file; none if there is none. One that is no result any more has no article.
fn on_disk(path: &Path) -> Option<ArticleOnDisk> {
    let bytes = std::fs::read(path).ok()?;
    let result = serde_json::from_slice::<ArticleGenerationResult>(&bytes).ok();
    Some(ArticleOnDisk {
        path: path.display().to_string(),
        artifacts_dir: result.as_ref().and_then(|result| result.artifacts_dir.clone()),
        version: result.and_then(|result| result.article).as_ref().map(version_of),
    })
}
