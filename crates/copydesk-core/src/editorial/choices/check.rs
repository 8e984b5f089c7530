//! Whether a choice is possible now.

use super::{
    refused::{MOST_ROUNDS, Refused, state, words},
    sources,
    texts::{bounded, cleaned, has_round, refused_if, said, to_dos},
};
use crate::editorial::{
    changes,
    decisions::{self, effective_verdicts, max_rounds, standing, waits},
    extract, research, vouching,
};
use copydesk_newsroom::{Choice, Journal, ListedRun, RunState, Status, Step, TriageWay, Wait};
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
    let now = match check(journal, &choice) {
        // A colleague may have sent the story on.
        Err(Refused::NotNow { .. }) if seen.is_some_and(|seen| seen != GateSeen::of(journal, seen.at)) => {
            return Err(Refused::overtaken(journal));
        }
        at => GateSeen::of(journal, at?),
    };
    if seen.is_some_and(|seen| seen != now) {
        return Err(Refused::overtaken(journal));
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
    match (wait.call(), choice) {
        (Some(asked), Choice::Call { call, note, .. }) if asked == *call => return bounded(note).map(|()| wait),
        (Some(_), Choice::Call { .. }) => {
            return Err(Refused::Text("the Reporter asks about another call now; look again"));
        }
        (Some(_), _) => return not_now("once you have allowed or refused the call", "allow or refuse it first"),
        (None, _) => {}
    }
    match (wait, choice) {
        (Wait::Plan, Choice::Plan { text }) => return planned(text).map(|()| wait),
        (Wait::Plan, Choice::Continue) => return Ok(wait),
        (Wait::Plan, Choice::Comment { text, .. }) => return said(text, "the comment is empty").map(|()| wait),
        (Wait::Plan, Choice::Undo { number }) => return undone(journal, round, *number).map(|()| wait),
        (Wait::Plan, _) => return not_now("once there is a draft", "decide on the questions first"),
        (_, Choice::Plan { .. }) => return not_now("before the Reporter searches", "decide on the round"),
        _ => {}
    }
    match choice {
        Choice::Call { .. } => return not_now("while the Reporter asks for a call", "decide on the round"),
        Choice::SignOff { .. } | Choice::SendBack { .. } if at_gate => {
            return Err(Refused::NoSignOffYet { what: words(choice), now: state(journal) });
        }
        // Accepting and noting at sign-off have had no consequence yet.
        Choice::Undo { number } if !at_gate && !has_no_consequence(journal, round, *number) => {
            return not_now("before sign-off", "sign it, edit it, or send it back");
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
            return not_now("before sign-off", "sign it, edit it, or send it back");
        }
        Choice::Accept { finding, reason } => acceptable(journal, wait, *finding, reason)?,
        Choice::Override { .. } => overruling(journal, round, choice)?,
        Choice::Feedback { text } => {
            to_dos(text, "the feedback is empty")?;
            // If the next draft is the editor's, nothing goes to a writer: what was typed would be lost without a word.
            has_round(journal, round, "nobody would act on the feedback")?;
        }
        Choice::Triage { .. }
        | Choice::Research { .. }
        | Choice::AddSource { .. }
        | Choice::RemoveSource { .. }
        | Choice::DistrustSource { .. } => sources::check(journal, round, choice)?,
        Choice::SendBack { text } => {
            to_dos(text, "say what is to be done")?;
            has_round(journal, round, "nobody would act on it")?;
        }
        Choice::Edit { .. } | Choice::Applied { .. } => edited(journal, round, choice)?,
        Choice::Undo { number } => undone(journal, round, *number)?,
        Choice::Comment { text, .. } => said(text, "the comment is empty")?,
        Choice::AcceptChange { .. } if !changes::is_change(journal, round, choice) => {
            return Err(Refused::NoChange(round));
        }
        Choice::Spike { reason } => said(reason, "say why you spike the story")?,
        Choice::Stet { reason } => {
            let open = effective_verdicts(journal, round).iter().any(|verdict| verdict.status != Status::Keep);
            let is_missing = open && sanitise::is_blank(reason);
            refused_if(is_missing, "verdicts are open: say why the draft may stand all the same")?;
            bounded(reason)?;
        }
        Choice::AnotherRound if max_rounds(journal) >= MOST_ROUNDS => return Err(Refused::TooManyRounds),
        // An edit that is begun after feedback can be saved: it must not become unreachable half typed.
        Choice::Continue => sources::proved_by_todays(journal, round)?,
        Choice::SignOff { as_notes, .. } => {
            all_settled(journal, round)?;
            signed_as(journal, round, *as_notes)?;
        }
        Choice::Plan { .. } | Choice::AcceptChange { .. } | Choice::AnotherRound => {}
    }
    Ok(wait)
}

/// Whether a text has questions that the Reporter can be sent for.
fn planned(text: &str) -> Result<(), Refused> {
    to_dos(text, "name at least one question")?;
    let (questions, _) = research::read_plan(text);
    refused_if(questions.is_empty(), "name at least one question above the outline")?;
    let is_long = |question: &String| question.len() > research::LONGEST_QUESTION;
    refused_if(questions.iter().any(is_long), "a question is longer than 600 bytes")
}

