//! The story's sources, read and indexed once, so that each question of a rule costs no more than its answer.

use std::{
    cell::{OnceCell, RefCell},
    ops::Range,
    sync::Arc,
};

use compact_str::CompactString;
use foldhash::{HashMap, HashSet};

use crate::{
    reading::{Figure, Forms, ParsedText, TextLine, Token, calendar::dates_in_digits, halves::halves, shouted},
    sources::index::{WordCase, WordIndex},
    words::{Class, canonical, entries},
};
use copydesk_newsroom::{Source, SourceSpan};
use copydesk_text::{
    inflection::{any_form, forms},
    words::{stem, unaccented},
};

/// A figure with more places than this says nothing about a sentence.
const REPEATED: usize = 256;

/// A word that more sentences have says nothing about where a sentence comes from.
const COMMON: usize = 4_000;

/// At most so many sentences with a word are searched for what stands around it.
const MANY: usize = 64;

/// A sentence of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceLine {
    pub source: usize,
    pub line: usize,
}

/// A sentence of a source, and how much it has of what was asked for.
#[derive(Debug, Clone)]
pub struct LineHit {
    pub place: SourceLine,
    /// The share of the weight asked for that the sentence has.
    pub cover: f64,
    /// The same, together with its neighbours in the paragraph.
    pub around: f64,
}

/// The answers to earlier questions, by the stems and their number.
type Asked = HashMap<(Vec<u32>, usize), Vec<LineHit>>;

/// The sentences that have enough of some stems, by the stems and how many of them are enough.
type Shared = HashMap<(Vec<u32>, usize), Arc<[SourceLine]>>;

/// The places of figures: source and index, under each key that an equal figure may ask with.
type FiguresByValue = HashMap<i64, Vec<(usize, usize)>>;

fn by_value(found: &[Vec<Figure>]) -> FiguresByValue {
    let mut places = FiguresByValue::default();
    for (source, figures) in found.iter().enumerate() {
        for (index, figure) in figures.iter().enumerate() {
            for key in figure.keys() {
                let equal = places.entry(key).or_default();
                if equal.len() < REPEATED {
                    equal.push((source, index));
                }
            }
        }
    }
    places
}

/// All sources of a story.
pub struct SourceArchive<'a> {
    pub sources: &'a [Source],
    pub readings: Vec<ParsedText<'a>>,
    pub forms: Forms,
    index: WordIndex,
    figures: FiguresByValue,
    /// Earlier answers to two questions, and a score for each sentence; all scores are zero between two questions.
    asked: RefCell<Asked>,
    shared: RefCell<Shared>,
    alike: RefCell<HashMap<CompactString, Arc<HashSet<u32>>>>,
    scores: RefCell<Vec<f64>>,
    /// The dates in digits, read when the first is asked for.
    digits: OnceCell<HashSet<String>>,
    short_forms: OnceCell<ShortForms>,
    accented: OnceCell<Vec<(String, String)>>,
}

/// The words of two to five capitals, folded, without points and hyphens. Words of the grammar in a text that shouts are none.
#[derive(Debug, Default)]
pub struct ShortForms {
    pub all: HashSet<String>,
    /// Those that stand right behind a comma: `Bozeman, MT`.
    pub behind_commas: HashSet<String>,
    /// Two to four letters in a row that points or hyphens divide, without these: `D-P-S` in a script for the radio.
    pub spoken: HashSet<String>,
}

/// Letters in a row that stand for a name are at most so many.
pub const MOST_SPOKEN: usize = 4;

/// Forgets answers if there are more than `most`.
pub fn forget<K, V>(answers: &RefCell<HashMap<K, V>>, most: usize) {
    let mut answers = answers.borrow_mut();
    if answers.len() > most {
        *answers = HashMap::default();
    }
}

/// The number of a stem that no source has.
const UNKNOWN: u32 = u32::MAX;

impl<'a> SourceArchive<'a> {
    pub fn new(sources: &'a [Source]) -> Self {
        Self::beside(sources, |_, _| ()).0
    }

