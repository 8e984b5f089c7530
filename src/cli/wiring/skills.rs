//! Reads what teaches agents: `agents` beside the prompts, in it a folder for each agent with its `AGENTS.md`, and in its `skills` a folder for
//! each skill.

use std::{
    fs::{self, File},
    io::{self, Read as _},
};

use anyhow::{anyhow, ensure};

use crate::agents::{Windows, skill_problems};
use crate::cli::prelude::*;
use crate::cli::wiring::files;
use crate::newsroom::{Agent, Specialist, ToolUsers};
use crate::skills::{AgentProfile, LARGEST_SKILL, SKILLED_AGENTS, Skill, SkillProblem, SkilledAgent};

/// Most skills of an agent: their names and descriptions are some 5,000 tokens.
const MOST: usize = 50;

/// The agents that can call tools: the folder of each, its name, and itself.
pub(crate) const CALLERS: [(&str, &str, Agent); 3] = [
    ("reporter", "Reporter", Agent::Reporter),
    ("editor", "Editor", Agent::Editor),
    ("fact-checker", "Fact-Checker", Agent::Specialist(Specialist::FactCheck)),
];

/// The contents of the folder of agents.
#[derive(Debug, Default)]
pub(crate) struct FoundSkills {
    /// Those that can be used, by agent and name.
    pub(crate) skills: Vec<Skill>,
    pub(crate) problems: Vec<SkillProblem>,
    /// The usable parts of the agents' own files.
    pub(crate) profiles: Vec<AgentProfile>,
    pub(crate) profile_problems: Vec<SkillProblem>,
}

/// The skills and profiles of agents in a run.
#[derive(Debug, Default)]
pub(crate) struct Taught {
    /// Empty if skills are off.
    pub(crate) skills: Vec<Skill>,
    pub(crate) profiles: Vec<AgentProfile>,
}

impl Taught {
    /// The skills that a model may open by a call, each with an agent that has tools.
    pub(crate) fn on_demand(&self, users: ToolUsers) -> impl Iterator<Item = (Agent, &Skill)> {
        let openers = move |skill: &Skill| -> &[Agent] {
            match skill.agent.folder {
                "reporter" => &[Agent::Reporter],
                "editor" if users.editor => &[Agent::Editor, Agent::Specialist(Specialist::StyleReview)],
                "fact-checker" if users.fact_checker => &[Agent::Specialist(Specialist::FactCheck)],
                _ => &[],
            }
        };
        self.skills.iter().flat_map(move |skill| openers(skill).iter().map(move |agent| (*agent, skill)))
    }

    /// The tools that an agent's own file limits it to.
    pub(crate) fn limits(&self) -> impl Iterator<Item = (Agent, &[String])> {
        self.profiles.iter().filter_map(|profile| {
            let (.., agent) = CALLERS.into_iter().find(|(folder, ..)| *folder == profile.agent.folder)?;
            Some((agent, profile.tools.as_deref()?))
        })
    }

    /// The file of the agent of a folder.
    pub(crate) fn profile(&self, folder: &str) -> Option<&AgentProfile> {
        self.profiles.iter().find(|profile| profile.agent.folder == folder)
    }
}

/// The folder of the skills: `agents` beside the prompts.
pub fn folder(settings: &Settings) -> PathBuf {
    files::beside(&settings.article_generation.editor.prompts.root_dir, "agents")
}

/// Reads every skill of `folder`; none if there is no such folder.
pub(crate) fn find(folder: &Path) -> Option<FoundSkills> {
    // A link that leads nowhere is a problem, not a folder that was never written.
    fs::symlink_metadata(folder).ok()?;
    let mut found = FoundSkills::default();
    match folder.canonicalize() {
        Ok(root) => found.read(&root),
        Err(error) => found.wrong("agents", format!("it cannot be read: {error}")),
    }
    Some(found)
}

