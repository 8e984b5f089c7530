//! `copydesk export`: a story's article as it stands, as a file of its own.

use anyhow::anyhow;
use clap::ValueEnum;

use crate::cli::handed_over;
use crate::cli::intake::words::one_of;
use crate::cli::prelude::*;
use crate::cli::work::{papers, signing};
use crate::editorial::{
    artifacts, control_record, decisions, distribution,
    export::{self, Edition, ExportFormat},
};
use crate::newsroom::{CitationStyle, ListedRun, local_minute};
use crate::ports::{Archive as _, Records as _};

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// channel/slug, a slug, or a run id.
    story: String,
    /// The format.
    #[arg(long, value_enum)]
    format: Format,
    /// The file to write [default: standard output].
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace the file if it exists.
    #[arg(long, requires = "out")]
    force: bool,
    /// How the article names its sources to readers. Notes are real ones in a Word document; inline is a number in the text and a list
    /// at its end [default: the story's own setting, publisher.citations].
    #[arg(long, value_parser = one_of([CitationStyle::None, CitationStyle::Notes, CitationStyle::Inline], CitationStyle::name))]
    citations: Option<CitationStyle>,
    /// Write it although the story is under embargo. The file says so.
    #[arg(long)]
    despite_embargo: bool,
}

/// What an article can be written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Markdown; `run --draft` reads it back.
    Markdown,
    /// A web page in one file.
    Html,
    /// The article's four fields; `run --draft` reads it back.
    Json,
    /// IPTC's JSON for news, version 3.1, for other systems of a newsroom.
    Ninjs,
    /// A Word document.
    Docx,
    /// A Word document for a colleague: the first draft with every change tracked, and each open concern as a comment.
    DocxReview,
    /// The run as one web page to read: timeline, rounds, proof, claims, sources, work, models.
    Report,
    /// The editorial control record as JSON: who examined, decided and signed what.
    Record,
    /// The editorial control record as a web page.
    RecordPage,
}

impl Format {
    /// The article's format; none for a paper about the story.
    fn article(self) -> Option<ExportFormat> {
        Some(match self {
            Self::Markdown => ExportFormat::Markdown,
            Self::Html => ExportFormat::Html,
            Self::Json => ExportFormat::Json,
            Self::Ninjs => ExportFormat::Ninjs,
            Self::Docx => ExportFormat::Docx,
            Self::DocxReview => ExportFormat::DocxReview,
            Self::Report | Self::Record | Self::RecordPage => return None,
        })
    }
}

pub(crate) async fn export(config: Option<&Path>, arguments: ExportArgs) -> Result<Exit> {
    let format = arguments.format.article();
    if arguments.out.is_none() && format.is_some_and(|format| !format.is_text()) {
        return Err(wrong_use("a Word document is no text for the terminal. Name a file with --out"));
    }
    let (settings, store) = wiring::open_to_look(config)?;
    let (key, listed) = story::run(&store, &arguments.story).await?;
    let journal = store.load(key).await?.journal;
    let embargo = listed.embargo.as_deref().filter(|until| distribution::is_embargoed(until, SystemClock.now()));
    if let Some(until) = embargo.filter(|_| !arguments.despite_embargo) {
        let until = local_minute(until);
        return Err(wrong_use(format!(
            "{} is under embargo until {until}. --despite-embargo writes a file that says so",
            listed.story
        )));
    }
    let Some(format) = format else {
        let bar = headless::Bar::of_time("writing");
        let bytes = paper(&settings, &store, (key, &listed), arguments.format, embargo).await?;
        drop(bar);
        if arguments.format == Format::Record
            && let Some(signing_key) = &settings.publisher.signing_key
        {
            return hand_over_signed(&listed, &bytes, &arguments, signing_key);
        }
        return hand_over(&listed, &bytes, &arguments);
    };
    let edition = Edition { number: listed.version, embargo, citations: arguments.citations };
    let written = match &listed.withdrawn {
        None => export::written(&journal, format, edition)?,
        Some(withdrawal) => {
            headless::message(&format!(
                "{} was withdrawn on {} by {}. This is its notice. `copydesk show --draft` has the text.",
                listed.story,
                local_minute(&withdrawal.at),
                withdrawal.by
            ));
            export::written_notice(&journal, withdrawal, format, edition)?
        }
    };
    let bytes = written.ok_or_else(|| {
        anyhow!("{} has no draft yet. `copydesk log {}` shows its progress", listed.story, listed.story)
    })?;
    if listed.signed_by.is_none() && listed.current {
        let runs = store.runs_of(&listed.story).await?;
        if let Some((_, signed)) = runs.iter().find(|(_, run)| run.signed_by.is_some()) {
            headless::message(&format!(
                "This is the current run, which nobody has signed. The one that was signed off: copydesk export {} ...",
                signed.run
            ));
        }
    }
    if journal.publication().is_none() {
        let round = journal.latest_draft();
        headless::message(&match decisions::waits(&journal).filter(|_| listed.current) {
            Some(wait) => format!("This is the draft of round {round}. It waits for {}.", wait.in_words()),
            None => format!("This is the draft of round {round} of a run that has not ended."),
        });
    }
    hand_over(&listed, &bytes, &arguments)
}

