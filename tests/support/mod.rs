//! Real parts for the tests: a scripted OpenAI-compatible server on loopback, a newsroom in a temporary folder, the
//! real binary, and a terminal for it.

#![allow(
    dead_code,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "each test file uses its share of the support, and a test that meets the unexpected should stop there"
)]

pub mod alone;
pub mod documents;
pub mod erring;
pub mod foreign_bytes;
pub mod many;
pub mod midnight;
pub mod model_pages;
pub mod newsroom;
pub mod press;
pub mod record;
pub mod script;
pub mod seat;
pub mod server;
pub mod terminal;
