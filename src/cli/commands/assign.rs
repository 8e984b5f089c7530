//! `copydesk assign`: a story that starts from a question.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;

use crate::{
    cli::{
        commands::{
            priority::PriorityArg,
            run::{Attendance, needs_nobody, work_on},
        },
        exit::{Exit, WrongUse},
        intake::{
            sources,
            topics::{ReadTopic, TopicRead},
        },
        wiring::{self, clock, settings},
    },
    desk::{Assignment, Replaces},
    editorial::topic_file,
    headless,
    newsroom::{Gates, PathName, Priority},
    text::sanitise,
};

/// Longest assignment, in bytes.
const LONGEST: usize = 20_000;

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "one switch of the command line each")]
pub(crate) struct AssignArgs {
    /// What the story is to be about, such as "Write about the council's decision on the park".
    #[arg(value_name = "ASSIGNMENT")]
    assignment: String,
    /// The title of the story [default: the assignment's first words].
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// Sources that you have, files or folders of them; may be given more than once.
    #[arg(long, value_name = "FILE|DIR", num_args = 1)]
    source: Vec<PathBuf>,
    /// The channel of the story [default: the configuration's `default_channel`].
    #[arg(long, value_name = "NAME")]
    channel: Option<String>,
    /// The newsroom desk that the story belongs to, as `list` shows it.
    #[arg(long, value_name = "NAME")]
    desk: Option<String>,
    /// Decide every round by its verdicts, without you.
    #[arg(long)]
    auto: bool,
    /// Print one JSON event per line on standard output instead of the result table.
    #[arg(long)]
    json: bool,
    /// Print events as plain lines and ask for your decisions in lines.
    #[arg(long, conflicts_with = "json")]
    plain: bool,
    /// Start the story again if it waits for you, and replace its article if it was signed off.
    #[arg(long)]
    replace: bool,
    /// How urgent the story is [default: unchanged, or normal].
    #[arg(long, value_name = "LEVEL")]
    priority: Option<PriorityArg>,
}

pub(crate) async fn assign(config: Option<&Path>, arguments: AssignArgs) -> Result<Exit> {
    let AssignArgs { assignment, title, source, channel, desk, auto, json, plain, replace, priority } = arguments;
    needs_nobody("assign", auto || plain)?;
    let settings = settings::load(config)?;
    let text = sanitise::clean(&assignment).trim().to_owned();
    if sanitise::is_blank(&text) {
        return Err(WrongUse("the assignment is empty: say what the story is to be about".into()).into());
    }
    if text.len() > LONGEST {
        return Err(WrongUse(format!(
            "the assignment is longer than {LONGEST} bytes: put what you have into a file and give it with --source"
        ))
        .into());
    }
    let channel = match channel {
        Some(name) => PathName::new(name).map_err(|error| WrongUse(format!("--channel {error}")))?,
        None => settings.article_generation.default_channel.clone(),
    };
    let (more_sources, notes) = match source.as_slice() {
        [] => (Vec::new(), Vec::new()),
        paths => {
            let read = sources::read(paths, None, Some(&settings), headless::message)?;
            (read.sources, read.notes)
        }
    };
    let defaults = wiring::topic_defaults(&settings);
    let named = sanitise::excerpt(&sanitise::one_line(title.as_deref().unwrap_or(&text)), 80);
    let mut topic = topic_file::from_plain_source("assignment", &named, text, channel, &defaults)
        .map_err(|error| WrongUse(format!("the assignment: {error}")))?;
    topic.source_metadata.topic_title.clone_from(&named);
    let assignment = Assignment {
        assigned: true,
        topic,
        more_sources,
        given_draft: None,
        desk: desk.as_deref().map(sanitise::one_line),
        gates: if auto { Gates::Auto } else { Gates::Editor },
        replaces: if replace { Replaces::Signed } else { Replaces::Nothing },
        priority: priority.map(Priority::from),
        batch: auto.then(|| format!("{}-{}", clock::stamp(), std::process::id())),
    };
    let taken = vec![ReadTopic { file: named, what: TopicRead::Assignment(Box::new(assignment)), notes }];
    Box::pin(work_on(settings, taken, Attendance { auto, json, plain, concurrency: None })).await
}
