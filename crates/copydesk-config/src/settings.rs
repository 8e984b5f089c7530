//! The settings of a desk. `config/config.yaml.template` explains each key.

use std::path::PathBuf;

use super::{
    BuiltInTools, DeskSettings, Endpoint, Flags, McpAt, McpServer, ObservabilitySettings, Perplexity, Price,
    PublishTarget, ReadingSettings, RequestFields, ResearchConfig, SearchService, Secret, Secrets, Tui,
};
use copydesk_newsroom::{Agent, ClaimRules, Disclosure, PathName, Specialist, WriterMode};
use copydesk_text::spelling::HouseSpelling;

/// A desk's settings.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The file that they were read from.
    pub file: PathBuf,
    /// The folder that relative paths are resolved against, absolute.
    pub workspace: PathBuf,
    /// The database file.
    pub database: PathBuf,
    /// The name that decisions carry.
    pub editor: String,
    pub article_generation: ArticleGeneration,
    /// `desk`.
    pub desk: DeskSettings,
    /// `proof`.
    pub proof: ProofSettings,
    /// `publisher`.
    pub publisher: PublisherSettings,
    /// `claims`; none if they are not checked.
    pub claims: Option<ClaimRules>,
    /// `flags`.
    pub flags: Flags,
    /// `privacy.passphrase_file`: the file with the passphrase of the database; none if it is not encrypted.
    pub passphrase_file: Option<PathBuf>,
    /// `privacy.local_only`: refuse every host that is not this machine.
    pub local_only: bool,
    /// `retention`.
    pub retention: RetentionSettings,
    /// `skills`.
    pub skills: SkillSettings,
    /// `research`.
    pub research: ResearchConfig,
    /// `reading`.
    pub reading: ReadingSettings,
    /// `style`.
    pub style: StyleSettings,
    /// `tui`.
    pub tui: Tui,
    /// `prices`; empty if none are given.
    pub prices: Vec<Price>,
    /// `tools`.
    pub tools: BuiltInTools,
    /// `mcp.servers`; empty if there are none.
    pub mcp: Vec<McpServer>,
    /// `transcription`; none if recordings are not transcribed.
    pub transcription: Option<TranscriptionServer>,
    /// `observability`.
    pub observability: ObservabilitySettings,
}

impl Settings {
    /// Returns the agent that is asked for a second opinion; none if none is set, there are no models, or drafts are not proved.
    #[must_use]
    pub fn asks_second_opinion(&self) -> Option<Agent> {
        let asks = self.article_generation.engine.has_models() && self.proof.enabled;
        self.proof.second_opinion.filter(|agent| asks && self.article_generation.models.of(*agent).is_some())
    }

    /// Whether models work and none of them reviews: `article_review_llm` is null.
    #[must_use]
    pub fn has_no_reviewer(&self) -> bool {
        let generation = &self.article_generation;
        generation.engine.has_models() && generation.models.article_review.is_none()
    }

    /// Whether the Publisher's model is asked for notes: there is one, and the Publisher looks at what passed.
    #[must_use]
    pub fn asks_publisher(&self) -> bool {
        let generation = &self.article_generation;
        generation.engine.has_models() && self.publisher.checks && generation.models.publisher.is_some()
    }

    /// Every secret of the file.
    #[must_use]
    pub fn secrets(&self) -> Secrets {
        let transcriber = self.transcription.as_ref().map(|server| &server.api_key);
        let targets = self.publisher.targets.iter().filter_map(PublishTarget::secret);
        let servers = self.mcp.iter().flat_map(McpServer::secrets);
        let collector = self.observability.traces.iter().flat_map(|traces| traces.headers.values());
        self.article_generation.secrets().and(servers.chain(transcriber).chain(targets).chain(collector))
    }

