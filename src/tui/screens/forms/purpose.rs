//! What a form is for.

use std::sync::Arc;

use crate::desk::FailedStep;
use crate::editorial::choices::GateSeen;
use crate::newsroom::{ArticleResponse, StoryKey};
use crate::ports::RunKey;
use crate::tui::screens::settings::model::Asked;

/// The gate or sign-off that a decision is for. If the story moves on, the form decides nothing elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct At {
    pub run: RunKey,
    pub story: StoryKey,
    /// What the editor saw when the form was opened: the wait, and the number of decisions.
    pub seen: GateSeen,
}

impl At {
    #[must_use]
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
    Edit {
        before: Box<ArticleResponse>,
    },
    Stet,
    Spike,
    SendBack,
    RemoveSource {
        name: String,
    },
    Research,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Purpose {
    Decide(At, Decides),
    /// The file is read first.
    AddSource(At),
    NewFromText,
    SaveArticle {
        /// The article that was shown when the form was opened.
        text: Arc<str>,
    },
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
}
