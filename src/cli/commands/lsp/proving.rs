//! Proves an open draft on a thread of its own, as it is typed, and tells the editor.

use std::{
    collections::BTreeSet,
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
    sync::{
        Mutex, PoisonError,
        mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    },
    thread,
    time::{Duration, Instant},
};

use anyhow::{anyhow, ensure};
use async_lsp::{
    ClientSocket,
    lsp_types::{Diagnostic, DiagnosticSeverity, PublishDiagnosticsParams, Url, notification::PublishDiagnostics},
};
use tokio::runtime::Handle;

use super::shown::{DraftSources, ProvedDraft, ShownProof, plain_diagnostic};
use crate::cli::intake::{
    belonging::{self, DraftFacts},
    dictionary,
    house_style::ReadStyle,
    sources,
    watch::{self, FilesSeen},
};
use crate::cli::prelude::*;
use crate::editorial::drafts;
use crate::newsroom::ArticleResponse;
use crate::proof::{ChangedStretch, ReadSources, TypedProof};
use crate::style::StyleNote;

/// Bytes of a draft that is proved: some four hundred thousand words.
const LONGEST: usize = 2 << 20;
/// Text that is typed within this time is proved before the sentences that did not change, and before house style is asked.
const PAUSE: Duration = Duration::from_millis(150);
/// Of a long draft the findings so far are shown as often as this, the first ones as soon as there are any.
const SHOW: Duration = Duration::from_millis(400);
/// How often the sources' files are looked at while nothing is typed.
const LOOK: Duration = Duration::from_secs(1);
/// Bytes of the draft that are proved before the thread looks for a newer text.
const PIECE: usize = 1_500;

/// The editor, and what its drafts are proved with.
pub(super) struct EditorLink {
    pub(super) client: ClientSocket,
    pub(super) settings: Option<Settings>,
    pub(super) style: Option<ReadStyle>,
}

/// A text that is to be proved.
struct Typed {
    version: i32,
    text: String,
}

/// The thread of an open draft. It ends when this is dropped.
pub(super) struct Prover {
    uri: Url,
    editor: Arc<EditorLink>,
    typed: Sender<Typed>,
    shown: Arc<Mutex<Shown>>,
}

/// The last that the editor was told.
#[derive(Default)]
struct Shown {
    proof: Option<Arc<ShownProof>>,
    /// The version of the text, and what was said of it.
    said: Option<(i32, Vec<Diagnostic>)>,
    /// The draft was closed: nothing is said about it any more.
    is_closed: bool,
}

impl Prover {
    /// # Errors
    /// If the system gives no thread.
    pub(super) fn start(editor: &Arc<EditorLink>, uri: &Url, path: PathBuf) -> std::io::Result<Self> {
        let (typed, queue) = channel();
        let shown = Arc::new(Mutex::new(Shown::default()));
        let work = Work { uri: uri.clone(), path, editor: Arc::clone(editor), queue, shown: Arc::clone(&shown) };
        // Spelling asks the knowledge base in the runtime.
        let runtime = Handle::current();
        thread::Builder::new().name("proof of a draft".into()).spawn(move || {
            let _inside = runtime.enter();
            work.until_closed();
        })?;
        Ok(Self { uri: uri.clone(), editor: Arc::clone(editor), typed, shown })
    }

    pub(super) fn typed(&self, version: i32, text: &str) {
        // The thread takes every text until this end of the channel is dropped.
        let _sent = self.typed.send(Typed { version, text: text.replace("\r\n", "\n").replace('\r', "\n") });
    }

    pub(super) fn shown(&self) -> Option<Arc<ShownProof>> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner).proof.clone()
    }
}

impl Drop for Prover {
    fn drop(&mut self) {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        shown.is_closed = true;
        publish(&self.editor.client, &self.uri, None, Vec::new());
    }
}

fn publish(client: &ClientSocket, uri: &Url, version: Option<i32>, diagnostics: Vec<Diagnostic>) {
    // An editor that has gone needs nothing.
    let _told =
        client.notify::<PublishDiagnostics>(PublishDiagnosticsParams { uri: uri.clone(), diagnostics, version });
}

