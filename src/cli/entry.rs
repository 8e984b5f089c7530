//! Reads the command line and calls the command that it names.

use std::{env::ArgsOs, ffi::OsString, path::PathBuf, pin::Pin};

use clap::{Args, CommandFactory as _, Parser, Subcommand};

use crate::{
    cli::{
        commands::{
            ask, assign, audit, backup, check, correct, dead, decide, delete, doctor, export, fork, gc, init, kb, kill,
            list, lsp, man, mcp, memory, migrate, plain, publish, replay, reply, resume, run, screen, set, show,
            transcribe, trial, watch, worker,
        },
        exit::{Exit, WrongUse, written},
        handed_over,
        wiring::{readers, trust},
    },
    headless,
    knowledge::reading,
};

/// The options of every command that say which configuration is used.
#[derive(Debug, Args)]
pub struct ConfigArgs {
    /// The configuration file [default: ./config/config.yaml, or else the one in your configuration folder].
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Let ./config/config.yaml use the servers, programs and folders that it names outside this folder, and remember that.
    #[arg(long, global = true)]
    trust: bool,
}

impl ConfigArgs {
    /// The named file. From now on the configuration of the current folder is trusted if the person said so.
    pub fn file(self) -> Option<PathBuf> {
        if self.trust {
            trust::give();
        }
        self.config
    }
}

/// Take a story from its sources to a reviewed article, with every claim traced to its source.
///
/// Without a command, the screen opens on the list of stories.
#[derive(Debug, Parser)]
#[command(name = "copydesk", version, max_term_width = 100)]
struct Cli {
    #[command(flatten)]
    config: ConfigArgs,
    /// Print the state of every story, then each event as a plain line, instead of opening the screen.
    #[arg(long)]
    plain: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run topics through the pipeline: topic JSON files, folders of them, or plain sources.
    Run(run::RunArgs),
    /// Start a story from a question: research first, then the pipeline.
    Assign(assign::AssignArgs),
    /// Open the review queue: stories that wait for you or are flagged, most urgent first.
    Review,
    /// Resume every unfinished run.
    Resume(resume::ResumeArgs),
    /// Work on queued steps beside a screen or a batch, until you stop it.
    Worker(worker::WorkerArgs),
    /// List the stories.
    List(list::ListArgs),
    /// Show a story: its concerns, verdicts, revisions and article.
    Show(show::ShowArgs),
    /// Decide a story that waits for you, or reopen one that has ended.
    Decide(decide::DecideArgs),
    /// List failed steps, retry them or drop them.
    #[command(subcommand)]
    Dead(dead::DeadCommand),
    /// Start a new run that reuses an earlier one up to a step.
    Fork(fork::ForkArgs),
    /// Check your own draft against its sources: quotations, figures, names, certainty. Asks no server, except to transcribe a recording.
    Check(check::CheckArgs),
    /// Watch a folder: every draft that lands beside its sources gets a copy with the findings.
    Watch(watch::WatchArgs),
    /// Prove drafts in your own editor, while you type, by the Language Server Protocol (LSP). Asks no server.
    Lsp(lsp::LspArgs),
    /// Write down a recording by the configured transcription server, to correct it before it is a source.
    Transcribe(transcribe::TranscribeArgs),
    /// Update, search or inspect the knowledge base.
    #[command(subcommand)]
    Kb(kb::KbCommand),
    /// Serve the desk's own tools to other programs, by the Model Context Protocol (MCP).
    Mcp(mcp::McpArgs),
    /// Write a story's article as a file: Markdown, a web page, JSON, ninjs, Word.
    Export(export::ExportArgs),
    /// Send a story that is signed off to the configured targets, each once.
    Publish(publish::PublishArgs),
    /// Correct a version that was signed off, with a note for its readers.
    Correct(correct::CorrectArgs),
    /// Withdraw a story that was out; `publish` then sends the notice to everybody who has it.
    Kill(kill::KillArgs),
    /// Note whom a story asked for a reply, by when, and what they said.
    Reply(reply::ReplyArgs),
    /// Ask what a story's sources say on a question.
    Ask(ask::AskArgs),
    /// Show what happened to a story, step by step.
    Log(show::LogArgs),
    /// Check that the desk's record is as it was written, or print it for others.
    #[command(subcommand)]
    Audit(audit::AuditCommand),
    /// Repeat a story from its record, without a model, and compare every file.
    Replay(replay::ReplayArgs),
    /// Set a story's pause, priority, deadline, embargo or editor.
    Set(set::SetArgs),
    /// List, show, strike, restore or import records of earlier checks.
    #[command(subcommand)]
    Memory(memory::MemoryCommand),
    /// Delete a story with its runs, calls, memory records, article and files.
    Delete(delete::DeleteArgs),
    /// Delete what is older than the configured retention: prompts and answers, artifacts, expired memory records.
    Gc(gc::GcArgs),
    /// Write the whole database to one new file. Others may go on working.
    Backup(backup::BackupArgs),
    /// Replace the database with a backup. The old database is kept beside it.
    Restore(backup::RestoreArgs),
    /// Carry the desk from a file to a PostgreSQL server, or back.
    Migrate(migrate::MigrateArgs),
    /// Write a configuration for the model servers found on this machine.
    Init(init::InitArgs),
    /// Check every part of the installation and say what to do.
    Doctor(doctor::DoctorArgs),
    /// Try the configured models on some twenty small cases, and say for what work each will do.
    Trial(trial::TrialArgs),
    /// Print the manual page or the completion script for your shell, or write the pages of all commands.
    Man(man::ManArgs),
}

