//! Whose words a statement of the draft is made of.
//!
//! The statement is held against every stretch of the sources that one voice speaks: how many of its words does it have, weighed by how
//! rare they are?

use std::{cmp::Reverse, ops::Range};

use foldhash::HashSet;

use crate::{
    binding::voices::{is_told, may_speak, same_voice, voice_of},
    reading::{Name, ParsedText, Token},
    sources::{ProofTexts, SourceLine},
    words::Class,
};

/// The share of a word's weight that counts if the source has only another word for the same.
const ALIKE: f64 = 0.6;

/// The weight of two words side by side, beside the weight of each alone.
const PAIR: f64 = 0.4;

/// A stretch has at most so many sentences.
const STRETCH: usize = 4;

/// Of the stretches, so many are compared: those with the most.
const STRETCHES: usize = 48;

/// The shares of two voices in a statement.
pub struct Balance {
    /// The weight of its words.
    pub all: f64,
    /// The most weight that a stretch has, if the named person speaks it or its voice is open.
    pub own: f64,
    /// Where the one named has it, if the source does not leave the voice open.
    pub place: Option<SourceLine>,
    /// The most weight that a stretch of another voice has.
    pub rival: Option<f64>,
}

/// A stretch: what it has, by weight, and its best sentence.
struct Stretch {
    weight: f64,
    /// Its first and its best sentence.
    from: usize,
    place: SourceLine,
}

/// Weighs what the sentence `line` says, without the words at `apart`, between the one named and everybody else whom it does not name.
/// Questions count only for `asks`.
pub fn weigh(
    texts: &ProofTexts<'_>,
    reading: &ParsedText<'_>,
    line: usize,
    apart: &Range<usize>,
    named: &Name,
    asks: bool,
) -> Option<Balance> {
    let archive = &texts.archive;
    let range = reading.lines.get(line)?.tokens.clone();
    let tokens: Vec<&Token> = range.filter(|at| !apart.contains(at)).filter_map(|at| reading.tokens.get(at)).collect();
    let told = |token: &&&Token| !token.stop && !token.aside() && !token.class.has(Class::SAYS);
    let mut seen = HashSet::default();
    let content = tokens.iter().filter(told).filter(|token| seen.insert(token.stem.clone()));
    let (mut wanted, mut stems, mut of) = (Vec::new(), Vec::new(), Vec::new());
    for token in content {
        let own = archive.forms.stem(&token.stem).filter(|_| archive.knows(&token.stem));
        let alike = archive.alike(token);
        let number = wanted.len();
        wanted.push(archive.weight(&token.stem));
        for (stem, share) in own.map(|stem| (stem, 1.0)).into_iter().chain(alike.iter().map(|stem| (*stem, ALIKE))) {
            stems.push(stem);
            of.push((number, share));
        }
    }
    let mut stretches = stretches(texts, &wanted, &stems, &of);
    let more = |one: &Stretch, other: &Stretch| other.weight.total_cmp(&one.weight).then(one.place.cmp(&other.place));
    stretches.sort_by(more);
    stretches.truncate(STRETCHES);
    // Two words side by side here and there say more than both alone: "standing charges".
    let pairs: Vec<(u32, u32, f64)> = tokens.windows(2).filter_map(|pair| pair_of(texts, pair)).collect();
    for stretch in &mut stretches {
        stretch.weight += joined(texts, stretch, &pairs);
    }
    stretches.sort_by(more);
    let mentioned = |voice: &Name| tokens.iter().any(|token| token.capital && token.word == voice.last());
    let all = wanted.iter().sum();
    let mut balance = Balance { all, own: 0.0, place: None, rival: None };
    for Stretch { weight, place, .. } in stretches {
        let asked = archive.reading(place).is_some_and(|text| text.line_text(place.line).ends_with('?'));
        match voice_of(texts, place) {
            Some(voice) if !may_speak(texts, named, voice) => {
                let counts = (asks || !asked) && !mentioned(voice) && !spoken_of(texts, place, named);
                if balance.rival.is_none() && counts {
                    balance.rival = Some(weight);
                }
            }
            _ if asked && !asks => {}
            voice => {
                balance.own = balance.own.max(weight);
                balance.place = balance.place.or(voice.filter(|voice| same_voice(texts, named, voice)).map(|_| place));
            }
        }
    }
    Some(balance)
}

