//! Whether a choice is possible now.

use super::{
    findings,
    refused::{MOST_ROUNDS, Refused},
    sources,
    texts::{bounded, cleaned, said, to_dos},
    words::{state, words},
};
use crate::editorial::{
    changes,
    decisions::{effective_verdicts, max_rounds, standing, waits},
};
use copydesk_newsroom::{Choice, Journal, Status, Step, TriageWay, Wait};
use copydesk_text::sanitise;

/// An editor's view at a decision: where the run waited, and how many decisions its round had. A decision that was meant for another gate,
/// or made before another program's decision was seen, is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GateSeen {
    /// Where the run waited.
    pub at: Wait,
    /// How many decisions its round had.
    pub made: usize,
}

impl GateSeen {
    /// The view of a round that waits, or waited, at `at`.
    #[must_use]
    pub fn of(journal: &Journal, at: Wait) -> Self {
        Self { at, made: journal.decisions(at.round()).len() }
    }
}

/// Admits a choice to the journal: its step, and the choice with every text cleaned. `current` says whether the run is
/// its story's current one; `seen` says what the editor had on the screen, if that is known.
///
/// # Errors
/// [`Refused`] with the reason, for the editor.
pub fn admit(
    journal: &Journal,
    current: bool,
    choice: Choice,
    seen: Option<GateSeen>,
) -> Result<(Step, Choice), Refused> {
    // A run that another took over from is history: no run goes on from a decision there.
    if !current {
        return Err(Refused::Replaced { what: words(&choice) });
    }
    let choice = cleaned(choice);
    let now = GateSeen::of(journal, check(journal, &choice)?);
    if seen.is_some_and(|seen| seen != now) {
        return Err(Refused::Overtaken);
    }
    let number = u32::try_from(now.made).unwrap_or(u32::MAX).saturating_add(1);
    Ok((Step::Decide { round: now.at.round(), number }, choice))
}

/// Whether `choice` can be decided now.
///
/// # Errors
/// [`Refused`] with the reason, for the editor.
pub fn check(journal: &Journal, choice: &Choice) -> Result<Wait, Refused> {
    let Some(wait) = waits(journal) else {
        return Err(Refused::NotNow { what: words(choice), when: "while a story waits for you", now: state(journal) });
    };
    let round = wait.round();
    let at_gate = matches!(wait, Wait::Gate { .. });
    let not_now =
        |when, hint| Err(Refused::NotNow { what: words(choice), when, now: format!("{}: {hint}", state(journal)) });
    let last = round >= max_rounds(journal);
    match (wait.call(), choice) {
        (Some(asked), Choice::Call { call, note, .. }) if asked == *call => return bounded(note).map(|()| wait),
        (Some(_), Choice::Call { .. }) => return Err(Refused::Text("the story asks about another call; look again")),
        (Some(_), _) => return not_now("once you have allowed or refused the call", "allow or refuse it first"),
        (None, _) => {}
    }
    match choice {
        Choice::Call { .. } => return not_now("while the Reporter asks for a call", "decide on the round"),
        Choice::SignOff { .. } | Choice::SendBack { .. } if at_gate => {
            return not_now("at sign-off", "decide on the round first");
        }
        // Accepting and noting at sign-off have had no consequence yet.
        Choice::Undo { number } if !at_gate && !findings::has_no_consequence(journal, round, *number) => {
            return not_now("before sign-off", "send it back to change something");
        }
        Choice::Override { .. }
        | Choice::Triage { .. }
        | Choice::Research { .. }
        | Choice::AddSource { .. }
        | Choice::RemoveSource { .. }
        | Choice::DistrustSource { .. }
        | Choice::Feedback { .. }
        | Choice::Continue
        | Choice::Stet { .. }
            if !at_gate =>
        {
            return not_now("before sign-off", "send it back to change something");
        }
        Choice::Accept { finding, reason } => findings::acceptable(journal, wait, *finding, reason)?,
        Choice::Override { concern, status, fix, reason } => {
            overruling(journal, (round, *concern), *status, fix.as_deref(), reason)?;
        }
        Choice::Feedback { text } => {
            to_dos(text, "the feedback is empty")?;
            // If the next draft is the editor's, nothing goes to a writer: what was typed would be lost without a word.
            if last {
                return Err(Refused::NoRoundLeft("nobody would act on the feedback"));
            }
        }
        Choice::Triage { .. }
        | Choice::Research { .. }
        | Choice::AddSource { .. }
        | Choice::RemoveSource { .. }
        | Choice::DistrustSource { .. } => {
            sources::check(journal, round, choice)?;
        }
        Choice::SendBack { text } => {
            to_dos(text, "say what is to be done")?;
            if last {
                return Err(Refused::NoRoundLeft("nobody would act on it"));
            }
        }
        Choice::Edit { .. } | Choice::Applied { .. } => edited(journal, round, choice)?,
        Choice::Undo { number } => undone(journal, round, *number)?,
        Choice::Comment { text, .. } => said(text, "the comment is empty")?,
        Choice::AcceptChange { .. } => changed(journal, round, choice)?,
        Choice::Spike { reason } => said(reason, "say why you spike the story")?,
        Choice::Stet { reason } => {
            let open = effective_verdicts(journal, round).iter().any(|verdict| verdict.status != Status::Keep);
            if open {
                said(reason, "verdicts are open: say why the draft may stand all the same")?;
            } else {
                bounded(reason)?;
            }
        }
        Choice::AnotherRound => {
            if max_rounds(journal) >= MOST_ROUNDS {
                return Err(Refused::TooManyRounds);
            }
        }
        Choice::Continue => {
            // An edit that is begun after feedback can be saved: it must not become unreachable half typed.
            sources::proved_by_todays(journal, round)?;
        }
        Choice::SignOff { .. } => findings::all_settled(journal, round)?,
    }
    Ok(wait)
}

