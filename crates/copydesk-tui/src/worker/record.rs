//! The record of a story, read for the screen; and what it grows by: replies, a correction, a withdrawal.

use std::sync::Arc;

use jiff::tz::TimeZone;

use crate::{
    app::news::StoryRecord,
    app::{news::News, trouble::Trouble, under_way::WorkKind},
    worker::{
        context::{Tools, WorkerContext},
        errands::{Errand, Errands, Reply, RequestError, RequestResult, Working},
    },
};
use copydesk_core::desk::{DeskError, DistributionError, Forked};
use copydesk_core::editorial::{distribution::holders, replies};
use copydesk_core::ports::RunKey;
use copydesk_newsroom::{StoryKey, deadline};

/// An entry in the record.
pub(crate) enum RecordEntry {
    Asked { name: String, about: String, due: String },
    Answered { name: String, text: String },
    Withdrawn { reason: String },
}

pub(crate) fn read(context: &WorkerContext, errands: &mut Errands, of: (RunKey, StoryKey), reply: Reply) {
    let tools = Arc::clone(&context.tools);
    let working = Working::begin(context, WorkKind::Record);
    errands.run(async move {
        let _working = working;
        let result = tell(&tools, &of, &reply).await;
        reply.end(result);
        Errand::Done
    });
}

pub(crate) fn note(
    context: &WorkerContext,
    errands: &mut Errands,
    of: (RunKey, StoryKey),
    noted: RecordEntry,
    reply: Reply,
) {
    let (tools, at) = (Arc::clone(&context.tools), context.now());
    errands.run(async move {
        let result = match noting(&tools, &of.1, noted, &at).await {
            Ok(said) => {
                reply.say(News::Done(said));
                tell(&tools, &of, &reply).await
            }
            Err(trouble) => Err(trouble),
        };
        reply.end(result);
        Errand::Done
    });
}

/// Takes the signed version of a run up again.
pub(crate) async fn correct(
    context: &WorkerContext,
    run: RunKey,
    story: &StoryKey,
    note: &str,
) -> Result<Forked, DeskError> {
    let tools = &context.tools;
    let runs = tools.archive.runs_of(&story.to_string()).await?;
    // The version that is out, whichever run is open.
    let signed = runs.iter().find(|(_, listed)| listed.signed_by.is_some()).map_or(run, |(key, _)| *key);
    tools.desk.correct(signed, story, note, false).await
}

async fn tell(tools: &Tools, (run, story): &(RunKey, StoryKey), reply: &Reply) -> Result<(), Trouble> {
    let runs = tools.archive.runs_of(&story.to_string()).await.map_err(RequestError::from)?;
    let listed = runs.iter().find(|(key, _)| key == run).map(|(_, listed)| listed.clone());
    let listed = listed.ok_or(RequestError::NoRun)?;
    let record = tools.distribution.control_record(&listed).await.map_err(trouble)?;
    let replies = tools.replies.replies(story).await.map_err(RequestError::from)?;
    let known = StoryRecord {
        record,
        unasked: listed.unasked,
        versions: runs.into_iter().map(|(_, listed)| listed).filter(|listed| listed.signed_by.is_some()).collect(),
        replies,
        at: tools.clock.now(),
    };
    reply.say(News::StoryRecord(*run, Box::new(known)));
    Ok(())
}

async fn noting(tools: &Tools, story: &StoryKey, noted: RecordEntry, at: &str) -> Result<String, Trouble> {
    match noted {
        RecordEntry::Asked { name, about, due } => {
            asked(tools, story, (&name, &about, &due), at).await.map_err(Into::into)
        }
        RecordEntry::Answered { name, text } => {
            let noted = tools.replies.answer_reply(story, &name, &text, &tools.editor, at).await;
            if noted.map_err(RequestError::from)? {
                Ok(format!("What {name} said is noted"))
            } else {
                Err(Trouble::new(format!("{story} waits for no reply of {name}")))
            }
        }
        RecordEntry::Withdrawn { reason } => {
            tools.distribution.kill(story, &reason).await.map_err(trouble)?;
            let deliveries = tools.distribution.outbox.deliveries(story).await.map_err(RequestError::from)?;
            let told: Vec<String> =
                holders(deliveries.iter().map(|kept| &kept.delivery)).into_iter().map(|holder| holder.target).collect();
            Ok(if told.is_empty() {
                format!("{story} is withdrawn. No target of this desk has it")
            } else {
                format!("{story} is withdrawn. The publish page sends the notice to {}", told.join(", "))
            })
        }
    }
}

async fn asked(
    tools: &Tools,
    story: &StoryKey,
    (name, about, due): (&str, &str, &str),
    at: &str,
) -> RequestResult<String> {
    let due = if due.trim().is_empty() { None } else { deadline(due, tools.clock.now(), &TimeZone::system())? };
    let question = replies::asked(name, about, due, &tools.editor, at)?;
    if !tools.replies.ask_reply(story, question).await? {
        return Err(RequestError::NoStory(story.clone()));
    }
    Ok(format!("It is noted that {name} was asked"))
}

#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
fn trouble(error: DistributionError) -> Trouble {
    Trouble::new(error.to_string())
}
