//! The words that the spelling check accepts beside those of a story's sources: the newsroom's own, in `dictionary.txt` beside the
//! configuration, and those of its knowledge base.

use crate::cli::intake::files;
use crate::cli::prelude::*;
use crate::config::DatabasePlace;
use crate::editorial::topic_file;
use crate::newsroom::{ArticleResponse, Source};
use crate::ports::{Area, Filter, Index as _, PassageRequest, StoreError};
use crate::style::{Dictionary, listed_words, unknown_words, with_word};
use crate::text::spelling::HouseSpelling;

/// The newsroom's spelling and the words that it knows.
#[derive(Debug)]
pub(crate) struct KnownWords {
    /// The spelling that is wanted; none if neither grammar nor spelling is checked.
    pub(crate) spelling: Option<HouseSpelling>,
    /// The words of the newsroom's own dictionary, as it stood first.
    words: Vec<String>,
    /// The configuration, beside which the dictionary is.
    config: Option<PathBuf>,
    /// The newsroom's database, which knows the words of its knowledge base.
    database: Option<DatabasePlace>,
}

impl Default for KnownWords {
    /// The dictionary without a configuration.
    fn default() -> Self {
        Self { spelling: Some(HouseSpelling::Either), words: Vec::new(), config: None, database: None }
    }
}

impl KnownWords {
    /// Reads the dictionary.
    pub(crate) fn of(settings: &Settings) -> Result<Self> {
        Ok(Self {
            spelling: settings.style.grammar.then_some(settings.style.spelling),
            words: words(&settings.file)?,
            config: Some(settings.file.clone()),
            database: Some(settings.database.clone()),
        })
    }

    /// The words that are right as they are in `article`: those of its sources and of the newsroom's dictionary. The knowledge base is asked
    /// only about words that these do not know. Also says why the knowledge base was not asked, if it was not. Blocks.
    pub(crate) fn dictionary(&self, article: &ArticleResponse, sources: &[Source]) -> (Dictionary, Option<String>) {
        let mut dictionary = Dictionary::new(article, sources);
        let mut trouble = None;
        if self.spelling.is_some() {
            // An editor or the screen may have added words since.
            let now = self.config.as_deref().and_then(|config| words(config).ok());
            dictionary.learn(now.as_ref().unwrap_or(&self.words).iter().map(String::as_str));
            match self.known_to_the_knowledge_base(unknown_words(article, &dictionary)) {
                Ok(known) => dictionary.learn(known.iter().map(String::as_str)),
                Err(error) => trouble = Some(format!("The knowledge base was not asked about spelling: {error}")),
            }
        }
        (dictionary, trouble)
    }

    /// Those of `words` that are in the knowledge base.
    fn known_to_the_knowledge_base(&self, words: Vec<String>) -> Result<Vec<String>, StoreError> {
        let Some(database) = self.database.as_ref().filter(|place| !words.is_empty() && wiring::is_there(place)) else {
            return Ok(Vec::new());
        };
        let store = wiring::store_at(database)?;
        let request = |word: &String| PassageRequest {
            area: Area::Knowledge,
            filter: Filter::default(),
            words: vec![word.clone()],
            vector: None,
            most: 1,
        };
        let asked = words.iter().map(request).collect();
        let found = tokio::runtime::Handle::current().block_on(store.candidates(asked))?;
        let known = words.into_iter().zip(found).filter(|(_, candidates)| !candidates.text.is_empty());
        Ok(known.map(|(word, _)| word).collect())
    }
}

/// The words of the dictionary beside the configuration `config`; none if there is no such file.
fn words(config: &Path) -> Result<Vec<String>> {
    Ok(listed_words(&text(&file(config))?).map(str::to_owned).collect())
}

/// Adds `words` to the dictionary beside the configuration `config` and returns how many were not there yet. If one is not a word,
/// none is added. Programs that add words at the same time wait for each other. Blocks.
pub(crate) fn add_words(config: &Path, words: &[String]) -> Result<usize> {
    // The dictionary's own file is replaced, so it cannot be locked.
    let alone = std::fs::File::open(config)?;
    alone.lock()?;
    let file = file(config);
    let mut text = text(&file)?;
    let mut added = 0;
    for word in words {
        if let Some(longer) = with_word(&text, word).map_err(|error| WrongUse(error.to_string()))? {
            text = longer;
            added += 1;
        }
    }
    if added > 0 {
        // A link stays a link: what it points to is replaced.
        crate::cli::wiring::files::write_new(&file.canonicalize().unwrap_or(file), &text)?;
    }
    Ok(added)
}

/// The dictionary's file, beside a configuration.
pub(crate) fn file(config: &Path) -> PathBuf {
    config.with_file_name("dictionary.txt")
}

fn text(file: &Path) -> Result<String> {
    if !file.exists() {
        return Ok(String::new());
    }
    let read = files::read_bounded(file)?.and_then(|bytes| topic_file::text(&bytes));
    Ok(read.map_err(|error| WrongUse(format!("{} cannot be read: {error}", file.display())))?)
}
