//! `copydesk completions`: what a shell needs to complete the program's commands and options.

use anyhow::Result;
use clap::Args;
use clap_complete::Shell;

use crate::{cli::exit::Exit, headless};

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints the script for the shell.
pub(crate) fn completions(mut command: clap::Command, arguments: &CompletionsArgs) -> Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "copydesk", &mut script);
    headless::data(String::from_utf8(script)?.trim_end())?;
    Ok(Exit::Fine)
}
