//! Looks up passages, word for word or by their content, for a concern that no rule has raised.

use crate::{
    reading::{ParsedText, Stream, Token, denies},
    sources::{SourceArchive, content, siblings},
};
use copydesk_newsroom::{Source, SourceSpan};

/// The passage that has `words`, whatever its case, white space and punctuation. None for fewer than two words.
#[must_use]
pub fn verbatim(words: &str, sources: &[Source]) -> Option<SourceSpan> {
    let wanted = ParsedText::new(words);
    if wanted.tokens.len() < 2 {
        return None;
    }
    let archive = SourceArchive::new(sources);
    let stream = Stream::new(&archive.readings, &archive.forms);
    let needle: Vec<u32> = wanted.tokens.iter().map(|token| stream.look_up(&token.word)).collect();
    let found = stream.find(&[needle], 1).into_iter().next()?;
    archive.words(found.source, &found.whole())
}

/// A passage of one or two neighbouring sentences with every content word and every figure of `claim`, and with a
/// denial if the claim has one.
#[must_use]
pub fn carried(claim: &str, sources: &[Source]) -> Option<SourceSpan> {
    let wanted = ParsedText::new(claim);
    let stems = content(&wanted.tokens);
    if stems.is_empty() {
        return None;
    }
    let denied = wanted.tokens.iter().any(denies);
    let archive = SourceArchive::new(sources);
    archive.passages(&stems, 6).into_iter().find_map(|hit| {
        let place = hit.place;
        [place.line..place.line + 1, place.line..place.line + 2, place.line.saturating_sub(1)..place.line + 1]
            .into_iter()
            .find_map(|lines| {
                let reading = archive.readings.get(place.source)?;
                let tokens: Vec<&Token> = lines.clone().flat_map(|line| reading.line_tokens(line)).collect();
                let words = stems.iter().all(|stem| tokens.iter().any(|token| token.stem == **stem));
                let figures = wanted.figures.iter().all(|figure| {
                    lines.clone().any(|line| siblings(reading, line).iter().any(|theirs| figure.same(theirs)))
                });
                let same = denied == archive.tokens(place).iter().any(denies);
                (words && figures && same).then(|| archive.sentences(place.source, lines)).flatten()
            })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_is_carried_whole_or_not_at_all() {
        let sources = [Source {
            name: "s".to_owned(),
            text: "The park opened in 1958. It has no pond and covers 11.6 acres on Canal Road.".to_owned(),
        }];
        assert_eq!(verbatim("the park opened in 1958", &sources).map(|span| span.start), Some(0));
        assert!(verbatim("the park opened in 1959", &sources).is_none());
        assert!(carried("The park on Canal Road has no pond.", &sources).is_some());
        assert!(carried("The park covers 12 acres.", &sources).is_none());
    }
}