/// A paper about the story: for the newsroom, and for whoever asks how the article came about.
async fn paper(
    settings: &Settings,
    store: &Store,
    run: (RunKey, &ListedRun),
    format: Format,
    embargo: Option<&str>,
) -> Result<Vec<u8>> {
    if format == Format::Report {
        return Ok(papers::report(settings, store, run, embargo).await?.into_bytes());
    }
    let record = papers::control_record(settings, store, run.1).await?;
    Ok(match format {
        Format::RecordPage => control_record::to_html(&record).into_bytes(),
        _ => artifacts::json(&record)?,
    })
}

/// Writes a record, and beside it the signature of the configured key.
fn hand_over_signed(listed: &ListedRun, bytes: &[u8], arguments: &ExportArgs, key: &Path) -> Result<Exit> {
    let Some(path) = &arguments.out else {
        headless::message("The record is not signed: a signature stands beside a file. Name one with --out");
        return hand_over(listed, bytes, arguments);
    };
    let signature = artifacts::json(&signing::sign(key, bytes)?)?;
    let beside = signing::beside(path);
    if beside.exists() && !arguments.force {
        return Err(wrong_use(format!("{} exists. --force replaces it", beside.display())));
    }
    let done = hand_over(listed, bytes, arguments)?;
    write(&beside, &signature, true)?;
    headless::message(&format!("Its signature is in {}", beside.display()));
    Ok(done)
}

fn hand_over(listed: &ListedRun, bytes: &[u8], arguments: &ExportArgs) -> Result<Exit> {
    match &arguments.out {
        None => headless::data(String::from_utf8_lossy(bytes).trim_end())?,
        Some(path) => {
            write(path, bytes, arguments.force)?;
            headless::message(&format!("{} is in {}", listed.story, path.display()));
        }
    }
    Ok(Exit::Fine)
}

/// Writes the file whole or not at all. Replaces another file only if the caller asks for it.
pub(crate) fn write(path: &Path, bytes: &[u8], force: bool) -> Result<()> {
    let folder = handed_over::folder_of(path);
    if path.is_dir() {
        return Err(wrong_use(format!("{} is a folder. Name a file with --out", path.display())));
    }
    if !folder.is_dir() {
        return Err(wrong_use(format!("there is no folder {} for {}", folder.display(), path.display())));
    }
    match handed_over::write(path, bytes, force) {
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            Err(wrong_use(format!("{} exists. --force replaces it", path.display())))
        }
        done => done.with_context(|| format!("{} cannot be written", path.display())),
    }
}
