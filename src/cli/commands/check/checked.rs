//! A draft held against its sources.

use std::{panic, thread};

use crate::cli::intake::{
    belonging::DraftFacts,
    drafts::{OwnDraft, language_notes, read_own_draft},
    house_style::ReadStyle,
    sources,
};
use crate::cli::prelude::*;
use crate::documents::DocumentKind;
use crate::headless::LineNumbers;
use crate::newsroom::{ArticleResponse, Ledger, Source, Standing, UnsureBySource};
use crate::proof::{self, Gravity};
use crate::style::StyleReview;
use crate::text::in_marks;

/// A draft that has been checked.
pub(crate) struct Checked {
    pub(crate) article: ArticleResponse,
    /// The draft's text as it was read.
    pub(crate) text: String,
    /// What its file is.
    pub(crate) kind: DocumentKind,
    pub(crate) sources: Vec<Source>,
    /// The words of the sources that a recogniser was unsure of.
    pub(crate) unsure: UnsureBySource,
    pub(crate) ledger: Ledger,
    /// House style; none if it was not asked for.
    pub(crate) review: Option<StyleReview>,
    /// Remarks for the reader on how the documents were read.
    pub(crate) notes: Vec<String>,
}

impl Checked {
    /// The places of its spans, in words for a reader.
    pub(crate) fn places(&self) -> LineNumbers<'_> {
        LineNumbers::new(&self.text, &self.article, &self.sources).of_a(self.kind).with_unsure(&self.unsure)
    }
}

/// Reads the draft and its sources, and checks them. `settings` say who transcribes recordings.
pub(crate) fn checked(
    draft: &Path,
    sources: &[PathBuf],
    level: Gravity,
    style: Option<&ReadStyle>,
    settings: Option<&Settings>,
) -> Result<Checked> {
    let OwnDraft { article, text, kind, mut notes } = read_own_draft(draft)?;
    let read = sources::read(sources, Some(draft), settings, headless::message)?;
    // Neither needs the other. Spelling asks the knowledge base, which only this thread can.
    let facts = DraftFacts::of(&text)?;
    let (mut ledger, review) = thread::scope(|scope| {
        let proof = scope.spawn(|| proof::ledger(&article, &read.sources, level));
        let review = style.map(|style| style.review(&article, &read.sources));
        (proof.join().unwrap_or_else(|fault| panic::resume_unwind(fault)), review)
    });
    ledger.rows.retain(|row| {
        let is_open = row.is_finding() || row.standing == Standing::StandsThere;
        let stands = facts.accepted(&row.text).filter(|_| is_open);
        notes.extend(stands.map(|reason| format!("{} stands, the draft says: {reason}", in_marks(&row.text))));
        stands.is_none()
    });
    notes.extend(read.notes);
    notes.extend(language_notes(&article, &read.sources));
    let (sources, unsure) = (read.sources, read.unsure);
    Ok(Checked { article, text, kind, sources, unsure, ledger, review, notes })
}
