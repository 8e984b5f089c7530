//! Opens the pages that a search outside cited. Each page is read, kept as a witness of its own tier, and held against the claim.

use futures_util::{StreamExt, TryStreamExt, stream};

use super::{Desk, DeskError};
use crate::ports::{Area, Filter, Hit, Query, StoryText, WebPage, aside};
use copydesk_newsroom::{Carries, CitationState, Journal, OpenedCitation, OpenedPage, Passage, Source, StoryKey, Tier};
use copydesk_proof as proof;
use copydesk_text::sentences::sentences;

/// Most citations of one search that are opened.
const MOST: usize = 8;

/// The number of pages that are opened at once.
const AT_ONCE: usize = 4;

/// The citations to open, and their claim.
pub(super) struct CitedPages {
    story: StoryKey,
    claim: String,
    citations: Vec<String>,
}

impl CitedPages {
    /// Returns the citations of a concern whose search is done.
    pub(super) fn of(journal: &Journal, round: u32, concern: u32) -> Option<Self> {
        let concerns = &journal.concerns(round)?.concerns;
        Some(Self {
            story: journal.opening.topic.story(),
            claim: concerns.iter().find(|candidate| candidate.concern_id == concern)?.excerpt.clone(),
            citations: journal.evidence(round, concern)?.citations.clone(),
        })
    }
}

impl Desk {
    /// Opens the citations of a search.
    pub(super) async fn open(&self, errand: CitedPages) -> Result<Vec<OpenedCitation>, DeskError> {
        let CitedPages { story, claim, citations } = errand;
        let one = |(number, citation): (usize, String)| {
            let (story, claim) = (&story, &claim);
            async move {
                let state = if number < MOST {
                    self.open_one(story, claim, &citation).await?
                } else {
                    CitationState::NotOpened { why: format!("only the first {MOST} citations of a search are") }
                };
                Ok::<_, DeskError>(OpenedCitation { citation, state })
            }
        };
        let work = citations.into_iter().enumerate().map(one);
        stream::iter(work).buffered(AT_ONCE).try_collect().await
    }

    async fn open_one(&self, story: &StoryKey, claim: &str, citation: &str) -> Result<CitationState, DeskError> {
        let page = match self.pages.open(citation).await {
            Ok(page) => page,
            Err(error) => return Ok(CitationState::NotOpened { why: error.to_string() }),
        };
        let opened_at = self.now();
        let kept = [(page.address.clone(), page.text.clone())];
        let (texts, _) = self.passages.shelve(story, Tier::Evidence, &kept).await?;
        let near = self.nearest(story, texts, claim).await?;
        let WebPage { address, title, text, digest, hidden, .. } = page;
        let source = Source { name: address.clone(), text };
        let asked = claim.to_owned();
        let held = aside(move || held_against(&asked, source)).await;
        // Rules that broke off have proved nothing.
        let (carries, proved) = held.unwrap_or((Carries::Not, None));
        let similarity = near.as_ref().and_then(|hit| hit.dense).map(|dense| dense.similarity);
        let passage = proved.or_else(|| near.map(|hit| Passage { file: address.clone(), ..hit.passage }));
        Ok(CitationState::Opened(Box::new(OpenedPage {
            address,
            title,
            opened_at,
            digest,
            carries,
            passage,
            similarity,
            hidden,
        })))
    }

    /// The passage of a page that bears most on the claim; none if a search takes too long.
    async fn nearest(&self, story: &StoryKey, texts: Vec<StoryText>, claim: &str) -> Result<Option<Hit>, DeskError> {
        let query = Query {
            text: claim.to_owned(),
            areas: vec![Area::Story { story: story.clone(), texts: Some(texts) }],
            filter: Filter::default(),
            count: 1,
        };
        match tokio::time::timeout(self.retrieval.timeout, self.passages.search(&query)).await {
            Ok(found) => Ok(found?.hits.into_iter().next()),
            Err(_) => Ok(None),
        }
    }
}

/// Whether a page carries a claim, and where. Proved from its words alone: similarity passes too much that is false.
fn held_against(claim: &str, page: Source) -> (Carries, Option<Passage>) {
    let page = [page];
    let whole = || proof::carried(claim, &page);
    let piece_by_piece = || {
        let pieces: Vec<&str> = sentences(claim).into_iter().filter_map(|range| claim.get(range)).collect();
        let places: Option<Vec<_>> = pieces.into_iter().map(|piece| proof::carried(piece, &page)).collect();
        places?.into_iter().next()
    };
    let Some(span) = whole().or_else(piece_by_piece) else { return (Carries::Not, None) };
    let carries = if proof::verbatim(claim, &page).is_some() { Carries::Verbatim } else { Carries::InSubstance };
    let passage = Passage {
        file: span.source,
        start: span.start as u64,
        end: span.end as u64,
        text: span.text,
        tier: Tier::Evidence,
        ..Passage::default()
    };
    (carries, Some(passage))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(claim: &str) -> (Carries, Option<String>) {
        let text = "About us. The bridge over the Aller was closed in 1994. It is not true that the ferry sank in 1931. A dam of 12 \
                    metres holds the lake, which froze twice.";
        let page = Source { name: "https://a.example/".to_owned(), text: text.to_owned() };
        let (carries, passage) = held_against(claim, page);
        if let Some(passage) = &passage {
            let (start, end) = (usize::try_from(passage.start).unwrap(), usize::try_from(passage.end).unwrap());
            assert_eq!(text.get(start..end), Some(passage.text.as_str()));
        }
        (carries, passage.map(|passage| passage.text))
    }

    #[test]
    fn a_page_carries_what_its_own_words_prove() {
        let bridge = "The bridge over the Aller was closed in 1994.";
        assert_eq!(held("the bridge over the Aller was closed in 1994"), (Carries::Verbatim, Some(bridge.to_owned())));
        assert_eq!(held("In 1994 the Aller bridge was closed."), (Carries::InSubstance, Some(bridge.to_owned())));
        assert_eq!(
            held("The bridge over the Aller was closed in 1994. The lake froze twice. The dam is 12 metres."),
            (Carries::InSubstance, Some(bridge.to_owned()))
        );
        for other in
            ["The bridge over the Aller was closed in 1995.", "The ferry sank in 1931.", "The lake froze in 1994.", ""]
        {
            assert_eq!(held(other), (Carries::Not, None), "{other}");
        }
    }
}
