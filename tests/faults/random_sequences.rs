//! A desk in this process, with a scripted model, under random sequences of decisions, undos, forks, reopenings, changed settings and
//! programs that die between two commits. After each of them the story can be resumed, and every run of it replays to what was recorded.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{
        Arc, LazyLock,
        atomic::{AtomicI64, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use async_trait::async_trait;
use copydesk::{
    agents::{
        Agents, EDITOR_FILES, OPINION_FILE, PUBLISHER_FILE, Prompts, QUESTIONS_FILE, REPORTER_FILES, REQUIRED_FILES,
        Windows,
    },
    desk::{
        Assignment, Desk, DeskError, Ending, ForkedAnswer, Outputs, QueueRules, QueueWorker, Replaces, RetrievalRules,
        WorkScope, WorkerNews, replay,
    },
    editorial::changes,
    knowledge::{Chunking, Library},
    newsroom::{
        Agent, Answer, ArticleResponse, Choice, ClaimRules, ConflictResolution, ErrandLimits, EventRecord, FoundSource,
        GateOutcome, Gates, Journal, LeastSimilarity, Outcome, PathName, Pool, ResearchRules, Role, RunSettings,
        SourceMetadata, Specialist, Status, Step, StoryKey, Tool, ToolCall, ToolEffect, ToolResult, Topic, TriageWay,
        Usage, WriterMode,
    },
    ports::{
        Ask, Breaker, Budget, CallError, Clock, Commit, Committed, Heard, ModelClient, ModelProfile, NewRun, PageError,
        Pages, Records, RunKey, ServerLimits, Slots, StoreError, StoredRun, ToolError, Toolbox, Unfinished, Watch,
        WorkProgress,
    },
    store::Store,
};
use jiff::{Timestamp, ToSpan as _};
use proptest::prelude::*;
use tempfile::TempDir;
use tokio::sync::Notify;

/// Longest that a story may take to come to rest before it counts as stuck.
const PATIENCE: Duration = Duration::from_secs(10);

mod simulation;

struct Silent;

impl Watch for Silent {
    fn happened(&self, _: &EventRecord) {}
    fn heard(&self, _: &StoryKey, _: Step, _: &str) {}
}

/// The time of the machine, but for the hours between two programs: what a program that died had is anybody's by then.
struct Leaping {
    began: Instant,
    hours: AtomicI64,
}

impl Clock for Leaping {
    fn now(&self) -> Timestamp {
        let passed =
            i64::try_from(self.began.elapsed().as_millis()).unwrap() + 3_600_000 * self.hours.load(Ordering::SeqCst);
        "2026-10-06T12:00:00Z".parse::<Timestamp>().unwrap().checked_add(passed.milliseconds()).unwrap()
    }
}

struct NoPages;

#[async_trait]
impl Pages for NoPages {
    async fn open(&self, _: &str) -> Result<FoundSource, PageError> {
        Err(PageError::NoAddress)
    }
}

const MINUTES: &str = "The minutes of Eastbrook. Work will begin in April, the parks director said. The council voted seven to two on Tuesday \
                       to renovate Miller Park. Lighting is a fifth of the budget.";

/// A tool that reads one page, whatever its address. It counts how often it is called.
struct OnePage {
    called: Arc<AtomicUsize>,
    /// How often something was sent. None if nothing can be.
    posted: Option<Arc<AtomicUsize>>,
}

const POST: &str = "post";

/// The shape of calls to a reviewer who has nothing to say of a second draft.
const PASSES: &str = "passes";

#[async_trait]
impl Toolbox for OnePage {
    async fn tools(&self, _: Agent) -> Vec<Tool> {
        let (name, description) = ("fetch_content".to_owned(), "Opens a page.".to_owned());
        let parameters = serde_json::json!({"type": "object"});
        let reads = Tool { name, description, parameters, effect: ToolEffect::Reads };
        let posts = Tool { name: POST.into(), effect: ToolEffect::Asks, ..reads.clone() };
        std::iter::once(reads).chain(self.posted.is_some().then_some(posts)).collect()
    }

    async fn call(&self, _: Agent, call: &ToolCall) -> Result<ToolResult, ToolError> {
        if let Some(posted) = self.posted.as_ref().filter(|_| call.name == POST) {
            posted.fetch_add(1, Ordering::SeqCst);
            return Ok(ToolResult { text: "sent".into(), ..ToolResult::default() });
        }
        self.called.fetch_add(1, Ordering::SeqCst);
        tokio::time::sleep(Duration::from_micros(200)).await;
        if call.arguments.contains("missing") {
            return Ok(ToolResult::failure("there is no such page"));
        }
        let found = FoundSource {
            title: "Minutes of the council".into(),
            address: "https://a.example/minutes".into(),
            text: MINUTES.into(),
            digest: "d1".into(),
            published: None,
            byline: None,
            publisher: None,
            read_at: "2026-10-06T12:00:00Z".into(),
            hidden: Vec::new(),
            name: None,
        };
        Ok(ToolResult { text: MINUTES.into(), found: vec![found], ..ToolResult::default() })
    }
}

/// A review with these bullets.
fn reviewed(bullets: impl Iterator<Item = String>) -> String {
    let bullets: Vec<String> = bullets.collect();
    if bullets.is_empty() { "No concerns.".to_owned() } else { bullets.join("\n") }
}

/// A model that answers by script. Every seventh verdict is no use at first, and a question that is put again gets another answer.
struct Scripted {
    asked: Arc<AtomicUsize>,
    shape: String,
}

const HOST: &str = "127.0.0.1:1";

const EXCERPTS: [&str; 5] =
    ["begin in April", "a fifth of the budget", "A park plan passes", "said the parks director", "Residents who spoke"];

#[async_trait]
impl ModelClient for Scripted {
    fn card(&self, _: Agent) -> ModelProfile {
        ModelProfile {
            model: "scripted".into(),
            host: HOST.into(),
            max_retries: 2,
            retry_delay: Duration::ZERO,
            max_tokens: 1000,
            shape: self.shape.clone(),
        }
    }

    async fn ask(&self, ask: &Ask, _: Heard<'_>) -> Result<Answer, CallError> {
        let number = self.asked.fetch_add(1, Ordering::SeqCst);
        // Answers to questions that are asked at once come in any order.
        tokio::time::sleep(Duration::from_micros(number as u64 % 3 * 300)).await;
        let user = ask.prompt.messages[1].text();
        let text = match ask.agent {
            Agent::Writer => {
                let before = user.rsplit_once("(draft ").map_or(0, |(_, rest)| u32::from(rest.as_bytes()[0] - b'0'));
                serde_json::to_string(&article(before + 1)).unwrap()
            }
            Agent::ArticleReview if user.contains("(draft 3)") => "No concerns.".to_owned(),
            // A section of the draft: what stands in it.
            Agent::ArticleReview if user.contains("[Section ") => {
                let article = user.split_once("<article>").unwrap().1;
                let own = EXCERPTS.iter().filter(|excerpt| article.contains(**excerpt));
                reviewed(own.map(|excerpt| format!("- “{excerpt}” unsupported_fact: it says no such thing.")))
            }
            Agent::ArticleReview => {
                let count = match user.contains("(draft 1)") {
                    true => 5,
                    false if self.shape == PASSES => 0,
                    false => 2,
                };
                let bullet = |excerpt| format!("- “{excerpt}” unsupported_fact: the source does not say so.");
                reviewed(EXCERPTS[..count].iter().map(bullet))
            }
            Agent::ConcernMapping => {
                let agents = ["fact_check", "evidence_finding", "opinion", "attribution", "fact_check"];
                let count = user.matches("\"concern_id\"").count();
                let mapping = |(agent, id): (&&str, u32)| {
                    serde_json::json!({"concern_id": id, "concern_type": "unsupported_fact", "selected_agent": agent,
                        "confidence": "high", "reason": "fits"})
                };
                let mappings: Vec<_> = agents.iter().zip(1..).take(count).map(mapping).collect();
                serde_json::json!({ "mappings": mappings }).to_string()
            }
            Agent::Specialist(_) if number % 7 == 3 => "no verdict at all".into(),
            Agent::Specialist(Specialist::FactCheck)
                if ask.schema.as_ref().is_some_and(|its| its.name == "opinions") =>
            {
                let count = u32::try_from(user.matches("\"sentence\": ").count()).unwrap();
                let opinion = |sentence: u32| {
                    let thought = if number.is_multiple_of(2) { "carried" } else { "not_carried" };
                    serde_json::json!({"sentence": sentence, "thought": thought, "quotations": ["nobody said that"]})
                };
                serde_json::json!({"opinions": (1..=count).map(opinion).collect::<Vec<_>>()}).to_string()
            }
            Agent::Specialist(Specialist::FactCheck) if !user.contains("CONCERN_ID: ") => {
                r#"{"questions":["When does the work begin?"]}"#.into()
            }
            Agent::Specialist(_) => {
                let concern = user.split_once("CONCERN_ID: ").unwrap().1.split_whitespace().next().unwrap();
                let concern: u32 = concern.parse().unwrap();
                let keeps = concern > 3;
                serde_json::json!({"concern_id": concern, "misleading": !keeps, "status": if keeps { "KEEP" } else { "REWRITE" },
                    "rationale": format!("Rationale {concern}, reading {}.", number % 2),
                    "suggested_fix": (!keeps).then(|| format!("Mend {concern}.")), "evidence": null, "citations": null})
                .to_string()
            }
            Agent::Publisher => notes(number),
            Agent::EvidenceSearch => "Nothing was published on it.".into(),
            Agent::Reporter if user.contains("<assignment>") => r#"{"questions":["When does the work begin?"]}"#.into(),
            Agent::Reporter if ask.prompt.messages.iter().all(|message| message.role != Role::Tool) => {
                let call = |(id, page): (u32, &str)| ToolCall {
                    id: format!("c{id}"),
                    name: "fetch_content".into(),
                    arguments: serde_json::json!({ "url": format!("https://a.example/{page}") }).to_string(),
                };
                let mut calls: Vec<ToolCall> = (1..).zip(["minutes", "missing"]).map(call).collect();
                // The first errand asks for it, also where it is not offered.
                if self.shape == POST && !user.contains("Who said when it begins?") {
                    calls.push(ToolCall { id: "p".into(), name: POST.into(), arguments: r#"{"text":"hi"}"#.into() });
                }
                return Ok(Answer { text: "I look.".into(), calls, ..Answer::default() });
            }
            Agent::Reporter => serde_json::json!({"findings": [
                {"question": 1, "statement": "In April.", "source": "S1", "quotation": "Work will begin in April"},
                {"question": 1, "statement": "In May.", "source": "S1", "quotation": "Work will begin in May"},
            ]})
            .to_string(),
            Agent::Editor if user.contains("<verdicts>") => {
                let verdicts = user.split_once("<verdicts>").unwrap().1;
                let ids = verdicts
                    .split("\"concern_id\": ")
                    .skip(1)
                    .map(|rest| rest.split([',', '\n']).next().unwrap().trim());
                let way = |id: &str| {
                    let id: u32 = id.parse().unwrap();
                    let way = if id.is_multiple_of(2) { "rewrite" } else { "research" };
                    serde_json::json!({"concern_id": id, "way": way, "why": "so"})
                };
                serde_json::json!({ "ways": ids.map(way).collect::<Vec<_>>() }).to_string()
            }
            Agent::Editor => {
                let again = user.contains("When does the work begin?");
                serde_json::json!({"questions": [{"question": 1, "answered": !again, "why": "so"}],
                    "requests": if again { vec!["Who said when it begins?"] } else { vec![] }})
                .to_string()
            }
        };
        let usage = Usage { prompt_tokens: Some(100), completion_tokens: Some(10), ..Usage::default() };
        Ok(Answer { text, usage, ..Answer::default() })
    }
}

/// The Publisher's notes: one on words that stand there, one on others.
fn notes(number: usize) -> String {
    serde_json::json!({"notes": [
        {"check": "search", "field": "description", "text": "The council approved", "what": "It names no council.",
            "fix": format!("Name it, reading {}.", number % 2), "replacement": "The Eastbrook council approved"},
        {"check": "search", "field": "description", "text": "The mayor", "what": "x", "fix": "x", "replacement": null},
    ]})
    .to_string()
}

fn article(number: u32) -> ArticleResponse {
    ArticleResponse {
        headline: format!("A park plan passes (draft {number})"),
        alternativeHeadline: "Seven to two".into(),
        articleBody: "The council voted seven to two on Tuesday to renovate Miller Park. Work will begin in April, said the parks \
                      director. Lighting is a fifth of the budget.\n\nResidents who spoke at the hearing asked for benches."
            .into(),
        description: "The council approved a renovation.".into(),
    }
}

/// Records that stop to answer after some commits, as those of a program that is killed there do.
struct Dying {
    store: Store,
    left: AtomicUsize,
    dead: Arc<Notify>,
}

impl Dying {
    /// Whether one more thing may be written.
    async fn lives(&self) {
        let living = |left: usize| left.checked_sub(1);
        if self.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, living).is_err() {
            self.dead.notify_one();
            std::future::pending::<()>().await;
        }
    }
}

#[async_trait]
impl Records for Dying {
    async fn open_run(
        &self,
        run: NewRun,
        slots: Option<Arc<dyn Slots>>,
    ) -> Result<Option<(RunKey, Committed)>, StoreError> {
        self.lives().await;
        self.store.open_run(run, slots).await
    }
    async fn commit(
        &self,
        run: RunKey,
        commit: Commit,
        slots: Option<Arc<dyn Slots>>,
    ) -> Result<Committed, StoreError> {
        self.lives().await;
        self.store.commit(run, commit, slots).await
    }
    async fn load(&self, run: RunKey) -> Result<StoredRun, StoreError> {
        self.store.load(run).await
    }
    async fn answer_for(&self, run: RunKey, digest: &str) -> Result<Option<Answer>, StoreError> {
        self.store.answer_for(run, digest).await
    }
    async fn unfinished(&self) -> Result<Vec<Unfinished>, StoreError> {
        self.store.unfinished().await
    }
    async fn files_written(&self, run: RunKey) -> Result<(), StoreError> {
        self.lives().await;
        self.store.files_written(run).await
    }
}

/// The settings that a person may change between two runs of the program.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "one switch of the configuration each")]
struct Settings {
    offline: bool,
    specialists: usize,
    proves: bool,
    /// Of models, on what the proof could not bind; only a draft that is proved has any.
    opinions: bool,
    questions: bool,
    claims: bool,
    seeks: bool,
    rounds: u32,
    /// Whether verdicts are triaged.
    triages: bool,
    /// Whether the story is an assignment.
    assigned: bool,
    /// Whether the sources do not fit the models' prompts, so that drafts are reviewed section by section.
    narrow: bool,
    /// `concerns_limit`: 2 makes groups of what the reviewer says.
    concerns: u32,
    /// Whether the Publisher looks at what passed.
    prepares: bool,
    /// Whether a model is asked for its notes too.
    notes: bool,
    /// Whether the Reporter has a tool that sends something, about which a person is asked.
    posts: bool,
}

impl Settings {
    fn changed(self, which: u8) -> Self {
        match which % 10 {
            8 => Self { narrow: !self.narrow && !self.offline, ..self },
            7 => Self { triages: !self.triages, ..self },
            0 => Self { specialists: self.specialists % 4 + 1, ..self },
            1 => Self { proves: !self.proves && !self.offline, ..self },
            2 => Self { questions: !self.questions && !self.offline, ..self },
            3 => Self { claims: !self.claims, ..self },
            4 => Self { seeks: !self.seeks && !self.offline, ..self },
            5 => Self { opinions: !self.opinions, ..self },
            6 => Self { concerns: 42 - self.concerns, ..self },
            _ => Self { rounds: self.rounds % 3 + 1, ..self },
        }
    }
}

const FIRST: Settings = Settings {
    offline: false,
    specialists: 4,
    proves: false,
    opinions: false,
    questions: false,
    claims: false,
    seeks: false,
    rounds: 2,
    triages: false,
    assigned: false,
    narrow: false,
    concerns: 40,
    prepares: false,
    notes: false,
    posts: false,
};

/// A newsroom whose program is this test.
struct House {
    folder: TempDir,
    clock: Arc<Leaping>,
    asked: Arc<AtomicUsize>,
    /// How often a tool was called.
    called: Arc<AtomicUsize>,
    posted: Arc<AtomicUsize>,
    settings: Settings,
    replays: usize,
}

fn story() -> StoryKey {
    StoryKey::new(PathName::new("desk").unwrap(), PathName::new("park").unwrap())
}

/// The material of the story `desk/park`, as it is handed in.
fn assignment(assigned: bool, gates: Gates) -> Assignment {
    let page = if assigned { " See https://a.example/minutes for when the work will begin." } else { "" };
    let topic = Topic {
        source_text: "The council of Eastbrook voted seven to two on Tuesday to renovate Miller Park. The minutes name no month. The \
                      mayor said that the park is old. Residents asked for benches at the hearing on Monday."
            .to_owned()
            + page,
        source_metadata: SourceMetadata {
            source_file: "park.json".into(),
            channel_name: PathName::new("desk").unwrap(),
            video_id: "m1".into(),
            video_title: "Minutes".into(),
            publish_date: None,
            topic_slug: PathName::new("park").unwrap(),
            topic_title: "Council votes to renovate park".into(),
        },
        style_mode: "SCIAM_MAGAZINE".into(),
        target_length_words: "10-120".into(),
        optional_angle: None,
    };
    Assignment { assigned, gates, replaces: Replaces::Waiting, ..Assignment::of(topic) }
}

impl House {
    fn new(settings: Settings) -> Self {
        let clock = Arc::new(Leaping { began: Instant::now(), hours: AtomicI64::new(0) });
        Self {
            folder: tempfile::tempdir().unwrap(),
            clock,
            asked: Arc::default(),
            called: Arc::default(),
            posted: Arc::default(),
            settings,
            replays: 0,
        }
    }

    fn outputs(workspace: &Path) -> Outputs {
        Outputs {
            workspace: workspace.to_owned(),
            articles: workspace.join("articles"),
            runs: "runs".into(),
            fact_checks: workspace.join("fact_checks"),
            evidence_searches: workspace.join("evidence_searches"),
            save_intermediate_results: true,
            group_readable: false,
        }
    }

    fn store(&self) -> Store {
        Store::open(&self.folder.path().join("copydesk.db")).unwrap()
    }

    /// A program's desk, which dies after `commits` commits.
    fn desk(&self, commits: usize, dead: &Arc<Notify>) -> Arc<Desk> {
        self.desk_on(&self.store(), commits, dead)
    }

    fn desk_on(&self, store: &Store, commits: usize, dead: &Arc<Notify>) -> Arc<Desk> {
        let settings = self.settings;
        let sources = Chunking { encoding: "cl100k_base".into(), size: 128, overlap: 16 };
        let open: copydesk::knowledge::Open = Box::new(|| Box::pin(std::future::ready(Ok(None))));
        let library = Library::new(Arc::new(store.clone()), Arc::new(store.clone()), open, sources);
        let pins = format!("{:?}", Settings { specialists: 0, ..settings });
        let server = ServerLimits { server: HOST.into(), at_once: 8, per_minute: None, tokens_per_minute: None };
        let claims = ClaimRules {
            similarity: LeastSimilarity { cosine: 60, words: 60 },
            score_floor: None,
            conflict_resolution: ConflictResolution::Human,
        };
        let opinions = settings.opinions && settings.proves && !settings.offline;
        let agents = if settings.offline {
            Agents::Offline
        } else {
            let styles = HashMap::from([("SCIAM_MAGAZINE".to_owned(), "Plain words.".to_owned())]);
            let asked = opinions.then_some(Agent::Specialist(Specialist::FactCheck));
            Agents::Models {
                prompts: prompts(settings.questions),
                styles,
                windows: Windows {
                    encoding: "cl100k_base".into(),
                    prompts: HashMap::new(),
                    sources: settings.narrow.then_some(30),
                },
                second_opinion: asked,
            }
        };
        Arc::new(Desk {
            agents: Arc::new(agents),
            engine: if settings.offline { "offline" } else { "llm" },
            model: Arc::new(Scripted {
                asked: Arc::clone(&self.asked),
                shape: match settings {
                    Settings { posts: true, .. } => POST.into(),
                    Settings { notes: true, .. } => PASSES.into(),
                    _ => String::new(),
                },
            }),
            records: Arc::new(Dying { store: store.clone(), left: AtomicUsize::new(commits), dead: Arc::clone(dead) }),
            ledger: Arc::new(store.clone()),
            queue: Arc::new(store.clone()),
            queue_rules: Arc::new(QueueRules {
                pools: Pool::ALL.into_iter().map(|pool| (pool, 4)).collect(),
                max_redeliveries: 0,
                backoff: Duration::ZERO,
                longest_backoff: Duration::ZERO,
                ageing: Duration::from_mins(10),
                lease: Duration::from_mins(1),
                give_up_after: Duration::from_mins(10),
                longest_wait: Duration::from_hours(1),
                breaker: Breaker { failures: 0, rest: Duration::ZERO, longest: Duration::ZERO },
                budget: Budget::default(),
                servers: Agent::all().map(|agent| (agent.name().to_owned(), server.clone())).collect(),
            }),
            stories: Arc::new(store.clone()),
            memory: Arc::new(store.clone()),
            memory_expires_after_days: None,
            archive: Arc::new(store.clone()),
            passages: Arc::new(library),
            pages: Arc::new(NoPages),
            toolbox: Arc::new(OnePage {
                called: Arc::clone(&self.called),
                posted: settings.posts.then(|| Arc::clone(&self.posted)),
            }),
            research: ResearchRules {
                assigned: false,
                triages: settings.triages,
                passes: 2,
                turns: 3,
                calls: 3,
                limits: ErrandLimits { tokens: Some(20), conversation_tokens: Some(20), ..ErrandLimits::NONE },
            },
            fails_with_tools: false,
            retrieval: RetrievalRules { top_k: 3, budget_tokens: 500, min_credibility: 0.0, timeout: PATIENCE },
            clock: Arc::clone(&self.clock) as Arc<dyn Clock>,
            watch: Arc::new(Silent),
            outputs: Self::outputs(self.folder.path()),
            locks: self.folder.path().join("locks").into(),
            editor: "The editor".into(),
            settings: RunSettings {
                max_rounds: settings.rounds,
                concerns_limit: Some(settings.concerns),
                second_opinion: opinions,
                proves: settings.proves,
                claims: settings.claims.then_some(claims),
                asks_questions: settings.questions,
                listener_aware: true,
                writer_mode: (!settings.offline).then_some(WriterMode::Whole),
                prepares: settings.prepares,
                publisher_asks: settings.notes && settings.prepares && !settings.offline,
                seeks_evidence: settings.seeks,
                tool_users: copydesk::newsroom::ToolUsers::NONE,
                ..RunSettings::default()
            },
            specialists_of_a_story: settings.specialists,
            pins,
        })
    }

    /// Starts a program, which does this and ends; or dies, and then all that it holds in memory is gone.
    fn program<T>(&self, commits: usize, work: impl AsyncFnOnce(Arc<Desk>) -> T) -> Option<T> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        self.clock.hours.fetch_add(1, Ordering::SeqCst);
        let dead = Arc::<Notify>::default();
        let desk = self.desk(commits, &dead);
        let done = runtime.block_on(async {
            tokio::select! {
                done = work(desk) => Some(done),
                () = dead.notified() => None,
                () = tokio::time::sleep(PATIENCE + PATIENCE) => panic!("the story is stuck"),
            }
        });
        drop(runtime);
        done
    }

    /// `copydesk run`.
    fn begin(&self, gates: Gates, commits: usize) {
        let assignment = assignment(self.settings.assigned, gates);
        self.program(commits, async move |desk| {
            let shift = QueueWorker::start(Arc::clone(&desk), "test", 2, WorkScope::Everything);
            shift.begin(assignment).await.unwrap();
            at_rest(&desk, shift).await;
        });
    }

    /// `copydesk resume`.
    fn resume(&self, commits: usize) {
        self.program(commits, async move |desk| {
            let shift = QueueWorker::start(Arc::clone(&desk), "test", 2, WorkScope::Everything);
            for run in desk.records.unfinished().await.unwrap().iter().filter(|run| !run.waits) {
                shift.resume(run.key).await.unwrap();
            }
            at_rest(&desk, shift).await;
        });
    }

    fn runs(&self) -> Vec<(RunKey, copydesk::newsroom::ListedRun)> {
        self.program(usize::MAX, async |desk| desk.archive.runs_of("desk/park").await.unwrap()).unwrap()
    }

    fn stored(&self, run: RunKey) -> StoredRun {
        self.program(usize::MAX, async |desk| desk.records.load(run).await.unwrap()).unwrap()
    }

    /// No run left a gate of its own undecided. A run that was not known before has its first entries from a known one, if it is a fork, or
    /// goes on under changed settings.
    fn decided_everywhere(&self, shared: &mut HashMap<RunKey, usize>) {
        let journals: Vec<_> = self.runs().into_iter().map(|(run, _)| (run, self.stored(run).journal)).collect();
        let known: Vec<_> =
            journals.iter().filter(|(run, _)| shared.contains_key(run)).map(|(_, journal)| journal).collect();
        let common = |journal: &Journal| {
            let pairs = |other: &&Journal| {
                journal
                    .entries()
                    .iter()
                    .zip(other.entries())
                    .take_while(|(a, b)| (a.step, &a.outcome, &a.at) == (b.step, &b.outcome, &b.at))
                    .count()
            };
            known.iter().map(pairs).max().unwrap_or_default()
        };
        for (run, journal) in &journals {
            let shared = *shared.entry(*run).or_insert_with(|| common(journal));
            if journal.opening.gates == Gates::Editor {
                every_gate_was_decided(journal, shared);
            }
        }
    }

    /// Every run of the story replays to what was recorded. `whole`: no file of them is missing either.
    fn replays(&mut self, whole: bool) {
        let into = self.folder.path().join(format!("replays/{}", self.replays));
        self.replays += 1;
        let (kept, store) = (Self::outputs(self.folder.path()), self.store());
        let folders: Vec<(RunKey, Outputs)> =
            self.runs().into_iter().map(|(key, listed)| (key, Self::outputs(&into.join(listed.run)))).collect();
        self.program(usize::MAX, async move |_| {
            for (run, into) in folders {
                let replayed = replay(&store, run, &kept, &into, WorkProgress::default()).await.unwrap();
                let steps: Vec<String> = store
                    .load(run)
                    .await
                    .unwrap()
                    .journal
                    .entries()
                    .iter()
                    .map(|entry| entry.step.to_string())
                    .collect();
                assert_eq!(replayed.differences, Vec::<String>::new(), "run {run:?}: {steps:?}");
                assert!(!whole || replayed.missing.is_empty(), "run {run:?}: {:?}", replayed.missing);
            }
        });
    }

    /// Everything that the database has of a run, and its files.
    fn as_it_is(&self, run: RunKey) -> (StoredRun, String, Vec<(PathBuf, Vec<u8>)>) {
        let listed = self.runs().into_iter().find(|(key, _)| *key == run).unwrap().1;
        let stored = self.stored(run);
        let folder = self.folder.path().join(&stored.journal.opening.artifacts_dir);
        let mut files: Vec<_> = std::fs::read_dir(folder)
            .into_iter()
            .flatten()
            .map(|file| file.unwrap().path())
            .map(|path| (path.clone(), std::fs::read(path).unwrap()))
            .collect();
        files.sort();
        let messages = self.program(usize::MAX, async |desk| desk.queue.messages(None).await.unwrap()).unwrap();
        let messages: Vec<_> = messages.iter().filter(|message| message.run == run).collect();
        (stored, format!("{listed:?} {messages:?}"), files)
    }

    fn fork(&self, run: RunKey, at: Step, gates: Gates, known: ForkedAnswer) -> Result<RunKey, DeskError> {
        let forked = self.program(usize::MAX, async |desk| desk.fork(run, &story(), at, gates, known).await);
        forked.unwrap().map(|forked| forked.key)
    }
}

/// The prompts as they ship, with the questions' and without, read once.
fn prompts(questions: bool) -> Prompts {
    static PROMPTS: LazyLock<[Prompts; 2]> = LazyLock::new(|| [read_prompts(false), read_prompts(true)]);
    PROMPTS[usize::from(questions)].clone()
}

fn read_prompts(questions: bool) -> Prompts {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("prompts/article_editor");
    let asked = questions
        .then_some(QUESTIONS_FILE)
        .into_iter()
        .chain([OPINION_FILE, PUBLISHER_FILE])
        .chain(REPORTER_FILES)
        .chain(EDITOR_FILES);
    let read = |name: &'static str| {
        let path = [
            root.join(format!("{name}.md")),
            root.join(format!("specialists/{name}.md")),
            root.join(format!("../agents/reporter/{name}.md")),
            root.join(format!("../agents/editor/{name}.md")),
            root.join(format!("../agents/publisher/{name}.md")),
        ];
        (name, (name.to_owned(), path.iter().find_map(|path| std::fs::read_to_string(path).ok()).unwrap()))
    };
    Prompts::new(&REQUIRED_FILES.into_iter().chain(asked).map(|(name, ..)| read(name)).collect()).unwrap()
}

