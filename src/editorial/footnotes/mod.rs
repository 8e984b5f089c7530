//! Only citations that a verdict of this run carries may stand in a footnote (seed 002, section 6.2).
//!
//! A writer that is a model can make up a URL, a DOI or a footnote. Each that no verdict supplied and no source, editor
//! or earlier human draft contains is taken out, and what was taken out is reported. Outside evidence stays in footnotes:
//! a citation's address in the running text is taken out too, unless a source has it.

mod addresses;
mod body;
mod patterns;

use std::collections::HashSet;

use crate::newsroom::ArticleResponse;
use addresses::keys;
use body::{body, definitions, running};

/// What may stand in an article.
#[derive(Debug, Clone, Default)]
pub struct Allowed {
    /// Citations of this run's verdicts: footnotes only.
    citations: Vec<String>,
    citation_addresses: HashSet<String>,
    /// Addresses that a witness or an editor wrote: anywhere.
    own_addresses: HashSet<String>,
    /// Footnotes that an editor wrote, whole.
    own_footnotes: HashSet<String>,
}

impl Allowed {
    /// `citations` of this run's verdicts; `texts` are the sources, the editor's own draft and feedback.
    #[must_use]
    pub fn new<'a>(citations: Vec<String>, texts: impl IntoIterator<Item = &'a str>) -> Self {
        let citations: Vec<String> = citations.into_iter().filter(|citation| !citation.trim().is_empty()).collect();
        let mut allowed = Self {
            citation_addresses: citations.iter().flat_map(|citation| keys(citation)).collect(),
            citations,
            ..Self::default()
        };
        for text in texts {
            allowed.own_addresses.extend(keys(text));
            allowed.own_footnotes.extend(definitions(text).map(|(_, note)| note));
        }
        allowed
    }

    fn footnote(&self, note: &str) -> bool {
        self.own_footnotes.contains(note)
            || self.citations.iter().any(|citation| note.contains(citation.trim()))
            || keys(note).any(|key| self.citation_addresses.contains(&key))
    }
}

/// The article without what nobody supplied, and a line for each thing that was taken out.
///
/// Taking an address out can bring the two halves of another together, so the check is repeated until it finds
/// nothing.
///
/// # Errors
/// [`Nested`] where that takes more than a few passes: no honest text hides addresses in addresses.
pub fn check(article: &ArticleResponse, allowed: &Allowed) -> Result<(ArticleResponse, Vec<String>), Nested> {
    let mut all = Vec::new();
    let mut article = article.clone();
    for _ in 0..MOST_PASSES {
        let mut stripped = Vec::new();
        article = article.map(|field, text| match field {
            "articleBody" => body(text, allowed, &mut stripped),
            _ => running(text, allowed, &mut stripped),
        });
        if stripped.is_empty() {
            return Ok((article, all));
        }
        all.append(&mut stripped);
    }
    Err(Nested)
}

/// Most passes of the check over a text.
const MOST_PASSES: usize = 12;

/// Addresses hidden in addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it hides addresses in addresses")]
pub struct Nested;

#[cfg(test)]
mod tests;
