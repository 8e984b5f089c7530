//! The ports that the worker uses, and the line to the screen.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use async_trait::async_trait;
use tokio::sync::mpsc::UnboundedSender;

use crate::app::{Beginning, News, Trouble};
use crate::screens::settings::{ChoosableModel, FoundServer, MeasuredModel, NewSettings, SeenSettings, ServerAt};
use copydesk_core::desk::{Assignment, Desk, Distribution};
use copydesk_core::ports::{FactBook, Heard, Index, Passages, RunKey, Scratch, StoreError, WorkProgress};
use copydesk_newsroom::{ArticleResponse, HiddenText, Pool, RecordedSource, Secrecy, Source, StoryKey};
use copydesk_style::StyleReview;

/// A file that was read to be a source.
#[derive(Debug)]
pub struct AddedFile {
    pub source: Source,
    /// The parts of the file that no reader sees. The text has none of them.
    pub hidden: Vec<HiddenText>,
    /// Set if the text was written down from a recording.
    pub recorded: Option<RecordedSource>,
    /// Remarks for the reader, a sentence each.
    pub notes: Vec<String>,
}

/// Stories that were read and have not begun.
#[derive(Debug, Default)]
pub struct StartingStories {
    pub assignments: Vec<Assignment>,
    /// Remarks for the reader, a sentence each.
    pub notes: Vec<String>,
}

impl From<Assignment> for StartingStories {
    fn from(assignment: Assignment) -> Self {
        Self { assignments: vec![assignment], notes: Vec::new() }
    }
}

/// Reads the files and texts that stories begin with. Its calls block.
pub trait Intake: Send + Sync {
    /// The stories that begin so.
    ///
    /// # Errors
    /// The problem and what to do; of the sample, that the configuration does not fit it.
    fn begin(&self, beginning: &Beginning) -> Result<StartingStories, Trouble>;

    /// A file as a source, under its own name, for a story that keeps this secret.
    ///
    /// # Errors
    /// The problem and what to do.
    fn source(&self, path: &Path, secrecy: &Secrecy) -> Result<AddedFile, Trouble>;
}

/// Checks house style, and spelling with the newsroom's own words. Its calls block.
pub trait Speller: Send + Sync {
    /// Returns the notes of house style and spelling on a draft; none if stories get no notes.
    ///
    /// # Errors
    /// The problem and what to do.
    fn notes(&self, article: &ArticleResponse, sources: &[Source]) -> Result<StyleReview, Trouble>;

    /// Adds a word to the newsroom's dictionary; false if it is there already.
    ///
    /// # Errors
    /// If it is not a word, or if the dictionary cannot be written.
    fn learn(&self, word: &str) -> Result<bool, Trouble>;
}

/// Finds model servers, and writes the settings.
#[async_trait]
pub trait HouseSettings: Send + Sync {
    /// The models of the usual servers on this machine, or of the one that is named.
    ///
    /// # Errors
    /// If the named server cannot be asked.
    async fn servers(&self, named: Option<&ServerAt>) -> Result<Vec<FoundServer>, Trouble>;

    /// Asks a model what it can take, and says which settings fit it. `told` hears what is being asked. Dropping the future stops it.
    ///
    /// # Errors
    /// If it gives no answer.
    async fn measure(&self, asked: &ChoosableModel, told: Heard<'_>) -> Result<MeasuredModel, Trouble>;

    /// Writes what was changed to the configuration, with its comments kept, and with what was learned of a newly chosen model. Returns the
    /// settings as they are now.
    ///
    /// # Errors
    /// The problem and what to do; nothing was changed then.
    async fn save(&self, new: &NewSettings) -> Result<SeenSettings, Trouble>;
}

/// Keeps the index. Each method can be interrupted and continues the next time.
#[async_trait]
pub trait Librarian: Send + Sync {
    /// Indexes the changes in the knowledge folder. Returns the files that could not be read, each with its reason.
    ///
    /// # Errors
    /// If the database fails.
    async fn refresh(&self, progress: &WorkProgress) -> Result<Vec<String>, Trouble>;

