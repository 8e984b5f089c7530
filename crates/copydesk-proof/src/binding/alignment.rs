//! The passages from which a sentence of the draft is made.

use std::ops::Range;

use foldhash::HashSet;

use crate::{
    reading::{ParsedText, Token},
    sources::{SourceArchive, SourceLine, content},
    words::{Class, WordList, words},
};

/// So many sentences of the sources are compared closely.
const CANDIDATES: usize = 12;

/// A sentence is made of at most so many passages.
const PASSAGES: usize = 3;

/// A further passage must have at least this part of the weight that the ones before lack.
const FURTHER: f64 = 0.12;

/// The share of a word's weight that counts if only the sentence before or behind has the word.
const BESIDE: f64 = 0.7;

/// Words that occur in every story say nothing about where a sentence comes from.
pub static GENERAL: WordList = words(include_str!("../../../../assets/words/every_story.txt"));

/// A content word of the draft's sentence.
#[derive(Debug, Clone)]
pub struct AlignedWord {
    /// Its index in the text.
    pub at: usize,
    /// How much it says about where the sentence comes from.
    pub weight: f64,
    /// The passage that has it, and whether in another word for the same.
    pub held: Option<(usize, bool)>,
}

/// A passage: a sentence of a source with those beside it in its paragraph.
#[derive(Debug, Clone)]
pub struct Window {
    pub place: SourceLine,
    /// Its sentences.
    pub lines: Range<usize>,
    /// The share of the draft's words that it has, by weight.
    pub share: f64,
}

/// A sentence of the draft beside its passages, the best first.
#[derive(Debug, Clone, Default)]
pub struct Alignment {
    pub words: Vec<AlignedWord>,
    pub windows: Vec<Window>,
}

impl Alignment {
    /// Aligns the sentence `line` of the draft.
    pub fn of(archive: &SourceArchive<'_>, reading: &ParsedText<'_>, line: usize) -> Self {
        let range = reading.lines.get(line).map_or(0..0, |line| line.tokens.clone());
        let own = range.filter_map(|at| Some((at, reading.tokens.get(at)?)));
        let own = own.filter(|(_, token)| tells(token));
        let mut words: Vec<AlignedWord> =
            own.map(|(at, token)| AlignedWord { at, weight: worth(archive, token), held: None }).collect();
        let asked: Vec<Token> = words.iter().filter_map(|word| reading.tokens.get(word.at).cloned()).collect();
        let stems: Vec<Option<u32>> = asked.iter().map(|token| archive.forms.stem(&token.stem)).collect();
        let total: f64 = words.iter().map(|word| word.weight).sum();
        let hits = archive.passages(&content(&asked), CANDIDATES).into_iter();
        let mut passages: Vec<Passage> = hits.filter_map(|hit| Passage::of(archive, hit.place)).collect();
        let mut windows: Vec<Window> = Vec::new();
        while windows.len() < PASSAGES && !passages.is_empty() {
            let gained = |passage: &Passage| -> f64 {
                let words = words.iter().zip(&stems).filter(|(word, _)| word.held.is_none());
                words.map(|(word, stem)| stem.map_or(0.0, |stem| passage.has(stem)) * word.weight).sum()
            };
            // Of two that give as much, the first.
            let gains = passages.iter().map(gained).enumerate().rev();
            let best = gains.max_by(|one, other| one.1.total_cmp(&other.1));
            let Some((best, gain)) = best.filter(|(_, gain)| *gain > FURTHER * total) else { break };
            let passage = passages.remove(best);
            let number = windows.len();
            for (word, stem) in words.iter_mut().zip(&stems).filter(|(word, _)| word.held.is_none()) {
                if stem.is_some_and(|stem| passage.has(stem) > 0.0) {
                    word.held = Some((number, false));
                }
            }
            let share = gain / total.max(f64::MIN_POSITIVE);
            windows.push(Window { place: passage.place, lines: passage.lines.clone(), share });
            for word in words.iter_mut().filter(|word| word.held.is_none()) {
                let Some(own) = reading.tokens.get(word.at) else { continue };
                if archive.alike(own).iter().any(|stem| passage.has(*stem) > 0.0) {
                    word.held = Some((number, true));
                }
            }
        }
        Self { words, windows }
    }

    /// The sentences of its passages.
    pub fn places(&self) -> impl Iterator<Item = SourceLine> {
        self.windows.iter().flat_map(|window| window.lines.clone().map(|line| SourceLine { line, ..window.place }))
    }

    /// The share of the sentence's words that its passages have, by weight, without some words. A sentence without others is all there.
    pub fn share_without(&self, tokens: &Range<usize>) -> f64 {
        let words = || self.words.iter().filter(|word| !tokens.contains(&word.at));
        let total: f64 = words().map(|word| word.weight).sum();
        let held: f64 = words().filter(|word| word.held.is_some()).map(|word| word.weight).sum();
        if total > 0.0 { held / total } else { f64::from(u8::from(!tokens.is_empty())) }
    }
}

/// Whether a word says something about the topic: not the grammar, not figures, not who speaks.
pub fn tells(token: &Token) -> bool {
    !token.stop && !token.quoted() && !token.aside() && !token.class.has(Class::NUMBER)
}

pub fn worth(archive: &SourceArchive<'_>, token: &Token) -> f64 {
    let weight = archive.weight(&token.stem);
    let general = !token.capital && (GENERAL.contains(&token.word) || GENERAL.contains(&token.stem));
    if general || token.class.has(Class::SAYS) { weight * 0.3 } else { weight }
}

/// The stems of a passage.
struct Passage {
    place: SourceLine,
    lines: Range<usize>,
    own: HashSet<u32>,
    beside: HashSet<u32>,
}

impl Passage {
    fn of(archive: &SourceArchive<'_>, place: SourceLine) -> Option<Self> {
        let reading = archive.reading(place)?;
        let paragraph = reading.paragraph(place.line);
        let lines = archive.window(place, 1);
        let lines = lines.start.max(paragraph.start)..lines.end.min(paragraph.end);
        let stems = |line: usize| reading.line_tokens(line).iter().map(|token| token.stem_id);
        let beside = lines.clone().filter(|line| *line != place.line).flat_map(stems);
        let label = reading.label_tokens(place.line).iter().map(|token| token.stem_id);
        let beside = beside.chain(label).collect();
        Some(Self { place, own: stems(place.line).collect(), beside, lines })
    }

    /// How far the passage has a stem: 1 in its sentence, less beside it, 0 if it has not.
    fn has(&self, stem: u32) -> f64 {
        if self.own.contains(&stem) {
            1.0
        } else if self.beside.contains(&stem) {
            BESIDE
        } else {
            0.0
        }
    }
}
