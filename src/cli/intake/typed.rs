//! Reads what was typed into the screen, or chosen there: a file, a text, the sample.

use crate::cli::exit::on_screen;
use crate::cli::intake::{
    assigned::assigned,
    files, sources,
    topics::{ReadTopic, TopicRead, TopicRequest, take, unusable},
};
use crate::cli::prelude::*;
use crate::desk::Assignment;
use crate::editorial::{drafts, topic_file};
use crate::knowledge::regular;
use crate::newsroom::{Gates, PathName, Secrecy};
use crate::tui::{
    app::{messages::Beginning, trouble::Trouble},
    worker::context::{AddedFile, Intake, StartingStories},
};

/// Reads for the screen.
pub(crate) struct Reader {
    /// The desk's settings.
    pub(crate) settings: Settings,
}

/// The story that comes with the program, and a draft of it with five planted errors.
const SAMPLE: (&str, &str) = (
    include_str!("../../../assets/topics/miller-park-renovation.json"),
    include_str!("../../../assets/drafts/miller-park-renovation.md"),
);

/// The stories to begin. A topic of a batch that cannot be used goes on the desk with its reason. By itself it is refused: there is a
/// person to mend it.
pub(crate) fn to_begin(settings: &Settings, taken: Vec<ReadTopic>) -> Result<StartingStories, WrongUse> {
    let is_batch = taken.len() > 1;
    let mut stories = StartingStories::default();
    for ReadTopic { file, what, notes } in taken {
        stories.notes.extend(notes);
        match what {
            TopicRead::Assignment(assignment) => stories.assignments.push(*assignment),
            TopicRead::Rejected { message, story } => match unusable(settings, &file, story.as_ref(), &message) {
                Some(unusable) if is_batch => stories.assignments.push(unusable),
                _ => return Err(WrongUse(format!("{file}: {message}"))),
            },
        }
    }
    Ok(stories)
}

impl Reader {
    /// Topics and folders of them are stories of their own. The first of several documents is a story, and the others its sources.
    fn read_files(&self, paths: &[PathBuf]) -> Result<StartingStories> {
        let is_own = |path: &&PathBuf| path.is_dir() || files::is(path, &["json"]);
        let (mut topics, mut documents): (Vec<&PathBuf>, Vec<&PathBuf>) = paths.iter().partition(is_own);
        if paths.len() == 1 {
            topics.append(&mut documents);
        }
        let mut stories = StartingStories::default();
        for topic in topics {
            self.read_stories(topic, &[], &mut stories)?;
        }
        if let Some((first, others)) = documents.split_first() {
            let others: Vec<PathBuf> = others.iter().map(|path| (*path).clone()).collect();
            self.read_stories(first, &others, &mut stories)?;
        }
        Ok(stories)
    }

    fn read_stories(&self, path: &Path, sources: &[PathBuf], stories: &mut StartingStories) -> Result<()> {
        let wanted = TopicRequest {
            topics: vec![path.to_owned()],
            source: sources.to_vec(),
            gates: Gates::Editor,
            quiet: true,
            ..TopicRequest::default()
        };
        let read = to_begin(&self.settings, take(&self.settings, &wanted)?)?;
        stories.assignments.extend(read.assignments);
        stories.notes.extend(read.notes);
        Ok(())
    }

