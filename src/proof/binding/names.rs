//! Whether somebody named in a sentence takes part in what its passage says.

use crate::{
    proof::{
        binding::{
            alignment::{Alignment, Window},
            voices::{same_voice, voice_of},
        },
        reading::{Name, ParsedText, Token, grammar::Grammar},
        sources::{ProofTexts, SourceLine},
        words::{Class, base},
    },
    text::tagger::Tag,
};

/// A passage must have at least so much of the sentence.
const LEAST: f64 = 0.3;

/// The passages together must have so much of what the sentence says beside the name.
const BESIDE: f64 = 0.6;

/// What somebody does is said within so many words behind the name.
const DEED: usize = 3;

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
    let deed = deed(reading, &alignment.grammar, name).filter(|deed| name.personal() && !deed.stop);
    let bound =
        |window: &&Window| has(texts, window, name, speaks) && deed.is_none_or(|deed| does(texts, window, name, deed));
    alignment.windows.iter().filter(fits).find(bound).map(|window| window.place)
}

/// Whether a passage is the words of whoever does something in the draft, or says that it is done.
fn does(texts: &ProofTexts<'_>, window: &Window, name: &Name, deed: &Token) -> bool {
    let like = texts.archive.alike(deed);
    let tokens = || window.lines.clone().flat_map(|line| texts.archive.tokens(SourceLine { line, ..window.place }));
    voice_of(texts, window.place).is_some_and(|voice| same_voice(texts, name, voice))
        || tokens().any(|token| token.stem == deed.stem || like.contains(&token.stem_id))
}

/// The verb right behind a name, with an adverb between at most.
fn deed<'d>(reading: &'d ParsedText<'_>, grammar: &Grammar, name: &Name) -> Option<&'d Token> {
    let stretch = grammar.stretch(name.tokens.end.checked_sub(1)?);
    let behind = (name.tokens.end..stretch.end).take(DEED);
    let mut behind = behind.skip_while(|at| grammar.tag(*at) == Tag::Adverb);
    behind.next().filter(|at| grammar.tag(*at).is_verb()).and_then(|at| reading.tokens.get(at))
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

#[cfg(test)]
mod tests {
    use crate::{
        newsroom::{SpanKind, Standing},
        proof::{Gravity, ledger, trial::texts},
    };

    #[test]
    fn a_name_matches_if_the_passage_has_what_its_bearer_does() {
        let standing = |draft: &str| {
            let (article, sources) =
                texts(draft, "Ana Reyes quickly opened the new gate beside the old pond. The mayor sang.");
            let rows = ledger(&article, &sources, Gravity::Concern).rows;
            rows.into_iter().find(|row| row.kind == SpanKind::Name).map(|row| row.standing)
        };
        assert_eq!(standing("Ana Reyes opened the new gate beside the old pond."), Some(Standing::Matches));
        assert_eq!(
            standing("Ana Reyes quickly painted the new gate beside the old pond."),
            Some(Standing::StandsThere)
        );
    }
}
