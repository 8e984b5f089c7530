//! From YAML to settings.

use std::path::{Path, PathBuf};

use serde_yaml::Value;

use super::{
    ArticleGeneration, ConfigError, ConfigProblem, Engine, InstitutionalMemory, McpAt, Output, Perplexity,
    PromptSettings, ProofSettings, RetentionSettings, Settings, SkillSettings, StyleSettings,
    claims::read_claims,
    desk::read_desk,
    fields::{days, endpoint, folder, path_name, seconds},
    flags::read_flags,
    knowledge::read_knowledge,
    lines::repeated_keys,
    mcp::read_mcp,
    models::{AGENTS, read_models},
    observability::read_observability,
    publisher::{check_servers, read_publisher},
    reader::{Report, Section},
    reading::read_reading,
    research::read_research,
    screen::{read_prices, read_tui},
    tools::read_tools,
    transcription::read_transcription,
};
use copydesk_newsroom::{PathName, WriterMode};
use copydesk_text::{spelling::HouseSpelling, tokens::ENCODINGS, yaml};

/// The committed template: every key, explained, and valid as it stands.
pub const TEMPLATE: &str = include_str!("../../../config/config.yaml.template");

/// Reads settings from the text of `file`. A relative `workspace` is taken from `current_dir`.
///
/// # Errors
/// [`ConfigError`] with every problem of the file.
pub fn load(file: &Path, yaml: &str, current_dir: &Path) -> Result<Settings, ConfigError> {
    let fail = |problems: Vec<ConfigProblem>| ConfigError { file: file.to_owned(), problems };
    let root: Value = yaml::value(yaml).map_err(|error| {
        // The parser gives the line of the section. The file is read again for no other error: a refused file may be endless to read.
        if error.to_string().contains("duplicate") {
            let repeated = repeated_keys(yaml);
            if !repeated.is_empty() {
                return fail(repeated);
            }
        }
        let line = error.location().map_or(1, |location| location.line());
        fail(vec![ConfigProblem::wrong(line, String::new(), format!("this is not YAML: {error}"))])
    })?;
    let Value::Mapping(map) = &root else {
        let message = "the file is empty or no list of keys".to_owned();
        return Err(fail(vec![ConfigProblem::wrong(1, String::new(), message)]));
    };
    let report = Report::new(yaml);
    let section = Section::root(map, &report);
    let settings = read(&section, file, current_dir);
    section.report_unknown();
    let problems = report.into_problems();
    match settings {
        Some(settings) if problems.is_empty() => Ok(settings),
        _ => Err(fail(problems)),
    }
}

