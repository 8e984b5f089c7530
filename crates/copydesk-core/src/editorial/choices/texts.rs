//! Checks the texts that an editor types into a decision: cleaned, neither empty nor endless.

use super::refused::Refused;
use crate::editorial::{decisions, drafts};
use copydesk_newsroom::{Choice, HiddenText, Journal};
use copydesk_text::sanitise;

/// The most bytes of a reason, a fix or a feedback: enough for typed text, too few for one pasted by mistake.
const LONGEST_TEXT: usize = 100_000;

/// Most characters of the words that a comment is on.
const LONGEST_SPAN: usize = 300;

/// Refuses with a reason if it holds.
pub(super) fn refused_if(holds: bool, why: &'static str) -> Result<(), Refused> {
    if holds { Err(Refused::Text(why)) } else { Ok(()) }
}

/// Refuses if no round comes after this one.
pub(super) fn has_round(journal: &Journal, round: u32, why: &'static str) -> Result<(), Refused> {
    if round >= decisions::max_rounds(journal) { Err(Refused::NoRoundLeft(why)) } else { Ok(()) }
}

/// Checks a text that must have at least one to-do.
pub(super) fn to_dos(text: &str, empty: &'static str) -> Result<(), Refused> {
    said(text, empty)?;
    refused_if(decisions::lines(text).is_empty(), empty)
}

/// The choice with every text cleaned, as everything that comes in is: what a person pastes may hold anything.
pub(super) fn cleaned(mut choice: Choice) -> Choice {
    let clean = |text: &mut String| *text = sanitise::clean(text).into_owned();
    let join = |text: &mut String| *text = sanitise::one_line(text);
    let shorten = |text: &mut String, most: usize| *text = sanitise::excerpt(text, most);
    match &mut choice {
        Choice::Override { fix, reason, .. } => fix.iter_mut().chain([reason]).for_each(clean),
        Choice::Feedback { text }
        | Choice::Plan { text }
        | Choice::SendBack { text }
        | Choice::Accept { reason: text, .. }
        | Choice::RemoveSource { reason: text, .. }
        | Choice::DistrustSource { reason: text, .. }
        | Choice::Call { note: text, .. }
        | Choice::Stet { reason: text }
        | Choice::Spike { reason: text } => clean(text),
        Choice::Edit { article } | Choice::Applied { article, .. } => *article = drafts::cleaned(article),
        Choice::Triage { question, .. } => question.iter_mut().for_each(join),
        Choice::Research { question } => join(question),
        Choice::AddSource { name, text, hidden, recorded } => {
            join(name);
            let given = text.clone();
            clean(text);
            if let Some(recorded) = recorded {
                recorded.source.clone_from(name);
                // Places in a text that has changed are places of other words.
                recorded.unsure.retain(|_| *text == given);
            }
            let parts = hidden.iter_mut().flat_map(|HiddenText { how, text }| [how, text]);
            parts.for_each(|part| shorten(part, HiddenText::LONGEST));
        }
        Choice::Comment { about, text } => {
            shorten(about, LONGEST_SPAN);
            clean(text);
        }
        // The words of a change stand in drafts, which are clean.
        Choice::AcceptChange { .. }
        | Choice::AnotherRound
        | Choice::Undo { .. }
        | Choice::Continue
        | Choice::SignOff { .. } => {}
    }
    choice
}

/// Text that says something.
pub(super) fn said(text: &str, empty: &'static str) -> Result<(), Refused> {
    refused_if(sanitise::is_blank(text), empty)?;
    bounded(text)
}

/// Text that may be empty, but not endless.
pub(super) fn bounded(text: &str) -> Result<(), Refused> {
    refused_if(text.len() > LONGEST_TEXT, "that is longer than 100,000 bytes")
}
