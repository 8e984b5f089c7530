//! Reads topics: topic files, folders of them, plain sources.

use std::collections::HashMap;

use crate::cli::intake::{
    drafts,
    files::{self, is},
    recordings,
    sources::{self, GivenSources},
};
use crate::cli::prelude::*;
use crate::desk::{Assignment, Replaces};
use crate::documents::{self, RECORDING_ENDINGS};
use crate::editorial::topic_file::{self, TopicDefaults};
use crate::knowledge::reading::{self, NotRead};
use crate::newsroom::{Gates, HidingSource, PathName, Priority, Secrecy, Topic};
use crate::text::first_of;

/// The files to read, and the properties of the stories.
#[derive(Debug, Default)]
pub struct TopicRequest {
    /// Topic files, folders of them, sources.
    pub topics: Vec<PathBuf>,
    /// A draft that exists.
    pub draft: Option<PathBuf>,
    /// Further sources.
    pub source: Vec<PathBuf>,
    /// The channel of plain sources.
    pub channel: Option<String>,
    /// The newsroom desk.
    pub desk: Option<String>,
    /// The parts of the stories that must not leave this machine, beside those that their files name.
    pub secrecy: Secrecy,
    /// Who decides the gates.
    pub gates: Gates,
    /// Whether a signed article, and a run that waits, may be replaced.
    pub replace: bool,
    /// How urgent the stories are; none: as they were.
    pub priority: Option<Priority>,
    /// The batch that they are begun in.
    pub batch: Option<String>,
    /// Whether nothing is printed meanwhile, since the screen is open.
    pub quiet: bool,
}

impl TopicRequest {
    /// Tells what takes long before it begins.
    fn say(&self) -> fn(&str) {
        if self.quiet { |_| {} } else { headless::message }
    }
}

/// A file and what it turned out to be.
pub struct ReadTopic {
    /// As the person named it.
    pub file: String,
    /// The topic, or why it is none.
    pub what: TopicRead,
    /// Remarks for the reader on how its documents were read.
    pub notes: Vec<String>,
}

/// A topic as it was read.
pub enum TopicRead {
    /// It can be worked on.
    Assignment(Box<Assignment>),
    /// It cannot be used.
    Rejected { message: String, story: Option<StoryKey> },
}

impl TopicRead {
    /// The story that it is about, if that could be read.
    fn story(&self) -> Option<StoryKey> {
        match self {
            Self::Assignment(assignment) => Some(assignment.topic.story()),
            Self::Rejected { story, .. } => story.clone(),
        }
    }
}

