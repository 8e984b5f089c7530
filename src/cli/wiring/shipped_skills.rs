//! The skills that the program carries with it, and the files of their agents.

use crate::skills::{Skill, SkilledAgent};

/// A skill's file below `prompts/`, and its text.
macro_rules! skill {
    ($folder:literal) => {
        (
            concat!("agents/", $folder, "/SKILL.md"),
            include_str!(concat!("../../../prompts/agents/", $folder, "/SKILL.md")),
        )
    };
}

/// Each agent's own file.
pub(super) const SHIPPED_PROFILES: [(&str, &str); 4] = [
    ("agents/editor/AGENTS.md", include_str!("../../../prompts/agents/editor/AGENTS.md")),
    ("agents/fact-checker/AGENTS.md", include_str!("../../../prompts/agents/fact-checker/AGENTS.md")),
    ("agents/publisher/AGENTS.md", include_str!("../../../prompts/agents/publisher/AGENTS.md")),
    ("agents/reporter/AGENTS.md", include_str!("../../../prompts/agents/reporter/AGENTS.md")),
];

/// All of them.
pub(super) const SHIPPED_SKILLS: [(&str, &str); 16] = [
    skill!("editor/skills/fact-identification"),
    skill!("editor/skills/gap-analysis"),
    skill!("editor/skills/grammar-checking"),
    skill!("editor/skills/listener-aware-message-construction"),
    skill!("editor/skills/readability-scoring"),
    skill!("editor/skills/style-consistency"),
    skill!("fact-checker/skills/actionable-feedback-generation"),
    skill!("fact-checker/skills/claim-extraction"),
    skill!("fact-checker/skills/contradiction-detection"),
    skill!("fact-checker/skills/credibility-scoring"),
    skill!("fact-checker/skills/cross-reference-verification"),
    skill!("fact-checker/skills/evidence-search"),
    skill!("reporter/skills/credibility-evaluation"),
    skill!("reporter/skills/deep-research"),
    skill!("reporter/skills/research-synthesis"),
    skill!("reporter/skills/source-analysis"),
];

/// All of them, read.
#[must_use]
pub fn shipped_skills() -> Vec<Skill> {
    let read = |(file, text): &(&str, &str)| {
        let mut parts = file.split('/').skip(1);
        let (agent, name) = (SkilledAgent::of(parts.next()?)?, parts.nth(1)?);
        Skill::read(agent, name, file, text).ok()
    };
    SHIPPED_SKILLS.iter().filter_map(read).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::cli::wiring::skills;

    #[test]
    fn the_shipped_skills_are_those_of_the_repository_and_each_can_be_used() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("prompts/agents");
        let found = skills::find(&folder).unwrap();
        assert_eq!((&found.problems, &found.profile_problems), (&vec![], &vec![]));
        let profiles: Vec<String> = found.profiles.iter().map(|profile| format!("agents/{}", profile.file)).collect();
        assert_eq!(profiles, SHIPPED_PROFILES.map(|(name, _)| name));
        let mut names: Vec<String> = found.skills.iter().map(|skill| format!("agents/{}", skill.file)).collect();
        names.sort();
        assert_eq!(names, SHIPPED_SKILLS.map(|(name, _)| name));
        assert_eq!(shipped_skills().len(), SHIPPED_SKILLS.len());
        let mut opened: Vec<&str> = found.skills.iter().flat_map(|skill| skill.prompts.clone()).collect();
        opened.sort_unstable();
        let one_each =
            ["article_review", "attribution", "evidence_finding", "fact_check", "opinion", "questions", "style_review"];
        assert_eq!(opened, one_each, "docs/reference/skills.md says so");
    }
}
