//! Real parts for the tests: a scripted OpenAI-compatible server on loopback, a newsroom in a temporary folder, and the
//! real binary.

#![allow(dead_code, reason = "each test file uses its share of the support")]

pub mod newsroom;
pub mod script;
pub mod server;
