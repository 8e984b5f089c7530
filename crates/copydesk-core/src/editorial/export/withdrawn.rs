//! The notice that takes a version back: it stands in the place of the article, in every format in which an article goes out.

use super::{Edition, Imprint, corrected::plain};
use crate::editorial::report;
use copydesk_newsroom::{ArticleResponse, Journal, StoryWithdrawal};

/// The notice as an article of its own, about the version of that edition. None if there is no article to take back.
#[must_use]
pub fn notice(
    journal: &Journal,
    withdrawal: &StoryWithdrawal,
    edition: Edition<'_>,
) -> Option<(ArticleResponse, Imprint)> {
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
    let imprint = edition.imprint(journal);
    let imprint = Imprint {
        standing: format!("{line} by {}.", withdrawal.by),
        // A database from before notices were numbered has no number for it.
        number: withdrawal.number.max(edition.number.saturating_add(1)),
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

/// The line that says that an article was withdrawn, and on what day.
#[must_use]
pub fn withdrawn_line(withdrawal: &StoryWithdrawal) -> String {
    format!("This article was withdrawn on {}", withdrawal.at.chars().take(10).collect::<String>())
}
