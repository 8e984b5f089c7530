//! The agents that can have skills, and the prompts that each of them is asked with.

use copydesk_newsroom::ToolUsers;

/// An agent's folder below `prompts/agents`.
#[derive(Debug, PartialEq, Eq)]
pub struct SkilledAgent {
    /// The name of its folder.
    pub folder: &'static str,
    /// Its prompts, by the name of their file: those of `prompts/article_editor`, then those of research and of the Publisher, which
    /// lie in its own folder.
    pub prompts: &'static [&'static str],
}

/// The prompts of research.
const OF_RESEARCH: [&str; 4] = ["plan", "research", "coverage", "triage"];

/// The prompt whose model always has tools.
pub const ON_DEMAND: &str = "research";

/// The tool that opens a skill.
pub const LOAD_SKILL: &str = "load_skill";

/// Whether the model of a prompt has tools, if these agents may call some: then it opens skills by itself.
pub fn has_tools(prompt: &str, users: ToolUsers) -> bool {
    match prompt {
        ON_DEMAND => true,
        "coverage" | "style_review" => users.editor,
        "fact_check" => users.fact_checker,
        _ => false,
    }
}

/// Whether a prompt is one of research.
pub fn is_of_research(prompt: &str) -> bool {
    OF_RESEARCH.contains(&prompt)
}

impl SkilledAgent {
    /// The agent of a folder.
    pub fn of(folder: &str) -> Option<&'static Self> {
        SKILLED_AGENTS.iter().find(|agent| agent.folder == folder)
    }
}

/// All of them. The search for outside evidence has no skill: its prompt leaves the newsroom.
pub static SKILLED_AGENTS: [SkilledAgent; 5] = [
    SkilledAgent { folder: "reporter", prompts: &["plan", "research"] },
    SkilledAgent { folder: "writer", prompts: &["writer", "revision"] },
    SkilledAgent {
        folder: "editor",
        prompts: &["article_review", "concern_mapping", "style_review", "coverage", "triage"],
    },
    SkilledAgent {
        folder: "fact-checker",
        prompts: &["fact_check", "evidence_finding", "opinion", "attribution", "questions"],
    },
    SkilledAgent { folder: "publisher", prompts: &["notes"] },
];
