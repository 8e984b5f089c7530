//! The settings of a desk: one YAML file, read strictly, every problem of it reported at once.
//!
//! This crate knows the valid values of each key, and its line. It reads no file but the text it is given, asks no server,
//! and holds secrets so that nothing else can print them.

#![cfg_attr(test, allow(clippy::string_slice, reason = "a test that cuts at a wrong place should stop there"))]

mod check;
mod claims;
mod database;
mod desk;
mod fields;
mod flags;
mod generation;
mod lines;
mod load;
mod mcp;
mod models;
mod observability;
mod problem;
mod redactor;
mod research;
mod screen;
mod secret;
mod service;
mod set_entry;
mod set_keys;
mod settings;
mod shared;
mod targets;
mod tools;

pub use database::{DatabasePlace, DatabaseServer};
pub use desk::{BudgetSettings, DeskSettings, OwnLimits, QueueSettings, ServerSettings};
pub use flags::{Flags, word_list};
pub use generation::{
    ArticleGeneration, EditorSettings, Embedding, EmbeddingServer, Engine, FolderSetting, InstitutionalMemory,
    KnowledgeBase, Output, PromptSettings, Questions, WatchedRecording,
};
pub use lines::line_of;
pub use load::{TEMPLATE, load, of_recording};
pub use mcp::{McpAddress, McpAt, McpProgram, McpServer};
pub use models::{ModelSettings, Models, RequestFields, ResponseFormat, SECTIONS, SpecialistModels, ToolForm};
pub use observability::{ObservabilitySettings, TraceSettings};
pub use problem::{ConfigError, ConfigProblem};
pub use redactor::SecretRedactor;
pub use research::ResearchConfig;
pub use screen::{Price, Remap, ThemeName, Tui};
pub use secret::{Secret, Secrets};
pub use service::{Endpoint, Perplexity, RecordingPlayer, TranscriptionServer};
pub use set_entry::{EntryChange, set_entry};
pub use set_keys::{CannotSet, KeyChange, set_keys, value_at, written, written_changes};
pub use settings::{
    Privacy, ProofSettings, PublisherSettings, ReadingSettings, RetentionSettings, Settings, SkillSettings,
    StyleSettings,
};
pub use shared::with_shared;
pub use targets::{
    BucketPlace, BucketTarget, MailSecurity, MailTarget, PublishTarget, TargetPlace, ToolTarget, WebhookTarget,
};
pub use tools::{BuiltInTools, FeedSettings, FetchSettings, Renderer, SearchProvider, SearchService, WebSearch};