/// Waits until nothing is to be done any more, then ends the shift.
async fn at_rest(desk: &Desk, mut shift: QueueWorker) {
    let began = Instant::now();
    while desk.records.unfinished().await.unwrap().iter().any(|run| !run.waits) {
        if began.elapsed() >= PATIENCE {
            let unfinished = desk.records.unfinished().await.unwrap();
            let log = desk.archive.events(unfinished[0].key).await.unwrap();
            let log: Vec<_> = log.iter().rev().take(6).map(|record| &record.event).collect();
            panic!("stuck: {unfinished:?}, {:?}, {log:?}", desk.queue.messages(None).await.unwrap());
        }
        if let Ok(Some(WorkerNews::Came { result: Err(error), .. } | WorkerNews::Trouble(error))) =
            tokio::time::timeout(Duration::from_millis(20), shift.next_news()).await
        {
            panic!("{error}")
        }
    }
    shift.end(Ending::AfterTheStep, vec![]).await;
}

/// The story as it comes to its gate, or to its end, and every step of it.
fn forked_everywhere(settings: Settings, gates: Gates) {
    let mut house = House::new(settings);
    house.begin(gates, usize::MAX);
    let (first, _) = house.runs()[0];
    let steps: Vec<Step> = house.stored(first).journal.entries().iter().map(|entry| entry.step).collect();
    assert!(steps.len() > 2, "{steps:?}");
    assert_eq!(steps.contains(&Step::Opinion { round: 1, batch: 1 }), settings.opinions, "{steps:?}");
    let looks = settings.notes && gates == Gates::Auto;
    assert_eq!(steps.contains(&Step::Prepare { round: 2 }), looks, "{steps:?}");
    house.replays(true);
    let pages_missing = steps.iter().filter(|step| matches!(step, Step::Tool { call: 2, .. })).count();
    for (number, at) in steps.into_iter().enumerate() {
        let earlier = house.as_it_is(first);
        let (fork_gates, known) = match number % 4 {
            0 => (Gates::Editor, ForkedAnswer::Taken),
            1 => (Gates::Auto, ForkedAnswer::Taken),
            2 => (Gates::Editor, ForkedAnswer::AskedAgain),
            _ => (Gates::Auto, ForkedAnswer::AskedAgain),
        };
        let count = || (house.asked.load(Ordering::SeqCst), house.called.load(Ordering::SeqCst));
        let before = count();
        house.fork(first, at, fork_gates, known).unwrap();
        house.resume(usize::MAX);
        if (gates, fork_gates, known) == (Gates::Auto, Gates::Auto, ForkedAnswer::Taken) {
            let (asked, called) = count();
            assert_eq!(asked, before.0, "{at}: nothing is asked that is known");
            // A page that was not there is looked for again.
            assert!(called - before.1 <= pages_missing, "{at}: {called} after {}", before.1);
        }
        let (_, current) = house.runs().swap_remove(0);
        assert!(current.waits.is_some() || current.state.as_str() != "open", "{at}: {current:?}");
        let now = house.as_it_is(first);
        assert_eq!((&now.0, &now.2), (&earlier.0, &earlier.2), "{at}");
    }
    house.replays(true);
}

