//! The parts of the program's own tests that these tests share.

#![allow(
    dead_code,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "these tests use their share of the support, and a test that meets the unexpected should stop there"
)]

#[path = "../support/erring.rs"]
pub mod erring;
#[path = "../support/newsroom.rs"]
pub mod newsroom;
#[path = "../support/script.rs"]
pub mod script;
#[path = "../support/server.rs"]
pub mod server;
