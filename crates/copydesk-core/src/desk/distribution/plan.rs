//! Plans deliveries, each a version of a story and its target, and tells the state of a story's publication at its targets.

use sha2::{Digest as _, Sha256};

use super::{Distribution, DistributionError, OutTarget, PublishOrder};
use crate::{
    editorial::{
        distribution::{
            NextSending, NotReleased, file_name, holders, idempotency_key, is_embargoed, mail_text, next_sending,
            notice_due, notice_version, release, sent_version,
        },
        export::{Edition, ExportFormat, Imprint, notice, written, written_notice},
        report,
    },
    ports::{KeptDelivery, Parcel, RunKey},
};
use copydesk_newsroom::{
    DeliveryState, Journal, ListedRun, PublishingNote, StoryDelivery, StoryKey, StoryWithdrawal, TargetKind,
    local_minute,
};

const NO_ARTICLE: &str = "it has no article";

/// The text that leaves: the article of a run, or the notice that withdraws it.
struct Outgoing {
    run: RunKey,
    listed: ListedRun,
    journal: Journal,
    embargo: Option<String>,
    withdrawal: Option<StoryWithdrawal>,
}

impl Outgoing {
    fn edition(&self) -> Edition<'_> {
        Edition { number: self.listed.version, embargo: self.embargo.as_deref(), citations: None }
    }

    /// The file; none if there is no article.
    fn written(&self, format: ExportFormat) -> std::io::Result<Option<Vec<u8>>> {
        match &self.withdrawal {
            None => written(&self.journal, format, self.edition()),
            Some(withdrawal) => written_notice(&self.journal, withdrawal, format, self.edition()),
        }
    }

    fn unwritable(&self, detail: &impl ToString) -> DistributionError {
        DistributionError::Unwritable { story: self.listed.story.clone(), detail: detail.to_string() }
    }
}

/// The planned sending to one target, and its known delivery.
#[derive(Clone)]
pub struct Planned {
    pub(super) target: OutTarget,
    /// The run whose version it is.
    pub(super) run: RunKey,
    /// Whether it is the notice that takes the version back.
    pub withdraws: bool,
    pub format: ExportFormat,
    pub parcel: Parcel,
    /// SHA-256 of the file, hex.
    pub digest: String,
    /// Its delivery in the outbox; none if it is not there.
    pub known: Option<StoryDelivery>,
    pub next: NextSending,
    version: String,
}

impl Planned {
    pub fn target(&self) -> &str {
        &self.target.name
    }

    pub fn kind(&self) -> TargetKind {
        self.target.kind
    }

    pub fn place(&self) -> String {
        self.target.place.clone()
    }

    /// Returns the delivery in a new state.
    pub(super) fn delivery(&self, state: DeliveryState, attempts: u32, by: &str) -> StoryDelivery {
        StoryDelivery {
            key: self.parcel.key.clone(),
            target: self.target.name.clone(),
            kind: self.kind(),
            place: self.place(),
            version: self.version.clone(),
            digest: (attempts > 0).then(|| self.digest.clone()),
            state,
            attempts,
            answer: None,
            by: by.to_owned(),
        }
    }
}

