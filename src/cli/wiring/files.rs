//! Files that the program carries with it, and those that the configuration names: prompts, styles, word lists.

use std::{collections::HashMap, fs};

use crate::agents::{
    ASK_FILE, EDITOR_FILES, OPINION_FILE, PUBLISHER_FILE, Prompts, QUESTIONS_FILE, REPORTER_FILES, REQUIRED_FILES,
    SHORT_FORMS,
};
use crate::cli::handed_over;
use crate::cli::prelude::*;
use crate::cli::wiring::shipped_skills::{SHIPPED, SHIPPED_PROFILES, SHIPPED_SKILLS};
use crate::{config, knowledge::regular, newsroom::FlagRules};

/// Most bytes of a prompt, a style or a word list.
const MOST_BYTES: u64 = 4 << 20;

/// Writes the shipped prompts and skills below `folder`, leaving every file that is there as it is. Returns those written.
pub(crate) fn write_prompts(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut written = Vec::new();
    for (name, text) in SHIPPED.into_iter().chain(SHIPPED_PROFILES).chain(SHIPPED_SKILLS) {
        let path = folder.join(name);
        if !path.exists() {
            write_new(&path, text)?;
            written.push(path);
        }
    }
    Ok(written)
}

/// Writes a file whole or not at all. A configuration may come to hold keys, so it is its owner's alone.
pub(crate) fn write_new(path: &Path, text: &str) -> Result<()> {
    fs::create_dir_all(handed_over::folder_of(path))
        .and_then(|()| handed_over::temporary(path, text.as_bytes()))
        .and_then(|new| new.persist(path).map(drop).map_err(|error| error.error))
        .with_context(|| format!("{} cannot be written", path.display()))
}

/// Writes an existing file whole or not at all, with the permissions that it had.
pub(crate) fn replace(file: &Path, text: &str) -> std::io::Result<()> {
    let new = handed_over::temporary(file, text.as_bytes())?;
    new.as_file().set_permissions(fs::metadata(file)?.permissions())?;
    new.as_file().sync_all()?;
    new.persist(file).map(drop).map_err(|error| error.error)
}

/// A name beside a file for its earlier text that is free, such as `config.yaml.old`, `config.yaml.old2`.
pub(crate) fn free_name(file: &Path) -> PathBuf {
    let name = |number: u32| {
        let number = if number > 1 { number.to_string() } else { String::new() };
        file.with_added_extension(format!("old{number}"))
    };
    (1..1000).map(name).find(|path| fs::symlink_metadata(path).is_err()).unwrap_or_else(|| name(1000))
}

/// A text as YAML that cannot be misread; a JSON string is one.
pub(crate) fn yaml_text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Reads the prompt files that the settings name, each checked.
pub(crate) fn prompts(settings: &Settings) -> Result<(Prompts, Vec<String>)> {
    let prompts = &settings.article_generation.editor.prompts;
    let mut files: HashMap<&str, (String, String)> = HashMap::new();
    let mut problems: Vec<String> = Vec::new();
    let asked = settings.article_generation.asks_questions().then_some(QUESTIONS_FILE);
    let thinks = settings.asks_second_opinion().map(|_| OPINION_FILE);
    let models = &settings.article_generation.models;
    let reports = REPORTER_FILES.into_iter().filter(|_| models.reporter.is_some());
    let edits = EDITOR_FILES.into_iter().filter(|_| models.editor.is_some());
    let notes = settings.asks_publisher().then_some(PUBLISHER_FILE);
    let files_of = REQUIRED_FILES.into_iter().chain(asked).chain(thinks).chain(reports).chain(edits).chain(notes);
    let short = SHORT_FORMS.into_iter().map(|(name, _)| name);
    let names: Vec<&str> = files_of.map(|(name, ..)| name).chain(short).collect();
    for name in &names {
        let path = prompt_path(prompts, name);
        match regular::read_to_string(&path, MOST_BYTES) {
            Ok(text) => {
                let file = path.strip_prefix(&prompts.root_dir).unwrap_or(&path).display().to_string();
                files.insert(name, (file, text));
            }
            Err(error) => problems.push(format!("the prompt {} cannot be read: {error}", path.display())),
        }
    }
    let texts: Vec<String> = names.iter().filter_map(|name| files.get(name).map(|(_, text)| text.clone())).collect();
    if !problems.is_empty() {
        problems.push("`copydesk init` writes the prompts that are missing; article_generation.editor.prompts says where they are".into());
        return Err(wrong_use(problems.join("\n")));
    }
    // A story needs no prompt for questions about it: only `ask` misses it, and no run depends on it.
    let (ask, ..) = ASK_FILE;
    if let Ok(text) = regular::read_to_string(&prompt_path(prompts, ask), MOST_BYTES) {
        files.insert(ask, (format!("{ask}.md"), text));
    }
    let checked = Prompts::new(&files).map_err(|problems| {
        let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
        WrongUse(format!("the prompts in {} cannot be used:\n  {}", prompts.root_dir.display(), lines.join("\n  ")))
    })?;
    Ok((checked, texts))
}