fn read(root: &Section<'_>, file: &Path, current_dir: &Path) -> Option<Settings> {
    let workspace = root.text("workspace", "the folder that relative paths are resolved against");
    let workspace: PathBuf = current_dir.join(workspace).components().collect();
    let database = root.text("database", "the path of the database, such as ./data/copydesk.db");
    let database: PathBuf = workspace.join(database).components().collect();
    let editor = root.text("editor", "the name that your decisions carry");
    let article_generation = root
        .section("article_generation", "the section of the pipeline", |section| read_generation(section, &workspace));
    let desk = root.section("desk", "the section of the desk", read_desk);
    let proof = root.section("proof", "the section of the proof", |proof| ProofSettings {
        enabled: proof.yes_or_no("enabled", "whether what a program finds in a draft joins a model's review"),
        second_opinion: proof.one_of_or_null("second_opinion", &AGENTS, "the agent whose model is asked"),
        entailment: proof.section_or_null("entailment", "the section of the entailment model", |entailment| {
            let folder = entailment.text("model_dir", "the folder of the model's files");
            workspace.join(folder).components().collect()
        }),
    });
    let publisher =
        root.section("publisher", "the section of the Publisher", |publisher| read_publisher(publisher, &workspace));
    let claims = root.section("claims", "the section of claims", read_claims);
    let flags = root.section("flags", "the section of flags", |flags| read_flags(flags, &workspace));
    let privacy = root.section("privacy", "the section of privacy", |privacy| {
        let local_only = privacy.yes_or_no("local_only", "whether every host but this machine is refused");
        let passphrase = privacy
            .text_or_null("passphrase_file", "a file with the database's passphrase, such as /media/stick/desk.key,");
        (passphrase.map(|file| workspace.join(file).components().collect::<PathBuf>()), local_only)
    });
    let (passphrase_file, local_only) = privacy.unzip();
    let retention = root.section("retention", "the section of retention", |retention| RetentionSettings {
        calls_days: days(retention, "calls_days", "the days that prompts and answers of a story that is over are kept"),
        vectors_days: days(retention, "vectors_days", "the days that vectors of a story that is over are kept"),
        artifacts_days: days(retention, "artifacts_days", "the days that artifacts of a story that is over are kept"),
        expired_memory_days: days(retention, "expired_memory_days", "the days that an expired record is kept"),
    });
    let research = root.section("research", "the section of research", read_research);
    let reading = root.section("reading", "the section of reading files", read_reading);
    let skills = root.section("skills", "the section of skills", |skills| SkillSettings {
        enabled: skills.yes_or_no("enabled", "whether skills join the prompts of models"),
    });
    let style = root.section("style", "the section of house style", |style| StyleSettings {
        folders: style
            .texts_or_null("folders", "a list of folders of rules, such as ./styles/House,")
            .into_iter()
            .map(|folder| workspace.join(folder).components().collect())
            .collect(),
        in_stories: style.yes_or_no("in_stories", "whether every story gets the notes of house style"),
        grammar: style.yes_or_no("grammar", "whether grammar and spelling are looked at"),
        spelling: style
            .one_of(
                "spelling",
                &[
                    ("american", HouseSpelling::American),
                    ("british", HouseSpelling::British),
                    ("either", HouseSpelling::Either),
                ],
                "the spelling that the newsroom writes",
            )
            .unwrap_or(HouseSpelling::Either),
    });
    let tui = root.section("tui", "the section of the screen", read_tui);
    let prices = read_prices(root);
    let perplexity = article_generation.as_ref().and_then(Option::as_ref).and_then(|found| found.perplexity.as_ref());
    let tools = root.section("tools", "the section of the tools", |tools| read_tools(tools, perplexity));
    let mcp = root.section("mcp", "the section of MCP servers", read_mcp);
    let transcription = read_transcription(root);
    let observability = root.section("observability", "the section of metrics and logs", |observability| {
        read_observability(observability, &workspace)
    });
    let settings = Settings {
        file: file.to_owned(),
        passphrase_file: passphrase_file.flatten(),
        workspace,
        database,
        editor,
        article_generation: article_generation??,
        desk: desk??,
        proof: proof?,
        publisher: publisher?,
        claims: claims??.rules,
        flags: flags??,
        local_only: local_only?,
        retention: retention?,
        skills: skills?,
        research: research?,
        reading: reading?,
        style: style?,
        tui: tui??,
        prices,
        tools: tools??,
        mcp: mcp?,
        transcription,
        observability: observability?,
    };
    check_together(root, &settings);
    Some(settings)
}

/// Checks settings that several sections share: budgets and prices, targets and MCP servers, addresses and `privacy.local_only`.
fn check_together(root: &Section<'_>, settings: &Settings) {
    let budget = &settings.desk.budget;
    let first = settings.prices.first().map(|price| &price.currency);
    if (budget.story_cost.is_some() || budget.batch_cost.is_some())
        && (first.is_none() || settings.prices.iter().any(|price| Some(&price.currency) != first))
    {
        let message = "or batch_cost is set, but `prices` does not have the models' prices in one currency: give them, or set null";
        root.problem("desk.budget.story_cost", message);
    }
    check_servers(root, &settings.publisher.targets, &settings.mcp);
    if settings.local_only {
        for endpoint in settings.endpoints().into_iter().filter(|endpoint| !endpoint.is_loopback()) {
            let host = endpoint.host();
            root.problem(
                &endpoint.setting,
                format!("names {host}, which is not this machine, and privacy.local_only is true: a local address or, where the part may be null, null belongs there; or set privacy.local_only to false"),
            );
        }
        let may_send = |at: &McpAt| matches!(at, McpAt::Program { stays_home: false, .. });
        for server in settings.mcp.iter().filter(|server| may_send(&server.at)) {
            root.problem(
                &format!("{}.stays_home", server.setting),
                "is false, and privacy.local_only is true: set stays_home to true if the program sends nothing to other machines; otherwise take the server out, or set privacy.local_only to false",
            );
        }
    }
}

/// The file of recorded answers.
fn read_recording(section: &Section<'_>, engine: Option<Engine>) -> Option<String> {
    let recording = section.text_or_null("recording", "the file that `run --record` wrote, such as ./data/park.jsonl,");
    if engine == Some(Engine::Recorded) && recording.is_none() {
        section
            .problem("recording", "is null, and engine is recorded: the file that `run --record` wrote belongs there");
    }
    recording
}

