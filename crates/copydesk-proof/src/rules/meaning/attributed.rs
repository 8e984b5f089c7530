//! A claim without its claimant: the source reports what somebody claims, the draft states it as a fact.
//!
//! Why: without the group, “the plant poisons the river, the group claims” is the paper's own accusation. A finding
//! needs a passage from which the sentence clearly was made, with a verb of claiming. The draft's sentence must have
//! none, and no passage just as near may state it without one.

use crate::{
    rules::{meaning::sentence::DraftSentence, prelude::*},
    sources::{LineHit, content},
    words::Class,
};

pub static RULE: Rule = Rule {
    name: "attribution.dropped",
    kind: SpanKind::Certainty,
    standing: Standing::Inflated,
    concern_type: ConcernType::AttributionGap,
    gravity: Gravity::Note,
    why: "In the source, this is a claim. The draft does not say whose.",
    source: "The passage has a verb of claiming or opinion, and the sentence made from it has none.",
    measured: None,
};

/// Words for claiming something, or for giving an opinion.
static CLAIMS: WordList = words(include_str!("../../../../../assets/words/claiming.txt"));

/// Other words with which a draft says whose view it is, besides verbs of saying.
static VIEWS: WordList = words(include_str!("../../../../../assets/words/views.txt"));

/// The passage alone must have this share of the sentence's weight.
const COVER: f64 = 0.6;

/// A passage with this share says the same.
const SAME: f64 = 0.5;

/// A sentence with fewer content words says too little to be traced.
const FEWEST: usize = 4;

/// Enters the sentence if it states as fact what a source only reports as a claim.
pub fn check(ledger: &mut LedgerWriter<'_, '_>, sentence: &DraftSentence<'_, '_>) {
    let quotes = sentence.tokens.iter().any(Token::quoted);
    if !ledger.asks(&RULE) || quotes || attributes(sentence.tokens) {
        return;
    }
    let stems = content(sentence.tokens);
    if stems.len() < FEWEST {
        return;
    }
    let hits = sentence.archive.passages(&stems, 6);
    let claimed = |hit: &LineHit| sentence.archive.tokens(hit.place).iter().any(|token| CLAIMS.contains(&token.word));
    let Some(best) = hits.first().filter(|hit| hit.cover >= COVER && claimed(hit)) else { return };
    if hits.iter().any(|hit| hit.cover >= SAME && !claimed(hit)) {
        return;
    }
    ledger.enter(sentence.whole(&RULE, RULE.why.to_owned(), sentence.archive.sentence(best.place)));
}

/// Whether a sentence of the draft says whose view it gives.
fn attributes(tokens: &[Token]) -> bool {
    tokens
        .iter()
        .any(|token| token.class.has(Class::SAYS) || CLAIMS.contains(&token.word) || VIEWS.contains(&token.word))
}

#[cfg(test)]
mod tests {
    use crate::testing::notes;

    const SOURCE: &str =
        "The Ellery Group claims that the plant on Canal Road poisons the river. The plant opened in spring.";

    fn found(draft: &str, source: &str) -> Vec<(String, Option<String>)> {
        notes(draft, source).into_iter().map(|row| (row.rule, row.passage.map(|span| span.text))).collect()
    }

    #[test]
    fn a_claim_without_its_claimant_is_noted_with_its_passage() {
        let passage = "The Ellery Group claims that the plant on Canal Road poisons the river.";
        assert_eq!(
            found("The plant on Canal Road poisons the river.", SOURCE),
            [("attribution.dropped".to_owned(), Some(passage.to_owned()))]
        );
    }

    #[test]
    fn a_claim_with_its_claimant_and_a_fact_that_the_source_states_are_not() {
        for draft in [
            "The plant on Canal Road poisons the river, according to the Ellery Group.",
            "The plant on Canal Road poisons the river, the group says.",
            "The plant opened in spring.",
        ] {
            assert_eq!(found(draft, SOURCE), [], "{draft}");
        }
        let stated = format!("{SOURCE} Tests show that the plant on Canal Road poisons the river.");
        assert_eq!(found("The plant on Canal Road poisons the river.", &stated), []);
    }
}
