//! `copydesk doctor`: each part, fine or what to do.

mod chart;
mod probe;
mod servers;
mod tools;

use self::chart::Chart;
use crate::agents::{skill_costs, skill_problems};
use crate::cli::commands::audit::audited;
use crate::cli::prelude::*;
use crate::cli::wiring::{
    embedder, files,
    settings::FoundConfig,
    skills::{self, FoundSkills, Taught},
};
use crate::config::{Embedding, Engine, ModelSettings};
use crate::knowledge::{
    self,
    reading::{self, Confinement},
    regular,
};
use crate::llm::{Probe, probe_loaded};
use crate::newsroom::RunState;
use crate::ports::{Archive, StoreError, WorkProgress};
use crate::skills::AgentProfile;
use crate::text::{count, thousands};

/// Most problems of the knowledge base in its line.
const MOST_PROBLEMS: usize = 3;

/// How far the clock of the desk's server may be from this machine's.
#[cfg(feature = "postgres")]
const MOST_SECONDS_APART: u64 = 2;

#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// Also ask each model what it can take, and name the settings that do not fit. A few short calls; nothing is written.
    #[arg(long)]
    probe: bool,
}

pub(crate) async fn doctor(given: Option<&Path>, arguments: DoctorArgs) -> Result<Exit> {
    let mut chart = Chart::default();
    let file = match settings::find(given)? {
        FoundConfig::File(file) => file,
        FoundConfig::Nowhere(file) => {
            chart.open(
                "configuration",
                &format!(
                    "there is none. `copydesk init` writes config/config.yaml here; the first run would write {}",
                    file.display()
                ),
            );
            return Ok(Exit::Failed);
        }
    };
    let settings = settings::read(&file)?;
    wiring::house(&settings, "doctor").during(examine(&mut chart, &file, &settings)).await;
    if arguments.probe {
        wiring::house(&settings, "doctor --probe").during(probe::probe(&mut chart, &file, &settings)).await?;
    }
    chart.written?;
    let verb = if chart.to_do == 1 { "needs" } else { "need" };
    headless::message(&format!("{} parts are fine, {} {verb} attention.", chart.fine, chart.to_do));
    Ok(if chart.to_do == 0 { Exit::Fine } else { Exit::Failed })
}

async fn examine(chart: &mut Chart, file: &Path, settings: &Settings) {
    keys(chart, settings);
    readable_by_others(chart, file, settings);
    let generation = &settings.article_generation;
    chart.fine(
        "configuration",
        &format!("{} (engine: {}, editor: {})", file.display(), generation.engine.name(), settings.editor),
    );
    chart.fine("workspace", &settings.workspace.display().to_string());
    built(chart);
    readers(chart);
    prompts(chart, settings);
    let taught = taught(chart, settings);
    flags(chart, settings);
    folders(chart, settings);
    database(chart, settings, &taught).await;
    embedding(chart, settings).await;
    second_opinion(chart, settings);
    publisher(chart, settings);
    match generation.engine {
        Engine::Offline => chart.fine("models", "not needed (engine: offline)"),
        Engine::Llm => models(chart, settings).await,
        Engine::Recorded => chart.state("models", wiring::models::recording(settings)),
    }
    servers::servers(chart, settings).await;
    match (&generation.perplexity, settings.evidence_service()) {
        (Some(search), _) => chart.fine(
            "outside evidence",
            &format!("{} at {} (not tested: each question costs money)", search.model, search.endpoint.authority()),
        ),
        (None, Some((service, _))) if generation.engine.has_models() => {
            let said = format!("SearXNG at {}, whose pages are opened and read", service.endpoint().authority());
            chart.fine("outside evidence", &said);
        }
        _ => chart.fine("outside evidence", "off (perplexity: null)"),
    }
    tools::web_search(chart, settings).await;
    tools::renderer(chart, settings);
    match &settings.transcription {
        Some(server) => chart.fine(
            "recordings",
            &format!("{} at {} (not tested: it may cost money)", server.model, server.endpoint.authority()),
        ),
        None => chart.fine("recordings", "off (transcription: null)"),
    }
    if settings.privacy.local_only {
        chart.fine("privacy", "nothing leaves this machine (local_only: true)");
    } else {
        let mut outside: Vec<String> = settings
            .endpoints()
            .into_iter()
            .filter(|endpoint| !endpoint.is_loopback())
            .map(|endpoint| format!("{} ({})", endpoint.authority(), endpoint.setting))
            .collect();
        outside.dedup();
        let named = if outside.is_empty() { "none is named".to_owned() } else { outside.join(", ") };
        chart.fine("privacy", &format!("other machines may be asked: {named}"));
    }
}

