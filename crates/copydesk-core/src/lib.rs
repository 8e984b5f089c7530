//! The newsroom's own work, without a file, a server or a screen of its own.
//!
//! - [`editorial`] holds the rules of the loop, as pure functions.
//! - [`agents`] says what each agent is asked, and reads its answer.
//! - [`desk`] runs a story step by step and commits each step.
//! - [`ports`] has the traits through which the desk reaches the database, the model servers and the clock.
//! - [`skills`] reads the files that tell an agent how to work.
//!
//! Nothing here knows SQL, HTTP, the settings or the terminal.

#![cfg_attr(test, allow(clippy::string_slice, reason = "a test that cuts at a wrong place should stop there"))]

pub mod agents;
pub mod desk;
pub mod editorial;
pub mod ports;
pub mod skills;
