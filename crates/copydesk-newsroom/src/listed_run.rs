//! A run as a list shows it, with the state of its story and the replies that were asked for. Which stories a human is asked about, and in
//! which order.

use std::cmp::Reverse;

use jiff::Timestamp;
use serde::Serialize;

use super::{Priority, StoryWithdrawal, Wait, due_in_words, local_minute};

/// How a run stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, strum::IntoStaticStr, strum::EnumString)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum RunState {
    /// It can be resumed, or waits for its editor.
    #[default]
    Open,
    /// A round passed.
    #[serde(rename = "success")]
    #[strum(serialize = "success")]
    Succeeded,
    /// It ended otherwise.
    Failed,
    /// Another run took over from it.
    Superseded,
}

impl RunState {
    /// The stable name, as the records and JSON have it.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// A run as a list shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ListedRun {
    /// `channel/slug`.
    pub story: String,
    /// The working title; the headline once it was changed.
    pub title: String,
    /// The newsroom desk, if one was named.
    pub desk: Option<String>,
    /// The run's id.
    pub run: String,
    /// How it stands.
    pub state: RunState,
    /// The place at which it waits for its editor, such as `r1.gate` or `r2.sign-off`.
    pub waits: Option<String>,
    /// Who signed it off.
    pub signed_by: Option<String>,
    /// The number of its version among those of the story that were signed off or sent, from 1. Before that: the next one.
    pub version: u32,
    /// The story's priority.
    pub priority: Priority,
    /// When the story is due: ISO 8601, UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub due: Option<String>,
    /// The editor who has the story.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assigned: Option<String>,
    /// The time before which nothing of the story may go out: ISO 8601, UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub embargo: Option<String>,
    /// Its version was taken back, or a later one of its story was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub withdrawn: Option<StoryWithdrawal>,
    /// The persons whom its draft accuses, and whom nobody has asked for a reply.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unasked: Vec<String>,
    /// Those who were asked and have not answered.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub replies_due: Vec<StoryReply>,
    /// Whether the story is paused.
    pub paused: bool,
    /// Whether this is the story's current run.
    pub current: bool,
    /// The run id of the one that it took over from.
    pub took_over: Option<String>,
    /// Rounds reviewed so far.
    pub rounds: u32,
    /// Rounds that it may take.
    pub max_rounds: u32,
    /// Open concerns of the latest review.
    pub open_concerns: u32,
    /// Why a human should look.
    pub flags: Vec<String>,
    /// Who let the flags stand; they stay as the record.
    pub settled_by: Option<String>,
    /// Since when it waits where it does, is at work or has ended: ISO 8601, UTC.
    pub stands_since: String,
    /// Tokens sent.
    pub prompt_tokens: u64,
    /// Tokens received.
    pub completion_tokens: u64,
    /// When it was opened: ISO 8601, UTC.
    pub opened_at: String,
    /// When it was last changed: ISO 8601, UTC.
    pub updated_at: String,
    /// The error, if there was one.
    pub error: Option<String>,
    /// Whether its draft is an extract: rules chose sentences of the sources, and nobody wrote it. A signed one is published as notes.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub extract: bool,
}

/// The beginning of the error of a story that its editor gave up.
pub const SPIKED_BY: &str = "spiked by ";

impl ListedRun {
    /// Whether it ended flagged and no editor signed it, withdrew it or let the flags stand.
    pub fn is_flagged(&self) -> bool {
        let ended = matches!(self.state, RunState::Succeeded | RunState::Failed);
        let reason = !self.flags.is_empty() || !self.unasked.is_empty();
        let open = reason && self.signed_by.is_none() && self.settled_by.is_none();
        ended && open && self.withdrawn.is_none()
    }

    /// Who signed it, and as what.
    pub fn signed_in_words(&self) -> Option<String> {
        let how = if self.extract { "signed as notes" } else { "signed off" };
        self.signed_by.as_ref().map(|by| format!("{how} by {by}"))
    }

    /// Whether its editor gave it up.
    pub fn is_spiked(&self) -> bool {
        self.error.as_ref().is_some_and(|error| error.starts_with(SPIKED_BY))
    }