/// What is told at the beginning of the draft, as no finding.
fn remark(text: String) -> Diagnostic {
    Diagnostic { severity: Some(DiagnosticSeverity::INFORMATION), ..plain_diagnostic("copydesk", text) }
}

/// The work of the thread.
struct Work {
    uri: Url,
    path: PathBuf,
    editor: Arc<EditorLink>,
    queue: Receiver<Typed>,
    shown: Arc<Mutex<Shown>>,
}

/// Puts the notes on house style of the text before at their places in the text now. Those on words that were changed go.
fn move_notes(notes: &mut Vec<StyleNote>, before: &ArticleResponse, now: &ArticleResponse) {
    for ((field, old), (_, new)) in before.fields().into_iter().zip(now.fields()) {
        let Some(change) = ChangedStretch::between(old, new) else { continue };
        notes.retain_mut(|note| {
            let moved =
                if note.field == field { change.moved(note.start, note.end) } else { Some((note.start, note.end)) };
            moved.map(|place| (note.start, note.end) = place).is_some()
        });
    }
}

/// The words that the text of an open draft accepts, or has accepted.
type AcceptedWords = BTreeSet<String>;

/// Why a draft is proved no further with the sources that were read.
enum Over {
    /// This text names others, or a file of them has changed.
    Read(Typed),
    Closed,
}

impl Work {
    fn until_closed(&self) {
        let Ok(mut typed) = self.queue.recv() else { return };
        let mut accepted = AcceptedWords::new();
        loop {
            // A text that the rules fail on keeps what was said before. The next one gets a new reading of the sources.
            let proved = catch_unwind(AssertUnwindSafe(|| self.prove(typed, &mut accepted)));
            typed = match proved {
                Ok(Over::Read(next)) => next,
                Ok(Over::Closed) => return,
                Err(_) => match self.queue.recv() {
                    Ok(next) => next,
                    Err(_) => return,
                },
            };
        }
    }

    /// Reads the sources, and proves what is typed against them.
    fn prove(&self, mut typed: Typed, accepted: &mut AcceptedWords) -> Over {
        let (mut facts, seen, given) = match self.sources(&typed.text, accepted) {
            Ok(read) => read,
            Err(error) => {
                self.say_why_not(typed.version, &format!("{error:#}"));
                return self.wait_for_sources(typed);
            }
        };
        let mut words = self.dictionary();
        let sources = Arc::new(DraftSources::new(given));
        let read = ReadSources::new(&sources.given.sources);
        let (mut proof, mut style) = (TypedProof::default(), Vec::new());
        let mut before: Option<ArticleResponse> = None;
        loop {
            let mut next = match Self::article(&typed) {
                Ok(article) => {
                    read.typed(&mut proof, &article);
                    let say = |proof: &TypedProof, style: &[StyleNote]| {
                        self.say(&typed, (&sources, &read), &article, &facts, proof, style);
                    };
                    let mut next = None;
                    // Nothing is known of the first text yet, so it is proved at once. If the author sees nothing so far, the first findings
                    // do not wait for the others.
                    let mut show = if self.has_said_nothing() { Duration::ZERO } else { SHOW };
                    if let Some(before) = before.replace(article.clone()) {
                        move_notes(&mut style, &before, &article);
                        say(&proof, &style);
                        next = self.queue.recv_timeout(PAUSE).ok();
                        show = SHOW;
                    }
                    while next.is_none() {
                        let begun = Instant::now();
                        read.go_on(&mut proof, PIECE, || {
                            next = self.queue.try_recv().ok();
                            next.is_some() || begun.elapsed() >= show
                        });
                        if show.is_zero() && proof.findings().is_empty() && proof.is_due() {
                            continue;
                        }
                        show = SHOW;
                        if next.is_none() {
                            say(&proof, &style);
                        }
                        if !proof.is_due() {
                            break;
                        }
                    }
                    if next.is_none()
                        && let Some(asked) = &self.editor.style
                    {
                        style = asked.review(&article, &sources.given.sources).notes;
                        say(&proof, &style);
                    }
                    next
                }
                Err(why) => {
                    self.say_why_not(typed.version, &why.to_string());
                    None
                }
            };
            while next.is_none() {
                match self.queue.recv_timeout(LOOK) {
                    Ok(newer) => next = Some(newer),
                    Err(RecvTimeoutError::Disconnected) => return Over::Closed,
                    Err(RecvTimeoutError::Timeout) => {
                        if belonging::sources_seen(&self.path, &facts) != seen {
                            return Over::Read(typed);
                        }
                        // Another editor may have added a word, or accepted one in the file.
                        let added = self.dictionary();
                        let now = DraftFacts::of_open(&typed.text, &self.path, accepted).ok();
                        if added != words || now.is_some_and(|now| now != facts) {
                            words = added;
                            next = Some(typed);
                            break;
                        }
                    }
                }
            }
            // Text that was typed over meanwhile is not proved.
            let newest = self.queue.try_iter().last().or(next);
            let Some(newer) = newest else { return Over::Closed };
            match DraftFacts::of_open(&newer.text, &self.path, accepted) {
                Ok(now) if now.same_sources(&facts) => facts = now,
                _ => return Over::Read(newer),
            }
            typed = newer;
        }
    }

