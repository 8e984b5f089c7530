//! `copydesk kill`: takes back a story that was out.

use crate::cli::commands::publish::mendable;
use crate::cli::prelude::*;
use crate::{cli::wiring::targets, editorial::distribution::holders, ports::Outbox as _};

#[derive(Debug, Args)]
pub(crate) struct KillArgs {
    /// channel/slug, or a slug.
    story: String,
    /// Why. It stands in the notice that everybody gets who has the story.
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

pub(crate) async fn kill(config: Option<&Path>, arguments: KillArgs) -> Result<Exit> {
    let (settings, store) = wiring::open(config)?;
    let (key, ..) = story::story(&store, &arguments.story).await?;
    let distribution = targets::distribution(&settings, &store, settings.editor.clone());
    let withdrawal = distribution.kill(&key, &arguments.reason).await.map_err(mendable)?;
    headless::message(&format!("{key} is withdrawn: {}", withdrawal.reason));
    let deliveries = store.deliveries(&key).await?;
    let holders: Vec<String> = holders(deliveries.iter().map(|kept| &kept.delivery))
        .into_iter()
        .map(|holder| format!("{} ({})", holder.target, holder.place))
        .collect();
    headless::message(&if holders.is_empty() {
        "No target of this desk has it. Tell those yourself to whom you gave it another way; `copydesk export` writes the notice.".to_owned()
    } else {
        format!("`copydesk publish {key}` sends the notice to {}.", holders.join(", "))
    });
    Ok(Exit::Fine)
}
