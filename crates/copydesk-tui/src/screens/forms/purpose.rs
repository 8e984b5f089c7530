//! The purpose of a form.

use strum::VariantArray;

use crate::screens::settings::model::Asked;
use copydesk_core::desk::FailedStep;
use copydesk_core::editorial::{choices::GateSeen, export::Imprint};
use copydesk_core::ports::RunKey;
use copydesk_newsroom::{ArticleResponse, StoryKey};

/// The gate or sign-off that a decision is for. If the story moves on, the form decides nothing elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecisionPoint {
    pub run: RunKey,
    pub story: StoryKey,
    /// The state that the editor saw when the form was opened: the wait, and how many decisions there were.
    pub seen: GateSeen,
}

impl DecisionPoint {
    pub fn round(&self) -> u32 {
        self.seen.at.round()
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum Decides {
    Overrule {
        concern: u32,
    },
    Accept {
        /// Its number among the round's findings.
        finding: u32,
        /// The concern whose open verdict is overruled with it.
        concern: Option<u32>,
    },
    Feedback,
    /// The questions of an assignment.
    Plan,
    Edit {
        before: Box<ArticleResponse>,
    },
    Stet,
    Spike,
    SendBack,
    RemoveSource {
        name: String,
    },
    DistrustSource {
        name: String,
    },
    Research,
    Comment {
        /// The words that it is on; empty if on the whole draft.
        about: String,
    },
}

/// The action on the words that are found in a draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq, VariantArray)]
pub enum FindWay {
    Find,
    Replace,
    ReplaceAll,
}

impl FindWay {
    pub fn words(self) -> &'static str {
        match self {
            Self::Find => "find the next",
            Self::Replace => "replace one",
            Self::ReplaceAll => "replace all",
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum Purpose {
    Decide(DecisionPoint, Decides),
    /// The file is read first.
    AddSource(DecisionPoint),
    NewFromText,
    NewFromQuestion,
    /// The article that was shown when the form was opened.
    SaveArticle(Box<(ArticleResponse, Imprint)>),
    Backup,
    /// The slug must be typed.
    Delete {
        story: StoryKey,
    },
    StrikeRecord {
        cache_key_hash: String,
    },
    DropFailedStep {
        failed: Box<FailedStep>,
    },
    AcceptFlags {
        run: RunKey,
        story: StoryKey,
    },
    Search,
    /// In the draft that is typed below.
    FindReplace,
    /// The settings, or the first ones.
    Settings(Box<Asked>),
    ChooseDrafts {
        /// The latest draft.
        last: u32,
    },
    Deadline {
        story: StoryKey,
    },
    AssignEditor {
        story: StoryKey,
    },
    AskForReply {
        run: RunKey,
        story: StoryKey,
    },
    NoteReply {
        run: RunKey,
        story: StoryKey,
    },
    Correct {
        run: RunKey,
        story: StoryKey,
    },
    Withdraw {
        run: RunKey,
        story: StoryKey,
    },
    Embargo {
        run: RunKey,
        story: StoryKey,
    },
}