    /// Every address that a request may go to, with the key that names it.
    #[must_use]
    pub fn endpoints(&self) -> Vec<&Endpoint> {
        let generation = &self.article_generation;
        let mut endpoints: Vec<&Endpoint> = generation.models.all().map(|model| &model.endpoint).collect();
        endpoints.extend(generation.perplexity.as_ref().map(|perplexity| &perplexity.endpoint));
        endpoints.extend(generation.knowledge_base.embedding_server().map(|server| &server.endpoint));
        endpoints.extend(self.tools.search.as_ref().and_then(|search| match &search.service {
            SearchService::Searxng(endpoint) => Some(endpoint),
            SearchService::Perplexity(_) => None,
        }));
        endpoints.extend(self.mcp.iter().filter_map(|server| match &server.at {
            McpAt::Address { endpoint, .. } => Some(endpoint),
            McpAt::Program { .. } => None,
        }));
        endpoints.extend(self.transcription.as_ref().map(|server| &server.endpoint));
        endpoints.extend(self.publisher.targets.iter().filter_map(PublishTarget::endpoint));
        endpoints.extend(self.observability.traces.as_ref().map(|traces| &traces.endpoint));
        endpoints
    }

    /// Whether a key, and no placeholder for one, stands in the text of the configuration's file.
    #[must_use]
    pub fn holds_key(&self, yaml: &str) -> bool {
        self.secrets().real().any(|key| yaml.contains(key))
    }
}

/// `proof`: the checks of a draft by a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProofSettings {
    /// Whether its findings join the review of a model.
    pub enabled: bool,
    /// `second_opinion`: the agent whose model is asked about sentences that do not match; none if none is asked.
    pub second_opinion: Option<Agent>,
    /// `entailment.model_dir`: the folder of a model that says whether passages carry a sentence, resolved against the workspace; none if
    /// no model is asked.
    pub entailment: Option<PathBuf>,
}

/// `publisher`: the checks between the gate that an article passed and its sign-off, and the places where it may go then.
#[derive(Debug, Clone, PartialEq)]
pub struct PublisherSettings {
    /// Whether its headline, metadata, accessibility and formats are looked at.
    pub checks: bool,
    /// Whether stories of `run --auto` may be published without a sign-off.
    pub auto: bool,
    /// The disclosure of artificial intelligence in exported articles.
    pub disclosure: Disclosure,
    /// The file of the private key that signs control records, resolved against the workspace; none if they are not signed.
    pub signing_key: Option<PathBuf>,
    /// The places that signed stories are sent to; empty if nothing is published.
    pub targets: Vec<PublishTarget>,
}

/// `retention`: the days after which `copydesk gc` deletes data; none if the data are kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RetentionSettings {
    /// Prompts and answers of stories that have been over for so long.
    pub calls_days: Option<u32>,
    /// Vectors of the texts of stories that have been over for so long.
    pub vectors_days: Option<u32>,
    /// Folders of artifacts of stories that have been over for so long.
    pub artifacts_days: Option<u32>,
    /// Records of the memory that have been expired for so long.
    pub expired_memory_days: Option<u32>,
}

impl ArticleGeneration {
    /// Whether prompts are shaped for their reader; rules read none.
    #[must_use]
    pub fn shapes_for_listeners(&self) -> bool {
        self.engine.has_models() && self.listener_aware
    }

    /// Every secret of the section.
    #[must_use]
    pub fn secrets(&self) -> Secrets {
        let models = self.models.all().map(|model| model.api_key.clone());
        let search = self.perplexity.as_ref().map(|search| search.api_key.clone());
        let embedder = self.knowledge_base.embedding_server().map(|server| server.api_key.clone());
        Secrets::new(models.chain(search).chain(embedder).collect())
    }
}

/// `skills`: texts that teach an agent one kind of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SkillSettings {
    /// Whether they join the prompts of models.
    pub enabled: bool,
}

/// House style, which is noted beside the findings of a check or a review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StyleSettings {
    /// Folders of rules as Vale has them; empty: the desk's own.
    pub folders: Vec<PathBuf>,
    /// Whether every story gets the notes.
    pub in_stories: bool,
    /// Whether grammar and spelling are looked at.
    pub grammar: bool,
    /// Which spelling the newsroom writes.
    pub spelling: HouseSpelling,
}

/// The engine that does the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// Deterministic rules in this program; no server.
    Offline,
    /// Models behind OpenAI-compatible servers.
    Llm,
    /// Answers of such models, from a recording.
    Recorded,
}

