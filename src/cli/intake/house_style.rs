//! Which house style a draft is read with: folders named on the command line, those of the configuration, the desk's own.

use crate::cli::exit::on_screen;
use crate::cli::intake::{
    dictionary::{self, KnownWords},
    files,
};
use crate::cli::prelude::*;
use crate::editorial::{decisions, topic_file};
use crate::newsroom::{ArticleResponse, Journal, PinnedRule, Source};
use crate::style::{self, Style, StyleReview};
use crate::tui::{app::trouble::Trouble, worker::context::Speller};

/// Most rules of a folder.
const MOST: usize = 2_000;

/// The house style that the command line asks for.
#[derive(Debug, Clone, Args)]
pub(crate) struct StyleArgs {
    /// A folder of house-style rules in Vale's format, instead of the built-in style. May be given more than once.
    #[arg(long, value_name = "DIR", conflicts_with = "no_style")]
    style: Vec<PathBuf>,
    /// Skip house style, grammar, spelling and readability.
    #[arg(long)]
    no_style: bool,
}

/// A style that was read.
#[derive(Debug)]
pub(crate) struct ReadStyle {
    rules: Style,
    known: KnownWords,
}

impl ReadStyle {
    fn new(folders: &[PathBuf], known: KnownWords) -> Result<Self> {
        let rules = if folders.is_empty() { own()? } else { of(folders)? };
        Ok(Self { rules, known })
    }

    /// Checks `article`, whose sources these are. Blocks.
    pub(crate) fn review(&self, article: &ArticleResponse, sources: &[Source]) -> StyleReview {
        let (review, trouble) = self.quietly(article, sources);
        headless::messages(trouble);
        review
    }

    /// The same, and what could not be asked about spelling.
    fn quietly(&self, article: &ArticleResponse, sources: &[Source]) -> (StyleReview, Option<String>) {
        let (dictionary, trouble) = self.known.dictionary(article, sources);
        (StyleReview::new(article, &dictionary, &self.rules, self.known.spelling), trouble)
    }
}

/// The files of the rules whose notes become to-dos of a story. The desk's own are told without compiling them all.
pub(crate) fn demands(settings: &Settings) -> Result<Vec<PinnedRule>> {
    if settings.style.in_stories && settings.style.folders.is_empty() {
        return Ok(style::own_demands());
    }
    Ok(of_stories(settings)?.map(|style| style.rules.demands().to_vec()).unwrap_or_default())
}

/// The style that every story is read with; none if stories get no notes. A check says which files are left out.
pub(crate) fn of_stories(settings: &Settings) -> Result<Option<ReadStyle>> {
    settings.style.in_stories.then(|| ReadStyle::new(&settings.style.folders, KnownWords::of(settings)?)).transpose()
}

/// The newsroom's style with grammar and spelling, for who asks for each of them, whatever stories and checks are read with.
#[cfg(feature = "mcp")]
pub(crate) fn asked_for(settings: &Settings) -> Result<ReadStyle> {
    let mut known = KnownWords::of(settings)?;
    known.spelling = Some(settings.style.spelling);
    ReadStyle::new(&settings.style.folders, known)
}

/// The notes of house style on the draft that waits for its editor; none if stories get no notes.
pub(crate) async fn at_gate(settings: &Settings, journal: &Journal) -> Result<Option<String>> {
    let Some(wait) = decisions::waits(journal) else { return Ok(None) };
    let (settings, journal) = (settings.clone(), journal.clone());
    let review = move || {
        let Some(style) = of_stories(&settings)? else { return Ok(None) };
        let Some(draft) = journal.draft(wait.round()) else { return Ok(None) };
        let review = style.review(&draft.article, &journal.sources());
        Ok(headless::style_at_gate(&journal, &review))
    };
    tokio::task::spawn_blocking(review).await?
}

/// Checks house style and spelling for the screen, and adds to the dictionary.
pub(crate) struct DictionaryKeeper {
    settings: Settings,
}

impl DictionaryKeeper {
    pub(crate) fn new(settings: Settings) -> Self {
        Self { settings }
    }
}

impl Speller for DictionaryKeeper {
    fn notes(&self, article: &ArticleResponse, sources: &[Source]) -> Result<StyleReview, Trouble> {
        let Some(style) = of_stories(&self.settings).map_err(|error| on_screen(&error))? else {
            return Ok(StyleReview::default());
        };
        let (review, trouble) = style.quietly(article, sources);
        trouble.map_or(Ok(review), |trouble| Err(Trouble::new(trouble)))
    }

    fn learn(&self, word: &str) -> Result<bool, Trouble> {
        let added =
            dictionary::add_words(&self.settings.file, &[word.to_owned()]).map_err(|error| on_screen(&error))?;
        Ok(added > 0)
    }
}

