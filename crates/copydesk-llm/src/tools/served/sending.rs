//! The tools that send signed stories.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{ServedDesk, ToolRefusal, arguments};
use copydesk_newsroom::{DeliveryState, StoryDelivery, TargetKind};

/// What is to be sent.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SendArguments {
    /// The story: its channel and slug, such as "local-government/park", or the slug alone.
    #[serde(deserialize_with = "arguments::line")]
    story: String,
    /// Names of targets in the desk's configuration. Without them, all targets.
    #[serde(default, deserialize_with = "arguments::lines")]
    targets: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct SendAnswer {
    /// What became of each delivery. Only the state `sent` means that the target has it.
    deliveries: Vec<ServedDelivery>,
}

/// A delivery without the addresses that it goes to.
#[derive(Debug, Serialize, JsonSchema)]
struct ServedDelivery {
    target: String,
    kind: TargetKind,
    state: DeliveryState,
    /// How often it was sent, or begun to be.
    attempts: u32,
    /// SHA-256 of the version's text, hex.
    version: String,
}

impl From<StoryDelivery> for ServedDelivery {
    fn from(StoryDelivery { target, kind, state, attempts, version, .. }: StoryDelivery) -> Self {
        Self { target, kind, state, attempts, version }
    }
}

/// The names of the targets of a kind, or of all.
pub(super) fn targets(desk: &ServedDesk, kind: Option<TargetKind>) -> impl Iterator<Item = String> {
    let all = desk.way_out.as_ref().map(|way_out| way_out.targets()).unwrap_or_default();
    all.into_iter().filter(move |(_, is)| kind.is_none_or(|kind| kind == *is)).map(|(name, _)| name)
}

pub(super) async fn send(desk: &ServedDesk, kind: Option<TargetKind>, given: Value) -> Result<Value, ToolRefusal> {
    let SendArguments { story, targets: wanted } = arguments::read(given)?;
    let known: Vec<String> = targets(desk, kind).collect();
    if let Some(unknown) = wanted.iter().find(|wanted| !known.contains(wanted)) {
        return Err(ToolRefusal::NotSent(format!("there is no target {unknown:?}; there are: {}", known.join(", "))));
    }
    let Some(way_out) = &desk.way_out else { return Err(ToolRefusal::NotSent("there is no target".to_owned())) };
    // No name stands for all of them.
    let wanted = if wanted.is_empty() && kind.is_some() { known } else { wanted };
    let deliveries = way_out.publish(&story, wanted).await;
    let deliveries = deliveries.map_err(|error| ToolRefusal::NotSent(error.to_string()))?;
    arguments::written(&SendAnswer { deliveries: deliveries.into_iter().map(Into::into).collect() })
}
