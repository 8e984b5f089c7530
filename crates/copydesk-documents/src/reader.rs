//! Reads a document by its format's own reader.

#[cfg(feature = "pdf")]
use super::pdf;
use super::{
    book,
    bounds::{MOST_PACKED, MOST_TEXT, bounded},
    cues, detect, encoding, folding,
    hidden::Hidden,
    kind::DocumentKind,
    markdown::{self, MarkdownRead},
    print, raised, table, transcript,
    unreadable::Unreadable,
    unsure,
    web_page::{
        self,
        facts::{self, PageFacts},
    },
    word,
};
use serde::{Deserialize, Serialize};

use copydesk_newsroom::{HiddenText, UnsureWords};
use copydesk_text::sanitise;

/// A document that has been read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// The kind that it was read as.
    pub kind: DocumentKind,
    /// Its text, sanitised and never blank. Every span is a byte range of this text, not of the file.
    pub text: String,
    /// Notes for a reader on how it was read, a sentence each.
    pub notes: Vec<String>,
    /// The hidden text of the document. It is not in `text`.
    pub hidden: Vec<HiddenText>,
    /// The words of a transcript that its recogniser was unsure of.
    pub unsure: Vec<UnsureWords>,
    /// The facts that a web page states about itself, if it was read for research.
    pub facts: PageFacts,
}

impl Document {
    /// Remarks on how it was read and on its hidden text, a sentence each; `shown` is its name.
    pub fn remarks(&self, shown: &str) -> Vec<String> {
        let notes = self.notes.iter().map(|note| format!("{shown}: {note}"));
        let hidden = self.hidden.iter();
        notes.chain(hidden.map(|text| format!("hidden text in {shown}, which counts for nothing: {text}"))).collect()
    }
}

/// The purpose of reading a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ReadingPurpose {
    /// To hold a draft against: a transcript is put together turn by turn, since its time codes cut what is said.
    Source,
    /// To be searched: as a draft, each byte of a text file stays at its place, and nothing hidden is read.
    Index,
    /// To be printed: what its author wrote stays, whatever it looks like.
    Draft,
    /// To be found out from: a source, and of a web page the article alone.
    Research,
}

/// Reads a document. If its bytes do not tell what it is, `file_name` decides.
///
/// # Errors
/// [`Unreadable`], each in words for whoever handed the file in.
pub fn read(file_name: &str, bytes: &[u8], purpose: ReadingPurpose) -> Result<Document, Unreadable> {
    let kind = detect::kind_of(file_name, bytes)?;
    let most = if kind.is_packed() { MOST_PACKED } else { MOST_TEXT };
    if bytes.len() > most {
        return Err(Unreadable::TooLarge { bytes: bytes.len() as u64, most: most as u64 });
    }
    let mut notes = Vec::new();
    let mut hidden = Hidden::default();
    let (mut times, mut facts) = (None, PageFacts::default());
    if DocumentKind::by_name(file_name).is_some_and(|named| named != kind) {
        notes.push(format!("it is {} whatever its name says, and was read as that", kind.name()));
    }
    let text = match kind {
        #[cfg(feature = "pdf")]
        DocumentKind::Pdf => pdf::read(bytes, &mut notes, &mut hidden)?,
        #[cfg(not(feature = "pdf"))]
        DocumentKind::Pdf => return Err(Unreadable::NotBuiltIn { kind: DocumentKind::Pdf, feature: "pdf" }),
        DocumentKind::Word => word::read(bytes, &mut notes, &mut hidden)?,
        DocumentKind::Book => book::read(bytes, &mut notes, &mut hidden)?,
        DocumentKind::WebPage if purpose == ReadingPurpose::Research => {
            let page = encoding::page(bytes, &mut notes)?;
            facts = facts::read(&page);
            web_page::article(&page, &mut notes, &mut hidden)
        }
        DocumentKind::WebPage if purpose == ReadingPurpose::Draft => {
            web_page::draft(&encoding::page(bytes, &mut notes)?, &mut hidden)
        }
        DocumentKind::WebPage => web_page::source(&encoding::page(bytes, &mut notes)?, &mut notes, &mut hidden),
        DocumentKind::Table => table::read(file_name, &encoding::text(bytes, &mut notes)?)?,
        DocumentKind::Captions => {
            let mut turns = cues::turns(&encoding::text(bytes, &mut notes)?)?;
            times = Some(std::mem::take(&mut turns.unsure));
            turns.text
        }
        DocumentKind::Text => {
            let text = encoding::text(bytes, &mut notes)?;
            let shown = markdown::is_markdown(file_name);
            let how = match purpose {
                ReadingPurpose::Index => MarkdownRead::InPlace,
                ReadingPurpose::Source | ReadingPurpose::Research if shown => MarkdownRead::Shown,
                _ => MarkdownRead::Written,
            };
            let as_it_is = purpose == ReadingPurpose::Index && !shown || text.trim_start().starts_with('{');
            let text = if as_it_is { text } else { markdown::read(text, how, &mut hidden) };
            let source = matches!(purpose, ReadingPurpose::Source | ReadingPurpose::Research);
            let text = if source { print::unset(&text) } else { text };
            match transcript::read(&text).filter(|_| source) {
                Some(turns) => {
                    notes.push(
                        "it was read as a transcript: a time code stands where a turn begins, the others are left out"
                            .into(),
                    );
                    turns
                }
                None => text,
            }
        }
    };
    // The lines of a text file are the file's; what is put together begins with its first.
    let text = if kind == DocumentKind::Text { &text } else { text.trim_start_matches('\n') };
    let text = sanitise::clean(text);
    let text = match purpose {
        ReadingPurpose::Draft => text.into_owned(),
        ReadingPurpose::Index => folding::folded(&text, &mut notes).into_owned(),
        _ => raised::without_notes(&folding::folded(&text, &mut notes)).into_owned(),
    };
    let (text, unsure) = match times {
        Some(times) => unsure::taken_out(&text, &times),
        None => (text, Vec::new()),
    };
    if sanitise::is_blank(&text) {
        return Err(Unreadable::Empty);
    }
    bounded(text.len())?;
    Ok(Document { kind, text, notes, hidden: hidden.into_list(), unsure, facts })
}