/// Two content words side by side, with what it counts if a stretch has both so.
fn pair_of(texts: &ProofTexts<'_>, pair: &[&Token]) -> Option<(u32, u32, f64)> {
    let [one, two] = pair else { return None };
    let content = |token: &Token| !token.stop && !token.aside() && !token.class.has(Class::SAYS);
    let archive = &texts.archive;
    let close = content(one) && content(two) && two.start - one.end < 2;
    let worth = || PAIR * (archive.weight(&one.stem) + archive.weight(&two.stem));
    close.then(|| Some((archive.forms.stem(&one.stem)?, archive.forms.stem(&two.stem)?, worth()))).flatten()
}

/// The weight of the pairs in a stretch.
fn joined(texts: &ProofTexts<'_>, stretch: &Stretch, pairs: &[(u32, u32, f64)]) -> f64 {
    let lines = stretch.from..stretch.from + STRETCH;
    let tokens: Vec<&[Token]> = lines
        .map(|line| texts.archive.tokens(SourceLine { line, ..stretch.place }))
        .take_while(|line| !line.is_empty())
        .collect();
    let has = |one: u32, two: u32| {
        tokens
            .iter()
            .any(|line| line.windows(2).any(|pair| matches!(pair, [a, b] if a.stem_id == one && b.stem_id == two)))
    };
    pairs.iter().filter(|(one, two, _)| has(*one, *two)).map(|(.., worth)| worth).sum()
}

/// Whether the paragraph of a sentence names the person: another person may tell what they said.
fn spoken_of(texts: &ProofTexts<'_>, place: SourceLine, named: &Name) -> bool {
    let Some(reading) = texts.archive.reading(place) else { return false };
    let full = texts.draft_roster.who(named).map_or(named, |known| &known.name);
    let paragraph = reading.paragraph(place.line);
    // A sentence that names its own speaker tells only that speaker's words.
    let reach = if is_told(texts, place) { 0 } else { STRETCH };
    let near = paragraph.start.max(place.line.saturating_sub(reach))..paragraph.end.min(place.line + reach + 1);
    let is =
        |token: &Token| token.capital && !token.aside() && full.words.last().is_some_and(|last| *last == token.word);
    near.into_iter().any(|line| reading.line_tokens(line).iter().any(is))
}

/// The stretches of one voice that have any of the words. Each begins with a sentence that has one.
fn stretches(texts: &ProofTexts<'_>, wanted: &[f64], stems: &[u32], of: &[(usize, f64)]) -> Vec<Stretch> {
    let found = texts.archive.occurrences(stems);
    let mut stretches: Vec<Stretch> = Vec::new();
    let worth = |number: usize| {
        let (word, share) = of.get(number).copied().unwrap_or_default();
        (word, share * wanted.get(word).copied().unwrap_or_default())
    };
    let mut from = 0;
    while let Some((first, _)) = found.get(from) {
        let turns = texts.turns.get(first.source);
        let paragraph = |line: usize| texts.archive.readings.get(first.source)?.lines.get(line).map(|l| l.paragraph);
        let goes_on = |place: &SourceLine| {
            place.source == first.source
                && place.line < first.line + STRETCH
                && turns.is_some_and(|turns| turns.same(first.line, place.line))
                && (turns.is_some_and(|turns| turns.voice(first.line).is_some())
                    || paragraph(first.line) == paragraph(place.line))
        };
        let mut held = vec![0.0_f64; wanted.len()];
        let mut here: Vec<(usize, f64)> = Vec::new();
        for (place, number) in found.get(from..).unwrap_or_default().iter().take_while(|(place, _)| goes_on(place)) {
            let (word, worth) = worth(*number);
            if let Some(held) = held.get_mut(word) {
                *held = held.max(worth);
            }
            match here.last_mut() {
                Some((line, sum)) if *line == place.line => *sum += worth,
                _ => here.push((place.line, worth)),
            }
        }
        let best =
            here.iter().max_by(|one, other| one.1.total_cmp(&other.1).then(Reverse(one.0).cmp(&Reverse(other.0))));
        let line = best.map_or(first.line, |(line, _)| *line);
        stretches.push(Stretch { weight: held.iter().sum(), from: first.line, place: SourceLine { line, ..*first } });
        let next = found.get(from..).unwrap_or_default().iter().take_while(|(place, _)| place == first).count();
        from += next;
    }
    stretches
}
