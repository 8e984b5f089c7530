//! The right of reply, as it is noted: bounds of the typed texts, and each reply as a line.

use jiff::Timestamp;

use copydesk_newsroom::{StoryReply, due_in_words, local_minute};
use copydesk_text::{in_marks, sanitise};

/// The most characters of a name, and of a question to a person.
const LONGEST_NAME: usize = 120;
const LONGEST_ABOUT: usize = 1_000;

/// Most bytes of an answer.
const LONGEST_ANSWER: usize = 100_000;

/// Most characters of an answer in a line.
const LONGEST_IN_LINE: usize = 300;

/// Why something is not noted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotNoted {
    #[error("say who was asked")]
    NoName,
    #[error("a name has at most {LONGEST_NAME} characters")]
    LongName,
    #[error("say what they answered, or that they did not want to")]
    NoAnswer,
    #[error("an answer has at most 100,000 bytes; add a longer one as a source")]
    LongAnswer,
}

/// A name in one line.
///
/// # Errors
/// [`NotNoted`] if it is empty or too long.
pub fn named(name: &str) -> Result<String, NotNoted> {
    let named = sanitise::one_line(name);
    if sanitise::is_blank(&named) {
        return Err(NotNoted::NoName);
    }
    if named.chars().count() > LONGEST_NAME { Err(NotNoted::LongName) } else { Ok(named) }
}

/// The question to a person. `due`: ISO 8601, UTC.
///
/// # Errors
/// As [`named`].
pub fn asked(name: &str, about: &str, due: Option<String>, by: &str, at: &str) -> Result<StoryReply, NotNoted> {
    Ok(StoryReply {
        name: named(name)?,
        about: sanitise::excerpt(about, LONGEST_ABOUT),
        asked_at: at.to_owned(),
        asked_by: by.to_owned(),
        due,
        answer: None,
    })
}

/// An answer, cleaned.
///
/// # Errors
/// [`NotNoted`] if it says nothing, or too much.
pub fn said(text: &str) -> Result<String, NotNoted> {
    let said = sanitise::clean(text).trim().to_owned();
    if sanitise::is_blank(&said) {
        return Err(NotNoted::NoAnswer);
    }
    if said.len() > LONGEST_ANSWER { Err(NotNoted::LongAnswer) } else { Ok(said) }
}

/// A reply in a line: who was asked, when, by when, and what they said.
pub fn in_a_line(reply: &StoryReply, now: Timestamp) -> String {
    let StoryReply { name, about, asked_at, asked_by, due, answer } = reply;
    let about = if about.is_empty() { String::new() } else { format!(" about {}", sanitise::one_line(about)) };
    let head = format!(
        "{}: asked{about} {} ({})",
        sanitise::one_line(name),
        local_minute(asked_at),
        sanitise::one_line(asked_by)
    );
    match (answer, due) {
        (Some(answer), _) => {
            let said = sanitise::excerpt(&answer.text, LONGEST_IN_LINE);
            format!("{head}; replied {}: {}", local_minute(&answer.at), in_marks(&said))
        }
        (None, Some(due)) => {
            let (said, is_late) = due_in_words(due, now);
            let overdue = if is_late { "OVERDUE: " } else { "" };
            format!("{head}; {overdue}due {} ({said})", local_minute(due))
        }
        (None, None) => format!("{head}; no time set"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_answers_are_cleaned_and_bounded() {
        let reply = asked(" Ann\u{202e}\nLee ", "the\u{1b}[2J fire", None, "Ada", "t").unwrap();
        assert_eq!((reply.name.as_str(), reply.about.as_str()), ("Ann Lee", "the fire"));
        assert_eq!(asked("\u{200b}", "", None, "Ada", "t"), Err(NotNoted::NoName));
        assert_eq!(named(&"x".repeat(121)), Err(NotNoted::LongName));
        assert_eq!(said(" No.\n").as_deref(), Ok("No."));
        assert_eq!(said(" \n"), Err(NotNoted::NoAnswer));
        assert_eq!(said(&"x".repeat(100_001)), Err(NotNoted::LongAnswer));
    }
}