    /// Whether a human is asked about it: it waits for its editor, or is flagged. Only a story's current run can be decided.
    pub fn is_in_review(&self) -> bool {
        self.current && (self.waits.is_some() && self.state == RunState::Open || self.is_flagged())
    }

    /// The open points of the right of reply, a sentence each.
    pub fn open_replies(&self) -> Vec<String> {
        let due = self.replies_due.iter().map(|reply| {
            let due = reply.due.as_ref().map_or_else(String::new, |due| format!(" by {}", local_minute(due)));
            format!("{} was asked for a reply{due} and has not answered", reply.name)
        });
        let unasked = self.unasked.iter().map(|name| format!("It accuses {name}, and nobody was asked for a reply"));
        due.chain(unasked).collect()
    }

    /// The reasons for a human to look, in words: its flags, and accusations against persons who were not asked.
    pub fn reasons(&self) -> Vec<String> {
        let accused = (!self.unasked.is_empty())
            .then(|| format!("accuses {}, and nobody was asked for a reply", self.unasked.join(", ")));
        self.flags.iter().cloned().chain(accused).collect()
    }

    /// Those who were asked and have not answered in time.
    pub fn overdue(&self, now: Timestamp) -> impl Iterator<Item = &StoryReply> {
        self.replies_due.iter().filter(move |reply| reply.is_overdue(now))
    }

    /// Whether it is in the review queue now: a human is asked about it, or an answer is overdue and nobody has signed it.
    pub fn is_due_for_review(&self, now: Timestamp) -> bool {
        let rests = self.current && (self.state != RunState::Open || self.waits.is_some());
        let unsigned = self.signed_by.is_none() && self.withdrawn.is_none();
        self.is_in_review() || (rests && unsigned && self.overdue(now).next().is_some())
    }

    /// Whether it waits for this editor: it is in review, and it is theirs or nobody's.
    pub fn waits_for(&self, editor: &str) -> bool {
        let theirs = |assigned: &String| assigned.trim().to_lowercase() == editor.trim().to_lowercase();
        self.is_in_review() && self.assigned.as_ref().is_none_or(theirs)
    }

    /// Its place in the review queue: the most urgent first, then what has stood longest.
    pub fn review_order(&self) -> (Reverse<Priority>, &str, &str) {
        (Reverse(self.priority), &self.stands_since, &self.story)
    }

    /// The place at which it waits for its editor; none if it does not, or waits at a place that only a later version
    /// knows.
    pub fn waits_at(&self) -> Option<Wait> {
        self.waits.as_deref()?.parse().ok()
    }
}

/// Who works on a story now, as far as this program knows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum StoryHolder {
    #[default]
    Nobody,
    Ours,
    /// This program, once it has a free slot.
    OursSoon,
    /// It waits in the queue for any worker.
    Queued,
    Others,
}

/// The state of a story. Their order is that of urgency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StoryState {
    /// It waits for the editor at a gate.
    AtGate,
    /// It waits for sign-off.
    AtSignOff,
    /// It ended, and an editor should look at it.
    Flagged,
    /// It could not be finished.
    Failed,
    /// Its editor gave it up.
    Spiked,
    /// This program works on it.
    AtWork,
    /// It waits for its turn.
    Queued,
    /// Another program works on it.
    Elsewhere,
    /// It was interrupted and can be resumed.
    Stopped,
    Paused,
    /// It passed and is not signed off.
    Passed,
    /// The same, of an extract: nobody has written an article.
    Extracted,
    Signed,
    /// The same, of an extract.
    SignedAsNotes,
    /// It was out, and was taken back.
    Withdrawn,
    /// A later run took over.
    Replaced,
}

impl StoryState {
    pub fn of(run: &ListedRun, hands: StoryHolder) -> Self {
        match run.state {
            _ if run.is_flagged() => Self::Flagged,
            RunState::Superseded if !run.current => Self::Replaced,
            RunState::Succeeded if run.withdrawn.is_some() => Self::Withdrawn,
            RunState::Succeeded if run.signed_by.is_some() && run.extract => Self::SignedAsNotes,
            RunState::Succeeded if run.signed_by.is_some() => Self::Signed,
            RunState::Succeeded if run.extract => Self::Extracted,
            RunState::Succeeded => Self::Passed,
            RunState::Failed if run.is_spiked() => Self::Spiked,
            RunState::Failed => Self::Failed,
            RunState::Open | RunState::Superseded => match (run.waits_at(), hands) {
                (Some(Wait::SignOff { .. }), _) => Self::AtSignOff,
                (Some(_), _) => Self::AtGate,
                (None, StoryHolder::Ours) => Self::AtWork,
                (None, StoryHolder::Others) => Self::Elsewhere,
                (None, _) if run.paused => Self::Paused,
                (None, StoryHolder::OursSoon | StoryHolder::Queued) => Self::Queued,
                (None, StoryHolder::Nobody) => Self::Stopped,
            },
        }
    }