impl Distribution {
    /// Plans the sending of a story to the wanted targets. Nothing is sent or noted.
    ///
    /// # Errors
    /// [`DistributionError`] if the story may not leave the house.
    pub async fn plan(
        &self,
        run: RunKey,
        story: &StoryKey,
        wanted: &PublishOrder,
    ) -> Result<Vec<Planned>, DistributionError> {
        if self.targets.is_empty() {
            return Err(DistributionError::NoTargets);
        }
        let known = self.outbox.deliveries(story).await?;
        let (goes, targets) = if let Some((run, listed, withdrawal)) = self.notice(story).await? {
            let targets = self.told_of_withdrawal(&wanted.targets, &listed.story, &known)?;
            self.untouched().await?;
            (self.outgoing(run, listed, Some(withdrawal)).await?, targets)
        } else {
            let targets = self.chosen(&wanted.targets)?;
            (self.outgoing(run, self.listed(run, story).await?, None).await?, targets)
        };
        let (version, article, imprint) = match &goes.withdrawal {
            None => {
                let article = release(&goes.journal, &goes.listed, self.auto)?;
                self.untouched().await?;
                if let Some(until) = goes.embargo.as_ref().filter(|_| !wanted.despite_embargo) {
                    let (story, until) = (goes.listed.story.clone(), local_minute(until));
                    return Err(NotReleased::Embargoed { story, until }.into());
                }
                let version = sent_version(&goes.journal.opening, article);
                (version, article.clone(), goes.edition().imprint(&goes.journal))
            }
            // An embargo does not hold a notice: it goes only to targets that have the article.
            Some(withdrawal) => {
                let noticed = notice(&goes.journal, withdrawal, goes.edition());
                let (article, imprint) = noticed.ok_or_else(|| goes.unwritable(&NO_ARTICLE))?;
                (notice_version(&goes.listed.run), article, imprint)
            }
        };
        let mail = mail_text(&article, &imprint);
        let mut planned = Vec::new();
        for target in targets {
            let format = wanted.format.unwrap_or(target.format);
            let bytes = goes.written(format).map_err(|error| goes.unwritable(&error))?;
            let bytes = bytes.ok_or_else(|| goes.unwritable(&NO_ARTICLE))?;
            let key = idempotency_key(story, &version, &target.name);
            let same = known.iter().find(|kept| kept.delivery.key == key).map(|kept| kept.delivery.clone());
            planned.push(Planned {
                run: goes.run,
                withdraws: goes.withdrawal.is_some(),
                format,
                digest: hex::encode(Sha256::digest(&bytes)),
                next: next_sending(same.as_ref(), wanted.again),
                known: same,
                version: version.clone(),
                parcel: Parcel {
                    key,
                    story: goes.listed.story.clone(),
                    file_name: file_name(story, format),
                    media_type: format.media_type(),
                    bytes,
                    subject: mail.subject.clone(),
                    text: mail.text.clone(),
                    replaces: wanted.replaces,
                    earlier: earlier(&known, &target.name),
                },
                target,
            });
        }
        Ok(planned)
    }

    async fn outgoing(
        &self,
        run: RunKey,
        listed: ListedRun,
        withdrawal: Option<StoryWithdrawal>,
    ) -> Result<Outgoing, DistributionError> {
        let journal = self.records.load(run).await?.journal;
        Ok(Outgoing { run, embargo: self.embargo(&listed), listed, journal, withdrawal })
    }

    /// The run whose notice is due, if one is.
    pub(super) async fn notice(
        &self,
        story: &StoryKey,
    ) -> Result<Option<(RunKey, ListedRun, StoryWithdrawal)>, DistributionError> {
        let runs = self.archive.runs_of(&story.to_string()).await?;
        let (keys, listed): (Vec<RunKey>, Vec<ListedRun>) = runs.into_iter().unzip();
        let due = notice_due(&listed).and_then(|place| keys.get(place).copied().zip(listed.into_iter().nth(place)));
        Ok(due.and_then(|(key, listed)| listed.withdrawn.clone().map(|withdrawal| (key, listed, withdrawal))))
    }

    /// The targets that are told of a withdrawal: those that have the story, or may have it; of them the named ones.
    fn told_of_withdrawal(
        &self,
        names: &[String],
        story: &str,
        known: &[KeptDelivery],
    ) -> Result<Vec<OutTarget>, DistributionError> {
        let holders = holders(known.iter().map(|kept| &kept.delivery));
        let story = || story.to_owned();
        if names.is_empty() && holders.is_empty() {
            return Err(DistributionError::NobodyHasIt { story: story() });
        }
        if names.is_empty() {
            let gone = holders.iter().find(|holder| !self.targets.iter().any(|target| target.name == holder.target));
            if let Some(holder) = gone {
                let (target, place) = (holder.target.clone(), holder.place.clone());
                return Err(DistributionError::HolderGone { story: story(), target, place });
            }
        }
        let mut chosen = self.chosen(names)?;
        let first = chosen.first().map(|target| target.name.clone());
        // A target that never had it needs no notice, and does not hold back the notices of others.
        chosen.retain(|target| holders.iter().any(|holder| holder.target == target.name));
        match (chosen.is_empty(), first) {
            (true, Some(target)) => Err(DistributionError::NeverHad { story: story(), target }),
            _ => Ok(chosen),
        }
    }