#[test]
fn a_finished_story_can_be_forked_at_each_of_its_steps() {
    for specialists in [1, 4] {
        forked_everywhere(Settings { specialists, ..FIRST }, Gates::Auto);
    }
    forked_everywhere(Settings { offline: true, claims: true, prepares: true, ..FIRST }, Gates::Auto);
    forked_everywhere(Settings { rounds: 3, prepares: true, notes: true, ..FIRST }, Gates::Auto);
}

#[test]
fn a_story_that_is_reviewed_in_sections_can_be_forked_and_killed_at_each_of_its_steps() {
    let narrow = Settings { narrow: true, proves: true, rounds: 2, ..FIRST };
    forked_everywhere(narrow, Gates::Auto);
    forked_everywhere(Settings { proves: false, ..narrow }, Gates::Editor);
    let whole = House::new(narrow);
    whole.begin(Gates::Auto, usize::MAX);
    let expected = whole.asked.load(Ordering::SeqCst);
    let journal = whole.stored(whole.runs()[0].0).journal;
    let sections = journal.sections(1).unwrap().len();
    assert!(sections > 1, "{sections}");
    for (section, _) in (1..).zip(journal.sections(1).unwrap()) {
        let step = Step::ReviewSection { round: 1, section };
        assert!(journal.outcome(step).is_some(), "{step}");
    }
    for commits in 1..journal.entries().len() {
        let mut house = House::new(narrow);
        house.begin(Gates::Auto, commits);
        house.resume(usize::MAX);
        house.replays(false);
        let (run, listed) = house.runs().swap_remove(0);
        assert_eq!(listed.state.as_str(), whole.runs()[0].1.state.as_str(), "killed after {commits}");
        assert_eq!(house.stored(run).journal.review(1), journal.review(1), "killed after {commits}");
        // Calls in flight are made again, as many as are under way at once; and a useless answer comes now and then.
        let asked = house.asked.load(Ordering::SeqCst);
        assert!(asked <= expected + 16, "killed after {commits}: {asked} calls, {expected} without a kill");
    }
}

