//! Reads the ledger of a draft from its journal. A run without the step that proves its drafts has none there, nor has one of an
//! earlier version: then it is made.

use std::borrow::Cow;

use crate::{check::ledger_beside, rule::Gravity};
use copydesk_newsroom::{Journal, Ledger, Source};

/// The ledger of the draft of a round, with findings of [`Gravity::Concern`] and above. None if there is no such draft. A footnote may cite
/// `pages` beside the sources.
#[must_use]
pub fn ledger_of(
    journal: &Journal,
    round: u32,
    pages: impl FnOnce(&Journal) -> Vec<Source>,
) -> Option<Cow<'_, Ledger>> {
    if let Some(kept) = journal.proof(round).and_then(|proof| proof.kept.as_ref()) {
        return Some(Cow::Borrowed(&kept.ledger));
    }
    let article = &journal.draft(round)?.article;
    Some(Cow::Owned(ledger_beside(article, &journal.sources(), &pages(journal), None, Gravity::Concern).ledger))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ledger, testing::texts};
    use copydesk_newsroom::testing::{add, opening};
    use copydesk_newsroom::{Draft, KeptLedger, Outcome, Proof, Step};

    #[test]
    fn the_journals_own_ledger_counts_and_without_one_it_is_made() {
        let (article, sources) = texts("The park cost $2.8 million.", "The park cost $1.8 million.");
        let mut opening = opening();
        opening.topic.source_text.clone_from(&sources[0].text);
        let mut journal = Journal::new(opening);
        assert_eq!(ledger_of(&journal, 1, |_| Vec::new()), None, "there is no draft");
        let draft = Draft { article: article.clone(), stripped: vec![], undone: vec![] };
        add(&mut journal, Step::Draft, Outcome::Draft(draft));
        let made = ledger(&article, &journal.sources(), Gravity::Concern);
        assert_eq!((made.findings().count(), ledger_of(&journal, 1, |_| Vec::new()).as_deref()), (1, Some(&made)));
        let step = Step::Prove { round: 1 };
        add(&mut journal, step, Outcome::Proof(Proof::default()));
        assert_eq!(ledger_of(&journal, 1, |_| Vec::new()).as_deref(), Some(&made), "an earlier version kept none");
        let kept = KeptLedger { ledger: Ledger { rows: made.rows[1..].to_vec() }, ..KeptLedger::default() };
        add(&mut journal, step, Outcome::Proof(Proof { findings: vec![], kept: Some(kept.clone()) }));
        assert_eq!(ledger_of(&journal, 1, |_| Vec::new()).as_deref(), Some(&kept.ledger), "as it was proved then");
    }
}
