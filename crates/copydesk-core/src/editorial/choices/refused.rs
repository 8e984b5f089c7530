//! Why an editor cannot decide something now, in words that say what can be done.

use crate::editorial::decisions::waits;
use copydesk_newsroom::{Choice, Gates, Journal, Wait, local_time};
use copydesk_text::in_marks;

/// Most rounds of a run, added ones included.
pub(super) const MOST_ROUNDS: u32 = 40;

/// Why something cannot be decided now, and what can.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The run is elsewhere.
    #[error("This story {now}. {what} is possible only {when}")]
    NotNow { what: &'static str, when: &'static str, now: String },
    /// The round is not decided, so nothing can be signed or sent back from sign-off.
    #[error(
        "This story {now}. Decide on the round first: continue, or approve the draft as it is. {what} comes after that"
    )]
    NoSignOffYet { what: &'static str, now: String },
    /// The concern does not exist or has no verdict.
    #[error("round {round} has no verdict on a concern {concern}")]
    NoVerdict { round: u32, concern: u32 },
    /// No verdict of that concern asks for a change.
    #[error("no open verdict of round {round} is on concern {concern}, so there is nothing to triage")]
    NotTriaged { round: u32, concern: u32 },
    /// No source has that name, or it was removed before.
    #[error("this story has no source {name:?}; `copydesk show` lists them")]
    NoSource { name: String },
    /// The round's proof has no such finding.
    #[error("the proof of round {round} has no finding {finding}")]
    NoFinding { round: u32, finding: u32 },
    /// The words of a change do not stand in the draft that waits, or in the earlier one.
    #[error("draft {0} has no such change; look at the changes again")]
    NoChange(u32),
    /// It is a verdict that keeps the finding open.
    #[error("the verdict on concern {concern} is open, and with it finding {finding}: overrule it with KEEP")]
    Open { finding: u32, concern: u32 },
    /// Words that no source carries, and no human vouches for.
    #[error("{}", unsettled_words(.findings))]
    Unsettled { findings: Vec<(u32, String)> },
    /// Something is missing or too much.
    #[error("{0}")]
    Text(&'static str),
    /// There is nothing to undo.
    #[error("There is no decision {0} to undo")]
    NothingToUndo(u32),
    /// A later decision rests on it.
    #[error("decision {number} ({what}) needs the other round: undo that one first")]
    Needed { number: u32, what: &'static str },
    /// The run is not the story's any more.
    #[error(
        "{what} is possible only in a story's current run. A later run has replaced this one; restart from here (fork) to go on from it"
    )]
    Replaced { what: &'static str },
    /// Another decision was made in the meantime: by whom, and when (ISO 8601), if that is known.
    #[error("{} on this story in the meantime. Nothing was changed; look again, then decide", last_words(.0.as_ref()))]
    Overtaken(Option<(String, String)>),
    /// The work would go nowhere.
    #[error("this is the last round, and {0}: add another round first")]
    NoRoundLeft(&'static str),
    /// Enough is enough.
    #[error("a run has at most {MOST_ROUNDS} rounds")]
    TooManyRounds,
}

impl Refused {
    /// By the last decision of `journal`.
    pub(super) fn overtaken(journal: &Journal) -> Self {
        let mut latest = journal.entries().iter().rev();
        let last = latest.find_map(|entry| Some((entry.outcome.try_as_decision_ref()?.by.clone(), entry.at.clone())));
        Self::Overtaken(last)
    }
}

/// Who decided last, and when.
fn last_words(last: Option<&(String, String)>) -> String {
    match last {
        None => "Somebody else has decided".to_owned(),
        Some((by, at)) => format!("{by} decided at {}", local_time(at)),
    }
}

/// The findings that hold a sign-off back, as one message.
fn unsettled_words(findings: &[(u32, String)]) -> String {
    let named: Vec<String> =
        findings.iter().map(|(number, text)| format!("finding {number} ({})", in_marks(text))).collect();
    format!(
        "{} in no source as {} and nobody vouches for {}: accept {} with a reason, or send the story back",
        if findings.len() == 1 { "a quotation stands" } else { "quotations stand" },
        if findings.len() == 1 { "it is," } else { "they are," },
        if findings.len() == 1 { "it" } else { "them" },
        named.join(" and ")
    )
}

/// The action of a choice, as the beginning of a sentence.
pub(super) fn words(choice: &Choice) -> &'static str {
    match choice {
        Choice::Override { .. } => "Overruling a verdict",
        Choice::Feedback { .. } => "Feedback",
        Choice::Edit { .. } => "A hand edit",
        Choice::Applied { .. } => "Making a fix in the text",
        Choice::Accept { .. } => "Accepting a finding",
        Choice::Triage { .. } => "Triage",
        Choice::Plan { .. } => "Changing the questions",
        Choice::Research { .. } => "Research",
        Choice::AddSource { .. } => "Adding a source",
        Choice::RemoveSource { .. } => "Removing a source",
        Choice::DistrustSource { .. } => "Distrusting a source",
        Choice::Call { .. } => "A decision on a call",
        Choice::Comment { .. } => "A comment",
        Choice::AcceptChange { .. } => "Accepting a change",
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
pub fn state(journal: &Journal) -> String {
    if let Some(publication) = journal.publication() {
        return if publication.success { "is finished. Reopen it first" } else { "has ended. Reopen it first" }
            .to_owned();
    }
    match waits(journal) {
        Some(Wait::Plan) => "waits for your word on its questions".to_owned(),
        Some(Wait::Gate { round }) => format!("waits for your decision, round {round}"),
        Some(Wait::SignOff { .. }) => "waits for sign-off".to_owned(),
        Some(Wait::Call { .. }) => "waits for your word on a call of the Reporter".to_owned(),
        None if journal.opening.gates == Gates::Auto => "decides by its verdicts alone".to_owned(),
        None => "has not reached its next gate".to_owned(),
    }
}