    fn read_text(&self, beginning: &Beginning) -> Result<Assignment> {
        if let Beginning::Question { question, desk } = beginning {
            return assigned(&self.settings, question, None, None, Some(desk));
        }
        let Beginning::Text { text, title, channel, angle, length, style, desk, draft } = beginning else {
            return Err(wrong_use("this is no text"));
        };
        let mut defaults = wiring::topic_defaults(&self.settings);
        if !style.is_empty() {
            if !defaults.allowed_styles.contains(style) {
                let allowed = defaults.allowed_styles.join(", ");
                return Err(wrong_use(format!("there is no style {style}; there are {allowed}")));
            }
            defaults.style_mode.clone_from(style);
        }
        if !length.is_empty() {
            let mut numbers = length.split('-').map(str::trim);
            let number = |text: Option<&str>| text.is_none_or(|text| text.parse::<u32>().is_ok_and(|words| words > 0));
            if !(number(numbers.next()) && number(numbers.next()) && numbers.next().is_none()) {
                return Err(wrong_use(format!(
                    "the length {length}: write a number of words, or two, such as 250-400"
                )));
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
        // No file has it.
        topic.source_metadata.video_title.clone_from(&topic.source_metadata.topic_title);
        if !title.is_empty() {
            topic.source_metadata.topic_title.clone_from(title);
        }
        topic.optional_angle = Some(angle.clone()).filter(|angle| !angle.is_empty());
        let given_draft = match draft.trim() {
            "" => None,
            draft => Some(drafts::from_text(draft).map_err(|error| WrongUse(format!("the draft: {error}")))?),
        };
        let desk = Some(sanitise::one_line(desk)).filter(|desk| !desk.is_empty());
        Ok(Assignment { given_draft, desk, ..Assignment::of(topic) })
    }

    fn read_sample(&self) -> Result<Assignment> {
        let (topic, _) = topic_file::parse(SAMPLE.0.as_bytes(), &wiring::topic_defaults(&self.settings))?;
        // Rules find the planted errors; a model writes its own draft.
        let given_draft = Some(drafts::from_text(SAMPLE.1)?);
        Ok(Assignment { given_draft, desk: Some("sample".into()), ..Assignment::of(topic) })
    }
}

impl Reader {
    /// With the settings of new stories as they are in the file now: the settings page may have changed them since the screen opened.
    fn now(&self) -> Self {
        let mut settings = self.settings.clone();
        // A file that somebody is editing may be broken for a moment.
        let text = regular::read_to_string(&settings.file, settings::MOST_BYTES).ok();
        if let Some(Ok(now)) = text.map(|yaml| settings::parsed(&settings.file, &yaml)) {
            let (own, now) = (&mut settings.article_generation, now.article_generation);
            own.default_channel = now.default_channel;
            own.default_desk = now.default_desk;
            own.default_style_mode = now.default_style_mode;
            own.default_target_length_words = now.default_target_length_words;
        }
        Self { settings }
    }
}

impl Intake for Reader {
    fn begin(&self, beginning: &Beginning) -> Result<StartingStories, Trouble> {
        let read = match beginning {
            Beginning::Files(paths) => self.now().read_files(paths),
            Beginning::Sample => self.read_sample().map(StartingStories::from),
            Beginning::Text { .. } | Beginning::Question { .. } => {
                self.now().read_text(beginning).map(StartingStories::from)
            }
        };
        read.map_err(|error| on_screen(&error))
    }

    fn source(&self, path: &Path, secrecy: &Secrecy) -> Result<AddedFile, Trouble> {
        // Lines are not seen while the screen is open.
        sources::one(path, &self.settings, secrecy, |_| {}).map_err(|error| on_screen(&error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{TEMPLATE, load};

    #[test]
    fn a_typed_question_is_an_assignment() {
        let settings = load(Path::new("config.yaml"), TEMPLATE, Path::new("/desk")).unwrap();
        let reader = Reader { settings };
        let typed =
            |question: &str| reader.read_text(&Beginning::Question { question: question.into(), desk: "local".into() });
        let begun = typed("What does\nthe pool cost?").unwrap();
        assert!(begun.assigned);
        assert_eq!((begun.desk.as_deref(), begun.gates), (Some("local"), Gates::Editor));
        assert_eq!(begun.topic.source_text, "What does\nthe pool cost?");
        assert_eq!(begun.topic.source_metadata.topic_title, "What does the pool cost?");
        let empty = typed("\u{200B} ").unwrap_err().to_string();
        assert!(empty.starts_with("the assignment is empty"), "{empty}");
    }
}
