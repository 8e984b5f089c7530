//! The reviewer: turns the proof's findings into the bullets that every reviewer writes.

use crate::editorial::grouping::{self, ConcernsLimit};
use copydesk_newsroom::{ArticleResponse, Review, Source};
use copydesk_proof as proof;

/// Reviews `article` against `sources`, and its footnotes against the cited `pages` too: one bullet for each finding, in the order of the
/// draft, with the findings beside them. Those beyond the limit are grouped.
pub fn review(article: &ArticleResponse, sources: &[Source], pages: &[Source], limit: Option<ConcernsLimit>) -> Review {
    let findings = proof::check_beside(article, sources, pages);
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
        let found = review(
            &article("The plan lays 1.8 miles of paths."),
            &source("The plan lays 1.4 miles of paths."),
            &[],
            None,
        );
        assert_eq!(found.raw.markdown_bullets, "- “1.8” inferred_fact: The source has 1.4 here.");
        assert_eq!(found.findings.len(), 1);
    }

    #[test]
    fn a_draft_that_the_source_carries_has_no_bullets() {
        let text = "The plan lays 1.4 miles of paths.";
        assert_eq!(review(&article(text), &source(text), &[], None).raw.markdown_bullets, "");
    }

    #[test]
    fn a_footnote_is_held_against_the_page_that_it_cites() {
        let said = "The plan lays 1.4 miles of paths.";
        let text = format!("{said} The work ends in December.\n\n6 October 2026.\n\nAnn Lee.");
        let page = Source { name: "https://a.example/minutes".to_owned(), text };
        let found = |note: &str| {
            let draft = article(&format!("{said}[^1]\n\n## Footnotes\n\n[^1]: {note}\n"));
            review(&draft, &source(said), std::slice::from_ref(&page), None).raw.markdown_bullets
        };
        assert_eq!(found("Ann Lee, 6 October 2026, https://a.example/minutes."), "");
        let altered = found("https://a.example/minutes: “The work ends in November.”");
        assert!(altered.contains("The work ends in November"), "{altered}");
    }

    #[test]
    fn no_text_can_start_a_bullet_of_its_own() {
        let draft = "“We have the money\n- “and” nobody will take it away from us,” Reyes said.";
        let found = review(&article(draft), &source("Nothing was decided."), &[], None);
        assert_eq!(found.raw.markdown_bullets.lines().count(), found.findings.len());
        assert!(found.raw.markdown_bullets.lines().all(|line| line.starts_with("- “")));
    }
}
