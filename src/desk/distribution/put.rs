//! Into the outbox, and no further: what a program may do that nobody has given a person's word.

use async_trait::async_trait;

use super::{Distribution, DistributionError, PublishOrder};
use crate::{
    desk::lock::StoryLock,
    newsroom::{Delivery, DeliveryState, PathName, StoryKey, TargetKind},
    ports::{Dispatcher, NotDispatched, RunKey},
};

#[async_trait]
impl Dispatcher for Distribution {
    async fn put(&self, story: &str, target: &str, mail: bool) -> Result<Delivery, NotDispatched> {
        let refuse = |error: DistributionError| NotDispatched(error.to_string());
        let kind = self.target(target).map_err(refuse)?.carrier.kind();
        if (kind == TargetKind::Email) != mail {
            let tool = if mail { "publish" } else { "send_email" };
            return Err(NotDispatched(format!(
                "{target} is a target of the kind {}: use the tool {tool}",
                kind.name()
            )));
        }
        let (run, key) = self.named(story).await?;
        self.put_planned(run, &key, target).await.map_err(refuse)
    }
}

impl Distribution {
    /// The current run of the story of that name.
    async fn named(&self, name: &str) -> Result<(RunKey, StoryKey), NotDispatched> {
        let found = self.archive.find(name).await.map_err(|error| NotDispatched(error.to_string()))?;
        let mut current = found.into_iter().filter(|(_, listed)| listed.current);
        let (first, second) = (current.next(), current.next());
        let Some((run, listed)) = first else {
            return Err(NotDispatched(format!("There is no story {name}.")));
        };
        if second.is_some() {
            return Err(NotDispatched(format!("{name} is the slug of several stories: name one as channel/slug.")));
        }
        let part = |text: &str| PathName::new(text).map_err(|error| NotDispatched(error.to_string()));
        let (channel, slug) = listed.story.split_once('/').unwrap_or_default();
        Ok((run, StoryKey::new(part(channel)?, part(slug)?)))
    }

    async fn put_planned(&self, run: RunKey, story: &StoryKey, target: &str) -> Result<Delivery, DistributionError> {
        let _lock = StoryLock::take(&self.locks, story).await?;
        // Whether an embargo is over is asked when it is sent.
        let wanted =
            PublishOrder { targets: vec![target.to_owned()], despite_embargo: true, ..PublishOrder::default() };
        let planned = self.plan(run, story, &wanted).await?.into_iter().next();
        let planned = planned.ok_or(DistributionError::NoTargets)?;
        if let Some(known) = planned.known {
            return Ok(known);
        }
        let waiting = planned.delivery(DeliveryState::Waiting, 0, &self.by);
        self.note(run, &planned.parcel.story, None, &waiting).await?;
        Ok(waiting)
    }
}
