//! `copydesk run`: topics through the pipeline.

use std::{
    cell::Cell,
    collections::HashMap,
    io::IsTerminal,
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::Result;
use clap::Args;
use serde_json::json;

use super::{Exit, WrongUse, files, settings, wiring, written};
use crate::{
    config::Settings,
    desk::{Assignment, Desk, DeskError, Ended, Reached},
    editorial::{drafts, topic_file},
    headless::{self, JsonLines, Paint, Progress, ResultRow, RowState},
    newsroom::{ArticleGenerationResult, ArticleResponse, Gates, PathName, Source, StoryKey},
    ports::{Archive, Watch},
    store::Store,
    text::sanitise,
};

/// Arguments of `run`.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Topic JSON files, folders of them, or plain sources (.txt, .md).
    #[arg(required = true, value_name = "TOPIC")]
    topics: Vec<PathBuf>,
    /// Work without a human: every gate is decided by the verdicts, and what cannot be settled is flagged.
    #[arg(long)]
    auto: bool,
    /// Print one JSON event a line on standard output instead of the result table.
    #[arg(long)]
    json: bool,
    /// Start the loop from a draft that exists (Markdown, or an article in JSON). For one topic.
    #[arg(long, value_name = "FILE")]
    draft: Option<PathBuf>,
    /// More sources (text files) for the topic. For one topic; may be given more than once.
    #[arg(long, value_name = "FILE", num_args = 1)]
    source: Vec<PathBuf>,
    /// The channel of plain sources; otherwise the configuration's `default_channel`.
    #[arg(long, value_name = "NAME")]
    channel: Option<String>,
    /// The newsroom desk that the stories belong to, as `list` shows it.
    #[arg(long, value_name = "NAME")]
    desk: Option<String>,
}

/// A file and what it turned out to be.
struct Taken {
    file: String,
    what: What,
}

enum What {
    Assignment(Box<Assignment>),
    Rejected { message: String, story: Option<StoryKey> },
}

pub(super) async fn run(config: Option<&Path>, arguments: Arguments) -> Result<Exit> {
    if !arguments.auto {
        let mut typed: Vec<String> = std::env::args_os()
            .skip(1)
            .map(|argument| quoted(&sanitise::one_line(&argument.to_string_lossy())))
            .collect();
        let behind = typed.iter().position(|argument| argument == "run").map_or(0, |place| place + 1);
        typed.insert(behind, "--auto".to_owned());
        return Err(WrongUse(format!(
            "Without --auto each round waits at its gate for an editor, and a gate is never skipped silently. This version \
             decides gates only with --auto. Type: copydesk {}",
            typed.join(" ")
        ))
        .into());
    }
    let settings = settings::load(config)?;
    let taken = take(&settings, &arguments)?;
    let store = wiring::store(&settings)?;
    let watch: Arc<dyn Watch> = if arguments.json { Arc::new(JsonLines) } else { Arc::new(Progress::new()) };
    let desk = wiring::desk(&settings, &store, watch).await?;
    let single = taken.len() == 1;
    let files: Vec<String> = taken.iter().map(|topic| topic.file.clone()).collect();
    let begun = Cell::new(0);
    let rows = tokio::select! {
        rows = work(&desk, taken, arguments.json, &begun) => rows,
        _ = tokio::signal::ctrl_c() => {
            headless::message(INTERRUPTED);
            let waiting = files.get(begun.get()..).unwrap_or_default();
            if !waiting.is_empty() {
                headless::message(&format!("Not begun, so run them again: {}", waiting.join(" ")));
            }
            return Ok(Exit::Interrupted);
        }
    };
    finish(&desk, &store, &rows, arguments.json, single).await
}

/// What is said when a person stops the program.
pub(super) const INTERRUPTED: &str = "Interrupted. What is committed is safe; `copydesk resume` goes on from there.";

/// An argument as a shell takes it.
fn quoted(argument: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,+@".contains(c);
    if !argument.is_empty() && argument.chars().all(plain) {
        argument.to_owned()
    } else {
        format!("'{}'", argument.replace('\'', "'\\''"))
    }
}

/// A story's row, and how its run ended where it did.
pub(super) struct Worked {
    pub(super) row: ResultRow,
    pub(super) ended: Option<Ended>,
}

