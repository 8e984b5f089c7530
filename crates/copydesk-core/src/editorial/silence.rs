//! The words for a round without a concern. If no model reviewed, its silence is not a reviewer's consent.

use copydesk_newsroom::Journal;

/// The remark in the result of a story that no model reviewed.
pub const NOBODY: &str = "No model reviewed this draft";

/// Describes a round without a concern, in a sentence.
pub fn no_concerns(journal: &Journal) -> &'static str {
    if journal.opening.settings.no_reviewer {
        "No model reviewed this draft; the proof found nothing."
    } else {
        "No concerns."
    }
}

/// The number of claims of a round that no passage carries whole; they are no concerns, and an editor reads them. 0 before they are checked.
pub fn claims_to_read(journal: &Journal, round: u32) -> usize {
    journal.claims(round).map_or(0, |claims| claims.claims.iter().filter(|claim| !claim.verified).count())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::testing::{add, claim, opening};
    use copydesk_newsroom::{Claims, Opening, Outcome, RunSettings, Step};

    #[test]
    fn a_claim_without_a_passage_is_no_concern_but_is_to_be_read() {
        let mut journal = Journal::new(opening());
        assert_eq!(claims_to_read(&journal, 1), 0);
        let claims = vec![claim("It cost $4.", false), claim("It is open.", true), claim("It rained.", false)];
        add(&mut journal, Step::Claims { round: 1 }, Outcome::Claims(Claims { claims, words_only: None }));
        assert_eq!((claims_to_read(&journal, 1), claims_to_read(&journal, 2)), (2, 0));
    }

    #[test]
    fn the_silence_of_nobody_is_no_consent() {
        assert_eq!(no_concerns(&Journal::new(opening())), "No concerns.");
        let said = no_concerns(&Journal::new(Opening {
            settings: RunSettings { no_reviewer: true, ..opening().settings },
            ..opening()
        }));
        assert!(said.starts_with(NOBODY), "{said}");
    }
}