/// Reads every topic before anything is spent.
///
/// # Errors
/// If nothing can be read of a file that was named, or the named files do not belong together.
pub fn take(settings: &Settings, wanted: &TopicRequest) -> Result<Vec<ReadTopic>> {
    let (files, mut passed_over) = expand(&wanted.topics)?;
    let count = files.len();
    if count != 1 && (wanted.draft.is_some() || !wanted.source.is_empty()) {
        return Err(wrong_use(format!("--draft and --source belong to one topic, but {count} are named")));
    }
    let (given_draft, mut notes) = match wanted.draft.as_deref().map(drafts::read_draft).transpose()? {
        Some((draft, notes)) => (Some(draft), notes),
        None => (None, Vec::new()),
    };
    let defaults = wiring::topic_defaults(settings);
    let default_desk = settings.article_generation.default_desk.as_ref();
    let channel = match &wanted.channel {
        Some(name) => PathName::new(name.clone()).map_err(|error| WrongUse(format!("--channel {error}")))?,
        None => settings.article_generation.default_channel.clone(),
    };
    let more = further(settings, wanted, &files, (&channel, &defaults))?;
    notes.extend(more.notes);
    let mut taken = Vec::new();
    let mut seen: HashMap<String, String> = HashMap::new();
    for path in files {
        let file = path.display().to_string();
        let (mut notes, mut hidden, mut recorded) = (notes.clone(), more.hidden.clone(), more.recorded.clone());
        let (mut own, mut unsure) = (Vec::new(), Vec::new());
        notes.append(&mut passed_over);
        let read = if is(&path, &["json"]) {
            match files::read_bounded(&path) {
                Ok(bytes) => bytes
                    .and_then(|bytes| topic_file::parse(&bytes, &defaults))
                    .map(|(topic, secrecy)| (as_seen(topic, &file, &mut notes), secrecy.and(&wanted.secrecy))),
                Err(error) => {
                    let what = TopicRead::Rejected { message: error.to_string(), story: None };
                    taken.push(ReadTopic { file, what, notes });
                    continue;
                }
            }
        } else {
            let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
            let plain = |text| -> Result<_, topic_file::TopicError> {
                let mut topic = topic_file::from_plain_source(&file, &stem, text, channel.clone(), &defaults)?;
                let name = &mut topic.source_metadata.video_title;
                if more.sources.iter().any(|source| source.name == *name) {
                    *name = sanitise::one_line(&file);
                }
                Ok((topic, wanted.secrecy.clone()))
            };
            let read = || recordings::source(&path, Some(settings), wanted.say());
            let secrecy =
                recordings::with_known(settings, wanted.secrecy.clone(), named(&path, &channel, &defaults).as_ref())?;
            match recordings::in_confidence(&secrecy, read) {
                Ok(document) => {
                    notes.extend(document.remarks(&file));
                    own = document.hidden;
                    unsure = document.unsure;
                    plain(document.text)
                }
                // An empty file still names its story.
                Err(error) if error.downcast_ref().is_some_and(NotRead::is_empty) => plain(String::new()),
                Err(error) => Err(topic_file::unreadable_source(&stem, channel.clone(), error.to_string())),
            }
        };
        let what = match read {
            Ok((topic, secrecy)) => {
                if !own.is_empty() {
                    let source = topic.source_metadata.video_title.clone();
                    hidden.push(HidingSource { source, texts: own });
                }
                recorded.extend(recordings::recorded(&topic.source_metadata.video_title, &path, unsure));
                TopicRead::Assignment(Box::new(Assignment {
                    more_sources: more.sources.clone(),
                    hidden,
                    recorded,
                    given_draft: given_draft.clone(),
                    desk: wanted.desk.as_ref().or(default_desk).map(|desk| sanitise::one_line(desk)),
                    secrecy,
                    gates: wanted.gates,
                    replaces: if wanted.replace { Replaces::Signed } else { Replaces::Nothing },
                    priority: wanted.priority,
                    batch: wanted.batch.clone(),
                    ..Assignment::of(topic)
                }))
            }
            Err(error) => rejected(error),
        };
        if let Some(story) = what.story()
            && let Some(other) = seen.insert(story.folded(), file.clone())
        {
            return Err(wrong_use(format!(
                "{other} and {file} are both the story {story}: two topics of one batch need different channels or slugs \
                 (nothing was started)"
            )));
        }
        taken.push(ReadTopic { file, what, notes });
    }
    Ok(taken)
}

fn rejected(error: topic_file::TopicError) -> TopicRead {
    let message = error.to_string();
    let story = match error {
        topic_file::TopicError::Problems { story, .. } => story,
        _ => None,
    };
    TopicRead::Rejected { message, story }
}

/// The story of a topic that cannot be used, for the desk: under its own name, or else its file's.
pub(crate) fn unusable(settings: &Settings, file: &str, story: Option<&StoryKey>, why: &str) -> Option<Assignment> {
    let stem = Path::new(file).file_stem()?.to_string_lossy().into_owned();
    let generation = &settings.article_generation;
    let (defaults, channel) = (wiring::topic_defaults(settings), generation.default_channel.clone());
    let mut topic = topic_file::from_plain_source(file, &stem, stem.clone(), channel, &defaults).ok()?;
    topic.source_text.clear();
    if let Some(story) = story {
        topic.source_metadata.channel_name = story.channel.clone();
        topic.source_metadata.topic_slug = story.slug.clone();
    }
    let (desk, why) = (generation.default_desk.clone(), format!("{file}: {why}"));
    Some(Assignment { desk, unusable: Some(why), ..Assignment::of(topic) })
}

/// The further sources. A recording is sent before its topic is read.
fn further(
    settings: &Settings,
    wanted: &TopicRequest,
    files: &[PathBuf],
    (channel, defaults): (&PathName, &TopicDefaults),
) -> Result<GivenSources> {
    if wanted.source.is_empty() {
        return Ok(GivenSources::default());
    }
    let mut secrecy = wanted.secrecy.clone();
    for file in files {
        secrecy =
            recordings::with_known(settings, secrecy.and(&said_by(file)), named(file, channel, defaults).as_ref())?;
    }
    let draft = wanted.draft.as_deref();
    recordings::in_confidence(&secrecy, || sources::read(&wanted.source, draft, Some(settings), wanted.say()))
}

