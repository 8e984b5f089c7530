//! `copydesk check`: a person's own draft, held against its sources. It asks no model, and no server but for
//! the transcript of a recording. It writes the report that was asked for and such a transcript.

mod again;
pub(super) mod checked;
pub(super) mod page;
pub(super) mod word_copy;

use std::io::{self, IsTerminal as _, Read as _};

use tempfile::NamedTempFile;

use crate::cli::commands::screen;
use crate::cli::intake::{
    belonging::{self, DraftFacts},
    drafts, house_style, own_draft,
    words::gravity,
};
use crate::cli::prelude::*;
use crate::cli::work::results;
use crate::headless::{CheckFormat, RowsShown};
use crate::proof::Gravity;
use crate::style::StyleReview;
use checked::Checked;

#[derive(Debug, Clone, Args)]
#[expect(clippy::struct_excessive_bools, reason = "one switch of the command line each")]
pub(crate) struct CheckArgs {
    /// The draft: Markdown, plain text, Word (.docx), a web page, or an article in JSON. `-` reads it from standard input.
    draft: PathBuf,
    /// A source to check the draft against: text, transcripts (.vtt, .srt), PDF, Word, books (.epub), web pages, tables
    /// (.csv), or a folder of them. A recording (.mp3, .m4a, .wav, .mp4) needs a transcription server in the
    /// configuration. May be given more than once. Without it, the draft's front matter names its sources
    /// (`sources: [notes.txt]`), or a folder NAME.sources beside it has them, or a file .copydesk.yaml above it names them.
    #[arg(long, value_name = "FILE|DIR")]
    source: Vec<PathBuf>,
    /// Pass over a draft without sources. Hooks that see every file need this.
    #[arg(long, conflicts_with = "source")]
    if_sources: bool,
    /// List every statement that was checked, not only the findings.
    #[arg(long, conflicts_with_all = ["json", "open"])]
    all: bool,
    /// Print each finding's rule and its measured precision.
    #[arg(short, long, conflicts_with_all = ["json", "open"])]
    verbose: bool,
    /// Print the result as one JSON object.
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// The form of the result. `vale-json` is as Vale prints it for editors, and docx needs --out.
    #[arg(long, value_name = "FORM", value_enum, conflicts_with_all = ["all", "verbose", "open"])]
    format: Option<CheckFormat>,
    /// The file to write the result to [default: standard output].
    #[arg(long, value_name = "FILE", conflicts_with = "open")]
    out: Option<PathBuf>,
    /// Write the result as a web page, with the draft beside its sources.
    #[arg(long, value_name = "REPORT")]
    html: Option<PathBuf>,
    /// Write the findings as comments into a copy of the draft, which must be a Word document.
    #[arg(long, value_name = "COPY", conflicts_with = "out")]
    docx: Option<PathBuf>,
    /// Check again whenever the draft or a source is saved, until Ctrl-C.
    #[arg(long)]
    watch: bool,
    /// The least grave findings to report. "note" includes rules that are often wrong.
    #[arg(long, value_name = "LEVEL", value_parser = gravity(), default_value = "concern", conflicts_with = "open")]
    level: Gravity,
    /// Open the draft as a story on the screen, on its Proof page.
    #[arg(long, conflicts_with_all = ["json", "html", "docx", "watch"])]
    open: bool,
    #[command(flatten)]
    style: house_style::StyleArgs,
}

impl CheckArgs {
    /// The form of the result.
    fn form(&self) -> CheckFormat {
        self.format.unwrap_or(if self.json { CheckFormat::Json } else { CheckFormat::Text })
    }
}

pub(crate) async fn check(config: Option<&Path>, mut arguments: CheckArgs) -> Result<Exit> {
    let piped = if arguments.draft == Path::new("-") { Some(standard_input(&arguments)?) } else { None };
    let name = std::mem::replace(&mut arguments.draft, PathBuf::new());
    arguments.draft = piped.as_ref().map_or(name, |file| file.path().to_owned());
    // A draft that is read from standard input has no place but the current folder.
    let place = if piped.is_some() { PathBuf::from(PIPED) } else { arguments.draft.clone() };
    let belongs = arguments.source.is_empty();
    if belongs {
        let facts = DraftFacts::in_file(&arguments.draft)?;
        if arguments.if_sources && belonging::sources_if_any(&place, &facts)?.is_none() {
            return Ok(Exit::Fine);
        }
        // A draft that cannot be read is told first.
        can_be_read(&arguments.draft, piped.is_some())?;
        arguments.source = belonging::sources_of(&place, &facts)?;
    } else if piped.is_some() {
        can_be_read(&arguments.draft, true)?;
    }
    if arguments.open {
        return Box::pin(open(config, arguments.draft, arguments.source)).await;
    }
    if arguments.docx.is_some() {
        word_copy::needs_word("--docx", &arguments.draft)?;
    }
    if arguments.form() == CheckFormat::Docx {
        word_copy::needs_word("--format docx", &arguments.draft)?;
        if arguments.out.is_none() {
            return Err(wrong_use("a Word document is no text for the terminal. Name a file with --out"));
        }
    }
    for (option, report) in [("--html", &arguments.html), ("--docx", &arguments.docx), ("--out", &arguments.out)] {
        if let Some(report) = report {
            page::can_be_written(option, report, &arguments.draft, &arguments.source)?;
        }
    }
    let settings = arguments.style.configured(config)?;
    let mut check = DraftCheck { settings, arguments, belongs, is_piped: piped.is_some() };
    if !check.arguments.watch {
        let checked = check.once().await?;
        return Ok(if checked.ledger.findings().next().is_none() { Exit::Fine } else { Exit::Failed });
    }
    tokio::select! {
        ended = check.again_and_again() => ended,
        _ = tokio::signal::ctrl_c() => Ok(Exit::Interrupted),
    }
}

