//! From YAML to settings.

use std::{collections::HashMap, path::Path};

use serde::de::DeserializeOwned;
use serde_yaml::Value;

use super::{
    ConfigError, ConfigProblem, ModelSettings, Settings,
    check::check,
    lines::{key_lines, repeated_keys},
    problem::{MISSING, joined, located},
    set_keys::{value_at, written},
    shared::{MODELS, SharedKeys, share, with_shared},
};
use copydesk_text::yaml;

/// The committed template: every key, explained, and valid as it stands.
pub const TEMPLATE: &str = include_str!("../../../config/config.yaml.template");

/// The model of the template that agents share.
pub(super) const USUAL_MODEL: &str = "article_generation.models.local";

/// Reads settings from the text of `file`. A relative `workspace` is taken from `current_dir`.
///
/// # Errors
/// [`ConfigError`] with every wrong, missing or unknown key. If all keys are in order by themselves: with those that do not fit together.
pub fn load(file: &Path, yaml: &str, current_dir: &Path) -> Result<Settings, ConfigError> {
    let fail = |problems: Vec<ConfigProblem>| ConfigError { file: file.to_owned(), problems };
    let unreadable = |line: usize, message: String| fail(vec![ConfigProblem { line, key: String::new(), message }]);
    let mut root: Value = yaml::value(yaml).map_err(|error| {
        // The parser gives the line of the section. The file is read again for no other error: a refused file may be endless to read.
        if error.to_string().contains("duplicate") {
            let repeated = repeated_keys(yaml);
            if !repeated.is_empty() {
                return fail(repeated);
            }
        }
        let line = error.location().map_or(1, |location| location.line());
        unreadable(line, format!("this is not YAML: {error}"))
    })?;
    if !root.is_mapping() {
        return Err(unreadable(1, "the file is empty or no list of keys".to_owned()));
    }
    let lines = key_lines(yaml);
    let problem = |(key, message): (String, String)| ConfigProblem { line: line(&lines, &key), key, message };
    let (settings, shared, mut found) = read(&mut root);
    if let Some(mut settings) = settings.filter(|_| found.is_empty()) {
        settings.complete(file, current_dir, &shared, |key| line(&lines, key));
        found = check(&settings);
        if found.is_empty() {
            return Ok(settings);
        }
    }
    for (key, _) in &mut found {
        *key = shared.written_at(key);
    }
    let mut problems: Vec<ConfigProblem> = found.into_iter().map(problem).collect();
    problems.sort_by_key(|problem| problem.line);
    // Agents that share a model share its problem.
    problems.dedup_by(|one, other| one.key == other.key);
    Err(fail(problems))
}

/// The configuration that a story was recorded with, as this version has it. A key that is newer than the recording has the template's
/// value; one that this version does not have is left out.
///
/// # Errors
/// If it is not YAML.
pub fn of_recording(yaml: &str) -> Result<String, serde_yaml::Error> {
    let mut whole = with_shared(yaml::value(TEMPLATE)?);
    overlay(&mut whole, with_shared(yaml::value(yaml)?));
    serde_yaml::to_string(&whole)
}

/// Puts the given values in the place of the usual ones.
fn overlay(usual: &mut Value, given: Value) {
    match (usual, given) {
        (Value::Mapping(usual), Value::Mapping(given)) => {
            for (key, value) in given {
                if let Some(known) = usual.get_mut(&key) {
                    overlay(known, value);
                }
            }
        }
        (usual, given) => *usual = given,
    }
}

/// Reads the settings, and collects the problems.
fn read(root: &mut Value) -> (Option<Settings>, SharedKeys, Vec<(String, String)>) {
    let mut template: Value = yaml::value(TEMPLATE).unwrap_or_default();
    let usual = value_at(&template, USUAL_MODEL).unwrap_or_default();
    share(&mut template);
    let (mut problems, mut shared_keys) = (Vec::new(), Vec::new());
    trim(root, "", &mut problems);
    if let Some(Value::Mapping(models)) =
        root.get_mut("article_generation").and_then(|section| section.get_mut("models"))
    {
        for (name, model) in models.iter_mut() {
            let at = format!("{MODELS}.{}", name.as_str().unwrap_or_default());
            let (read, found) = read_all::<ModelSettings>(model, &usual);
            shared_keys.extend(read.map(|read| read.api_key));
            problems.extend(found.into_iter().map(|(key, message)| (joined(&at, &key), message)));
        }
    }
    let (shared, unshared) = share(root);
    let is_whole = unshared.is_empty();
    problems.extend(unshared);
    let (mut settings, found) = read_all::<Settings>(root, &template);
    if let Some(settings) = &mut settings {
        settings.article_generation.shared_keys = shared_keys;
    }
    // An agent whose model is not found lacks every key: that was told once.
    let lacks =
        |(key, message): &(String, String)| !is_whole && key.contains(".agents.") && message.starts_with(MISSING);
    let told: Vec<String> = problems.iter().map(|(key, _)| key.clone()).collect();
    problems.extend(found.into_iter().filter(|problem| !lacks(problem) && !told.contains(&problem.0)));
    (settings, shared, problems)
}