fn read_generation(section: &Section<'_>, workspace: &Path) -> Option<ArticleGeneration> {
    let engines = [("offline", Engine::Offline), ("llm", Engine::Llm), ("recorded", Engine::Recorded)];
    let engine = section.one_of("engine", &engines, "who does the work");
    let recording = read_recording(section, engine);
    let encoding =
        section.one_of("encoding", &ENCODINGS.map(|name| (name, name)), "the tokenizer that prompts are counted with");
    let source_budget_tokens = section.whole_or_null(
        "source_budget_tokens",
        500..=10_000_000,
        "the most tokens of the sources in one prompt, or null",
    );
    let writer_modes = [WriterMode::Whole, WriterMode::Sections].map(|mode| (mode.name(), mode));
    let writer_mode = section.one_of("writer_mode", &writer_modes, "how a model writes the first draft");
    let default_channel = path_name(section, "default_channel", "the channel of a plain source");
    let editor = section.section("editor", "the section of the editorial loop", |editor| {
        let max_rounds = editor.whole("editor_max_rounds", 1..=20, "how many rounds of review there may be");
        let concerns_limit =
            editor.whole("concerns_limit", 1..=1_000, "how many concerns of a review are judged one by one");
        let output = editor.section("output", "where results go", |output| Output {
            final_articles_dir: folder(output, "final_articles_dir", workspace, "the folder of canonical articles"),
            run_artifacts_dir: folder(output, "run_artifacts_dir", workspace, "the folder of runs"),
            save_intermediate_results: output
                .yes_or_no("save_intermediate_results", "whether artifacts are written as files"),
            group_readable: output.yes_or_no("group_readable", "whether your group may read the canonical articles"),
        });
        let prompts = editor.section("prompts", "where the prompts are", |prompts| PromptSettings {
            root_dir: workspace.join(prompts.text("root_dir", "the folder of the prompts")).components().collect(),
            writer: prompts.text("writer_prompt_file", "a file's name"),
            revision: prompts.text("revision_prompt_file", "a file's name"),
            article_review: prompts.text("article_review_prompt_file", "a file's name"),
            concern_mapping: prompts.text("concern_mapping_prompt_file", "a file's name"),
            specialists_dir: prompts.text("specialists_dir", "a folder's name"),
        });
        (max_rounds, concerns_limit, output, prompts)
    });
    let models = section.section("agents", "the section of the agents' models", read_models);
    let knowledge_base =
        section.section("knowledge_base", "the section of the knowledge base", |base| read_knowledge(base, workspace));
    let perplexity = section.section_or_null("perplexity", "the search for outside evidence", |search| {
        Some(Perplexity {
            endpoint: endpoint(search, "api_base")?,
            api_key: search.secret("api_key", "the service's key, a non-empty string,"),
            model: search.text("model", "the search model, such as sonar"),
            timeout_seconds: seconds(search),
        })
    });
    let institutional_memory =
        section.section("institutional_memory", "the section of earlier checks", |memory| InstitutionalMemory {
            data_dir: folder(memory, "data_dir", workspace, "the folder of earlier checks"),
            fact_checking_subdir: sub_folder(memory, "fact_checking_subdir"),
            evidence_finding_subdir: sub_folder(memory, "evidence_finding_subdir"),
            expires_after_days: days(
                memory,
                "expires_after_days",
                "the days after which a record is not offered any more",
            ),
        });
    let allowed_styles = section.texts("allowed_styles", "a list of styles, each a file prompts/styles/<NAME>.md,");
    for style in &allowed_styles {
        if PathName::new(style.clone()).is_err() {
            section.problem("allowed_styles", format!("holds {style:?}, which cannot be a file's name"));
        }
    }
    let default_style_mode = section.text("default_style_mode", "one of allowed_styles");
    if !default_style_mode.is_empty() && !allowed_styles.is_empty() && !allowed_styles.contains(&default_style_mode) {
        let styles = allowed_styles.join(", ");
        section.problem(
            "default_style_mode",
            format!("is {default_style_mode:?}; one of allowed_styles ({styles}) belongs there"),
        );
    }
    let default_target_length_words =
        section.text("default_target_length_words", "a length in words, such as 900-1200,");
    let listener_aware = section.yes_or_no("listener_aware", "whether what agents send on is shaped for who reads it");
    let (max_rounds, concerns_limit, output, prompts) = editor?;
    Some(ArticleGeneration {
        engine: engine?,
        recording: recording.map(|file| workspace.join(file).components().collect()),
        record_to: None,
        watched: None,
        encoding: encoding?.to_owned(),
        source_budget_tokens,
        writer_mode: writer_mode?,
        default_channel: default_channel?,
        max_rounds: u32::try_from(max_rounds).ok()?,
        concerns_limit: u32::try_from(concerns_limit).ok()?,
        output: output?,
        prompts: prompts?,
        models: models??,
        knowledge_base: knowledge_base??,
        // A section that is there but broken has reported its own problem.
        perplexity: perplexity.flatten(),
        institutional_memory: institutional_memory?,
        allowed_styles,
        default_style_mode,
        default_target_length_words,
        listener_aware,
    })
}

