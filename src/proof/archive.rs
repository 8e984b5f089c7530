//! The story's sources, read and indexed once, so that each question of a rule costs no more than its answer.

use std::{collections::HashMap, ops::Range};

use crate::newsroom::{Source, SourceSpan};

use super::{
    figure::Figure,
    reading::{Line, Reading},
    token::Token,
};

/// A figure that stands in more places than these is bound to anything.
const REPEATED: usize = 256;

/// Postings longer than this say nothing about where a sentence comes from.
const COMMON: usize = 4_000;

/// Where a quotation stands: the source and a stretch of it in the reading's words.
#[derive(Debug, Clone)]
pub(super) struct Stand {
    pub source: usize,
    pub tokens: Range<usize>,
}

/// A sentence of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Place {
    pub source: usize,
    pub line: usize,
}

/// A passage of one sentence, and how much of what was asked for it carries.
#[derive(Debug, Clone)]
pub(super) struct Hit {
    pub place: Place,
    /// Weight of the words asked for that the sentence carries, over the weight of all of them.
    pub cover: f64,
    /// The same for the sentence with its neighbours in the paragraph.
    pub around: f64,
}

/// All sources of a story.
pub(super) struct Archive<'a> {
    pub sources: &'a [Source],
    pub readings: Vec<Reading<'a>>,
    postings: HashMap<String, Vec<Place>>,
    /// Where figures of a value stand: source and index, under each key that an equal figure could ask by.
    figures: HashMap<i64, Vec<(usize, usize)>>,
    /// Every folded word, with whether it occurs capitalised and not in lower case.
    vocabulary: HashMap<String, Seen>,
    lines: usize,
}

/// How a word occurs in the sources.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Seen {
    pub capital: bool,
    pub lower: bool,
}

impl<'a> Archive<'a> {
    pub fn new(sources: &'a [Source]) -> Self {
        let readings: Vec<Reading<'a>> = sources.iter().map(|source| Reading::new(&source.text)).collect();
        let mut postings: HashMap<String, Vec<Place>> = HashMap::new();
        let mut vocabulary: HashMap<String, Seen> = HashMap::new();
        let mut figures: HashMap<i64, Vec<(usize, usize)>> = HashMap::new();
        let mut lines = 0;
        for (source, reading) in readings.iter().enumerate() {
            lines += reading.lines.len();
            for (index, figure) in reading.figures.iter().enumerate() {
                for key in figure.keys() {
                    let places = figures.entry(key).or_default();
                    if places.len() < REPEATED {
                        places.push((source, index));
                    }
                }
            }
            for token in &reading.tokens {
                let word = token.word.strip_suffix("'s").unwrap_or(&token.word);
                if let Some(seen) = vocabulary.get_mut(word) {
                    seen.capital |= token.capital;
                    seen.lower |= !token.capital;
                } else {
                    vocabulary.insert(word.to_owned(), Seen { capital: token.capital, lower: !token.capital });
                }
                let place = Place { source, line: token.line };
                if token.stop {
                } else if let Some(places) = postings.get_mut(&token.stem) {
                    if places.last() != Some(&place) {
                        places.push(place);
                    }
                } else {
                    postings.insert(token.stem.clone(), vec![place]);
                }
            }
        }
        Self { sources, readings, postings, figures, vocabulary, lines }
    }

