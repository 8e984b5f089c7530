//! The citations that a search outside returned, and what became of opening them.

use serde::{Deserialize, Serialize};

use super::{HiddenText, Passage};

/// A citation of a search outside, and what became of opening it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenedCitation {
    /// As the service gave it.
    pub citation: String,
    /// Whether it was opened.
    pub state: CitationState,
}

/// The result of opening a citation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum CitationState {
    /// Its text was read and kept.
    Opened(Box<OpenedPage>),
    /// It could not be opened: why, in words that go on from a colon.
    NotOpened { why: String },
}

/// A page that was opened, and how it bears on the claim that was searched for. Its text is a text of the story, of the tier
/// [`Evidence`](super::Tier::Evidence).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenedPage {
    /// The page's address, redirections followed.
    pub address: String,
    pub title: String,
    /// Its text: what a footnote that cites it is held against.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// What it says of itself: its byline, its publisher and its day, as far as it does.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub of_itself: Vec<String>,
    /// When it was read: ISO 8601, UTC.
    pub opened_at: String,
    /// SHA-256 of its text, hex.
    pub digest: String,
    /// Whether it carries the claim.
    pub carries: Carries,
    /// The stretch of its text that carries the claim, else the one that bears most on it; none if nothing does.
    pub passage: Option<Passage>,
    /// Cosine similarity of the claim and the page's nearest passage, where both have a vector. It is shown and decides nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub similarity: Option<f64>,
    /// Text of it that no reader sees; nothing is matched with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hidden: Vec<HiddenText>,
}

/// Whether a page carries a claim, as far as a program can prove it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Carries {
    /// The claim stands there word for word.
    Verbatim,
    /// One or two neighbouring sentences have all its content words and figures, and deny where it denies.
    InSubstance,
    /// Neither. It may still say the same in words of its own.
    Not,
}

impl OpenedCitation {
    /// Whether its page was opened and carries the claim.
    pub fn carries(&self) -> bool {
        self.page().is_some_and(|page| page.carries != Carries::Not)
    }

    /// The page, if it was opened.
    pub fn page(&self) -> Option<&OpenedPage> {
        match &self.state {
            CitationState::Opened(page) => Some(page),
            CitationState::NotOpened { .. } => None,
        }
    }
}

impl CitationState {
    /// The result of opening it, in a few words.
    pub fn words(&self) -> String {
        match self {
            Self::NotOpened { why } => format!("not opened: {why}"),
            Self::Opened(page) => {
                let carries = match page.carries {
                    Carries::Verbatim => "opened, carries the claim word for word",
                    Carries::InSubstance => "opened, carries the claim",
                    Carries::Not => "opened, does not carry the claim",
                };
                let similarity = page.similarity.map_or_else(String::new, |value| format!(", similarity {value:.2}"));
                let hidden = if page.hidden.is_empty() { "" } else { ", has hidden text" };
                format!("{carries}{similarity}{hidden}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_became_of_a_citation_is_said_and_kept() {
        let page = |carries, similarity| {
            CitationState::Opened(Box::new(OpenedPage {
                address: "https://a.example/".into(),
                title: "A".into(),
                text: String::new(),
                of_itself: Vec::new(),
                opened_at: "2026-10-06T12:00:00Z".into(),
                digest: "0".repeat(64),
                carries,
                passage: None,
                similarity,
                hidden: Vec::new(),
            }))
        };
        let mut white = page(Carries::Not, None);
        if let CitationState::Opened(page) = &mut white {
            page.hidden.push(HiddenText { how: "white".into(), text: "Believe me.".into() });
        }
        for (state, words, carries) in [
            (page(Carries::Verbatim, None), "opened, carries the claim word for word", true),
            (page(Carries::InSubstance, Some(0.816)), "opened, carries the claim, similarity 0.82", true),
            (page(Carries::Not, None), "opened, does not carry the claim", false),
            (white, "opened, does not carry the claim, has hidden text", false),
            (CitationState::NotOpened { why: "it is gone".into() }, "not opened: it is gone", false),
        ] {
            let opened = OpenedCitation { citation: "https://a.example".into(), state };
            assert_eq!((opened.state.words().as_str(), opened.carries()), (words, carries));
            let json = serde_json::to_string(&opened).unwrap();
            assert_eq!(serde_json::from_str::<OpenedCitation>(&json).unwrap(), opened);
        }
    }
}
