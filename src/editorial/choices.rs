//! What an editor can decide now, and why not (DESIGN.md, section 3, GATE).

use crate::{
    editorial::{
        decisions::{self, edit, effective_verdicts, max_rounds, standing, waits},
        drafts,
    },
    newsroom::{Choice, Gates, Journal, Status, Wait},
    text::sanitise,
};

/// Most bytes of a reason, a fix or a feedback: what a person types, not what a person pastes by mistake.
pub const LONGEST_TEXT: usize = 100_000;

/// Most rounds of a run, added ones included.
const MOST_ROUNDS: u32 = 40;

/// What somebody saw who decides: where the run waited, and how much was decided there already. A decision that was meant for
/// another gate, or made before another program's decision was seen, is not made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    /// Where the run waited.
    pub at: Wait,
    /// How many decisions its round had.
    pub made: usize,
}

impl Seen {
    /// What there is to see of a round that waits, or waited, at `at`.
    #[must_use]
    pub fn of(journal: &Journal, at: Wait) -> Self {
        Self { at, made: journal.decisions(at.round()).len() }
    }
}

/// Why something cannot be decided now, and what can.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The run is elsewhere.
    #[error("{what} is possible {when}; this story {now}")]
    NotNow {
        /// The choice.
        what: &'static str,
        /// Where it is possible.
        when: &'static str,
        /// Where the story is.
        now: String,
    },
    /// The concern does not exist or has no verdict.
    #[error("round {round} has no verdict on a concern {concern}")]
    NoVerdict {
        /// The round.
        round: u32,
        /// The concern.
        concern: u32,
    },
    /// Something is missing or too much.
    #[error("{0}")]
    Text(&'static str),
    /// There is nothing to undo.
    #[error("there is no decision {0} to undo")]
    NothingToUndo(u32),
    /// What was decided later stands on it.
    #[error("decision {number} ({what}) needs the other round: undo that one first")]
    Needed {
        /// The later decision.
        number: u32,
        /// Its choice in a word.
        what: &'static str,
    },
    /// To-dos beside a hand edit.
    #[error(
        "your hand edit is the next draft, so no writer would see these to-dos: give them once it has been reviewed, or undo decision {edit} (edit) first"
    )]
    NoWriter {
        /// The decision that is the hand edit.
        edit: u32,
    },
    /// A hand edit and to-dos, of which only one can be next.
    #[error(
        "your hand edit is the next draft, so no writer would see your to-dos: undo decision {feedback} (feedback), or decision {edit} (edit)"
    )]
    EitherOr {
        /// The decision that is the feedback.
        feedback: u32,
        /// The decision that is the hand edit.
        edit: u32,
    },
    /// The run is not the story's any more.
    #[error(
        "{what} is possible in a story's current run; this one was replaced by a later one: fork it to go on from it"
    )]
    Replaced {
        /// The choice.
        what: &'static str,
    },
    /// Somebody else decided in the meantime.
    #[error(
        "something else was decided on this story in the meantime, and nothing is changed: look again, then decide"
    )]
    Overtaken,
    /// The work would go nowhere.
    #[error("this is the last round, and {0}: add another round first")]
    NoRoundLeft(&'static str),
    /// Enough is enough.
    #[error("a run has at most {MOST_ROUNDS} rounds")]
    TooManyRounds,
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
    let not_now = |when| Err(Refused::NotNow { what: words(choice), when, now: state(journal) });
    let last = round >= max_rounds(journal);
    match choice {
        Choice::SignOff { .. } | Choice::SendBack { .. } if at_gate => return not_now("at sign-off"),
        Choice::Override { .. }
        | Choice::Feedback { .. }
        | Choice::Edit { .. }
        | Choice::Continue
        | Choice::Stet { .. }
        | Choice::Undo { .. }
            if !at_gate =>
        {
            return not_now("at a gate; send it back to change something");
        }
        Choice::Override { concern, status, fix, reason } => {
            if !journal.is_judged(round, *concern) {
                return Err(Refused::NoVerdict { round, concern: *concern });
            }
            bounded(reason, "an override needs a reason")?;
            match (status, fix) {
                (Status::Keep, Some(_)) => return Err(Refused::Text("KEEP leaves the text as it is: it has no fix")),
                (_, Some(fix)) => bounded(fix, "the fix is empty: say what to do, or leave it out")?,
                (_, None) => {}
            }
        }
        Choice::Feedback { text } => {
            to_dos(text, "the feedback is empty")?;
            // Where the next draft is the editor's, nothing goes to a writer: what was typed would be lost without a word.
            if let Some(edit) = standing_edit(journal, round) {
                return Err(Refused::NoWriter { edit });
            }
            if last {
                return Err(Refused::NoRoundLeft("nobody would act on the feedback"));
            }
        }
        Choice::SendBack { text } => {
            to_dos(text, "say what is to be done")?;
            if last {
                return Err(Refused::NoRoundLeft("nobody would act on it"));
            }
        }
        Choice::Edit { article } => {
            if article.fields().iter().any(|(_, text)| sanitise::is_blank(text)) {
                return Err(Refused::Text("the edited draft lacks a headline, a description or a text"));
            }
            if last {
                return Err(Refused::NoRoundLeft("nobody would review the edited draft"));
            }
        }
        Choice::Undo { number } => {
            let Some(found) = standing(journal, round).find(|decided| decided.number == *number) else {
                return Err(Refused::NothingToUndo(*number));
            };
            if found.decision.choice == Choice::AnotherRound && round >= max_rounds(journal).saturating_sub(1) {
                let needs = |choice: &Choice| matches!(choice, Choice::Feedback { .. } | Choice::Edit { .. });
                if let Some(later) = standing(journal, round).find(|decided| needs(&decided.decision.choice)) {
                    return Err(Refused::Needed { number: later.number, what: later.decision.choice.name() });
                }
            }
        }
        Choice::Spike { reason } => bounded(reason, "say why the story is given up")?,
        Choice::Stet { reason } => {
            if edit(journal, round).is_some() {
                return Err(Refused::Text("your hand edit would be lost: continue with it, or undo it first"));
            }
            let open = effective_verdicts(journal, round).iter().any(|verdict| verdict.status != Status::Keep);
            if open {
                bounded(reason, "verdicts are open: say why the draft may stand all the same")?;
            } else if reason.len() > LONGEST_TEXT {
                return Err(Refused::Text(TOO_LONG));
            }
        }
        Choice::AnotherRound => {
            if max_rounds(journal) >= MOST_ROUNDS {
                return Err(Refused::TooManyRounds);
            }
        }
        Choice::Continue => {
            // An edit that is begun after feedback can be saved: it must not become unreachable half typed.
            if let (Some(edit), Some(feedback)) = (standing_edit(journal, round), standing_feedback(journal, round)) {
                return Err(Refused::EitherOr { feedback, edit });
            }
        }
        Choice::SignOff { .. } => {}
    }
    Ok(wait)
}