    /// Indexes the texts of stories. Returns the texts that could not be read.
    ///
    /// # Errors
    /// If the database fails.
    async fn shelve(&self) -> Result<Vec<String>, Trouble>;

    /// Makes the missing vectors, if an embedder is configured. Returns the problems of the passages that got none.
    ///
    /// # Errors
    /// If the database or the embedder fails.
    async fn embed(&self, progress: &WorkProgress) -> Result<Vec<String>, Trouble>;
}

/// The ports and settings that the worker needs.
pub struct Tools {
    pub desk: Arc<Desk>,
    /// Sends signed stories out.
    pub distribution: Arc<Distribution>,
    pub passages: Arc<dyn Passages>,
    /// The search by words alone, which waits for no embedder.
    pub words: Arc<dyn Passages>,
    pub index: Arc<dyn Index>,
    pub librarian: Arc<dyn Librarian>,
    /// Keeps texts while they are typed.
    pub scratch: Arc<dyn Scratch>,
    pub intake: Arc<dyn Intake>,
    pub speller: Arc<dyn Speller>,
    /// The call of the program that plays a recording, if one is configured.
    pub player: Option<Arc<PlayerCall>>,
    pub settings: Arc<dyn HouseSettings>,
    pub facts: Arc<dyn FactBook>,
    /// Steps of each pool that this program may do at once.
    pub pools: Vec<(Pool, usize)>,
    pub stories_at_once: usize,
    /// The database's file.
    pub database: PathBuf,
}

/// The program and its arguments for a place of a file: its beginning and its length in seconds.
pub type PlayerCall = dyn Fn(&str, u32, u32) -> Vec<String> + Send + Sync;

/// Tells one file from another that replaced it.
fn file_id(path: &Path) -> Option<(u64, u64)> {
    let file = std::fs::metadata(path).ok()?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        Some((file.dev(), file.ino()))
    }
    #[cfg(not(unix))]
    {
        drop(file);
        Some((0, 0))
    }
}

/// The state that every part of the worker shares.
#[derive(Clone)]
pub(crate) struct WorkerContext {
    pub(crate) tools: Arc<Tools>,
    pub(crate) news: UnboundedSender<News>,
    /// The database's file as it was at the start.
    file: Option<(u64, u64)>,
}

impl WorkerContext {
    pub(crate) fn new(tools: Tools, news: UnboundedSender<News>) -> Self {
        let file = file_id(&tools.database);
        Self { tools: Arc::new(tools), news, file }
    }

    /// Tells the screen; does nothing if the screen has ended.
    pub(crate) fn say(&self, news: News) {
        let _ = self.news.send(news);
    }

    /// Tells the screen what was read.
    pub(crate) fn tell(&self, read: Result<News, StoreError>) -> Result<(), Trouble> {
        self.say(read?);
        Ok(())
    }

    /// Computes news on a thread of its own, because it may take longer than the other work can wait.
    pub(crate) fn compute(&self, news: impl FnOnce() -> News + Send + 'static) {
        let context = self.clone();
        tokio::task::spawn_blocking(move || context.say(news()));
    }

    pub(crate) fn now(&self) -> String {
        format!("{:.3}", self.tools.desk.clock.now())
    }

    /// The message for a database that is not in its place any more: everything written from then on would be lost.
    pub(crate) fn missing(&self) -> Option<Trouble> {
        let before = self.file?;
        (file_id(&self.tools.database) != Some(before)).then(|| {
            Trouble::new(format!(
                "the database was deleted, moved or replaced; nothing is saved now. Put it back, or quit and `copydesk restore` a \
                 backup ({})",
                self.tools.database.display()
            ))
        })
    }

    /// The current run of a story, if there is one.
    pub(crate) async fn current(&self, story: &StoryKey) -> Result<Option<RunKey>, StoreError> {
        Ok(self.tools.desk.archive.current_run(&story.to_string()).await?.map(|(key, _)| key))
    }
}