impl Engine {
    /// The word in the configuration.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Offline => "offline",
            Self::Llm => "llm",
            Self::Recorded => "recorded",
        }
    }

    /// Whether prompts are made and answers of models read.
    #[must_use]
    pub fn has_models(self) -> bool {
        match self {
            Self::Offline => false,
            Self::Llm | Self::Recorded => true,
        }
    }
}

/// The contract's `article_generation` (docs/reference/contract.md), with `engine`, `encoding` and `default_channel`.
#[derive(Debug, Clone)]
pub struct ArticleGeneration {
    /// The engine that does the work.
    pub engine: Engine,
    /// `recording`: the file of answers, resolved against the workspace.
    pub recording: Option<PathBuf>,
    /// The file that `run --record` writes; never set by the configuration.
    pub record_to: Option<PathBuf>,
    /// The recorded story that is watched; never set by the configuration.
    pub watched: Option<WatchedRecording>,
    /// The tokenizer that prompts are counted with.
    pub encoding: String,
    /// Most tokens of the sources in one prompt; none if they may fill the window.
    pub source_budget_tokens: Option<u64>,
    /// How a model writes the first draft.
    pub writer_mode: WriterMode,
    /// The channel of a plain source.
    pub default_channel: PathName,
    /// `editor.editor_max_rounds`.
    pub max_rounds: u32,
    /// `editor.concerns_limit`.
    pub concerns_limit: u32,
    /// `editor.output`.
    pub output: Output,
    /// `editor.prompts`.
    pub prompts: PromptSettings,
    /// `agents`.
    pub models: Models,
    /// `knowledge_base`.
    pub knowledge_base: KnowledgeBase,
    /// `perplexity`; none if outside evidence is not sought.
    pub perplexity: Option<Perplexity>,
    /// `institutional_memory`.
    pub institutional_memory: InstitutionalMemory,
    /// Names of styles; each is a file beside the prompts.
    pub allowed_styles: Vec<String>,
    /// The style of a topic that names none.
    pub default_style_mode: String,
    /// The length of a topic that names none, in words.
    pub default_target_length_words: String,
    /// Whether the material that agents send on is shaped for its reader.
    pub listener_aware: bool,
}

/// A recorded story that is watched.
#[derive(Debug, Clone, PartialEq)]
pub struct WatchedRecording {
    /// The model that answered, for a person.
    pub model: String,
    /// The day it did, ISO 8601.
    pub recorded_on: String,
    /// How many times as fast as the model it is played; none if without any pause.
    pub speed: Option<f64>,
}

/// A folder as it is written in the file and as it is opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderSetting {
    /// As configured.
    pub configured: String,
    /// Resolved against the workspace.
    pub path: PathBuf,
}

/// Where results go.
#[derive(Debug, Clone)]
pub struct Output {
    /// Canonical JSON: `<dir>/<channel>/<slug>.json`.
    pub final_articles_dir: FolderSetting,
    /// Artifacts: `<dir>/<channel>/<slug>/<run id>/`.
    pub run_artifacts_dir: FolderSetting,
    /// Whether artifacts are written as files too, or stay in the database.
    pub save_intermediate_results: bool,
    /// Whether the group of the files' owner may read canonical articles, for programs that take them on.
    pub group_readable: bool,
}

/// Where the prompts are.
#[derive(Debug, Clone)]
pub struct PromptSettings {
    /// Their folder; the styles are in the folder `styles` beside it.
    pub root_dir: PathBuf,
    /// The writer's prompt.
    pub writer: String,
    /// The writer's prompt for a revision.
    pub revision: String,
    /// The reviewer's prompt.
    pub article_review: String,
    /// The mapping agent's prompt.
    pub concern_mapping: String,
    /// The folder of the specialists' prompts.
    pub specialists_dir: String,
}

/// How a server is asked for JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResponseFormat {
    /// OpenAI's form: `response_format` of type `json_schema`.
    JsonSchema,
    /// llama-cpp-python's form: type `json_object` with the schema beside it.
    JsonObject,
    /// In the prompt alone.
    None,
}

