//! `copydesk run`: topics through the pipeline.

use crate::cli::commands::{
    plain, screen,
    story_args::{Attendance, StoryArgs},
};
use crate::cli::intake::topics::{self, ReadTopic, TopicRead, TopicRequest};
use crate::cli::prelude::*;
use crate::cli::wiring::{
    observing::Observing,
    recorded_story::{self, RecordedStory},
};
use crate::cli::work::{
    batch::{Batch, BatchEnd},
    interrupt::Interrupt,
    results::{INTERRUPTED, ResultsOf, finish},
    worked::{WorkedStory, write_rejection},
};

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// Topic JSON files, folders of them, or sources (text, transcripts, PDF, Word, web pages, tables).
    #[arg(required_unless_present = "recorded", value_name = "TOPIC")]
    topics: Vec<PathBuf>,
    /// Start the loop from a draft that exists (Markdown, text, .docx, .html, or an article in JSON). For one topic.
    #[arg(long, value_name = "FILE")]
    draft: Option<PathBuf>,
    #[command(flatten)]
    story: StoryArgs,
    /// With --auto: stories at once [default: the configuration's `desk.stories_at_once`].
    #[arg(long, value_name = "N", requires = "auto", value_parser = clap::value_parser!(u16).range(1..=1000))]
    concurrency: Option<u16>,
    /// Write every answer of the models into this new file, for `engine: recorded`.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Watch a recorded story, without a server: one of the program's, or a file. Your own desk stays as it is.
    #[arg(
        long,
        value_name = "NAME|FILE",
        num_args = 0..=1,
        default_missing_value = recorded_story::FIRST,
        conflicts_with_all = [
            "topics", "draft", "record", "concurrency", "source", "channel", "desk", "confidential", "alias", "reader", "replace", "priority"
        ]
    )]
    recorded: Option<String>,
    /// With --recorded: how many times as fast as the model [default: 4; with --auto without any pause].
    #[arg(long, value_name = "TIMES", requires = "recorded", value_parser = speed)]
    speed: Option<f64>,
}

/// How many times as fast as it was.
fn speed(text: &str) -> Result<f64, WrongUse> {
    let speed = text.parse::<f64>().ok().filter(|speed| (0.1..=1000.0).contains(speed));
    speed.ok_or_else(|| WrongUse("write a number from 0.1 to 1000, such as 4".to_owned()))
}

impl RunArgs {
    /// The same, with `--plain` where it was given before the command's name.
    pub(crate) fn plainly(mut self, plain: bool) -> Self {
        self.story.plain |= plain && !self.story.json;
        self
    }
}

pub(crate) async fn run(config: Option<&Path>, arguments: RunArgs) -> Result<Exit> {
    let RunArgs { topics, draft, story, concurrency, record, recorded, speed } = arguments;
    needs_nobody("run", story.auto || story.plain)?;
    if let Some(name) = recorded {
        return watch(&name, &story, speed).await;
    }
    let mut settings = settings::load(config)?;
    settings.article_generation.record_to = record;
    let how = story.attendance(concurrency);
    let wanted = TopicRequest {
        topics,
        draft,
        secrecy: story.secrecy()?,
        gates: story.gates(),
        priority: story.priority,
        batch: story.batch(),
        source: story.source,
        channel: story.channel,
        desk: story.desk,
        replace: story.replace,
        quiet: false,
    };
    let taken = topics::take(&settings, &wanted)?;
    Box::pin(work_on(settings, taken, how)).await
}

/// Plays a recorded story: headless at once, else in its time.
async fn watch(name: &str, story: &StoryArgs, speed: Option<f64>) -> Result<Exit> {
    let speed = speed.or((!story.auto).then_some(recorded_story::USUAL_SPEED));
    let recorded = RecordedStory::open(name, story.gates(), speed)?;
    headless::message(&recorded.introduction());
    let RecordedStory { settings, topic, folder: _folder } = recorded;
    Box::pin(work_on(settings, topic, story.attendance(None))).await
}