/// Adds the parts that this build has and those that it leaves out.
fn built(chart: &mut Chart) {
    let parts = [
        ("PDF files", cfg!(feature = "pdf")),
        ("embedding in process", cfg!(feature = "embedding")),
        ("MCP", cfg!(feature = "mcp")),
        ("e-mail", cfg!(feature = "mail")),
        ("traces", cfg!(feature = "otlp")),
    ];
    let named = |built: bool| {
        let names: Vec<&str> = parts.iter().filter(|(_, has)| *has == built).map(|(name, _)| *name).collect();
        names.join(", ")
    };
    let (has, lacks) = (named(true), named(false));
    let mut said = Vec::new();
    if !has.is_empty() {
        said.push(format!("has {has}"));
    }
    if !lacks.is_empty() {
        said.push(format!(
            "leaves out {lacks}: the released binaries have all, and so has `cargo build --release --features full`"
        ));
    }
    chart.fine("this build", &said.join("; "));
}

/// Says what keeps the processes that read files from harm.
fn readers(chart: &mut Chart) {
    let confined = reading::confinement().map(|Confinement { stands, missing, whole }| {
        let missing = if missing.is_empty() {
            String::new()
        } else {
            format!(". This system does not offer: {}", missing.join("; "))
        };
        let allowed = if whole { "" } else { ". reading.without_sandbox: true allows it" };
        format!("in a process of its own: {}{missing}{allowed}", stands.join("; "))
    });
    chart.state("reading files", confined);
}

fn keys(chart: &mut Chart, settings: &Settings) {
    chart.state("keys", settings::keys(settings).map(|_| format!("{} remapped", settings.tui.keys.len())));
}

/// Warns of a configuration that others can read or change.
#[cfg(unix)]
fn readable_by_others(chart: &mut Chart, file: &Path, settings: &Settings) {
    use std::os::unix::fs::PermissionsExt as _;
    let Ok(mode) = file.metadata().map(|found| found.permissions().mode()) else { return };
    let shown = file.display();
    if mode & 0o022 != 0 {
        chart.open("configuration", &format!("others can change {shown}: run chmod 600 {shown}"));
    } else if mode & 0o044 != 0
        && regular::read_to_string(file, settings::MOST_BYTES).is_ok_and(|yaml| settings.holds_key(&yaml))
    {
        chart.open("configuration", &format!("{shown} holds a key and others can read it: run chmod 600 {shown}"));
    }
}

#[cfg(not(unix))]
fn readable_by_others(_: &mut Chart, _: &Path, _: &Settings) {}

fn prompts(chart: &mut Chart, settings: &Settings) {
    let root = settings.article_generation.editor.prompts.root_dir.display().to_string();
    needed_by_models(chart, settings, "prompts", files::prompts(settings).map(|_| root));
    let styles = files::styles(settings).map(|styles| {
        let mut names: Vec<String> = styles.into_keys().collect();
        names.sort();
        names.join(", ")
    });
    needed_by_models(chart, settings, "styles", styles);
}

/// Files that only models read.
fn needed_by_models(chart: &mut Chart, settings: &Settings, part: &str, found: Result<String>) {
    if found.is_err() && !settings.article_generation.engine.has_models() {
        chart.fine(part, "none, and none needed (engine: offline). `copydesk init` writes them");
    } else {
        chart.state(part, found);
    }
}

/// Names each problem of the agents' files and of their skills. Returns what can be used.
fn taught(chart: &mut Chart, settings: &Settings) -> Taught {
    let on = settings.skills.enabled && settings.article_generation.engine.has_models();
    let folder = skills::folder(settings);
    let Some(found) = skills::find(&folder) else {
        if on {
            chart.open("skills", &skills::missing(&folder));
        } else {
            chart.fine("skills", "none, and none needed. `copydesk init` writes them");
        }
        return Taught::default();
    };
    for problem in &found.profile_problems {
        chart.open("agents", &format!("{}/{problem}", folder.display()));
    }
    if found.profile_problems.is_empty() {
        let files: Vec<&str> = found.profiles.iter().map(|profile| profile.agent.folder).collect();
        let files = if files.is_empty() { "none has a file of its own".to_owned() } else { files.join(", ") };
        chart.fine("agents", &format!("{} of {}: {files}", AgentProfile::FILE, folder.display()));
    }
    skills_of(chart, settings, &found);
    Taught { skills: found.skills, profiles: found.profiles }
}