    /// The figures of the sources that say the same as `figure`, in order.
    pub fn equal<'s>(&'s self, figure: &Figure) -> Vec<(Place, &'s Figure)> {
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
                Some((Place { source, line }, theirs))
            })
            .collect()
    }

    /// How a folded word occurs in the sources.
    pub fn seen(&self, word: &str) -> Option<Seen> {
        self.vocabulary.get(word.strip_suffix("'s").unwrap_or(word)).copied()
    }

    /// Every folded word that occurs with a capital letter.
    pub fn capitals(&self) -> impl Iterator<Item = &str> {
        self.vocabulary.iter().filter(|(_, seen)| seen.capital).map(|(word, _)| word.as_str())
    }

    /// Whether any source has the stem.
    pub fn knows(&self, stem: &str) -> bool {
        self.postings.contains_key(stem)
    }

    /// What a stem tells of where a sentence comes from: the rarer, the more; most where no source has it.
    #[expect(clippy::cast_precision_loss, reason = "counts of sentences")]
    pub fn weight(&self, stem: &str) -> f64 {
        let found = self.postings.get(stem).map_or(0.5, |places| places.len() as f64);
        (1.0 + self.lines.max(1) as f64 / found).ln()
    }

    /// The sentences that carry most of `stems`, best first, at most `most`.
    pub fn passages(&self, stems: &[&str], most: usize) -> Vec<Hit> {
        let total: f64 = stems.iter().map(|stem| self.weight(stem)).sum();
        if total <= 0.0 {
            return Vec::new();
        }
        let mut scores: HashMap<Place, f64> = HashMap::new();
        for stem in stems {
            let weight = self.weight(stem);
            for place in self.postings.get(*stem).filter(|places| places.len() <= COMMON).into_iter().flatten() {
                *scores.entry(*place).or_default() += weight;
            }
        }
        let mut best: Vec<(Place, f64)> = scores.into_iter().collect();
        best.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        best.truncate(most.max(1) * 3);
        let mut hits: Vec<Hit> = best
            .into_iter()
            .map(|(place, score)| Hit { place, cover: score / total, around: self.around(place, stems) / total })
            .collect();
        hits.sort_by(|a, b| (b.cover + b.around).total_cmp(&(a.cover + a.around)).then(a.place.cmp(&b.place)));
        hits.truncate(most);
        hits
    }

    /// Weight of the stems that a sentence carries with the sentences beside it and its speaker's label.
    fn around(&self, place: Place, stems: &[&str]) -> f64 {
        let Some(reading) = self.readings.get(place.source) else { return 0.0 };
        let window: Vec<&Token> = self.window(place, 1).flat_map(|line| reading.line_tokens(line)).collect();
        let label = self.line(place).and_then(|line| line.label).and_then(|label| reading.labels.get(label));
        let label = label.map_or(&[][..], |range| reading.between(range.start, range.end));
        stems
            .iter()
            .filter(|stem| window.iter().any(|token| token.stem == **stem) || label.iter().any(|t| t.stem == **stem))
            .map(|stem| self.weight(stem))
            .sum()
    }

    /// The sentences up to `reach` before and after a sentence.
    pub fn window(&self, place: Place, reach: usize) -> Range<usize> {
        let count = self.readings.get(place.source).map_or(0, |reading| reading.lines.len());
        place.line.saturating_sub(reach)..(place.line + reach + 1).min(count)
    }

    pub fn reading(&self, place: Place) -> Option<&Reading<'a>> {
        self.readings.get(place.source)
    }

    pub fn line(&self, place: Place) -> Option<&Line> {
        self.readings.get(place.source)?.lines.get(place.line)
    }

    pub fn tokens(&self, place: Place) -> &[Token] {
        self.readings.get(place.source).map_or(&[], |reading| reading.line_tokens(place.line))
    }

    /// The passage between two bytes of a source, as a finding shows it.
    pub fn span(&self, source: usize, start: usize, end: usize) -> Option<SourceSpan> {
        let (named, reading) = (self.sources.get(source)?, self.readings.get(source)?);
        Some(SourceSpan { source: named.name.clone(), start, end, text: reading.text.get(start..end)?.to_owned() })
    }

    /// A whole sentence of a source, as a finding shows it.
    pub fn sentence(&self, place: Place) -> Option<SourceSpan> {
        let line = self.line(place)?;
        self.span(place.source, line.start, line.end)
    }
}

/// The content of some words, each stem once, in order.
pub(super) fn content(tokens: &[Token]) -> Vec<&str> {
    let mut stems: Vec<&str> = Vec::new();
    for token in tokens {
        if !token.stop && !token.aside() && !stems.contains(&token.stem.as_str()) {
            stems.push(&token.stem);
        }
    }
    stems
}
