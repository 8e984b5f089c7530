//! Decisions of editors. A decision is an entry of the journal; it stands beside the verdict that it overrules and never replaces it.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::{ArticleResponse, HiddenText, RecordedSource, ResearchErrand, Status, Step, TriageWay, UnknownStep};

/// A decision with the name it carries. When it was made is its entry's time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// The configured name of the editor.
    pub by: String,
    /// The choice.
    pub choice: Choice,
}

/// The choices of an editor at a round's gate and at sign-off. A reason is never empty, but that of a stet may be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[strum(serialize_all = "snake_case")]
pub enum Choice {
    /// A verdict is overruled by the status that counts from now on, with a task for the writer; none with KEEP. The verdict stays in the journal.
    Override { concern: u32, status: Status, fix: Option<String>, reason: String },
    /// Free text that becomes to-dos, one a line.
    Feedback { text: String },
    /// A hand edit of the whole article; it becomes the next iteration's draft.
    Edit { article: ArticleResponse },
    /// The fix of a verdict is made in the text of the whole article. The verdict stays as it was given.
    Applied { concern: u32, article: ArticleResponse },
    /// A finding of the proof, by its number among the round's, may stand. The finding stays in the journal.
    Accept { finding: u32, reason: String },
    /// A verdict goes another way than triage said. With [`TriageWay::Research`] the Reporter is to answer the question.
    Triage { concern: u32, way: TriageWay, question: Option<String> },
    /// The questions of an assignment, as the editor wants them asked: one a line; below a line `Outline`, the points of the article.
    Plan { text: String },
    /// The Reporter is sent again, with a question, before the writer revises.
    Research { question: String },
    /// A text becomes a source of the story.
    AddSource {
        /// Unique among the story's sources.
        name: String,
        text: String,
        /// The hidden text of its file; none of it is in the text.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        hidden: Vec<HiddenText>,
        /// Set if the text was written down from a recording.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        recorded: Option<Box<RecordedSource>>,
    },
    /// A source is a witness no more: the proof, the look-ups and the prompts go without it from now on. Its text stays in the journal.
    RemoveSource { name: String, reason: String },
    /// A source stays in the record and is shown, but nothing rests on it from now on: it is no witness for the proof, the look-ups and the
    /// research. What it says of a claim is shown beside the witnesses, and decides nothing.
    DistrustSource { name: String, reason: String },
    /// A decision on a call of the Reporter that acts: before it, whether it is made; if it is unknown whether it was done, whether it
    /// may be made again. The note is for the Reporter; it may be empty.
    Call { call: Step, allows: bool, note: String },
    /// A note on some words of the draft, or on all of it if there are none. It goes to nobody, and nothing follows from it; the record keeps it.
    Comment { about: String, text: String },
    /// A change from the draft of the round `from` to the one that waits may stand: the added words at a byte of a field, in place of the removed
    /// ones. Either may be empty. Nothing follows from it; the record keeps it.
    AcceptChange { from: u32, field: String, at: usize, removed: String, added: String },
    /// One round more than the run was opened with.
    AnotherRound,
    /// An earlier decision of this gate no longer counts.
    Undo { number: u32 },
    /// The gate is left: a passing round goes to sign-off, any other back to the writer, the last one to its end.
    Continue,
    /// The draft is accepted as it stands; every open concern is overruled.
    Stet { reason: String },
    /// The story is given up.
    Spike { reason: String },
    /// At sign-off: the article is approved.
    SignOff {
        /// The head of the audit log's chain at that moment, hex; empty if the log was empty.
        chain: String,
        /// Whether it is approved as notes: a fact sheet that nobody has made an article of.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        as_notes: bool,
    },
    /// At sign-off: back to the writer, with one to-do a line.
    SendBack { text: String },
}