/// Names each problem of the skills, also if they are off: then they can be put right before they are turned on.
fn skills_of(chart: &mut Chart, settings: &Settings, found: &FoundSkills) {
    const NAME: &str = "skills";
    let on = settings.skills.enabled && settings.article_generation.engine.has_models();
    let folder = skills::folder(settings);
    for problem in &found.problems {
        chart.open("skill", &format!("{}/{problem}", folder.display()));
    }
    let windows = wiring::windows(settings);
    let users = settings.tool_users();
    let too_long = if on { skill_problems(&found.skills, &found.profiles, &windows, users) } else { Vec::new() };
    for problem in &too_long {
        chart.open(NAME, problem);
    }
    if !found.problems.is_empty() || !too_long.is_empty() {
        return;
    }
    let costs = skill_costs(&found.skills, &[], &windows, users);
    let what = |skills: &[String]| if skills.is_empty() { "names alone".to_owned() } else { skills.join(", ") };
    let prompts: Vec<String> = costs
        .iter()
        .map(|cost| format!("{} {} ({})", cost.prompt, thousands(cost.tokens), what(&cost.skills)))
        .collect();
    let adds = if costs.is_empty() {
        "no prompt".to_owned()
    } else {
        let (own, all) =
            (costs.iter().map(|cost| cost.tokens).sum(), costs.iter().map(|cost| cost.tokens_of_all).sum());
        let (own, all) = (thousands(own), thousands(all));
        format!(
            "{}; together {own}, and {all} if each prompt had the text of all its agent's skills",
            prompts.join(", ")
        )
    };
    let used = match (settings.skills.enabled, settings.article_generation.engine) {
        (true, Engine::Llm | Engine::Recorded) => "Tokens they add to a call",
        (true, Engine::Offline) => "not used (engine: offline). Tokens they would add to a call",
        (false, _) => "off (skills.enabled: false). Tokens they would add to a call",
    };
    chart.fine(NAME, &format!("{} in {}; {used}: {adds}", found.skills.len(), folder.display()));
}

fn flags(chart: &mut Chart, settings: &Settings) {
    let rules = files::flag_rules(settings).map(|rules| {
        let (desks, words) = (count(rules.sensitive.desks.len(), "desk"), count(rules.sensitive.words.len(), "word"));
        format!("{desks} and {words} make a topic sensitive")
    });
    chart.state("flags", rules);
}

fn folders(chart: &mut Chart, settings: &Settings) {
    let output = &settings.article_generation.editor.output;
    let memory = &settings.article_generation.institutional_memory;
    for (part, folder) in [
        ("articles", &output.final_articles_dir.path),
        ("runs", &output.run_artifacts_dir.path),
        ("memory", &memory.data_dir.path),
    ] {
        let shown = folder.display().to_string();
        let attempt = std::fs::create_dir_all(folder).and_then(|()| tempfile::NamedTempFile::new_in(folder));
        let cannot =
            |error: std::io::Error| format!("{shown} cannot be written ({error}); change its permissions or its key");
        chart.state(part, attempt.map(|_| shown.clone()).map_err(cannot));
    }
}

async fn database(chart: &mut Chart, settings: &Settings, taught: &Taught) {
    let file = settings.database.to_string();
    let store = match wiring::store(settings) {
        Ok(store) => store,
        Err(error) => {
            chart.open("database", &error.to_string());
            return;
        }
    };
    let listed = store.list(false).await.map(|runs| {
        let open = runs.iter().filter(|(_, run)| run.state == RunState::Open).count();
        format!("{file}: {}, {open} unfinished", count(runs.len(), "story"))
    });
    chart.state("database", listed);
    #[cfg(feature = "postgres")]
    server(chart, &store).await;
    match audited(settings, &store).await {
        Ok(audit) if audit.flaws.is_empty() => {
            let whole = "from the first to the last; texts and sign-offs are as they were written";
            let hidden = match audit.hidden {
                0 => String::new(),
                hidden => format!("; {hidden} are of stories that you may not see, and only their places were checked"),
            };
            chart.fine("audit log", &format!("{}, whole {whole}{hidden}", count(audit.events, "event")));
        }
        Ok(audit) => audit.flaws.iter().for_each(|flaw| {
            chart.open(
                "database",
                &format!("{flaw}; if you did not do this, `copydesk restore` puts a backup in its place"),
            );
        }),
        Err(error) => chart.open("audit log", &error.to_string()),
    }
    tools::of_agents(chart, settings, &store, taught).await;
    let base = &settings.article_generation.knowledge_base;
    let folder = base.data_dir.path.display();
    match knowledge::refresh(&store, base, &settings.article_generation.encoding, &WorkProgress::default()).await {
        Ok(done) if done.problems.is_empty() => {
            chart.fine("knowledge base", &format!("{folder}: {}", count(done.files, "file")));
        }
        Ok(done) => chart.open("knowledge base", &format!("{folder}: {}", first(&done.problems))),
        Err(error) => chart.open("knowledge base", &error.to_string()),
    }
}

