//! The right of reply: who was asked, when, by when, and what they said.

use jiff::Timestamp;
use serde::Serialize;

use super::due_in_words;

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
    #[must_use]
    pub fn is_overdue(&self, now: Timestamp) -> bool {
        self.answer.is_none() && self.due.as_ref().is_some_and(|due| due_in_words(due, now).1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
