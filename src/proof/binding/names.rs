//! Whether somebody named in a sentence takes part in what its passage says.

use crate::proof::{
    binding::{
        alignment::{Alignment, Window},
        voices::{same_voice, voice_of},
    },
    reading::{Name, ParsedText, Token},
    sources::{ProofTexts, SourceLine},
    words::{Class, base},
};

/// A passage must have at least so much of the sentence.
const LEAST: f64 = 0.3;

/// The passages together must have so much of what the sentence says beside the name.
const BESIDE: f64 = 0.6;

/// Whoever speaks is named at most so many words from the verb.
const SPEAKS: usize = 4;

/// The passage in which the person or thing takes part. If the draft lets somebody speak, that is a passage of theirs.
pub fn takes_part(
    texts: &ProofTexts<'_>,
    reading: &ParsedText<'_>,
    alignment: &Alignment,
    name: &Name,
) -> Option<SourceLine> {
    let speaks = speaks(reading, name);
    if alignment.share_without(&name.tokens) < BESIDE {
        return None;
    }
    let fits = |window: &&Window| window.share >= LEAST || alignment.share() >= LEAST;
    alignment.windows.iter().filter(fits).find(|window| has(texts, window, name, speaks)).map(|window| window.place)
}

/// Whether the draft says that the one named speaks.
fn speaks(reading: &ParsedText<'_>, name: &Name) -> bool {
    let from = name.tokens.start.saturating_sub(SPEAKS);
    let near = reading.tokens.get(from..name.tokens.end + SPEAKS).unwrap_or_default();
    let line = reading.line_of(&name.tokens);
    near.iter().any(|token| token.line == line && token.class.has(Class::SAYS) && !token.quoted())
}

fn has(texts: &ProofTexts<'_>, window: &Window, name: &Name, speaks: bool) -> bool {
    let archive = &texts.archive;
    let Some(reading) = archive.reading(window.place) else { return false };
    let named = |tokens: &[Token]| {
        name.words.iter().all(|word| tokens.iter().any(|token| token.capital && base(&token.word) == word.as_str()))
            || tokens.iter().any(|token| token.capital && base(&token.word) == name.last())
    };
    let label = reading.lines.get(window.place.line).and_then(|line| reading.labels.get(line.label?));
    let label = label.map(|range| reading.between(range.start, range.end));
    if label.is_some_and(named) {
        return true;
    }
    let paragraph = reading.paragraph(window.place.line);
    let lines = window.lines.clone().map(|line| reading.line_tokens(line));
    let here = || lines.clone().any(named);
    // "She said so": whoever is meant was named before, in the paragraph or the one before.
    let before = reading.paragraph(paragraph.start.saturating_sub(1)).start..window.lines.start;
    let pronoun = lines
        .clone()
        .flatten()
        .any(|token| matches!(token.word.as_str(), "he" | "she" | "they" | "it" | "his" | "her" | "their"));
    let earlier = || pronoun && before.clone().any(|line| named(reading.line_tokens(line)));
    if !speaks {
        return here() || earlier();
    }
    // Another one's words are not theirs, whoever they speak of.
    match voice_of(texts, window.place) {
        Some(voice) => same_voice(texts, name, voice),
        None => label.is_none() && (here() || earlier()),
    }
}
