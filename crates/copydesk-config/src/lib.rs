//! The settings of a desk: one YAML file, read strictly, every problem of it reported at once.
//!
//! This crate knows the valid values of each key, and its line. It reads no file but the text it is given, asks no server,
//! and holds secrets so that nothing else can print them.

#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::string_slice,
        reason = "a test that meets the unexpected should stop there and say so"
    )
)]

mod add_keys;
mod claims;
mod desk;
mod embedding;
mod fields;
mod flags;
mod knowledge;
mod lines;
mod load;
mod mcp;
mod mcp_settings;
mod models;
mod observability;
mod observability_settings;
mod problem;
mod publisher;
mod reader;
mod reading;
mod redactor;
mod request;
mod research;
mod screen;
mod secret;
mod service;
mod set_keys;
mod settings;
mod target_settings;
mod tool_settings;
mod tools;
mod transcription;

pub use add_keys::{Added, CannotAdd, add_keys};
pub use desk::{BudgetSettings, DeskSettings, Limits, QueueSettings, ServerSettings};
pub use flags::{Flags, word_list};
pub use lines::line_of;
pub use load::{TEMPLATE, load};
pub use mcp_settings::{McpAt, McpServer};
pub use observability_settings::{ObservabilitySettings, TraceSettings};
pub use problem::{ConfigError, ConfigProblem};
pub use reading::ReadingSettings;
pub use redactor::SecretRedactor;
pub use request::RequestFields;
pub use research::ResearchConfig;
pub use screen::{Price, Remap, ThemeChoice, Tui};
pub use secret::{Secret, Secrets};
pub use service::{Endpoint, Perplexity};
pub use set_keys::{CannotSet, KeyChange, set_keys, value_at, written};
pub use settings::{
    ArticleGeneration, Embedding, EmbeddingServer, Engine, FolderSetting, InstitutionalMemory, KnowledgeBase,
    ModelSettings, Models, Output, PromptSettings, ProofSettings, PublisherSettings, Questions, ResponseFormat,
    RetentionSettings, Settings, SkillSettings, StyleSettings, ToolForm, TranscriptionServer, WatchedRecording,
};
pub use target_settings::{MailSecurity, MailTarget, PublishTarget, TargetPlace, WebhookTarget};
pub use tool_settings::{BuiltInTools, FetchSettings, SearchService, WebSearch};
