//! What a form is for: a decision at the gate where it was opened, or something else that is asked for in writing.

use std::sync::Arc;

use crate::desk::DeadLetter;
use crate::editorial::choices::GateSeen;
use crate::newsroom::{ArticleResponse, StoryKey};
use crate::ports::RunKey;

/// The gate or sign-off that a decision is for. A form that stays open while the story goes on decides nothing elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct At {
    /// The run.
    pub run: RunKey,
    /// The story.
    pub story: StoryKey,
    /// What there was to see there when the form was opened: where the story waited, and how much was decided.
    pub seen: GateSeen,
}

impl At {
    /// The round whose gate it is.
    #[must_use]
    pub fn round(&self) -> u32 {
        self.seen.at.round()
    }
}

/// What a form decides.
#[derive(Debug, Clone, PartialEq)]
pub enum Decides {
    /// Overruling the verdict on a concern.
    Override {
        /// The concern.
        concern: u32,
    },
    /// Letting a finding of the proof stand.
    Accept {
        /// Its number among the round's findings.
        finding: u32,
        /// The concern whose open verdict is overruled with it.
        concern: Option<u32>,
    },
    /// To-dos for the writer.
    Feedback,
    /// A hand edit of a draft.
    Edit {
        /// The draft as it was.
        before: Box<ArticleResponse>,
    },
    /// Accepting a draft as it stands.
    Stet,
    /// Giving a story up.
    Spike,
    /// Sending an article back from sign-off.
    SendBack,
}

/// What a form is for.
#[derive(Debug, Clone, PartialEq)]
pub enum Purpose {
    /// A decision on a story that waits.
    Decide(At, Decides),
    /// A story from files.
    NewFromFile,
    /// A story from pasted or typed text.
    NewFromText,
    /// Where to write an article.
    SaveArticle {
        /// The file's text: the article that was shown when it was asked for.
        text: Arc<str>,
    },
    /// Where to write a copy of the whole desk.
    Backup,
    /// Deleting a story wholly; its slug must be typed.
    Delete {
        /// The story.
        story: StoryKey,
    },
    /// Striking a record out of the memory.
    StrikeRecord {
        /// Its key.
        cache_key_hash: String,
    },
    /// Dropping a dead letter.
    DropLetter {
        /// The letter.
        letter: Box<DeadLetter>,
    },
    /// Letting the flags of a run stand.
    LetStand {
        /// The run.
        run: RunKey,
        /// Its story.
        story: StoryKey,
    },
    /// A word to search for in the text that is shown.
    Search,
    /// Which two drafts to compare.
    ChooseDrafts {
        /// The latest draft.
        last: u32,
    },
}
