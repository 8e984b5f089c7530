//! Reading what a person hands in: topics, folders of them, plain sources, drafts; what was typed into the screen.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

use anyhow::Result;

use super::{WrongUse, files, sources, wiring};
use crate::config::Settings;
use crate::desk::Assignment;
use crate::desk::Replaces;
use crate::documents;
use crate::documents::Document;
use crate::documents::Kind;
use crate::documents::Purpose;
use crate::documents::Unreadable;
use crate::editorial::drafts;
use crate::editorial::topic_file;
use crate::knowledge::reading;
use crate::knowledge::reading::NotRead;
use crate::newsroom::ArticleResponse;
use crate::newsroom::Gates;
use crate::newsroom::PathName;
use crate::newsroom::Priority;
use crate::newsroom::StoryKey;
use crate::text::sanitise;
use crate::tui::{app::messages::Beginning, worker::context::Intake};

/// What is to be read, and the properties of the stories.
#[derive(Debug, Default)]
pub(super) struct Wanted {
    /// Topic files, folders of them, sources.
    pub(super) topics: Vec<PathBuf>,
    /// A draft that exists.
    pub(super) draft: Option<PathBuf>,
    /// Further sources.
    pub(super) source: Vec<PathBuf>,
    /// The channel of plain sources.
    pub(super) channel: Option<String>,
    /// The newsroom desk.
    pub(super) desk: Option<String>,
    /// Who decides the gates.
    pub(super) gates: Gates,
    /// Whether a signed article, and a run that waits, may be replaced.
    pub(super) replace: bool,
    /// How urgent the stories are; none: as they were.
    pub(super) priority: Option<Priority>,
    /// The batch that they are begun in.
    pub(super) batch: Option<String>,
}

/// A file and what it turned out to be.
pub(super) struct Taken {
    pub(super) file: String,
    pub(super) what: What,
    /// What a reader should know about how its documents were read.
    pub(super) notes: Vec<String>,
}

/// A topic as it was read.
pub(super) enum What {
    Assignment(Box<Assignment>),
    Rejected { message: String, story: Option<StoryKey> },
}

