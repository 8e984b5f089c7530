//! A reversed vote: `voted against` for `voted for`, `eight to two` for `seven to two`.
//!
//! Why: no dictionary lists `for` and `against` as opposites, both are everywhere, and so are small numbers in words.
//! But a vote is always told in one short sentence. The rule reads the sources' sentences on a vote with the same
//! topic, and reports the draft only if all of them differ from it.

use crate::{
    reading::near,
    rules::{meaning::sentence::DraftSentence, prelude::*},
    sources::{content, siblings},
};

pub static SIDE: Rule = Rule {
    name: "vote.side",
    kind: SpanKind::Certainty,
    standing: Standing::Denied,
    why: "The source reports the other side of this vote.",
    source: "“For”, “in favour of” and “against” after a verb of voting, in sentences on a vote with the same names.",
    ..Rule::USUAL
};

pub static TALLY: Rule = Rule {
    name: "vote.tally",
    standing: Standing::Contradicted,
    kind: SpanKind::Number,
    why: "The source reports another result of this vote.",
    source: "The two numbers of a tally, in the sentences on the same vote.",
    ..SIDE
};

static VOTES: WordList = words("vote voted votes voting");

/// A sentence of a source is about the same vote if it has this share of the weight.
const COVER: f64 = 0.5;

/// Enters a vote that the sources report otherwise.
pub fn check(
    ledger: &mut LedgerWriter<'_, '_>,
    sentence: &DraftSentence<'_, '_>,
    reading: &ParsedText<'_>,
    line: usize,
) {
    if !(ledger.asks(&SIDE) || ledger.asks(&TALLY)) || !sentence.tokens.iter().any(|token| VOTES.contains(&token.word))
    {
        return;
    }
    let stems = content(sentence.tokens);
    let hits = sentence.archive.passages(&stems, 6);
    let places: Vec<SourceLine> = hits.into_iter().filter(|hit| hit.cover >= COVER).map(|hit| hit.place).collect();
    if let Some((token, side)) = side(sentence.tokens) {
        // The passage must name the same person, since members vote differently.
        let named = |place: SourceLine| {
            let theirs = sentence.archive.tokens(place);
            let mut names = sentence.tokens.iter().filter(|token| sentence.names(token)).peekable();
            names.peek().is_none() || names.any(|name| theirs.iter().any(|token| token.word == name.word))
        };
        let sides: Vec<(SourceLine, bool)> = places
            .iter()
            .filter(|place| named(**place))
            .filter_map(|place| Some((*place, side_of(sentence.archive.tokens(*place))?)))
            .collect();
        if let Some((place, _)) = sides.first()
            && sides.iter().all(|(_, other)| *other != side)
        {
            let there = if side { "against" } else { "for" };
            let note = format!("The source reports a vote {there} it.");
            ledger.enter(sentence.found(&SIDE, token, note, sentence.archive.sentence(*place)));
        }
    }
    let Some((figure, mine)) = tally(siblings(reading, line)) else { return };
    let tallies: Vec<(SourceLine, (f64, f64))> = places
        .iter()
        .filter_map(|place| Some((*place, tally(siblings(sentence.archive.reading(*place)?, place.line))?.1)))
        .collect();
    let same = |theirs: (f64, f64)| near(theirs.0, mine.0) && near(theirs.1, mine.1);
    if let Some((place, theirs)) = tallies.first()
        && !tallies.iter().any(|(_, theirs)| same(*theirs))
        && let Some(token) = reading.tokens.get(figure.tokens.start)
    {
        let note = format!("The source has {} to {} here.", theirs.0, theirs.1);
        ledger.enter(sentence.found(&TALLY, token, note, sentence.archive.sentence(*place)));
    }
}

/// The side of a vote and the word that says so; true means in favour.
fn side(tokens: &[Token]) -> Option<(&Token, bool)> {
    tokens.iter().enumerate().find_map(|(at, verb)| {
        if !VOTES.contains(&verb.word) {
            return None;
        }
        let next = tokens.get(at + 1..(at + 3).min(tokens.len()))?;
        next.iter().find_map(|token| match token.word.as_str() {
            "for" | "favor" | "favour" => Some((token, true)),
            "against" => Some((token, false)),
            _ => None,
        })
    })
}

fn side_of(tokens: &[Token]) -> Option<bool> {
    side(tokens).map(|(_, side)| side)
}

/// The first tally among figures, the larger number first.
fn tally(figures: &[Figure]) -> Option<(&Figure, (f64, f64))> {
    figures.iter().find_map(|figure| {
        let partner = figure.partner?;
        Some((figure, (figure.value.max(partner), figure.value.min(partner))))
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::rules_of;

    const SOURCE: &str = "Councilmember Thomas Pruitt voted for the park plan on Tuesday. Ada Lee voted against the park plan. \
                          The council voted seven to two to renovate Miller Park. The board voted 6-1 to close the old bridge.";

    fn found(draft: &str) -> Vec<String> {
        rules_of(draft, SOURCE).into_iter().filter(|rule| rule.starts_with("vote.")).collect()
    }

    #[test]
    fn the_other_side_of_a_vote_is_found() {
        assert_eq!(found("Councilmember Thomas Pruitt voted against the park plan."), ["vote.side"]);
        assert_eq!(found("Ada Lee voted in favor of the park plan."), ["vote.side"]);
        assert!(found("Councilmember Thomas Pruitt voted for the park plan.").is_empty());
        assert!(found("Ada Lee voted against the park plan on Tuesday.").is_empty());
        assert!(found("Piet de Vries voted against the museum budget.").is_empty(), "nobody speaks of that vote");
    }

    #[test]
    fn another_result_of_a_vote_is_found() {
        assert_eq!(found("The council voted eight to two to renovate Miller Park."), ["vote.tally"]);
        assert_eq!(found("The council voted 8–2 to renovate Miller Park."), ["vote.tally"]);
        assert!(found("The council voted seven to two to renovate Miller Park.").is_empty());
        assert!(found("The council voted 7-2 to renovate Miller Park.").is_empty());
        assert!(found("The board voted six to one to close the old bridge.").is_empty());
    }
}