fn sub_folder(section: &Section<'_>, key: &'static str) -> String {
    path_name(section, key, "the name of a subfolder").map(String::from).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert!(settings.local_only);
        assert!(settings.article_generation.perplexity.is_none());
        assert_eq!(settings.database, Path::new("/desk/data/copydesk.db"));
        assert_eq!(settings.article_generation.models.writer.prompt_limit(), 24_576, "beside an answer of 8,192");
    }

    #[test]
    fn every_problem_is_reported_with_its_line_and_what_belongs_there() {
        let yaml = TEMPLATE
            .replace("engine: offline", "engine: magic")
            .replace("editor_max_rounds: 3", "editor_max_rounds: 0\n    editor_max_round: 3")
            .replace("concerns_limit: 40", "concerns_limit: 0")
            .replace("    default_style_mode", "    default_style")
            .replace("default_style_mode: SCIAM_MAGAZINE", "default_style_mode: TABLOID")
            .replace("local_only: true", "local_only:");
        let found = problems(&yaml);
        assert_eq!(
            found,
            [
                format!(
                    "{}: article_generation.engine is \"magic\"; who does the work, one of offline, llm, recorded, belongs there",
                    line_of("engine: offline")
                ),
                format!(
                    "{}: article_generation.editor.editor_max_rounds is out of range; how many rounds of review there may be, a whole number from 1 to 20, belongs there",
                    line_of("editor_max_rounds: 3")
                ),
                format!(
                    "{}: article_generation.editor.editor_max_round is not a key of this section; its keys are editor_max_rounds, concerns_limit, output, prompts",
                    line_of("editor_max_rounds: 3") + 1
                ),
                format!(
                    "{}: article_generation.editor.concerns_limit is out of range; how many concerns of a review are judged one by one, a whole number from 1 to 1000, belongs there",
                    line_of("concerns_limit: 40") + 1
                ),
                format!(
                    "{}: article_generation.default_style_mode is \"TABLOID\"; one of allowed_styles (NATURE_NEWS, SCIAM_MAGAZINE) belongs there",
                    line_of("default_style_mode:") + 1
                ),
                format!(
                    "{}: privacy.local_only is empty; whether every host but this machine is refused, true or false, belongs there",
                    line_of("local_only: true") + 1
                ),
            ]
        );
    }

    #[test]
    fn an_empty_secret_and_a_missing_key_are_errors() {
        let yaml = TEMPLATE.replacen("api_key: lm-studio", "api_key: \"\"", 1).replacen(
            "      max_tokens: 8192 ",
            "      # 8192 ",
            1,
        );
        let found = problems(&yaml);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found.iter().any(|p| p.contains("writer_llm.api_key is empty; the server's key")), "{found:?}");
        assert!(found.iter().any(|p| p.contains("writer_llm.max_tokens is missing; the most tokens")), "{found:?}");
    }

    #[test]
    fn local_only_refuses_each_host_that_is_not_this_machine_and_names_its_key() {
        let perplexity = "perplexity:\n    api_base: https://api.perplexity.ai\n    api_key: pplx-abcdef\n    model: sonar\n    timeout_seconds: 45";
        let yaml = TEMPLATE.replacen("perplexity: null", perplexity, 1);
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
        assert!(problems(&placeholder)[0].contains("still holds the template's placeholder"));
    }

    #[test]
    fn an_address_must_be_one_and_holds_no_key() {
        for bad in ["localhost:1234", "ftp://127.0.0.1/v1", "http://user:key@127.0.0.1/v1", "http://127.0.0.1/v1?key=x"]
        {
            let found = problems(&TEMPLATE.replacen("http://127.0.0.1:1234/v1", bad, 1));
            assert!(found[0].contains("writer_llm.api_base"), "{bad}: {found:?}");
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
