//! The draft and its sources, each read once.

use std::{
    cell::{Cell, OnceCell, RefCell},
    collections::BTreeSet,
    ops::{Deref, Range},
    rc::Rc,
};

use foldhash::HashMap;

use crate::{
    reading::{
        Figure, Forms, Name, ParsedText, Roster, Stream, TextLine, halves::halves, names, resemblance::Resemblance,
    },
    sources::{
        SourceArchive,
        archive::forget,
        turns::SpokenTurns,
        withdrawals::{self, Withdrawal},
    },
    words::entries,
};
use copydesk_newsroom::{ArticleResponse, Source};
use copydesk_text::{
    language::{Language, detect},
    marks::Quotation,
};

/// A field of the draft.
pub struct DraftField<'a> {
    /// Its index among the draft's fields.
    pub at: usize,
    pub name: &'static str,
    pub reading: ParsedText<'a>,
    pub names: Vec<Name>,
}

impl<'a> DraftField<'a> {
    fn read((at, (name, text)): (usize, (&'static str, &'a str))) -> Self {
        let reading = if name == "articleBody" { ParsedText::of_body(text) } else { ParsedText::new(text) };
        let names = names(&reading);
        Self { at, name, reading, names }
    }

    /// The field whose text is the story itself.
    pub fn is_body(&self) -> bool {
        self.name == "articleBody"
    }
}

/// The sources of a story, read and indexed once for any number of drafts.
pub struct SourceTexts<'a> {
    pub archive: SourceArchive<'a>,
    /// The words of the sources, in order.
    pub stream: Stream,
    /// The names of each source.
    pub source_names: Vec<Vec<Name>>,
    /// Who is who in the sources.
    pub roster: Roster,
    /// Who speaks each sentence of each source.
    pub turns: Vec<SpokenTurns>,
    /// The stretches that resemble quotations, by their words: a draft may repeat one often.
    resembling: RefCell<HashMap<Vec<u32>, Option<Resemblance>>>,
    /// Whether the sources have words for initials, and how many were looked for in the text that is proved.
    initials: RefCell<HashMap<String, bool>>,
    looked_for: Cell<usize>,
    /// The short forms of parties in the sources, once a rule has asked for them.
    party_labels: OnceCell<BTreeSet<String>>,
    /// The withdrawals in the sources, once a rule has asked for them.
    withdrawals: OnceCell<Vec<Withdrawal>>,
}

/// The sources are read for so many initials of a text at most; further ones pass.
const INITIALS: usize = 100;

/// So many answers of a kind are kept while a draft is typed.
const KEPT: usize = 1 << 13;

impl<'a> SourceTexts<'a> {
    pub fn new(sources: &'a [Source]) -> Self {
        let size = sources.iter().map(|source| source.text.len()).sum();
        let people = |readings: &[ParsedText<'a>]| {
            let names: Vec<Vec<Name>> = readings.iter().map(names).collect();
            let roster = Roster::new(readings.iter().zip(names.iter().map(Vec::as_slice)));
            let heard = readings.iter().zip(&names);
            let turns: Vec<_> = heard.map(|(reading, names)| SpokenTurns::of(reading, names, &roster)).collect();
            (names, roster, turns)
        };
        let heard = |readings: &[ParsedText<'a>], forms: &Forms| {
            let (people, stream) = halves(size, || people(readings), || Stream::new(readings, forms));
            (stream, people)
        };
        let (archive, (stream, (source_names, roster, turns))) = SourceArchive::beside(sources, heard);
        Self {
            archive,
            stream,
            source_names,
            roster,
            turns,
            resembling: RefCell::default(),
            initials: RefCell::default(),
            looked_for: Cell::default(),
            party_labels: OnceCell::new(),
            withdrawals: OnceCell::new(),
        }
    }

    /// The withdrawals in the sources: words that a source takes back.
    pub fn withdrawals(&self) -> &[Withdrawal] {
        self.withdrawals.get_or_init(|| withdrawals::all(&self.archive))
    }

