//! The files that the program carries with it: prompts, styles, skills, and the files of their agents.

use crate::skills::{AgentProfile, Skill, SkilledAgent};

/// Files below `prompts/`, each with its text.
macro_rules! shipped {
    ($($file:literal,)*) => {
        [$(($file, include_str!(concat!("../../../prompts/", $file)))),*]
    };
}

/// The prompts and styles.
pub(super) const SHIPPED: [(&str, &str); 34] = shipped! {
    "agents/reporter/plan.md",
    "agents/reporter/research.md",
    "agents/editor/coverage.md",
    "agents/editor/triage.md",
    "agents/publisher/notes.md",
    "article_editor/writer.md",
    "article_editor/revision.md",
    "article_editor/article_review.md",
    "article_editor/concern_mapping.md",
    "article_editor/specialists/fact_check.md",
    "article_editor/specialists/evidence_finding.md",
    "article_editor/specialists/evidence_search.md",
    "article_editor/specialists/questions.md",
    "article_editor/specialists/second_opinion.md",
    "article_editor/specialists/opinion.md",
    "article_editor/specialists/attribution.md",
    "article_editor/specialists/style_review.md",
    "article_editor/draft_plan.md",
    "article_editor/draft_section.md",
    "article_editor/draft_mend.md",
    "article_editor/ask.md",
    "article_editor/draft_heads.md",
    "article_editor/draft_revise.md",
    "article_editor/writer.short.md",
    "article_editor/revision.short.md",
    "article_editor/article_review.short.md",
    "article_editor/concern_mapping.short.md",
    "article_editor/specialists/fact_check.short.md",
    "article_editor/specialists/evidence_finding.short.md",
    "article_editor/specialists/opinion.short.md",
    "article_editor/specialists/attribution.short.md",
    "article_editor/specialists/style_review.short.md",
    "styles/NATURE_NEWS.md",
    "styles/SCIAM_MAGAZINE.md",
};

/// Each agent's own file.
pub(super) const SHIPPED_PROFILES: [(&str, &str); 4] = shipped! {
    "agents/editor/AGENTS.md",
    "agents/fact-checker/AGENTS.md",
    "agents/publisher/AGENTS.md",
    "agents/reporter/AGENTS.md",
};

/// All skills.
pub(super) const SHIPPED_SKILLS: [(&str, &str); 16] = shipped! {
    "agents/editor/skills/fact-identification/SKILL.md",
    "agents/editor/skills/gap-analysis/SKILL.md",
    "agents/editor/skills/grammar-checking/SKILL.md",
    "agents/editor/skills/listener-aware-message-construction/SKILL.md",
    "agents/editor/skills/readability-scoring/SKILL.md",
    "agents/editor/skills/style-consistency/SKILL.md",
    "agents/fact-checker/skills/actionable-feedback-generation/SKILL.md",
    "agents/fact-checker/skills/claim-extraction/SKILL.md",
    "agents/fact-checker/skills/contradiction-detection/SKILL.md",
    "agents/fact-checker/skills/credibility-scoring/SKILL.md",
    "agents/fact-checker/skills/cross-reference-verification/SKILL.md",
    "agents/fact-checker/skills/evidence-search/SKILL.md",
    "agents/reporter/skills/credibility-evaluation/SKILL.md",
    "agents/reporter/skills/deep-research/SKILL.md",
    "agents/reporter/skills/research-synthesis/SKILL.md",
    "agents/reporter/skills/source-analysis/SKILL.md",
};

/// All skills, read.
pub fn shipped_skills() -> Vec<Skill> {
    let read = |(file, text): &(&str, &str)| {
        let mut parts = file.split('/').skip(1);
        let (agent, name) = (SkilledAgent::of(parts.next()?)?, parts.nth(1)?);
        Skill::read(agent, name, file, text).ok()
    };
    SHIPPED_SKILLS.iter().filter_map(read).collect()
}

/// Each agent's own file, read.
pub fn shipped_profiles() -> Vec<AgentProfile> {
    let read = |(file, text): &(&str, &str)| {
        let agent = SkilledAgent::of(file.split('/').nth(1)?)?;
        AgentProfile::read(agent, file, text).ok()
    };
    SHIPPED_PROFILES.iter().filter_map(read).collect()
}

/// The text of a delivered prompt by its name, such as `fact_check`; none if there is no such prompt.
pub fn shipped_prompt(name: &str) -> Option<&'static str> {
    let file = format!("/{name}.md");
    SHIPPED.iter().find(|(path, _)| path.ends_with(&file)).map(|(_, text)| *text)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::{cli::wiring::skills, newsroom::ToolUsers};

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
        assert_eq!((shipped_skills().len(), shipped_profiles().len()), (SHIPPED_SKILLS.len(), SHIPPED_PROFILES.len()));
        let mut opened: Vec<&str> = found.skills.iter().flat_map(|skill| skill.prompts.clone()).collect();
        opened.sort_unstable();
        let one_each = [
            "article_review",
            "attribution",
            "coverage",
            "evidence_finding",
            "fact_check",
            "opinion",
            "questions",
            "style_review",
            "triage",
        ];
        assert_eq!(opened, one_each, "docs/reference/skills.md says so");
        // Every skill stands in a prompt, or its agent can open it.
        let taught = skills::Taught { skills: found.skills, profiles: found.profiles };
        let users = ToolUsers { editor: true, fact_checker: true };
        let opens: Vec<&str> = taught.on_demand(users).map(|(_, skill)| &*skill.name).collect();
        assert!(taught.skills.iter().all(|skill| opens.contains(&&*skill.name)), "{opens:?}");
        assert!(
            taught
                .profiles
                .iter()
                .filter(|profile| profile.agent.folder != "publisher")
                .all(|own| own.admits("load_skill"))
        );
    }
}
