//! The skills that the program carries with it.

/// A skill's file below `prompts/`, and its text.
macro_rules! skill {
    ($folder:literal) => {
        (
            concat!("agents/", $folder, "/SKILL.md"),
            include_str!(concat!("../../../prompts/agents/", $folder, "/SKILL.md")),
        )
    };
}

/// All of them.
pub(super) const SHIPPED_SKILLS: [(&str, &str); 22] = [
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
    skill!("publisher/skills/accessibility-checking"),
    skill!("publisher/skills/distribution-formatting"),
    skill!("publisher/skills/format-conversion"),
    skill!("publisher/skills/headline-scoring"),
    skill!("publisher/skills/metadata-generation"),
    skill!("publisher/skills/seo-optimization"),
    skill!("reporter/skills/credibility-evaluation"),
    skill!("reporter/skills/deep-research"),
    skill!("reporter/skills/research-synthesis"),
    skill!("reporter/skills/source-analysis"),
];

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::cli::wiring::skills;

    #[test]
    fn the_shipped_skills_are_those_of_the_repository_and_each_can_be_used() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("prompts/agents");
        let found = skills::find(&folder).unwrap();
        assert_eq!(found.problems, []);
        let mut names: Vec<String> = found.skills.iter().map(|skill| format!("agents/{}", skill.file)).collect();
        names.sort();
        assert_eq!(names, SHIPPED_SKILLS.map(|(name, _)| name));
        let mut opened: Vec<&str> = found.skills.iter().flat_map(|skill| skill.prompts.clone()).collect();
        opened.sort_unstable();
        let one_each =
            ["article_review", "attribution", "evidence_finding", "fact_check", "opinion", "questions", "style_review"];
        assert_eq!(opened, one_each, "docs/reference/skills.md says so");
    }
}