fn prompt_path(prompts: &config::PromptSettings, name: &str) -> PathBuf {
    let root = &prompts.root_dir;
    // A short form stands beside the prompt that it is of.
    if let Some(of) = name.strip_suffix(".short") {
        return prompt_path(prompts, of).with_extension("short.md");
    }
    match name {
        "writer" => root.join(&prompts.writer),
        "revision" => root.join(&prompts.revision),
        "ask" | "draft_plan" | "draft_section" | "draft_mend" | "draft_heads" | "draft_revise" => {
            root.join(format!("{name}.md"))
        }
        "article_review" => root.join(&prompts.article_review),
        "concern_mapping" => root.join(&prompts.concern_mapping),
        "plan" | "research" => beside(root, "agents").join("reporter").join(format!("{name}.md")),
        "notes" => beside(root, "agents").join("publisher").join("notes.md"),
        "coverage" | "triage" => beside(root, "agents").join("editor").join(format!("{name}.md")),
        specialist => root.join(&prompts.specialists_dir).join(format!("{specialist}.md")),
    }
}

/// A folder beside the prompts, such as `agents`.
pub(crate) fn beside(prompts: &Path, name: &str) -> PathBuf {
    prompts.parent().unwrap_or(prompts).join(name)
}

/// The folder of the styles: `styles` beside the prompts.
pub fn styles_folder(settings: &Settings) -> PathBuf {
    beside(&settings.article_generation.editor.prompts.root_dir, "styles")
}

/// Reads the file of each allowed style.
pub(crate) fn styles(settings: &Settings) -> Result<HashMap<String, String>> {
    let folder = styles_folder(settings);
    let mut styles = HashMap::new();
    for name in &settings.article_generation.allowed_styles {
        let path = folder.join(format!("{name}.md"));
        let text = regular::read_to_string(&path, MOST_BYTES).map_err(|error| {
            WrongUse(format!(
                "the style {name} of article_generation.allowed_styles needs the file {}: {error}",
                path.display()
            ))
        })?;
        styles.insert(name.clone(), text.trim().to_owned());
    }
    Ok(styles)
}

/// Which flags a run may get, with the words of `flags.sensitive.word_list`.
pub(crate) fn flag_rules(settings: &Settings) -> Result<FlagRules> {
    let mut rules = settings.flags.rules.clone();
    if let Some(path) = &settings.flags.word_list {
        let text = regular::read_to_string(path, MOST_BYTES).map_err(|error| {
            WrongUse(format!(
                "the word list {} cannot be read: {error}; flags.sensitive.word_list names it, and null does without",
                path.display()
            ))
        })?;
        rules.sensitive.words.extend(config::word_list(&text));
    }
    Ok(rules)
}