/// Runs the command line `arguments` (the program's name first).
#[must_use]
pub fn main(arguments: ArgsOs) -> Exit {
    start(arguments, |cli: Cli| Box::pin(run_command(cli)))
}

async fn run_command(cli: Cli) -> anyhow::Result<Exit> {
    let config = cli.config.file();
    let config = config.as_deref();
    let Some(command) = cli.command else {
        return if cli.plain {
            plain::follow(config).await
        } else {
            Box::pin(screen::desk(config, screen::First::Desk)).await
        };
    };
    match command {
        Command::Run(arguments) => Box::pin(run::run(config, arguments.plainly(cli.plain))).await,
        Command::Assign(arguments) => Box::pin(assign::assign(config, arguments)).await,
        Command::Review => Box::pin(screen::desk(config, screen::First::Review)).await,
        Command::Resume(arguments) => resume::resume(config, arguments).await,
        Command::Worker(arguments) => worker::worker(config, arguments).await,
        Command::List(arguments) => list::list(config, arguments).await,
        Command::Show(arguments) => show::show(config, arguments).await,
        Command::Check(arguments) => Box::pin(check::check(config, arguments)).await,
        Command::Watch(arguments) => watch::watch(config, arguments).await,
        Command::Lsp(arguments) => Box::pin(lsp::lsp(config, &arguments)).await,
        Command::Transcribe(arguments) => transcribe::transcribe(config, &arguments),
        Command::Kb(arguments) => kb::kb(config, arguments).await,
        #[cfg(feature = "mcp")]
        Command::Mcp(arguments) => Box::pin(mcp::mcp(config, &arguments)).await,
        #[cfg(not(feature = "mcp"))]
        Command::Mcp(arguments) => mcp::mcp(config, &arguments),
        Command::Export(arguments) => export::export(config, arguments).await,
        Command::Publish(arguments) => Box::pin(publish::publish(config, arguments)).await,
        Command::Correct(arguments) => Box::pin(correct::correct(config, arguments)).await,
        Command::Kill(arguments) => kill::kill(config, arguments).await,
        Command::Reply(arguments) => reply::reply(config, arguments).await,
        Command::Log(arguments) => show::log(config, arguments).await,
        Command::Decide(arguments) => Box::pin(decide::decide(config, arguments)).await,
        Command::Dead(arguments) => Box::pin(dead::dead(config, arguments)).await,
        Command::Fork(arguments) => fork::fork(config, arguments).await,
        Command::Audit(arguments) => audit::audit(config, arguments).await,
        Command::Replay(arguments) => replay::replay(config, arguments).await,
        Command::Set(arguments) => set::set(config, arguments).await,
        Command::Memory(arguments) => memory::memory(config, arguments).await,
        Command::Delete(arguments) => delete::delete(config, arguments).await,
        Command::Gc(arguments) => gc::gc(config, arguments).await,
        Command::Backup(arguments) => backup::backup(config, arguments).await,
        Command::Restore(arguments) => backup::restore(config, arguments).await,
        Command::Migrate(arguments) => migrate::migrate(config, arguments).await,
        Command::Init(arguments) => init::init(config, arguments).await,
        Command::Doctor(arguments) => doctor::doctor(config, arguments).await,
        Command::Ask(arguments) => ask::ask(config, arguments).await,
        Command::Trial(arguments) => trial::trial(config, &arguments).await,
        Command::Man(arguments) => man::man(Cli::command(), &arguments),
    }
}

/// The work of a program. Behind a pointer: a closure is compiled once for each place that polls it, and the runtime has two. This one
/// holds every command.
type Work = Pin<Box<dyn Future<Output = anyhow::Result<Exit>>>>;

/// Starts a program: reads its command line as a `C` and does its work. Started for that by another process of the same program, it reads
/// files instead, which come over the standard input.
#[must_use]
pub fn start<C: Parser>(arguments: ArgsOs, work: impl FnOnce(C) -> Work) -> Exit {
    handed_over::keep_private();
    let arguments: Vec<OsString> = arguments.collect();
    if arguments.get(1).is_some_and(|first| first == readers::READ_FILES) {
        return if reading::serve() { Exit::Fine } else { Exit::Failed };
    }
    let cli = match C::try_parse_from(arguments) {
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
    readers::start_when_needed();
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            headless::message(&format!("copydesk cannot start: {error}"));
            return Exit::Failed;
        }
    };
    let ended = runtime.block_on(work(cli));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }
}
