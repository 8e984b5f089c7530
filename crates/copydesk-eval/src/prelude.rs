//! The names that nearly every evaluation needs.

pub(crate) use std::path::{Path, PathBuf};

pub(crate) use anyhow::Result;
pub(crate) use clap::Args;
pub(crate) use copydesk::{
    cli::{Exit, WrongUse, work::interrupt::Interrupt, wrong_use},
    config::Settings,
    headless,
};
pub(crate) use serde_json::json;

pub(crate) use crate::evaluation::{EvalBasis, EvalCell, EvalTable};
