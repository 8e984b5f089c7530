//! Publishing from the screen. Each request is an errand: a target may take its time.

use std::{io::Write as _, process::Stdio};

use jiff::tz::TimeZone;

use crate::app::{News, Trouble, WorkKind};
use crate::widgets::words;
use crate::worker::errands::change_story;
use crate::worker::{RequestResult, WorkerContext, Working};
use copydesk_core::desk::PublishOrder;
use copydesk_core::ports::{RunKey, StoryChange};
use copydesk_newsroom::{StoryKey, deadline};

/// Tells how a story stands before its targets.
pub(crate) async fn read(context: WorkerContext, run: RunKey, story: StoryKey) -> RequestResult {
    let standing = context.tools.distribution.standing(run, &story).await?;
    context.say(News::Publishing(run, Box::new(standing)));
    Ok(())
}

pub(crate) async fn send(context: WorkerContext, run: RunKey, story: StoryKey, targets: Vec<String>) -> RequestResult {
    let _working = Working::begin(&context, WorkKind::Sending);
    let order = PublishOrder { targets, ..PublishOrder::default() };
    let sent = context.tools.distribution.publish(run, &story, &order).await;
    for dispatched in sent.iter().flatten() {
        context.say(News::Done(dispatched.delivery.line()));
    }
    // Also if it failed: part of it may have gone out.
    let told = read(context, run, story).await;
    sent?;
    told
}

pub(crate) async fn set_embargo(context: WorkerContext, run: RunKey, story: StoryKey, typed: String) -> RequestResult {
    let until = deadline(&typed, context.tools.desk.clock.now(), &TimeZone::system())?;
    change_story(&context, &story, StoryChange::Embargo(until.clone())).await?;
    context.say(News::Done(match &until {
        Some(until) => format!("{story} is under embargo until {}", words::day_and_time(until)),
        None => format!("{story} is under no embargo"),
    }));
    read(context, run, story).await
}

/// Writes the story's page into a private file and opens it with the system's own program. If there is none, the file
/// is named.
pub(crate) async fn open_preview(context: WorkerContext, run: RunKey, story: StoryKey) -> RequestResult {
    let Some(page) = context.tools.distribution.preview_page(run, &story).await? else {
        return Err(Trouble::new("there is no article to show yet"));
    };
    let written = tokio::task::spawn_blocking(move || {
        let mut file = tempfile::Builder::new().prefix("copydesk-").suffix(".html").tempfile()?;
        file.write_all(page.as_bytes())?;
        let (_, path) = file.keep().map_err(|error| error.error)?;
        let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
        let mut program = std::process::Command::new(opener);
        program.arg(&path).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        Ok::<_, std::io::Error>((program.spawn().is_ok(), path))
    });
    let written = written.await.unwrap_or_else(|error| Err(error.into()));
    let (opened, path) = written.map_err(|error| Trouble::new(format!("the preview cannot be written: {error}")))?;
    let path = path.display();
    context.say(News::Done(if opened {
        format!("the preview is open in your browser ({path})")
    } else {
        format!("the preview is in {path}")
    }));
    Ok(())
}
