//! Whether a concern is one that the editor has overruled before: reviewers repeat themselves, and an editor should not have to
//! remember.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use crate::editorial::{decisions::overruled, listed::is_listed, memory_key::normalise};
use copydesk_newsroom::{Concern, ConcernType, Decided, Journal};
use copydesk_text::words::{fold, is_stop_word, number_word, stem, words};

/// The least share, in tenths, of the words of two excerpts together that must be in both.
const OVERLAP_IN_TEN: usize = 7;

/// Words that deny, and names of days and months: with another of them, it is another claim.
const DECISIVE: &str = "not no never none nobody nothing nowhere neither nor without cannot hardly barely scarcely rarely \
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october \
    november december yesterday today tomorrow";

/// The concerns of `round` that repeat one whose verdict the editor overruled in an earlier round, each with the latest such
/// decision.
///
/// The same concern is one with the same excerpt, in the form in which the memory compares queries. It is also one of
/// the same type whose excerpt shares most of its words, so that a slightly changed sentence is known again. With
/// another figure, or denied, it is another claim.
pub fn overruled_before(journal: &Journal, round: u32) -> BTreeMap<u32, Decided<'_>> {
    let known = overruled_until(journal, round);
    let concerns = journal.concern_list(round);
    if known.is_empty() {
        return BTreeMap::new();
    }
    concerns
        .iter()
        .filter_map(|concern| {
            let this = Excerpt::of(journal, round, concern);
            let (_, decided) = known.iter().find(|(other, _)| this.is_about_the_same(other))?;
            Some((concern.concern_id, *decided))
        })
        .collect()
}