impl Choice {
    /// The choice in one word, as events, files and the screen name it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Call { allows: true, .. } => "allow",
            Self::Call { allows: false, .. } => "refuse",
            other => other.into(),
        }
    }

    /// Whether it adds a source or takes one away.
    pub fn changes_sources(&self) -> bool {
        matches!(self, Self::AddSource { .. } | Self::RemoveSource { .. } | Self::DistrustSource { .. })
    }

    /// Whether nothing follows from it but the record, so that it can be undone at sign-off too.
    pub fn has_no_consequence(&self) -> bool {
        matches!(self, Self::Accept { .. } | Self::Comment { .. } | Self::AcceptChange { .. })
    }

    /// Whether the gate (or the sign-off) is left with it, so that it cannot be undone.
    pub fn leaves(&self) -> bool {
        matches!(
            self,
            Self::Continue | Self::Stet { .. } | Self::Spike { .. } | Self::SignOff { .. } | Self::SendBack { .. }
        )
    }
}

/// A decision in its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decided<'j> {
    /// The round at whose gate it was made.
    pub round: u32,
    /// Its number within the round, from 1.
    pub number: u32,
    /// When: ISO 8601, UTC.
    pub at: &'j str,
    pub decision: &'j Decision,
    /// Whether a later decision undid it.
    pub undone: bool,
}

/// Who decides gates.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Gates {
    /// The verdicts alone; the run never waits.
    #[default]
    Auto,
    /// An editor: the run waits at each gate and at sign-off.
    Editor,
}

/// The place at which a run waits for its editor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Wait {
    /// With the questions of an assignment, before anything is searched for.
    Plan,
    /// At the gate of a round whose verdicts are all in.
    Gate { round: u32 },
    /// With an article that passed: the draft of a round.
    SignOff { round: u32 },
    /// Before a call that acts, or after one if nobody knows whether it was done.
    Call { errand: ResearchErrand, turn: u32, call: u32 },
}

impl Wait {
    /// The round whose decisions count there; 0 before the first draft.
    pub fn round(self) -> u32 {
        match self {
            Self::Plan | Self::Call { errand: ResearchErrand::Pass(_) | ResearchErrand::Gaps(_), .. } => 0,
            Self::Gate { round }
            | Self::SignOff { round }
            | Self::Call { errand: ResearchErrand::Round(round) | ResearchErrand::Check { round, .. }, .. } => round,
        }
    }

    /// The step of the call that is asked about.
    pub fn call(self) -> Option<Step> {
        match self {
            Self::Call { errand, turn, call } => Some(Step::Tool { errand, turn, call }),
            Self::Plan | Self::Gate { .. } | Self::SignOff { .. } => None,
        }
    }

    /// For a person, such as `your decision, round 1`.
    pub fn in_words(self) -> String {
        match self {
            Self::Plan => "your word on the questions".to_owned(),
            Self::Gate { round } => format!("your decision, round {round}"),
            Self::SignOff { round } => format!("your sign-off, round {round}"),
            Self::Call { errand, turn, call } => {
                format!("your word on a call ({}, turn {turn}, call {call})", errand.in_words())
            }
        }
    }
}

impl fmt::Display for Wait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plan => f.write_str("plan"),
            Self::Gate { round } => write!(f, "r{round}.gate"),
            Self::SignOff { round } => write!(f, "r{round}.sign-off"),
            Self::Call { errand, turn, call } => write!(f, "{errand}.t{turn}.k{call}"),
        }
    }
}

impl FromStr for Wait {
    type Err = UnknownStep;

    fn from_str(name: &str) -> Result<Self, UnknownStep> {
        let sign_off = name.strip_prefix('r').and_then(|rest| rest.strip_suffix(".sign-off"));
        if let Some(round) = sign_off.and_then(|round| round.parse().ok()) {
            return Ok(Self::SignOff { round });
        }
        match name.parse()? {
            Step::Plan => Ok(Self::Plan),
            Step::Gate { round } => Ok(Self::Gate { round }),
            Step::Tool { errand, turn, call } => Ok(Self::Call { errand, turn, call }),
            _ => Err(UnknownStep(name.to_owned())),
        }
    }
}
