//! The reviewer, model-backed: Markdown bullets (docs/reference/contract.md and 6.1.1).

use super::{
    proof::trust,
    reading::{self, UnusableAnswer},
    template::Draught,
    writer,
};
use crate::editorial::{
    self, bullets, by_hand, citations,
    grouping::{self, ConcernsLimit},
};
use copydesk_newsroom::{Agent, Answer, ArticleResponse, ArticleReviewRaw, Finding, Journal, Opening, Review};
use copydesk_proof::check_beside;

pub(super) fn draught(style: &str, journal: &Journal, round: u32) -> Option<Draught<'static>> {
    let values = vec![
        ("STYLE_REQUIREMENTS", style.to_owned()),
        ("ARTICLE", writer::article_json(&journal.draft(round)?.article)),
        ("OPTIONAL_METADATA", writer::metadata(journal)),
    ];
    Some(Draught { agent: Agent::ArticleReview, template: "article_review", values, brief: Vec::new(), schema: None })
}

/// Joins the reviews of all sections; none if there are no sections.
pub(super) fn of_sections(journal: &Journal, round: u32) -> Option<Review> {
    beside_proof(journal, round, editorial::sections::joined(journal, round)?)
}

/// Reads a review. The answer may say that there are no concerns; an empty answer, or text without a bullet, is no review.
/// The proof's bullets follow the reviewer's.
pub(super) fn read(journal: &Journal, round: u32, answer: &Answer) -> Result<Review, UnusableAnswer> {
    let raw = bullets_of(answer)?;
    beside_proof(journal, round, raw).ok_or_else(|| UnusableAnswer::new("there is no draft"))
}

/// The bullets of an answer, which may be none if it says so.
pub(super) fn bullets_of(answer: &Answer) -> Result<ArticleReviewRaw, UnusableAnswer> {
    let raw = ArticleReviewRaw { markdown_bullets: reading::bullets(&answer.text)?.value };
    bullets::parse(&raw).map_err(|error| UnusableAnswer::new(error.to_string()))?;
    Ok(raw)
}

fn beside_proof(journal: &Journal, round: u32, raw: ArticleReviewRaw) -> Option<Review> {
    let findings = journal.proof(round).map(|proof| proof.findings.clone()).unwrap_or_default();
    let draft = journal.draft(round)?;
    Some(grouping::joined(raw.markdown_bullets, findings, &draft.article, limit(&journal.opening)))
}

/// Returns the review of an editor's own text: the reviewer's bullets on sentences that still stand, then the proof's.
pub(super) fn by_hand(journal: &Journal, round: u32) -> Option<Review> {
    let article = &journal.draft(round)?.article;
    let findings = proof_of(journal, round, article);
    Some(grouping::joined(by_hand::bullets(journal, round), findings, article, limit(&journal.opening)))
}

/// Returns the review of a draft without a model: the proof's findings, also in a run whose drafts are not proved beside a review.
pub(super) fn by_proof(journal: &Journal, round: u32) -> Option<Review> {
    let article = &journal.draft(round)?.article;
    Some(grouping::joined(String::new(), proof_of(journal, round, article), article, limit(&journal.opening)))
}

/// The proof's findings in the draft of a round, found now if they are not on record.
fn proof_of(journal: &Journal, round: u32, article: &ArticleResponse) -> Vec<Finding> {
    let found = || check_beside(article, &journal.sources(), &citations::pages(journal));
    journal.proof(round).map_or_else(found, |proof| proof.findings.clone())
}

/// Returns the review of a draft if the run's workflow has no review: no concern.
pub(super) fn by_nobody() -> Review {
    Review::new(ArticleReviewRaw { markdown_bullets: String::new() }, Vec::new())
}