/// Reads a section, and collects its problems. Serde stops at the first. So the template's value is put in the place of each value that was
/// refused, and the whole is read once more.
fn read_all<T: DeserializeOwned>(root: &mut Value, template: &Value) -> (Option<T>, Vec<(String, String)>) {
    let mut problems: Vec<(String, String)> = Vec::new();
    loop {
        match serde_path_to_error::deserialize::<_, T>(&*root) {
            Ok(read) => return (Some(read), problems),
            Err(error) => {
                let (key, mut message) = located(&error);
                let usual = value_at(template, &key);
                if message == MISSING
                    && let Some(usual) = &usual
                {
                    let usual = if usual.is_mapping() { "a section".to_owned() } else { written(usual) };
                    message = format!("{MISSING}; the template has {usual}");
                } else if usual.is_some_and(|usual| usual.is_null()) && !message.contains("null") {
                    message = message.replacen("must be ", "must be null or ", 1);
                }
                let before = root.clone();
                mend(root, template, &key);
                if !problems.iter().any(|(told, _)| *told == key) {
                    problems.push((key, message));
                }
                if *root == before {
                    return (None, problems);
                }
            }
        }
    }
}

/// Trims every text. Reports those that are empty, and tags, which serde passes over. Fields that join requests stay as they are.
fn trim(value: &mut Value, key: &str, problems: &mut Vec<(String, String)>) {
    match value {
        Value::String(text) => {
            *text = text.trim().to_owned();
            if text.is_empty() {
                problems.push((key.to_owned(), "is empty".to_owned()));
            }
        }
        Value::Sequence(entries) => {
            for (index, entry) in entries.iter_mut().enumerate() {
                trim(entry, &format!("{key}[{index}]"), problems);
            }
        }
        Value::Mapping(section) => {
            for (name, value) in section.iter_mut().filter(|(name, _)| name.as_str() != Some("extra")) {
                let name = name.as_str().unwrap_or_default();
                trim(value, &if key.is_empty() { name.to_owned() } else { format!("{key}.{name}") }, problems);
            }
        }
        Value::Tagged(_) => problems.push((key.to_owned(), "has a YAML tag; take it out".to_owned())),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Puts the template's value in the place of the one at `key`, or of the part around it that the template does not have open. A key that
/// the template does not have goes.
fn mend(mut value: &mut Value, mut template: &Value, key: &str) {
    let names = key.split('.').map(|name| name.split('[').next().unwrap_or_default());
    for name in names {
        let (Value::Mapping(section), Value::Mapping(usual)) = (value, template) else { return };
        match usual.get(name) {
            None => drop(section.remove(name)),
            Some(usual) if !usual.is_mapping() || !section.get(name).is_some_and(Value::is_mapping) => {
                section.insert(name.into(), usual.clone());
            }
            Some(usual) => {
                template = usual;
                let Some(inner) = section.get_mut(name) else { return };
                value = inner;
                continue;
            }
        }
        return;
    }
}

/// The line of a key, or of the nearest section that is there.
fn line(lines: &HashMap<String, usize>, key: &str) -> usize {
    let mut above = std::iter::successors(Some(key), |known| Some(known.rsplit_once(['.', '['])?.0));
    above.find_map(|known| lines.get(known).copied()).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Engine;

    fn read(yaml: &str) -> Result<Settings, ConfigError> {
        load(Path::new("config/config.yaml"), yaml, Path::new("/desk"))
    }

    fn problems(yaml: &str) -> Vec<String> {
        let error = read(yaml).unwrap_err();
        error.problems.iter().map(|p| format!("{}: {} {}", p.line, p.key, p.message)).collect()
    }

    fn line_of(text: &str) -> usize {
        TEMPLATE.lines().position(|line| line.contains(text)).unwrap() + 1
    }

    #[test]
    fn the_template_is_valid_as_it_stands() {
        let settings = read(TEMPLATE).unwrap();
        assert_eq!(settings.article_generation.engine, Engine::Offline);
        assert!(settings.privacy.local_only);
        assert!(settings.article_generation.perplexity.is_none());
        assert_eq!(settings.database.file(), Some(Path::new("/desk/data/copydesk.db")));
        assert_eq!(settings.article_generation.models.writer.prompt_limit(), 24_576, "beside an answer of 8,192");
    }

    #[test]
    fn every_problem_is_reported_with_its_line_and_what_belongs_there() {
        let yaml = TEMPLATE
            .replace("engine: offline", "engine: magic")
            .replace("editor_max_rounds: 3", "editor_max_rounds: 0\n    editor_max_round: 3")
            .replace("concerns_limit: 40", "concerns_limit: 0")
            .replace("local_only: true", "local_only:");
        let found = problems(&yaml);
        assert_eq!(
            found,
            [
                format!(
                    "{}: article_generation.engine must be one of offline, llm, recorded",
                    line_of("engine: offline")
                ),
                format!(
                    "{}: article_generation.editor.editor_max_rounds must be a whole number from 1 to 20",
                    line_of("editor_max_rounds: 3")
                ),
                format!(
                    "{}: article_generation.editor.editor_max_round is not a key of this section; its keys are editor_max_rounds, concerns_limit, output, prompts",
                    line_of("editor_max_rounds: 3") + 1
                ),
                format!(
                    "{}: article_generation.editor.concerns_limit must be a whole number from 1 to 1000",
                    line_of("concerns_limit: 40") + 1
                ),
                format!("{}: privacy.local_only must be true or false", line_of("local_only: true") + 1),
            ]
        );
    }

    #[test]
    fn settings_that_do_not_fit_together_are_told_if_each_key_is_right() {
        let yaml = TEMPLATE
            .replace("default_style_mode: SCIAM_MAGAZINE", "default_style_mode: TABLOID")
            .replace("\n    chunk_size_tokens: 512", "\n    chunk_size_tokens: 50");
        assert_eq!(
            problems(&yaml),
            [
                format!(
                    "{}: article_generation.knowledge_base.chunk_overlap_tokens must be smaller than chunk_size_tokens",
                    line_of("    chunk_overlap_tokens: 50")
                ),
                format!(
                    "{}: article_generation.default_style_mode must be one of allowed_styles (NATURE_NEWS, SCIAM_MAGAZINE)",
                    line_of("default_style_mode: ")
                ),
            ]
        );
    }

    #[test]
    fn an_empty_secret_and_a_missing_key_are_errors() {
        let yaml = TEMPLATE
            .replacen("api_key: lm-studio", "api_key: \"\"", 1)
            .replacen("      max_tokens: 2048 ", "      # 2048 ", 1)
            .replacen("temperature: 0.2", "temperature: 3", 1);
        let found = problems(&yaml);
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(
            found[0].contains("models.local is")
                || found[0].contains("models.local.max_tokens is missing; the template has 2048"),
            "{found:?}"
        );
        assert!(found[1].contains("models.local.api_key is empty"), "{found:?}");
        assert!(found[2].contains("fact_check_llm.temperature must be a number from 0 to 2"), "{found:?}");
    }

    #[test]
    fn a_recordings_configuration_is_read_by_every_later_version() {
        let older =
            TEMPLATE.replace("  encoding: o200k_base\n", "  gone: 1\n").replace("temperature: 0.7", "temperature: 0.9");
        assert!(read(&older).is_err());
        let settings = read(&of_recording(&older).unwrap()).unwrap();
        let generation = settings.article_generation;
        assert_eq!((generation.encoding.as_str(), generation.models.writer.temperature), ("o200k_base", 0.9));
    }

    #[test]
    fn agents_share_models_by_name_and_a_key_of_their_own_counts_first() {
        let models = |yaml: &str| read(yaml).unwrap().article_generation.models;
        let shared = models(TEMPLATE);
        assert_eq!((shared.writer.temperature, shared.concern_mapping.temperature), (0.7, 0.3));
        assert_eq!((shared.writer.max_tokens, shared.concern_mapping.max_tokens), (8192, 2048));
        // The contract's blocks, each with all keys, are read as they were.
        let own = serde_yaml::to_string(&with_shared(yaml::value(TEMPLATE).unwrap())).unwrap();
        assert!(!own.contains(" use: ") && !own.contains("\n  models:"));
        let set = |models: &crate::Models| -> Vec<_> {
            models
                .sections()
                .map(|(key, model)| {
                    (key, model.temperature, model.max_tokens, model.prompt_limit(), model.timeout_seconds)
                })
                .collect()
        };
        assert_eq!(set(&models(&own)), set(&shared));
        let large = "    large: {model: big, api_base: \"http://127.0.0.1:9/v1\", api_key: x, context_window: 131072, max_tokens: 4096, \
            temperature: 0.1, context_window_threshold: 80, max_retries: 2, retry_delay: 1, timeout_seconds: 60, response_format: none, request: null}\n";
        let two = TEMPLATE.replacen("  models:\n", &format!("  models:\n{large}"), 1);
        let two = two.replacen("concern_mapping_llm:\n      use: local", "concern_mapping_llm:\n      use: large", 1);
        assert_eq!(models(&two).concern_mapping.model, "big");
        let parked = TEMPLATE.replacen(
            "  models:\n",
            &format!("  models:\n{}", large.replace("api_key: x", "api_key: sk-parked-0123456789")),
            1,
        );
        let hidden = read(&parked).unwrap().secrets();
        assert!(hidden.real().any(|key| key == "sk-parked-0123456789"), "of a model that no agent uses, too");
        assert_eq!(models(&two).article_review.unwrap().model, "your-model-name");
    }

    #[test]
    fn a_shared_model_that_is_wrong_or_not_there_is_told_once() {
        let line = line_of("use: local");
        assert_eq!(
            problems(&TEMPLATE.replacen("use: local", "use: lokal", 1)),
            [format!(
                "{line}: article_generation.agents.writer_llm.use must be the name of a model; article_generation.models has local"
            )]
        );
        let none = TEMPLATE.replacen("  models:\n    local:\n", "  others:\n    local:\n", 1);
        assert!(
            problems(&none).iter().any(|told| told.contains("article_generation.models is missing")),
            "{:?}",
            problems(&none)
        );
        assert!(!problems(&none).iter().any(|told| told.contains("_llm.")), "{:?}", problems(&none));
        let unused = TEMPLATE.replacen("  models:\n", "  models:\n    large: {model: big}\n", 1);
        assert!(problems(&unused)[0].contains("models.large.api_base is missing"), "{:?}", problems(&unused));
        let far = TEMPLATE.replacen("http://127.0.0.1:1234/v1", "https://models.example/v1", 1);
        assert_eq!(problems(&far).len(), 1);
        assert!(problems(&far)[0].contains("article_generation.models.local.api_base names models.example"));
        assert!(
            problems(&TEMPLATE.replacen("  models:\n    local:", "  models: 3\n  others:\n    local:", 1))[0]
                .contains("must be null or a section")
        );
    }

    #[test]
    fn local_only_refuses_each_host_that_is_not_this_machine_and_names_its_key() {
        let perplexity = "perplexity:\n    api_base: https://api.perplexity.ai\n    api_key: pplx-abcdef\n    model: sonar\n    timeout_seconds: 45";
        let yaml = TEMPLATE.replacen("perplexity: null", perplexity, 1).replace("engine: offline", "engine: llm");
        let found = problems(&yaml);
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("article_generation.perplexity.api_base names api.perplexity.ai"), "{found:?}");
        assert!(
            read(&yaml.replace("local_only: true", "local_only: false"))
                .unwrap()
                .article_generation
                .perplexity
                .is_some()
        );
        let placeholder = yaml
            .replace("pplx-abcdef", "\"<REQUIRED_NON_EMPTY_STRING>\"")
            .replace("local_only: true", "local_only: false");
        assert!(problems(&placeholder)[0].contains("in place of the template's placeholder"));
    }

    #[test]
    fn an_address_must_be_one_and_holds_no_key() {
        for bad in ["localhost:1234", "ftp://127.0.0.1/v1", "http://user:key@127.0.0.1/v1", "http://127.0.0.1/v1?key=x"]
        {
            let found = problems(&TEMPLATE.replacen("http://127.0.0.1:1234/v1", bad, 1));
            assert!(found[0].contains("models.local.api_base"), "{bad}: {found:?}");
            assert!(!found[0].contains("key@"));
        }
    }

    #[test]
    fn what_is_no_yaml_says_where() {
        assert!(problems("a: [1\nb: 2")[0].contains("this is not YAML"));
        // YAML that is refused at a glance is not read any further: 40 kB of marks took ten seconds and more.
        let began = std::time::Instant::now();
        assert!(problems(&"- ".repeat(20_000))[0].contains("nested more than 200 deep"));
        assert!(began.elapsed() < std::time::Duration::from_secs(2), "{:?}", began.elapsed());
        assert!(problems("")[0].contains("the file is empty"));
    }
}
