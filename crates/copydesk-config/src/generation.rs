//! `article_generation`: the contract's section (docs/reference/contract.md), with `engine`, `encoding` and more.

use std::path::PathBuf;

use serde::{Deserialize, Deserializer};
use serde_yaml::Mapping;

use super::{
    Endpoint, Models, Perplexity, Secret, Secrets,
    fields::{choice, days, nullable, number, read, seconds, take, whole, whole_or_null},
};
use copydesk_newsroom::{PathName, WriterMode, named};
use copydesk_text::tokens::ENCODINGS;

/// The engine that does the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Engine {
    /// Deterministic rules in this program; no server.
    Offline,
    /// Models behind OpenAI-compatible servers.
    Llm,
    /// Answers of such models, from a recording.
    Recorded,
}

named!(Engine);

impl Engine {
    /// Whether prompts are made and answers of models read.
    pub fn has_models(self) -> bool {
        self != Self::Offline
    }
}

/// `article_generation`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArticleGeneration {
    /// The keys of the shared models, also of those that no agent uses.
    #[serde(skip)]
    pub(super) shared_keys: Vec<Secret>,
    /// The engine that does the work.
    pub engine: Engine,
    /// The file of answers, resolved against the workspace.
    #[serde(deserialize_with = "nullable")]
    pub recording: Option<PathBuf>,
    /// The file that `run --record` writes; never set by the configuration.
    #[serde(skip)]
    pub record_to: Option<PathBuf>,
    /// The recorded story that is watched; never set by the configuration.
    #[serde(skip)]
    pub watched: Option<WatchedRecording>,
    /// The tokenizer that prompts are counted with.
    #[serde(deserialize_with = "encoding")]
    pub encoding: String,
    /// Most tokens of the sources in one prompt; none if they may fill the window.
    #[serde(deserialize_with = "whole_or_null::<500, 10_000_000, _, _>")]
    pub source_budget_tokens: Option<u64>,
    /// How a model writes the first draft.
    pub writer_mode: WriterMode,
    /// The channel of a plain source.
    pub default_channel: PathName,
    /// The newsroom desk of a story that names none.
    #[serde(deserialize_with = "nullable")]
    pub default_desk: Option<String>,
    pub editor: EditorSettings,
    #[serde(rename = "agents")]
    pub models: Models,
    pub knowledge_base: KnowledgeBase,
    /// None if outside evidence is not sought.
    #[serde(deserialize_with = "nullable")]
    pub perplexity: Option<Perplexity>,
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

fn encoding<'de, D: Deserializer<'de>>(value: D) -> Result<String, D::Error> {
    let name = String::deserialize(value)?;
    choice(&name, &ENCODINGS.map(|known| (known, known))).map(str::to_owned)
}

impl ArticleGeneration {
    /// Whether a model writes the questions of a fact check.
    pub fn asks_questions(&self) -> bool {
        self.engine.has_models() && self.knowledge_base.questions == Questions::Model
    }

    /// Every secret of the section.
    pub fn secrets(&self) -> Secrets {
        let models = self.models.all().map(|model| model.api_key.clone());
        let search = self.perplexity.as_ref().map(|search| search.api_key.clone());
        let embedder = self.knowledge_base.embedding_server().map(|server| server.api_key.clone());
        Secrets::new(models.chain(self.shared_keys.iter().cloned()).chain(search).chain(embedder).collect())
    }
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

/// `editor`: the editorial loop.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EditorSettings {
    #[serde(rename = "editor_max_rounds", deserialize_with = "whole::<1, 20, _, _>")]
    pub max_rounds: u32,
    /// How many concerns of a review are judged one by one.
    #[serde(deserialize_with = "whole::<1, 1_000, _, _>")]
    pub concerns_limit: u32,
    pub output: Output,
    pub prompts: PromptSettings,
}

/// A folder as it is written in the file and as it is opened.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(from = "String")]
pub struct FolderSetting {
    /// As configured.
    pub configured: String,
    /// Resolved against the workspace.
    pub path: PathBuf,
}

impl From<String> for FolderSetting {
    fn from(configured: String) -> Self {
        Self { path: PathBuf::from(&configured), configured }
    }
}