#[test]
fn a_story_that_was_researched_can_be_forked_at_each_of_its_steps() {
    let researched = Settings { triages: true, assigned: true, ..FIRST };
    for settings in [researched, Settings { offline: true, ..researched }] {
        forked_everywhere(settings, Gates::Auto);
    }
    forked_everywhere(Settings { assigned: false, ..researched }, Gates::Editor);
}

#[test]
fn a_research_that_is_killed_after_each_commit_calls_no_tool_twice() {
    let settings = Settings { triages: true, assigned: true, rounds: 2, ..FIRST };
    let whole = House::new(settings);
    whole.begin(Gates::Auto, usize::MAX);
    let expected = whole.called.load(Ordering::SeqCst);
    let steps = whole.stored(whole.runs()[0].0).journal.entries().len();
    assert!(expected >= 6, "{expected}");
    for commits in 1..steps {
        let mut house = House::new(settings);
        house.begin(Gates::Auto, commits);
        house.resume(usize::MAX);
        let called = house.called.load(Ordering::SeqCst);
        // Two calls of a turn are under way at once: those that were in flight are made again, because they only read.
        assert!(called <= expected + 2, "killed after {commits}: {called} calls, {expected} without a kill");
        house.replays(false);
        assert_eq!(house.runs()[0].1.state.as_str(), whole.runs()[0].1.state.as_str(), "killed after {commits}");
    }
}