    /// Whether the sources explain initials: what `read` finds in them, once for each.
    pub fn explains(&self, initials: &str, read: impl FnOnce() -> bool) -> bool {
        let mut known = self.initials.borrow_mut();
        if let Some(explained) = known.get(initials) {
            return *explained;
        }
        let looked_for = self.looked_for.get();
        if looked_for >= INITIALS {
            return true;
        }
        self.looked_for.set(looked_for + 1);
        let explained = read();
        known.insert(initials.to_owned(), explained);
        explained
    }

    /// The short forms of parties in the sources: what `read` finds, once for all drafts.
    pub fn party_labels(&self, read: impl FnOnce() -> BTreeSet<String>) -> &BTreeSet<String> {
        self.party_labels.get_or_init(read)
    }

    /// Begins another text of the same draft. If a long time of typing has left many answers to what no text asks any more, they go.
    pub fn begin_text(&self) {
        self.looked_for.set(0);
        forget(&self.initials, KEPT);
        forget(&self.resembling, KEPT);
        self.archive.forget(KEPT);
    }

    /// The stretch of the sources that resembles some words most, if any does.
    pub fn closest(&self, needle: &[u32]) -> Option<Resemblance> {
        if let Some(known) = self.resembling.borrow().get(needle) {
            return known.clone();
        }
        let found = self.stream.closest(needle);
        self.resembling.borrow_mut().insert(needle.to_vec(), found.clone());
        found
    }
}

/// The draft and its sources.
pub struct ProofTexts<'a> {
    pub fields: Vec<DraftField<'a>>,
    /// Who is who in the draft.
    pub draft_roster: Roster,
    /// Whether the draft or all of its sources are in a language whose words the rules do not know.
    pub foreign: bool,
    read: Rc<SourceTexts<'a>>,
    /// The bytes of a field that the rules keep to, if not the whole draft is proved.
    within: Option<(usize, Range<usize>)>,
}

impl<'a> Deref for ProofTexts<'a> {
    type Target = SourceTexts<'a>;

    fn deref(&self) -> &SourceTexts<'a> {
        &self.read
    }
}

impl<'a> ProofTexts<'a> {
    pub fn new(article: &'a ArticleResponse, sources: &'a [Source]) -> Self {
        let size = sources.iter().map(|source| source.text.len()).sum();
        let (read, (fields, foreign)) = halves(
            size,
            || SourceTexts::new(sources),
            || (fields_of(article), foreign_language(article, sources).is_some()),
        );
        Self::of(fields, Rc::new(read), foreign)
    }

    /// As [`ProofTexts::new`], with sources that were read before. `foreign` says whether none of them is in English.
    pub fn beside(article: &'a ArticleResponse, read: Rc<SourceTexts<'a>>, foreign: bool) -> Self {
        let foreign = foreign || foreign_language(article, &[]).is_some();
        Self::of(fields_of(article), read, foreign)
    }

    /// The draft with another text in one field.
    pub fn article_with(&self, field: usize, text: &str) -> ArticleResponse {
        let mut texts = self.fields.iter().map(|own| if own.at == field { text } else { own.reading.text }.to_owned());
        let mut next = || texts.next().unwrap_or_default();
        ArticleResponse { headline: next(), alternativeHeadline: next(), description: next(), articleBody: next() }
    }

    /// Another draft beside the same sources, which are not read again.
    pub fn reread<'b>(&self, article: &'b ArticleResponse) -> ProofTexts<'b>
    where
        'a: 'b,
    {
        ProofTexts::of(fields_of(article), Rc::clone(&self.read), self.foreign)
    }

    fn of(mut fields: Vec<DraftField<'a>>, read: Rc<SourceTexts<'a>>, foreign: bool) -> Self {
        // Mary Hall is a person if a transcript has her label, or a list of people a Hall. No list makes one of "Election Day".
        for name in fields.iter_mut().flat_map(|field| &mut field.names).filter(|name| !name.personal()) {
            let speaks = |voice: &Name| voice.last() == name.last() && voice.may_be(name);
            let listed =
                name.first().is_some_and(|first| entries(first).is_empty()) && !read.roster.of(name.last()).is_empty();
            name.addressed =
                name.words.len() > 1 && (listed || read.turns.iter().flat_map(SpokenTurns::voices).any(speaks));
        }
        // The body introduces people, although headline and description stand above it.
        let draft_roster = Roster::new(fields.iter().rev().map(|field| (&field.reading, field.names.as_slice())));
        Self { fields, draft_roster, foreign, read, within: None }
    }

    /// Keeps the rules to some bytes of a field.
    pub fn keep_to(&mut self, field: usize, within: Range<usize>) {
        self.within = Some((field, within));
    }
}