    pub(super) fn embargo(&self, listed: &ListedRun) -> Option<String> {
        listed.embargo.clone().filter(|until| is_embargoed(until, self.clock.now()))
    }

    /// The targets of these names, each once; all if none is named.
    fn chosen(&self, names: &[String]) -> Result<Vec<OutTarget>, DistributionError> {
        let mut chosen: Vec<OutTarget> = Vec::new();
        for name in names {
            if chosen.iter().any(|target| target.name == *name) {
                continue;
            }
            chosen.push(self.target(name)?.clone());
        }
        Ok(if names.is_empty() { self.targets.clone() } else { chosen })
    }

    pub(super) fn target(&self, name: &str) -> Result<&OutTarget, DistributionError> {
        self.targets.iter().find(|target| target.name == name).ok_or_else(|| {
            let known: Vec<&str> = self.targets.iter().map(|target| target.name.as_str()).collect();
            DistributionError::NoSuchTarget { name: name.to_owned(), known: known.join(", ") }
        })
    }

    pub(super) async fn listed(&self, run: RunKey, story: &StoryKey) -> Result<ListedRun, DistributionError> {
        let found = self.archive.listed(&[run]).await?.into_iter().next();
        let gone = || NotReleased::Replaced { story: story.to_string() };
        Ok(found.map(|(_, listed)| listed).ok_or_else(gone)?)
    }

    /// Audits the record. A signed version rests on it, so nothing goes out from a record that was changed.
    pub(super) async fn untouched(&self) -> Result<(), DistributionError> {
        let found = self.archive.audit(self.outputs.witnesses().await).await?;
        match found.flaws.first() {
            None => Ok(()),
            Some(flaw) => Err(DistributionError::Tampered { flaw: flaw.to_string() }),
        }
    }
}

/// The digests of the files of this story that a target has, or may have: a later version takes their place.
fn earlier(known: &[KeptDelivery], target: &str) -> Vec<String> {
    let of_target = known.iter().map(|kept| &kept.delivery).filter(|delivery| delivery.target == target);
    of_target.filter_map(|delivery| delivery.digest.clone()).collect()
}

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
            kind: target.kind,
            place: target.place.clone(),
            format: target.format,
            last: last(&target.name),
            next: next(&target.name),
        });
        let embargo = self.embargo(&listed);
        let (preview, withdraws) = self.as_text(run, listed, story, ExportFormat::Markdown).await?;
        let journal = self.records.load(run).await?.journal;
        let checks = journal.prepared(report::shown_round(&journal, journal.latest_draft()));
        Ok(PublishStanding {
            targets: targets.collect(),
            held_back,
            embargo,
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
        let (page, _) = self.as_text(run, listed, story, ExportFormat::Html).await?;
        Ok(Some(page).filter(|page| !page.is_empty()))
    }

    /// Returns the text that would go out, and whether it is a notice of withdrawal. The text is empty if there is no article.
    async fn as_text(
        &self,
        run: RunKey,
        listed: ListedRun,
        story: &StoryKey,
        format: ExportFormat,
    ) -> Result<(String, bool), DistributionError> {
        let (run, listed, withdrawal) = match self.notice(story).await? {
            Some((run, listed, withdrawal)) => (run, listed, Some(withdrawal)),
            None => (run, listed, None),
        };
        let goes = self.outgoing(run, listed, withdrawal).await?;
        // Text formats are always written, if there is an article.
        let bytes = goes.written(format).ok().flatten().unwrap_or_default();
        Ok((String::from_utf8(bytes).unwrap_or_default(), goes.withdrawal.is_some()))
    }
}
