//! The real program when something goes wrong: kills, full disks, bad files, hostile servers and terminals, many programs at one desk.

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

mod bad_days;
mod bad_servers;
mod bad_topics;
mod corpus;
mod forks_everywhere;
mod hostile_servers;
#[cfg(unix)]
mod kills;
mod random_sequences;
mod resume;
mod terminal_faults;
#[cfg(unix)]
mod together;
