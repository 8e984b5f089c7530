//! The proof of an open draft as an editor shows it, and the places that its questions are about.

use std::{ops::Range as Bytes, sync::Arc};

use async_lsp::lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString, Range, Url,
};

use super::lines::LineStarts;
use crate::cli::intake::{belonging::DraftFacts, sources::GivenSources};
use crate::editorial::drafts;
use crate::headless::{LineNumbers, in_file, listen};
use crate::newsroom::{ArticleResponse, Finding, SentenceSources, SpanKind};
use crate::proof::{self, Gravity, ReadSources};
use crate::style::{NoteLevel, StyleNote};
use crate::text::{in_marks, places::place, sanitise};

/// Most characters of a passage in a message.
const LONGEST: usize = 300;

/// Most passages that a figure, a name or a date may be said to be about.
const MOST_SUBJECTS: usize = 3;

/// The sources of a draft, with the lines of each.
#[derive(Debug, Default)]
pub(super) struct DraftSources {
    pub(super) given: GivenSources,
    lines: Vec<LineStarts>,
}

/// Words of the draft with what was found about them.
#[derive(Debug)]
pub(super) struct NotedWords {
    pub(super) bytes: Bytes<usize>,
    /// As they were read: without what cannot be seen.
    pub(super) words: String,
    pub(super) diagnostic: Diagnostic,
    /// The words to put in their place.
    pub(super) replacement: Option<String>,
    pub(super) is_finding: bool,
    /// Other passages that have the same figure, name or date.
    pub(super) elsewhere: Vec<PlaceInSource>,
    /// The word, if it is about how it is spelt.
    pub(super) unknown_word: Option<String>,
}

/// A source by its number, and the bytes of a passage in it.
pub(super) type PlaceInSource = (usize, Bytes<usize>);

/// What an editor was told about a text.
#[derive(Debug)]
pub(super) struct ShownProof {
    /// The text that was proved, its lines ended by line feeds alone.
    pub(super) text: String,
    pub(super) lines: LineStarts,
    pub(super) notes: Vec<NotedWords>,
    /// Words that stand although something was found about them, each with the reason.
    pub(super) accepted: Vec<(Bytes<usize>, String)>,
    /// Each sentence with its passages, the best first.
    pub(super) sentences: Vec<(Bytes<usize>, Vec<PlaceInSource>)>,
    pub(super) sources: Arc<DraftSources>,
}

/// A passage of a source.
#[derive(Debug)]
pub(super) struct ShownPassage {
    /// Such as `notes.txt, line 3`, and where to listen.
    pub(super) place: String,
    pub(super) text: String,
    pub(super) location: Option<Location>,
}

/// A text that was proved, with what was found.
#[derive(Debug, Clone, Copy)]
pub(super) struct ProvedDraft<'p> {
    pub(super) text: &'p str,
    pub(super) article: &'p ArticleResponse,
    pub(super) facts: &'p DraftFacts,
    pub(super) findings: &'p [Finding],
    pub(super) sentences: &'p [SentenceSources],
    pub(super) style: &'p [StyleNote],
}

impl DraftSources {
    pub(super) fn new(given: GivenSources) -> Self {
        let lines = given.sources.iter().map(|source| LineStarts::of(&source.text)).collect();
        Self { given, lines }
    }

    /// A passage, with where an editor finds it. A document that is no text opens at its beginning.
    pub(super) fn passage(&self, source: usize, bytes: &Bytes<usize>) -> Option<ShownPassage> {
        let of = self.given.sources.get(source)?;
        let lines = self.lines.get(source)?;
        let name = sanitise::one_line(&of.name);
        let line = || in_file(&name, &of.text, bytes.start, lines.line(bytes.start) + 1);
        let place = format!("{name}, {}", place(&of.text, bytes, line));
        let text = of.text.get(bytes.clone())?;
        let listen = listen(&self.given.unsure, &of.name, bytes.start, text);
        let place = listen.map_or(place.clone(), |listen| format!("{place}, {listen}"));
        let path = self.given.paths.get(source).and_then(|path| std::path::absolute(path).ok());
        let location = path.and_then(|path| Url::from_file_path(path).ok());
        let location = location.map(|uri| Location { uri, range: lines.range(&of.text, bytes) });
        Some(ShownPassage { place, text: sanitise::excerpt(text, LONGEST), location })
    }
}

