//! `copydesk man`: the manual pages, and what a shell needs to complete commands, from the same declarations as `--help`.

use clap_complete::Shell;

use crate::cli::handed_over;
use crate::cli::prelude::*;

#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// Write a page for each command into this folder. Without it, the program's own page is printed.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print the completion script for this shell instead.
    #[arg(long, value_name = "SHELL", conflicts_with = "out")]
    completions: Option<Shell>,
}

/// Prints the program's page or a completion script, or writes every page.
pub(crate) fn man(mut command: clap::Command, arguments: &ManArgs) -> Result<Exit> {
    if let Some(shell) = arguments.completions {
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut command, "copydesk", &mut script);
        headless::data(String::from_utf8(script)?.trim_end())?;
        return Ok(Exit::Fine);
    }
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