/// The story that a file is of, as far as it can be read.
fn named(file: &Path, channel: &PathName, defaults: &TopicDefaults) -> Option<StoryKey> {
    if is(file, &["json"]) {
        let bytes = files::read_bounded(file).ok().and_then(Result::ok)?;
        return match topic_file::parse(&bytes, defaults) {
            Ok((topic, _)) => Some(topic.story()),
            Err(topic_file::TopicError::Problems { story, .. }) => story,
            Err(_) => None,
        };
    }
    let stem = file.file_stem()?.to_string_lossy().into_owned();
    let topic = topic_file::from_plain_source("", &stem, "x".to_owned(), channel.clone(), defaults);
    topic.ok().map(|topic| topic.story())
}

/// The secrecy in a topic file, as far as it can be read.
fn said_by(file: &Path) -> Secrecy {
    let bytes = if is(file, &["json"]) { files::read_bounded(file).ok().and_then(Result::ok) } else { None };
    bytes.map(|bytes| topic_file::secrecy_in(&bytes)).unwrap_or_default()
}

/// The topic with the words of its text as a reader sees them, like those of a document.
fn as_seen(mut topic: Topic, file: &str, notes: &mut Vec<String>) -> Topic {
    let mut said = Vec::new();
    topic.source_text = documents::folded(&topic.source_text, &mut said).into_owned();
    notes.extend(said.iter().map(|note| format!("{file}: {note}")));
    topic
}

/// Whether a file of this name can be a source.
fn is_source(name: &str) -> bool {
    documents::is_known(name) || documents::is_recording(name)
}

/// Folders become the topic files in them, by name. A note of each folder says what is passed over there.
fn expand(topics: &[PathBuf]) -> Result<(Vec<PathBuf>, Vec<String>)> {
    let (mut files, mut notes) = (Vec::new(), Vec::new());
    for topic in topics {
        if topic.is_dir() {
            let entries = std::fs::read_dir(topic)
                .map_err(|error| WrongUse(format!("the folder {} cannot be read: {error}", topic.display())))?;
            let found = entries.flatten().map(|entry| entry.path()).filter(|path| path.is_file());
            let (mut inside, others): (Vec<PathBuf>, Vec<PathBuf>) = found.partition(|path| is(path, &["json"]));
            let passed_over = passed_over(topic, &others);
            if inside.is_empty() {
                let more = passed_over.map_or_else(String::new, |told| format!(". {told}"));
                return Err(wrong_use(format!("the folder {} holds no topic (*.json){more}", topic.display())));
            }
            notes.extend(passed_over);
            inside.sort();
            files.append(&mut inside);
        } else if !topic.exists() {
            return Err(wrong_use(format!("there is no file or folder {}", topic.display())));
        } else if !topic.is_file() {
            return Err(wrong_use(format!("{} is neither a file nor a folder", topic.display())));
        } else if is(topic, &["json"]) || is_source(&reading::name(topic)) {
            files.push(topic.clone());
        } else {
            return Err(wrong_use(format!(
                "{} is neither a topic (.json) nor a source ({}; {RECORDING_ENDINGS}); save its text as .txt",
                topic.display(),
                documents::ENDINGS
            )));
        }
    }
    Ok((files, notes))
}

/// Most names of files in a message.
const NAMED: usize = 8;

/// Says which files of a folder of topics are not run, and how its sources can be, on the screen and by the command. None if it holds no
/// others.
fn passed_over(folder: &Path, others: &[PathBuf]) -> Option<String> {
    let shown = others.iter().map(|path| reading::name(path)).filter(|name| !name.starts_with('.'));
    let mut names: Vec<String> = shown.collect();
    // Sources first: a person can do something about them.
    names.sort_by(|one, other| (!is_source(one), one).cmp(&(!is_source(other), other)));
    let source = names.first()?.rsplit_once('.').filter(|_| names.first().is_some_and(|name| is_source(name)));
    let how = source.map_or_else(String::new, |(_, ending)| {
        let all = folder.join(format!("*.{ending}"));
        format!(". Each becomes a story of its own with n on the desk, or with copydesk run {}", all.display())
    });
    let listed = sanitise::one_line(&first_of(&names, NAMED));
    Some(format!("Not begun, because they are not topics (.json): {listed}{how}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::testing::opening;

    #[test]
    fn the_words_of_a_topic_are_read_as_they_are_seen() {
        let mut topic = opening().topic;
        topic.source_text = "They v\u{200B}oted for the p\u{430}rk.".into();
        let mut notes = Vec::new();
        assert_eq!(as_seen(topic, "park.json", &mut notes).source_text, "They voted for the park.");
        assert!(notes.len() == 2 && notes.iter().all(|note| note.starts_with("park.json: ")), "{notes:?}");
    }
}
