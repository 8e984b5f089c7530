//! `copydesk assign`: a story that starts from a question.

use crate::cli::commands::{
    run::{needs_nobody, work_on},
    story_args::StoryArgs,
};
use crate::cli::intake::{
    assigned::assigned,
    recordings,
    sources::{self, GivenSources},
    topics::{ReadTopic, TopicRead},
};
use crate::cli::prelude::*;
use crate::desk::{Assignment, Replaces};

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
    let (title, channel) = (title.as_deref(), story.channel.as_deref());
    let begun = assigned(&settings, &assignment, title, channel, story.desk.as_deref())?;
    let secrecy = story.secrecy()?;
    let read = match story.source.as_slice() {
        [] => GivenSources::default(),
        paths => {
            let secrecy = recordings::with_known(&settings, secrecy.clone(), Some(&begun.topic.story()))?;
            recordings::in_confidence(&secrecy, || sources::read(paths, None, Some(&settings), headless::message))?
        }
    };
    let file = begun.topic.source_metadata.topic_title.clone();
    let assignment = Assignment {
        more_sources: read.sources,
        hidden: read.hidden,
        recorded: read.recorded,
        secrecy,
        gates: story.gates(),
        replaces: if story.replace { Replaces::Signed } else { Replaces::Nothing },
        priority: story.priority,
        batch: story.batch(),
        ..begun
    };
    let taken = vec![ReadTopic { file, what: TopicRead::Assignment(Box::new(assignment)), notes: read.notes }];
    Box::pin(work_on(settings, taken, story.attendance(None))).await
}
