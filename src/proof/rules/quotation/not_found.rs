//! A quotation whose words stand in no source.
//!
//! Why: words that nobody said are an invention, however well they fit.

use crate::{
    newsroom::{ConcernType, SpanKind, Standing},
    proof::rule::{Gravity, Measured, Rule},
};

/// The rule; [`super::altered`] tells which of the two a quotation is.
pub static RULE: Rule = Rule {
    name: "quotation.not_found",
    kind: SpanKind::Quotation,
    standing: Standing::NotFound,
    concern_type: ConcernType::UnsupportedFact,
    gravity: Gravity::Block,
    why: "Quote not found in any source.",
    source: "What stands between quotation marks is a promise that these are the words.",
    measured: Some(Measured { right: 558, of: 558, on: "the quotation set" }),
};

#[cfg(test)]
mod tests {
    use crate::proof::trial::check_texts;

    const SOURCE: &str =
        "Inez Calloway spoke. “I can get to the gate,” she said. The council praised “creative chaos”.";

    fn rules(draft: &str) -> Vec<String> {
        check_texts(draft, SOURCE).into_iter().map(|found| found.rule).collect()
    }

    #[test]
    fn words_that_nobody_said_are_not_found() {
        assert_eq!(rules("“The swings are rusty and someone will be hurt,” Calloway said."), ["quotation.not_found"]);
    }

    #[test]
    fn two_words_are_a_quotation_only_where_somebody_speaks_them() {
        assert_eq!(rules("“Never again,” Calloway said."), ["quotation.not_found"]);
        assert_eq!(rules("Calloway spoke of “sheer neglect,” she said."), [""; 0]);
        assert_eq!(rules("The “friendly” gate opened."), [""; 0]);
    }
}
