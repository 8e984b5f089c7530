//! Bullets about the same words: one look-up and one call answer for all of them. Each keeps its concern, and gets its verdict.

use super::{excerpts, vouching};
use copydesk_newsroom::{Concern, Journal, Verdict};

/// The earlier concern of a round whose verdict is this one's too. Both quote the same words at the same place and go to the same
/// specialist. None if this concern is the first of its kind, a group, or one that an editor has let stand.
pub fn answered_by(journal: &Journal, round: u32, concern: u32) -> Option<u32> {
    let this = journal.concern(round, concern)?;
    if this.excerpt.trim().is_empty() {
        return None;
    }
    // An editor's decision is looked for last: that reads whole drafts, and few bullets share their words.
    let first = earlier(journal.concern_list(round), this).find(|first| is_same(journal, round, *first, concern));
    first.filter(|_| is_asked(journal, round, concern))
}

/// The notes of the later bullets that the verdict on a concern answers too.
pub fn other_notes(journal: &Journal, round: u32, concern: u32) -> Vec<&str> {
    let concerns = journal.concern_list(round);
    let later = concerns.iter().filter(|other| other.concern_id > concern);
    let answered = later.filter(|other| answered_by(journal, round, other.concern_id) == Some(concern));
    answered.map(|other| other.review_note.as_str()).collect()
}

/// The verdict on a concern that another one's call has answered.
pub fn verdict(journal: &Journal, round: u32, concern: u32) -> Option<Verdict> {
    let first = answered_by(journal, round, concern)?;
    Some(Verdict { concern_id: concern, ..journal.verdict(round, first)?.clone() })
}

/// Whether a specialist is asked about a concern at all.
fn is_asked(journal: &Journal, round: u32, concern: u32) -> bool {
    vouching::group(journal, round, concern).is_none() && vouching::settled_before(journal, round, concern).is_none()
}

/// The concerns before this one with the same excerpt.
fn earlier<'c>(concerns: &'c [Concern], this: &'c Concern) -> impl Iterator<Item = u32> + 'c {
    let before = concerns.iter().take_while(|other| other.concern_id < this.concern_id);
    before.filter(|other| other.excerpt == this.excerpt).map(|other| other.concern_id)
}

fn is_same(journal: &Journal, round: u32, first: u32, concern: u32) -> bool {
    let specialist = |id: u32| journal.mapping_of(round, id).map(|mapping| mapping.selected_agent);
    specialist(first) == specialist(concern)
        && is_asked(journal, round, first)
        && excerpts::place_of(journal, round, first) == excerpts::place_of(journal, round, concern)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::next_steps::next_steps;
    use crate::editorial::testing::{add, add_round, opening, verdict as given};
    use copydesk_newsroom::{ArticleReviewResult, Outcome, Specialist, Status, Step};

    /// A round whose draft is `Draft 1 with an x.`, with these excerpts, one for each specialist.
    fn journal(excerpts: &[&str], agents: &[Specialist]) -> Journal {
        let mut journal = Journal::new(opening());
        add_round(&mut journal, 1, agents);
        let concern = |(excerpt, concern_id): (&&str, u32)| Concern {
            concern_id,
            excerpt: (*excerpt).into(),
            review_note: format!("“{excerpt}” note {concern_id}"),
        };
        let concerns = excerpts.iter().zip(1..).map(concern).collect();
        add(&mut journal, Step::Parse { round: 1 }, Outcome::Concerns(ArticleReviewResult { concerns }));
        journal
    }

    #[test]
    fn one_call_answers_for_the_same_words_of_one_specialist() {
        let style = [Specialist::StyleReview; 4];
        let mut journal = journal(&["with an x", "x", "with an x", "with an x"], &style);
        let judge = |concern| Step::Judge { round: 1, concern };
        assert_eq!(next_steps(&journal), [judge(1), judge(2)], "the third and the fourth wait for the first");
        assert_eq!(other_notes(&journal, 1, 1), ["“with an x” note 3", "“with an x” note 4"]);
        assert_eq!(verdict(&journal, 1, 3), None);
        add(&mut journal, judge(1), Outcome::Verdict(given(1, Status::Remove, None)));
        assert_eq!(next_steps(&journal), [judge(2), judge(3), judge(4)]);
        let third = verdict(&journal, 1, 3).unwrap();
        assert_eq!((third.concern_id, third.status, third.rationale.as_str()), (3, Status::Remove, "rationale 1"));
        assert_eq!(verdict(&journal, 1, 2), None, "it was asked by itself");
    }

    #[test]
    fn another_specialist_and_words_that_stand_nowhere_in_common_are_asked_by_themselves() {
        let two = journal(&["x", "x"], &[Specialist::StyleReview, Specialist::Opinion]);
        assert_eq!(answered_by(&two, 1, 2), None);
        let empty = journal(&["", ""], &[Specialist::Opinion; 2]);
        assert_eq!(answered_by(&empty, 1, 2), None, "nothing is quoted");
    }
}
