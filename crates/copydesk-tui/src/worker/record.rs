//! The record of a story, read for the screen; and what it grows by: replies, a correction, a withdrawal.

use jiff::tz::TimeZone;

use crate::app::{News, StoryRecord, Trouble, WorkKind};
use crate::worker::errands::{no_run, no_story};
use crate::worker::{RequestResult, WorkerContext, Working};
use copydesk_core::desk::{DeskError, Forked};
use copydesk_core::editorial::{distribution::holders, replies};
use copydesk_core::ports::RunKey;
use copydesk_newsroom::{StoryKey, deadline};

/// Tells the record of a story.
pub(crate) async fn read(context: WorkerContext, run: RunKey, story: StoryKey) -> RequestResult {
    let _working = Working::begin(&context, WorkKind::Record);
    let tools = &context.tools;
    let runs = tools.desk.archive.runs_of(&story.to_string()).await?;
    let listed = runs.iter().find(|(key, _)| *key == run).map(|(_, listed)| listed.clone());
    let listed = listed.ok_or_else(no_run)?;
    let record = StoryRecord {
        record: tools.distribution.control_record(&listed).await?,
        unasked: listed.unasked,
        versions: runs.into_iter().map(|(_, listed)| listed).filter(|listed| listed.signed_by.is_some()).collect(),
        replies: tools.desk.stories.replies(&story).await?,
        at: tools.desk.clock.now(),
    };
    context.say(News::StoryRecord(run, Box::new(record)));
    Ok(())
}

/// Records that a person was asked for a reply.
pub(crate) async fn ask_for_reply(
    context: WorkerContext,
    (run, story): (RunKey, StoryKey),
    name: String,
    about: String,
    due: String,
) -> RequestResult {
    let tools = &context.tools;
    let due = if due.trim().is_empty() { None } else { deadline(&due, tools.desk.clock.now(), &TimeZone::system())? };
    let question = replies::asked(&name, &about, due, &tools.desk.editor, &context.now())?;
    if !tools.desk.stories.ask_reply(&story, question).await? {
        return Err(no_story(&story));
    }
    context.say(News::Done(format!("It is noted that {name} was asked")));
    read(context, run, story).await
}

/// Records a person's reply.
pub(crate) async fn note_reply(
    context: WorkerContext,
    (run, story): (RunKey, StoryKey),
    name: String,
    text: String,
) -> RequestResult {
    let tools = &context.tools;
    if !tools.desk.stories.answer_reply(&story, &name, &text, &tools.desk.editor, &context.now()).await? {
        return Err(Trouble::new(format!("{story} waits for no reply of {name}")));
    }
    context.say(News::Done(format!("What {name} said is noted")));
    read(context, run, story).await
}

/// Takes back the version that is out.
pub(crate) async fn withdraw(context: WorkerContext, run: RunKey, story: StoryKey, reason: String) -> RequestResult {
    let distribution = &context.tools.distribution;
    distribution.kill(&story, &reason).await?;
    let deliveries = distribution.outbox.deliveries(&story).await?;
    let told: Vec<String> =
        holders(deliveries.iter().map(|kept| &kept.delivery)).into_iter().map(|holder| holder.target.clone()).collect();
    context.say(News::Done(if told.is_empty() {
        format!("{story} is withdrawn. No target of this desk has it")
    } else {
        format!("{story} is withdrawn. The publish page sends the notice to {}", told.join(", "))
    }));
    read(context, run, story).await
}

/// Takes the signed version of a run up again.
pub(crate) async fn correct(
    context: &WorkerContext,
    run: RunKey,
    story: &StoryKey,
    note: &str,
) -> Result<Forked, DeskError> {
    let tools = &context.tools;
    let runs = tools.desk.archive.runs_of(&story.to_string()).await?;
    // The version that is out, whichever run is open.
    let signed = runs.iter().find(|(_, listed)| listed.signed_by.is_some()).map_or(run, |(key, _)| *key);
    tools.desk.correct(signed, story, note, false).await
}
