//! The names that nearly every command needs.

pub(crate) use std::path::{Path, PathBuf};
pub(crate) use std::sync::Arc;

pub(crate) use anyhow::{Context as _, Result};
pub(crate) use clap::{Args, Subcommand};

pub(crate) use super::exit::{Exit, WrongUse, wrong_use};
pub(crate) use super::intake::story;
pub(crate) use super::wiring::clock::{self, SystemClock};
pub(crate) use super::wiring::{self, settings};
pub(crate) use crate::ports::{Clock as _, RunKey};
pub(crate) use crate::{config::Settings, headless, newsroom::StoryKey, store::Store, text::sanitise};