/// The limit that a run was opened with.
pub(super) fn limit(opening: &Opening) -> Option<ConcernsLimit> {
    opening.settings.concerns_limit.map(|concerns| ConcernsLimit { concerns, trust })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::testing::{add, article, opening, research};
    use copydesk_newsroom::{Draft, FoundSource, LastBullet, Outcome, Proof, RunSettings, Step};

    #[test]
    fn a_footnote_in_an_editors_text_is_held_against_the_page_that_it_cites() {
        let mut journal = research::assigned();
        let page = research::found("https://a.example/pool", "The pool costs 2 million dollars.");
        research::rest_on(&mut journal, &[FoundSource { byline: Some("Ann Lee".into()), ..page }]);
        let noted = |note: &str| {
            let draft = article(&format!("The pool costs 2 million dollars.[^1]\n\n## Footnotes\n\n[^1]: {note}\n"));
            proof_of(&journal, 1, &draft).into_iter().map(|finding| finding.text).collect::<Vec<_>>()
        };
        assert!(!noted("Ann Lee, https://a.example/pool.").contains(&"Ann Lee".to_owned()));
        assert!(noted("Joan Roe, https://a.example/pool.").contains(&"Joan Roe".to_owned()));
    }

    fn read_beside(findings: Vec<Finding>, text: &str) -> Result<Review, UnusableAnswer> {
        read_up_to(None, findings, text)
    }

    fn read_up_to(limit: Option<u32>, findings: Vec<Finding>, text: &str) -> Result<Review, UnusableAnswer> {
        let mut journal = Journal::new(Opening {
            settings: RunSettings { concerns_limit: limit, ..opening().settings },
            ..opening()
        });
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
        let found = copydesk_proof::testing::check_texts(
            "The plan lays 1.8 miles of paths.",
            "The plan lays 1.4 miles of paths.",
        );
        let own = "- “The plan” whose?";
        let joined = read_beside(found.clone(), own).unwrap();
        assert_eq!(joined.raw.markdown_bullets, "- “The plan” whose?\n- “1.8” inferred_fact: The source has 1.4 here.");
        assert_eq!(joined.findings, found);
        let alone = read_beside(found.clone(), "No concerns.").unwrap();
        assert_eq!(bullets::parse(&alone.raw).unwrap().concerns.len(), 1);
        // Prose beside a finding is still no review.
        assert!(read_beside(found.clone(), "It reads well.").is_err());
        assert!(read_beside(found, "").is_err(), "nor is silence");
    }

    #[test]
    fn without_a_reviewer_the_proof_reviews_whether_or_not_drafts_are_proved() {
        let mut journal = Journal::new(Opening {
            settings: RunSettings { no_reviewer: true, proves: false, ..opening().settings },
            ..opening()
        });
        journal.opening.topic.source_text = "The plan lays 1.4 miles of paths.".into();
        let article = article("The plan lays 1.8 miles of paths.");
        add(&mut journal, Step::Draft, Outcome::Draft(Draft { article, stripped: vec![], undone: vec![] }));
        let Some(Outcome::Review(review)) = crate::agents::Agents::without_anyone(&journal, Step::Review { round: 1 })
        else {
            panic!("no review")
        };
        assert_eq!(review.findings.len(), 1);
        assert!(review.raw.markdown_bullets.starts_with("- “1.8”"), "{}", review.raw.markdown_bullets);
    }

    #[test]
    fn what_is_beyond_the_limit_of_the_run_is_grouped() {
        let found = copydesk_proof::testing::check_texts(
            "The plan lays 1.8 miles of paths.",
            "The plan lays 1.4 miles of paths.",
        );
        let grouped = read_up_to(Some(1), found, "- “The plan” whose?").unwrap();
        assert_eq!(grouped.last_bullets, [LastBullet::Group(vec![1])]);
        let bullets = "- “The plan” whose?\n- inferred_fact: 1 more finding of this kind: “1.8”";
        assert_eq!(grouped.raw.markdown_bullets, bullets);
    }

    #[test]
    fn a_review_without_a_concern_says_so_and_silence_is_none() {
        assert_eq!(review("No concerns."), Ok(String::new()));
        assert_eq!(review("- “a” b\x07"), Ok("- “a” b".into()));
        assert!(review(" \n").unwrap_err().to_string().contains("it is empty"));
        assert!(review("It reads well.").unwrap_err().to_string().contains("no bullet"));
    }
}
