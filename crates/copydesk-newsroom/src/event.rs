//! The events of a run, and the parts of a story that an editor had on the screen. The audit log, the progress line and `--json` read events.

use serde::{Deserialize, Serialize};

use super::{Status, Step, StoryDelivery, clock_of};

/// One thing that happened to a run. The JSON form is stable; fields are only ever added.
///
/// `by` is the editor who did it. Times are ISO 8601 in UTC, servers are hosts with their ports, and attempts count from 1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The engine is `offline` or `llm`.
    RunOpened { title: String, engine: String, max_rounds: u32 },
    /// The run is resumed after an interruption.
    RunResumed { steps_done: usize },
    /// The run takes over from the run of an id: prompts or settings have changed, or an editor went back to a step. `at` is the first step that
    /// is done anew; null if all are.
    RunForked { from: String, at: Option<Step> },
    /// The run corrects the version of the run `of`, which was signed off. `number` is that of the corrected version; the note is for readers.
    CorrectionBegun { of: String, number: u32, note: String, by: String },
    /// The run waits for its editor at a gate, such as `r1.gate` or `r2.sign-off`.
    GateWaits { gate: String, question: String },
    /// An editor decided. The choice is one word, the concern is the one that it is about, and the reason may be what was said.
    Decided { step: Step, by: String, choice: String, concern: Option<u32>, reason: String },
    /// An editor paused or unpaused the story.
    PauseSet { paused: bool, by: String },
    /// An editor changed the story's priority.
    PrioritySet { priority: Priority, by: String },
    /// An editor set the story's deadline, or removed it.
    DeadlineSet { due: Option<String>, by: String },
    /// An editor gave the story to an editor, or to nobody.
    EditorAssigned { editor: Option<String>, by: String },
    /// An editor set or lifted the time before which nothing of the story may go out.
    EmbargoSet { until: Option<String>, by: String },
    /// A version of the story came into the outbox, or went to a target, or was to go there.
    DeliveryMade {
        #[serde(flatten)]
        delivery: StoryDelivery,
    },
    /// An editor took back a version that was out, for the reason that its recipients are given.
    StoryKilled { by: String, reason: String },
    /// Somebody was asked for a reply; `about` may be empty, and `due` is null if no time was set.
    ReplyAsked { name: String, about: String, due: Option<String>, by: String },
    /// Somebody who was asked has answered.
    ReplyAnswered { name: String, text: String, by: String },
    /// An editor had a part of the story on the screen, long enough to read it. It is logged once for each editor, gate and part.
    Examined {
        by: String,
        /// Where the run waited, such as `r1.gate`; null if it did not wait.
        gate: Option<String>,
        #[serde(flatten)]
        what: ExaminedObject,
    },
    /// An editor let the flags of a run that has ended stand. They are in words.
    FlagsSettled { by: String, flags: Vec<String>, reason: String },
    /// An editor deleted the story with all its runs and their calls. The log keeps that it was done, not what the story was.
    StoryDeleted { by: String, runs: u64, calls: u64 },
    /// So many new records of earlier checks were read into the memory from files.
    MemoryImported { by: String, records: u64 },
    /// An editor struck a record out of the memory: it is not offered again.
    MemoryStruck { by: String, cache_key_hash: String, reason: String },
    /// An editor took the striking of a record back.
    MemoryRestored { by: String, cache_key_hash: String },
    /// `copydesk gc` took away what the configured retention lets go: the prompts and answers of calls, folders of artifacts, expired records
    /// of the memory.
    RetentionApplied { by: String, calls: u64, folders: u64, records: u64 },
    /// A call is about to be made. The host sees the text.
    CallStarted { step: Step, attempt: u32, agent: String, model: String, host: String },
    /// A call that was in flight at an interruption is made again and may have been billed twice.
    CallRepeated { step: Step, attempt: u32 },
    /// A tool that acts is about to be called. It is written first, so that a call that an interruption cut off is never repeated.
    ToolActs { step: Step, tool: String },
    /// An attempt was no use. `again_in_seconds` is null if there is no next one.
    CallFailed { step: Step, attempt: u32, message: String, again_in_seconds: Option<f64> },
    /// A step could not be done for now and goes back to the queue. `redelivery` counts how often, and `of` is the most.
    StepRedelivered { step: Step, redelivery: u32, of: u32, again_in_seconds: f64 },
    /// A step waits for its server, which is down.
    StepParked { step: Step, server: String },
    /// A step failed after its last retry; the run ends with that.
    StepDead { step: Step, error: String },
    /// An editor dropped a failed step: it is not to be tried again. The reason may be empty.
    DeadLetterDropped { step: Step, by: String, reason: String },
    /// A server has failed again and again and is left alone for a while. The error is its last.
    ServerDown { server: String, again_in_seconds: f64, error: String },
    /// A server that was left alone has answered.
    ServerBack { server: String },
    /// A step is done and committed. The summary is its result in a few words.
    StepDone { step: Step, summary: String },
    /// A specialist decided about a concern's excerpt.
    VerdictGiven { step: Step, excerpt: String, status: Status },
    /// Something that an editor should know about a step.
    Noted { step: Step, message: String },
    /// The run ended.
    RunClosed {
        /// Whether a round passed.
        success: bool,
        /// How many rounds were reviewed.
        rounds: u32,
        /// How many concerns of the kept draft are open.
        open_concerns: u32,
        /// Why a human should look.
        flags: Vec<String>,
        /// The error, if there was one.
        error: Option<String>,
        /// Whether its draft is an extract, which nobody wrote.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        extract: bool,
    },
}

