//! The names that nearly every command needs.

pub(crate) use std::path::{Path, PathBuf};

pub(crate) use anyhow::{Context as _, Result};
pub(crate) use clap::{Args, Subcommand};

pub(crate) use super::exit::{Exit, WrongUse, wrong_use};
pub(crate) use super::intake::story;
pub(crate) use super::wiring::clock::{self, SystemClock};
pub(crate) use super::wiring::{self, settings};
pub(crate) use crate::{config::Settings, headless, ports::Clock as _, store::Store};
