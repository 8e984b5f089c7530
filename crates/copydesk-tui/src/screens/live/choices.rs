//! The choices of an editor while a story waits: three plain choices first, then the rest. A choice that would be refused is not offered.

use crate::app::{Action, Model, able};
use crate::screens::gate::forks::left_gate_at;
use crate::screens::gate::update::last_decision;
use crate::screens::story::StoryView;
use crate::widgets::words;
use copydesk_core::editorial::{decisions, extract};
use copydesk_newsroom::{GateOutcome, Status, Wait};

/// A choice with its key.
pub struct GateOffer {
    pub key: String,
    pub said: String,
    /// Whether it is one of the plain choices.
    pub is_first: bool,
}

/// The choices of the open story; none if it does not wait.
pub fn choices(model: &Model) -> Vec<GateOffer> {
    let Some(story) = model.story.as_deref() else { return Vec::new() };
    let Some(wait) = story.waits() else { return Vec::new() };
    let by_hand = "Fix it yourself: edit the draft".to_owned();
    let mut wanted: Vec<(Action, String, bool)> = Vec::new();
    match wait {
        Wait::Gate { round } => {
            let outcome = decisions::outcome(&story.journal, round);
            // Going on would end the run: that is no plain choice.
            if outcome != GateOutcome::RoundsUsedUp {
                wanted.push((Action::Continue, going_on(story, round, outcome), true));
            }
            wanted.push((Action::EditDraft, by_hand, true));
            if outcome != GateOutcome::Passed {
                wanted.push((Action::Stet, approving(story, round), true));
            }
            wanted.extend([Action::Feedback, Action::AnotherRound, Action::UndoDecision, Action::Spike].map(plain));
        }
        Wait::SignOff { .. } => {
            let sign = if is_sheet(story) { AS_NOTES } else { "Approve: sign the article off" };
            wanted.push((Action::SignOff, sign.to_owned(), true));
            wanted.push((Action::EditDraft, by_hand, true));
            wanted.push((Action::SendBack, "Send back to the writer, with your to-dos".to_owned(), true));
            wanted.push(plain(Action::AnotherRound));
            let back = undoing(story).unwrap_or_else(|| Action::UndoDecision.title());
            wanted.push((Action::UndoDecision, back.to_owned(), false));
            wanted.push(plain(Action::Spike));
        }
        Wait::Plan => {
            wanted.push((Action::Continue, "Let the Reporter begin".to_owned(), true));
            wanted.push((Action::Feedback, "Change the questions, or give an outline".to_owned(), true));
            wanted.push(plain(Action::UndoDecision));
        }
        Wait::Call { .. } => {
            wanted.push((Action::AllowCall, "Allow it".to_owned(), true));
            wanted.push((Action::RefuseCall, "Refuse it: the Reporter goes on without it".to_owned(), true));
        }
    }
    let offer = |(action, said, is_first): (Action, String, bool)| {
        let key = model.keys.keys(action).first()?.to_string();
        able::why_not(model, action).is_none().then_some(GateOffer { key, said, is_first })
    };
    wanted.into_iter().filter_map(offer).collect()
}

/// What signing a fact sheet does.
const AS_NOTES: &str = "Give it a headline, or publish it as notes";

/// Whether the draft that waits is a fact sheet that nobody has edited.
fn is_sheet(story: &StoryView) -> bool {
    extract::is_untouched(&story.journal, story.journal.latest_draft())
}

fn plain(action: Action) -> (Action, String, bool) {
    (action, action.title().to_owned(), false)
}

/// The present effect of the key that sends a draft on, in the words of the footer.
pub fn sending_on(story: &StoryView) -> Option<&'static str> {
    let round = match story.waits()? {
        Wait::Plan => return Some("Begin the research"),
        Wait::Gate { round } => round,
        Wait::SignOff { .. } | Wait::Call { .. } => return None,
    };
    Some(match decisions::outcome(&story.journal, round) {
        GateOutcome::Passed | GateOutcome::Stet => "Go to sign-off",
        GateOutcome::Revise => Action::Continue.title(),
        GateOutcome::Edited => "Go on with your text",
        GateOutcome::RoundsUsedUp | GateOutcome::Spiked => "End the run",
    })
}

/// The effect of the key that undoes, if no decision of this place is left to undo.
pub fn undoing(story: &StoryView) -> Option<&'static str> {
    let is_left = last_decision(story).is_none() && left_gate_at(story).is_some();
    is_left.then_some("Back to the gate")
}

/// The effect of the key that sends a draft on, with what goes to the writer.
fn going_on(story: &StoryView, round: u32, outcome: GateOutcome) -> String {
    let own = decisions::to_dos(&story.journal, round).len();
    match outcome {
        GateOutcome::Passed | GateOutcome::Stet if is_sheet(story) => "Go to sign-off: an article, or notes".to_owned(),
        GateOutcome::Passed | GateOutcome::Stet => "Approve: go to sign-off".to_owned(),
        GateOutcome::Edited if own > 0 => {
            format!("Go on with your text; then to the writer with {}", words::count(own, "to-do"))
        }
        GateOutcome::Edited => "Go on with your text".to_owned(),
        _ => match decisions::feedback(&story.journal, round, Vec::new()).todo_list.len() {
            0 => "Send to the writer".to_owned(),
            count => format!("Send to the writer, with {}", words::count(count, "to-do")),
        },
    }
}

fn approving(story: &StoryView, round: u32) -> String {
    let verdicts = decisions::effective_verdicts(&story.journal, round);
    match verdicts.iter().filter(|verdict| verdict.status != Status::Keep).count() {
        0 => "Approve as it stands (stet)".to_owned(),
        open => format!("Approve as it stands (stet); overrules {}", words::count(open, "concern")),
    }
}
