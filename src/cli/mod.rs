//! The roof: the command line, one file a subcommand. The only place that knows every room; it wires adapters into the desk.

mod add_keys;
mod backup;
mod batch;
mod check;
mod choice;
mod clock;
mod dead;
mod decide;
mod delete;
mod dictionary;
mod doctor;
mod embedder;
mod eval;
mod export;
mod files;
mod foreground;
mod fork;
mod gc;
mod house_style;
mod init;
mod intake;
mod interrupt;
mod kb;
mod languages;
mod level;
mod librarian;
mod list;
mod memory;
mod own_draft;
mod page;
mod patience;
mod pause;
mod plain;
mod priority;
mod replay;
mod results;
mod resume;
mod run;
mod savings;
mod screen;
mod settings;
mod show;
mod sources;
mod spending;
mod story;
mod watch;
mod wiring;
mod worked;
mod worker;

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
#[command(name = "copydesk", version, max_term_width = 100)]
struct Cli {
    /// The configuration file; otherwise ./config/config.yaml, then the platform's configuration folder.
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Print where every story stands and then what happens, as plain lines, instead of opening the screen.
    #[arg(long)]
    plain: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Take topics through the pipeline: topic JSON files, folders of them, or sources.
    Run(run::Arguments),
    /// Walk through the stories that wait for an editor or are flagged, the most urgent first, then the oldest.
    Review,
    /// Go on with every unfinished run.
    Resume(resume::Arguments),
    /// Take steps from the queue, beside a screen or a batch, until it is stopped.
    Worker(worker::Arguments),
    /// List the desk's stories.
    List(list::Arguments),
    /// Show a story: its concerns, verdicts, revisions and article.
    Show(show::ShowArguments),
    /// Decide what a story waits for: its gate, its sign-off; take up again one that has ended.
    Decide(decide::Arguments),
    /// Steps that were given up after every redelivery: list them, try them again, drop them.
    Dead(dead::Arguments),
    /// Open a new run that shares an earlier one up to a step.
    Fork(fork::Arguments),
    /// Hold a draft of your own against its sources: quotations, figures, names, certainty. No model is asked.
    Check(check::Arguments),
    /// List the words of the newsroom's own dictionary, or add words to it.
    Dictionary(dictionary::DictionaryArguments),
    /// The knowledge base: bring its index up to date, search it, see how it stands.
    Kb(kb::Arguments),
    /// Measure the desk's own judgements on texts that people have judged.
    Eval(eval::Arguments),
    /// Write a story's article as Markdown, HTML or JSON.
    Export(export::Arguments),
    /// Show what happened to a story, step by step.
    Log(show::LogArguments),
    /// Do a story again from its record, without any model, and compare every file.
    Replay(replay::Arguments),
    /// Put a story aside: resume leaves it alone.
    Pause(pause::Arguments),
    /// Let a paused story go on.
    Unpause(pause::Arguments),
    /// Say how urgent a story is; resume takes the most urgent first.
    Priority(priority::Arguments),
    /// What the desk remembers of earlier checks: list, show, strike and restore records, import their files.
    Memory(memory::Arguments),
    /// Delete a story wholly: its runs, calls, memory records, article and files.
    Delete(delete::Arguments),
    /// Take away what the configured retention lets go: old prompts and answers, artifacts, expired memory.
    Gc(gc::Arguments),
    /// Write the whole desk to one new file, also while others work.
    Backup(backup::BackupArguments),
    /// Put a backup in the place of the database; what was there is kept beside it.
    Restore(backup::RestoreArguments),
    /// Write a configuration for the model servers found on this machine.
    Init(init::Arguments),
    /// Check every part and say what to do.
    Doctor(doctor::Arguments),
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
        let Some(command) = cli.command else {
            return if cli.plain {
                plain::follow(config).await
            } else {
                screen::desk(config, screen::First::Desk).await
            };
        };
        match command {
            Command::Run(arguments) => run::run(config, arguments.plainly(cli.plain)).await,
            Command::Review => screen::desk(config, screen::First::Review).await,
            Command::Resume(arguments) => resume::resume(config, arguments).await,
            Command::Worker(arguments) => worker::worker(config, arguments).await,
            Command::List(arguments) => list::list(config, arguments).await,
            Command::Show(arguments) => show::show(config, arguments).await,
            Command::Check(arguments) => check::check(config, arguments).await,
            Command::Dictionary(arguments) => dictionary::dictionary(config, &arguments),
            Command::Kb(arguments) => kb::kb(config, arguments).await,
            Command::Eval(arguments) => eval::eval(config, arguments).await,
            Command::Export(arguments) => export::export(config, arguments).await,
            Command::Log(arguments) => show::log(config, arguments).await,
            Command::Decide(arguments) => decide::decide(config, arguments).await,
            Command::Dead(arguments) => dead::dead(config, arguments).await,
            Command::Fork(arguments) => fork::fork(config, arguments).await,
            Command::Replay(arguments) => replay::replay(config, arguments).await,
            Command::Pause(arguments) => pause::set(config, arguments, true).await,
            Command::Unpause(arguments) => pause::set(config, arguments, false).await,
            Command::Priority(arguments) => priority::set(config, arguments).await,
            Command::Memory(arguments) => memory::memory(config, arguments).await,
            Command::Delete(arguments) => delete::delete(config, arguments).await,
            Command::Gc(arguments) => gc::gc(config, arguments).await,
            Command::Backup(arguments) => backup::backup(config, arguments).await,
            Command::Restore(arguments) => backup::restore(config, arguments).await,
            Command::Init(arguments) => init::init(config, arguments).await,
            Command::Doctor(arguments) => doctor::doctor(config, arguments).await,
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
