//! Copydesk: an editorial workstation for the terminal. ARCHITECTURE.md draws the house; each room's head says what
//! it is for and what it must not do.

#![cfg_attr(test, allow(clippy::string_slice, reason = "a test that cuts at a wrong place should stop there"))]

pub mod cli;
pub mod headless;
pub mod observability;

pub use copydesk_config as config;
pub use copydesk_core::{agents, desk, editorial, ports, skills};
pub use copydesk_documents as documents;
pub use copydesk_llm::{knowledge, llm, tools};
pub use copydesk_newsroom as newsroom;
pub use copydesk_proof as proof;
pub use copydesk_store as store;
pub use copydesk_style as style;
pub use copydesk_text as text;
pub use copydesk_tui as tui;