/// Whether a verdict, by its round and concern, can be overruled so.
fn overruling(
    journal: &Journal,
    (round, concern): (u32, u32),
    status: Status,
    fix: Option<&str>,
    reason: &str,
) -> Result<(), Refused> {
    if !journal.is_judged(round, concern) {
        return Err(Refused::NoVerdict { round, concern });
    }
    said(reason, "overruling a verdict needs a reason")?;
    match (status, fix) {
        (Status::Keep, Some(_)) => Err(Refused::Text("KEEP leaves the text as it is: it has no fix")),
        (_, Some(fix)) => said(fix, "the fix is empty: say what to do, or leave it out"),
        (_, None) => Ok(()),
    }
}

/// Whether the draft can become another text.
fn edited(journal: &Journal, round: u32, choice: &Choice) -> Result<(), Refused> {
    let article = match choice {
        Choice::Applied { concern, .. } if !journal.is_judged(round, *concern) => {
            return Err(Refused::NoVerdict { round, concern: *concern });
        }
        Choice::Edit { article } | Choice::Applied { article, .. } => article,
        _ => return Ok(()),
    };
    if article.fields().iter().any(|(_, text)| sanitise::is_blank(text)) {
        return Err(Refused::Text("the edited draft lacks a headline, a description or a text"));
    }
    Ok(())
}

/// Whether a change that is accepted is one of the draft that waits.
fn changed(journal: &Journal, round: u32, choice: &Choice) -> Result<(), Refused> {
    if changes::is_change(journal, round, choice) { Ok(()) } else { Err(Refused::NoChange(round)) }
}

/// Whether a decision can be undone: none that stands may need the round that it added.
fn undone(journal: &Journal, round: u32, number: u32) -> Result<(), Refused> {
    let Some(found) = standing(journal, round).find(|decided| decided.number == number) else {
        return Err(Refused::NothingToUndo(number));
    };
    if found.decision.choice == Choice::AnotherRound
        && round >= max_rounds(journal).saturating_sub(1)
        && let Some(later) = standing(journal, round).find(|decided| needs_a_round(&decided.decision.choice))
    {
        return Err(Refused::Needed { number: later.number, what: later.decision.choice.name() });
    }
    Ok(())
}

/// Whether a choice has an effect only in another round.
fn needs_a_round(choice: &Choice) -> bool {
    matches!(
        choice,
        Choice::Feedback { .. } | Choice::Research { .. } | Choice::Triage { way: TriageWay::Research, .. }
    )
}