/// The concerns that the editor overruled before `round`, the latest decision first.
fn overruled_until(journal: &Journal, round: u32) -> Vec<(Excerpt, Decided<'_>)> {
    let mut known = Vec::new();
    for earlier in (1..round).rev() {
        let concerns = journal.concern_list(earlier);
        let mut of_round: Vec<(&Concern, Decided<'_>)> = concerns
            .iter()
            .filter_map(|concern| Some((concern, overruled(journal, earlier, concern.concern_id)?)))
            .collect();
        of_round.sort_by_key(|(_, decided)| Reverse(decided.number));
        known.extend(of_round.into_iter().map(|(concern, decided)| (Excerpt::of(journal, earlier, concern), decided)));
    }
    known
}

/// A concern's excerpt, ready to be compared.
struct Excerpt {
    normalised: String,
    /// The stems of its words that say something.
    content: BTreeSet<String>,
    /// Those of them that make another claim of a sentence if they differ.
    decisive: BTreeSet<String>,
    /// None until the concern is mapped.
    kind: Option<ConcernType>,
}

impl Excerpt {
    fn of(journal: &Journal, round: u32, concern: &Concern) -> Self {
        let said: Vec<String> = words(&concern.excerpt).into_iter().map(|word| fold(word.text)).collect();
        Self {
            normalised: normalise(&concern.excerpt),
            content: said.iter().filter(|word| !is_stop_word(word)).map(|word| stem(word)).collect(),
            decisive: said.into_iter().filter(|word| is_decisive(word)).collect(),
            kind: journal.mapping_of(round, concern.concern_id).map(|mapping| mapping.concern_type),
        }
    }

    fn is_about_the_same(&self, other: &Self) -> bool {
        if self.normalised == other.normalised {
            return !self.normalised.is_empty();
        }
        let common = self.content.intersection(&other.content).count();
        let all = self.content.union(&other.content).count();
        // Of one word alone nothing overlaps but the word itself.
        self.kind.is_some()
            && self.kind == other.kind
            && self.decisive == other.decisive
            && common > 1
            && common * 10 >= all * OVERLAP_IN_TEN
    }
}

/// Whether a folded word is a figure or a date, or denies something.
fn is_decisive(word: &str) -> bool {
    word.contains(|c: char| c.is_ascii_digit())
        || number_word(word).is_some()
        || is_listed(word, DECISIVE)
        || word.ends_with("n't")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::{
        testing::{add, opening, verdict},
        testing::{decide, overrule},
    };
    use copydesk_newsroom::{
        ArticleReviewResult, Choice, ConcernMapping, ConcernMappingResult, Confidence, Outcome, Specialist, Status,
        Step,
    };

    /// Adds a round whose concerns quote these words and are of these types, each judged REWRITE.
    fn raise(journal: &mut Journal, round: u32, raised: &[(&str, ConcernType)]) {
        let concerns = (1..)
            .zip(raised)
            .map(|(concern_id, (excerpt, _))| Concern {
                concern_id,
                excerpt: (*excerpt).into(),
                review_note: "x".into(),
            })
            .collect();
        add(journal, Step::Parse { round }, Outcome::Concerns(ArticleReviewResult { concerns }));
        let mappings = (1..)
            .zip(raised)
            .map(|(concern_id, (_, concern_type))| ConcernMapping {
                concern_id,
                concern_type: *concern_type,
                selected_agent: Specialist::Opinion,
                confidence: Confidence::High,
                reason: "r".into(),
            })
            .collect();
        add(journal, Step::Map { round }, Outcome::Mapping(ConcernMappingResult { mappings }));
        for (concern, _) in (1..).zip(raised) {
            add(journal, Step::Judge { round, concern }, Outcome::Verdict(verdict(concern, Status::Rewrite, None)));
        }
    }

    const LONG: &str = "The council of Eastbrook voted seven to two on Tuesday";
    use ConcernType::{Editorializing, InferredFact, UnsupportedFact};

    fn found(journal: &Journal, round: u32, concern: u32) -> Option<(u32, u32)> {
        overruled_before(journal, round).get(&concern).map(|decided| (decided.round, decided.number))
    }

    #[test]
    fn a_concern_that_was_overruled_is_known_again() {
        let mut journal = Journal::new(opening());
        raise(
            &mut journal,
            1,
            &[("Begin in April", UnsupportedFact), (LONG, InferredFact), ("a fifth", UnsupportedFact)],
        );
        decide(&mut journal, 1, overrule(1, Status::Keep, None));
        decide(&mut journal, 1, overrule(2, Status::Keep, None));
        raise(
            &mut journal,
            2,
            &[
                ("“begin  in April.”", Editorializing),
                ("The council of Eastbrook voted seven to two on a Tuesday evening", InferredFact),
                ("The council of Eastbrook voted seven to two on a Tuesday evening", UnsupportedFact),
                ("a fifth", UnsupportedFact),
                ("will begin in May", UnsupportedFact),
                ("The council of Eastbrook voted five to four on Tuesday", InferredFact),
                ("The council of Eastbrook never voted seven to two on Tuesday", InferredFact),
            ],
        );
        assert_eq!(found(&journal, 2, 1), Some((1, 1)), "the same words, whatever the type");
        assert_eq!(found(&journal, 2, 2), Some((1, 2)), "nearly the same words of the same type");
        assert_eq!(found(&journal, 2, 3), None, "nearly the same words of another type");
        assert_eq!(found(&journal, 2, 4), None, "raised before, but not overruled");
        assert_eq!(found(&journal, 2, 5), None, "another month is another concern");
        assert_eq!((found(&journal, 2, 6), found(&journal, 2, 7)), (None, None), "another claim");
        assert_eq!((found(&journal, 1, 1), found(&journal, 2, 9), found(&journal, 3, 1)), (None, None, None));
    }

    #[test]
    fn another_day_another_month_and_a_denial_make_another_claim_of_a_long_sentence() {
        const SENTENCE: &str =
            "The council of Eastbrook can raise the water rates for every household on Tuesday in April";
        for (from, to) in
            [("can raise", "cannot raise"), ("Tuesday", "Wednesday"), ("April", "June"), ("The", "Neither")]
        {
            let mut journal = Journal::new(opening());
            raise(&mut journal, 1, &[(SENTENCE, InferredFact)]);
            decide(&mut journal, 1, overrule(1, Status::Keep, None));
            raise(&mut journal, 2, &[(&SENTENCE.replacen(from, to, 1), InferredFact)]);
            assert_eq!(found(&journal, 2, 1), None, "{to}");
        }
    }

    #[test]
    fn the_latest_decision_that_stands_counts() {
        let mut journal = Journal::new(opening());
        for round in 1..=3 {
            raise(&mut journal, round, &[(LONG, InferredFact), (LONG, Editorializing)]);
        }
        decide(&mut journal, 1, overrule(1, Status::Keep, None));
        decide(&mut journal, 2, overrule(2, Status::Remove, None));
        decide(&mut journal, 2, overrule(1, Status::Keep, None));
        assert_eq!(found(&journal, 3, 1), Some((2, 2)));
        decide(&mut journal, 2, Choice::Undo { number: 2 });
        assert_eq!(found(&journal, 3, 1), Some((2, 1)));
        decide(&mut journal, 2, Choice::Undo { number: 1 });
        assert_eq!(found(&journal, 3, 1), Some((1, 1)), "what was undone was not decided");
        decide(&mut journal, 1, Choice::Undo { number: 1 });
        assert_eq!(found(&journal, 3, 1), None);
    }

    #[test]
    fn a_concern_without_words_is_like_no_other() {
        let mut journal = Journal::new(opening());
        raise(&mut journal, 1, &[("…", InferredFact)]);
        decide(&mut journal, 1, overrule(1, Status::Keep, None));
        raise(&mut journal, 2, &[("…", InferredFact)]);
        assert_eq!(found(&journal, 2, 1), None);
    }
}
