//! Whether a person who is named in a sentence takes part in the events of its passage.

use std::ops::Range;

use foldhash::HashSet;

use crate::{
    binding::{
        alignment::{Alignment, Window},
        voices::{Telling, asker, has_turns, same_voice, teller, voice_of},
    },
    reading::{Name, ParsedText, Token},
    sources::{ProofTexts, SourceLine},
    words::{Class, base},
};

/// A passage must have at least so much of the sentence, the name apart.
const LEAST: f64 = 0.3;

/// And so much of the words that the sentence attributes to a person.
const TOLD: f64 = 0.4;

/// The passages together must have so much of what the sentence says beside the name.
const BESIDE: f64 = 0.6;

/// The speaker is named at most so many words from the verb.
const SPEAKS: usize = 4;

/// The passage in which the person or thing takes part. If the draft quotes or reports a person, the person speaks in that passage.
pub fn takes_part(
    texts: &ProofTexts<'_>,
    reading: &ParsedText<'_>,
    alignment: &Alignment,
    name: &Name,
) -> Option<SourceLine> {
    if !whole(texts, reading, alignment, name) || alignment.share_without(&name.tokens) < BESIDE {
        return None;
    }
    let speaks = tells(texts, reading, name).unwrap_or_else(|| speaks(reading, name));
    let least = if speaks { TOLD } else { LEAST };
    let fits = |window: &&Window| {
        carries(texts, reading, alignment, window, name) >= least && !joins_another(texts, reading, window, name)
    };
    alignment.windows.iter().filter(fits).find(|window| has(texts, window, name, speaks)).map(|window| window.place)
}

/// Whether a passage has the whole of a name that `of` joins to another: `Bureau of Land Management`, and not only a bureau. The name
/// stands in a paragraph of the passages.
fn whole(texts: &ProofTexts<'_>, reading: &ParsedText<'_>, alignment: &Alignment, name: &Name) -> bool {
    let Range { start, end } = chain(reading, name);
    if (start, end) == (name.tokens.start, name.tokens.end) {
        return true;
    }
    let tokens = reading.tokens.get(start..end).unwrap_or_default().iter();
    let words: Vec<&str> = tokens.filter(|token| token.capital).map(|token| base(&token.word)).collect();
    alignment.windows.iter().any(|window| {
        let Some(source) = texts.archive.reading(window.place) else { return false };
        let paragraph = source.paragraph(window.place.line);
        let mut lines = paragraph.start.saturating_sub(1)..paragraph.end;
        lines.any(|line| {
            let tokens = source.line_tokens(line);
            let here = |word: &&str| tokens.iter().any(|token| token.capital && base(&token.word) == *word);
            words.iter().all(here)
        })
    })
}

/// The words from the first to the last of the names that `of` joins to one.
fn chain(reading: &ParsedText<'_>, name: &Name) -> Range<usize> {
    let line = reading.line_of(&name.tokens);
    let token = |at: usize| reading.tokens.get(at).filter(|token| token.line == line);
    let is = |at: usize, word: &str| token(at).is_some_and(|token| token.word == word);
    let capital = |at: usize| token(at).is_some_and(|token| token.capital);
    let Range { mut start, mut end } = name.tokens;
    if is(end, "of") {
        let next = end + 1 + usize::from(is(end + 1, "the"));
        if capital(next) {
            end = (next..reading.tokens.len()).find(|at| !capital(*at)).unwrap_or(reading.tokens.len());
        }
    }
    if start > 1 && is(start - 1, "of") && capital(start - 2) {
        start = (0..start - 1).rev().find(|at| !capital(*at)).map_or(0, |at| at + 1);
    }
    start..end
}

/// How much of the sentence a passage has by itself, the name apart.
fn carries(
    texts: &ProofTexts<'_>,
    reading: &ParsedText<'_>,
    alignment: &Alignment,
    window: &Window,
    name: &Name,
) -> f64 {
    let archive = &texts.archive;
    let Some(source) = archive.reading(window.place) else { return 0.0 };
    let there: HashSet<u32> =
        window.lines.clone().flat_map(|line| source.line_tokens(line)).map(|token| token.stem_id).collect();
    let held = |token: &Token| {
        let own = archive.forms.stem(&token.stem).is_some_and(|stem| there.contains(&stem));
        own || archive.alike(token).iter().any(|stem| there.contains(stem))
    };
    let (mut has, mut all) = (0.0, 0.0);
    for word in alignment.words.iter().filter(|word| !name.tokens.contains(&word.at)) {
        all += word.weight;
        has += if reading.tokens.get(word.at).is_some_and(held) { word.weight } else { 0.0 };
    }
    if all > 0.0 { has / all } else { 1.0 }
}

/// Whether the passage joins another name to the one that the draft joins to this: `Ruud and Dahl` for `Ruud and Berg`.
fn joins_another(texts: &ProofTexts<'_>, reading: &ParsedText<'_>, window: &Window, name: &Name) -> bool {
    let token = |at: usize| reading.tokens.get(at);
    let joined = name.tokens.start.checked_sub(2).filter(|at| token(at + 1).is_some_and(|token| token.word == "and"));
    let Some(first) = joined.and_then(token).filter(|token| token.capital) else { return false };
    let there = texts.archive.tokens(window.place);
    let pairs = there.windows(3).filter_map(|three| match three {
        [one, and, other] if base(&one.word) == base(&first.word) && and.word == "and" && other.capital => Some(other),
        _ => None,
    });
    let mut others = pairs.peekable();
    others.peek().is_some() && others.all(|other| !name.words.iter().any(|word| base(&other.word) == word))
}

