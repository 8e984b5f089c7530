//! The words for a round without a concern. If no model reviewed, its silence is not a reviewer's consent.

use crate::editorial::decisions;
use copydesk_newsroom::{Claim, Journal};
use copydesk_text::count;

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

/// The numbers of claims that an editor reads although they are no concerns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ClaimsToRead {
    /// A source says otherwise.
    pub contradicted: usize,
    /// No passage carries them whole, and none contradicts them.
    pub unread: usize,
}

impl ClaimsToRead {
    /// The claims of a round's draft; none before they are checked.
    pub fn of(journal: &Journal, round: u32) -> Self {
        let claims = journal.claims(round).into_iter().flat_map(|claims| &claims.claims);
        let open = claims.filter(|claim| !claim.verified && stands(journal, round, claim));
        let (contradicted, unread): (Vec<_>, Vec<_>) = open.partition(|claim| claim.is_contradicted());
        Self { contradicted: contradicted.len(), unread: unread.len() }
    }

    /// `a source contradicts 1 claim, 7 to read yourself`; none without such a claim.
    pub fn in_words(self) -> Option<String> {
        match (self.contradicted, self.unread) {
            (0, 0) => None,
            (0, unread) => Some(format!("{} to read yourself", count(unread, "claim"))),
            (against, 0) => Some(format!("a source contradicts {}", count(against, "claim"))),
            (against, unread) => {
                Some(format!("a source contradicts {}, {unread} to read yourself", count(against, "claim")))
            }
        }
    }
}

/// Whether the sentence of a claim still stands in the text that the editor of a round has made of its draft.
pub fn stands(journal: &Journal, round: u32, claim: &Claim) -> bool {
    let Some(edit) = decisions::edit(journal, round) else { return true };
    let words = journal.draft(round).and_then(|draft| draft.article.articleBody.get(claim.start..claim.end));
    words.is_none_or(|words| edit.articleBody.contains(words))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::testing::{add, add_round, article, claim, contradicted, decide, opening};
    use copydesk_newsroom::{Choice, Claims, Opening, Outcome, RunSettings, Step};

    #[test]
    fn a_claim_without_a_passage_is_no_concern_but_is_to_be_read() {
        let said = |claims: Vec<Claim>| {
            let mut journal = Journal::new(opening());
            add(&mut journal, Step::Claims { round: 1 }, Outcome::Claims(Claims { claims, words_only: None }));
            assert_eq!(ClaimsToRead::of(&journal, 2).in_words(), None);
            ClaimsToRead::of(&journal, 1).in_words().unwrap_or_default()
        };
        let open = || claim("It cost $4.", false);
        assert_eq!(said(vec![claim("It is open.", true)]), "");
        assert_eq!(said(vec![open(), claim("It is open.", true), open()]), "2 claims to read yourself");
        assert_eq!(said(vec![open(), contradicted("It rained.")]), "a source contradicts 1 claim, 1 to read yourself");
        assert_eq!(
            said(vec![contradicted("It rained."), contradicted("It was cold.")]),
            "a source contradicts 2 claims"
        );
    }

    #[test]
    fn a_claim_whose_sentence_the_editor_took_out_is_not_to_be_read() {
        let mut journal = Journal::new(opening());
        add_round(&mut journal, 1, &[]);
        let body = journal.draft(1).unwrap().article.articleBody.clone();
        let claims = vec![claim(&body, false)];
        add(&mut journal, Step::Claims { round: 1 }, Outcome::Claims(Claims { claims, words_only: None }));
        assert_eq!(ClaimsToRead::of(&journal, 1).unread, 1);
        decide(&mut journal, 1, Choice::Edit { article: article("Another text.") });
        assert_eq!(ClaimsToRead::of(&journal, 1).unread, 0);
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