/// Names the desk's server and the rights that it refuses.
#[cfg(feature = "postgres")]
async fn server(chart: &mut Chart, store: &Store) {
    const NAME: &str = "database server";
    let before = SystemClock.now().as_millisecond();
    let facts = match store.server().await {
        Ok(Some(facts)) => facts,
        Ok(None) => return,
        Err(error) => return chart.open(NAME, &error.to_string()),
    };
    chart.fine(NAME, &format!("PostgreSQL {}, pgvector {}", facts.version, facts.vectors));
    if !facts.closed.is_empty() {
        let closed = facts.closed.join(", ");
        chart.open(NAME, &format!("the user may not read, or not add to, {closed}: if you mean that, leave it so, or their owner can grant it"));
    }
    let now = SystemClock.now().as_millisecond();
    let ahead = if facts.clock < before { before - facts.clock } else { now.min(facts.clock) - facts.clock };
    let seconds = ahead.unsigned_abs().div_ceil(1000);
    if seconds > MOST_SECONDS_APART {
        let way = if ahead > 0 { "ahead of" } else { "behind" };
        chart.open(
            NAME,
            &format!("this machine's clock is {seconds} s {way} the server's: set both by the network, or limits per minute and retries go wrong"),
        );
    }
}

/// The first few of the knowledge base's problems, in one line.
fn first(problems: &[String]) -> String {
    let (shown, more) = problems.split_at(problems.len().min(MOST_PROBLEMS));
    let shown = shown.join("; ");
    match more.len() {
        0 => shown,
        more => format!("{shown}; and {more} more: `copydesk kb index` lists them all"),
    }
}

/// Has one vector made.
async fn embedding(chart: &mut Chart, settings: &Settings) {
    let named = match &settings.article_generation.knowledge_base.embedding {
        None => "none".to_owned(),
        Some(Embedding::Server(server)) => format!("{} at {}", server.model, server.endpoint.authority()),
        Some(Embedding::Folder { model_dir }) => model_dir.display().to_string(),
    };
    match embedder::try_out(settings).await {
        Ok(Some(length)) if !length.is_multiple_of(8) => {
            chart.open("embedder", &StoreError::Length { identity: named, length }.to_string());
        }
        Ok(Some(numbers)) => chart.fine("embedder", &format!("{named}: vectors of {numbers} numbers")),
        Ok(None) => chart.fine("embedder", "none: the search matches words only (knowledge_base.embedding: null)"),
        Err(error) => chart.open("embedder", &format!("{named}: {error} (embedding: null turns it off)")),
    }
}

/// Says whose opinions are asked for.
fn second_opinion(chart: &mut Chart, settings: &Settings) {
    let whose = settings.asks_second_opinion().map(|agent| format!("the model of {}", agent.name()));
    chart.fine("second opinion", &whose.unwrap_or_else(|| "off".to_owned()));
}

/// Says who looks at a draft that passed.
fn publisher(chart: &mut Chart, settings: &Settings) {
    let model = settings.article_generation.models.publisher.as_ref();
    let said = match model.filter(|_| settings.asks_publisher()) {
        _ if !settings.publisher.checks => "looks at no draft (publisher.checks: false)".to_owned(),
        Some(model) => format!("rules, and notes of the model {}", model.model),
        None => "rules".to_owned(),
    };
    chart.fine("publisher", &said);
}

/// Asks each server once, and looks for each agent's model in its list.
async fn models(chart: &mut Chart, settings: &Settings) {
    if settings.has_no_reviewer() {
        chart.fine("reviewer", "none: the proof reviews alone (article_review_llm: null)");
    }
    let models: Vec<&ModelSettings> = settings.article_generation.models.all().collect();
    let mut asked: Vec<(String, Probe)> = Vec::new();
    for model in &models {
        let address = model.endpoint.base.to_string();
        if !asked.iter().any(|(known, _)| *known == address) {
            let host = model.endpoint.authority();
            let wait = || headless::message(&format!("{host} is loading its model; waiting for it…"));
            let answer = probe_loaded(&model.endpoint, Some(&model.api_key), settings.privacy.local_only, wait).await;
            asked.push((address, answer));
        }
    }
    for (address, answer) in &asked {
        let wanted: Vec<&ModelSettings> =
            models.iter().filter(|model| model.endpoint.base.as_str() == address).copied().collect();
        match answer {
            Probe::Loading => chart.open("model server", &format!("{address} is loading its model; ask again later")),
            Probe::Nothing(why) => {
                chart.open("model server", &format!("{address} does not answer ({why}); start it, or change api_base"));
            }
            Probe::Models(list) => {
                chart.fine("model server", address);
                let mut missing: Vec<&str> = wanted
                    .iter()
                    .map(|model| model.model.as_str())
                    .filter(|name| !list.iter().any(|known| known == name))
                    .collect();
                missing.dedup();
                for name in missing {
                    chart.open("model", &format!("{address} does not offer {name}. It offers {}", list.join(", ")));
                }
            }
        }
    }
}
