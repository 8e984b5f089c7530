//! Forking: a new run that shares everything before an earlier step.

use crate::app::{Model, Question, Request};
use crate::screens::story::{StoryView, Tab};
use copydesk_core::{desk::ForkedAnswer, editorial::decisions};
use copydesk_newsroom::{Choice, Journal, Step, Wait};

/// The step that a fork from here repeats: in the log and in the calls, that of the selected row; elsewhere the gate or review of the shown
/// round.
pub(crate) fn fork_step(story: &StoryView) -> Option<Step> {
    let done = |step: Step| story.journal.entries().iter().any(|entry| entry.step == step).then_some(step);
    match story.tab {
        Tab::Log => story.log.row().and_then(|record| record.event.step()).and_then(done),
        Tab::Calls => story.calls.list.row().and_then(|call| done(call.step)),
        _ => {
            let round = story.round;
            done(Step::Gate { round }).or_else(|| done(Step::Review { round })).or_else(|| done(Step::Draft))
        }
    }
}

/// The decision with which the draft that waits for its signature left its gate. None if the story does not wait there.
pub(crate) fn left_gate_at(story: &StoryView) -> Option<Step> {
    let Some(Wait::SignOff { round }) = story.waits() else { return None };
    let left = decisions::standing(&story.journal, round).filter(|decided| decided.decision.choice.leaves()).last()?;
    Some(Step::Decide { round, number: left.number })
}

/// Asks whether the story goes back to the gate that its draft left: a new run, because the record keeps what was decided.
pub(crate) fn ask_to_return(model: &mut Model) {
    let Some(story) = model.story.as_deref() else { return };
    let Some(at) = left_gate_at(story) else { return };
    let (run, of) = (story.key, story.journal.opening.topic.story());
    let request = Request::Fork { run, story: of, at, known: ForkedAnswer::Taken };
    let text = "The story waits at this gate again, with your other decisions, in a new run. No model is asked again. The earlier run stays in the record.";
    let title = format!("Back to the gate of round {}?", at.round());
    model.lay_over(Question::new(&title, text, "go back", |model| model.ask_to_open(request)));
}

/// The decisions that a fork at a step does not take along, in a sentence; empty if there are none.
fn dropped(journal: &Journal, at: Step) -> String {
    let place = |step: Step| journal.entries().iter().position(|entry| entry.step == step);
    let all = (0..=decisions::max_rounds(journal)).flat_map(|round| decisions::standing(journal, round));
    let later = all.filter(|decided| {
        let is_own = !matches!(decided.decision.choice, Choice::Continue);
        is_own && place(Step::Decide { round: decided.round, number: decided.number }) >= place(at)
    });
    match later.count() {
        0 => String::new(),
        1 => " Your decision after this step is not taken along.".to_owned(),
        count => format!(" Your {count} decisions after this step are not taken along."),
    }
}

/// Asks before forking, and says whether the step's known answer is reused.
pub(crate) fn ask_to_fork(model: &mut Model, known: ForkedAnswer) {
    let Some(story) = model.story.as_deref() else { return };
    let Some(step) = fork_step(story) else { return };
    let (run, of) = (story.key, story.journal.opening.topic.story());
    let request = Request::Fork { run, story: of, at: step, known };
    let (title, calls) = match known {
        ForkedAnswer::Taken => ("Restart from here?", "No model is asked again for what is known."),
        ForkedAnswer::AskedAgain => (
            "Restart from here and ask again?",
            "The model is asked again for that step, which may cost; for later steps, only for what is not known.",
        ),
    };
    let text = format!(
        "The story goes on in a new run from this step: {}. You approve each step. {calls} The earlier run stays in the record.{}",
        step.in_words(),
        dropped(&story.journal, step)
    );
    model.lay_over(Question::new(title, text, "restart", |model| model.ask_to_open(request)));
}