impl House {
    /// Where the story waits now, such as `p1.t1.k3`.
    fn waits(&self) -> Option<String> {
        self.runs()[0].1.waits.clone()
    }

    /// `copydesk decide STORY call allow`, or `refuse`.
    fn answer(&self, allows: bool) {
        let run = self.runs()[0].0;
        let call = self.waits().unwrap().parse().unwrap();
        let choice = Choice::Call { call, allows, note: "I asked the desk".into() };
        self.program(usize::MAX, async |desk| desk.decide(run, &story(), choice, None).await.unwrap());
    }

    /// The questions may be asked as they are.
    fn begin_research(&mut self) {
        let run = self.runs()[0].0;
        self.program(usize::MAX, async |desk| desk.decide(run, &story(), Choice::Continue, None).await.unwrap());
        self.resume(usize::MAX);
    }

    fn posted(&self) -> usize {
        self.posted.load(Ordering::SeqCst)
    }

    /// The result of the call that sends something.
    fn post(&self) -> ToolResult {
        let errand = copydesk::newsroom::ResearchErrand::Pass(1);
        self.stored(self.runs()[0].0).journal.tool(errand, 1, 3).unwrap().clone()
    }
}

#[test]
fn a_call_that_acts_waits_for_its_editor_and_is_never_made_twice() {
    let settings = Settings { assigned: true, rounds: 1, posts: true, ..FIRST };
    let asked = Some("p1.t1.k3".to_owned());
    let begun = || {
        let mut house = House::new(settings);
        house.begin(Gates::Editor, usize::MAX);
        assert_eq!((house.waits().as_deref(), house.posted()), (Some("plan"), 0));
        house.begin_research();
        assert_eq!((house.waits(), house.posted()), (asked.clone(), 0));
        house
    };
    let mut refused = begun();
    refused.answer(false);
    refused.resume(usize::MAX);
    assert_eq!((refused.waits().as_deref(), refused.posted()), (Some("r1.gate"), 0));
    assert_eq!(refused.post().text, "The editor does not allow this call: I asked the desk. Do not ask for it again.");
    refused.replays(true);
    // Nobody can be asked, and a model that asks for it all the same does not get it.
    let mut alone = House::new(settings);
    alone.begin(Gates::Auto, usize::MAX);
    assert_eq!((alone.waits(), alone.posted()), (None, 0));
    assert!(alone.post().text.starts_with("Nobody has allowed a call of post"), "{}", alone.post().text);
    alone.replays(true);
    let mut interrupted = 0;
    for commits in 0..12 {
        let mut house = begun();
        house.answer(true);
        house.resume(commits);
        house.resume(usize::MAX);
        if house.waits() == asked {
            interrupted += 1;
            assert!(house.post().unknown, "{:?}", house.post());
            house.answer(true);
            house.resume(usize::MAX);
        } else {
            assert_eq!(house.post().text, "sent", "killed after {commits}");
        }
        assert_eq!(house.waits().as_deref(), Some("r1.gate"), "killed after {commits}");
        assert!(house.posted() <= 1, "killed after {commits}: sent {} times", house.posted());
        house.replays(true);
        // A fork of the turn is asked again, and takes over what is known: nothing is sent anew.
        if commits == 11 {
            let run = house.runs()[0].0;
            let errand = copydesk::newsroom::ResearchErrand::Pass(1);
            house.fork(run, Step::Turn { errand, turn: 1 }, Gates::Editor, ForkedAnswer::Taken).unwrap();
            house.resume(usize::MAX);
            assert_eq!(house.waits(), asked);
            house.answer(true);
            house.resume(usize::MAX);
            assert_eq!((house.post().text.as_str(), house.posted()), ("sent", 1));
        }
    }
    assert!(interrupted > 0, "no program died in the call");
}

