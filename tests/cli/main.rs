//! The commands, each with the real program in a folder of its own: without a screen, and without anybody who breaks in.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test that meets the unexpected should stop there and say so; some print the figures they measure"
)]

#[path = "../support/mod.rs"]
mod support;

mod assign;
mod beat;
mod check;
mod check_documents;
mod check_extremes;
mod check_formats;
mod citations;
mod confidential;
mod correct;
mod dead;
mod decide;
mod embeddings;
mod encrypted;
mod erring;
mod export;
mod fork;
mod gc;
mod grouping;
mod hostile_files;
mod init;
mod integrations;
mod keeping;
mod keys;
mod kill;
mod knowledge;
mod links;
mod long_sources;
mod lsp;
#[cfg(feature = "mcp")]
mod mcp;
mod mcp_client;
mod memory;
mod model_answers;
mod numbers;
mod observability;
mod odd_sources;
mod offline_fixtures;
mod older_configuration;
mod opinions;
mod peers;
mod pipeline;
mod postgres;
mod proof;
mod prose;
mod publish;
mod publisher;
mod questions;
mod quotation_set;
mod reading_answers;
mod record;
mod recorded;
mod recordings;
mod rejected;
mod replay;
mod reply;
mod research;
mod research_tools;
mod researched;
mod review;
mod rules;
mod secrets_and_privacy;
mod sections;
mod sentence_gold;
mod shared_passages;
mod shell;
mod skills;
mod small_windows;
mod spelling;
mod style_in_stories;
mod tool_calls;
mod tool_users;
mod traces;
mod trial;
mod trust;
mod vault;
mod watch;
mod wrong_use;
