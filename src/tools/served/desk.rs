//! What the tools of an agent work with.

use std::sync::Arc;

use super::{ServedTool, editor, fact_checker, reporter};
use crate::{
    newsroom::{ArticleResponse, Source},
    ports::{Clock, Passages},
    style::StyleReview,
};

/// The newsroom's house style, spelling and dictionary, held against an article with these sources. It blocks.
pub type StyleCheck = dyn Fn(&ArticleResponse, &[Source]) -> StyleReview + Send + Sync;

/// What tools need of the newsroom.
#[derive(Clone)]
pub struct ServedDesk {
    pub style: Arc<StyleCheck>,
    pub passages: Arc<dyn Passages>,
    pub clock: Arc<dyn Clock>,
    /// The least credibility of what is found, from 0 to 1, and the most passages, unless a caller says otherwise.
    pub min_credibility: f64,
    pub top: usize,
}

impl std::fmt::Debug for ServedDesk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ServedDesk").field("top", &self.top).finish_non_exhaustive()
    }
}

/// An agent whose tools are served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServedAgent {
    Reporter,
    Editor,
    FactChecker,
}

impl ServedAgent {
    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Reporter => "reporter",
            Self::Editor => "editor",
            Self::FactChecker => "fact-checker",
        }
    }

    /// What its tools are for, for the caller's model.
    #[must_use]
    pub fn purpose(self) -> &'static str {
        match self {
            Self::Reporter => {
                "Tools of a newsroom's reporter: judge sources, compare them, search the newsroom's knowledge base."
            }
            Self::Editor => {
                "Tools of a newsroom's editor: check a draft's language, house style, citations and coverage."
            }
            Self::FactChecker => {
                "Tools of a newsroom's fact-checker: check quotations, claims and whole drafts against sources."
            }
        }
    }

    /// Its tools, in a fixed order.
    #[must_use]
    pub fn tools(self) -> Vec<ServedTool> {
        match self {
            Self::Reporter => reporter::tools(),
            Self::Editor => editor::tools(),
            Self::FactChecker => fact_checker::tools(),
        }
    }
}