/// Reads every topic before anything is spent.
pub(super) fn take(settings: &Settings, wanted: &Wanted) -> Result<Vec<Taken>> {
    let files = expand(&wanted.topics)?;
    if files.len() != 1 && (wanted.draft.is_some() || !wanted.source.is_empty()) {
        return Err(WrongUse(format!("--draft and --source belong to one topic, but {} are named", files.len())).into());
    }
    let (given_draft, mut notes) = match wanted.draft.as_deref().map(read_draft).transpose()? {
        Some((draft, notes)) => (Some(draft), notes),
        None => (None, Vec::new()),
    };
    let more_sources = match wanted.source.as_slice() {
        [] => Vec::new(),
        paths => {
            let read = sources::read(paths, wanted.draft.as_deref())?;
            notes.extend(read.notes);
            read.sources
        }
    };
    let defaults = wiring::topic_defaults(settings);
    let channel = match &wanted.channel {
        Some(name) => PathName::new(name.clone()).map_err(|error| WrongUse(format!("--channel {error}")))?,
        None => settings.article_generation.default_channel.clone(),
    };
    let mut taken = Vec::new();
    let mut seen: HashMap<String, String> = HashMap::new();
    for path in files {
        let file = path.display().to_string();
        let mut notes = notes.clone();
        let read = if is(&path, &["json"]) {
            match files::read_bounded(&path) {
                Ok(bytes) => bytes.and_then(|bytes| topic_file::parse(&bytes, &defaults)),
                Err(error) => {
                    let what = What::Rejected { message: error.to_string(), story: None };
                    taken.push(Taken { file, what, notes });
                    continue;
                }
            }
        } else {
            let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
            match reading::document(&path, Purpose::Source) {
                Ok(document) => {
                    notes.extend(document.notes.iter().map(|note| format!("{file}: {note}")));
                    topic_file::from_plain_source(&file, &stem, document.text, channel.clone(), &defaults)
                }
                // What is empty still names its story.
                Err(NotRead::Unreadable(Unreadable::Empty)) => {
                    topic_file::from_plain_source(&file, &stem, String::new(), channel.clone(), &defaults)
                }
                Err(error) => {
                    let what = What::Rejected { message: error.to_string(), story: None };
                    taken.push(Taken { file, what, notes });
                    continue;
                }
            }
        };
        let what = match read {
            Ok(topic) => What::Assignment(Box::new(Assignment {
                topic,
                more_sources: more_sources.clone(),
                given_draft: given_draft.clone(),
                desk: wanted.desk.as_deref().map(sanitise::one_line),
                gates: wanted.gates,
                replaces: if wanted.replace { Replaces::Signed } else { Replaces::Nothing },
                priority: wanted.priority,
                batch: wanted.batch.clone(),
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
        taken.push(Taken { file, what, notes });
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
        } else if is(topic, &["json"]) || documents::is_known(&reading::name(topic)) {
            files.push(topic.clone());
        } else {
            return Err(WrongUse(format!(
                "{} is neither a topic (.json) nor a source ({}); save its text as .txt",
                topic.display(),
                documents::ENDINGS
            ))
            .into());
        }
    }
    Ok(files)
}

pub(super) fn is(path: &Path, endings: &[&str]) -> bool {
    path.extension().is_some_and(|ending| endings.iter().any(|wanted| ending.eq_ignore_ascii_case(wanted)))
}

/// The document of a draft; what is wrong with it otherwise, which begins with its name.
fn draft_document(path: &Path) -> Result<(String, Vec<String>)> {
    let shown = path.display();
    let named = |error: &dyn std::fmt::Display| WrongUse(format!("the draft {shown}: {error}"));
    match reading::document(path, Purpose::Draft) {
        Ok(Document { kind: kind @ (Kind::Pdf | Kind::Book | Kind::Table | Kind::Captions), .. }) => {
            let name = kind.name();
            Err(named(&format!("it is {name}; a draft is Markdown, text, .docx, .html or an article in JSON")).into())
        }
        Ok(Document { text, notes, .. }) => {
            Ok((text, notes.iter().map(|note| format!("the draft {shown}: {note}")).collect()))
        }
        Err(NotRead::Unreadable(Unreadable::Empty)) => Err(named(&drafts::DraftError::Empty).into()),
        Err(error) => Err(named(&error).into()),
    }
}

/// A draft for the loop, and what a reader should know about how it was read.
pub(super) fn read_draft(path: &Path) -> Result<(ArticleResponse, Vec<String>)> {
    let (text, notes) = draft_document(path)?;
    let read = drafts::from_text(&text);
    Ok((read.map_err(|error| WrongUse(format!("the draft {}: {error}", path.display())))?, notes))
}

/// A draft as somebody wrote it, with nothing in the place of what it lacks: a text of one paragraph is all body.
pub(super) fn read_own_draft(path: &Path) -> Result<OwnDraft> {
    let (text, notes) = draft_document(path)?;
    let article = drafts::own(&text).map_err(|error| WrongUse(format!("the draft {}: {error}", path.display())))?;
    Ok(OwnDraft { article, text, notes })
}

/// A draft of somebody's own.
pub(super) struct OwnDraft {
    pub(super) article: ArticleResponse,
    /// Its text as it was read, in which its lines are counted.
    pub(super) text: String,
    /// What a reader should know about how it was read.
    pub(super) notes: Vec<String>,
}

/// Reads for the screen.
pub(super) struct Reader {
    /// The desk's settings.
    pub(super) settings: Settings,
}

/// The story that comes with the program, and a draft of it with five planted errors.
const SAMPLE: (&str, &str) = (
    include_str!("../../assets/topics/miller-park-renovation.json"),
    include_str!("../../assets/drafts/miller-park-renovation.md"),
);

impl Reader {
    fn read_file(&self, path: &Path) -> Result<Vec<Assignment>> {
        let wanted = Wanted { topics: vec![path.to_owned()], gates: Gates::Editor, ..Wanted::default() };
        let mut assignments = Vec::new();
        for Taken { file, what, .. } in take(&self.settings, &wanted)? {
            match what {
                What::Assignment(assignment) => assignments.push(*assignment),
                What::Rejected { message, .. } => return Err(WrongUse(format!("{file}: {message}")).into()),
            }
        }
        Ok(assignments)
    }

    fn read_text(&self, beginning: &Beginning) -> Result<Assignment> {
        let Beginning::Text { text, title, channel, angle, length, style, desk, draft } = beginning else {
            return Err(WrongUse("this is no text".into()).into());
        };
        let mut defaults = wiring::topic_defaults(&self.settings);
        if !style.is_empty() {
            if !defaults.allowed_styles.contains(style) {
                let allowed = defaults.allowed_styles.join(", ");
                return Err(WrongUse(format!("there is no style {style}; there are {allowed}")).into());
            }
            defaults.style_mode.clone_from(style);
        }
        if !length.is_empty() {
            let mut numbers = length.split('-').map(str::trim);
            let number = |text: Option<&str>| text.is_none_or(|text| text.parse::<u32>().is_ok_and(|words| words > 0));
            if !(number(numbers.next()) && number(numbers.next()) && numbers.next().is_none()) {
                return Err(
                    WrongUse(format!("the length {length}: write a number of words, or two, such as 250-400")).into()
                );
            }
            defaults.target_length_words.clone_from(length);
        }
        let channel = match channel.as_str() {
            "" => self.settings.article_generation.default_channel.clone(),
            name => PathName::new(name).map_err(|error| WrongUse(format!("the channel {error}")))?,
        };
        let first = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
        let named = if title.is_empty() { first } else { title };
        let stem = sanitise::excerpt(named, 60);
        let mut topic =
            topic_file::from_plain_source("typed", &stem, sanitise::clean(text).into_owned(), channel, &defaults)?;
        if !title.is_empty() {
            topic.source_metadata.topic_title.clone_from(title);
        }
        topic.optional_angle = Some(angle.clone()).filter(|angle| !angle.is_empty());
        let given_draft = match draft.trim() {
            "" => None,
            draft => Some(drafts::from_text(draft).map_err(|error| WrongUse(format!("the draft: {error}")))?),
        };
        let desk = Some(sanitise::one_line(desk)).filter(|desk| !desk.is_empty());
        Ok(Assignment {
            topic,
            more_sources: Vec::new(),
            given_draft,
            desk,
            gates: Gates::Editor,
            replaces: Replaces::Nothing,
            priority: None,
            batch: None,
        })
    }

    fn read_sample(&self) -> Result<Assignment> {
        let topic = topic_file::parse(SAMPLE.0.as_bytes(), &wiring::topic_defaults(&self.settings))?;
        // Rules find the planted errors; a model writes its own draft.
        let given_draft = Some(drafts::from_text(SAMPLE.1)?);
        Ok(Assignment {
            topic,
            more_sources: Vec::new(),
            given_draft,
            desk: Some("sample".into()),
            gates: Gates::Editor,
            replaces: Replaces::Nothing,
            priority: None,
            batch: None,
        })
    }
}

fn said<T>(result: Result<T>) -> Result<T, String> {
    result.map_err(|error| format!("{error:#}"))
}

impl Intake for Reader {
    fn file(&self, path: &Path) -> Result<Vec<Assignment>, String> {
        said(self.read_file(path))
    }

    fn text(&self, beginning: &Beginning) -> Result<Assignment, String> {
        said(self.read_text(beginning))
    }

    fn sample(&self) -> Result<Assignment, String> {
        said(self.read_sample())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draft_keeps_the_times_that_its_author_wrote() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("draft.md");
        let body = "0:01\nVOSS: Good evening.\n0:03\nTULL: And to you.";
        std::fs::write(&path, format!("# Talk\n\n{body}\n")).unwrap();
        let OwnDraft { article, notes, .. } = read_own_draft(&path).unwrap();
        assert_eq!((article.articleBody.as_str(), notes), (body, Vec::new()));
    }
}
