//! The claim without its claimant: the source has a thing only as what somebody claims, the draft has it as a fact.
//!
//! Why: “the plant poisons the river, the group claims” without the group is the paper's own accusation. The rule needs a
//! passage that the sentence plainly was made from, a word of claiming in it, none in the draft's sentence, and no passage
//! as near that says it without one.

use crate::{
    newsroom::{ConcernType, SpanKind, Standing},
    proof::{
        ledger::LedgerWriter,
        reading::token::Token,
        rule::{Gravity, Rule},
        rules::meaning::sentence::DraftSentence,
        sources::archive::{LineHit, content},
        words::{
            class::Class,
            list::{WordList, words},
        },
    },
};

/// A claim without its claimant.
pub static RULE: Rule = Rule {
    name: "attribution.dropped",
    kind: SpanKind::Certainty,
    standing: Standing::Inflated,
    concern_type: ConcernType::AttributionGap,
    gravity: Gravity::Note,
    why: "In the source, this is a claim. The draft does not say whose.",
    source: "Verbs of claiming and opinion in the passage, none in the sentence made from it.",
    measured: None,
};

/// Words with which somebody claims, or gives a view of his own.
static CLAIMS: WordList = words(
    "accuse accused accuses accusing allege alleged alleges argue argued argues assert asserted asserts blame blamed blames \
     claim claimed claiming claims contend contended contends insist insisted insists maintains opinion opinions \
     purportedly reckon reckons supposedly",
);

/// Words with which a draft says whose view it is, beyond those and verbs of saying.
static VIEWS: WordList = words(
    "according believe believed believes called calls critics feel feels felt opponents reportedly supporters think \
     thinks thought view views",
);

/// Share of the sentence's weight that the passage must carry by itself.
const COVER: f64 = 0.6;

/// Share from which another passage counts as saying the same.
const SAME: f64 = 0.5;

/// Content words below which a sentence says too little to be traced.
const FEWEST: usize = 4;

/// Enters the sentence where it states what a source only has claimed.
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
    use crate::proof::trial::notes;

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
