//! The arguments of `run` and `assign` about a story, beside its text.

use crate::cli::commands::set::priorities;
use crate::cli::prelude::*;
use crate::editorial::aliasing;
use crate::newsroom::{Alias, Gates, Priority, Secrecy};

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "one switch of the command line each")]
pub(crate) struct StoryArgs {
    /// More sources for the story, files or folders of them; may be given more than once.
    #[arg(long, value_name = "FILE|DIR", num_args = 1)]
    pub(crate) source: Vec<PathBuf>,
    /// The channel of what names none [default: the configuration's `default_channel`].
    #[arg(long, value_name = "NAME")]
    pub(crate) channel: Option<String>,
    /// The newsroom desk that the story belongs to, as `list` shows it.
    #[arg(long, value_name = "NAME")]
    pub(crate) desk: Option<String>,
    /// Send nothing of the story to another machine: no model, search, page or tool. It stays so for all its runs.
    #[arg(long)]
    confidential: bool,
    /// Send a label in the place of a name: --alias "Ann Lee=SOURCE-1". May be given more than once.
    #[arg(long, value_name = "NAME=LABEL", num_args = 1)]
    alias: Vec<String>,
    /// Show the confidential story to this user or group of the database server. May be given more than once.
    #[arg(long, value_name = "USER", num_args = 1, requires = "confidential")]
    reader: Vec<String>,
    /// Decide every round by its verdicts, without you. Stories with open questions are flagged.
    #[arg(long)]
    pub(crate) auto: bool,
    /// Print one JSON event per line on standard output instead of the result table.
    #[arg(long)]
    pub(crate) json: bool,
    /// Print events as plain lines and ask for your decisions in lines: for screen readers and logs.
    #[arg(long, conflicts_with = "json")]
    pub(crate) plain: bool,
    /// Start a story again that waits for you, and replace its article if it was signed off.
    #[arg(long)]
    pub(crate) replace: bool,
    /// How urgent the story is [default: unchanged, or normal].
    #[arg(long, value_name = "LEVEL", value_parser = priorities())]
    pub(crate) priority: Option<Priority>,
}

/// How stories are worked on.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Attendance {
    pub(crate) auto: bool,
    pub(crate) json: bool,
    pub(crate) plain: bool,
    /// Stories at once; none: as configured.
    pub(crate) concurrency: Option<usize>,
}

impl StoryArgs {
    pub(crate) fn attendance(&self, concurrency: Option<u16>) -> Attendance {
        let Self { auto, json, plain, .. } = *self;
        Attendance { auto, json, plain, concurrency: concurrency.map(usize::from) }
    }

    pub(crate) fn gates(&self) -> Gates {
        if self.auto { Gates::Auto } else { Gates::Editor }
    }

    /// The parts of the story that must not leave this machine.
    pub(crate) fn secrecy(&self) -> Result<Secrecy, WrongUse> {
        let mut aliases = Vec::new();
        for alias in &self.alias {
            let (name, label) = alias.split_once('=').ok_or_else(|| {
                WrongUse(format!("--alias {alias}: write the name, = and a label, such as \"Ann Lee=SOURCE-1\""))
            })?;
            aliases.push(Alias { name: name.trim().to_owned(), label: label.trim().to_owned() });
        }
        aliasing::checked(&aliases, std::iter::empty()).map_err(|errors| {
            let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
            WrongUse(format!("--alias: {}", errors.join("; ")))
        })?;
        Ok(Secrecy { confidential: self.confidential, aliases, readers: self.reader.clone() })
    }

    /// The name of the batch that this call is; none if a person decides.
    pub(crate) fn batch(&self) -> Option<String> {
        self.auto.then(|| format!("{}-{}", clock::stamp(), std::process::id()))
    }
}