    /// What the draft says, how its sources stand, and the sources.
    fn sources(
        &self,
        text: &str,
        accepted: &mut AcceptedWords,
    ) -> Result<(DraftFacts, FilesSeen, sources::GivenSources)> {
        let facts = DraftFacts::of_open(text, &self.path, accepted)?;
        let paths = belonging::sources_of(&self.path, &facts)?;
        // What changes while they are read is read again.
        let seen = belonging::sources_seen(&self.path, &facts);
        let given = sources::read(&paths, Some(&self.path), self.editor.settings.as_ref(), headless::message)?;
        Ok((facts, seen, given))
    }

    /// How the newsroom's dictionary stands.
    fn dictionary(&self) -> Option<FilesSeen> {
        let settings = self.editor.settings.as_ref()?;
        Some(watch::files_seen([dictionary::file(&settings.file).as_path()]))
    }

    fn has_said_nothing(&self) -> bool {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner).said.is_none()
    }

    /// The draft's fields; else a sentence for its author.
    fn article(typed: &Typed) -> Result<ArticleResponse> {
        ensure!(typed.text.len() <= LONGEST, "This draft is not proved: it has more than {} MB.", LONGEST >> 20);
        drafts::own(&drafts::read_typed(&typed.text)).map_err(|why| anyhow!("Nothing is proved yet: {why}."))
    }

    /// Waits for another text, or for another look at the files.
    fn wait_for_sources(&self, typed: Typed) -> Over {
        match self.queue.recv_timeout(LOOK) {
            Ok(newer) => Over::Read(self.queue.try_iter().last().unwrap_or(newer)),
            Err(RecvTimeoutError::Timeout) => Over::Read(typed),
            Err(RecvTimeoutError::Disconnected) => Over::Closed,
        }
    }

    fn say(
        &self,
        typed: &Typed,
        (sources, read): (&Arc<DraftSources>, &ReadSources<'_>),
        article: &ArticleResponse,
        facts: &DraftFacts,
        proof: &TypedProof,
        style: &[StyleNote],
    ) {
        let (findings, sentences) = (proof.findings(), proof.sentences());
        let proved = ProvedDraft { text: &typed.text, article, facts, findings, sentences, style };
        let shown = ShownProof::new(sources, read, &proved);
        let remarks = sources.given.notes.iter().map(|note| remark(note.clone()));
        let diagnostics = remarks.chain(shown.notes.iter().map(|note| note.diagnostic.clone())).collect();
        self.publish(typed.version, Some(Arc::new(shown)), diagnostics);
    }

    /// Says at the beginning of the draft why it is not proved.
    fn say_why_not(&self, version: i32, why: &str) {
        self.publish(version, None, vec![remark(why.to_owned())]);
    }

    fn publish(&self, version: i32, proof: Option<Arc<ShownProof>>, diagnostics: Vec<Diagnostic>) {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        shown.proof = proof;
        let said = Some((version, diagnostics.clone()));
        if !shown.is_closed && shown.said != said {
            shown.said = said;
            publish(&self.editor.client, &self.uri, Some(version), diagnostics);
        }
    }
}
