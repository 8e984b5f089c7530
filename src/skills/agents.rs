//! The agents that can have skills, and the prompts that each of them is asked with.

/// An agent's folder below `prompts/agents`.
#[derive(Debug, PartialEq, Eq)]
pub struct SkilledAgent {
    /// The name of its folder.
    pub folder: &'static str,
    /// The files of `prompts/article_editor` that are its prompts, by name; empty if no step of a story asks it.
    pub prompts: &'static [&'static str],
}

impl SkilledAgent {
    /// The agent of a folder.
    #[must_use]
    pub fn of(folder: &str) -> Option<&'static Self> {
        SKILLED_AGENTS.iter().find(|agent| agent.folder == folder)
    }
}

/// All of them. The search for outside evidence has no skill: its prompt leaves the newsroom.
pub static SKILLED_AGENTS: [SkilledAgent; 5] = [
    SkilledAgent { folder: "reporter", prompts: &[] },
    SkilledAgent { folder: "writer", prompts: &["writer", "revision"] },
    SkilledAgent { folder: "editor", prompts: &["article_review", "concern_mapping", "style_review"] },
    SkilledAgent {
        folder: "fact-checker",
        prompts: &["fact_check", "evidence_finding", "opinion", "attribution", "questions"],
    },
    SkilledAgent { folder: "publisher", prompts: &[] },
];
