//! The settings of the built-in tools.

use super::{Endpoint, Perplexity};

/// `tools`: the tools that are built in.
#[derive(Debug, Clone)]
pub struct BuiltInTools {
    /// `fetch`.
    pub fetch: FetchSettings,
    /// `feeds.most_entries`: most entries of a feed that are listed.
    pub most_entries: usize,
    /// `search`; none if the web is not searched.
    pub search: Option<WebSearch>,
}

/// `tools.fetch`: how pages are opened.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FetchSettings {
    /// Seconds that one page may take.
    pub timeout_seconds: f64,
    /// Most kilobytes (of 1,024 bytes) of a page's body.
    pub longest_page_kb: usize,
    /// Whether a site's robots.txt is honoured.
    pub respects_robots: bool,
}

/// `tools.search`: the service that searches the web.
#[derive(Debug, Clone)]
pub struct WebSearch {
    pub service: SearchService,
    /// Seconds that one search may take.
    pub timeout_seconds: f64,
    /// Most results of one search.
    pub most_results: usize,
}

/// A service that searches the web.
#[derive(Debug, Clone)]
pub enum SearchService {
    /// A `SearXNG` server; `/search` is added.
    Searxng(Endpoint),
    /// The service of `article_generation.perplexity`.
    Perplexity(Perplexity),
}

impl SearchService {
    /// Its address.
    #[must_use]
    pub fn endpoint(&self) -> &Endpoint {
        match self {
            Self::Searxng(endpoint) => endpoint,
            Self::Perplexity(search) => &search.endpoint,
        }
    }
}
