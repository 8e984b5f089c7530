//! Who has a turn in the sources, and which office a name stands for.

use std::ops::Range;

use crate::{
    reading::{Name, ParsedText},
    sources::{ProofTexts, turns},
    words::{base, is_title},
};

/// Whether the person named in the draft is the speaker in a source, as far as names tell.
pub fn same_voice(texts: &ProofTexts<'_>, named: &Name, voice: &Name) -> bool {
    let named = texts.draft_roster.who(named).map_or(named, |known| &known.name);
    let named = if named.words.len() == 1 { texts.roster.who(named).map_or(named, |known| &known.name) } else { named };
    let full = texts.roster.who(voice).map_or(voice, |known| &known.name);
    full.may_be(named) || voice.may_be(named) || voice.last() == named.last()
}

/// Whether the person speaks in the sources in their own name.
pub fn has_turns(texts: &ProofTexts<'_>, named: &Name) -> bool {
    texts.turns.iter().flat_map(turns::SpokenTurns::voices).any(|voice| {
        let full = texts.roster.who(voice).map_or(voice, |known| &known.name);
        turns::is_office(named) == turns::is_office(voice)
            && (full.may_be(named) || voice.may_be(named) || voice.last() == named.last())
    })
}

/// The office that a name is only one word of: the `Prime` of `the Prime Minister`.
pub fn office_named(reading: &ParsedText<'_>, name: &Name) -> Option<Name> {
    let tokens: Range<usize> = name.tokens.start.checked_sub(1)?..name.tokens.end + 1;
    let [article, .., head] = reading.tokens.get(tokens.clone())? else { return None };
    let words = reading.tokens.get(tokens.clone())?.iter().map(|token| base(&token.word).to_owned()).collect();
    let holds = is_title(base(&head.word)) || turns::CHAIRS.contains(&head.word);
    (article.word == "the" && holds).then(|| Name {
        start: article.start,
        end: head.end,
        tokens,
        words,
        ..Name::default()
    })
}
