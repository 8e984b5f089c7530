//! The reviewer, model-backed: Markdown bullets (seed 002, sections 1.1 and 6.1.1).

use super::{
    reading::{self, Unusable},
    template::Prompts,
    writer,
};
use crate::{
    editorial::bullets,
    newsroom::{Agent, Answer, ArticleReviewRaw, Journal, Review},
    ports::Ask,
    text::sanitise,
};

pub(super) fn ask(prompts: &Prompts, journal: &Journal, round: u32) -> Option<Ask> {
    let values = [
        ("ARTICLE", writer::article_json(&journal.draft(round)?.article)),
        ("SOURCE_TEXT", writer::source_text(&journal.opening.sources())),
        ("OPTIONAL_METADATA", writer::metadata(journal)),
    ];
    Some(Ask { agent: Agent::ArticleReview, prompt: prompts.fill("article_review", &values), schema: None })
}

/// A complete empty answer means "no concerns"; text without a bullet is no review.
pub(super) fn read(answer: &Answer) -> Result<Review, Unusable> {
    let raw = ArticleReviewRaw { markdown_bullets: reading::plain(&answer.text) };
    if sanitise::is_blank(&answer.text) && !answer.text.trim().is_empty() {
        return Err(Unusable::new("nothing of it is left once it is cleaned"));
    }
    bullets::parse(&raw).map_err(|error| Unusable::new(error.to_string()))?;
    Ok(Review { raw, findings: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn review(text: &str) -> Result<String, Unusable> {
        read(&Answer { text: text.into(), ..Answer::default() }).map(|review| review.raw.markdown_bullets)
    }

    #[test]
    fn an_empty_review_has_no_concerns_and_prose_is_no_review() {
        assert_eq!(review(" \n"), Ok(String::new()));
        assert_eq!(review("- “a” b\x07"), Ok("- “a” b".into()));
        assert!(review("I have no concerns.").unwrap_err().to_string().contains("no bullet"));
    }
}