/// Whether a verdict of a round can be overruled so.
fn overruling(journal: &Journal, round: u32, choice: &Choice) -> Result<(), Refused> {
    let Choice::Override { concern, status, fix, reason } = choice else { return Ok(()) };
    if !journal.is_judged(round, *concern) {
        return Err(Refused::NoVerdict { round, concern: *concern });
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
    refused_if(sanitise::is_blank(&article.headline), "The headline is empty")?;
    refused_if(sanitise::is_blank(&article.articleBody), "The text is empty")
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

/// Most characters of a finding's text in a message.
const LONGEST_EXCERPT: usize = 60;

/// Whether a finding can be accepted by itself: it exists, and no open verdict keeps it open all the same.
pub(super) fn acceptable(journal: &Journal, wait: Wait, finding: u32, reason: &str) -> Result<(), Refused> {
    let round = wait.round();
    if vouching::finding(journal, round, finding).is_none() {
        return Err(Refused::NoFinding { round, finding });
    }
    if let Choice::Override { concern, .. } = decisions::accepting(journal, wait, finding, String::new()) {
        return Err(Refused::Open { finding, concern });
    }
    said(reason, "say why the finding may stand")
}

/// Checks that an editor has settled every finding that holds a sign-off back: words in quotation marks that no source carries.
pub(super) fn all_settled(journal: &Journal, round: u32) -> Result<(), Refused> {
    let shown = |text: &str| sanitise::excerpt(&sanitise::one_line(text), LONGEST_EXCERPT);
    let findings: Vec<(u32, String)> =
        vouching::unsettled(journal, round).map(|(number, finding)| (number, shown(&finding.text))).collect();
    if findings.is_empty() { Ok(()) } else { Err(Refused::Unsettled { findings }) }
}

/// Whether the draft can be signed as an article, or as notes. A fact sheet is no article until somebody has edited it.
fn signed_as(journal: &Journal, round: u32, as_notes: bool) -> Result<(), Refused> {
    let is_blank = || journal.draft(round).is_some_and(|draft| sanitise::is_blank(&draft.article.headline));
    match (extract::is_untouched(journal, round), as_notes) {
        (true, false) => Err(Refused::Text(
            "This is a fact sheet, not an article: rules chose sentences of your notes. Edit it, or sign it off as notes \
             (`sign-off --as-notes`)",
        )),
        (true, true) if is_blank() => Err(Refused::Text("The headline is empty")),
        (false, true) => {
            Err(Refused::Text("Only a fact sheet is published as notes, and this draft was edited or written"))
        }
        _ => Ok(()),
    }
}

/// Whether a decision of the round only let a finding or a change stand, or noted something.
pub(super) fn has_no_consequence(journal: &Journal, round: u32, number: u32) -> bool {
    standing(journal, round).any(|decided| decided.number == number && decided.decision.choice.has_no_consequence())
}

/// The reason for accepting a run's flags, cleaned.
///
/// # Errors
/// [`Refused`] if it has none that are open, or if nothing is said.
pub fn accept_flags(run: &ListedRun, reason: &str) -> Result<String, Refused> {
    let now = match (run.state, &run.signed_by, &run.settled_by) {
        (RunState::Open, _, _) => Some("has not ended".to_owned()),
        (_, Some(by), _) => Some(format!("is signed off by {by}")),
        (_, _, Some(by)) => Some(format!("has had its flags accepted by {by}")),
        _ if run.reasons().is_empty() => Some("is not flagged".to_owned()),
        _ => None,
    };
    if let Some(now) = now {
        let when = "for a flagged story that nobody has decided";
        return Err(Refused::NotNow { what: "Accepting flags", when, now });
    }
    if !run.current {
        return Err(Refused::Replaced { what: "Accepting flags" });
    }
    said(reason, "say why you accept the flags")?;
    Ok(sanitise::clean(reason).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flagged() -> ListedRun {
        ListedRun { flags: vec!["a flag".into()], ..ListedRun::example("desk/park", "The park", "failed") }
    }

    #[test]
    fn only_the_open_flags_of_a_storys_current_run_can_be_accepted_and_for_a_reason() {
        assert_eq!(accept_flags(&flagged(), " It is \u{1b}[31mart.\n"), Ok("It is art.".to_owned()));
        let by = || Some("Ada".to_owned());
        for (run, why) in [
            (ListedRun { state: RunState::Open, ..flagged() }, "This story has not ended"),
            (ListedRun { flags: vec![], ..flagged() }, "This story is not flagged"),
            (ListedRun { signed_by: by(), ..flagged() }, "This story is signed off by Ada"),
            (ListedRun { settled_by: by(), ..flagged() }, "This story has had its flags accepted by Ada"),
            (ListedRun { current: false, ..flagged() }, "A later run has replaced this one"),
        ] {
            let said = accept_flags(&run, "So.").unwrap_err().to_string();
            assert!(said.contains("Accepting flags is possible only ") && said.contains(why), "{said}");
        }
        assert_eq!(accept_flags(&flagged(), " \n"), Err(Refused::Text("say why you accept the flags")));
    }
}