    /// The archive, built while something else is made of the same words. They have no figures yet.
    pub fn beside<T: Send>(
        sources: &'a [Source],
        other: impl FnOnce(&[ParsedText<'a>], &Forms) -> T + Send,
    ) -> (Self, T) {
        let mut forms = Forms::default();
        let texts: Vec<&'a str> = sources.iter().map(|source| source.text.as_str()).collect();
        let mut readings = ParsedText::without_figures(&texts, &mut forms);
        let size = texts.iter().map(|text| text.len()).sum();
        let (((found, figures), index), other) = halves(
            size,
            || {
                let figures = || {
                    let found: Vec<_> = readings.iter().map(ParsedText::find_figures).collect();
                    let places = by_value(&found);
                    (found, places)
                };
                halves(size, figures, || WordIndex::of(&readings))
            },
            || other(&readings, &forms),
        );
        for (reading, found) in readings.iter_mut().zip(found) {
            reading.figures = found;
        }
        let scores = RefCell::new(vec![0.0; index.lines]);
        let (asked, shared, alike, digits, short_forms, accented) = Default::default();
        let archive = Self {
            sources,
            readings,
            forms,
            index,
            figures,
            asked,
            shared,
            alike,
            scores,
            digits,
            short_forms,
            accented,
        };
        (archive, other)
    }

    /// Forgets the answers to earlier questions of a kind if there are more than `most`.
    pub fn forget(&self, most: usize) {
        forget(&self.asked, most);
        forget(&self.shared, most);
        forget(&self.alike, most);
    }

    /// The numbers of the stems in the sources that mean what a word means, or belong to its family.
    pub fn alike(&self, token: &Token) -> Arc<HashSet<u32>> {
        let known = self.alike.borrow().get(&*token.word).map(Arc::clone);
        known.unwrap_or_else(|| {
            let like = entries(&token.word).into_iter().flat_map(|entry| entry.like().chain(entry.similar()));
            let found: Arc<HashSet<u32>> =
                Arc::new(like.filter_map(|word| self.forms.stem(&canonical(stem(word)))).collect());
            self.alike.borrow_mut().insert((&*token.word).into(), Arc::clone(&found));
            found
        })
    }

    /// The short forms of the sources, read when the first is asked for.
    pub fn short_forms(&self) -> &ShortForms {
        self.short_forms.get_or_init(|| {
            let mut found = ShortForms::default();
            for reading in &self.readings {
                let mut row: Vec<&Token> = Vec::new();
                // Nearly every word begins with a small letter and is none of them.
                for token in reading.tokens.iter().filter(|token| !reading.begins_small(token)) {
                    if token.capital && token.word.chars().nth(1).is_none() {
                        let gap = row.last().map_or("", |last| reading.slice(last.end..token.start));
                        if !matches!(gap, "-" | ".") {
                            row.clear();
                        }
                        row.push(token);
                        for length in 2..=row.len().min(MOST_SPOKEN) {
                            let letters = row.iter().skip(row.len() - length).map(|token| token.word.as_str());
                            found.spoken.insert(letters.collect());
                        }
                        continue;
                    }
                    if token.stop || !shouted(reading, token) {
                        continue;
                    }
                    let short: String = token.word.chars().filter(|letter| letter.is_alphanumeric()).collect();
                    if !(2..=5).contains(&short.len()) {
                        continue;
                    }
                    if reading.text.get(..token.start).is_some_and(|head| head.ends_with(", ")) {
                        found.behind_commas.insert(short.clone());
                    }
                    found.all.insert(short);
                }
            }
            found
        })
    }

    /// Whether a source has a date in digits, as [`dates_in_digits`] gives it.
    pub fn has_digits(&self, date: &str) -> bool {
        let texts = || self.sources.iter().map(|source| source.text.as_str());
        self.digits.get_or_init(|| texts().flat_map(dates_in_digits).collect()).contains(date)
    }

    fn place(&self, line: usize) -> SourceLine {
        let source = self.index.bases.partition_point(|base| *base <= line).saturating_sub(1);
        SourceLine { source, line: line - self.index.bases.get(source).copied().unwrap_or_default() }
    }

    /// The numbers of some stems; those that no source has share one number.
    fn numbers(&self, stems: &[&str]) -> Vec<u32> {
        stems.iter().map(|stem| self.forms.stem(stem).unwrap_or(UNKNOWN)).collect()
    }

    /// The figures of the sources that say the same as `figure`, in order.
    pub fn equal<'s>(&'s self, figure: &Figure) -> Vec<(SourceLine, &'s Figure)> {
        let mut found: Vec<(usize, usize)> =
            figure.keys().iter().filter_map(|key| self.figures.get(key)).flatten().copied().collect();
        found.sort_unstable();
        found.dedup();
        found
            .into_iter()
            .filter_map(|(source, index)| {
                let reading = self.readings.get(source)?;
                let theirs = reading.figures.get(index).filter(|theirs| figure.same(theirs))?;
                let line = reading.tokens.get(theirs.tokens.start)?.line;
                Some((SourceLine { source, line }, theirs))
            })
            .collect()
    }

    /// The words of a source that are of a kind, in order, by index into its reading.
    pub fn of_class(&self, source: usize, kind: Class) -> impl Iterator<Item = usize> {
        let tokens = self.readings.get(source).map_or(&[][..], |reading| &reading.tokens);
        let noted = self.index.notable.get(source).map_or(&[][..], Vec::as_slice);
        noted.iter().copied().filter(move |at| tokens.get(*at).is_some_and(|token| token.class.has(kind)))
    }

    /// How a folded word is used in the sources.
    pub fn seen(&self, word: &str) -> Option<WordCase> {
        self.how(self.forms.word(word.strip_suffix("'s").unwrap_or(word))?)
    }

    fn how(&self, id: u32) -> Option<WordCase> {
        self.index.vocabulary.get(id as usize).copied().filter(|seen| seen.capital || seen.lower)
    }

    /// Whether any source has a dictionary's word in one of its forms.
    pub fn has(&self, base: &str) -> bool {
        any_form(base, |form| self.seen(form).is_some())
    }

    /// The forms of a dictionary's word that occur.
    pub fn forms_in(&self, base: &str) -> impl Iterator<Item = String> {
        forms(base).into_iter().filter(|form| self.seen(form).is_some())
    }

    /// The sentences that have a content word like this one, in order; only the first if it stands everywhere.
    pub fn places_of(&self, word: &str) -> impl Iterator<Item = SourceLine> {
        let lines = self.forms.stem(&canonical(stem(word))).map_or(&[][..], |stem| self.index.having(stem));
        lines.iter().take(MANY).map(|line| self.place(*line as usize))
    }

    /// The sentences of one source that have any of `stems`, in order.
    pub fn lines_with(&self, source: usize, stems: &[&str]) -> Vec<usize> {
        let base = self.index.bases.get(source).copied().unwrap_or_default();
        let end = self.index.bases.get(source + 1).copied().unwrap_or(self.index.lines);
        let mut lines = Vec::new();
        for stem in self.numbers(stems) {
            let places = self.index.having(stem);
            let at = |bound: usize| places.partition_point(|line| (*line as usize) < bound);
            let own = places.get(at(base)..at(end)).unwrap_or_default();
            lines.extend(own.iter().map(|line| *line as usize - base));
        }
        lines.sort_unstable();
        lines.dedup();
        lines
    }

    /// Every folded word that occurs with a capital letter.
    pub fn capitals(&self) -> impl Iterator<Item = &str> {
        self.forms
            .words()
            .iter()
            .filter(|(_, id)| self.how(**id).is_some_and(|seen| seen.capital))
            .map(|(word, _)| word.as_str())
    }

    /// The words with a capital letter that have a letter outside ASCII, each with its form without accents.
    pub fn accented(&self) -> &[(String, String)] {
        self.accented.get_or_init(|| {
            let accented = self.capitals().filter(|word| !word.is_ascii());
            accented.map(|word| (word.to_owned(), unaccented(word).replace('đ', "d"))).collect()
        })
    }

    /// Whether any source has the stem.
    pub fn knows(&self, stem: &str) -> bool {
        self.forms.stem(stem).is_some_and(|stem| !self.index.having(stem).is_empty())
    }

    /// How much a stem says about where a sentence comes from: the rarer, the more; most if no source has it.
    pub fn weight(&self, stem: &str) -> f64 {
        self.weigh(self.forms.stem(stem).unwrap_or(UNKNOWN))
    }

    fn weigh(&self, stem: u32) -> f64 {
        self.index.weight(self.index.having(stem).len())
    }

    /// The sentences that have most of `stems`, best first, at most `most`.
    pub fn passages(&self, stems: &[&str], most: usize) -> Vec<LineHit> {
        let key = (self.numbers(stems), most);
        if let Some(hits) = self.asked.borrow().get(&key) {
            return hits.clone();
        }
        let hits = self.search(&key.0, most);
        self.asked.borrow_mut().insert(key, hits.clone());
        hits
    }

    fn search(&self, stems: &[u32], most: usize) -> Vec<LineHit> {
        let total: f64 = stems.iter().map(|stem| self.weigh(*stem)).sum();
        if total <= 0.0 {
            return Vec::new();
        }
        let mut best = self.scored(stems, COMMON, |stem| self.weigh(stem));
        let mut weighed: Vec<(u32, f64)> = stems.iter().map(|stem| (*stem, self.weigh(*stem))).collect();
        weighed.sort_unstable_by_key(|(stem, _)| *stem);
        let better = |a: &(usize, f64), b: &(usize, f64)| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0));
        let room = most.max(1) * 3;
        if best.len() > room {
            best.select_nth_unstable_by(room, better);
            best.truncate(room);
        }
        best.sort_unstable_by(better);
        let mut hits: Vec<LineHit> = best
            .into_iter()
            .map(|(line, score)| (self.place(line), score))
            .map(|(place, score)| LineHit { place, cover: score / total, around: self.around(place, &weighed) / total })
            .collect();
        hits.sort_by(|a, b| (b.cover + b.around).total_cmp(&(a.cover + a.around)).then(a.place.cmp(&b.place)));
        hits.truncate(most);
        hits
    }

    /// The sentences that have any of `stems`, each with the weight of its stems. Stems that more than `most`
    /// sentences have are left out.
    fn scored(&self, stems: &[u32], most: usize, worth: impl Fn(u32) -> f64) -> Vec<(usize, f64)> {
        let mut scores = self.scores.borrow_mut();
        let mut touched: Vec<usize> = Vec::new();
        for stem in stems {
            let places = self.index.having(*stem);
            let worth = worth(*stem);
            for line in places.iter().filter(|_| places.len() <= most) {
                let line = *line as usize;
                let Some(score) = scores.get_mut(line) else { continue };
                if *score <= 0.0 {
                    touched.push(line);
                }
                *score += worth;
            }
        }
        let take = |line: usize| (line, scores.get_mut(line).map_or(0.0, std::mem::take));
        touched.into_iter().map(take).collect()
    }

    /// The sentences that, with the next one, have at least `least` of `stems`. Of those that stand in a source more than once between the
    /// same neighbours, the first: a text of one repeated passage has thousands.
    pub fn sharing(&self, stems: &[&str], least: usize) -> Arc<[SourceLine]> {
        let key = (self.numbers(stems), least);
        let known = self.shared.borrow().get(&key).map(Arc::clone);
        known.unwrap_or_else(|| {
            let mut places = self.with_most(&key.0, least);
            let mut seen = HashSet::default();
            places.retain(|place| seen.insert((place.source, self.text_of(*place, 0), self.text_of(*place, 1))));
            let places: Arc<[SourceLine]> = places.into();
            self.shared.borrow_mut().insert(key, Arc::clone(&places));
            places
        })
    }

    /// The text of a sentence with those up to `reach` before and after it.
    fn text_of(&self, place: SourceLine, reach: usize) -> Option<&str> {
        let reading = self.reading(place)?;
        reading.text.get(reading.bytes_of(self.window(place, reach))?)
    }

    /// The sentences that, with the next one, have at least `least` of `stems`.
    fn with_most(&self, stems: &[u32], least: usize) -> Vec<SourceLine> {
        let counted = self.scored(stems, usize::MAX, |_| 1.0);
        let mut counts: HashMap<usize, f64> = HashMap::default();
        for (line, count) in counted {
            *counts.entry(line).or_default() += count;
            if let Some(before) = line.checked_sub(1) {
                *counts.entry(before).or_default() += count;
            }
        }
        #[expect(clippy::cast_precision_loss, reason = "a handful")]
        let least = least as f64;
        let mut lines: Vec<usize> =
            counts.into_iter().filter(|(_, count)| *count >= least).map(|(line, _)| line).collect();
        lines.sort_unstable();
        lines.into_iter().map(|line| self.place(line)).collect()
    }

    /// The weight of those `stems` that a sentence has, together with its neighbours and its speaker's label. `stems`
    /// are sorted.
    fn around(&self, place: SourceLine, stems: &[(u32, f64)]) -> f64 {
        let Some(reading) = self.readings.get(place.source) else { return 0.0 };
        let mut held = vec![false; stems.len()];
        let beside = self.window(place, 1).flat_map(|line| reading.line_tokens(line));
        for token in beside.chain(reading.label_tokens(place.line)) {
            let found = stems.binary_search_by_key(&token.stem_id, |(stem, _)| *stem).ok();
            if let Some(held) = found.and_then(|at| held.get_mut(at)) {
                *held = true;
            }
        }
        // Stems that no source has share one number; no sentence has it.
        stems.iter().zip(held).filter(|(_, held)| *held).map(|((_, weight), _)| weight).sum()
    }

    /// The sentences up to `reach` before and after a sentence.
    pub fn window(&self, place: SourceLine, reach: usize) -> Range<usize> {
        let count = self.readings.get(place.source).map_or(0, |reading| reading.lines.len());
        place.line.saturating_sub(reach)..(place.line + reach + 1).min(count)
    }

    pub fn reading(&self, place: SourceLine) -> Option<&ParsedText<'a>> {
        self.readings.get(place.source)
    }

    pub fn line(&self, place: SourceLine) -> Option<&TextLine> {
        self.readings.get(place.source)?.lines.get(place.line)
    }

    pub fn tokens(&self, place: SourceLine) -> &[Token] {
        self.readings.get(place.source).map_or(&[], |reading| reading.line_tokens(place.line))
    }

    /// The passage between two bytes of a source, in the form that a finding shows.
    pub fn span(&self, source: usize, start: usize, end: usize) -> Option<SourceSpan> {
        let (named, reading) = (self.sources.get(source)?, self.readings.get(source)?);
        Some(SourceSpan { source: named.name.clone(), start, end, text: reading.text.get(start..end)?.to_owned() })
    }

    /// The passage with some words of a source.
    pub fn words(&self, source: usize, words: &Range<usize>) -> Option<SourceSpan> {
        let Range { start, end } = self.readings.get(source)?.span_of(words)?;
        self.span(source, start, end)
    }

    /// The passage with a whole sentence of a source.
    pub fn sentence(&self, place: SourceLine) -> Option<SourceSpan> {
        self.sentences(place.source, place.line..place.line + 1)
    }

    /// The passage with some whole sentences of a source.
    pub fn sentences(&self, source: usize, lines: Range<usize>) -> Option<SourceSpan> {
        let Range { start, end } = self.readings.get(source)?.bytes_of(lines)?;
        self.span(source, start, end)
    }
}

/// The stems of the content words, each once, sorted.
pub fn content(tokens: &[Token]) -> Vec<&str> {
    let mut stems: Vec<&str> = Vec::new();
    for token in tokens {
        if !token.stop && !token.aside() && !stems.contains(&token.stem.as_str()) {
            stems.push(&token.stem);
        }
    }
    stems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_of_one_repeated_passage_is_asked_about_what_differs_in_it() {
        let passage = "The council voted to spend $1.8 million on the park. Nobody spoke. It opened in 1958.\n\n";
        let sources = [Source { name: "Minutes".into(), text: passage.repeat(400) }];
        let archive = SourceArchive::new(&sources);
        let stems: Vec<String> = archive.readings[0]
            .line_tokens(0)
            .iter()
            .filter(|token| !token.stop)
            .map(|token| token.stem.to_string())
            .collect();
        let asked: Vec<&str> = stems.iter().map(String::as_str).collect();
        let places = archive.sharing(&asked, 2);
        // The first passage begins the text, the last one ends it; all others stand between the same sentences.
        assert!((1..=9).contains(&places.len()), "{places:?}");
        assert!(Arc::ptr_eq(&places, &archive.sharing(&asked, 2)), "the same question is answered once");
    }
}
