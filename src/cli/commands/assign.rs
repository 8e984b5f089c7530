//! `copydesk assign`: a story that starts from a question.

use std::path::Path;

use anyhow::Result;
use clap::Args;

use crate::{
    cli::{
        commands::{
            run::{Attendance, needs_nobody, work_on},
            story_args::StoryArgs,
        },
        exit::{Exit, WrongUse},
        intake::{
            sources::{self, GivenSources},
            topics::{ReadTopic, TopicRead},
        },
        wiring::{self, settings},
    },
    desk::{Assignment, Replaces},
    editorial::topic_file,
    headless,
    newsroom::PathName,
    text::sanitise,
};

/// Longest assignment, in bytes.
const LONGEST: usize = 20_000;

#[derive(Debug, Args)]
pub(crate) struct AssignArgs {
    /// What the story is to be about, such as "Write about the council's decision on the park".
    #[arg(value_name = "ASSIGNMENT")]
    assignment: String,
    /// The title of the story [default: the assignment's first words].
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    #[command(flatten)]
    story: StoryArgs,
}

pub(crate) async fn assign(config: Option<&Path>, arguments: AssignArgs) -> Result<Exit> {
    let AssignArgs { assignment, title, story } = arguments;
    needs_nobody("assign", story.auto || story.plain)?;
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
    let channel = match story.channel.clone() {
        Some(name) => PathName::new(name).map_err(|error| WrongUse(format!("--channel {error}")))?,
        None => settings.article_generation.default_channel.clone(),
    };
    let read = match story.source.as_slice() {
        [] => GivenSources::default(),
        paths => sources::read(paths, None, Some(&settings), headless::message)?,
    };
    let defaults = wiring::topic_defaults(&settings);
    let named = sanitise::excerpt(&sanitise::one_line(title.as_deref().unwrap_or(&text)), 80);
    let mut topic = topic_file::from_plain_source("assignment", &named, text, channel, &defaults)
        .map_err(|error| WrongUse(format!("the assignment: {error}")))?;
    topic.source_metadata.topic_title.clone_from(&named);
    let assignment = Assignment {
        assigned: true,
        topic,
        more_sources: read.sources,
        hidden: read.hidden,
        given_draft: None,
        desk: story.desk.as_deref().map(sanitise::one_line),
        gates: story.gates(),
        replaces: if story.replace { Replaces::Signed } else { Replaces::Nothing },
        priority: story.priority(),
        batch: story.batch(),
    };
    let taken = vec![ReadTopic { file: named, what: TopicRead::Assignment(Box::new(assignment)), notes: read.notes }];
    Box::pin(work_on(
        settings,
        taken,
        Attendance { auto: story.auto, json: story.json, plain: story.plain, concurrency: None },
    ))
    .await
}
