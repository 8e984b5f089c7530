//! What would go where.

use sha2::{Digest as _, Sha256};

use super::{Distribution, DistributionError, OutTarget, PublishOrder};
use crate::{
    editorial::{
        distribution::{
            NextSending, NotReleased, file_name, idempotency_key, is_embargoed, mail_text, next_sending, release,
        },
        export::{ExportFormat, Imprint, written},
    },
    newsroom::{DeliveryState, Journal, ListedRun, StoryDelivery, StoryKey, TargetKind},
    ports::{Parcel, RunKey},
};

/// What would go to one target, and what is known of it.
#[derive(Clone)]
pub struct Planned {
    pub(super) target: OutTarget,
    pub format: ExportFormat,
    pub parcel: Parcel,
    /// SHA-256 of the file, hex.
    pub digest: String,
    /// As it stands in the outbox; none if it is not there.
    pub known: Option<StoryDelivery>,
    pub next: NextSending,
    version: String,
}

impl Planned {
    #[must_use]
    pub fn target(&self) -> &str {
        &self.target.name
    }

    #[must_use]
    pub fn kind(&self) -> TargetKind {
        self.target.carrier.kind()
    }

    #[must_use]
    pub fn place(&self) -> String {
        self.target.carrier.place()
    }

    /// The delivery in a state that it comes to.
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
    /// What would go where; nothing is sent or noted.
    ///
    /// # Errors
    /// [`DistributionError`] if the story may not leave the house.
    pub async fn plan(
        &self,
        run: RunKey,
        story: &StoryKey,
        wanted: &PublishOrder,
    ) -> Result<Vec<Planned>, DistributionError> {
        let targets = self.chosen(&wanted.targets)?;
        let listed = self.listed(run, story).await?;
        let journal = self.records.load(run).await?.journal;
        let release = release(&journal, &listed, self.auto)?;
        let version = release.version();
        self.untouched().await?;
        let embargo = listed.embargo.as_deref().filter(|until| is_embargoed(until, self.clock.now()));
        if let Some(until) = embargo.filter(|_| !wanted.despite_embargo) {
            return Err(NotReleased::embargoed(&listed.story, until).into());
        }
        let known = self.outbox.deliveries(story).await?;
        let mut planned = Vec::new();
        for target in targets {
            let format = wanted.format.unwrap_or(target.format);
            let bytes = file(&journal, format, embargo, &listed)?;
            let key = idempotency_key(story, &version, &target.name);
            let known = known.iter().find(|kept| kept.delivery.key == key).map(|kept| kept.delivery.clone());
            let imprint = Imprint::of(&journal);
            let mail = mail_text(release.article, &imprint.standing, embargo, imprint.disclosure.as_deref());
            planned.push(Planned {
                format,
                digest: hex::encode(Sha256::digest(&bytes)),
                next: next_sending(known.as_ref(), wanted.again),
                known,
                version: version.clone(),
                parcel: Parcel {
                    key,
                    story: listed.story.clone(),
                    file_name: file_name(story, format),
                    media_type: format.media_type(),
                    bytes,
                    subject: mail.subject,
                    text: mail.text,
                    replaces: wanted.replaces,
                },
                target,
            });
        }
        Ok(planned)
    }

    /// The targets of these names, each once; all if none is named.
    fn chosen(&self, names: &[String]) -> Result<Vec<OutTarget>, DistributionError> {
        if self.targets.is_empty() {
            return Err(DistributionError::NoTargets);
        }
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

    /// What is signed rests on the record: nothing goes out from one that somebody changed.
    pub(super) async fn untouched(&self) -> Result<(), DistributionError> {
        let found = self.archive.audit(self.outputs.witnesses().await).await?;
        match found.flaws.first() {
            None => Ok(()),
            Some(flaw) => Err(DistributionError::Tampered { flaw: flaw.to_string() }),
        }
    }
}

fn file(
    journal: &Journal,
    format: ExportFormat,
    embargo: Option<&str>,
    listed: &ListedRun,
) -> Result<Vec<u8>, DistributionError> {
    let unwritable = |detail: String| DistributionError::Unwritable { story: listed.story.clone(), detail };
    let bytes = written(journal, format, embargo).map_err(|error| unwritable(error.to_string()))?;
    bytes.ok_or_else(|| unwritable("it has no article".to_owned()))
}