impl StyleArgs {
    /// The configuration, if there is one; none is needed. One that cannot be read is passed over, aloud if its style is wanted, unless it was
    /// named.
    pub(crate) fn configured(&self, config: Option<&Path>) -> Result<Option<Settings>> {
        let settings::FoundConfig::File(file) = settings::find(config)? else { return Ok(None) };
        match settings::read(&file) {
            Ok(settings) => Ok(Some(settings)),
            Err(error) if config.is_some() => Err(error),
            Err(_) if self.no_style => Ok(None),
            Err(error) => {
                let error = error.to_string();
                let first = error.lines().next().unwrap_or_default().trim_end_matches(':');
                headless::message(&format!("Using the built-in house style, because {}: {first}", file.display()));
                Ok(None)
            }
        }
    }

    /// Reads the style that was asked for; none if none is wanted.
    pub(crate) fn read(&self, configured: Option<&Settings>) -> Result<Option<ReadStyle>> {
        if self.no_style {
            return Ok(None);
        }
        let known = configured.map(KnownWords::of).transpose()?.unwrap_or_default();
        let folders = configured.map(|settings| settings.style.folders.clone()).unwrap_or_default();
        let folders = if self.style.is_empty() { folders } else { self.style.clone() };
        let style = ReadStyle::new(&folders, known)?;
        headless::messages(style.rules.left_out().iter().map(ToString::to_string));
        Ok(Some(style))
    }
}

fn own() -> Result<Style> {
    Ok(Style::of_the_house().map_err(|problems| wrong_style("the desk's own style", &problems))?)
}

/// The style of all folders together. A file that is no rule is left out; if no rule remains, there is no style.
fn of(folders: &[PathBuf]) -> Result<Style> {
    let (mut files, mut names) = (Vec::new(), Vec::new());
    for folder in folders {
        let shown = sanitise::one_line(&folder.display().to_string());
        files.extend(rules_of(folder, &shown)?);
        names.push(shown);
    }
    Ok(Style::read(&files).map_err(|problems| wrong_style(&format!("the style {}", names.join(", ")), &problems))?)
}

fn wrong_style(style: &str, problems: &[crate::style::StyleProblem]) -> WrongUse {
    let lines: Vec<String> = problems.iter().map(|problem| format!("\n  {problem}")).collect();
    WrongUse(format!("{style} has {}:{}", crate::text::count(problems.len(), "problem"), lines.concat()))
}

/// The rules of a style's folder, or of each style in a folder of styles, each as `Style/Rule.yml`.
fn rules_of(folder: &Path, shown: &str) -> Result<Vec<(String, String)>> {
    let mut found = listed(folder, shown)?;
    if found.rules.is_empty() {
        for inner in std::mem::take(&mut found.folders) {
            found.rules.extend(listed(&inner, shown)?.rules);
        }
    }
    if found.rules.is_empty() {
        return Err(wrong_use(format!("the style {shown} holds no rule (.yml)")));
    }
    if found.rules.len() > MOST {
        return Err(wrong_use(format!("the style {shown} holds more than {MOST} rules")));
    }
    let mut read = Vec::new();
    for file in found.rules {
        let text = match text(&file) {
            Ok(text) => text,
            Err(error) => {
                let file = sanitise::one_line(&file.display().to_string());
                headless::message(&format!("{file}: the rule is left out: {error}"));
                continue;
            }
        };
        let name = |path: Option<&Path>| {
            path.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
        };
        let style = name(file.parent().map(Path::canonicalize).and_then(Result::ok).as_deref());
        read.push((format!("{style}/{}", name(Some(&file))), text));
    }
    if read.is_empty() {
        return Err(wrong_use(format!("the style {shown} holds no rule that can be read")));
    }
    Ok(read)
}

fn text(path: &Path) -> Result<String> {
    // Opening a pipe would wait until another program writes to it.
    anyhow::ensure!(path.is_file(), "it is no file");
    Ok(topic_file::text(&files::read_bounded(path)??)?)
}

struct Listed {
    rules: Vec<PathBuf>,
    folders: Vec<PathBuf>,
}

fn listed(folder: &Path, shown: &str) -> Result<Listed> {
    let entries =
        std::fs::read_dir(folder).map_err(|error| WrongUse(format!("the style {shown} cannot be read: {error}")))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let (folders, files): (Vec<PathBuf>, Vec<PathBuf>) = paths.into_iter().partition(|path| path.is_dir());
    let rules = files.into_iter().filter(|path| files::is(path, &["yml", "yaml"])).collect();
    Ok(Listed { rules, folders })
}
