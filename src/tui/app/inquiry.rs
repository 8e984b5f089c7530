//! What is searched for, and how the index stands.

use std::sync::Arc;

use crate::newsroom::{Journal, Passage, StoryKey};
use crate::ports::{Found, RunKey, Stock};
use crate::tui::app::ticket::Ticket;

/// What is searched for.
#[derive(Debug, Clone, PartialEq)]
pub struct Inquiry {
    /// By which its answers are known: one that is not the last inquiry's is stale.
    pub ticket: Ticket,
    /// Any text.
    pub text: String,
    /// Where is searched.
    pub within: Within,
    /// The least credibility, from 0 to 1.
    pub min_credibility: f64,
}

/// Where is searched.
#[derive(Debug, Clone, PartialEq)]
pub enum Within {
    /// In all that is indexed.
    Everywhere,
    /// In the sources of a run.
    Sources {
        /// The run.
        run: RunKey,
        /// Its journal.
        journal: Arc<Journal>,
    },
    /// In the knowledge base.
    Knowledge,
    /// In the sources, articles and evidence of all stories.
    Stories,
}

/// What a search has brought.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Answer {
    /// What was found.
    pub found: Found,
    /// What there was to be searched.
    pub stock: Stock,
    /// Whether more is to come: the embedder has not answered yet.
    pub goes_on: bool,
}

/// A passage whose surroundings are wanted.
#[derive(Debug, Clone, PartialEq)]
pub struct Wanted {
    /// By which the answer is known.
    pub ticket: Ticket,
    /// The story whose text it is of; none for the knowledge base.
    pub story: Option<StoryKey>,
    /// The passage.
    pub passage: Passage,
}

/// How the work on the index stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Shelving {
    /// Nothing is being done.
    #[default]
    Rests,
    /// Files of the knowledge base are being read: done, in all.
    Files(usize, usize),
    /// Vectors are being made: passages done, in all.
    Vectors(usize, usize),
}
