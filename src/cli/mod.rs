//! The roof: the command line, one file a subcommand. The only place that knows every room; it wires adapters into the desk.

mod clock;
mod doctor;
mod export;
mod files;
mod init;
mod list;
mod resume;
mod run;
mod settings;
mod show;
mod wiring;

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use crate::headless;

/// How a command ended (DESIGN.md, section 4).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// All succeeded.
    Fine,
    /// A topic failed, or something is to be done.
    Failed,
    /// Wrong use or configuration.
    Wrong,
    /// Interrupted; resumable.
    Interrupted,
}

impl Exit {
    /// The process's exit code.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Self::Fine => 0,
            Self::Failed => 1,
            Self::Wrong => 2,
            Self::Interrupted => 130,
        }
    }
}

/// Copydesk: take a story from its source to a reviewed article, every claim traced to its source.
#[derive(Debug, Parser)]
#[command(name = "copydesk", version, max_term_width = 100, arg_required_else_help = true)]
struct Cli {
    /// The configuration file; otherwise ./config/config.yaml, then the platform's configuration folder.
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Take topics through the pipeline: topic JSON files, folders of them, or plain sources (.txt, .md).
    Run(run::Arguments),
    /// Go on with every unfinished run.
    Resume(resume::Arguments),
    /// List the desk's stories.
    List(list::Arguments),
    /// Show a story: its concerns, verdicts, revisions and article.
    Show(show::ShowArguments),
    /// Write a story's article as Markdown, HTML or JSON.
    Export(export::Arguments),
    /// Show what happened to a story, step by step.
    Log(show::LogArguments),
    /// Write a configuration for the model servers found on this machine.
    Init(init::Arguments),
    /// Check every part and say what to do.
    Doctor,
}

/// Runs the command line `arguments` (the program's name first).
#[must_use]
pub fn main(arguments: impl IntoIterator<Item = std::ffi::OsString>) -> Exit {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are data; wrong use is a message.
            let text = error.render().to_string();
            let text = text.trim_end();
            if error.use_stderr() {
                headless::message(text);
                return Exit::Wrong;
            }
            return written(headless::data(text));
        }
    };
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            headless::message(&format!("copydesk cannot start: {error}"));
            return Exit::Failed;
        }
    };
    let ended = runtime.block_on(async {
        let config = cli.config.as_deref();
        match cli.command {
            Command::Run(arguments) => run::run(config, arguments).await,
            Command::Resume(arguments) => resume::resume(config, arguments).await,
            Command::List(arguments) => list::list(config, arguments).await,
            Command::Show(arguments) => show::show(config, arguments).await,
            Command::Export(arguments) => export::export(config, arguments).await,
            Command::Log(arguments) => show::log(config, arguments).await,
            Command::Init(arguments) => init::init(config, arguments).await,
            Command::Doctor => doctor::doctor(config).await,
        }
    });
    // A blocking task that was given up must not hold the program's end.
    runtime.shutdown_background();
    ended.unwrap_or_else(|error| {
        // A reader that has gone (`copydesk list | head`) is no error.
        if error.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe) {
            return Exit::Fine;
        }
        headless::message(&format!("{error:#}"));
        match error.downcast_ref::<WrongUse>() {
            Some(_) => Exit::Wrong,
            None => Exit::Failed,
        }
    })
}

/// How writing data ended: a reader that has gone is no error, a full disk behind the pipe is.
fn written(result: std::io::Result<()>) -> Exit {
    match result {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            headless::message(&format!("standard output cannot be written: {error}"));
            Exit::Failed
        }
        _ => Exit::Fine,
    }
}

/// An error that the person at the keyboard can mend: exit code 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct WrongUse(String);