/// One agent's model (docs/reference/contract.md).
#[derive(Debug, Clone)]
pub struct ModelSettings {
    /// The model's name as the server knows it.
    pub model: String,
    /// The server.
    pub endpoint: Endpoint,
    /// Its key.
    pub api_key: Secret,
    /// Tokens that the model can see at once.
    pub context_window: u64,
    /// Most tokens of an answer.
    pub max_tokens: u64,
    /// Sampling temperature.
    pub temperature: f64,
    /// Per cent of the context window that a prompt may fill.
    pub context_window_threshold: u64,
    /// Attempts after the first.
    pub max_retries: u32,
    /// Seconds between attempts.
    pub retry_delay: f64,
    /// Seconds that one call may take.
    pub timeout_seconds: f64,
    /// How JSON is asked for.
    pub response_format: ResponseFormat,
    /// The fields of its requests, in the form that its server takes.
    pub request: RequestFields,
    /// The form in which it is told of tools, if it may call any.
    pub tools: ToolForm,
}

/// How a model is told of tools, and says which it calls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ToolForm {
    /// By the fields `tools` and `tool_calls` of `OpenAI`'s protocol.
    #[default]
    Native,
    /// By a description in the prompt and an answer of one JSON object, for servers without these fields.
    Json,
}

impl ModelSettings {
    /// Most tokens of a prompt: `context_window * context_window_threshold / 100`, and no more than leaves room for the longest answer. For
    /// that half of the window is enough.
    #[must_use]
    pub fn prompt_limit(&self) -> u64 {
        let share = self.context_window.saturating_mul(self.context_window_threshold) / 100;
        share.min(self.context_window - self.max_tokens.min(self.context_window / 2))
    }
}

/// The models of the contract's agents.
#[derive(Debug, Clone)]
pub struct Models {
    /// `writer_llm`.
    pub writer: ModelSettings,
    /// `article_review_llm`; none if the proof reviews alone.
    pub article_review: Option<ModelSettings>,
    /// `concern_mapping_llm`.
    pub concern_mapping: ModelSettings,
    /// `specialists.fact_check_llm`.
    pub fact_check: ModelSettings,
    /// `specialists.evidence_finding_llm`.
    pub evidence_finding: ModelSettings,
    /// `specialists.opinion_llm`.
    pub opinion: ModelSettings,
    /// `specialists.attribution_llm`.
    pub attribution: ModelSettings,
    /// `specialists.style_review_llm`.
    pub style_review: ModelSettings,
    /// The model of the Reporter (`reporter_llm`); none if research is off.
    pub reporter: Option<ModelSettings>,
    /// `editor_llm`; none if rules do the Editor's work.
    pub editor: Option<ModelSettings>,
    /// `publisher_llm`; none if the Publisher's notes come from rules alone.
    pub publisher: Option<ModelSettings>,
}

impl Models {
    /// The same model for every agent.
    #[must_use]
    pub fn of_one(model: &ModelSettings) -> Self {
        let one = || model.clone();
        Self {
            writer: one(),
            article_review: Some(one()),
            concern_mapping: one(),
            fact_check: one(),
            evidence_finding: one(),
            opinion: one(),
            attribution: one(),
            style_review: one(),
            reporter: Some(one()),
            editor: Some(one()),
            publisher: Some(one()),
        }
    }

    /// The model of an agent; none for the search service.
    #[must_use]
    pub fn of(&self, agent: Agent) -> Option<&ModelSettings> {
        match agent {
            Agent::Writer => Some(&self.writer),
            Agent::ArticleReview => self.article_review.as_ref(),
            Agent::ConcernMapping => Some(&self.concern_mapping),
            Agent::Specialist(specialist) => Some(self.specialist(specialist)),
            Agent::EvidenceSearch => None,
            Agent::Reporter => self.reporter.as_ref(),
            Agent::Editor => self.editor.as_ref(),
            Agent::Publisher => self.publisher.as_ref(),
        }
    }

    /// The model of a specialist.
    #[must_use]
    pub fn specialist(&self, specialist: Specialist) -> &ModelSettings {
        match specialist {
            Specialist::FactCheck => &self.fact_check,
            Specialist::EvidenceFinding => &self.evidence_finding,
            Specialist::Opinion => &self.opinion,
            Specialist::Attribution => &self.attribution,
            Specialist::StyleReview => &self.style_review,
        }
    }

