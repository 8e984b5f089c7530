//! The parts of a story that an editor had on the screen.

use serde::{Deserialize, Serialize};

/// A part of a story that can be opened and read. Rounds, concerns and claims count from 1.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "object", rename_all = "snake_case")]
pub enum ExaminedObject {
    /// The draft of a round as it would be printed, with the editor's own changes. `version` is the SHA-256 of its fields, hex.
    Draft { round: u32, version: String },
    /// The last line of that draft.
    DraftEnd { round: u32, version: String },
    /// Two drafts compared.
    Changes { from: u32, to: u32 },
    /// A concern with what was said of it.
    Concern { round: u32, concern: u32 },
    /// A claim of the draft of a round, with its witnesses.
    Claim { round: u32, claim: u32 },
    /// A place in a source: its first byte, and one past the last.
    Passage { source: String, start: usize, end: usize },
    /// A source.
    Source { source: String },
}

impl ExaminedObject {
    /// For a person, such as `concern 2 of round 1`.
    #[must_use]
    pub fn in_words(&self) -> String {
        match self {
            Self::Draft { round, .. } => format!("draft {round}"),
            Self::DraftEnd { round, .. } => format!("draft {round} to its end"),
            Self::Changes { from, to } => format!("the changes from draft {from} to draft {to}"),
            Self::Concern { round, concern } => format!("concern {concern} of round {round}"),
            Self::Claim { round, claim } => format!("claim {claim} of draft {round}"),
            Self::Passage { source, .. } => format!("a passage of {source}"),
            Self::Source { source } => format!("the source {source}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Event;

    #[test]
    fn each_part_is_logged_under_names_that_stay() {
        let by = || "Ada".to_owned();
        let passage = ExaminedObject::Passage { source: "minutes.txt".into(), start: 3, end: 9 };
        let event = Event::Examined { by: by(), gate: Some("r1.gate".into()), what: passage };
        let stored = serde_json::to_value(&event).unwrap();
        let expected = serde_json::json!({
            "event": "examined", "by": "Ada", "gate": "r1.gate", "object": "passage", "source": "minutes.txt", "start": 3, "end": 9
        });
        assert_eq!(stored, expected);
        assert_eq!(serde_json::from_value::<Event>(stored).unwrap(), event);
        let (round, source, version) = (2, "a.txt".to_owned(), || "ab".to_owned());
        for (what, name, words) in [
            (ExaminedObject::Draft { round, version: version() }, "draft", "draft 2"),
            (ExaminedObject::DraftEnd { round, version: version() }, "draft_end", "draft 2 to its end"),
            (ExaminedObject::Changes { from: 1, to: 2 }, "changes", "the changes from draft 1 to draft 2"),
            (ExaminedObject::Concern { round, concern: 3 }, "concern", "concern 3 of round 2"),
            (ExaminedObject::Claim { round, claim: 4 }, "claim", "claim 4 of draft 2"),
            (ExaminedObject::Source { source }, "source", "the source a.txt"),
        ] {
            assert_eq!(what.in_words(), words);
            let event = Event::Examined { by: by(), gate: None, what };
            let stored = serde_json::to_value(&event).unwrap();
            assert_eq!(stored["object"], name);
            assert_eq!(serde_json::from_value::<Event>(stored).unwrap(), event);
        }
    }
}
