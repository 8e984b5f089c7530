//! Going back to an earlier step: a new run that shares what came before it.

use super::Effect;
use crate::{
    newsroom::Step,
    tui::model::{
        Model, Overlay, Question, Then,
        story::{StoryView, Tab},
    },
};

/// The first step that a fork from here would do anew: in the log, the step of the selected record; in the calls, the selected
/// call's; else the gate or review of the round that is shown.
pub(super) fn fork_step(story: &StoryView) -> Option<Step> {
    let done = |step: Step| story.journal.entries().iter().any(|entry| entry.step == step).then_some(step);
    match story.tab {
        Tab::Log => story.log.row().and_then(step_of).and_then(done),
        Tab::Calls => story.calls.row().and_then(|call| done(call.step)),
        _ => {
            let round = story.round;
            done(Step::Gate { round }).or_else(|| done(Step::Review { round })).or_else(|| done(Step::Draft))
        }
    }
}

/// The step that a record of the log tells of.
fn step_of(record: &crate::newsroom::EventRecord) -> Option<Step> {
    use crate::newsroom::Event;
    match &record.event {
        Event::CallStarted { step, .. }
        | Event::CallRepeated { step, .. }
        | Event::CallFailed { step, .. }
        | Event::StepDone { step, .. }
        | Event::Decided { step, .. }
        | Event::VerdictGiven { step, .. }
        | Event::Noted { step, .. } => Some(*step),
        Event::RunOpened { .. }
        | Event::RunResumed { .. }
        | Event::RunForked { .. }
        | Event::GateWaits { .. }
        | Event::PauseSet { .. }
        | Event::PrioritySet { .. }
        | Event::StoryDeleted { .. }
        | Event::RunClosed { .. } => None,
    }
}

pub(super) fn ask_to_fork(model: &mut Model) -> Vec<Effect> {
    let Some(story) = model.story.as_deref() else { return Vec::new() };
    let Some(step) = fork_step(story) else { return Vec::new() };
    let then = Then::Fork(story.key, story.journal.opening.topic.story(), step);
    model.overlays.push(Overlay::Question(Question {
        title: "Fork from here?".into(),
        text: format!(
            "A new run shares everything before {step} and does that step anew; its gates wait for you. No answer that is known is \
             asked for again. The new run becomes the story's current one; this one stays as it is."
        ),
        yes: "fork".into(),
        then,
    }));
    Vec::new()
}
