//! `copydesk check`: a person's own draft, held against its sources. No model, no network; nothing is written but the report that
//! was asked for.

use std::{
    io::IsTerminal as _,
    path::{Path, PathBuf},
};

use anyhow::Result;
use clap::Args;

use super::{
    Exit,
    clock::SystemClock,
    house_style,
    intake::{self, OwnDraft},
    languages,
    level::Level,
    own_draft, page, results, sources, watch,
};
use crate::{
    headless::{self, Places, Rows},
    newsroom::{ArticleResponse, Ledger, Source},
    ports::Clock as _,
    proof,
    style::StyleReview,
};

/// Arguments of `check`.
#[derive(Debug, Clone, Args)]
#[expect(clippy::struct_excessive_bools, reason = "one switch of the command line each")]
pub(super) struct Arguments {
    /// The draft: Markdown, plain text, Word (.docx), a web page, or an article in JSON.
    draft: PathBuf,
    /// What it is held against: text, transcripts (.vtt, .srt), PDF, Word, books (.epub), web pages, tables (.csv), or a folder of
    /// them. As often as needed.
    #[arg(long, value_name = "FILE|DIR", required = true)]
    source: Vec<PathBuf>,
    /// Print every span, those that stand in order too.
    #[arg(long, conflicts_with_all = ["json", "open"])]
    all: bool,
    /// Print the ledger as one JSON object.
    #[arg(long)]
    json: bool,
    /// Write the ledger as one web page, the draft beside its sources.
    #[arg(long, value_name = "REPORT")]
    html: Option<PathBuf>,
    /// Check again whenever the draft or a source is saved, until Ctrl-C.
    #[arg(long)]
    watch: bool,
    /// The least grave rules that are asked: note asks those too that are often wrong.
    #[arg(long, value_enum, default_value = "concern", conflicts_with = "open")]
    level: Level,
    /// Open the draft as a story on the screen, on its proof sheet.
    #[arg(long, conflicts_with_all = ["json", "html", "watch"])]
    open: bool,
    #[command(flatten)]
    style: house_style::Wanted,
}

/// A draft that has been checked.
pub(super) struct Checked {
    pub(super) article: ArticleResponse,
    /// The draft's text as it was read.
    pub(super) text: String,
    pub(super) sources: Vec<Source>,
    pub(super) ledger: Ledger,
    /// House style; none where it was not asked for.
    pub(super) review: Option<StyleReview>,
    /// What a reader should know about how the documents were read.
    pub(super) notes: Vec<String>,
}

pub(super) async fn check(config: Option<&Path>, arguments: Arguments) -> Result<Exit> {
    if arguments.open {
        return own_draft::open(config, arguments.draft, arguments.source).await;
    }
    if let Some(report) = &arguments.html {
        page::can_be_written(report, &arguments.draft, &arguments.source)?;
    }
    if !arguments.watch {
        return once(config, &arguments).await;
    }
    tokio::select! {
        ended = again_and_again(config, &arguments) => ended,
        _ = tokio::signal::ctrl_c() => Ok(Exit::Interrupted),
    }
}

async fn once(config: Option<&Path>, arguments: &Arguments) -> Result<Exit> {
    let (wanted, style) = (arguments.clone(), arguments.style.read(config)?);
    let checked = tokio::task::spawn_blocking(move || checked(&wanted, style.as_ref())).await??;
    for note in &checked.notes {
        headless::message(note);
    }
    if let Some(report) = &arguments.html {
        page::write(report, &checked)?;
    }
    let ledger = &checked.ledger;
    let paint = results::paint(std::io::stdout().is_terminal());
    let text = if arguments.json {
        headless::ledger_json(ledger, &checked.review.unwrap_or_default())?
    } else {
        let places = Places::new(&checked.text, &checked.article, &checked.sources);
        let rows = if arguments.all { Rows::All } else { Rows::Findings };
        headless::ledger_lines(ledger, checked.review.as_ref(), &places, rows, paint)
    };
    headless::data(&text)?;
    Ok(if ledger.findings().next().is_none() { Exit::Fine } else { Exit::Failed })
}

fn checked(arguments: &Arguments, style: Option<&house_style::HouseStyle>) -> Result<Checked> {
    let OwnDraft { article, text, mut notes } = intake::read_own_draft(&arguments.draft)?;
    let read = sources::read(&arguments.source, Some(&arguments.draft))?;
    let ledger = proof::ledger(&article, &read.sources, arguments.level.into());
    let review = style.map(|style| {
        let dictionary = style.dictionary(&article, &read.sources);
        StyleReview::new(&article, &dictionary, &style.rules, style.spelling)
    });
    notes.extend(read.notes);
    notes.extend(languages::notes(&article, &read.sources));
    Ok(Checked { article, text, sources: read.sources, ledger, review, notes })
}

/// Ends only where nobody can read it any more.
async fn again_and_again(config: Option<&Path>, arguments: &Arguments) -> Result<Exit> {
    let paths: Vec<PathBuf> = std::iter::once(&arguments.draft).chain(&arguments.source).cloned().collect();
    let mut seen = watch::look(paths.iter().map(PathBuf::as_path));
    let mut between: Option<String> = None;
    loop {
        if std::io::stdout().is_terminal() {
            headless::wipe()?;
        }
        if let Some(rule) = between.take() {
            headless::message(&rule);
        }
        match once(config, arguments).await {
            Ok(_) => {}
            Err(error) if error.is::<std::io::Error>() => return Err(error),
            // A draft that is being saved may be missing or half there.
            Err(error) => headless::message(&format!("{error:#}")),
        }
        headless::message("Watching; Ctrl-C ends.");
        seen = watch::changed(&paths, &seen).await;
        between = Some(rule());
    }
}

/// What stands between two checks: with the time, so that it is seen that there was another.
fn rule() -> String {
    let time = SystemClock.now().strftime("%H:%M:%S UTC");
    format!("──── checked again at {time} {}", "─".repeat(36))
}