/// Returns the skills and profiles for the prompts: nothing if no model is asked, and no skills if they are off.
///
/// # Errors
/// There are no skills although they are on, something cannot be used, or a prompt gets too much of it.
pub(crate) fn used(settings: &Settings, windows: &Windows) -> Result<Taught> {
    if !settings.article_generation.engine.has_models() {
        return Ok(Taught::default());
    }
    let (folder, on) = (folder(settings), settings.skills.enabled);
    let shown = folder.display();
    let Some(found) = find(&folder) else {
        return if on { Err(wrong_use(missing(&folder))) } else { Ok(Taught::default()) };
    };
    let FoundSkills { skills, problems, profiles, profile_problems } = found;
    let (skills, problems) = if on { (skills, problems) } else { Default::default() };
    let taught = Taught { skills, profiles };
    let all = profile_problems.iter().chain(&problems).map(ToString::to_string);
    let users = settings.tool_users();
    let all: Vec<String> = all.chain(skill_problems(&taught.skills, &taught.profiles, windows, users)).collect();
    if all.is_empty() {
        return Ok(taught);
    }
    let what = if on {
        format!("the skills in {shown} cannot be used (skills.enabled: false does without)")
    } else {
        format!("an {} in {shown} cannot be used (without the file, its agent works as before)", AgentProfile::FILE)
    };
    Err(wrong_use(format!("{what}:\n  {}", all.join("\n  "))))
}

/// The message about a folder that does not exist, and its remedy.
pub(crate) fn missing(folder: &Path) -> String {
    format!(
        "there are no skills: {} does not exist. `copydesk init` writes them, and skills.enabled: false does without",
        folder.display()
    )
}

impl FoundSkills {
    fn wrong(&mut self, file: &str, message: impl Into<String>) {
        self.problems.push(SkillProblem::new(file, message));
    }

    fn read(&mut self, root: &Path) {
        for (name, path) in self.listed(root, "agents") {
            if !path.is_dir() {
                continue;
            }
            if let Some(agent) = SkilledAgent::of(&name) {
                self.read_profile(root, agent, &path.join(AgentProfile::FILE));
                self.read_agent(root, agent, &path.join("skills"));
            } else {
                let known: Vec<&str> = SKILLED_AGENTS.iter().map(|agent| agent.folder).collect();
                let message =
                    format!("there is no such agent; rename the folder to one of {}, or move it", known.join(", "));
                self.wrong(&name, message);
            }
        }
    }

    fn read_profile(&mut self, root: &Path, agent: &'static SkilledAgent, path: &Path) {
        if fs::symlink_metadata(path).is_err() {
            return;
        }
        let file = format!("{}/{}", agent.folder, AgentProfile::FILE);
        match text(root, path).map(|text| AgentProfile::read(agent, &file, &text)) {
            Ok(Ok(profile)) => self.profiles.push(profile),
            Ok(Err(problems)) => self.profile_problems.extend(problems),
            Err(why) => self.profile_problems.push(SkillProblem::new(&file, why.to_string())),
        }
    }

    fn read_agent(&mut self, root: &Path, agent: &'static SkilledAgent, folder: &Path) {
        if fs::symlink_metadata(folder).is_err() {
            return;
        }
        let shown = format!("{}/skills", agent.folder);
        let (files, folders): (Vec<_>, Vec<_>) =
            self.listed(folder, &shown).into_iter().partition(|(_, path)| path.is_file());
        for (name, _) in files {
            if let Some(stem) = name.strip_suffix(".md").filter(|stem| *stem != "README") {
                let message = format!("a skill is a folder with a SKILL.md: move the file to {stem}/SKILL.md");
                self.wrong(&format!("{shown}/{name}"), message);
            }
        }
        if folders.len() > MOST {
            let message =
                format!("it has {} skills; at most {MOST} are read: move those that are not needed", folders.len());
            self.wrong(&shown, message);
            return;
        }
        for (name, path) in folders {
            let file = format!("{shown}/{name}/SKILL.md");
            match text(root, &path.join("SKILL.md")) {
                Ok(text) => match Skill::read(agent, &name, &file, &text) {
                    Ok(skill) => self.skills.push(skill),
                    Err(problems) => self.problems.extend(problems),
                },
                Err(why) => self.wrong(&file, why.to_string()),
            }
        }
    }

