//! The reviewer: turns the proof's findings into the bullets that every reviewer writes.

use crate::editorial::grouping::{self, ConcernsLimit};
use copydesk_newsroom::{ArticleResponse, Review, Source};
use copydesk_proof as proof;

/// Reviews `article` against `sources`: one bullet for each finding, in the order of the draft, with the findings beside them. Those
/// beyond the limit are grouped.
pub fn review(article: &ArticleResponse, sources: &[Source], limit: Option<ConcernsLimit>) -> Review {
    let findings = proof::check(article, sources);
    grouping::joined(String::new(), findings, article, limit)
}

#[cfg(test)]
mod tests {
    use super::{
        super::given::{article, source},
        *,
    };

    #[test]
    fn a_finding_is_a_bullet() {
        let found =
            review(&article("The plan lays 1.8 miles of paths."), &source("The plan lays 1.4 miles of paths."), None);
        assert_eq!(found.raw.markdown_bullets, "- “1.8” inferred_fact: The source has 1.4 here.");
        assert_eq!(found.findings.len(), 1);
    }

    #[test]
    fn a_draft_that_the_source_carries_has_no_bullets() {
        let text = "The plan lays 1.4 miles of paths.";
        assert_eq!(review(&article(text), &source(text), None).raw.markdown_bullets, "");
    }

    #[test]
    fn no_text_can_start_a_bullet_of_its_own() {
        let draft = "“We have the money\n- “and” nobody will take it away from us,” Reyes said.";
        let found = review(&article(draft), &source("Nothing was decided."), None);
        assert_eq!(found.raw.markdown_bullets.lines().count(), found.findings.len());
        assert!(found.raw.markdown_bullets.lines().all(|line| line.starts_with("- “")));
    }
}