    /// Those that there are.
    pub fn all(&self) -> impl Iterator<Item = &ModelSettings> {
        let own = [
            &self.writer,
            &self.concern_mapping,
            &self.fact_check,
            &self.evidence_finding,
            &self.opinion,
            &self.attribution,
            &self.style_review,
        ];
        own.into_iter().chain(&self.article_review).chain(&self.reporter).chain(&self.editor).chain(&self.publisher)
    }
}

/// The knowledge base.
#[derive(Debug, Clone)]
pub struct KnowledgeBase {
    /// The folder of its files; one that does not exist is an empty one.
    pub data_dir: FolderSetting,
    /// `links_out_of_folder`: whether links lead out of it.
    pub links_out_of_folder: bool,
    /// Most tokens of a passage.
    pub chunk_size_tokens: usize,
    /// Tokens that neighbouring passages share.
    pub chunk_overlap_tokens: usize,
    /// Most tokens of a passage of a story's source.
    pub source_chunk_size_tokens: usize,
    /// Tokens that neighbouring passages of a source share.
    pub source_chunk_overlap_tokens: usize,
    /// The credibility of a file that says none, from 0 to 1.
    pub default_credibility: f64,
    /// The least credibility of cited passages, from 0 to 1.
    pub min_credibility: f64,
    /// Most passages that one question brings.
    pub top_k: usize,
    /// Most tokens of passages that an agent is given.
    pub budget_tokens: u64,
    /// `questions`: the writer of a fact check's questions to the passages.
    pub questions: Questions,
    /// Seconds that a search may take.
    pub timeout_seconds: f64,
    /// The embedder, which turns passages into vectors; none if full text alone serves.
    pub embedding: Option<Embedding>,
}

impl KnowledgeBase {
    /// The embedder's server, if the embedder is one.
    #[must_use]
    pub fn embedding_server(&self) -> Option<&EmbeddingServer> {
        match &self.embedding {
            Some(Embedding::Server(server)) => Some(server),
            Some(Embedding::Folder { .. }) | None => None,
        }
    }
}

/// `knowledge_base.embedding`.
#[derive(Debug, Clone, PartialEq)]
pub enum Embedding {
    /// `provider: openai_compatible`, or `lmstudio`, the contract's word for the same.
    Server(EmbeddingServer),
    /// `provider: folder`: a model in this process.
    Folder {
        /// `model_dir`: the folder of its files, resolved against the workspace.
        model_dir: PathBuf,
    },
}

/// An embedder behind an OpenAI-compatible server.
#[derive(Debug, Clone, PartialEq)]
pub struct EmbeddingServer {
    /// `model_name`, as the server knows it.
    pub model: String,
    /// The server; `/embeddings` is added.
    pub endpoint: Endpoint,
    /// Its key.
    pub api_key: Secret,
    /// Seconds that one request may take.
    pub timeout_seconds: f64,
}

/// A server with `OpenAI`'s `/audio/transcriptions`.
#[derive(Debug, Clone, PartialEq)]
pub struct TranscriptionServer {
    /// The server; `/audio/transcriptions` is added.
    pub endpoint: Endpoint,
    /// Its key.
    pub api_key: Secret,
    /// The model's name as the server knows it.
    pub model: String,
    /// `language`: the spoken language, such as `en`; none if the server is to find out.
    pub language: Option<String>,
    /// Seconds that one recording may take, its upload included.
    pub timeout_seconds: f64,
    /// The largest recording that is sent, in MB (2^20 bytes).
    pub longest_mb: u64,
}

/// Where records of earlier checks go.
#[derive(Debug, Clone)]
pub struct InstitutionalMemory {
    /// Their folder.
    pub data_dir: FolderSetting,
    /// Subfolder of fact checks.
    pub fact_checking_subdir: String,
    /// Subfolder of evidence searches.
    pub evidence_finding_subdir: String,
    /// Days after which a record is not offered any more; none if it always is.
    pub expires_after_days: Option<u32>,
}

/// `knowledge_base.questions`: the maker of questions on a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Questions {
    /// A rule in this program.
    Rule,
    /// The model of fact checks, in a call of its own.
    Model,
}
