//! The state of a story's publication at its targets, for display.

use super::{Distribution, DistributionError, PublishOrder};
use crate::{
    editorial::{
        distribution::NextSending,
        export::{Edition, ExportFormat, Imprint, written, written_notice},
        report,
    },
    ports::{KeptDelivery, RunKey},
};
use copydesk_newsroom::{ListedRun, PublishingNote, StoryKey, TargetKind};

/// How a story stands before its targets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PublishStanding {
    pub targets: Vec<TargetStanding>,
    /// Why nothing may go out, if nothing may.
    pub held_back: Option<String>,
    /// The time until which nothing goes out: ISO 8601, UTC.
    pub embargo: Option<String>,
    /// Its disclosure of artificial intelligence to readers.
    pub disclosure: Option<String>,
    /// The Publisher's notes on this draft, a line each; none before it has looked.
    pub checks: Option<Vec<String>>,
    /// Whether a notice of withdrawal goes out instead of the article.
    pub withdraws: bool,
    /// The article or the notice as Markdown, as it would go out.
    pub preview: String,
}

/// A target, with the last delivery of the story to it and the next action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TargetStanding {
    pub name: String,
    pub kind: TargetKind,
    /// A folder, addresses, a server.
    pub place: String,
    pub format: ExportFormat,
    /// The last delivery of this story to it, in any version.
    pub last: Option<KeptDelivery>,
    /// The next action for it; none if nothing may go out.
    pub next: Option<NextSending>,
}

impl Distribution {
    /// Returns how far a story is published. Nothing is sent or noted.
    ///
    /// # Errors
    /// [`DistributionError`] if the records cannot be read.
    pub async fn standing(&self, run: RunKey, story: &StoryKey) -> Result<PublishStanding, DistributionError> {
        let listed = self.listed(run, story).await?;
        let known = self.outbox.deliveries(story).await?;
        let (planned, held_back) = match self.plan(run, story, &PublishOrder::default()).await {
            Ok(planned) => (planned, None),
            Err(DistributionError::Store(error)) => return Err(error.into()),
            Err(error) => (Vec::new(), Some(error.to_string())),
        };
        let next = |name: &str| planned.iter().find(|planned| planned.target() == name).map(|planned| planned.next);
        let last = |name: &str| known.iter().rev().find(|kept| kept.delivery.target == name).cloned();
        let targets = self.targets.iter().map(|target| TargetStanding {
            name: target.name.clone(),
            kind: target.carrier.kind(),
            place: target.carrier.place(),
            format: target.format,
            last: last(&target.name),
            next: next(&target.name),
        });
        let (preview, withdraws) = self.as_text((run, &listed), story, ExportFormat::Markdown).await?;
        let journal = self.records.load(run).await?.journal;
        let checks = journal.prepared(report::shown_round(&journal, journal.latest_draft()));
        Ok(PublishStanding {
            targets: targets.collect(),
            held_back,
            embargo: self.embargo(&listed),
            disclosure: Imprint::of(&journal).disclosure,
            checks: checks.map(|notes| notes.iter().map(PublishingNote::line).collect()),
            withdraws,
            preview,
        })
    }

    /// The story's page in HTML, as it would go out; none if there is no article.
    ///
    /// # Errors
    /// As [`Self::standing`].
    pub async fn preview_page(&self, run: RunKey, story: &StoryKey) -> Result<Option<String>, DistributionError> {
        let listed = self.listed(run, story).await?;
        let (page, _) = self.as_text((run, &listed), story, ExportFormat::Html).await?;
        Ok(Some(page).filter(|page| !page.is_empty()))
    }

    /// Returns the text that would go out, and whether it is a notice of withdrawal. The text is empty if there is no article.
    async fn as_text(
        &self,
        (run, listed): (RunKey, &ListedRun),
        story: &StoryKey,
        format: ExportFormat,
    ) -> Result<(String, bool), DistributionError> {
        let notice = self.notice(story).await?;
        let (run, listed, withdrawal) = match &notice {
            Some((run, listed, withdrawal)) => (*run, listed, Some(withdrawal)),
            None => (run, listed, None),
        };
        let (journal, embargo) = (self.records.load(run).await?.journal, self.embargo(listed));
        let edition = Edition { number: listed.version, embargo: embargo.as_deref() };
        let bytes = match withdrawal {
            Some(withdrawal) => written_notice(&journal, withdrawal, format, edition),
            None => written(&journal, format, edition),
        };
        // Text formats are always written, if there is an article.
        Ok((String::from_utf8(bytes.ok().flatten().unwrap_or_default()).unwrap_or_default(), notice.is_some()))
    }
}
