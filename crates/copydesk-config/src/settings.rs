//! The settings of a desk. `config/config.yaml.template` explains each key.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer};

use super::{
    ArticleGeneration, BuiltInTools, DatabasePlace, DeskSettings, EditorSettings, Embedding, Endpoint, Flags,
    MailTarget, McpAt, McpServer, ObservabilitySettings, Price, PublishTarget, ResearchConfig, SearchProvider,
    SearchService, Secrets, TargetPlace, TranscriptionServer, Tui,
    claims::claim_rules,
    fields::{choice, days, list, nullable},
    mcp::servers,
    models::SECTIONS,
    shared::SharedKeys,
};
use copydesk_newsroom::{Agent, CitationStyle, ClaimRules, Disclosure, ToolUsers};
use copydesk_text::spelling::HouseSpelling;

/// A desk's settings.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The file that they were read from.
    #[serde(skip)]
    pub file: PathBuf,
    /// The folder that relative paths are resolved against, absolute.
    pub workspace: PathBuf,
    pub database: DatabasePlace,
    /// The name that decisions carry.
    pub editor: String,
    pub article_generation: ArticleGeneration,
    pub desk: DeskSettings,
    pub proof: ProofSettings,
    pub publisher: PublisherSettings,
    /// None if claims are not checked.
    #[serde(deserialize_with = "claim_rules")]
    pub claims: Option<ClaimRules>,
    pub flags: Flags,
    pub privacy: Privacy,
    pub retention: RetentionSettings,
    pub skills: SkillSettings,
    pub research: ResearchConfig,
    pub reading: ReadingSettings,
    pub style: StyleSettings,
    pub tui: Tui,
    /// Empty if none are given.
    #[serde(deserialize_with = "list")]
    pub prices: Vec<Price>,
    pub tools: BuiltInTools,
    /// `mcp.servers`; empty if there are none.
    #[serde(deserialize_with = "servers")]
    pub mcp: Vec<McpServer>,
    /// None if recordings are not transcribed.
    #[serde(deserialize_with = "nullable")]
    pub transcription: Option<TranscriptionServer>,
    pub observability: ObservabilitySettings,
}

impl Settings {
    /// Returns the agent that is asked for a second opinion; none if none is set, there are no models, or drafts are not proved.
    pub fn asks_second_opinion(&self) -> Option<Agent> {
        let asks = self.article_generation.engine.has_models() && self.proof.enabled;
        self.proof.second_opinion.filter(|agent| asks && self.article_generation.models.of(*agent).is_some())
    }

    /// Whether models work and none of them reviews: `article_review_llm` is null.
    pub fn has_no_reviewer(&self) -> bool {
        let generation = &self.article_generation;
        generation.engine.has_models() && generation.models.article_review.is_none()
    }

    /// Whether the Publisher's model is asked for notes: there is one, and the Publisher looks at what passed.
    pub fn asks_publisher(&self) -> bool {
        let generation = &self.article_generation;
        generation.engine.has_models() && self.publisher.checks && generation.models.publisher.is_some()
    }

    /// The agents that may call tools, apart from the Reporter. Without models there are none.
    pub fn tool_users(&self) -> ToolUsers {
        if self.article_generation.engine.has_models() { self.research.agents } else { ToolUsers::NONE }
    }

    /// Every secret of the file.
    pub fn secrets(&self) -> Secrets {
        let transcriber = self.transcription.as_ref().map(|server| &server.api_key);
        let targets = self.publisher.targets.iter().filter_map(PublishTarget::secret);
        let servers = self.mcp.iter().flat_map(McpServer::secrets);
        let collector = self.observability.traces.iter().flat_map(|traces| traces.headers.values());
        self.article_generation.secrets().and(servers.chain(transcriber).chain(targets).chain(collector))
    }

    /// Every address that a request may go to, with the key that names it.
    pub fn endpoints(&self) -> Vec<Endpoint> {
        self.clone().endpoints_mut().into_iter().map(|(_, endpoint)| endpoint.clone()).collect()
    }

