//! Serves metrics and health, and keeps a log file, if the configuration says so.

use std::time::{Duration, Instant};

use async_trait::async_trait;
use tokio::{
    sync::{Mutex, OnceCell},
    task::JoinHandle,
};

use super::{clock::SystemClock, files, models};
use crate::cli::prelude::*;
use crate::config::{Engine, ModelSettings};
use crate::llm::{Probe, probe};
use crate::newsroom::{Agent, Pool};
use crate::observability::{HealthCheck, HealthPart, LogFile, Meter, MetricsServer};
use crate::ports::{FactBook as _, Occasion, ServerDown, Watch, aside};

#[cfg(feature = "otlp")]
use crate::{
    llm::TraceCollector,
    observability::{TraceExporter, Tracing},
    ports::Archive as _,
};

/// How long an answer about the parts holds: whoever asks often does not make servers answer often.
const HOLDS: Duration = Duration::from_secs(10);

/// Steps of each pool that this program may do at once.
pub(crate) fn slots(settings: &Settings) -> Vec<(Pool, usize)> {
    Pool::ALL.into_iter().filter_map(|pool| Some((pool, *settings.desk.pools.get(&pool)?))).collect()
}

/// Tells a person what is wrong.
type Say = Box<dyn Fn(&str) + Send + Sync>;

/// Metrics that are served, and traces that are sent, until this is dropped.
pub(crate) struct Observing {
    metrics: Option<JoinHandle<()>>,
    #[cfg(feature = "otlp")]
    _traces: Option<Tracing>,
}

impl Observing {
    /// Serves metrics and health, and sends traces, if the configuration says where. `told` is told the address. An error is
    /// reported, and stops nothing.
    pub(crate) async fn begin(settings: &Settings, store: &Store, say: Say, told: &mut dyn FnMut(&str)) -> Self {
        #[cfg(not(feature = "otlp"))]
        if settings.observability.traces.is_some() {
            say(
                "traces: this build cannot send them (observability.traces); the released binaries can, and so can one that is built with \
                 `--features otlp`",
            );
        }
        Self {
            metrics: metrics(settings, store, &say, told).await,
            #[cfg(feature = "otlp")]
            _traces: traces(settings, store, say).await,
        }
    }
}

impl Drop for Observing {
    fn drop(&mut self) {
        if let Some(task) = &self.metrics {
            task.abort();
        }
    }
}

/// Sends traces, if there is a collector.
#[cfg(feature = "otlp")]
async fn traces(settings: &Settings, store: &Store, say: Say) -> Option<Tracing> {
    let wanted = settings.observability.traces.clone()?;
    let content = wanted.content;
    let end = match store.tail(i64::MAX).await {
        Ok(tail) => tail.last,
        Err(error) => {
            say(&format!("traces: {error}. Stories go on without them"));
            return None;
        }
    };
    let exporter = TraceExporter {
        store: store.clone(),
        sink: TraceCollector::new(wanted, settings.secrets(), settings.privacy.local_only),
        place: wiring::lock_folder(settings).join("traces"),
        end,
        content,
        say,
    };
    let begun = Tracing::begin(exporter, Occasion::of_house("traces", Some(wiring::books(store))));
    begun.map_err(|error| headless::message(&format!("traces: {error}. Stories go on without them"))).ok()
}

/// Serves metrics and health, if there is an address for them.
async fn metrics(settings: &Settings, store: &Store, say: &Say, told: &mut dyn FnMut(&str)) -> Option<JoinHandle<()>> {
    let address = settings.observability.metrics_addr?;
    let meter = Meter::new(Arc::new(store.clone()), Arc::new(SystemClock), slots(settings));
    let health = Arc::new(Parts::new(settings, store));
    let (server, listens) = MetricsServer::listen(address, meter, Arc::clone(&health) as Arc<dyn HealthCheck>).await;
    match listens {
        Ok(at) if at.ip().is_loopback() => {
            told(&format!("Metrics and health: http://{at}/metrics, /healthz and /readyz"));
        }
        Ok(at) => told(&format!(
            "Metrics and health: http://{at}/metrics, /healthz and /readyz. Everybody who reaches this address can read them \
                 (observability.metrics_addr); 127.0.0.1 is this machine alone"
        )),
        Err(error) => say(&error.to_string()),
    }
    Some(tokio::spawn(async move {
        // Before anybody can ask: a caller who goes away must not have a large file read again.
        health.recording().await;
        server.serve().await;
    }))
}

/// Writes the desk's events to the log file too, if there is one. `say` tells the person about a fault of the file.
pub(crate) fn logged(settings: &Settings, watch: Arc<dyn Watch>, say: Say) -> Arc<dyn Watch> {
    let observability = &settings.observability;
    match &observability.log {
        None => watch,
        Some(file) => {
            let most = observability.log_mb.saturating_mul(1_000_000);
            Arc::new(LogFile::new(file, most, watch, say))
        }
    }
}

