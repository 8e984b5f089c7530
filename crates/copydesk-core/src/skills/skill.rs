//! One skill: read from its `SKILL.md`, or refused with every problem of it.

use super::{
    agents::SkilledAgent,
    front_matter::{FrontForm, LARGEST_SKILL, SkillFields},
    problem::SkillProblem,
};
use copydesk_text::sanitise;

/// The fields that the specification allows.
const FORM: FrontForm = FrontForm {
    of: "a skill",
    fields: &["name", "description", "license", "compatibility", "metadata", "allowed-tools"],
    others: ". Others belong below metadata",
};

/// Most characters of a name.
pub(super) const LONGEST_NAME: usize = 64;

/// Most characters of a description.
pub(super) const LONGEST_DESCRIPTION: usize = 1_024;

/// Most characters of `compatibility`.
const LONGEST_COMPATIBILITY: usize = 500;

/// The entry of `metadata` that names the prompts.
const PROMPTS: &str = "prompts";

/// A skill of an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skill {
    /// Whose it is.
    pub agent: &'static SkilledAgent,
    /// The name of its folder.
    pub name: String,
    /// The skill that it teaches and when to use it, in one line.
    pub description: String,
    /// The prompts that get its body (`metadata.prompts`); a subset of the agent's.
    pub prompts: Vec<&'static str>,
    /// The text below the front matter.
    pub body: String,
    /// The file, as a person knows it.
    pub file: String,
}

impl Skill {
    /// Reads the `SKILL.md` of an agent's folder `name`. `file` is its name in problems.
    ///
    /// # Errors
    /// Every problem of the file, in the order of its lines.
    pub fn read(agent: &'static SkilledAgent, name: &str, file: &str, text: &str) -> Result<Self, Vec<SkillProblem>> {
        SkillFields::bounded(file, text, ": move what is seldom needed to another skill")?;
        let mut front = SkillFields::read(file, text, &FORM).map_err(|problem| vec![problem])?;
        check_name(&mut front, name);
        let described = front.required("description", LONGEST_DESCRIPTION, "what it teaches, and when to use it");
        front.text("license", 1, LARGEST_SKILL);
        front.text("compatibility", 1, LONGEST_COMPATIBILITY);
        front.text("allowed-tools", 0, LARGEST_SKILL);
        let prompts = prompts(&mut front, agent);
        let (description, body) = front.finish(described, "what the agent must know")?;
        Ok(Self { agent, name: name.to_owned(), description, prompts, body, file: file.to_owned() })
    }
}

fn check_name(front: &mut SkillFields<'_>, folder: &str) {
    let Some((line, name)) = front.required("name", LONGEST_NAME, folder) else { return };
    let letters = |part: &str| {
        !part.is_empty() && part.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit())
    };
    if !name.split('-').all(letters) {
        let message =
            format!("the name {name:?} may have lower-case letters and digits, joined by single hyphens: rename it");
        front.wrong(line, message);
    } else if name != folder {
        let message =
            format!("the name is {name}, but the folder is {}: make them the same", sanitise::visible(folder));
        front.wrong(line, message);
    }
}