impl ShownProof {
    pub(super) fn new(sources: &Arc<DraftSources>, read: &ReadSources<'_>, proved: &ProvedDraft<'_>) -> Self {
        let as_read = drafts::read_typed(proved.text);
        let places = LineNumbers::new(&as_read, proved.article, &[]);
        let lines = LineStarts::of(proved.text);
        // What the draft does not have word for word is told at its beginning.
        let bytes = |field: &str, span: Bytes<usize>| places.bytes_in_draft(field, &span).unwrap_or(0..0);
        let accepted = proved.findings.iter().filter_map(|finding| {
            let reason = sanitise::one_line(proved.facts.accepted(&finding.text)?);
            Some((bytes(&finding.field, finding.start..finding.end), reason))
        });
        let open = proved.findings.iter().filter(|finding| proved.facts.accepted(&finding.text).is_none());
        let findings = open.map(|finding| {
            let bytes = bytes(&finding.field, finding.start..finding.end);
            let passage = finding.passage.as_ref().and_then(|span| {
                let source = sources.given.sources.iter().position(|source| source.name == span.source)?;
                sources.passage(source, &(span.start..span.end))
            });
            NotedWords {
                diagnostic: diagnostic(finding, lines.range(proved.text, &bytes), passage),
                replacement: finding.replacement.clone(),
                is_finding: true,
                elsewhere: elsewhere(read, proved, finding),
                unknown_word: None,
                words: finding.text.clone(),
                bytes,
            }
        });
        let style = proved.style.iter().map(|note| {
            let bytes = bytes(note.field, note.start..note.end);
            let severity = match note.level {
                NoteLevel::Error => DiagnosticSeverity::INFORMATION,
                NoteLevel::Warning | NoteLevel::Suggestion => DiagnosticSeverity::HINT,
            };
            NotedWords {
                diagnostic: Diagnostic {
                    range: lines.range(proved.text, &bytes),
                    severity: Some(severity),
                    ..plain_diagnostic(&note.rule, sanitise::one_line(&note.message))
                },
                replacement: note.replacement.clone(),
                is_finding: false,
                elsewhere: Vec::new(),
                unknown_word: note.is_spelling().then(|| note.text.clone()),
                words: note.text.clone(),
                bytes,
            }
        });
        let sentences = proved.sentences.iter().filter_map(|sentence| {
            let bytes = places.bytes_in_draft(&sentence.field, &(sentence.start..sentence.end))?;
            let passages = sentence.passages.iter().map(|place| (place.source, place.start..place.end));
            Some((bytes, passages.collect()))
        });
        Self {
            notes: findings.chain(style).collect(),
            accepted: accepted.collect(),
            sentences: sentences.collect(),
            text: proved.text.to_owned(),
            sources: Arc::clone(sources),
            lines,
        }
    }
}

/// The passages that have the figure, name or date of a finding.
fn elsewhere(read: &ReadSources<'_>, proved: &ProvedDraft<'_>, finding: &Finding) -> Vec<PlaceInSource> {
    let kind = proof::rule(&finding.rule).map(|rule| rule.kind);
    if !matches!(kind, Some(SpanKind::Number | SpanKind::Date | SpanKind::Name)) {
        return Vec::new();
    }
    let around =
        |of: &&SentenceSources| of.field == finding.field && of.start <= finding.start && finding.start < of.end;
    let field = proved.article.fields().into_iter().find(|(name, _)| *name == finding.field);
    let sentence = proved.sentences.iter().find(around).and_then(|of| field?.1.get(of.start..of.end));
    let places = read.having(&finding.text, sentence.unwrap_or_default(), MOST_SUBJECTS);
    places.into_iter().map(|place| (place.source, place.start..place.end)).collect()
}

fn diagnostic(finding: &Finding, range: Range, passage: Option<ShownPassage>) -> Diagnostic {
    let severity = match proof::rule(&finding.rule).map_or(Gravity::Concern, |rule| rule.gravity) {
        Gravity::Block => DiagnosticSeverity::ERROR,
        Gravity::Concern => DiagnosticSeverity::WARNING,
        Gravity::Note => DiagnosticSeverity::INFORMATION,
    };
    let mut message = sanitise::one_line(&finding.note);
    let mut related = None;
    if let Some(ShownPassage { place, text, location }) = passage {
        message.extend([format!("\n{place}: {}", in_marks(&text))]);
        related = location.map(|location| vec![DiagnosticRelatedInformation { location, message: text }]);
    }
    let told = plain_diagnostic(&finding.rule, message);
    Diagnostic { range, severity: Some(severity), related_information: related, ..told }
}

/// A message of a rule, as yet without a place.
pub(super) fn plain_diagnostic(rule: &str, message: String) -> Diagnostic {
    let code = Some(NumberOrString::String(rule.to_owned()));
    Diagnostic { code, source: Some("copydesk".to_owned()), message, ..Diagnostic::default() }
}
