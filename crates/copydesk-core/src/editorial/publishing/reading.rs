//! An article as the checks read it, and what they share: how a note is made, the first sentence, words that fit.

use std::ops::Range;

use copydesk_newsroom::{ArticleResponse, LedgerRow, NameInText, PublishingCheck, PublishingNote};
use copydesk_text::sentences::sentences;

/// An article with what other rooms read in it.
#[derive(Debug, Clone, Copy)]
pub struct ReadArticle<'a> {
    pub article: &'a ArticleResponse,
    /// The names of its body, in order.
    pub names: &'a [NameInText],
    /// The rows of headline and alternative headline, compared with the body.
    pub headlines: &'a [LedgerRow],
    /// The American school year that its body is written for; none if it has no word.
    pub grade: Option<f64>,
}

/// A note on a stretch of a field.
pub(super) fn note(
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
        by_model: false,
    }
}

/// The first sentence of a body that is prose: no heading, list, table or footnote.
pub(super) fn lead(body: &str) -> Option<&str> {
    let prose = |text: &&str| !text.starts_with(['#', '|', '-', '*', '>', '[', '!', '`', '<']) && text.contains(' ');
    sentences(body).into_iter().filter_map(|range| body.get(range)).map(str::trim).find(prose)
}

/// As many whole words from the beginning as fit into `most` characters; the same text if all of them do.
pub(super) fn cut(text: &str, most: usize) -> String {
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
mod tests {
    use super::*;

    #[test]
    fn the_lead_is_the_first_sentence_of_prose_and_is_cut_at_a_word() {
        assert_eq!(lead("# Vote\n\nThe council voted 7-2. It rained."), Some("The council voted 7-2."));
        assert_eq!(lead("## Only a heading"), None);
        assert_eq!(cut("The council voted, and it rained.", 20), "The council voted…");
        assert_eq!(cut("Short.", 20), "Short.");
    }
}