impl Worked {
    /// From what the desk said of a story.
    pub(super) fn of(story: String, result: Result<Reached, DeskError>) -> Self {
        match result {
            Ok(Reached::Gate(waiting)) => {
                let note = format!("waits for an editor at {}: {} `copydesk` opens it", waiting.at, waiting.question);
                Self { row: ResultRow { state: RowState::Waits, ..Self::rejected(story, note).row }, ended: None }
            }
            Ok(Reached::Paused(_)) => {
                let note = "paused; `copydesk unpause` lets it go on".to_owned();
                Self { row: ResultRow { state: RowState::Waits, ..Self::rejected(story, note).row }, ended: None }
            }
            Ok(Reached::End(ended)) => {
                let row = ResultRow {
                    story,
                    state: if ended.success { RowState::Success } else { RowState::Failed },
                    note: ended
                        .error
                        .clone()
                        .into_iter()
                        .chain(ended.flags.iter().map(|flag| format!("flagged: {flag}")))
                        .collect::<Vec<_>>()
                        .join("; "),
                    rounds: ended.rounds,
                    open_concerns: ended.open_concerns,
                    tokens: ended.tokens.0.saturating_add(ended.tokens.1),
                    seconds: format!("{:.1} s", ended.seconds),
                };
                Self { row, ended: Some(*ended) }
            }
            Err(error) => Self::rejected(story, error.to_string()),
        }
    }

    fn rejected(story: String, note: String) -> Self {
        let row = ResultRow {
            story,
            state: RowState::Failed,
            note,
            rounds: 0,
            open_concerns: 0,
            tokens: 0,
            seconds: "-".into(),
        };
        Self { row, ended: None }
    }
}

/// Prints the results; for one story its report as well.
pub(super) async fn finish(desk: &Desk, store: &Store, worked: &[Worked], json: bool, single: bool) -> Result<Exit> {
    let failed = worked.iter().filter(|worked| worked.row.state == RowState::Failed).count();
    let shown;
    if json {
        let closed = json!({ "event": "batch_closed", "succeeded": worked.len() - failed, "failed": failed });
        shown = written(headless::data(&closed.to_string()));
    } else {
        if single && let Some(ended) = worked.first().and_then(|worked| worked.ended.as_ref()) {
            if let Some((key, _)) = store.find(&ended.run_id).await?.first() {
                let journal = desk.records.load(*key).await?.journal;
                headless::painted(&format!("\n{}\n", headless::story_report(&journal, paint_stderr())));
            }
            headless::message(&format!("Article and report: {}", ended.canonical.display()));
            if desk.outputs.save_intermediate_results {
                headless::message(&format!("Every draft, review and verdict: {}", ended.artifacts.display()));
            }
            headless::message("");
        }
        let rows: Vec<ResultRow> = worked.iter().map(|worked| worked.row.clone()).collect();
        shown = written(headless::data(&headless::results_table(&rows)));
    }
    Ok(if failed == 0 { shown } else { Exit::Failed })
}

/// Colour on standard error: where it is a terminal and `NO_COLOR` (no-color.org) does not speak against it.
fn paint_stderr() -> Paint {
    #[expect(clippy::disallowed_methods, reason = "NO_COLOR is a convention of terminals, not a setting of ours")]
    let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if std::io::stderr().is_terminal() && !unwanted { Paint::Colour } else { Paint::Plain }
}

/// Works on one after the other; a topic that fails never touches another. `begun` counts those begun.
async fn work(desk: &Desk, taken: Vec<Taken>, json: bool, begun: &Cell<usize>) -> Vec<Worked> {
    let mut rows = Vec::new();
    for Taken { file, what } in taken {
        begun.set(begun.get() + 1);
        let worked = match what {
            What::Assignment(assignment) => {
                let story = assignment.topic.story().to_string();
                Worked::of(story, desk.start(*assignment).await)
            }
            What::Rejected { message, story } => {
                let named = story.as_ref().map_or_else(|| file.clone(), ToString::to_string);
                let message = format!("{file}: {message}");
                if let Some(story) = story {
                    write_rejection(desk, &story, &message).await;
                }
                Worked::rejected(named, message)
            }
        };
        say_failure(&worked, json);
        rows.push(worked);
    }
    rows
}

/// A story that the desk could not work on has no event of its own: it is said here.
pub(super) fn say_failure(worked: &Worked, json: bool) {
    if worked.row.state == RowState::Failed && worked.ended.is_none() {
        let (story, message) = (&worked.row.story, &worked.row.note);
        if json {
            // Nobody may be reading; the exit code says it as well.
            let _ = headless::data(&json!({ "event": "topic_failed", "story": story, "error": message }).to_string());
        } else {
            let named = if message.starts_with(story.as_str()) { String::new() } else { format!("{story}: ") };
            headless::message(&format!("{named}{message}"));
        }
    }
}

/// A topic that names its story but cannot be used still leaves its canonical file (seed 002, section 7.1), unless that would
/// replace an article: a slip in a file must not take a published story away.
async fn write_rejection(desk: &Desk, story: &StoryKey, message: &str) {
    let result = ArticleGenerationResult {
        success: false,
        article: None,
        metadata: None,
        editor_report: None,
        artifacts_dir: None,
        error: Some(message.to_owned()),
    };
    match desk.reject(story, &result).await {
        Ok(true) => {}
        Ok(false) => headless::message(&format!("{story}: its earlier article stays as it is")),
        Err(error) => headless::message(&error.to_string()),
    }
}