impl Event {
    /// The step that the event is about.
    pub fn step(&self) -> Option<Step> {
        match self {
            // The gate is done once the editor has left it.
            Self::GateWaits { gate, .. } => gate.parse().ok(),
            Self::CallStarted { step, .. }
            | Self::CallRepeated { step, .. }
            | Self::ToolActs { step, .. }
            | Self::CallFailed { step, .. }
            | Self::StepRedelivered { step, .. }
            | Self::StepParked { step, .. }
            | Self::StepDead { step, .. }
            | Self::DeadLetterDropped { step, .. }
            | Self::StepDone { step, .. }
            | Self::Decided { step, .. }
            | Self::VerdictGiven { step, .. }
            | Self::Noted { step, .. } => Some(*step),
            _ => None,
        }
    }
}

/// An event with its place in the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EventRecord {
    /// When: ISO 8601, UTC.
    pub at: String,
    /// `channel/slug`.
    pub story: String,
    /// The run's id.
    pub run: String,
    /// The event.
    #[serde(flatten)]
    pub event: Event,
}

/// How urgent a story is.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, strum::IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Priority {
    /// After all others.
    Low,
    /// In its turn.
    #[default]
    Normal,
    /// Before all others.
    High,
}

named!(Priority);

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
    /// A place of a recording that was played, in seconds from its beginning.
    Heard { source: String, seconds: u32 },
}

impl ExaminedObject {
    /// For a person, such as `concern 2 of round 1`.
    pub fn in_words(&self) -> String {
        match self {
            Self::Draft { round, .. } => format!("draft {round}"),
            Self::DraftEnd { round, .. } => format!("draft {round} to its end"),
            Self::Changes { from, to } => format!("the changes from draft {from} to draft {to}"),
            Self::Concern { round, concern } => format!("concern {concern} of round {round}"),
            Self::Claim { round, claim } => format!("claim {claim} of draft {round}"),
            Self::Passage { source, .. } => format!("a passage of {source}"),
            Self::Source { source } => format!("the source {source}"),
            Self::Heard { source, seconds } => format!("the recording {source} at {}", clock_of(*seconds)),
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
            (ExaminedObject::Heard { source: source.clone(), seconds: 70 }, "heard", "the recording a.txt at 00:01:10"),
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