    /// The same, each with its key.
    fn endpoints_mut<'a>(&'a mut self) -> Vec<(String, &'a mut Endpoint)> {
        let generation = &mut self.article_generation;
        let models = generation.models.sections_mut();
        let mut endpoints: Vec<(String, &'a mut Endpoint)> = models
            .map(|(agent, model)| (format!("article_generation.agents.{agent}.api_base"), &mut model.endpoint))
            .collect();
        let mut add = |key: &str, endpoint: Option<&'a mut Endpoint>| {
            endpoints.extend(endpoint.map(|endpoint| (key.to_owned(), endpoint)));
        };
        let perplexity = generation.perplexity.as_mut();
        add("article_generation.perplexity.api_base", perplexity.map(|search| &mut search.endpoint));
        if let Some(Embedding::Server(server)) = &mut generation.knowledge_base.embedding {
            add("article_generation.knowledge_base.embedding.api_base", Some(&mut server.endpoint));
        }
        add("tools.search.api_base", self.tools.search.as_mut().and_then(|search| search.api_base.as_mut()));
        for server in &mut self.mcp {
            if let McpAt::Address(address) = &mut server.at {
                add(&format!("{}.url", server.setting), Some(&mut address.endpoint));
            }
        }
        add("transcription.api_base", self.transcription.as_mut().map(|server| &mut server.endpoint));
        for target in &mut self.publisher.targets {
            match &mut target.at {
                TargetPlace::Email(mail) => add(&format!("{}.server", target.setting), Some(&mut mail.endpoint)),
                TargetPlace::Webhook(webhook) => add(&format!("{}.url", target.setting), Some(&mut webhook.endpoint)),
                TargetPlace::Bucket(bucket) => add(&format!("{}.url", target.setting), Some(&mut bucket.endpoint)),
                TargetPlace::Folder(_) | TargetPlace::Mcp(_) => {}
            }
        }
        add("observability.traces.api_base", self.observability.traces.as_mut().map(|traces| &mut traces.endpoint));
        endpoints
    }

    /// The files and folders that start from the workspace.
    fn paths_mut(&mut self) -> Vec<&mut PathBuf> {
        let generation = &mut self.article_generation;
        let EditorSettings { output, prompts, .. } = &mut generation.editor;
        let base = &mut generation.knowledge_base;
        let mut paths = vec![
            &mut output.final_articles_dir.path,
            &mut output.run_artifacts_dir.path,
            &mut prompts.root_dir,
            &mut base.data_dir.path,
            &mut generation.institutional_memory.data_dir.path,
        ];
        if let DatabasePlace::File(file) = &mut self.database {
            paths.push(file);
        }
        paths.extend(&mut generation.recording);
        if let Some(Embedding::Folder { model_dir }) = &mut base.embedding {
            paths.push(model_dir);
        }
        paths.extend(&mut self.publisher.signing_key);
        paths.extend(self.publisher.targets.iter_mut().filter_map(|target| match &mut target.at {
            TargetPlace::Folder(folder) => Some(folder),
            _ => None,
        }));
        paths.extend(&mut self.flags.word_list);
        paths.extend(&mut self.privacy.passphrase_file);
        paths.extend(&mut self.style.folders);
        paths.extend(&mut self.observability.log);
        paths
    }

    /// Fills in what a section cannot know by itself: the folder that paths start from, the keys of addresses and entries, and the lines
    /// of the screen's keys.
    pub(super) fn complete(
        &mut self,
        file: &Path,
        current_dir: &Path,
        shared: &SharedKeys,
        line: impl Fn(&str) -> usize,
    ) {
        file.clone_into(&mut self.file);
        self.workspace = current_dir.join(&self.workspace).components().collect();
        let workspace = self.workspace.clone();
        for path in self.paths_mut() {
            *path = workspace.join(&*path).components().collect();
        }
        for (at, target) in self.publisher.targets.iter_mut().enumerate() {
            target.setting = format!("publisher.targets[{at}]");
            if let TargetPlace::Email(MailTarget { endpoint, port, .. }) = &mut target.at {
                let _ = endpoint.base.set_port(Some(*port)); // Only an address without a host refuses a port.
            }
        }
        for (at, server) in self.mcp.iter_mut().enumerate() {
            server.setting = format!("mcp.servers[{at}]");
        }
        for (key, endpoint) in self.endpoints_mut() {
            endpoint.setting = shared.written_at(&key);
        }
        for remap in &mut self.tui.keys {
            remap.line = line(&format!("tui.keys.{}", remap.action));
        }
        self.tui.keys.sort_by_key(|remap| remap.line);
    }

    /// The service that searches the web; none if none is configured.
    pub fn search_service(&self) -> Option<SearchService> {
        let search = self.tools.search.as_ref()?;
        match search.provider {
            SearchProvider::Searxng => search.api_base.clone().map(SearchService::Searxng),
            SearchProvider::Perplexity => self.article_generation.perplexity.clone().map(SearchService::Perplexity),
        }
    }

    /// The service that looks for evidence outside with its time-out in seconds: Perplexity, else a `SearXNG` server; none if there is neither.
    pub fn evidence_service(&self) -> Option<(SearchService, f64)> {
        let perplexity = self.article_generation.perplexity.clone();
        let weighed = perplexity.map(|search| (search.timeout_seconds, SearchService::Perplexity(search)));
        let searched = || {
            let found = self.search_service().filter(|service| matches!(service, SearchService::Searxng(_)));
            found.zip(self.tools.search.as_ref()).map(|(service, search)| (search.timeout_seconds, service))
        };
        weighed.or_else(searched).map(|(seconds, service)| (service, seconds))
    }

    /// Whether a key, and no placeholder for one, stands in the text of the configuration's file.
    pub fn holds_key(&self, yaml: &str) -> bool {
        self.secrets().real().any(|key| yaml.contains(key))
    }
}