/// The parts that a story needs.
struct Parts {
    settings: Settings,
    store: Store,
    last: Mutex<Option<(Instant, Vec<HealthPart>)>>,
    /// The state of the recording, or why it cannot be read. The desk has read it when it began, so it is counted once.
    recording: OnceCell<HealthPart>,
}

#[async_trait]
impl HealthCheck for Parts {
    async fn parts(&self) -> Vec<HealthPart> {
        let mut last = self.last.lock().await;
        if let Some((at, parts)) = &*last
            && at.elapsed() < HOLDS
        {
            return parts.clone();
        }
        // A server on another machine is asked on an occasion only, and the ledger has it.
        let parts = Occasion::of_house("health", Some(wiring::books(&self.store))).during(self.health_parts()).await;
        *last = Some((Instant::now(), parts.clone()));
        parts
    }
}

impl Parts {
    fn new(settings: &Settings, store: &Store) -> Self {
        let (settings, store) = (settings.clone(), store.clone());
        Self { settings, store, last: Mutex::default(), recording: OnceCell::new() }
    }

    /// The state of the recording, if answers come from one. It is read on another thread, because it can be large.
    async fn recording(&self) -> Option<&HealthPart> {
        if self.settings.article_generation.engine != Engine::Recorded {
            return None;
        }
        let counted = self.recording.get_or_init(|| async {
            let settings = self.settings.clone();
            match aside(move || models::recording(&settings)).await {
                Ok(found) => HealthPart::of("models", found),
                Err(error) => HealthPart::open("models", error.to_string()),
            }
        });
        Some(counted.await)
    }

    async fn health_parts(&self) -> Vec<HealthPart> {
        let settings = &self.settings;
        let backlog = self.store.backlog(SystemClock.now().as_millisecond()).await;
        let place = backlog.as_ref().map(|_| settings.database.to_string());
        let mut parts = vec![HealthPart::of("database", place)];
        let engine = settings.article_generation.engine;
        if engine == Engine::Offline {
            parts.push(HealthPart::ready("models", "not needed (engine: offline)"));
            return parts;
        }
        let root = settings.article_generation.editor.prompts.root_dir.display().to_string();
        parts.push(HealthPart::of("prompts", files::prompts(settings).map(|_| root)));
        if let Some(counted) = self.recording().await {
            parts.push(counted.clone());
            return parts;
        }
        self.agents(&backlog.map(|backlog| backlog.down).unwrap_or_default(), &mut parts).await;
        let slots = |pool: Pool| settings.desk.pools.get(&pool).copied().unwrap_or(1);
        let pools: Vec<String> = Pool::ALL.into_iter().map(|pool| format!("{} {}", pool.name(), slots(pool))).collect();
        parts.push(HealthPart::ready("pools", format!("steps at once: {}", pools.join(", "))));
        parts
    }

    /// Each agent's server, and whether it has the agent's model.
    async fn agents(&self, down: &[ServerDown], parts: &mut Vec<HealthPart>) {
        let models = &self.settings.article_generation.models;
        let models: Vec<(Agent, &ModelSettings)> =
            Agent::all().filter_map(|agent| Some((agent, models.of(agent)?))).collect();
        let mut addresses: Vec<&ModelSettings> = Vec::new();
        for (_, model) in &models {
            if !addresses.iter().any(|known| known.endpoint.base == model.endpoint.base) {
                addresses.push(model);
            }
        }
        let local_only = self.settings.privacy.local_only;
        let asked = addresses.into_iter().map(|model| async move {
            (&model.endpoint.base, probe(&model.endpoint, Some(&model.api_key), local_only).await)
        });
        let asked = futures_util::future::join_all(asked).await;
        for (agent, model) in models {
            let (part, server) = (format!("agent {}", agent.name()), model.endpoint.authority());
            let answer = asked.iter().find(|(base, _)| **base == model.endpoint.base).map(|(_, answer)| answer);
            parts.push(match answer {
                _ if down.iter().any(|down| down.server == server) => {
                    HealthPart::open(part, format!("{server} has failed and is left alone for now; does it run?"))
                }
                Some(Probe::Nothing(why)) => {
                    HealthPart::open(part, format!("{server} does not answer ({why}); start it, or change api_base"))
                }
                Some(Probe::Models(list)) if !list.contains(&model.model) => {
                    HealthPart::open(part, format!("{server} does not offer {}", model.model))
                }
                _ => HealthPart::ready(part, format!("{} at {server}", model.model)),
            });
        }
    }
}
