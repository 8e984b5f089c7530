//! An article as the checks read it, and what they share: how a note is made, the first sentence, words that fit.

use std::ops::Range;

use copydesk_newsroom::{ArticleResponse, LedgerRow, NameInText, PublishingCheck, PublishingNote, Source};
use copydesk_proof::{self as proof, Gravity};
use copydesk_style::Readability;
use copydesk_text::{sanitise::one_line, sentences::sentences};

/// An article with what other rooms read in it.
#[derive(Debug, Clone)]
pub struct ReadArticle<'a> {
    pub article: &'a ArticleResponse,
    /// The names of its body, in order.
    pub names: Vec<NameInText>,
    /// The rows of headline and alternative headline, compared with the body.
    pub headlines: Vec<LedgerRow>,
    /// The American school year that its body is written for; none if it has no word.
    pub grade: Option<f64>,
}

impl<'a> ReadArticle<'a> {
    /// What the proof and the house's measures read in an article.
    pub fn of(article: &'a ArticleResponse) -> Self {
        let heads = ArticleResponse { articleBody: String::new(), description: String::new(), ..article.clone() };
        let body = Source { name: "the article".to_owned(), text: article.articleBody.clone() };
        Self {
            article,
            names: proof::named(&article.articleBody),
            headlines: proof::ledger(&heads, &[body], Gravity::Concern).rows,
            grade: Readability::of(article).map(|measured| measured.flesch_kincaid_grade),
        }
    }
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
    let line = one_line(text);
    let mut kept: String = line.chars().take(most.saturating_sub(1)).collect();
    // A word that goes on is left out.
    if line.get(kept.len()..).is_some_and(|rest| !rest.is_empty() && !rest.starts_with(' ')) {
        kept.truncate(kept.rfind(' ').unwrap_or(0));
    }
    format!("{}…", kept.trim_end_matches([',', ';', ':', '.', '–', '—', ' ']))
}

/// Why notes cannot be put into a text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CannotApply {
    /// The rule does not know what to write.
    #[error("note {0} names no words to write. Change the text yourself (edit FILE), or leave it")]
    NoWords(usize),
    /// The article has another text there.
    #[error("note {0} is about words that do not stand there any more")]
    Changed(usize),
    /// Two notes are about the same words.
    #[error("notes {0} and {1} are about the same words. Accept one of them")]
    Overlap(usize, usize),
}

/// The article with the notes of these numbers done.
///
/// # Errors
/// [`CannotApply`] if one of them cannot be done; then none is.
pub fn applied(article: &ArticleResponse, notes: &[(usize, &PublishingNote)]) -> Result<ArticleResponse, CannotApply> {
    let mut ordered = notes.to_vec();
    // From the end, so that the places before stay where they are.
    ordered.sort_by_key(|(_, note)| (note.field.as_str(), std::cmp::Reverse(note.start)));
    for pair in ordered.windows(2) {
        let [(later, after), (earlier, before)] = pair else { continue };
        let meets = before.end > after.start || before.start == after.start;
        if before.field == after.field && meets {
            return Err(CannotApply::Overlap(*earlier.min(later), *earlier.max(later)));
        }
    }
    let mut article = article.clone();
    for (number, note) in ordered {
        let words = note.replacement.as_ref().ok_or(CannotApply::NoWords(number))?;
        let text = article.field(&note.field).map(str::to_owned);
        let text = text.filter(|text| text.get(note.start..note.end) == Some(note.text.as_str()));
        let mut text = text.ok_or(CannotApply::Changed(number))?;
        text.replace_range(note.start..note.end, words);
        article = article.map(|name, old| if name == note.field { text.clone() } else { old.to_owned() });
    }
    Ok(article)
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

#[cfg(test)]
mod applying_tests {
    use super::*;
    use crate::editorial::testing::article;
    use copydesk_newsroom::PublishingCheck;

    fn note(start: usize, text: &str, replacement: Option<&str>) -> PublishingNote {
        PublishingNote {
            check: PublishingCheck::Accessibility,
            field: "articleBody".into(),
            start,
            end: start + text.len(),
            text: text.into(),
            what: "It is spelt out aloud.".into(),
            fix: "Write it.".into(),
            replacement: replacement.map(str::to_owned),
            by_model: false,
        }
    }

    #[test]
    fn all_notes_are_done_or_none() {
        let draft = article("They came w/ tea w/o milk.");
        let (with, without) = (note(10, "w/", Some("with")), note(17, "w/o", Some("without")));
        let done = applied(&draft, &[(1, &with), (2, &without)]).unwrap();
        assert_eq!(done, ArticleResponse { articleBody: "They came with tea without milk.".into(), ..draft.clone() });
        assert_eq!(applied(&draft, &[(1, &with), (3, &with)]), Err(CannotApply::Overlap(1, 3)));
        assert_eq!(applied(&draft, &[(4, &note(10, "w/", None))]), Err(CannotApply::NoWords(4)));
        assert_eq!(applied(&done, &[(2, &without)]), Err(CannotApply::Changed(2)));
        assert_eq!(with.line(), "Accessibility, “w/”: It is spelt out aloud. Write it.");
    }
}
