//! The reviewer, model-backed: Markdown bullets (docs/reference/contract.md and 6.1.1).

use super::{
    draught::Draught,
    proof::trust,
    reading::{self, UnusableAnswer},
    writer,
};
use crate::{
    editorial::{
        self, bullets, by_hand,
        grouping::{self, ConcernsLimit},
    },
    newsroom::{Agent, Answer, ArticleReviewRaw, Journal, Opening, Review},
    proof::check,
    text::sanitise,
};

pub(super) fn draught(style: &str, journal: &Journal, round: u32) -> Option<Draught<'static>> {
    let values = vec![
        ("STYLE_REQUIREMENTS", style.to_owned()),
        ("ARTICLE", writer::article_json(&journal.draft(round)?.article)),
        ("OPTIONAL_METADATA", writer::metadata(journal)),
    ];
    Some(Draught { agent: Agent::ArticleReview, template: "article_review", values, brief: Vec::new(), schema: None })
}

/// What was said of all sections, put together; none if there are no sections.
pub(super) fn of_sections(journal: &Journal, round: u32) -> Option<Review> {
    beside_proof(journal, round, editorial::sections::joined(journal, round)?)
}

/// A complete empty answer means "no concerns"; text without a bullet is no review.
/// The proof's bullets follow the reviewer's.
pub(super) fn read(journal: &Journal, round: u32, answer: &Answer) -> Result<Review, UnusableAnswer> {
    let raw = bullets_of(answer)?;
    beside_proof(journal, round, raw).ok_or_else(|| UnusableAnswer::new("there is no draft"))
}

/// The bullets of an answer, which may be none.
pub(super) fn bullets_of(answer: &Answer) -> Result<ArticleReviewRaw, UnusableAnswer> {
    let raw = ArticleReviewRaw { markdown_bullets: reading::plain(&answer.text) };
    if sanitise::is_blank(&answer.text) && !answer.text.trim().is_empty() {
        return Err(UnusableAnswer::new("nothing of it is left once it is cleaned"));
    }
    bullets::parse(&raw).map_err(|error| UnusableAnswer::new(error.to_string()))?;
    Ok(raw)
}

fn beside_proof(journal: &Journal, round: u32, raw: ArticleReviewRaw) -> Option<Review> {
    let findings = journal.proof(round).map(|proof| proof.findings.clone()).unwrap_or_default();
    let draft = journal.draft(round)?;
    Some(grouping::joined(raw.markdown_bullets, findings, &draft.article, limit(&journal.opening)))
}

/// The review of an editor's own text: what the reviewer said of sentences that still stand, then what the proof finds.
pub(super) fn by_hand(journal: &Journal, round: u32) -> Option<Review> {
    let article = &journal.draft(round)?.article;
    let findings =
        journal.proof(round).map_or_else(|| check(article, &journal.sources()), |proof| proof.findings.clone());
    Some(grouping::joined(by_hand::bullets(journal, round), findings, article, limit(&journal.opening)))
}

/// The review of a draft that the run's workflow lets nobody review: no concern.
pub(super) fn by_nobody() -> Review {
    Review::new(ArticleReviewRaw { markdown_bullets: String::new() }, Vec::new())
}

/// The limit that a run was opened with.
pub(super) fn limit(opening: &Opening) -> Option<ConcernsLimit> {
    opening.concerns_limit.map(|concerns| ConcernsLimit { concerns, trust })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        editorial::next_steps::tests::{add, article, opening},
        newsroom::{Draft, Finding, LastBullet, Outcome, Proof, Step},
    };

    fn read_beside(findings: Vec<Finding>, text: &str) -> Result<Review, UnusableAnswer> {
        read_up_to(None, findings, text)
    }

    fn read_up_to(limit: Option<u32>, findings: Vec<Finding>, text: &str) -> Result<Review, UnusableAnswer> {
        let mut journal = Journal::new(Opening { concerns_limit: limit, ..opening() });
        let article = article("The plan lays 1.8 miles of paths.");
        add(&mut journal, Step::Draft, Outcome::Draft(Draft { article, stripped: vec![], undone: vec![] }));
        add(&mut journal, Step::Prove { round: 1 }, Outcome::Proof(Proof { findings, kept: None }));
        read(&journal, 1, &Answer { text: text.into(), ..Answer::default() })
    }

    fn review(text: &str) -> Result<String, UnusableAnswer> {
        read_beside(vec![], text).map(|review| review.raw.markdown_bullets)
    }

    #[test]
    fn the_proofs_bullets_follow_the_reviewers_and_no_concerns_is_decided_after_both() {
        let found = crate::proof::check_texts("The plan lays 1.8 miles of paths.", "The plan lays 1.4 miles of paths.");
        let own = "- “The plan” whose?";
        let joined = read_beside(found.clone(), own).unwrap();
        assert_eq!(joined.raw.markdown_bullets, "- “The plan” whose?\n- “1.8” inferred_fact: The source has 1.4 here.");
        assert_eq!(joined.findings, found);
        let alone = read_beside(found.clone(), "").unwrap();
        assert_eq!(bullets::parse(&alone.raw).unwrap().concerns.len(), 1);
        // Prose beside a finding is still no review.
        assert!(read_beside(found, "I have no concerns.").is_err());
    }

    #[test]
    fn what_is_beyond_the_limit_of_the_run_is_grouped() {
        let found = crate::proof::check_texts("The plan lays 1.8 miles of paths.", "The plan lays 1.4 miles of paths.");
        let grouped = read_up_to(Some(1), found, "- “The plan” whose?").unwrap();
        assert_eq!(grouped.last_bullets, [LastBullet::Group(vec![1])]);
        let bullets = "- “The plan” whose?\n- inferred_fact: 1 more finding of this kind: “1.8”";
        assert_eq!(grouped.raw.markdown_bullets, bullets);
    }

    #[test]
    fn an_empty_review_has_no_concerns_and_prose_is_no_review() {
        assert_eq!(review(" \n"), Ok(String::new()));
        assert_eq!(review("- “a” b\x07"), Ok("- “a” b".into()));
        assert!(review("I have no concerns.").unwrap_err().to_string().contains("no bullet"));
    }
}
