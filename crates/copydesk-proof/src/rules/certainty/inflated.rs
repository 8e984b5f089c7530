//! The dropped hedge: a sentence asserts what its passage leaves open.
//!
//! Why: “could reduce flooding” becomes “reduces flooding” one edit at a time. A finding needs a hedge right beside
//! the words that both share, no hedge in the draft's sentence, and no passage just as near that states it as fact.

use crate::{
    reading::hedges::{is_manner, openings},
    rules::{
        certainty::matter::{COVER, PLAIN},
        prelude::*,
    },
    sources::LineHit,
};

pub static RULE: Rule = Rule {
    name: "certainty.settled",
    kind: SpanKind::Certainty,
    standing: Standing::Inflated,
    concern_type: ConcernType::CertaintyInflation,
    why: "The source is less certain than the draft.",
    source: "A hedge (may, could, expected, estimated) belongs to the words beside it. A promise is not an expectation.",
    measured: Some(Measured { right: 4, of: 4, on: SUMMARIES }),
    ..Rule::USUAL
};

/// If the draft asserts the very word that is hedged, the passage and its neighbours must have this share of the
/// sentence.
const AROUND: f64 = 0.42;

/// Weight of a word that stands everywhere in the sources.
const COMMONPLACE: f64 = 1.2;

/// The word that a hedge leaves open stands at most so many words after it.
const REACH: usize = 6;

/// The passage from which the sentence was made, if it leaves open what the sentence asserts and no passage just as
/// near asserts it.
pub fn passage<'h>(archive: &SourceArchive<'_>, stems: &[&str], hits: &'h [LineHit]) -> Option<&'h LineHit> {
    let asked = |token: &&Token| !token.stop && stems.contains(&token.stem.as_str());
    let plain = hits.iter().filter(|hit| openings(archive.tokens(hit.place)).is_empty());
    let plain = plain.map(|hit| hit.cover).fold(0.0_f64, f64::max);
    hits.iter().find(|hit| {
        let Some(reading) = archive.reading(hit.place) else { return false };
        let tokens = archive.tokens(hit.place);
        // "Could you take care of it?" leaves nothing open except an answer.
        if reading.line_text(hit.place.line).trim_end_matches(['”', '"', ' ', '.']).ends_with('?') {
            return false;
        }
        openings(tokens).into_iter().filter(|at| !is_manner(tokens, *at)).any(|at| {
            let clause = clause(reading, tokens, at);
            let behind = tokens.get(at + 1..clause.end).unwrap_or_default();
            let same_thing = predicate(behind).is_some_and(|stem| {
                stems.contains(&stem)
                    && tokens.iter().filter(asked).any(|token| token.stem != stem)
                    && hit.around >= AROUND
                    && archive.weight(stem) > COMMONPLACE
                    && !asserted(archive, hits, stem)
            });
            // The clause paraphrases the sentence: it has most of the sentence's topic, on both sides of the hedge or behind it, and no
            // passage without a hedge has as much.
            let within = tokens.get(clause).unwrap_or_default().iter().filter(asked).count();
            let retold = within >= 3 && behind.iter().filter(asked).count() >= 2;
            same_thing || retold && hit.cover >= COVER && hit.cover > plain + 0.05
        })
    })
}

/// Words behind an `and` with which another statement begins: verbs and subjects.
static BEGINS_STATEMENT: WordList = words("is are was were has have will could may would it they the he she");

/// The clause around a word: up to punctuation, or to an `and` that begins another statement.
fn clause(reading: &ParsedText<'_>, tokens: &[Token], at: usize) -> Range<usize> {
    let breaks = |left: usize| {
        let (Some(one), Some(two)) = (tokens.get(left), tokens.get(left + 1)) else { return true };
        let gap = reading.slice(one.end..two.start);
        let verb = tokens.get(left + 2).map_or("", |token| token.word.as_str());
        let statement = BEGINS_STATEMENT.contains(verb);
        gap.contains([';', ':', '(', ')', '–', '—'])
            || gap.contains(',') && !matches!(two.word.as_str(), "maybe" | "perhaps" | "possibly" | "probably")
            || matches!(two.word.as_str(), "and" | "but" | "which" | "because" | "although") && statement
    };
    let start = (0..at).rev().find(|left| breaks(*left)).map_or(0, |left| left + 1);
    let end = (at..tokens.len()).find(|left| breaks(*left)).map_or(tokens.len(), |left| left + 1);
    start..end
}

/// The statement that a hedge leaves open: the first content word after it.
fn predicate(behind: &[Token]) -> Option<&str> {
    let vague =
        |token: &Token| matches!(token.word.as_str(), "roughly" | "approximately" | "least" | "close" | "there" | "be");
    let says = |token: &&Token| !token.stop && !vague(token) && openings(std::slice::from_ref(*token)).is_empty();
    behind.iter().take(REACH).find(says).map(|token| token.stem.as_str())
}

/// Whether a passage that is near enough has the word without a hedge.
fn asserted(archive: &SourceArchive<'_>, hits: &[LineHit], stem: &str) -> bool {
    hits.iter().filter(|hit| hit.cover >= PLAIN).any(|hit| {
        let tokens = archive.tokens(hit.place);
        openings(tokens).is_empty() && tokens.iter().any(|token| token.stem == stem)
    })
}

#[cfg(test)]
mod tests {
    use crate::{rules::certainty::given::rules, testing::check_texts};

    #[test]
    fn what_the_source_leaves_open_is_no_fact() {
        assert_eq!(
            rules("It will reduce flooding on Canal Road by one third in a ten-year storm."),
            ["certainty.settled"]
        );
        assert_eq!(
            rules("A model suggests it could reduce flooding on Canal Road by one third in a ten-year storm."),
            [""; 0]
        );
        assert_eq!(rules("The town laid new pipes in 2019."), [""; 0]);
    }

    #[test]
    fn an_offer_leaves_nothing_open() {
        let source = "ANN: I could teach you how to cook spicy chicken in the old kitchen.\n\nMIKE: Maybe we should meet the whole \
                      family at the harbour.\n\nANN: You are supposed to bring the boat keys to the office.";
        for fine in [
            "Ann teaches Mike to cook spicy chicken in the old kitchen.",
            "They meet the whole family at the harbour.",
            "Mike brings the boat keys to the office.",
        ] {
            assert_eq!(check_texts(fine, source), [], "{fine}");
        }
    }
}
