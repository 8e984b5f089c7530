//! The addresses and footnotes that may stand in an article.

use std::collections::HashSet;

use super::{addresses::keys, patterns::definitions};

/// The addresses and footnotes that may stand in an article.
#[derive(Debug, Clone, Default)]
pub struct Allowed {
    /// Citations of this run's verdicts: footnotes only.
    citations: Vec<String>,
    pub(super) citation_addresses: HashSet<String>,
    /// Addresses that a witness or an editor wrote: anywhere.
    pub(super) own_addresses: HashSet<String>,
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

    pub(super) fn footnote(&self, note: &str) -> bool {
        self.own_footnotes.contains(note)
            || self.citations.iter().any(|citation| note.contains(citation.trim()))
            || keys(note).any(|key| self.citation_addresses.contains(&key))
    }
}
