//! Promises and proofs: the draft says `will be out in nine weeks` or `that explains the drop`. The source only expects
//! or supposes it.

use crate::{
    reading::hedges::{disclaims, openings},
    rules::{
        certainty::{
            inflated::clause,
            matter::{PLAIN, matter},
        },
        prelude::*,
    },
    sources::{LineHit, siblings},
};

/// The passage of a promise or a proof, if it leaves the matter open and no passage with as much states it plainly. It
/// must share the figures or nearly the whole topic of the sentence.
pub fn passage(
    archive: &SourceArchive<'_>,
    (reading, index): (&ParsedText<'_>, usize),
    spoken: &[Token],
    at: usize,
    hits: &[LineHit],
) -> Option<SourceLine> {
    let marker = spoken.get(at).map_or("", |token| token.stem.as_str());
    let mut asked = matter(spoken);
    asked.retain(|stem| *stem != marker);
    let figures = siblings(reading, index);
    // Only the hedge's own clause counts: "the number is 28, and we expect to fill them soon" leaves no number open.
    let shares = |place: SourceLine| {
        let (tokens, source) = (archive.tokens(place), archive.reading(place));
        let hedged = openings(tokens).into_iter().map(|at| clause(source, tokens, at));
        let whole = disclaimed(archive, place).then_some(0..tokens.len());
        hedged
            .chain(whole)
            .map(|range| {
                let tokens = tokens.get(range).unwrap_or_default();
                let words = asked.iter().filter(|stem| tokens.iter().any(|token| token.stem == ***stem)).count();
                let bytes = tokens.first().map_or(0, |token| token.start)..tokens.last().map_or(0, |token| token.end);
                let held = source.map_or(&[][..], |source| source.figures_between(bytes.start, bytes.end));
                (words, figures.iter().filter(|figure| held.iter().any(|theirs| figure.same(theirs))).count())
            })
            .max()
            .unwrap_or_default()
    };
    // "Could you say whether it is planned?" leaves nothing open except an answer.
    let asks =
        |place: SourceLine| archive.reading(place).is_some_and(|source| source.line_text(place.line).ends_with('?'));
    let open =
        |place: SourceLine| !asks(place) && (!openings(archive.tokens(place)).is_empty() || disclaimed(archive, place));
    let plain = hits.iter().filter(|hit| !open(hit.place)).map(|hit| hit.cover).fold(0.0_f64, f64::max);
    let found = hits.iter().filter(|hit| open(hit.place)).find(|hit| {
        let (words, same) = shares(hit.place);
        let nearly = words + 1 >= asked.len() && words >= 2;
        (words >= 3 && same >= 1 || nearly) && hit.cover >= PLAIN && hit.cover > plain + 0.05
    });
    found.map(|hit| hit.place)
}

/// Whether the next sentence says that this is not known, promised or tested.
fn disclaimed(archive: &SourceArchive<'_>, place: SourceLine) -> bool {
    let next = SourceLine { line: place.line + 1, ..place };
    let beside = archive.line(place).zip(archive.line(next)).is_some_and(|(a, b)| a.paragraph == b.paragraph);
    beside && disclaims(archive.tokens(next))
}

#[cfg(test)]
mod tests {
    use crate::testing::check_texts;

    #[test]
    fn a_promise_is_no_expectation() {
        let source = "BERG: I would expect the first trial report in about nine weeks.\n\nBERG: Part of the drop in catches may be \
                      due to the warm spring.\n\nLUND: We would expect spills to fall, maybe four or five percentage points. I can’t \
                      promise it.\n\nThe number of boats is 28, and we expect to sell two of \
                      them.\n\nQ: Could you say whether the ferry’s licence may be reviewed in May?";
        let rules = |draft: &str| check_texts(draft, source).into_iter().map(|f| f.rule).collect::<Vec<_>>();
        for faulty in [
            "A first trial report will be out in nine weeks.",
            "That explains part of the drop in catches.",
            "The plan will cut spills by four or five points.",
        ] {
            assert_eq!(rules(faulty), ["certainty.settled"], "{faulty}");
        }
        for fine in [
            "A first trial report is due to be out in nine weeks.",
            "The report is set to be out in nine weeks.",
            "That may explain part of the drop in catches.",
            "The harbour will have 28 boats.",
            "The ferry’s licence will be reviewed in May.",
        ] {
            assert_eq!(rules(fine), [""; 0], "{fine}");
        }
    }
}
