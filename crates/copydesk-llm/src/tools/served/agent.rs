//! The agents whose tools are served.

use super::{ServedTool, editor, fact_checker, publisher, reporter};

/// An agent whose tools are served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServedAgent {
    Reporter,
    Editor,
    FactChecker,
    Publisher,
}

impl ServedAgent {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reporter => "reporter",
            Self::Editor => "editor",
            Self::FactChecker => "fact-checker",
            Self::Publisher => "publisher",
        }
    }

    /// The purpose of its tools, for the caller's model.
    pub fn purpose(self) -> &'static str {
        match self {
            Self::Reporter => {
                "Tools of a newsroom's reporter: open pages, read feeds, search the web and the newsroom's knowledge base, judge sources and compare them."
            }
            Self::Editor => {
                "Tools of a newsroom's editor: check a draft's language, house style, citations and coverage."
            }
            Self::FactChecker => {
                "Tools of a newsroom's fact-checker: check quotations, claims and whole drafts against sources."
            }
            Self::Publisher => {
                "Tools of a newsroom's publisher: score headlines, check an article for search and accessibility, describe it, write it in other formats."
            }
        }
    }

    /// Its tools, in a fixed order.
    pub fn tools(self) -> Vec<ServedTool> {
        match self {
            Self::Reporter => reporter::tools(),
            Self::Editor => editor::tools(),
            Self::FactChecker => fact_checker::tools(),
            Self::Publisher => publisher::tools(),
        }
    }
}
