//! Publishing from the screen. Each request is an errand: a target may take its time.

use std::{io::Write as _, process::Stdio, sync::Arc};

use jiff::tz::TimeZone;

use crate::{
    app::{news::News, trouble::Trouble, under_way::WorkKind},
    worker::{
        context::{Tools, WorkerContext},
        errands::{Errand, Errands, Reply, RequestError, RequestResult, Working},
    },
};
use copydesk_core::desk::{Distribution, DistributionError, PublishOrder};
use copydesk_core::ports::RunKey;
use copydesk_newsroom::{StoryKey, deadline, local_minute};

pub(crate) fn read(context: &WorkerContext, errands: &mut Errands, run: RunKey, story: StoryKey, reply: Reply) {
    let distribution = Arc::clone(&context.tools.distribution);
    errands.run(async move {
        let result = tell(&distribution, run, &story, &reply).await;
        reply.end(result);
        Errand::Done
    });
}

async fn tell(distribution: &Distribution, run: RunKey, story: &StoryKey, reply: &Reply) -> Result<(), Trouble> {
    let standing = distribution.standing(run, story).await.map_err(trouble)?;
    reply.say(News::Publishing(run, Box::new(standing)));
    Ok(())
}

#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
fn trouble(error: DistributionError) -> Trouble {
    Trouble::new(error.to_string())
}

pub(crate) fn send(
    context: &WorkerContext,
    errands: &mut Errands,
    (run, story): (RunKey, StoryKey),
    targets: Vec<String>,
    reply: Reply,
) {
    let distribution = Arc::clone(&context.tools.distribution);
    let working = Working::begin(context, WorkKind::Sending);
    errands.run(async move {
        let _working = working;
        let order = PublishOrder { targets, ..PublishOrder::default() };
        let done = distribution.publish(run, &story, &order).await.map_err(trouble).map(|done| {
            for dispatched in done {
                reply.say(News::Done(dispatched.delivery.line()));
            }
        });
        // Also if it failed: part of it may have gone out.
        let told = tell(&distribution, run, &story, &reply).await;
        reply.end(done.and(told));
        Errand::Done
    });
}

pub(crate) fn set_embargo(
    context: &WorkerContext,
    errands: &mut Errands,
    (run, story): (RunKey, StoryKey),
    typed: String,
    reply: Reply,
) {
    let (tools, at) = (Arc::clone(&context.tools), context.now());
    errands.run(async move {
        let set = embargo(&tools, &story, &typed, &at).await;
        let result = match set {
            Ok(said) => {
                reply.say(News::Done(said));
                tell(&tools.distribution, run, &story, &reply).await
            }
            Err(error) => Err(error.into()),
        };
        reply.end(result);
        Errand::Done
    });
}

async fn embargo(tools: &Tools, story: &StoryKey, typed: &str, at: &str) -> RequestResult<String> {
    let until = deadline(typed, tools.clock.now(), &TimeZone::system())?;
    if !tools.distribution.outbox.set_embargo(story, until.clone(), &tools.editor, at).await? {
        return Err(RequestError::NoStory(story.clone()));
    }
    Ok(match &until {
        Some(until) => format!("{story} is under embargo until {}", local_minute(until)),
        None => format!("{story} is under no embargo"),
    })
}

/// Writes the story's page into a private file and opens it with the system's own program. If there is none, the file
/// is named.
pub(crate) fn open_preview(
    context: &WorkerContext,
    errands: &mut Errands,
    (run, story): (RunKey, StoryKey),
    reply: Reply,
) {
    let distribution = Arc::clone(&context.tools.distribution);
    errands.run(async move {
        let result = preview(&distribution, run, &story).await;
        if let Ok(said) = &result {
            reply.say(News::Done(said.clone()));
        }
        reply.end(result.map(drop));
        Errand::Done
    });
}

async fn preview(distribution: &Distribution, run: RunKey, story: &StoryKey) -> Result<String, Trouble> {
    let Some(page) = distribution.preview_page(run, story).await.map_err(trouble)? else {
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
    Ok(if opened {
        format!("the preview is open in your browser ({path})")
    } else {
        format!("the preview is in {path}")
    })
}