    /// The entries of a folder by name, as they can be shown. Hidden files are left out.
    fn listed(&mut self, folder: &Path, shown: &str) -> Vec<(String, PathBuf)> {
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => {
                self.wrong(shown, format!("it cannot be read: {error}"));
                return Vec::new();
            }
        };
        let mut listed: Vec<(String, PathBuf)> = entries
            .flatten()
            .map(|entry| (sanitise::visible(&entry.file_name().to_string_lossy()), entry.path()))
            .filter(|(name, _)| !name.starts_with('.'))
            .collect();
        listed.sort();
        listed
    }
}

/// The text of a file below `root`. An error says what to do about it.
fn text(root: &Path, path: &Path) -> Result<String> {
    let unreadable = |error: io::Error| anyhow!("it cannot be read: {error}");
    let real = path.canonicalize().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => anyhow!("it is missing; write it, or delete the folder"),
        _ => unreadable(error),
    })?;
    ensure!(real.starts_with(root), "a link leads out of the folder of agents: copy the skill there instead");
    // Opening a pipe would wait until another program writes to it.
    ensure!(real.is_file(), "it is no file; write a text file");
    let mut bytes = Vec::new();
    let taken = File::open(&real).and_then(|file| file.take(LARGEST_SKILL as u64 + 1).read_to_end(&mut bytes));
    taken.map_err(unreadable)?;
    // A file that is too long is refused for its length, even if the limit cuts a character in two.
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(error) if error.as_bytes().len() > LARGEST_SKILL => {
            Ok(String::from_utf8_lossy(error.as_bytes()).into_owned())
        }
        Err(error) => {
            let good = error.as_bytes().iter().take(error.utf8_error().valid_up_to());
            let line = good.filter(|byte| **byte == b'\n').count() + 1;
            Err(anyhow!("line {line} is not UTF-8; save the file as UTF-8"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skill(name: &str) -> String {
        format!("---\nname: {name}\ndescription: d\n---\nLook.\n")
    }

    fn write(folder: &Path, name: &str, bytes: &[u8]) {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    fn said(folder: &Path) -> Vec<String> {
        find(folder).unwrap().problems.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_folder_that_is_dropped_in_is_a_skill_and_what_else_lies_there_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let agents = folder.path().join("agents");
        assert!(find(&agents).is_none());
        for name in ["editor/skills/b/SKILL.md", "editor/skills/a/SKILL.md", "writer/skills/c/SKILL.md"] {
            let own = name.split('/').nth(2).unwrap();
            write(&agents, name, skill(own).as_bytes());
        }
        for other in [
            "README.md",
            "editor/skills/README.md",
            "editor/skills/.git/x",
            "editor/skills/a/scripts/run.sh",
            "publisher/notes.txt",
        ] {
            write(&agents, other, b"\xFF");
        }
        let found = find(&agents).unwrap();
        assert_eq!(found.problems, []);
        let names: Vec<(&str, &str)> = found.skills.iter().map(|skill| (skill.agent.folder, &*skill.name)).collect();
        assert_eq!(names, [("editor", "a"), ("editor", "b"), ("writer", "c")]);
        assert_eq!(found.skills[0].file, "editor/skills/a/SKILL.md");
        assert_eq!((found.profiles, found.profile_problems), (vec![], vec![]));
    }

    #[test]
    fn an_agents_own_file_is_read_beside_its_skills() {
        let folder = tempfile::tempdir().unwrap();
        let agents = folder.path().join("agents");
        write(&agents, "editor/AGENTS.md", b"---\nname: editor\ndescription: d\ntools: []\n---\nYou edit.\n");
        write(&agents, "reporter/AGENTS.md", b"# Notes for another program\n");
        write(&agents, "writer/AGENTS.md", b"---\nname: \xFF\n");
        let found = find(&agents).unwrap();
        let files: Vec<&str> = found.profiles.iter().map(|profile| &*profile.file).collect();
        let problems: Vec<String> = found.profile_problems.iter().map(ToString::to_string).collect();
        assert_eq!((files, found.problems), (vec!["editor/AGENTS.md"], vec![]));
        assert!(problems[0].starts_with("reporter/AGENTS.md:1: the front matter is missing: "), "{problems:?}");
        assert_eq!(problems[1..], ["writer/AGENTS.md: line 2 is not UTF-8; save the file as UTF-8"]);
    }

    #[test]
    fn what_cannot_be_a_skill_is_named_with_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let agents = folder.path().join("agents");
        write(&agents, "fact_checker/skills/a/SKILL.md", skill("a").as_bytes());
        write(&agents, "editor/skills/loose.md", skill("loose").as_bytes());
        fs::create_dir_all(agents.join("editor/skills/empty")).unwrap();
        fs::create_dir_all(agents.join("editor/skills/folder/SKILL.md")).unwrap();
        write(&agents, "editor/skills/latin/SKILL.md", b"---\nname: latin\ndescription: caf\xE9\n---\nx\n");
        write(&agents, "editor/skills/long/SKILL.md", "é".repeat(LARGEST_SKILL).as_bytes());
        write(&agents, "editor/skills/other/SKILL.md", skill("another").as_bytes());
        write(&agents, "publisher/skills", b"no folder");
        for number in 0..=MOST {
            write(&agents, &format!("reporter/skills/s{number}/SKILL.md"), skill(&format!("s{number}")).as_bytes());
        }
        let problems = said(&agents);
        let begins = [
            "editor/skills/loose.md: a skill is a folder with a SKILL.md: move the file to loose/SKILL.md",
            "editor/skills/empty/SKILL.md: it is missing; write it, or delete the folder",
            "editor/skills/folder/SKILL.md: it is no file; write a text file",
            "editor/skills/latin/SKILL.md: line 3 is not UTF-8; save the file as UTF-8",
            "editor/skills/long/SKILL.md: it has 20",
            "editor/skills/other/SKILL.md:2: the name is another, but the folder is other",
            "fact_checker: there is no such agent; rename the folder to one of reporter, writer, editor, fact-checker, publisher",
            "publisher/skills: it cannot be read: ",
            "reporter/skills: it has 51 skills; at most 50 are read",
        ];
        assert_eq!(problems.len(), begins.len(), "{problems:#?}");
        for (problem, begins) in problems.iter().zip(begins) {
            assert!(problem.starts_with(begins), "{problem} has not {begins}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_may_not_lead_out_of_the_folder() {
        use std::os::unix::fs::symlink;

        let folder = tempfile::tempdir().unwrap();
        let agents = folder.path().join("agents");
        write(&agents, "editor/skills/own/SKILL.md", skill("own").as_bytes());
        write(folder.path(), "elsewhere/SKILL.md", skill("linked").as_bytes());
        symlink(folder.path().join("elsewhere"), agents.join("editor/skills/linked")).unwrap();
        fs::create_dir_all(agents.join("editor/skills/file")).unwrap();
        symlink(folder.path().join("elsewhere/SKILL.md"), agents.join("editor/skills/file/SKILL.md")).unwrap();
        symlink("nowhere", agents.join("editor/skills/broken")).unwrap();
        // One that stays within is as good as a copy.
        fs::create_dir_all(agents.join("writer/skills/own")).unwrap();
        symlink(agents.join("editor/skills/own/SKILL.md"), agents.join("writer/skills/own/SKILL.md")).unwrap();
        let out = "a link leads out of the folder of agents: copy the skill there instead";
        assert_eq!(
            said(&agents),
            [
                "editor/skills/broken/SKILL.md: it is missing; write it, or delete the folder".to_owned(),
                format!("editor/skills/file/SKILL.md: {out}"),
                format!("editor/skills/linked/SKILL.md: {out}"),
            ]
        );
        let names: Vec<&str> = find(&agents).unwrap().skills.iter().map(|skill| skill.agent.folder).collect();
        assert_eq!(names, ["editor", "writer"]);
        // The folder itself may be a link, and one that leads nowhere is no missing folder.
        symlink(&agents, folder.path().join("link")).unwrap();
        assert_eq!(find(&folder.path().join("link")).unwrap().skills.len(), 2);
        symlink("nowhere", folder.path().join("broken")).unwrap();
        assert!(said(&folder.path().join("broken"))[0].starts_with("agents: it cannot be read: "));
    }
}