fn fields_of(article: &ArticleResponse) -> Vec<DraftField<'_>> {
    article.fields().into_iter().enumerate().map(DraftField::read).collect()
}

/// An item of the draft, such as a word or a sentence, with its field.
pub struct Spot<'d, 'a, T> {
    pub field: &'d DraftField<'a>,
    /// The index of the item in its field.
    pub index: usize,
    pub item: &'d T,
}

/// The iterators with which most rules walk through the draft.
impl<'a> ProofTexts<'a> {
    /// The items, those that begin where the rules keep to. They stand in order.
    fn spots<'d, T: 'd>(
        &'d self,
        items: impl Fn(&'d DraftField<'a>) -> &'d [T],
        start: impl Fn(&T) -> usize,
    ) -> impl Iterator<Item = Spot<'d, 'a, T>> {
        self.fields.iter().flat_map(move |field| {
            let all = items(field);
            let kept = match &self.within {
                None => 0..all.len(),
                Some((at, _)) if *at != field.at => 0..0,
                Some((_, within)) => {
                    let before = |byte: usize| all.partition_point(|item| start(item) < byte);
                    before(within.start)..before(within.end)
                }
            };
            let first = kept.start;
            let kept = all.get(kept).unwrap_or_default();
            kept.iter().enumerate().map(move |(index, item)| Spot { field, index: first + index, item })
        })
    }

    pub fn sentences(&self) -> impl Iterator<Item = Spot<'_, 'a, TextLine>> {
        self.spots(|field| &field.reading.lines, |line| line.start)
    }

    pub fn names(&self) -> impl Iterator<Item = Spot<'_, 'a, Name>> {
        self.spots(|field| &field.names, |name| name.start)
    }

    pub fn figures(&self) -> impl Iterator<Item = Spot<'_, 'a, Figure>> {
        self.spots(|field| &field.reading.figures, |figure| figure.start)
    }

    pub fn quotations(&self) -> impl Iterator<Item = Spot<'_, 'a, Quotation>> {
        self.spots(|field| &field.reading.quotations, |quotation| quotation.start)
    }

    /// The names of a source that stand in one sentence with any of some stems, in order.
    pub fn names_beside(&self, source: usize, stems: &[&str]) -> impl Iterator<Item = &Name> {
        let reading = self.archive.readings.get(source);
        let names = self.source_names.get(source).map_or(&[][..], Vec::as_slice);
        self.archive.lines_with(source, stems).into_iter().flat_map(move |line| {
            let tokens = reading.and_then(|reading| reading.lines.get(line)).map_or(0..0, |line| line.tokens.clone());
            let at = |token: usize| names.partition_point(|name| name.tokens.start < token);
            names.get(at(tokens.start)..at(tokens.end)).unwrap_or_default()
        })
    }

    /// Whether the draft is in English and none of its sources is. Then what it quotes may be a translation.
    pub fn are_translated(&self) -> bool {
        let english = |text: &str| detect(text).is_none_or(Language::is_english);
        let body = self.fields.iter().find(|field| field.is_body());
        self.foreign && body.is_some_and(|body| english(body.reading.text))
    }
}

/// The language of the draft if that is not in English, or that of its sources if none of them is. A page in another language beside
/// English ones takes no rule from these.
pub fn foreign_language(article: &ArticleResponse, sources: &[Source]) -> Option<Language> {
    let other = |text: &str| detect(text).filter(|language| !language.is_english());
    let of_sources = || {
        let read = sources.iter().map(|source| source.text.as_str()).filter(|text| !text.trim().is_empty());
        read.map(other).collect::<Option<Vec<Language>>>()?.into_iter().next()
    };
    other(&article.articleBody).or_else(of_sources)
}