/// Where results go.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
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
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PromptSettings {
    /// Their folder; the styles are in the folder `styles` beside it.
    pub root_dir: PathBuf,
    /// The writer's prompt.
    #[serde(rename = "writer_prompt_file")]
    pub writer: String,
    /// The writer's prompt for a revision.
    #[serde(rename = "revision_prompt_file")]
    pub revision: String,
    /// The reviewer's prompt.
    #[serde(rename = "article_review_prompt_file")]
    pub article_review: String,
    /// The mapping agent's prompt.
    #[serde(rename = "concern_mapping_prompt_file")]
    pub concern_mapping: String,
    /// The folder of the specialists' prompts.
    pub specialists_dir: String,
}

/// The knowledge base.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnowledgeBase {
    /// The folder of its files; one that does not exist is an empty one.
    pub data_dir: FolderSetting,
    /// Whether links lead out of it.
    pub links_out_of_folder: bool,
    /// Most tokens of a passage.
    #[serde(deserialize_with = "whole::<16, 8192, _, _>")]
    pub chunk_size_tokens: usize,
    /// Tokens that neighbouring passages share.
    #[serde(deserialize_with = "whole::<0, 4096, _, _>")]
    pub chunk_overlap_tokens: usize,
    /// Most tokens of a passage of a story's source.
    #[serde(deserialize_with = "whole::<16, 8192, _, _>")]
    pub source_chunk_size_tokens: usize,
    /// Tokens that neighbouring passages of a source share.
    #[serde(deserialize_with = "whole::<0, 4096, _, _>")]
    pub source_chunk_overlap_tokens: usize,
    /// The credibility of a file that says none, from 0 to 1.
    #[serde(deserialize_with = "number::<1, _>")]
    pub default_credibility: f64,
    /// The least credibility of cited passages, from 0 to 1.
    #[serde(deserialize_with = "number::<1, _>")]
    pub min_credibility: f64,
    /// Most passages that one question brings.
    #[serde(deserialize_with = "whole::<1, 50, _, _>")]
    pub top_k: usize,
    /// Most tokens of passages that an agent is given.
    #[serde(deserialize_with = "whole::<100, 1_000_000, _, _>")]
    pub budget_tokens: u64,
    /// The writer of a fact check's questions to the passages.
    pub questions: Questions,
    /// Seconds that a search may take.
    #[serde(deserialize_with = "seconds")]
    pub timeout_seconds: f64,
    /// The embedder, which turns passages into vectors; none if full text alone serves.
    #[serde(deserialize_with = "nullable")]
    pub embedding: Option<Embedding>,
}

/// `knowledge_base.questions`: the maker of questions on a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Questions {
    /// A rule in this program.
    Rule,
    /// The model of fact checks, in a call of its own.
    Model,
}

impl KnowledgeBase {
    /// The embedder's server, if the embedder is one.
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
        /// The folder of its files, resolved against the workspace.
        model_dir: PathBuf,
    },
}

impl<'de> Deserialize<'de> for Embedding {
    /// By hand, because serde's own tagged enums lose the key of an error.
    fn deserialize<D: Deserializer<'de>>(value: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(rename_all = "snake_case")]
        enum Provider {
            #[serde(alias = "lmstudio")]
            OpenaiCompatible,
            Folder,
        }
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Folder {
            model_dir: PathBuf,
        }
        let mut keys = Mapping::deserialize(value)?;
        Ok(match take(&mut keys, "provider")? {
            Provider::OpenaiCompatible => Self::Server(read(keys)?),
            Provider::Folder => Self::Folder { model_dir: read::<Folder, _>(keys)?.model_dir },
        })
    }
}

/// An embedder behind an OpenAI-compatible server.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EmbeddingServer {
    /// Its model, as the server knows it.
    #[serde(rename = "model_name")]
    pub model: String,
    /// The server; `/embeddings` is added.
    #[serde(rename = "api_base")]
    pub endpoint: Endpoint,
    /// Its key.
    pub api_key: Secret,
    /// Seconds that one request may take.
    #[serde(deserialize_with = "seconds")]
    pub timeout_seconds: f64,
}