#[test]
fn a_story_that_waits_can_be_forked_at_each_of_its_steps() {
    let all = Settings {
        proves: true,
        opinions: true,
        questions: true,
        claims: true,
        seeks: true,
        prepares: true,
        notes: true,
        ..FIRST
    };
    for settings in [FIRST, all, Settings { offline: true, ..FIRST }] {
        forked_everywhere(settings, Gates::Editor);
    }
}

#[test]
fn a_fork_that_cannot_be_opened_leaves_the_earlier_run_as_it_was() {
    let house = House::new(FIRST);
    house.begin(Gates::Editor, usize::MAX);
    let (first, _) = house.runs()[0];
    let before = house.as_it_is(first);
    let database = rusqlite::Connection::open(house.folder.path().join("copydesk.db")).unwrap();
    database
        .execute_batch(
            "CREATE TRIGGER refuses BEFORE INSERT ON event WHEN new.run > 1 BEGIN SELECT RAISE(ABORT, 'no'); END",
        )
        .unwrap();
    for (at, known) in [(Step::Draft, ForkedAnswer::Taken), (Step::Map { round: 1 }, ForkedAnswer::AskedAgain)] {
        house.fork(first, at, Gates::Editor, known).unwrap_err();
        assert_eq!(house.as_it_is(first), before, "{at}");
        assert_eq!(house.runs().len(), 1);
    }
    database.execute_batch("DROP TRIGGER refuses").unwrap();
    house.fork(first, Step::Draft, Gates::Editor, ForkedAnswer::Taken).unwrap();
    house.resume(usize::MAX);
    assert!(house.runs()[0].1.waits.is_some());
}