/// The prompts that `metadata.prompts` names, separated by spaces or commas.
fn prompts(front: &mut SkillFields<'_>, agent: &'static SkilledAgent) -> Vec<&'static str> {
    let entries = front.metadata();
    let Some((_, line, names)) = entries.into_iter().find(|(name, ..)| name == PROMPTS) else { return Vec::new() };
    let mut prompts: Vec<&'static str> = Vec::new();
    for name in names.split([',', ' ', '\n', '\t']).filter(|name| !name.is_empty()) {
        match agent.prompts.iter().find(|known| **known == name) {
            Some(known) if prompts.contains(known) => {}
            Some(known) => prompts.push(known),
            None => {
                let (name, known) = (sanitise::visible(name), agent.prompts.join(", "));
                let known = format!("its prompts are {known}");
                front.wrong(line, format!("{name} is no prompt of the agent {}; {known}", agent.folder));
            }
        }
    }
    prompts
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "---\nname: gap-analysis\ndescription: >\n  Finds what is missing.\n  Use it always.\nlicense: Apache-2.0\n\
                        metadata:\n  author: 7\n  prompts: article_review, style_review article_review\n\
                        allowed-tools: search_web\n---\n\n# Gaps\n\nLook.\n";

    fn read(text: &str) -> Result<Skill, Vec<String>> {
        let editor = SkilledAgent::of("editor").unwrap();
        Skill::read(editor, "gap-analysis", "editor/SKILL.md", text)
            .map_err(|problems| problems.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn a_skill_has_a_description_in_one_line_its_prompts_and_its_body() {
        let skill = Skill {
            agent: SkilledAgent::of("editor").unwrap(),
            name: "gap-analysis".into(),
            description: "Finds what is missing. Use it always.".into(),
            prompts: vec!["article_review", "style_review"],
            body: "# Gaps\n\nLook.".into(),
            file: "editor/SKILL.md".into(),
        };
        assert_eq!(read(GOOD).unwrap(), skill);
        let windows = format!("\u{FEFF}{}", GOOD.replace('\n', "\r\n"));
        assert_eq!(read(&windows).unwrap(), skill);
    }

    #[test]
    fn without_prompts_no_step_gets_its_body() {
        for metadata in ["metadata:\n", "metadata:\n  author: x\n", ""] {
            let text = format!("---\nname: gap-analysis\ndescription: d\n{metadata}---\nx\n");
            assert_eq!(read(&text).unwrap().prompts, [""; 0], "{metadata}");
        }
    }

    #[test]
    fn every_problem_has_its_line_and_what_to_do() {
        let long = |length: usize| "x".repeat(length);
        for (from, to, says) in [
            (
                "name: gap-analysis\n",
                String::new(),
                "editor/SKILL.md:1: name is missing; add a line `name: gap-analysis`",
            ),
            (
                "name: gap-analysis",
                "name: gaps".into(),
                "editor/SKILL.md:2: the name is gaps, but the folder is gap-analysis: make them the same",
            ),
            (
                "name: gap-analysis",
                "name: Gap-analysis".into(),
                "editor/SKILL.md:2: the name \"Gap-analysis\" may have lower-case letters and digits, joined by single hyphens: rename it",
            ),
            (
                "name: gap-analysis",
                "name: gap--analysis".into(),
                "editor/SKILL.md:2: the name \"gap--analysis\" may have",
            ),
            ("name: gap-analysis", "name: -gap".into(), "editor/SKILL.md:2: the name \"-gap\" may have"),
            ("name: gap-analysis", "name: ../gap".into(), "editor/SKILL.md:2: the name \"../gap\" may have"),
            ("name: gap-analysis", "name:".into(), "editor/SKILL.md:2: name is empty; write it, or delete the field"),
            (
                "name: gap-analysis",
                format!("name: {}", long(65)),
                "editor/SKILL.md:2: name has 65 characters; at most 64 are allowed: shorten it",
            ),
            ("name: gap-analysis", "name: [gap]".into(), "editor/SKILL.md:2: name is no text; write it in one line"),
            (
                "description: >\n  Finds what is missing.\n  Use it always.\n",
                String::new(),
                "editor/SKILL.md:1: description is missing; add a line `description: what",
            ),
            (
                "description: >\n  Finds what is missing.\n  Use it always.\n",
                "description: ''\n".into(),
                "editor/SKILL.md:3: description is empty",
            ),
            (
                "description: >\n  Finds what is missing.\n  Use it always.\n",
                format!("description: {}\n", long(1025)),
                "editor/SKILL.md:3: description has 1025 characters; at most 1024",
            ),
            ("license: Apache-2.0", "license: ~".into(), "editor/SKILL.md:6: license is empty"),
            (
                "license: Apache-2.0",
                format!("compatibility: {}", long(501)),
                "editor/SKILL.md:6: compatibility has 501 characters; at most 500",
            ),
            (
                "license: Apache-2.0",
                "version: 1".into(),
                "editor/SKILL.md:6: version is no field of a skill; they are name, description, license, compatibility, metadata, allowed-tools. Others belong below metadata",
            ),
            (
                "license: Apache-2.0",
                "name: gap-analysis".into(),
                "editor/SKILL.md:6: the front matter is the key name a second time; lines such as",
            ),
            ("license: Apache-2.0", "\tlicense: [".into(), "editor/SKILL.md:6: the front matter is no YAML: "),
            ("search_web", "[search_web]".into(), "editor/SKILL.md:10: allowed-tools is no text"),
            (
                "  author: 7",
                "  author: [7]".into(),
                "editor/SKILL.md:8: metadata.author is no text; lines such as `  author: The desk` belong below metadata",
            ),
            (
                "metadata:\n  author: 7\n  prompts: article_review, style_review article_review\n",
                "metadata: all\n".into(),
                "editor/SKILL.md:7: metadata is no list of names and texts",
            ),
            (
                "article_review, ",
                "article_review, fact_check ".into(),
                "editor/SKILL.md:9: fact_check is no prompt of the agent editor; its prompts are article_review, concern_mapping, style_review, coverage, triage",
            ),
            (
                "\n# Gaps\n\nLook.\n",
                "\n \n".into(),
                "editor/SKILL.md:12: there is no text below the front matter; write there",
            ),
            ("---\nname", "name".into(), "editor/SKILL.md:1: the front matter is missing: the first line is ---"),
            ("---\n\n# Gaps", "\n\n# Gaps".into(), "editor/SKILL.md:1: the front matter has no end: put a line ---"),
            ("# Gaps", long(LARGEST_SKILL), "editor/SKILL.md: it has 2"),
        ] {
            assert!(GOOD.contains(from), "{from}");
            let said = read(&GOOD.replacen(from, &to, 1)).unwrap_err();
            assert_eq!(said.len(), 1, "{says}: {said:?}");
            assert!(said[0].starts_with(says), "{said:?} has not {says}");
        }
    }

    #[test]
    fn all_problems_of_a_file_come_at_once_and_texts_that_are_no_skill_are_refused() {
        let said = read("---\nversion: 1\nname: x\nlicense:\n---\n").unwrap_err();
        let lines: Vec<&str> = said.iter().filter_map(|said| said.split(':').nth(1)).collect();
        assert_eq!(lines, ["1", "2", "3", "4", "6"], "{said:?}");
        for text in ["", "---", "---\n---\nx\n", "---\n- a\n---\nx\n", "---\nalone\n---\nx\n", "a\u{0}b"] {
            assert_eq!(read(text).unwrap_err().len(), 1, "{text:?}");
        }
    }

    #[test]
    fn an_agent_has_its_own_prompts_alone() {
        let text = "---\nname: s\ndescription: d\nmetadata:\n  prompts: writer\n---\nx\n";
        let said = Skill::read(SkilledAgent::of("publisher").unwrap(), "s", "f", text).unwrap_err();
        let says = "f:5: writer is no prompt of the agent publisher; its prompts are notes";
        assert_eq!(said.iter().map(ToString::to_string).collect::<Vec<_>>(), [says]);
        assert_eq!(SkilledAgent::of("Editor"), None);
    }
}
