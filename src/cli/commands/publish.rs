//! `copydesk publish`: sends a signed story to the configured targets.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::json;

use crate::cli::prelude::*;
use crate::cli::wiring::targets;
use crate::desk::{Dispatched, DistributionError, PublishOrder};
use crate::{editorial::export::ExportFormat, newsroom::DeliveryState};

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(crate) struct PublishArgs {
    /// channel/slug, or a slug.
    story: String,
    /// A target of `publisher.targets`; may be repeated [default: all].
    #[arg(long, value_name = "TARGET")]
    to: Vec<String>,
    /// The format, instead of each target's own.
    #[arg(long, value_parser = outside_format())]
    format: Option<ExportFormat>,
    /// Say what would go where. Nothing is sent.
    #[arg(long)]
    dry_run: bool,
    /// Send it also where it was sent before, or may have been.
    #[arg(long)]
    again: bool,
    /// Replace other files in a folder that have the story's name.
    #[arg(long)]
    replace: bool,
    /// Send it although the story is under embargo. What is sent says so.
    #[arg(long)]
    despite_embargo: bool,
    /// Send it to targets on other machines although the story is confidential. Hidden names still go to none.
    #[arg(long)]
    despite_confidential: bool,
    /// Print one JSON object per delivery.
    #[arg(long)]
    json: bool,
}

/// Reads a format in which an article goes out.
fn outside_format() -> impl TypedValueParser<Value = ExportFormat> {
    let names = PossibleValuesParser::new(ExportFormat::OUTSIDE.map(ExportFormat::name));
    names.try_map(|named| {
        let found = ExportFormat::OUTSIDE.into_iter().find(|format| format.name() == named);
        found.ok_or("no such format")
    })
}

pub(crate) async fn publish(config: Option<&Path>, arguments: PublishArgs) -> Result<Exit> {
    let (settings, store) = wiring::open(config)?;
    let distribution = targets::distribution(&settings, &store, settings.editor.clone());
    let (key, run, listed) = story::story(&store, &arguments.story).await?;
    let order = PublishOrder {
        targets: arguments.to.clone(),
        format: arguments.format,
        again: arguments.again,
        replaces: arguments.replace,
        despite_embargo: arguments.despite_embargo,
        despite_confidence: arguments.despite_confidential,
    };
    if arguments.dry_run {
        for planned in distribution.plan(run, &key, &order).await.map_err(mendable)? {
            headless::data(&if arguments.json {
                headless::planned_json(&planned).to_string()
            } else {
                headless::planned_line(&planned)
            })?;
        }
        return Ok(Exit::Fine);
    }
    let bar = headless::Bar::of_time("sending");
    let done = distribution.publish(run, &key, &order).await.map_err(mendable)?;
    drop(bar);
    say(&listed.story, &done, arguments.json)
}

/// Says what became of deliveries.
fn say(story: &str, done: &[Dispatched], json: bool) -> Result<Exit> {
    for dispatched in done {
        headless::data(&if json {
            json!({"story": story, "delivery": dispatched.delivery}).to_string()
        } else {
            headless::dispatched_line(story, dispatched)
        })?;
    }
    let all = done.iter().all(|dispatched| dispatched.delivery.state == DeliveryState::Sent);
    Ok(if all { Exit::Fine } else { Exit::Failed })
}

/// A person can mend everything but a failure of the database or of another program.
pub(crate) fn mendable(error: DistributionError) -> anyhow::Error {
    match error {
        DistributionError::Store(_) | DistributionError::Desk(_) | DistributionError::Overtaken { .. } => error.into(),
        other => WrongUse(other.to_string()).into(),
    }
}
