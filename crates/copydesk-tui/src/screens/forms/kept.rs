//! How an unfinished hand edit is kept while it is typed: the article, the texts as they were typed, and what can be undone.

use serde::{Deserialize, Serialize};

use crate::screens::forms::{answer::article, history::TypedHistory, model::Form};
use copydesk_newsroom::ArticleResponse;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptEdit {
    pub article: ArticleResponse,
    /// The text before it was typed over; none in an edit that an earlier version kept.
    #[serde(default)]
    pub before: Option<ArticleResponse>,
    /// The fields as they were typed, with blanks at their ends.
    #[serde(default)]
    pub texts: Vec<String>,
    #[serde(default)]
    pub history: TypedHistory,
}

impl KeptEdit {
    #[must_use]
    pub fn of(form: &Form) -> Self {
        let draft = form.draft.as_deref();
        Self {
            article: article(form),
            before: form.edits().map(|(_, before)| before.clone()),
            texts: form.texts().map(<[String]>::to_vec).unwrap_or_default(),
            history: draft.map(|draft| draft.history().stored()).unwrap_or_default(),
        }
    }

    /// Reads a saved edit, also that of a version that saved only the article. None if it is damaged.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok().or_else(|| {
            let article = serde_json::from_str(text).ok()?;
            Some(Self { article, before: None, texts: Vec::new(), history: TypedHistory::default() })
        })
    }
}
