//! Real parts for the tests: a scripted OpenAI-compatible server on loopback, a newsroom in a temporary folder, and the
//! real binary.

#![allow(
    dead_code,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "each test file uses its share of the support, and a test that meets the unexpected should stop there"
)]

pub mod newsroom;
pub mod script;
pub mod server;