/// The hand edit that counts, by its number.
fn standing_edit(journal: &Journal, round: u32) -> Option<u32> {
    let edits = standing(journal, round).filter(|decided| matches!(decided.decision.choice, Choice::Edit { .. }));
    edits.last().map(|decided| decided.number)
}

/// The latest feedback that counts, by its number.
fn standing_feedback(journal: &Journal, round: u32) -> Option<u32> {
    let given = standing(journal, round).filter(|decided| matches!(decided.decision.choice, Choice::Feedback { .. }));
    given.last().map(|decided| decided.number)
}

/// Text of which at least one to-do is left.
fn to_dos(text: &str, empty: &'static str) -> Result<(), Refused> {
    bounded(text, empty)?;
    if decisions::lines(text).is_empty() { Err(Refused::Text(empty)) } else { Ok(()) }
}

/// The choice with every text cleaned, as everything that comes in is: what a person pastes may hold anything.
#[must_use]
pub fn cleaned(choice: Choice) -> Choice {
    let clean = |text: String| sanitise::clean(&text).into_owned();
    match choice {
        Choice::Override { concern, status, fix, reason } => {
            Choice::Override { concern, status, fix: fix.map(clean), reason: clean(reason) }
        }
        Choice::Feedback { text } => Choice::Feedback { text: clean(text) },
        Choice::SendBack { text } => Choice::SendBack { text: clean(text) },
        Choice::Edit { article } => Choice::Edit { article: drafts::cleaned(&article) },
        Choice::Stet { reason } => Choice::Stet { reason: clean(reason) },
        Choice::Spike { reason } => Choice::Spike { reason: clean(reason) },
        choice @ (Choice::AnotherRound | Choice::Undo { .. } | Choice::Continue | Choice::SignOff { .. }) => choice,
    }
}

