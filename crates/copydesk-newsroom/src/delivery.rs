//! Everything that leaves the house: deliveries of a signed version to a target, corrections, withdrawals, and the line about artificial
//! intelligence.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

/// What kind of place a target is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, IntoStaticStr, EnumString)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum TargetKind {
    Folder,
    Email,
    Webhook,
    /// A tool of an MCP server.
    Mcp,
    /// A bucket of an object store.
    Bucket,
}

named!(TargetKind);

impl TargetKind {
    /// Whether sending twice does no harm. A file in a folder or a bucket is written over by itself, and a webhook tells a second request by
    /// its key. An e-mail cannot be taken back, and a tool may do anything.
    pub fn may_repeat(self) -> bool {
        matches!(self, Self::Folder | Self::Webhook | Self::Bucket)
    }
}

/// How far a delivery has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, IntoStaticStr, EnumString)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum DeliveryState {
    /// It is in the outbox; nobody has sent it yet.
    Waiting,
    /// It is being sent, or the program ended before it heard an answer.
    Sending,
    /// The target has it.
    Sent,
    /// The target surely does not have it.
    Failed,
    /// Nobody knows whether the target has it.
    Unknown,
}

named!(DeliveryState);

/// One version of a story and one target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StoryDelivery {
    /// Known before it is sent, and the same for every attempt: the story, its version and the target, by digest.
    pub key: String,
    /// The target's name in the configuration.
    pub target: String,
    pub kind: TargetKind,
    /// Where that is: a folder, addresses, a server.
    pub place: String,
    /// The version of the article: SHA-256 of its text, hex.
    pub version: String,
    /// SHA-256 of the file as it was sent last, hex; none before.
    pub digest: Option<String>,
    pub state: DeliveryState,
    /// How often it was sent, or begun to be.
    pub attempts: u32,
    /// The last answer, or the error.
    pub answer: Option<String>,
    /// Who wanted it.
    pub by: String,
}

impl StoryDelivery {
    /// Whether the target has it, or may have it.
    pub fn may_be_there(&self) -> bool {
        matches!(self.state, DeliveryState::Sent | DeliveryState::Sending | DeliveryState::Unknown)
    }

    /// How it stands, in a sentence.
    pub fn line(&self) -> String {
        let Self { target, place, .. } = self;
        let why = self.answer.as_ref().map_or_else(String::new, |answer| format!(": {answer}"));
        match self.state {
            DeliveryState::Waiting => format!("In the outbox for {target} ({place})"),
            DeliveryState::Sending => format!("Being sent to {target} ({place})"),
            DeliveryState::Sent => format!("Sent to {target} ({place}){why}"),
            DeliveryState::Failed => format!("Not sent to {target} ({place}){why}"),
            DeliveryState::Unknown => format!("It is not known whether {target} ({place}) has it{why}"),
        }
    }
}

/// A correction of a version that was signed off. A story has one for each time that it was corrected, oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Correction {
    /// The note for readers; one line, never empty.
    pub note: String,
    /// Who corrects.
    pub by: String,
    /// When that was begun: ISO 8601, UTC.
    pub at: String,
    pub corrects: CorrectedVersion,
}

/// The version that a correction replaces.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CorrectedVersion {
    /// Its run's id.
    pub run: String,
    /// Its number, from 1, as other systems count versions. A notice that withdrew it has its own number.
    pub number: u32,
    /// SHA-256 of its article, hex.
    pub article: String,
    /// Who signed it off; none if it went out without a signature.
    pub signed_by: Option<String>,
    /// When its run was opened: ISO 8601, UTC.
    pub opened_at: String,
    /// When it was finished: ISO 8601, UTC.
    pub at: String,
}

/// When a version was withdrawn, by whom, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoryWithdrawal {
    /// ISO 8601, UTC.
    pub at: String,
    /// The editor.
    pub by: String,
    /// The reason that recipients of the version are given; one line, never empty.
    pub reason: String,
    /// The number of the notice among the versions of its story. The store gives it.
    #[serde(default)]
    pub number: u32,
}

/// The statement in an exported article.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Disclosure {
    /// Nothing.
    #[default]
    None,
    /// That a model helped to make it.
    AiAssisted,
    /// That a model wrote it.
    AiGenerated,
}

/// How an exported article names its sources to readers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum CitationStyle {
    /// Not in the text.
    #[default]
    None,
    /// As footnotes.
    Notes,
    /// As numbers in the text, with a list at its end.
    Inline,
}

named!(CitationStyle);

named!(Disclosure);

impl Disclosure {
    pub const ALL: [Self; 3] = [Self::None, Self::AiAssisted, Self::AiGenerated];

    pub fn is_none(&self) -> bool {
        *self == Self::None
    }
}
