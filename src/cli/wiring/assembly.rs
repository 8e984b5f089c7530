//! Puts the adapters into the desk.

use std::time::Duration;

use crate::agents::{Agents, Windows};
use crate::cli::intake::house_style;
use crate::cli::prelude::*;
use crate::cli::wiring::{
    embedder, files,
    librarian::{self, Keeper},
    models::{self, Answering},
    observing, research_tools,
    skills::{self, Taught},
};
use crate::config::{DatabasePlace, DeskSettings, Engine, KnowledgeBase, Price, ResearchConfig};
use crate::desk::{Desk, Outputs, QueueRules, RetrievalRules, StoryLocks};
use crate::editorial::{topic_file::TopicDefaults, version};
use crate::knowledge::{self, Chunking, Library, Open};
use crate::newsroom::{Agent, CitationStyle, Disclosure, ResearchRules, RunSettings};
use crate::ports::{Breaker, Budget, ModelClient, Occasion, RequestBooks, StoreError, Watch, WorkProgress};

/// The settings, and the database that they name.
pub(crate) fn open(config: Option<&Path>) -> Result<(Settings, Store)> {
    let settings = settings::load(config)?;
    let store = store(&settings)?;
    Ok((settings, store))
}

/// The same for a command that changes nothing.
pub(crate) fn open_to_look(config: Option<&Path>) -> Result<(Settings, Store)> {
    let settings = settings::load(config)?;
    let store = store_to_look(&settings)?;
    Ok((settings, store))
}

/// Opens the database. One that cannot be opened is for the person to mend.
///
/// # Errors
/// [`WrongUse`] if the person can mend it.
pub fn store(settings: &Settings) -> Result<Store> {
    opened(store_at(&settings.database))
}

/// The desk in a file or on a server.
///
/// # Errors
/// [`StoreError`] as the store, or if it is on a server and this program was built without one.
pub fn store_at(place: &DatabasePlace) -> Result<Store, StoreError> {
    match place {
        DatabasePlace::File(file) => Store::open(file),
        #[cfg(feature = "postgres")]
        DatabasePlace::Server(server) => Store::connect(server.url.reveal()),
        #[cfg(not(feature = "postgres"))]
        DatabasePlace::Server(_) => Err(StoreError::CannotOpen {
            file: place.to_string(),
            detail: "this program was built without PostgreSQL; install a released one, or build it with --features postgres".into(),
        }),
    }
}

/// The database for a command that changes nothing: also on a disk that cannot be written to.
pub(crate) fn store_to_look(settings: &Settings) -> Result<Store> {
    match &settings.database {
        DatabasePlace::File(file) => opened(Store::open_to_look(file)),
        DatabasePlace::Server(_) => store(settings),
    }
}

fn opened(store: Result<Store, StoreError>) -> Result<Store> {
    store.map_err(|error| match error {
        StoreError::Newer { .. }
        | StoreError::CannotOpen { .. }
        | StoreError::NotUsable { .. }
        | StoreError::ReadOnly { .. } => WrongUse(error.to_string()).into(),
        other => other.into(),
    })
}

/// Where the requests are noted that are made for no story.
pub(crate) fn books(store: &Store) -> RequestBooks {
    RequestBooks { ledger: Arc::new(store.clone()), clock: Arc::new(SystemClock) }
}

/// The occasion of work for no story. Without a database, what is asked for is not noted.
pub fn house(settings: &Settings, why: &str) -> Occasion {
    let there = is_there(&settings.database).then(|| store(settings).ok()).flatten();
    Occasion::of_house(why, there.as_ref().map(books))
}

/// Whether there is a database to open. Whether a server has one is known once it is asked.
pub(crate) fn is_there(place: &DatabasePlace) -> bool {
    place.file().is_none_or(Path::exists)
}

/// Where deleted content may still lie.
pub(crate) fn left_behind(place: &DatabasePlace) -> &'static str {
    match place {
        DatabasePlace::File(_) => {
            "Another program is reading the database: some deleted data stays in the file ending in -wal until the last program \
             closes the database."
        }
        DatabasePlace::Server(_) => {
            "The server keeps deleted rows in its files and its log until it uses their place again: its administrator can run VACUUM FULL."
        }
    }
}

/// The defaults from the settings for a topic that leaves things open.
pub(crate) fn topic_defaults(settings: &Settings) -> TopicDefaults {
    let generation = &settings.article_generation;
    TopicDefaults {
        allowed_styles: generation.allowed_styles.clone(),
        style_mode: generation.default_style_mode.clone(),
        target_length_words: generation.default_target_length_words.clone(),
    }
}

