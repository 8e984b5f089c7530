//! The draft beside its sources, both read once.

use crate::{
    newsroom::{ArticleResponse, Source},
    proof::{
        reading::{
            figure::Figure,
            halves::halves,
            people::{Name, Roster, names},
            stream::Stream,
            text::{ParsedText, TextLine},
            token::{Forms, Token},
        },
        sources::archive::SourceArchive,
    },
    text::{
        language::{Language, detect},
        marks::Quotation,
    },
};

/// A field of the draft.
pub struct DraftField<'a> {
    pub name: &'static str,
    pub reading: ParsedText<'a>,
    pub names: Vec<Name>,
}

impl<'a> DraftField<'a> {
    fn read((name, text): (&'static str, &'a str)) -> Self {
        let reading = ParsedText::new(text);
        let names = names(&reading);
        Self { name, reading, names }
    }
}

/// The draft beside its sources.
pub struct ProofTexts<'a> {
    pub fields: Vec<DraftField<'a>>,
    pub archive: SourceArchive<'a>,
    /// What the sources say, word for word.
    pub stream: Stream,
    /// The names of each source.
    pub source_names: Vec<Vec<Name>>,
    /// Who is who in the sources.
    pub roster: Roster,
    /// Who is who in the draft.
    pub draft_roster: Roster,
    /// Whether the draft or a source is in another language than the one whose words the rules know.
    pub foreign: bool,
}

impl<'a> ProofTexts<'a> {
    pub fn new(article: &'a ArticleResponse, sources: &'a [Source]) -> Self {
        let heard = |readings: &[ParsedText<'a>], forms: &Forms| {
            let names: Vec<Vec<Name>> = readings.iter().map(names).collect();
            let roster = Roster::new(readings.iter().zip(names.iter().map(Vec::as_slice)));
            (Stream::new(readings, forms), names, roster)
        };
        let size = sources.iter().map(|source| source.text.len()).sum();
        let ((archive, (stream, source_names, roster)), (fields, foreign)) = halves(
            size,
            || SourceArchive::beside(sources, heard),
            || (Vec::from(article.fields().map(DraftField::read)), foreign_language(article, sources).is_some()),
        );
        // The body introduces people; headline and description come first only on the page.
        let draft_roster = Roster::new(fields.iter().rev().map(|field| (&field.reading, field.names.as_slice())));
        Self { fields, archive, stream, source_names, roster, draft_roster, foreign }
    }
}

/// An item of the draft, such as a word or a sentence, and where it stands.
pub struct Spot<'d, 'a, T> {
    /// The index of the field.
    pub at: usize,
    pub field: &'d DraftField<'a>,
    /// The index of the item in its field.
    pub index: usize,
    pub item: &'d T,
}

/// The walk through the draft that most rules begin with.
impl<'a> ProofTexts<'a> {
    fn spots<'d, T: 'd>(
        &'d self,
        items: impl Fn(&'d DraftField<'a>) -> &'d [T],
    ) -> impl Iterator<Item = Spot<'d, 'a, T>> {
        self.fields.iter().enumerate().flat_map(move |(at, field)| {
            items(field).iter().enumerate().map(move |(index, item)| Spot { at, field, index, item })
        })
    }

    pub fn sentences(&self) -> impl Iterator<Item = Spot<'_, 'a, TextLine>> {
        self.spots(|field| &field.reading.lines)
    }

    pub fn words(&self) -> impl Iterator<Item = Spot<'_, 'a, Token>> {
        self.spots(|field| &field.reading.tokens)
    }

    /// The words with content that the draft says itself, and quotes from nobody.
    pub fn own_words(&self) -> impl Iterator<Item = Spot<'_, 'a, Token>> {
        self.words().filter(|spot| !spot.item.stop && !spot.item.quoted() && !spot.item.aside())
    }

    pub fn names(&self) -> impl Iterator<Item = Spot<'_, 'a, Name>> {
        self.spots(|field| &field.names)
    }

    pub fn figures(&self) -> impl Iterator<Item = Spot<'_, 'a, Figure>> {
        self.spots(|field| &field.reading.figures)
    }

    pub fn quotations(&self) -> impl Iterator<Item = Spot<'_, 'a, Quotation>> {
        self.spots(|field| &field.reading.quotations)
    }
}

/// The language of the draft or of a source, where one is in another than English.
pub fn foreign_language(article: &ArticleResponse, sources: &[Source]) -> Option<Language> {
    let texts = std::iter::once(article.articleBody.as_str()).chain(sources.iter().map(|source| source.text.as_str()));
    texts.filter_map(detect).find(|language| !language.is_english())
}
