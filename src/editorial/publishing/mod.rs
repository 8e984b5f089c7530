//! What the Publisher looks at in an article before it goes out, by rule: headline, search, metadata, accessibility, formats.
//!
//! Each note names a place, says what is wrong there and what to do. Nothing is changed here, and no rule judges whether the article is
//! right: that is the proof's work.

mod abbreviations;
mod accessibility;
mod applying;
mod formats;
mod headline;
mod metadata;
mod search;
mod structure;

use std::ops::Range;

pub use applying::{CannotApply, applied};
pub use headline::{HeadlineCriterion, HeadlinePoints, HeadlineScore};
pub use metadata::NewsMetadata;
pub use search::SearchEntry;

use crate::{
    newsroom::{ArticleResponse, LedgerRow, NameInText, PublishingCheck, PublishingNote},
    text::sentences::sentences,
};

/// An article with what other rooms read in it.
#[derive(Debug, Clone, Copy)]
pub struct ReadArticle<'a> {
    pub article: &'a ArticleResponse,
    /// The names of its body, in order.
    pub names: &'a [NameInText],
    /// The rows of headline and alternative headline, held against the body.
    pub headlines: &'a [LedgerRow],
    /// The American school year that its body is written for; none if it has no word.
    pub grade: Option<f64>,
}

/// Every note of every check, in the order of the checks and then of the article.
#[must_use]
pub fn notes(read: &ReadArticle<'_>) -> Vec<PublishingNote> {
    [
        headline::notes(read),
        search::notes(read),
        metadata::notes(read),
        accessibility::notes(read),
        formats::notes(read.article),
    ]
    .concat()
}

/// The notes of one check.
#[must_use]
pub fn notes_of(read: &ReadArticle<'_>, check: PublishingCheck) -> Vec<PublishingNote> {
    match check {
        PublishingCheck::Headline => headline::notes(read),
        PublishingCheck::Search => search::notes(read),
        PublishingCheck::Metadata => metadata::notes(read),
        PublishingCheck::Accessibility => accessibility::notes(read),
        PublishingCheck::Formats => formats::notes(read.article),
    }
}

/// How good the headline is, criterion by criterion.
#[must_use]
pub fn headline_score(read: &ReadArticle<'_>) -> HeadlineScore {
    headline::score(read, "headline")
}

/// What a search engine would show.
#[must_use]
pub fn search_entry(read: &ReadArticle<'_>) -> SearchEntry {
    search::entry(read)
}

/// The article's description for archives and partners.
#[must_use]
pub fn metadata(read: &ReadArticle<'_>) -> NewsMetadata {
    metadata::metadata(read)
}

/// A note on a stretch of a field.
fn note(
    check: PublishingCheck,
    (field, text): (&'static str, &str),
    range: Range<usize>,
    what: String,
    fix: String,
) -> PublishingNote {
    PublishingNote {
        check,
        field: field.to_owned(),
        start: range.start,
        end: range.end,
        text: text.get(range).unwrap_or_default().to_owned(),
        what,
        fix,
        replacement: None,
    }
}

/// The first sentence of a body that is prose: no heading, list, table or footnote.
fn lead(body: &str) -> Option<&str> {
    let prose = |text: &&str| !text.starts_with(['#', '|', '-', '*', '>', '[', '!', '`', '<']) && text.contains(' ');
    sentences(body).into_iter().filter_map(|range| body.get(range)).map(str::trim).find(prose)
}

/// As many whole words from the beginning as fit into `most` characters; the same text if all of them do.
fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let mut kept = String::new();
    let mut length = 0;
    for word in text.split_whitespace() {
        length += word.chars().count() + usize::from(!kept.is_empty());
        if length > most.saturating_sub(1) {
            break;
        }
        if !kept.is_empty() {
            kept.push(' ');
        }
        kept.push_str(word);
    }
    format!("{}…", kept.trim_end_matches([',', ';', ':', '.', '–', '—', ' ']))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::editorial::next_steps::tests::article;

    pub(super) fn told(body: &str, check: PublishingCheck) -> Vec<(String, String, Option<String>)> {
        let article = ArticleResponse { headline: "Council votes for the park".into(), ..article(body) };
        let read = ReadArticle { article: &article, names: &[], headlines: &[], grade: None };
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
            let read = ReadArticle { article: &article, names: &[], headlines: &[], grade: Some(30.0) };
            for note in notes(&read) {
                assert!(!note.what.is_empty() && note.fix.ends_with('.'), "{note:?}");
            }
            let _ = (headline_score(&read), search_entry(&read), metadata(&read));
        }
    }

    #[test]
    fn the_lead_is_the_first_sentence_of_prose_and_is_cut_at_a_word() {
        assert_eq!(lead("# Vote\n\nThe council voted 7-2. It rained."), Some("The council voted 7-2."));
        assert_eq!(lead("## Only a heading"), None);
        assert_eq!(cut("The council voted, and it rained.", 20), "The council voted…");
        assert_eq!(cut("Short.", 20), "Short.");
    }
}
