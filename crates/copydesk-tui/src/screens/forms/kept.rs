//! How an unfinished hand edit is kept while it is typed: the article, the texts as they were typed, and what can be undone.

use serde::{Deserialize, Serialize};

use crate::screens::forms::answer::article;
use crate::screens::forms::{Form, TypedHistory};
use copydesk_newsroom::ArticleResponse;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptEdit {
    pub article: ArticleResponse,
    /// The text before it was typed over.
    pub before: ArticleResponse,
    /// The fields as they were typed, with blanks at their ends.
    pub texts: Vec<String>,
    pub history: TypedHistory,
}

impl KeptEdit {
    /// None if the form is not a hand edit.
    pub fn of(form: &Form) -> Option<Self> {
        let (_, before) = form.edits()?;
        let draft = form.draft.as_deref();
        Some(Self {
            article: article(form),
            before: before.clone(),
            texts: form.texts().map(<[String]>::to_vec).unwrap_or_default(),
            history: draft.map(|draft| draft.history().stored()).unwrap_or_default(),
        })
    }
}

/// A kept edit of the draft at the gate, as it is saved.
#[cfg(test)]
pub fn stored(article: ArticleResponse) -> String {
    let before = copydesk_core::editorial::testing::at_gate().draft(1).unwrap().article.clone();
    serde_json::to_string(&KeptEdit { article, before, texts: Vec::new(), history: TypedHistory::default() }).unwrap()
}
