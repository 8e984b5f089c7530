//! Checks the texts that an editor types into a decision: cleaned, neither empty nor endless.

use super::refused::Refused;
use crate::editorial::{decisions, drafts};
use copydesk_newsroom::{Choice, HiddenText};
use copydesk_text::sanitise;

/// The most bytes of a reason, a fix or a feedback: enough for typed text, too few for one pasted by mistake.
const LONGEST_TEXT: usize = 100_000;

/// Most characters of the words that a comment is on.
const LONGEST_SPAN: usize = 300;

/// Checks a text that must have at least one to-do.
pub(super) fn to_dos(text: &str, empty: &'static str) -> Result<(), Refused> {
    said(text, empty)?;
    if decisions::lines(text).is_empty() { Err(Refused::Text(empty)) } else { Ok(()) }
}

/// The choice with every text cleaned, as everything that comes in is: what a person pastes may hold anything.
pub(super) fn cleaned(choice: Choice) -> Choice {
    let clean = |text: String| sanitise::clean(&text).into_owned();
    match choice {
        Choice::Override { concern, status, fix, reason } => {
            Choice::Override { concern, status, fix: fix.map(clean), reason: clean(reason) }
        }
        Choice::Accept { finding, reason } => Choice::Accept { finding, reason: clean(reason) },
        Choice::Feedback { text } => Choice::Feedback { text: clean(text) },
        Choice::Plan { text } => Choice::Plan { text: clean(text) },
        Choice::SendBack { text } => Choice::SendBack { text: clean(text) },
        Choice::Edit { article } => Choice::Edit { article: drafts::cleaned(&article) },
        Choice::Applied { concern, article } => Choice::Applied { concern, article: drafts::cleaned(&article) },
        Choice::Triage { concern, way, question } => {
            let question = question.map(|question| sanitise::one_line(&question));
            Choice::Triage { concern, way, question }
        }
        Choice::Research { question } => Choice::Research { question: sanitise::one_line(&question) },
        Choice::AddSource { name, text, hidden } => Choice::AddSource {
            name: sanitise::one_line(&name),
            text: clean(text),
            hidden: hidden.into_iter().map(hidden_line).collect(),
        },
        Choice::RemoveSource { name, reason } => Choice::RemoveSource { name, reason: clean(reason) },
        Choice::DistrustSource { name, reason } => Choice::DistrustSource { name, reason: clean(reason) },
        Choice::Call { call, allows, note } => Choice::Call { call, allows, note: clean(note) },
        Choice::Comment { about, text } => {
            let about = sanitise::excerpt(&sanitise::one_line(&about), LONGEST_SPAN);
            Choice::Comment { about, text: clean(text) }
        }
        Choice::Stet { reason } => Choice::Stet { reason: clean(reason) },
        Choice::Spike { reason } => Choice::Spike { reason: clean(reason) },
        // The words of a change stand in drafts, which are clean.
        choice @ (Choice::AcceptChange { .. }
        | Choice::AnotherRound
        | Choice::Undo { .. }
        | Choice::Continue
        | Choice::SignOff { .. }) => choice,
    }
}

/// Text that says something.
pub(super) fn said(text: &str, empty: &'static str) -> Result<(), Refused> {
    if sanitise::is_blank(text) { Err(Refused::Text(empty)) } else { bounded(text) }
}

/// Text that may be empty, but not endless.
pub(super) fn bounded(text: &str) -> Result<(), Refused> {
    if text.len() > LONGEST_TEXT { Err(Refused::Text("that is longer than 100,000 bytes")) } else { Ok(()) }
}

/// A hidden text in one line, bounded.
fn hidden_line(HiddenText { how, text }: HiddenText) -> HiddenText {
    let line = |text: &str| sanitise::excerpt(text, HiddenText::LONGEST);
    HiddenText { how: line(&how), text: line(&text) }
}