/// Where records of earlier checks go.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InstitutionalMemory {
    /// Their folder.
    pub data_dir: FolderSetting,
    /// Subfolder of fact checks.
    pub fact_checking_subdir: PathName,
    /// Subfolder of evidence searches.
    pub evidence_finding_subdir: PathName,
    /// Days after which a record is not offered any more; none if it always is.
    #[serde(deserialize_with = "days")]
    pub expires_after_days: Option<u32>,
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::{ConfigError, Secret, Settings, TEMPLATE, load};

    const SERVER: &str = "embedding:\n      provider: lmstudio\n      model_name: text-embedding-bge-large-en-v1.5\n      api_base: http://127.0.0.1:1234/v1\n      api_key: sk-embedder-0123456789\n      timeout_seconds: 30";

    fn read(embedding: &str) -> Result<Settings, ConfigError> {
        let yaml = TEMPLATE.replace("embedding: null", embedding);
        load(Path::new("config/config.yaml"), &yaml, Path::new("/desk"))
    }

    fn problems(embedding: &str) -> Vec<String> {
        let error = read(embedding).unwrap_err();
        let first = TEMPLATE.lines().position(|line| line.contains("embedding: null")).unwrap() + 1;
        let prefix = "article_generation.knowledge_base.";
        let problems = error.problems.into_iter();
        problems
            .map(|p| format!("+{}: {} {}", p.line - first, p.key.strip_prefix(prefix).unwrap(), p.message))
            .collect()
    }

    #[test]
    fn a_model_writes_questions_where_there_are_models() {
        let asks = |engine: &str, questions: &str| {
            let yaml = TEMPLATE
                .replace("engine: offline", &format!("engine: {engine}"))
                .replace("questions: rule", &format!("questions: {questions}"));
            load(Path::new("config.yaml"), &yaml, Path::new("/desk")).unwrap().article_generation.asks_questions()
        };
        assert!(asks("llm", "model") && !asks("llm", "rule") && !asks("offline", "rule"));
    }

    #[test]
    fn a_server_has_an_address_and_a_secret_of_the_file() {
        for word in ["lmstudio", "openai_compatible"] {
            let settings = read(&SERVER.replace("lmstudio", word)).unwrap();
            let generation = &settings.article_generation;
            let server = generation.knowledge_base.embedding_server().unwrap();
            assert_eq!(generation.knowledge_base.embedding, Some(Embedding::Server(server.clone())));
            assert_eq!(
                (server.model.as_str(), server.endpoint.base.as_str(), server.timeout_seconds),
                ("text-embedding-bge-large-en-v1.5", "http://127.0.0.1:1234/v1", 30.0)
            );
            assert_eq!(server.endpoint.setting, "article_generation.knowledge_base.embedding.api_base");
            assert_eq!(server.api_key, Secret::new("sk-embedder-0123456789".into()));
            assert!(settings.endpoints().contains(&server.endpoint));
            let said = settings.secrets().hide_in_message("no key sk-embedder-0123456789 here");
            assert_eq!(said, "no key [secret] here");
        }
    }

    #[test]
    fn a_folder_is_resolved_against_the_workspace_and_asks_nobody() {
        let settings = read("embedding:\n      provider: folder\n      model_dir: ./models/all-MiniLM-L6-v2").unwrap();
        let base = &settings.article_generation.knowledge_base;
        assert_eq!(base.embedding, Some(Embedding::Folder { model_dir: "/desk/models/all-MiniLM-L6-v2".into() }));
        assert_eq!(base.embedding_server(), None);
        assert_eq!(settings.endpoints().len(), 8, "the agents' alone");
        assert_eq!(read("embedding: null").unwrap().article_generation.knowledge_base.embedding, None);
    }

    #[test]
    fn each_key_that_is_wrong_or_missing_or_another_providers_is_told_with_its_line() {
        let wrong = |from: &str, to: &str| problems(&SERVER.replace(from, to)).join("\n");
        assert_eq!(
            wrong("      model_name: text-embedding-bge-large-en-v1.5\n", ""),
            "+0: embedding.model_name is missing"
        );
        assert_eq!(
            wrong("model_name: ", "model_dir: "),
            "+2: embedding.model_dir is not a key of this section; its keys are model_name, api_base, api_key, timeout_seconds"
        );
        assert_eq!(
            wrong("http://127.0.0.1:1234/v1", "127.0.0.1"),
            "+3: embedding.api_base must be a server's address such as http://127.0.0.1:1234/v1"
        );
        assert_eq!(wrong("sk-embedder-0123456789", "\"\""), "+4: embedding.api_key is empty");
        assert_eq!(
            wrong("timeout_seconds: 30", "timeout_seconds: 0"),
            "+5: embedding.timeout_seconds must be a number from 0.05 to 86400"
        );
        assert_eq!(
            wrong("lmstudio", "ollama"),
            "+1: embedding.provider must be one of lmstudio, openai_compatible, folder"
        );
        assert_eq!(problems("embedding:\n      model_dir: ./models"), ["+0: embedding.provider is missing"]);
        assert_eq!(
            problems("embedding:\n      provider: folder\n      api_key: k\n      model_dir: ./models"),
            ["+2: embedding.api_key is not a key of this section; its keys are model_dir"]
        );
    }
}