/// Where files go.
pub(crate) fn outputs(settings: &Settings) -> Outputs {
    let generation = &settings.article_generation;
    let memory = &generation.institutional_memory;
    Outputs {
        workspace: settings.workspace.clone(),
        articles: generation.editor.output.final_articles_dir.path.clone(),
        runs: generation.editor.output.run_artifacts_dir.configured.clone(),
        fact_checks: memory.data_dir.path.join(memory.fact_checking_subdir.as_str()),
        evidence_searches: memory.data_dir.path.join(memory.evidence_finding_subdir.as_str()),
        save_intermediate_results: generation.editor.output.save_intermediate_results,
        group_readable: generation.editor.output.group_readable,
    }
}

/// Folder of the locks of this machine.
pub(crate) fn lock_folder(settings: &Settings) -> PathBuf {
    settings.database.folder(&settings.workspace).join("locks")
}

/// The locks that keep two programs from one story.
pub(crate) fn locks(settings: &Settings, store: &Store) -> StoryLocks {
    StoryLocks::new(lock_folder(settings), store.shared())
}

/// A desk at work on `store`, with the knowledge base brought up to date.
///
/// # Errors
/// If the settings do not fit each other, or the knowledge base cannot be read.
pub async fn desk(settings: &Settings, store: &Store, watch: Arc<dyn Watch>) -> Result<Arc<Desk>> {
    let library = Arc::new(library(settings, store));
    let watch = observing::logged(settings, watch, Box::new(headless::message));
    let desk = desk_with(settings, store, watch, Arc::clone(&library))?;
    let generation = &settings.article_generation;
    let refreshed =
        knowledge::refresh(store, &generation.knowledge_base, &generation.encoding, &WorkProgress::default()).await?;
    headless::messages(refreshed.problems.iter().map(|problem| format!("knowledge base: {problem}")));
    librarian::vectors_follow(Keeper::new(settings, store, library));
    Ok(Arc::new(desk))
}

/// A desk at work on `store`, with the knowledge base as it was indexed last.
pub(crate) fn desk_with(
    settings: &Settings,
    store: &Store,
    watch: Arc<dyn Watch>,
    library: Arc<Library>,
) -> Result<Desk> {
    let generation = &settings.article_generation;
    let taught = skills::used(settings, &windows(settings))?;
    let tool_registry = research_tools::tool_registry(settings, store, Arc::clone(&library), &taught);
    let Answering { model: client, toolbox } = models::answering(settings, Arc::new(tool_registry))?;
    let shape = run_settings(settings)?;
    let (agents, pins) = agents(settings, &shape, &*client, &taught)?;
    let queue_rules = Arc::new(queue_rules(settings, &*client));
    Ok(Desk {
        agents: Arc::new(agents),
        engine: generation.engine.name(),
        model: client,
        records: Arc::new(store.clone()),
        queue: Arc::new(store.clone()),
        queue_rules,
        stories: Arc::new(store.clone()),
        memory: Arc::new(store.clone()),
        memory_expires_after_days: generation.institutional_memory.expires_after_days,
        archive: Arc::new(store.clone()),
        pages: Arc::new(research_tools::cited(settings)),
        toolbox,
        passages: library,
        research: research(settings),
        fails_with_tools: settings.research.fails_with_tools,
        retrieval: retrieval(&generation.knowledge_base),
        ledger: Arc::new(store.clone()),
        clock: Arc::new(SystemClock),
        watch,
        outputs: outputs(settings),
        locks: locks(settings, store),
        editor: settings.editor.clone(),
        settings: shape,
        specialists_of_a_story: settings.desk.specialists_of_a_story,
        pins,
    })
}

/// The settings that shape a run.
fn run_settings(settings: &Settings) -> Result<RunSettings> {
    let generation = &settings.article_generation;
    let has_models = generation.engine.has_models();
    Ok(RunSettings {
        max_rounds: generation.editor.max_rounds,
        concerns_limit: Some(generation.editor.concerns_limit),
        // Offline the proof is the review.
        proves: has_models && settings.proof.enabled,
        second_opinion: settings.asks_second_opinion().is_some(),
        claims: settings.claims,
        flags: files::flag_rules(settings)?,
        style_rules: house_style::demands(settings)?,
        asks_questions: generation.asks_questions(),
        listener_aware: has_models && generation.listener_aware,
        writer_mode: has_models.then_some(generation.writer_mode),
        no_reviewer: settings.has_no_reviewer(),
        prepares: settings.publisher.checks,
        publisher_asks: settings.asks_publisher(),
        disclosure: settings.publisher.disclosure,
        citations: settings.publisher.citations,
        seeks_evidence: has_models && settings.evidence_service().is_some(),
        tool_users: settings.tool_users(),
    })
}

/// How far the Reporter goes.
fn research(settings: &Settings) -> ResearchRules {
    let research = settings.research;
    let ResearchConfig { triage, passes, turns, calls, .. } = research;
    ResearchRules { assigned: false, triages: triage, passes, turns, calls, limits: research.limits() }
}

