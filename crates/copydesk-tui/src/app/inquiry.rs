//! A search and its answer.

use std::sync::Arc;

use crate::app::ticket::Ticket;
use copydesk_core::ports::{Found, RunKey, Stock};
use copydesk_newsroom::{Journal, Passage, StoryKey};

#[derive(Debug, Clone, PartialEq)]
pub struct Inquiry {
    /// Its answers carry it; an answer with another ticket than the latest is stale.
    pub ticket: Ticket,
    pub text: String,
    pub within: Within,
    /// The least credibility, from 0 to 1.
    pub min_credibility: f64,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Within {
    /// In everything that is indexed.
    Everywhere,
    /// The sources of a run.
    Sources { run: RunKey, journal: Arc<Journal> },
    /// The knowledge base.
    Knowledge,
    /// The sources, articles and evidence of all stories.
    Stories,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct SearchAnswer {
    pub found: Found,
    /// How much was searched.
    pub stock: Stock,
    /// Whether a better answer follows, because the embedder has not answered yet.
    pub goes_on: bool,
}

/// A passage whose surroundings the screen asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct WantedPassage {
    pub ticket: Ticket,
    /// The story of its text; `None` for the knowledge base.
    pub story: Option<StoryKey>,
    pub passage: Passage,
}
