//! The Publisher's checks of an article before it goes out, by rule: headline, search, metadata, accessibility, formats.
//!
//! Each note names a place, the fault there, and the remedy. Nothing is changed here, and no rule judges whether the article is right: that
//! is the proof's work.

mod abbreviations;
mod accessibility;
mod formats;
mod headline;
mod metadata;
mod reading;
mod search;
mod structure;

pub use headline::{HeadlineCriterion, HeadlinePoints, HeadlineScore, headline_score};
pub use metadata::{NewsMetadata, metadata};
pub use reading::{CannotApply, ReadArticle, applied};
pub use search::{SearchEntry, search_entry};

use copydesk_newsroom::{PublishingCheck, PublishingNote};

/// Every note of every check, in the order of the checks and then of the article.
pub fn notes(read: &ReadArticle<'_>) -> Vec<PublishingNote> {
    use PublishingCheck::{Accessibility, Formats, Headline, Metadata, Search};
    [Headline, Search, Metadata, Accessibility, Formats].into_iter().flat_map(|check| notes_of(read, check)).collect()
}

/// The notes of one check.
pub fn notes_of(read: &ReadArticle<'_>, check: PublishingCheck) -> Vec<PublishingNote> {
    match check {
        PublishingCheck::Headline => headline::notes(read),
        PublishingCheck::Search => search::notes(read),
        PublishingCheck::Metadata => metadata::notes(read),
        PublishingCheck::Accessibility => accessibility::notes(read),
        PublishingCheck::Formats => formats::notes(read.article),
        PublishingCheck::Model => Vec::new(),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::editorial::testing::article;
    use copydesk_newsroom::ArticleResponse;

    pub(super) fn told(body: &str, check: PublishingCheck) -> Vec<(String, String, Option<String>)> {
        let article = ArticleResponse { headline: "Council votes for the park".into(), ..article(body) };
        let read = ReadArticle { article: &article, names: vec![], headlines: vec![], grade: None };
        let told = notes_of(&read, check).into_iter().map(|note| {
            assert_eq!(
                article.fields().into_iter().find(|(name, _)| *name == note.field).unwrap().1.get(note.start..note.end),
                Some(note.text.as_str())
            );
            (note.text, note.fix, note.replacement)
        });
        told.collect()
    }

    #[test]
    fn no_text_however_strange_breaks_a_check() {
        for text in [
            "",
            "\u{202E}x\u{0}",
            "<script>alert(1)</script>",
            "# ",
            "[](",
            "![](x)",
            "&",
            "ÀÉ ÀÉ (",
            "😀 😀",
            "|a|\n|-|",
            "A (B",
            "ß ẞ ﬀ",
        ] {
            let article = ArticleResponse {
                headline: text.into(),
                alternativeHeadline: text.into(),
                articleBody: text.into(),
                description: text.into(),
            };
            let read = ReadArticle { article: &article, names: vec![], headlines: vec![], grade: Some(30.0) };
            for note in notes(&read) {
                assert!(!note.what.is_empty() && note.fix.ends_with('.'), "{note:?}");
            }
            let _ = (headline_score(&read), search_entry(&read), metadata(&read));
        }
    }
}