const TOO_LONG: &str = "that is longer than 100,000 bytes";

fn bounded(text: &str, empty: &'static str) -> Result<(), Refused> {
    if sanitise::is_blank(text) {
        return Err(Refused::Text(empty));
    }
    if text.len() > LONGEST_TEXT {
        return Err(Refused::Text(TOO_LONG));
    }
    Ok(())
}

/// What a choice does, as the beginning of a sentence.
#[must_use]
pub fn words(choice: &Choice) -> &'static str {
    match choice {
        Choice::Override { .. } => "Overruling a verdict",
        Choice::Feedback { .. } => "Feedback",
        Choice::Edit { .. } => "A hand edit",
        Choice::AnotherRound => "Another round",
        Choice::Undo { .. } => "Undoing a decision",
        Choice::Continue => "Continuing",
        Choice::Stet { .. } => "Stet",
        Choice::Spike { .. } => "Spiking",
        Choice::SignOff { .. } => "Signing off",
        Choice::SendBack { .. } => "Sending back",
    }
}

/// Where the story is, as the end of a sentence.
#[must_use]
pub fn state(journal: &Journal) -> String {
    if let Some(publication) = journal.publication() {
        return if publication.success { "is finished: reopen it" } else { "has ended: reopen it" }.to_owned();
    }
    match waits(journal) {
        Some(Wait::Gate { round }) => format!("waits at the gate of round {round}"),
        Some(Wait::SignOff { .. }) => "waits for sign-off".to_owned(),
        None if journal.opening.gates == Gates::Auto => "decides its gates by the verdicts alone".to_owned(),
        None => "is being worked on".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::{
        decisions::tests::{at_gate, decide, go_on, overrule},
        next_steps::tests::article,
    };

    fn refused(journal: &Journal, choice: &Choice) -> String {
        check(journal, choice).map_or_else(|error| error.to_string(), |wait| format!("possible at {wait}"))
    }

    #[test]
    fn what_cannot_be_decided_says_why() {
        let gate = at_gate();
        let feedback = |text: &str| Choice::Feedback { text: text.into() };
        for (choice, said) in [
            (overrule(2, Status::Keep, None), "possible at r1.gate"),
            (overrule(9, Status::Keep, None), "round 1 has no verdict on a concern 9"),
            (overrule(2, Status::Keep, Some("x")), "KEEP leaves the text as it is: it has no fix"),
            (overrule(2, Status::Remove, Some(" ")), "the fix is empty: say what to do, or leave it out"),
            (
                Choice::Override { concern: 2, status: Status::Keep, fix: None, reason: " \n".into() },
                "an override needs a reason",
            ),
            (feedback("\u{200b}"), "the feedback is empty"),
            (feedback("- \n*"), "the feedback is empty"),
            (feedback(&"x".repeat(100_001)), "that is longer than 100,000 bytes"),
            (Choice::Edit { article: article(" ") }, "the edited draft lacks a headline, a description or a text"),
            (Choice::Undo { number: 1 }, "there is no decision 1 to undo"),
            (Choice::Spike { reason: String::new() }, "say why the story is given up"),
            (Choice::Stet { reason: " ".into() }, "verdicts are open: say why the draft may stand all the same"),
            (
                Choice::SignOff { chain: String::new() },
                "Signing off is possible at sign-off; this story waits at the gate of round 1",
            ),
            (Choice::Continue, "possible at r1.gate"),
        ] {
            assert_eq!(refused(&gate, &choice), said, "{choice:?}");
        }
    }

    #[test]
    fn in_the_last_round_nothing_is_sent_where_nobody_would_act_on_it() {
        let mut journal = at_gate();
        journal.opening.max_rounds = 1;
        let choice = Choice::Feedback { text: "x".into() };
        assert_eq!(
            refused(&journal, &choice),
            "this is the last round, and nobody would act on the feedback: add another round first"
        );
        decide(&mut journal, 1, Choice::AnotherRound);
        assert_eq!(refused(&journal, &choice), "possible at r1.gate");
        for _ in 0..38 {
            decide(&mut journal, 1, Choice::AnotherRound);
        }
        assert_eq!(refused(&journal, &Choice::AnotherRound), "a run has at most 40 rounds");
    }

    #[test]
    fn a_hand_edit_is_not_lost_by_accepting_the_draft() {
        let mut journal = at_gate();
        decide(&mut journal, 1, Choice::Edit { article: article("By hand.") });
        let stet = Choice::Stet { reason: "It is right.".into() };
        assert_eq!(refused(&journal, &stet), "your hand edit would be lost: continue with it, or undo it first");
        decide(&mut journal, 1, Choice::Undo { number: 1 });
        assert_eq!(refused(&journal, &stet), "possible at r1.gate");
    }

    #[test]
    fn to_dos_are_not_lost_beside_a_hand_edit() {
        let mut journal = at_gate();
        let (edit, feedback) = (Choice::Edit { article: article("By hand.") }, Choice::Feedback { text: "x".into() });
        decide(&mut journal, 1, feedback.clone());
        assert_eq!(refused(&journal, &edit), "possible at r1.gate", "what is half typed can be saved");
        decide(&mut journal, 1, edit.clone());
        assert_eq!(
            refused(&journal, &Choice::Continue),
            "your hand edit is the next draft, so no writer would see your to-dos: undo decision 1 (feedback), or decision 2 (edit)"
        );
        decide(&mut journal, 1, Choice::Undo { number: 1 });
        assert_eq!(refused(&journal, &Choice::Continue), "possible at r1.gate");
        assert_eq!(
            refused(&journal, &feedback),
            "your hand edit is the next draft, so no writer would see these to-dos: give them once it has been reviewed, or undo \
             decision 2 (edit) first"
        );
        decide(&mut journal, 1, Choice::Undo { number: 2 });
        assert_eq!(refused(&journal, &feedback), "possible at r1.gate");
    }

    #[test]
    fn an_added_round_is_kept_as_long_as_something_needs_it() {
        let mut journal = at_gate();
        journal.opening.max_rounds = 1;
        decide(&mut journal, 1, Choice::AnotherRound);
        decide(&mut journal, 1, Choice::Feedback { text: "x".into() });
        let undo = |number| Choice::Undo { number };
        assert_eq!(refused(&journal, &undo(1)), "decision 2 (feedback) needs the other round: undo that one first");
        decide(&mut journal, 1, Choice::AnotherRound);
        assert_eq!(refused(&journal, &undo(1)), "possible at r1.gate", "there is one to spare");
        decide(&mut journal, 1, undo(3));
        decide(&mut journal, 1, undo(2));
        assert_eq!(refused(&journal, &undo(1)), "possible at r1.gate");
    }

    #[test]
    fn what_is_pasted_is_cleaned() {
        let text = || "a\u{1b}[31mb\r\nc".to_owned();
        let clean = || "ab\nc".to_owned();
        let overrule = |fix, reason| Choice::Override { concern: 1, status: Status::Remove, fix, reason };
        for (typed, kept) in [
            (overrule(Some(text()), text()), overrule(Some(clean()), clean())),
            (Choice::Feedback { text: text() }, Choice::Feedback { text: clean() }),
            (Choice::SendBack { text: text() }, Choice::SendBack { text: clean() }),
            (Choice::Stet { reason: text() }, Choice::Stet { reason: clean() }),
            (Choice::Spike { reason: text() }, Choice::Spike { reason: clean() }),
            (Choice::Edit { article: article(&text()) }, Choice::Edit { article: article(&clean()) }),
        ] {
            assert_eq!(cleaned(typed), kept);
        }
    }

    #[test]
    fn after_the_gate_only_sign_off_is_left() {
        let mut journal = at_gate();
        decide(&mut journal, 1, Choice::Stet { reason: "It is right.".into() });
        go_on(&mut journal);
        assert_eq!(
            refused(&journal, &overrule(2, Status::Keep, None)),
            "Overruling a verdict is possible at a gate; send it back to change something; this story waits for sign-off"
        );
        assert_eq!(refused(&journal, &Choice::SignOff { chain: String::new() }), "possible at r1.sign-off");
        decide(&mut journal, 1, Choice::SignOff { chain: String::new() });
        go_on(&mut journal);
        assert_eq!(
            refused(&journal, &Choice::Continue),
            "Continuing is possible while a story waits for you; this story is finished: reopen it"
        );
    }
}
