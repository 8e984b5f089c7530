//! The targets that signed stories go to.

use std::time::Duration;

use async_trait::async_trait;

use crate::cli::handed_over;
use crate::cli::prelude::*;
use crate::config::{BucketTarget, MailTarget, PublishTarget, TargetPlace};
use crate::desk::{Distribution, OutTarget, SendRetries};
use crate::ports::{Carrier, CarryError, Parcel};
use crate::tools::carriers::FolderCarrier;
use crate::{llm::Webhook, newsroom::TargetKind};

#[cfg(feature = "mcp")]
use crate::{
    cli::intake::story,
    desk::PublishOrder,
    newsroom::StoryDelivery,
    ports::{DeliveryService, NotSent},
};

/// The port that sends signed stories to the configured targets, for `by`.
pub(crate) fn distribution(settings: &Settings, store: &Store, by: String) -> Distribution {
    let queue = &settings.desk.queue;
    Distribution {
        archive: Arc::new(store.clone()),
        records: Arc::new(store.clone()),
        outbox: Arc::new(store.clone()),
        stories: Arc::new(store.clone()),
        ledger: Arc::new(store.clone()),
        clock: Arc::new(SystemClock),
        outputs: wiring::outputs(settings),
        locks: wiring::locks(settings, store),
        targets: settings.publisher.targets.iter().map(|target| out_target(settings, target)).collect(),
        auto: settings.publisher.auto,
        by,
        retries: SendRetries {
            most: queue.max_redeliveries,
            backoff: queue.backoff,
            longest_backoff: queue.longest_backoff,
            // A person waits at the command; the outbox keeps what is to be tried later.
            longest_wait: queue.longest_backoff.min(Duration::from_mins(5)),
        },
    }
}

fn out_target(settings: &Settings, target: &PublishTarget) -> OutTarget {
    let carrier: Arc<dyn Carrier> = match &target.at {
        TargetPlace::Folder(folder) => Arc::new(FolderCarrier { folder: folder.clone(), write: handed_over::write }),
        TargetPlace::Email(mail) => mail_carrier(settings, target, mail),
        TargetPlace::Webhook(webhook) => {
            Arc::new(Webhook::new(webhook.clone(), settings.secrets(), settings.privacy.local_only))
        }
        TargetPlace::Mcp(called) => tool_carrier(settings, &called.server, &called.tool),
        TargetPlace::Bucket(bucket) => bucket_carrier(settings, bucket),
    };
    let (kind, place) = match &target.at {
        TargetPlace::Folder(folder) => (TargetKind::Folder, folder.display().to_string()),
        TargetPlace::Email(mail) => {
            (TargetKind::Email, format!("{} by {}", mail.to.join(", "), mail.endpoint.authority()))
        }
        TargetPlace::Webhook(webhook) => (TargetKind::Webhook, webhook.endpoint.authority()),
        TargetPlace::Mcp(called) => (TargetKind::Mcp, format!("{} of {}", called.tool, called.server)),
        TargetPlace::Bucket(bucket) => (TargetKind::Bucket, bucket.to_string()),
    };
    OutTarget { name: target.name.clone(), format: target.format, kind, place, carrier }
}

#[cfg(feature = "mail")]
fn mail_carrier(settings: &Settings, target: &PublishTarget, mail: &MailTarget) -> Arc<dyn Carrier> {
    let (secrets, local_only) = (settings.secrets(), settings.privacy.local_only);
    Arc::new(crate::tools::carriers::MailCarrier::new(mail.clone(), target.format, secrets, local_only))
}

#[cfg(not(feature = "mail"))]
fn mail_carrier(_: &Settings, _: &PublishTarget, _: &MailTarget) -> Arc<dyn Carrier> {
    Arc::new(NotBuiltIn { kind: TargetKind::Email, feature: "mail" })
}

#[cfg(feature = "mcp")]
fn tool_carrier(settings: &Settings, server: &str, tool: &str) -> Arc<dyn Carrier> {
    use crate::tools::carriers::ToolCarrier;
    let (secrets, clock) = (settings.secrets(), Arc::new(SystemClock));
    match settings.mcp.iter().find(|known| known.name == server) {
        Some(known) => {
            Arc::new(ToolCarrier::new(known, tool, secrets, settings.privacy.local_only, &settings.workspace, clock))
        }
        // The configuration refuses such a target.
        None => Arc::new(NotBuiltIn { kind: TargetKind::Mcp, feature: "mcp" }),
    }
}

#[cfg(not(feature = "mcp"))]
fn tool_carrier(_: &Settings, _: &str, _: &str) -> Arc<dyn Carrier> {
    Arc::new(NotBuiltIn { kind: TargetKind::Mcp, feature: "mcp" })
}

#[cfg(feature = "s3")]
fn bucket_carrier(settings: &Settings, bucket: &BucketTarget) -> Arc<dyn Carrier> {
    let (secrets, local_only) = (settings.secrets(), settings.privacy.local_only);
    Arc::new(crate::llm::BucketCarrier::new(bucket.clone(), secrets, local_only))
}

#[cfg(not(feature = "s3"))]
fn bucket_carrier(_: &Settings, _: &BucketTarget) -> Arc<dyn Carrier> {
    Arc::new(NotBuiltIn { kind: TargetKind::Bucket, feature: "s3" })
}

/// The way out for programs that call this desk's tools. Only what a person has signed goes, also with `publisher.auto`.
#[cfg(feature = "mcp")]
pub(crate) fn way_out(settings: &Settings, store: &Store) -> Arc<dyn DeliveryService> {
    let distribution =
        Distribution { auto: false, ..distribution(settings, store, format!("{} (through MCP)", settings.editor)) };
    Arc::new(SignedStories { distribution, store: store.clone() })
}

#[cfg(feature = "mcp")]
struct SignedStories {
    distribution: Distribution,
    store: Store,
}

#[cfg(feature = "mcp")]
#[async_trait]
impl DeliveryService for SignedStories {
    fn targets(&self) -> Vec<(String, TargetKind)> {
        self.distribution.targets.iter().map(|target| (target.name.clone(), target.kind)).collect()
    }

    async fn publish(&self, named: &str, targets: Vec<String>) -> Result<Vec<StoryDelivery>, NotSent> {
        let told = |error: &dyn std::fmt::Display| NotSent(error.to_string());
        let (key, run, _) = story::story(&self.store, named).await.map_err(|error| told(&error))?;
        let order = PublishOrder { targets, ..PublishOrder::default() };
        let done = self.distribution.publish(run, &key, &order).await.map_err(|error| told(&error))?;
        Ok(done.into_iter().map(|dispatched| dispatched.delivery).collect())
    }
}

/// A target that this build cannot reach.
struct NotBuiltIn {
    kind: TargetKind,
    feature: &'static str,
}

#[async_trait]
impl Carrier for NotBuiltIn {
    async fn carry(&self, _: &Parcel) -> Result<String, CarryError> {
        let (kind, feature) = (self.kind.name(), self.feature);
        Err(CarryError::Refused(format!(
            "this copydesk was built without {feature}, which a target of the kind {kind} needs. Build it with `cargo build --release \
             --features {feature}`; the released binaries have it"
        )))
    }
}
