//! `copydesk man`: the manual pages, made from the same declarations as `--help`.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap::Args;

use crate::{
    cli::{exit::Exit, handed_over},
    headless,
};

#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// Write a page for each command into this folder. Without it, the program's own page is printed.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Prints the program's page, or writes every page.
pub(crate) fn man(command: clap::Command, arguments: &ManArgs) -> Result<Exit> {
    let Some(folder) = &arguments.out else {
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page)?;
        headless::data(String::from_utf8(page)?.trim_end())?;
        return Ok(Exit::Fine);
    };
    let write = || {
        std::fs::create_dir_all(folder)?;
        clap_mangen::generate_to(command, folder)?;
        handed_over::give_away(folder)?;
        std::fs::read_dir(folder)?.try_for_each(|page| handed_over::give_away(&page?.path()))
    };
    write().with_context(|| format!("The manual pages cannot be written to {}", folder.display()))?;
    headless::message(&format!("The manual pages are in {}. Read one with: man {0}/copydesk.1", folder.display()));
    Ok(Exit::Fine)
}
