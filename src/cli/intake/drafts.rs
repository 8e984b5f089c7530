//! Reads a draft that exists, and says which rules its language leaves out.

use std::collections::BTreeSet;

use crate::cli::prelude::*;
use crate::documents::{Document, DocumentKind, ReadingPurpose};
use crate::newsroom::{ArticleResponse, Source};
use crate::text::{
    footnotes::{footnotes, marks},
    language::{self, Language},
};
use crate::{editorial::drafts, knowledge::reading, proof};

/// The document of a draft: its text, its kind and its notes. An error begins with the draft's name.
fn draft_document(path: &Path) -> Result<(String, DocumentKind, Vec<String>)> {
    let shown = path.display();
    let named = |error: &dyn std::fmt::Display| WrongUse(format!("the draft {shown}: {error}"));
    match reading::document(path, ReadingPurpose::Draft) {
        Ok(document) if matches!(document.kind, DocumentKind::Text | DocumentKind::Word | DocumentKind::WebPage) => {
            let notes = document.remarks(&format!("the draft {shown}"));
            Ok((document.text, document.kind, notes))
        }
        Ok(Document { kind, .. }) => {
            let name = kind.name();
            Err(named(&format!("it is {name}; a draft is Markdown, text, .docx, .html or an article in JSON")).into())
        }
        Err(error) if error.is_empty() => Err(named(&drafts::DraftError::Empty).into()),
        Err(error) => Err(named(&error).into()),
    }
}

/// A draft for the loop, and what a reader should know about how it was read.
pub(crate) fn read_draft(path: &Path) -> Result<(ArticleResponse, Vec<String>)> {
    let (text, _, notes) = draft_document(path)?;
    let read = drafts::from_text(&text);
    Ok((read.map_err(|error| WrongUse(format!("the draft {}: {error}", path.display())))?, notes))
}

/// A person's own draft. Missing parts stay empty: a text of one paragraph is all body.
pub(crate) fn read_own_draft(path: &Path) -> Result<OwnDraft> {
    let (text, kind, mut notes) = draft_document(path)?;
    let article = drafts::own(&text).map_err(|error| WrongUse(format!("the draft {}: {error}", path.display())))?;
    notes.extend(footnote_notes(&article.articleBody));
    Ok(OwnDraft { article, text, kind, notes })
}

/// A person's own draft.
pub(crate) struct OwnDraft {
    pub(crate) article: ArticleResponse,
    /// Its text as it was read, in which its lines are counted.
    pub(crate) text: String,
    pub(crate) kind: DocumentKind,
    /// Remarks for the reader on how it was read.
    pub(crate) notes: Vec<String>,
}

/// Notes on marks that lead a reader to no footnote, on footnotes that no mark leads to, and on labels of several footnotes.
fn footnote_notes(body: &str) -> Vec<String> {
    let notes: Vec<String> = footnotes(body).into_iter().map(|note| note.label).collect();
    let marks: Vec<String> = marks(body).into_iter().map(|mark| mark.label).collect();
    let count = |of: &[String], label: &String| of.iter().filter(|known| *known == label).count();
    let labels: BTreeSet<&String> = notes.iter().chain(&marks).collect();
    let told = labels.into_iter().filter_map(|label| {
        let caret = if body.contains(&format!("[^{label}]")) { "^" } else { "" };
        match (count(&notes, label), count(&marks, label)) {
            (0, _) => Some(format!("the mark [{caret}{label}] leads to no footnote")),
            (1, 0) => Some(format!("no mark leads to the footnote [{caret}{label}]")),
            (1, _) => None,
            (several, _) => {
                Some(format!("{several} footnotes have the label [{caret}{label}]: a reader sees one of them"))
            }
        }
    });
    told.collect()
}

/// Notes on the languages of a draft and its sources, a sentence each. A text too short to tell counts as English.
pub(crate) fn language_notes(article: &ArticleResponse, sources: &[Source]) -> Vec<String> {
    let texts = std::iter::once(("the draft".to_owned(), article.articleBody.as_str()))
        .chain(sources.iter().map(|source| (format!("the source {}", source.name), source.text.as_str())));
    let foreign = texts.filter_map(|(what, text)| {
        let language: Language = language::detect(text).filter(|language| !language.is_english())?;
        Some(format!("{what} is in {language}"))
    });
    let mut notes: Vec<String> = foreign.collect();
    if !notes.is_empty() {
        let left_out: Vec<&str> = proof::not_applied(article, sources).into_iter().map(|rule| rule.name).collect();
        notes.push(format!(
            "Rules for English words are off ({}). Quotations, figures, dates and the spelling of names are checked",
            left_out.join(", ")
        ));
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draft_keeps_the_times_that_its_author_wrote() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("draft.md");
        let body = "0:01\nVOSS: Good evening.\n0:03\nTULL: And to you.";
        std::fs::write(&path, format!("# Talk\n\n{body}\n")).unwrap();
        let OwnDraft { article, notes, .. } = read_own_draft(&path).unwrap();
        assert_eq!((article.articleBody.as_str(), notes), (body, Vec::new()));
    }
}
