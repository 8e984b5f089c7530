//! Copydesk: an editorial workstation for the terminal. ARCHITECTURE.md draws the house; each room's head says what
//! it is for and what it must not do.

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

pub mod agents;
pub mod cli;
pub mod config;
pub mod desk;
pub mod documents;
pub mod editorial;
pub mod headless;
pub mod knowledge;
pub mod llm;
pub mod newsroom;
pub mod observability;
pub mod ports;
pub mod proof;
pub mod skills;
pub mod store;
pub mod style;
pub mod text;
pub mod tools;
pub mod tui;