/// How a worker takes from the queue.
fn queue_rules(settings: &Settings, client: &dyn ModelClient) -> QueueRules {
    let DeskSettings { pools, queue, servers, budget, .. } = &settings.desk;
    let limits = |agent: Agent| (agent.name().to_owned(), servers.limits(&client.card(agent).host));
    QueueRules {
        pools: pools.clone(),
        max_redeliveries: queue.max_redeliveries,
        backoff: queue.backoff,
        longest_backoff: queue.longest_backoff,
        ageing: queue.ageing,
        lease: queue.lease,
        give_up_after: queue.give_up_after,
        longest_wait: queue.longest_wait,
        breaker: Breaker {
            // Without retries nothing waits for a server either.
            failures: if queue.max_redeliveries == 0 { 0 } else { servers.down_after_failures },
            rest: servers.rest,
            longest: servers.longest_rest,
        },
        budget: Budget {
            tokens: [budget.story_tokens, budget.batch_tokens],
            cost: [budget.story_cost, budget.batch_cost],
            prices: settings.prices.iter().map(Price::by_token).collect(),
        },
        servers: Agent::all().map(limits).collect(),
    }
}

/// The search over what is indexed, with the configured embedder.
pub(crate) fn library(settings: &Settings, store: &Store) -> Library {
    library_with(settings, store, embedder::open(settings.clone()))
}

/// The search over what is indexed.
pub fn library_with(settings: &Settings, store: &Store, embedder: Open) -> Library {
    let base = &settings.article_generation.knowledge_base;
    let sources = Chunking {
        encoding: settings.article_generation.encoding.clone(),
        size: base.source_chunk_size_tokens,
        overlap: base.source_chunk_overlap_tokens,
    };
    Library::new(Arc::new(store.clone()), Arc::new(store.clone()), embedder, sources)
}

fn retrieval(base: &KnowledgeBase) -> RetrievalRules {
    RetrievalRules {
        top_k: base.top_k,
        budget_tokens: base.budget_tokens,
        min_credibility: base.min_credibility,
        timeout: Duration::from_secs_f64(base.timeout_seconds),
    }
}

/// The limits of the prompts of each agent's model, and of the sources, in tokens.
pub(crate) fn windows(settings: &Settings) -> Windows {
    let generation = &settings.article_generation;
    let limit = |agent| Some((agent, generation.models.of(agent)?.prompt_limit()));
    Windows {
        encoding: generation.encoding.clone(),
        prompts: Agent::all().filter_map(limit).collect(),
        sources: generation.source_budget_tokens,
    }
}

/// The agents, and the digest of everything that shapes their work: prompts, skills, styles, models, rounds. The digest
/// has no secrets and no addresses, so that a server may move to another port within a run.
fn agents(
    settings: &Settings,
    shape: &RunSettings,
    client: &dyn ModelClient,
    taught: &Taught,
) -> Result<(Agents, String)> {
    let generation = &settings.article_generation;
    let mut pinned: Vec<String> = Vec::new();
    let mut pin = |text: &str| pinned.push(text.to_owned());
    // Recorded answers are those of models: such a run can go on with either.
    let engine = if generation.engine.has_models() { Engine::Llm } else { Engine::Offline };
    pin(engine.name());
    // What exports say of artificial intelligence and of sources changes no step of a run.
    let shape = RunSettings { disclosure: Disclosure::default(), citations: CitationStyle::default(), ..shape.clone() };
    pin(&serde_json::to_string(&shape)?);
    let agents = match generation.engine {
        Engine::Offline => {
            // The rules are part of the program.
            pin(env!("CARGO_PKG_VERSION"));
            Agents::Offline
        }
        Engine::Llm | Engine::Recorded => {
            let (prompts, texts) = files::prompts(settings)?;
            for text in &texts {
                pin(text);
            }
            let styles = files::styles(settings)?;
            let mut named: Vec<(&String, &String)> = styles.iter().collect();
            named.sort();
            for (name, text) in named {
                pin(name);
                pin(text);
            }
            for agent in Agent::all().filter(|agent| *agent != Agent::Publisher || settings.asks_publisher()) {
                let card = client.card(agent);
                pin(&card.model);
                pin(&card.shape);
            }
            let second_opinion = settings.asks_second_opinion();
            if let Some(agent) = second_opinion {
                pin(agent.name());
            }
            let windows = windows(settings);
            let prompts = prompts.with_skills(&taught.skills, &taught.profiles, shape.tool_users);
            for (prompt, text) in prompts.skills() {
                pin(prompt);
                pin(text);
            }
            for (_, skill) in taught.on_demand(shape.tool_users) {
                pin(&skill.name);
                pin(&skill.body);
            }
            for (agent, tools) in taught.limits() {
                pin(agent.name());
                pin(&tools.join(" "));
            }
            pin(&format!("sources {:?}", generation.source_budget_tokens));
            Agents::Models { prompts, styles, windows, second_opinion }
        }
    };
    Ok((agents, version::digest(pinned.iter().map(String::as_str))))
}
