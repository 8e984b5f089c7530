//! Stories that a real model told, to be watched without a server.
//!
//! A recorded story is a zip file: `about.json`, the topic, the recording of `run --record`, and the configuration and prompts that it
//! was made with, so that the requests are the same. It is played in a folder of its own, which is deleted at the end. Nothing of it
//! comes to the person's own desk, and nothing is sent.

use std::{
    borrow::Cow,
    io::{Cursor, Read as _},
};

use serde::Deserialize;
use tempfile::TempDir;
use zip::ZipArchive;

use crate::cli::intake::topics::{self, ReadTopic, TopicRequest};
use crate::cli::prelude::*;
use crate::cli::wiring::{files, readers};
use crate::config::{self, Engine, WatchedRecording};
use crate::newsroom::Gates;

/// The stories that come with the program, the first one for who names none.
const SHIPPED: [(&str, &[u8]); 1] =
    [("miller-park", include_bytes!("../../../assets/recorded/miller-park.zip").as_slice())];

/// The one that is played if none is named.
pub(crate) const FIRST: &str = "miller-park";

/// Most bytes of all files of a recorded story.
const MOST_BYTES: u64 = 64 << 20;

/// How many times as fast as the model a story is played on the screen: a person sees each agent at work, and does not wait for it.
pub(crate) const USUAL_SPEED: f64 = 10.0;

/// The description of a recorded story, in its own file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct About {
    model: String,
    recorded_on: String,
}

/// A recorded story, ready to be played. Its folder lives as long as this.
pub(crate) struct RecordedStory {
    pub(crate) settings: Settings,
    pub(crate) topic: Vec<ReadTopic>,
    pub(crate) folder: TempDir,
}

impl RecordedStory {
    /// Unpacks a story: one of the program's by its name, or a file.
    ///
    /// # Errors
    /// [`WrongUse`] if there is no such story, or the file is none.
    pub(crate) fn open(name: &str, gates: Gates, speed: Option<f64>) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("copydesk-recorded-").tempdir();
        let folder = folder.context("no folder can be made for the recorded story")?;
        let not_one = |why: String| WrongUse(format!("the recorded story {name} cannot be played: {why}"));
        let shipped = SHIPPED.iter().find(|(known, _)| *known == name);
        let bytes = shipped.map_or_else(|| std::fs::read(name).map(Cow::Owned), |(_, bytes)| Ok(Cow::Borrowed(*bytes)));
        let bytes = bytes.map_err(|error| {
            let known = SHIPPED.map(|(name, _)| name).join(", ");
            not_one(format!("{error}. The program has {known}; anything else is a file that .ci/record-story made"))
        })?;
        unpack(&bytes, folder.path()).map_err(|error| not_one(format!("{error:#}")))?;
        let settings = settings(folder.path(), speed).map_err(|error| not_one(format!("{error:#}")))?;
        let wanted = TopicRequest {
            topics: vec![folder.path().join("topic.json")],
            gates,
            quiet: true,
            ..TopicRequest::default()
        };
        let topic = topics::take(&settings, &wanted)?;
        Ok(Self { settings, topic, folder })
    }

    /// The text for a person before it begins.
    pub(crate) fn introduction(&self) -> String {
        let Some(watched) = &self.settings.article_generation.watched else { return String::new() };
        let WatchedRecording { model, recorded_on, .. } = watched;
        format!(
            "A recorded story: {model} answered on {recorded_on}. No server is asked and nothing is sent. It is played in a folder of its \
             own, which is deleted at the end; your own desk stays as it is."
        )
    }
}

/// The settings that a story was recorded with, with nothing in them that reaches out of its folder.
fn settings(folder: &Path, speed: Option<f64>) -> Result<Settings> {
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).with_context(|| name.to_owned());
    let About { model, recorded_on } = serde_json::from_str(&read("about.json")?).context("about.json")?;
    files::write_prompts(&folder.join("prompts"))?;
    let file = folder.join("config/config.yaml");
    let yaml = config::of_recording(&read("config/config.yaml")?)?;
    let mut settings = config::load(&file, &yaml, folder)?;
    readers::configure(&settings);
    settings.privacy.local_only = true;
    settings.privacy.passphrase_file = None;
    settings.mcp.clear();
    settings.transcription = None;
    settings.publisher.targets.clear();
    settings.observability.log = None;
    settings.observability.metrics_addr = None;
    settings.observability.traces = None;
    let generation = &mut settings.article_generation;
    generation.engine = Engine::Recorded;
    generation.recording = Some(folder.join("tape.jsonl"));
    generation.knowledge_base.embedding = None;
    generation.watched = Some(WatchedRecording { model, recorded_on, speed });
    Ok(settings)
}

/// Writes the files of an archive below a folder.
fn unpack(bytes: &[u8], folder: &Path) -> Result<()> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).context("it is no zip file")?;
    let mut left = MOST_BYTES;
    for at in 0..archive.len() {
        let entry = archive.by_index(at)?;
        if entry.is_dir() {
            continue;
        }
        let name = entry.enclosed_name().context("a name in it leads out of its folder")?;
        let mut text = String::new();
        entry.take(left + 1).read_to_string(&mut text).with_context(|| name.display().to_string())?;
        left = left.checked_sub(text.len() as u64).context("it is too large")?;
        files::write_new(&folder.join(name), &text)?;
    }
    Ok(())
}