/// An editor's run may leave a gate, or a sign-off, only with a decision made there. `shared` entries are an earlier run's.
fn every_gate_was_decided(journal: &Journal, shared: usize) {
    let entries = journal.entries();
    let steps = || entries.iter().map(|entry| entry.step.to_string()).collect::<Vec<_>>().join(" ");
    for pair in entries.windows(2).skip(shared.saturating_sub(1)) {
        let [before, now] = pair else { unreachable!() };
        let decided = |leaves: bool| match (&before.step, &before.outcome) {
            (Step::Decide { round, .. }, Outcome::Decision(decision)) if decision.choice.leaves() == leaves => {
                Some((*round, &decision.choice))
            }
            _ => None,
        };
        let by_editor = matches!(now.step, Step::Decide { .. });
        if let Step::Gate { round } = now.step {
            assert_eq!(decided(true).map(|(round, _)| round), Some(round), "nobody left the gate: {}", steps());
        }
        if let Some((_, choice)) = decided(false) {
            let edits =
                matches!((choice, now.step), (Choice::Edit { .. } | Choice::Applied { .. }, Step::Revise { .. }));
            assert!(
                by_editor || edits || matches!(choice, Choice::Call { .. }),
                "{} after {choice:?}: {}",
                now.step,
                steps()
            );
        }
        if matches!(before.outcome, Outcome::Gate(GateOutcome::Passed | GateOutcome::Stet) | Outcome::Prepared(_)) {
            assert!(by_editor || matches!(now.step, Step::Prepare { .. }), "nobody signed: {}", steps());
        }
    }
}

/// Something that happens to the story.
#[derive(Debug, Clone)]
enum Happens {
    Decide(u8),
    Fork {
        run: u8,
        at: u8,
        auto: bool,
        again: bool,
    },
    Reopen,
    Change(u8),
    Resume,
    /// Resumed by a program that dies after so many commits.
    Killed(usize),
    /// Begun anew by a program that dies after so many commits.
    Anew(usize),
}