/// Whether the draft says that the one named speaks: `Reyes later said`, `said Mayor Ana Reyes`, and not `Berg told Reyes that …`.
fn speaks(reading: &ParsedText<'_>, name: &Name) -> bool {
    let line = reading.line_of(&name.tokens);
    let token = |at: usize| reading.tokens.get(at).filter(|token| token.line == line && !token.quoted());
    let says = |token: &Token| token.class.has(Class::SAYS);
    let behind = (name.tokens.end..name.tokens.end + SPEAKS).map_while(token).take_while(|token| !token.capital);
    if behind.into_iter().any(says) {
        return true;
    }
    let title = |token: &&Token| token.capital || token.stop && !says(token) && token.word != "that";
    let from = name.tokens.start.saturating_sub(SPEAKS);
    let before = (from..name.tokens.start).rev().filter_map(|at| Some((at, token(at)?)));
    let verb = before.into_iter().find(|(_, token)| !title(token));
    let Some((at, verb)) = verb.filter(|(_, token)| says(token) || token.word == "according") else { return false };
    // "Berg told Reyes": she listens, unless a quotation stands before the verb.
    let told = matches!(verb.word.as_str(), "told" | "tells" | "asked" | "asks");
    !told || at.checked_sub(1).and_then(|at| reading.tokens.get(at)).is_some_and(Token::quoted)
}

/// Whether the sentence tells what the one named says, asks or demands. None if it does not show who speaks.
fn tells(texts: &ProofTexts<'_>, reading: &ParsedText<'_>, name: &Name) -> Option<bool> {
    let field = texts.fields.iter().find(|field| std::ptr::eq(&raw const field.reading, reading))?;
    let line = reading.line_of(&name.tokens);
    let (telling, asks) = match teller(reading, &field.names, line) {
        Some(telling) => (telling, false),
        None => (asker(reading, &field.names, line)?, true),
    };
    let own = match telling {
        Telling::By(teller) => teller.tokens == name.tokens,
        // "The administrator of the Harbour Office said"
        Telling::Office(tokens) => tokens.contains(&name.tokens.start),
        Telling::Open => false,
    };
    // A reporter who asks may have no turn of their own.
    Some(own && (!asks || has_turns(texts, name)))
}

/// Whether the one named has the turn before or behind a passage of a transcript. A person who is told or asked something speaks there.
fn beside(texts: &ProofTexts<'_>, place: SourceLine, name: &Name) -> bool {
    let Some((reading, names)) = texts.archive.reading(place).zip(texts.source_names.get(place.source)) else {
        return false;
    };
    let Some(line) = reading.lines.get(place.line) else { return false };
    let at = reading.labels.partition_point(|label| label.start < line.end);
    let turns = [at.checked_sub(2), Some(at)];
    turns.into_iter().flatten().filter_map(|at| reading.labels.get(at)).any(|label| {
        let first = names.partition_point(|name| name.end <= label.start);
        names.get(first).is_some_and(|voice| voice.start < label.end && same_voice(texts, name, voice))
    })
}

fn has(texts: &ProofTexts<'_>, window: &Window, name: &Name, speaks: bool) -> bool {
    let archive = &texts.archive;
    let Some(reading) = archive.reading(window.place) else { return false };
    let named = |tokens: &[Token]| {
        name.words.iter().all(|word| tokens.iter().any(|token| token.capital && base(&token.word) == word.as_str()))
            || tokens.iter().any(|token| token.capital && base(&token.word) == name.last())
    };
    let label = reading.label(window.place.line);
    if named(reading.label_tokens(window.place.line)) {
        return true;
    }
    let paragraph = reading.paragraph(window.place.line);
    let lines = window.lines.clone().map(|line| reading.line_tokens(line));
    let here = || lines.clone().any(named);
    // "She said so": whoever is meant was named before, in the paragraph or the one before.
    let before = reading.paragraph(paragraph.start.saturating_sub(1)).start..window.lines.start;
    let means = |token: &Token| matches!(&*token.word, "he" | "she" | "they" | "it" | "his" | "her" | "their");
    let pronoun = lines.clone().flatten().any(means);
    let earlier = || pronoun && before.clone().any(|line| named(reading.line_tokens(line)));
    if !speaks {
        return here() || earlier() || beside(texts, window.place, name);
    }
    // A body has no turn: the sentence itself says who tells it.
    let own = reading.line_tokens(window.place.line);
    let person = name.titled || name.words.len() > 1 && name.personal() || has_turns(texts, name);
    if !person && named(own) {
        return true;
    }
    // Another one's words are not theirs, whoever they speak of.
    match voice_of(texts, window.place) {
        Some(voice) => same_voice(texts, name, voice),
        None => label.is_none() && (here() || earlier()),
    }
}
