//! The ledger: what a program can prove about a draft, held against its sources.
//!
//! Each rule is one file that begins with why. The rules run from the strongest to the weakest, quotations, figures,
//! names, certainty, support, and a stretch of the draft that one has reported is not reported by a later one. They look
//! things up; they never guess at meaning, and where a source leaves a thing open, so do they: a finding that a journalist
//! must wave away costs more than one that a human reviewer adds. Nothing here reads a file, a clock or a network.

mod archive;
mod bearing;
mod bindings;
mod calendar;
mod certainty;
mod desk;
mod figure;
mod figures;
mod hedges;
mod identities;
mod lists;
mod lookup;
mod marks;
mod negation;
mod numbers;
mod people;
mod quotations;
mod reading;
mod retractions;
mod roles;
mod speakers;
mod spelling;
mod stream;
mod sums;
mod support;
mod thesaurus;
mod token;
mod voices;
mod withdrawals;

use crate::newsroom::{ArticleResponse, Finding, Source};

pub use bearing::{Bearing, Ground, Witnesses};
pub use lookup::{carried, verbatim};
pub use retractions::Retractions;

use desk::{Desk, Ledger};

/// Every span of `article` that `sources` do not carry as it stands, in the order of the draft: headline, alternative
/// headline, description, body. Spans are byte offsets into the field that the finding names.
///
/// Near-linear in the length of the sources; never panics, whatever the texts.
#[must_use]
pub fn check(article: &ArticleResponse, sources: &[Source]) -> Vec<Finding> {
    let desk = Desk::new(article, sources);
    let mut ledger = Ledger::new(&desk);
    quotations::check(&mut ledger);
    numbers::check(&mut ledger);
    identities::check(&mut ledger);
    certainty::check(&mut ledger);
    support::check(&mut ledger);
    ledger.close()
}

/// A body against one source, for the tests of the rules.
#[cfg(test)]
pub(crate) fn check_texts(body: &str, source: &str) -> Vec<Finding> {
    let article = ArticleResponse {
        headline: String::new(),
        alternativeHeadline: String::new(),
        articleBody: body.to_owned(),
        description: String::new(),
    };
    check(&article, &[Source { name: "source.txt".to_owned(), text: source.to_owned() }])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Text with everything in it that the rules look for.
    const BUSY: &str = "([A-Z][a-z]{1,6}|[a-z]{1,7}|\\$?[0-9]{1,7}(\\.[0-9])?%?|“|”|\"|[,.:;!?–-]|\n|\n\n|not|said|may|correction|Mr\\.|May 5|7 p\\.m\\.| ){0,60}";

    proptest! {
        #[test]
        fn any_draft_against_any_source(draft in "\\PC*", source in "\\PC*", busy in BUSY, other in BUSY) {
            for (draft, source) in [(&draft, &source), (&busy, &other), (&busy, &source), (&draft, &busy)] {
                for finding in check_texts(draft, source) {
                    prop_assert_eq!(draft.get(finding.start..finding.end), Some(finding.text.as_str()));
                    if let Some(span) = finding.passage {
                        prop_assert_eq!(source.get(span.start..span.end), Some(span.text.as_str()));
                    }
                }
            }
        }

        #[test]
        fn a_source_carries_itself_but_for_what_it_takes_back(text in BUSY) {
            let fine = |rule: &str| rule.starts_with("number.withdrawn") || rule.starts_with("quotation.speaker");
            for finding in check_texts(&text, &text) {
                prop_assert!(fine(&finding.rule), "{finding:?}");
            }
        }
    }
}