fn happens() -> impl Strategy<Value = Happens> {
    prop_oneof![
        6 => any::<u8>().prop_map(Happens::Decide),
        3 => any::<(u8, u8, bool, bool)>().prop_map(|(run, at, auto, again)| Happens::Fork { run, at, auto, again }),
        2 => Just(Happens::Reopen),
        2 => any::<u8>().prop_map(Happens::Change),
        2 => Just(Happens::Resume),
        3 => (1..14_usize).prop_map(Happens::Killed),
        1 => (1..14_usize).prop_map(Happens::Anew),
    ]
}

/// A decision that may or may not be possible.
fn choice(pick: u8, journal: &copydesk::newsroom::Journal) -> Choice {
    let number = u32::from(pick / 16);
    match pick % 16 {
        12 => Choice::Triage {
            concern: number % 5 + 1,
            way: if number.is_multiple_of(2) { TriageWay::Research } else { TriageWay::Rewrite },
            question: None,
        },
        13 => Choice::Research { question: "Who is the mayor?".into() },
        14 => Choice::AddSource {
            name: format!("note {number}"),
            text: "The mayor is Ann Lee.".into(),
            hidden: Vec::new(),
            recorded: None,
        },
        15 if number % 2 == 1 => {
            Choice::DistrustSource { name: format!("note {}", number - 1), reason: "Nobody confirms it.".into() }
        }
        15 => Choice::RemoveSource { name: format!("note {number}"), reason: "It is forged.".into() },
        0 => Choice::Override { concern: number % 5 + 1, status: Status::Keep, fix: None, reason: "It is so.".into() },
        1 => Choice::Override {
            concern: number % 5 + 1,
            status: Status::Rewrite,
            fix: Some("Say it otherwise.".into()),
            reason: "It is not so.".into(),
        },
        2 => Choice::Feedback { text: "Name the mayor.".into() },
        3 => Choice::Edit { article: article(number + 4) },
        11 => Choice::Applied { concern: number % 5 + 1, article: article(number + 4) },
        4 => Choice::Accept { finding: 1, reason: "I checked it.".into() },
        5 => Choice::AnotherRound,
        6 => {
            let round = journal.rounds().max(1);
            Choice::Undo { number: u32::try_from(journal.decisions(round).len()).unwrap() }
        }
        7 => Choice::Stet { reason: "It may stand.".into() },
        8 if number % 3 == 0 => Choice::Spike { reason: "No story.".into() },
        8 => {
            let pair = (journal.rounds().saturating_sub(1), journal.rounds());
            let comparison = changes::between(journal, pair.0, pair.1).unwrap_or_default();
            let change = comparison.changes.first().and_then(|change| changes::accepting(journal, pair, change));
            change.unwrap_or(Choice::Continue)
        }
        9 => Choice::SignOff { chain: String::new(), as_notes: false },
        10 => Choice::SendBack { text: "Name the mayor.".into() },
        _ => Choice::Continue,
    }
}

fn story_of(settings: Settings, gates: Gates, events: &[Happens]) {
    let mut house = House::new(settings);
    house.begin(gates, usize::MAX);
    // How much of each run it shares with an earlier one.
    let mut shared: HashMap<RunKey, usize> = HashMap::new();
    house.decided_everywhere(&mut shared);
    for event in events {
        let runs = house.runs();
        let (current, _) = runs[0];
        match event {
            Happens::Decide(pick) => {
                let choice = choice(*pick, &house.stored(current).journal);
                let made = house.program(usize::MAX, async |desk| desk.decide(current, &story(), choice, None).await);
                match made.unwrap() {
                    Ok(_) | Err(DeskError::Refused { .. }) => {}
                    Err(error) => panic!("{error}"),
                }
            }
            Happens::Fork { run, at, auto, again } => {
                let (run, _) = runs[usize::from(*run) % runs.len()];
                let steps: Vec<Step> = house.stored(run).journal.entries().iter().map(|entry| entry.step).collect();
                if steps.is_empty() {
                    continue;
                }
                let gates = if *auto { Gates::Auto } else { Gates::Editor };
                let known = if *again { ForkedAnswer::AskedAgain } else { ForkedAnswer::Taken };
                house.fork(run, steps[usize::from(*at) % steps.len()], gates, known).unwrap();
            }
            Happens::Reopen => {
                let made = house.program(usize::MAX, async |desk| desk.reopen(current, &story()).await);
                match made.unwrap() {
                    Ok(_) | Err(DeskError::Refused { .. }) => {}
                    Err(error) => panic!("{error}"),
                }
            }
            Happens::Change(which) => house.settings = house.settings.changed(*which),
            Happens::Resume => house.resume(usize::MAX),
            Happens::Killed(commits) => house.resume(*commits),
            Happens::Anew(commits) => house.begin(gates, *commits),
        }
        house.decided_everywhere(&mut shared);
        house.replays(false);
    }
    house.resume(usize::MAX);
    house.decided_everywhere(&mut shared);
    house.replays(false);
    let (current, listed) = house.runs().swap_remove(0);
    assert!(listed.waits.is_some() || listed.state.as_str() != "open", "{current:?}: {listed:?}");
}

#[test]
fn a_check_that_is_turned_on_at_a_gate_does_not_come_between_its_decision_and_the_gate() {
    for change in [3, 7] {
        story_of(FIRST.changed(0), Gates::Editor, &[Happens::Change(change), Happens::Decide(7)]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, max_shrink_iters: 60, ..ProptestConfig::default() })]

    #[test]
    fn whatever_happens_to_a_story_it_can_be_resumed_and_replayed(
        offline in prop::bool::weighted(0.2),
        auto in any::<bool>(),
        triages in any::<bool>(),
        assigned in prop::bool::weighted(0.3),
        change in any::<u8>(),
        events in prop::collection::vec(happens(), 1..12),
    ) {
        let settings = Settings { offline, triages, assigned, ..FIRST }.changed(change);
        story_of(settings, if auto { Gates::Auto } else { Gates::Editor }, &events);
    }
}

/// Sequences that are tried.
fn cases() -> u32 {
    option_env!("COPYDESK_CASES").and_then(|cases| cases.parse().ok()).unwrap_or(16)
}