/// `proof`: the checks of a draft by a program.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProofSettings {
    /// Whether its findings join the review of a model.
    pub enabled: bool,
    /// The agent whose model is asked about sentences that do not match; none if none is asked.
    #[serde(deserialize_with = "second_opinion")]
    pub second_opinion: Option<Agent>,
}

/// Reads the agent of a second opinion by the key of its model. These agents always have a model, except for the reviewer.
fn second_opinion<'de, D: Deserializer<'de>>(value: D) -> Result<Option<Agent>, D::Error> {
    let agents = SECTIONS.map(|(section, agent)| (section.rsplit('.').next().unwrap_or(section), agent));
    let always = agents.split_at(8).0;
    nullable::<_, String>(value)?.map(|key| choice(&key, always)).transpose()
}

/// `publisher`: the checks between the gate that an article passed and its sign-off, and the places where it may go then.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublisherSettings {
    /// Whether its headline, metadata, accessibility and formats are looked at.
    pub checks: bool,
    /// Whether stories of `run --auto` may be published without a sign-off.
    pub auto: bool,
    /// The disclosure of artificial intelligence in exported articles.
    pub disclosure: Disclosure,
    /// How exported articles name their sources to readers.
    pub citations: CitationStyle,
    /// The file of the private key that signs control records, resolved against the workspace; none if they are not signed.
    #[serde(deserialize_with = "nullable")]
    pub signing_key: Option<PathBuf>,
    /// The places that signed stories are sent to; empty if nothing is published.
    #[serde(deserialize_with = "list")]
    pub targets: Vec<PublishTarget>,
}

/// `privacy`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Privacy {
    /// Refuse every host that is not this machine.
    pub local_only: bool,
    /// The file with the passphrase of the database; none if it is not encrypted.
    #[serde(deserialize_with = "nullable")]
    pub passphrase_file: Option<PathBuf>,
}

/// `retention`: the days after which `copydesk gc` deletes data; none if the data are kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RetentionSettings {
    /// Prompts and answers of stories that have been over for so long.
    #[serde(deserialize_with = "days")]
    pub calls_days: Option<u32>,
    /// Vectors of the texts of stories that have been over for so long.
    #[serde(deserialize_with = "days")]
    pub vectors_days: Option<u32>,
    /// Folders of artifacts of stories that have been over for so long.
    #[serde(deserialize_with = "days")]
    pub artifacts_days: Option<u32>,
    /// Records of the memory that have been expired for so long.
    #[serde(deserialize_with = "days")]
    pub expired_memory_days: Option<u32>,
}

/// `reading`: how files are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReadingSettings {
    /// Whether files are read on a system that cannot confine their readers.
    pub without_sandbox: bool,
}

/// `skills`: texts that teach an agent one kind of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SkillSettings {
    /// Whether they join the prompts of models.
    pub enabled: bool,
}

/// House style, which is noted beside the findings of a check or a review.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StyleSettings {
    /// Folders of rules as Vale has them; empty: the desk's own.
    #[serde(deserialize_with = "list")]
    pub folders: Vec<PathBuf>,
    /// Whether every story gets the notes.
    pub in_stories: bool,
    /// Whether grammar and spelling are looked at.
    pub grammar: bool,
    /// Which spelling the newsroom writes.
    pub spelling: HouseSpelling,
}