/// Refuses to wait for decisions if there is no terminal to make them in.
pub(crate) fn needs_nobody(command: &str, is_decided: bool) -> Result<()> {
    if !is_decided && !screen::is_possible() {
        let mut typed: Vec<String> = std::env::args_os()
            .skip(1)
            .map(|argument| quoted(&sanitise::one_line(&argument.to_string_lossy())))
            .collect();
        let behind = typed.iter().position(|argument| argument == command).map_or(0, |place| place + 1);
        typed.insert(behind, "--auto".to_owned());
        return Err(wrong_use(format!(
            "Without --auto you approve each round, and there is no terminal here. To decide every round \
             by the verdicts alone, type: copydesk {} (with --plain instead of --auto it stops after each round for `copydesk decide`)",
            typed.join(" ")
        )));
    }
    Ok(())
}

/// Works on topics that were read: on the screen, in lines, or without anybody.
pub(crate) async fn work_on(settings: Settings, taken: Vec<ReadTopic>, how: Attendance) -> Result<Exit> {
    let Attendance { auto, json, plain, concurrency } = how;
    if !auto && !plain {
        return Box::pin(screen::open(settings, screen::First::Begin(taken))).await;
    }
    headless::messages(taken.iter().flat_map(|topic| &topic.notes));
    if plain {
        return plain::run(&settings, taken).await;
    }
    let store = wiring::store(&settings)?;
    let (watch, progress) = headless::listener(json);
    let desk = wiring::desk(&settings, &store, watch).await?;
    let _observing = Observing::begin(&settings, &store, Box::new(headless::message), &mut headless::message).await;
    let single = taken.len() == 1;
    let watched = settings.article_generation.watched.is_some();
    let of = match (single, watched) {
        (false, _) => ResultsOf::Batch,
        (true, false) => ResultsOf::Story,
        (true, true) => ResultsOf::WatchedStory,
    };
    let files: Vec<String> = taken.iter().map(|topic| topic.file.clone()).collect();
    let concurrency = concurrency.unwrap_or(settings.desk.stories_at_once);
    let mut interrupt = Interrupt::listen();
    let mut batch = Batch::new(&desk, &store, concurrency, json, progress.filter(|_| !single));
    for ReadTopic { file, what, .. } in taken {
        match what {
            TopicRead::Assignment(assignment) => batch.begin(*assignment),
            TopicRead::Rejected { message, story } => {
                let named = story.as_ref().map_or_else(|| file.clone(), ToString::to_string);
                if let Some(unusable) = topics::unusable(&settings, &file, story.as_ref(), &message)
                    && let Err(error) = desk.enlist_unusable(unusable).await
                {
                    headless::message(&format!("{named}: It is not on the desk: {error}"));
                }
                let message = format!("{file}: {message}");
                batch.reject(WorkedStory::rejected(named, message.clone()));
                if let Some(story) = story {
                    write_rejection(&settings, &story, &message).await;
                }
            }
        }
    }
    match batch.work(&mut interrupt).await? {
        BatchEnd::Through(rows) => finish(&desk, &store, &rows, json, of).await,
        BatchEnd::Interrupted { rows, not_begun } => {
            // Of one story there is nothing to be told but that.
            if !single {
                finish(&desk, &store, &rows, json, of).await?;
            }
            headless::message(if watched { "Interrupted." } else { INTERRUPTED });
            let waiting: Vec<&str> =
                not_begun.iter().filter_map(|place| files.get(*place)).map(String::as_str).collect();
            if !waiting.is_empty() && !watched {
                headless::message(&format!("Not started; run them again: {}", waiting.join(" ")));
            }
            Ok(Exit::Interrupted)
        }
    }
}

/// An argument as a shell takes it.
fn quoted(argument: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,+@".contains(c);
    if !argument.is_empty() && argument.chars().all(plain) {
        argument.to_owned()
    } else {
        format!("'{}'", argument.replace('\'', "'\\''"))
    }
}
