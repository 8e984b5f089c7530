//! The draft beside its sources, both read once.

use crate::{
    newsroom::{ArticleResponse, Source},
    proof::{
        reading::{
            halves::halves,
            people::{Name, Roster, names},
            stream::Stream,
            text::Reading,
            token::Forms,
        },
        sources::archive::Archive,
    },
    text::language::{Language, detect},
};

/// A field of the draft.
pub struct Field<'a> {
    pub name: &'static str,
    pub reading: Reading<'a>,
    pub names: Vec<Name>,
}

impl<'a> Field<'a> {
    fn read((name, text): (&'static str, &'a str)) -> Self {
        let reading = Reading::new(text);
        let names = names(&reading);
        Self { name, reading, names }
    }
}

/// The draft beside its sources.
pub struct Desk<'a> {
    pub fields: Vec<Field<'a>>,
    pub archive: Archive<'a>,
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

impl<'a> Desk<'a> {
    pub fn new(article: &'a ArticleResponse, sources: &'a [Source]) -> Self {
        let heard = |readings: &[Reading<'a>], forms: &Forms| {
            let names: Vec<Vec<Name>> = readings.iter().map(names).collect();
            let roster = Roster::new(readings.iter().zip(names.iter().map(Vec::as_slice)));
            (Stream::new(readings, forms), names, roster)
        };
        let size = sources.iter().map(|source| source.text.len()).sum();
        let ((archive, (stream, source_names, roster)), (fields, foreign)) = halves(
            size,
            || Archive::beside(sources, heard),
            || (Vec::from(article.fields().map(Field::read)), foreign_language(article, sources).is_some()),
        );
        // The body introduces people; headline and description come first only on the page.
        let draft_roster = Roster::new(fields.iter().rev().map(|field| (&field.reading, field.names.as_slice())));
        Self { fields, archive, stream, source_names, roster, draft_roster, foreign }
    }
}

/// The language of the draft or of a source, where one is in another than English.
pub fn foreign_language(article: &ArticleResponse, sources: &[Source]) -> Option<Language> {
    let texts = std::iter::once(article.articleBody.as_str()).chain(sources.iter().map(|source| source.text.as_str()));
    texts.filter_map(detect).find(|language| !language.is_english())
}
