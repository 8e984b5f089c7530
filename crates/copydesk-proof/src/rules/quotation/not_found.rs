//! A quotation that no source has.
//!
//! Why: words without a speaker are invented, however well they fit.

use crate::rules::prelude::*;

/// [`super::altered`] decides which of the two a quotation is.
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
    use crate::testing::check_texts;

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
        assert_eq!(rules("Calloway spoke of “sheer neglect,” she said."), ["quotation.not_found"]);
        assert_eq!(rules("Calloway called the gate “very evasive”."), ["quotation.not_found"]);
        // One word, or words that the source also has, may be a term.
        assert_eq!(rules("Calloway spoke of “neglect”."), [""; 0]);
        assert_eq!(rules("Calloway spoke of the “gate council”."), [""; 0]);
        assert_eq!(rules("The “friendly” gate opened."), [""; 0]);
    }
}
