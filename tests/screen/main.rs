//! The real program in a pseudo-terminal: keys in, screen out.

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

mod ask_screen;
mod claims_screen;
#[cfg(unix)]
mod day_screen;
mod desk_terminal;
mod desk_ways;
#[cfg(unix)]
mod editing;
#[cfg(unix)]
mod failed_steps_screen;
#[cfg(unix)]
mod first_run;
#[cfg(unix)]
mod listening;
#[cfg(unix)]
mod outside_editor;
#[cfg(unix)]
mod plain;
mod proof_page;
#[cfg(unix)]
mod publish_screen;
mod record_screen;
#[cfg(unix)]
mod review_screen;
mod search_screen;
mod sources_screen;
#[cfg(unix)]
mod terminal;
mod terminal_harness;
#[cfg(unix)]
mod terminal_panics;
#[cfg(unix)]
mod whole_day;
