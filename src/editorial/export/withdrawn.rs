//! The notice that takes a version back: it stands in the place of the article, in every format in which an article goes out.

use super::{Imprint, corrected::plain};
use crate::{
    editorial::report,
    newsroom::{ArticleResponse, Journal, StoryWithdrawal},
};

/// The notice as an article of its own. None if there is no article to take back.
#[must_use]
pub fn notice(journal: &Journal, withdrawal: &StoryWithdrawal) -> Option<(ArticleResponse, Imprint)> {
    let headline = report::standing_draft(journal)?.article.headline.trim();
    let line = withdrawn_line(withdrawal);
    let article = ArticleResponse {
        headline: format!("Withdrawn: {headline}"),
        alternativeHeadline: "Notice of withdrawal".to_owned(),
        description: format!("{line}."),
        articleBody: format!(
            "Do not publish this article. Take it down where it was published.\n\nReason: {}\n",
            plain(&withdrawal.reason)
        ),
    };
    let imprint = Imprint::of(journal);
    let imprint = Imprint {
        standing: format!("{line} by {}.", withdrawal.by),
        number: imprint.number.saturating_add(1),
        first_finished_at: imprint.first_finished_at.or(imprint.finished_at),
        finished_at: Some(withdrawal.at.clone()),
        corrections: Vec::new(),
        // A person wrote the notice.
        disclosure: None,
        digital_source: "digitalCreation",
        withdrawn: true,
        ..imprint
    };
    Some((article, imprint))
}

/// That an article was withdrawn, and on what day.
#[must_use]
pub fn withdrawn_line(withdrawal: &StoryWithdrawal) -> String {
    format!("This article was withdrawn on {}", withdrawal.at.chars().take(10).collect::<String>())
}