    /// Its mark, which says the same without colour, and its name.
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::AtGate => ("?", "waits for you"),
            Self::AtSignOff => ("?", "to be signed"),
            Self::Flagged => ("!", "flagged"),
            Self::Failed => ("x", "failed"),
            Self::Spiked => ("-", "spiked"),
            Self::AtWork => (">", "at work"),
            Self::Queued => (".", "in the queue"),
            Self::Elsewhere => (">", "at work elsewhere"),
            Self::Stopped => ("-", "interrupted"),
            Self::Paused => ("=", "paused"),
            Self::Passed => ("+", "passed"),
            Self::Extracted => ("+", "fact sheet"),
            Self::Signed => ("*", "signed off"),
            Self::SignedAsNotes => ("*", "signed as notes"),
            Self::Withdrawn => ("x", "withdrawn"),
            Self::Replaced => ("-", "replaced"),
        }
    }

    /// Whether nothing more is to be done.
    pub fn is_settled(self) -> bool {
        matches!(
            self,
            Self::Spiked
                | Self::Passed
                | Self::Extracted
                | Self::Signed
                | Self::SignedAsNotes
                | Self::Withdrawn
                | Self::Replaced
        )
    }
}

/// A person or a body that was asked for a reply.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StoryReply {
    pub name: String,
    /// The subject of the question; may be empty.
    pub about: String,
    /// When they were asked: ISO 8601, UTC.
    pub asked_at: String,
    /// The editor who noted it.
    pub asked_by: String,
    /// The deadline of their answer: ISO 8601, UTC; none if no time was set.
    pub due: Option<String>,
    /// Their answer; none until they give one.
    pub answer: Option<ReplyAnswer>,
}

/// The answer of a person who was asked for a reply.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReplyAnswer {
    pub text: String,
    /// When it was noted: ISO 8601, UTC.
    pub at: String,
    /// The editor who noted it.
    pub by: String,
}

impl StoryReply {
    /// Whether the answer has not come in time.
    pub fn is_overdue(&self, now: Timestamp) -> bool {
        self.answer.is_none() && self.due.as_ref().is_some_and(|due| due_in_words(due, now).1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_story_that_its_editor_gave_up_is_spiked_and_not_failed() {
        let stands = |error: &str| {
            let run = ListedRun { error: Some(error.into()), ..ListedRun::example("desk/park", "Park", "failed") };
            StoryState::of(&run, StoryHolder::Nobody)
        };
        assert_eq!(stands("spiked by Ada: no room"), StoryState::Spiked);
        assert_eq!(stands("r1.judge.2: 500"), StoryState::Failed);
        assert!(StoryState::Spiked.is_settled() && StoryState::Spiked.words().1 == "spiked");
    }

    #[test]
    fn an_answer_is_overdue_once_its_time_is_past_and_it_has_not_come() {
        let now: Timestamp = "2026-10-06T12:00:00Z".parse().unwrap();
        let reply = |due: Option<&str>, answered: bool| StoryReply {
            name: "Ann Lee".into(),
            about: String::new(),
            asked_at: "2026-10-05T12:00:00.000Z".into(),
            asked_by: "Ada".into(),
            due: due.map(str::to_owned),
            answer: answered.then(|| ReplyAnswer { text: "No.".into(), at: "t".into(), by: "Ada".into() }),
        };
        assert!(reply(Some("2026-10-06T11:00:00.000Z"), false).is_overdue(now));
        for reply in [
            reply(Some("2026-10-06T11:00:00.000Z"), true),
            reply(Some("2026-10-06T13:00:00.000Z"), false),
            reply(None, false),
        ] {
            assert!(!reply.is_overdue(now), "{reply:?}");
        }
    }
}