/// The name of a draft that was read from standard input.
const PIPED: &str = "stdin.md";

/// Most bytes of a draft from standard input.
const LONGEST: u64 = 16 << 20;

/// The draft from standard input, as a file: it is read as every other one is.
fn standard_input(arguments: &CheckArgs) -> Result<NamedTempFile> {
    if arguments.watch || arguments.open || arguments.docx.is_some() || arguments.form() == CheckFormat::Docx {
        return Err(wrong_use("--watch, --open and a Word copy need a file, and `-` is standard input"));
    }
    let mut file = tempfile::Builder::new().suffix(".md").tempfile()?;
    let bytes = io::copy(&mut io::stdin().lock().take(LONGEST + 1), &mut file)?;
    if bytes > LONGEST {
        return Err(wrong_use(format!("the draft has more than {LONGEST} bytes")));
    }
    Ok(file)
}

/// Refuses a draft that cannot be read. One from standard input is called that, and not by the file that it was put into.
fn can_be_read(draft: &Path, is_piped: bool) -> Result<()> {
    let read = drafts::read_own_draft(draft).map(drop);
    let file = draft.display().to_string();
    let called = |error: anyhow::Error| wrong_use(format!("{error:#}").replace(&file, "from standard input"));
    if is_piped { read.map_err(called) } else { read }
}

/// Opens the screen on the draft's Proof page. Notes on how its documents were read are among its messages.
///
/// # Errors
/// If there is no terminal (the message says what to type instead), or if the draft or a source is wrong.
async fn open(config: Option<&Path>, draft: PathBuf, sources: Vec<PathBuf>) -> Result<Exit> {
    if !screen::is_possible() {
        return Err(wrong_use(
            "--open shows the draft on the screen, and there is no terminal for one here. Without --open the result is printed; --json \
             prints it as one JSON object, --html writes it as a page.",
        ));
    }
    let settings = settings::load(config)?;
    let known = settings.clone();
    let read = move || own_draft::taken(&known, &draft, &sources);
    let taken = tokio::task::spawn_blocking(read).await??;
    Box::pin(screen::open(settings, screen::First::Prove(taken))).await
}

/// A check of a draft: its arguments and the settings.
struct DraftCheck {
    arguments: CheckArgs,
    /// Whether the sources were found by the draft.
    belongs: bool,
    /// Whether the draft came from standard input.
    is_piped: bool,
    /// The configuration, if there is one.
    settings: Option<Settings>,
}

impl DraftCheck {
    async fn once(&self) -> Result<Checked> {
        let Self { arguments, settings, is_piped, .. } = self;
        let (wanted, style) = (arguments.clone(), arguments.style.read(settings.as_ref())?);
        let known = settings.clone();
        let bar = headless::Bar::of_time("checking the draft");
        let mut checked = tokio::task::spawn_blocking(move || {
            checked::checked(&wanted.draft, &wanted.source, wanted.level, style.as_ref(), known.as_ref())
        })
        .await??;
        drop(bar);
        headless::messages(&checked.notes);
        if let Some(report) = &arguments.html {
            page::write(report, &page::page(&checked))?;
        }
        let form = arguments.form();
        let copy = if form == CheckFormat::Docx { &arguments.out } else { &arguments.docx };
        if let Some(copy) = copy.clone() {
            let draft = arguments.draft.clone();
            let written;
            (checked, written) = tokio::task::spawn_blocking(move || {
                let written = word_copy::write(&copy, &draft, &checked);
                (checked, written)
            })
            .await?;
            headless::messages(written?);
        }
        let (ledger, unasked) = (&checked.ledger, StyleReview::default());
        let style = checked.review.as_ref().unwrap_or(&unasked);
        let places = checked.places();
        let text = match form {
            CheckFormat::Json => headless::ledger_json(ledger, style, &checked.unsure)?,
            CheckFormat::Text => self.lines(&checked),
            CheckFormat::Html => page::page(&checked),
            CheckFormat::Docx => String::new(),
            CheckFormat::Sarif | CheckFormat::ValeJson | CheckFormat::Github => {
                let name = if *is_piped { Path::new(PIPED) } else { &arguments.draft };
                form.printed(&name.display().to_string(), &checked.text, &places, ledger, &style.notes)?
            }
        };
        match &arguments.out {
            // The copy is written.
            _ if form == CheckFormat::Docx => {}
            Some(out) => page::write(out, &format!("{}\n", sanitise::clean_but_colours(&text)))?,
            None => headless::data(&text)?,
        }
        Ok(checked)
    }

    /// The result as lines for a person.
    fn lines(&self, checked: &Checked) -> String {
        let Self { arguments, .. } = self;
        let is_shown = arguments.out.is_none() && std::io::stdout().is_terminal();
        let (paint, width) = (results::paint(is_shown), headless::terminal_width().filter(|_| is_shown));
        let places = checked.places();
        let rows = if arguments.all { RowsShown::All } else { RowsShown::Findings };
        let (ledger, review) = (&checked.ledger, checked.review.as_ref());
        headless::ledger_lines(ledger, review, &places, rows, arguments.verbose, paint, width)
    }
}