/// Reads every topic before anything is spent.
fn take(settings: &Settings, arguments: &Arguments) -> Result<Vec<Taken>> {
    let files = expand(&arguments.topics)?;
    if files.len() != 1 && (arguments.draft.is_some() || !arguments.source.is_empty()) {
        return Err(WrongUse(format!("--draft and --source belong to one topic, but {} are named", files.len())).into());
    }
    let given_draft = arguments.draft.as_deref().map(read_draft).transpose()?;
    let more_sources = arguments.source.iter().map(|path| read_source(path)).collect::<Result<Vec<_>>>()?;
    let defaults = wiring::topic_defaults(settings);
    let channel = match &arguments.channel {
        Some(name) => PathName::new(name.clone()).map_err(|error| WrongUse(format!("--channel {error}")))?,
        None => settings.article_generation.default_channel.clone(),
    };
    let mut taken = Vec::new();
    let mut seen: HashMap<String, String> = HashMap::new();
    for path in files {
        let file = path.display().to_string();
        let bytes = match files::read_bounded(&path) {
            Ok(bytes) => bytes,
            Err(error) => {
                taken.push(Taken { file, what: What::Rejected { message: error.to_string(), story: None } });
                continue;
            }
        };
        let read = bytes.and_then(|bytes| {
            if is(&path, &["json"]) {
                return topic_file::parse(&bytes, &defaults);
            }
            let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
            topic_file::from_plain_source(&file, &stem, &bytes, channel.clone(), &defaults)
        });
        let what = match read {
            Ok(topic) => What::Assignment(Box::new(Assignment {
                topic,
                more_sources: more_sources.clone(),
                given_draft: given_draft.clone(),
                desk: arguments.desk.as_deref().map(sanitise::one_line),
                gates: if arguments.auto { Gates::Auto } else { Gates::Editor },
            })),
            Err(error) => {
                let message = error.to_string();
                let story = match error {
                    topic_file::TopicError::Problems { story, .. } => story,
                    _ => None,
                };
                What::Rejected { message, story }
            }
        };
        let story = match &what {
            What::Assignment(assignment) => Some(assignment.topic.story()),
            What::Rejected { story, .. } => story.clone(),
        };
        if let Some(story) = story
            && let Some(other) = seen.insert(story.folded(), file.clone())
        {
            return Err(WrongUse(format!(
                "{other} and {file} are both the story {story}: two topics of one batch need different channels or slugs \
                 (nothing was started)"
            ))
            .into());
        }
        taken.push(Taken { file, what });
    }
    Ok(taken)
}

/// Folders become the topic files in them, by name.
fn expand(topics: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for topic in topics {
        if topic.is_dir() {
            let entries = std::fs::read_dir(topic)
                .map_err(|error| WrongUse(format!("the folder {} cannot be read: {error}", topic.display())))?;
            let mut inside: Vec<PathBuf> = entries
                .flatten()
                .map(|entry| entry.path())
                .filter(|path| is(path, &["json"]) && path.is_file())
                .collect();
            if inside.is_empty() {
                return Err(WrongUse(format!("the folder {} holds no topic (*.json)", topic.display())).into());
            }
            inside.sort();
            files.append(&mut inside);
        } else if !topic.exists() {
            return Err(WrongUse(format!("there is no file or folder {}", topic.display())).into());
        } else if !topic.is_file() {
            return Err(WrongUse(format!("{} is neither a file nor a folder", topic.display())).into());
        } else if is(topic, &["json", "txt", "md"]) {
            files.push(topic.clone());
        } else {
            return Err(WrongUse(format!(
                "{} is neither a topic (.json) nor a plain source (.txt, .md); save its text as .txt",
                topic.display()
            ))
            .into());
        }
    }
    Ok(files)
}

fn is(path: &Path, endings: &[&str]) -> bool {
    path.extension().is_some_and(|ending| endings.iter().any(|wanted| ending.eq_ignore_ascii_case(wanted)))
}

/// The text of a draft or a further source; what is wrong with it otherwise.
fn read_text(path: &Path) -> Result<String, String> {
    // Opening a pipe would wait for somebody to write to it.
    if path.exists() && !path.is_file() && !path.is_dir() {
        return Err("it is no file".into());
    }
    let bytes = files::read_bounded(path).map_err(|error| error.to_string())?;
    bytes.and_then(|bytes| topic_file::text(&bytes)).map_err(|error| error.to_string())
}

fn read_draft(path: &Path) -> Result<ArticleResponse> {
    let named = |error: String| WrongUse(format!("the draft {}: {error}", path.display()));
    let text = read_text(path).map_err(named)?;
    Ok(drafts::from_text(&text).map_err(|error| named(error.to_string()))?)
}

fn read_source(path: &Path) -> Result<Source> {
    let named = |error: String| WrongUse(format!("the source {}: {error}", path.display()));
    let text = read_text(path).map_err(named)?;
    if text.trim().is_empty() {
        return Err(named("it is empty".into()).into());
    }
    let name = path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned());
    Ok(Source { name, text })
}
