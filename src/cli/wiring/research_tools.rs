//! The tools of research: they open pages, read feeds, and search the web and the knowledge base.

use std::time::Duration;

use crate::cli::prelude::*;
use crate::knowledge::{
    Library,
    reading::{self, NotRead},
};
use crate::llm::{Fetcher, WebPages};
use crate::ports::{Clock, PageError, Toolbox};
use crate::tools::{FetchContent, LimitedToolbox, LoadSkill, ParseRss, SearchKnowledgeBase, SearchWeb, ToolRegistry};
use crate::{cli::wiring::skills::Taught, config::FetchSettings, documents::Document};

/// How long the text of a page may take to be read, beyond the time that it takes to arrive.
const READING: Duration = Duration::from_mins(1);

/// The names of the tools that are built in, whether they are on or off.
pub(crate) const BUILT_IN: [&str; 5] =
    ["fetch_content", "parse_RSS", "search_knowledge_base", "search_web", crate::skills::LOAD_SKILL];

/// How long a skill may take, which is in memory.
const OPENING: Duration = Duration::from_secs(5);

/// The tools as a belt: those built in that the configuration turns on, the agents' skills, and those of MCP servers, as far as the agents' own
/// files allow them.
pub(crate) fn tool_registry(
    settings: &Settings,
    store: &Store,
    library: Arc<Library>,
    taught: &Taught,
) -> ToolRegistry {
    let mut toolboxes = built_in(settings, store, library);
    let openers = taught.on_demand(settings.tool_users());
    let skills: Vec<_> = openers.map(|(agent, skill)| (agent, skill.name.clone(), skill.body.clone())).collect();
    if !skills.is_empty() {
        toolboxes.push(LimitedToolbox {
            toolbox: Arc::new(LoadSkill(skills)),
            limit: OPENING,
            setting: "skills.enabled".into(),
        });
    }
    #[cfg(feature = "mcp")]
    toolboxes.extend(of_servers(settings));
    ToolRegistry { toolboxes, only: taught.limits().map(|(agent, tools)| (agent, tools.to_vec())).collect() }
}

/// The tools that are built in and turned on, to be served to other programs. The tools of MCP servers are not passed on.
#[cfg(feature = "mcp")]
pub(crate) fn served(settings: &Settings, store: &Store, library: Arc<Library>) -> ToolRegistry {
    ToolRegistry::new(built_in(settings, store, library))
}

fn built_in(settings: &Settings, store: &Store, library: Arc<Library>) -> Vec<LimitedToolbox> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let fetch = &settings.tools.fetch;
    let base = &settings.article_generation.knowledge_base;
    // One fetcher, so that a site's robots.txt is read once for pages and feeds.
    let fetcher = Arc::new(Fetcher::new(settings.privacy.local_only, fetch));
    let pages = Arc::new(WebPages { fetcher: Arc::clone(&fetcher), read: Arc::new(article) });
    let limited = |toolbox: Arc<dyn Toolbox>, limit: Duration, setting: &str| LimitedToolbox {
        toolbox,
        limit,
        setting: format!("{setting}.timeout_seconds"),
    };
    // A page that is drawn takes its time twice.
    let looks = 1 + u32::from(fetch.render.is_some());
    let fetching = (Duration::from_secs_f64(fetch.timeout_seconds) + READING) * looks;
    let searching = SearchKnowledgeBase {
        passages: library,
        index: Arc::new(store.clone()),
        clock: Arc::clone(&clock),
        usual: base.top_k,
        min_credibility: base.min_credibility,
    };
    let most_entries = settings.tools.feeds.most_entries;
    let mut toolboxes = vec![
        limited(Arc::new(FetchContent { pages, clock: Arc::clone(&clock) }), fetching, "tools.fetch"),
        limited(Arc::new(ParseRss { fetcher, clock, most_entries }), fetching, "tools.fetch"),
        limited(Arc::new(searching), Duration::from_secs_f64(base.timeout_seconds), "knowledge_base"),
    ];
    toolboxes.extend(settings.tools.search.as_ref().zip(search(settings)).map(|(search, toolbox)| {
        limited(Arc::new(toolbox), Duration::from_secs_f64(search.timeout_seconds), "tools.search")
    }));
    toolboxes
}

/// The tools of MCP servers: each server keeps its own time, which none exceeds.
#[cfg(feature = "mcp")]
fn of_servers(settings: &Settings) -> Option<LimitedToolbox> {
    let taken = BUILT_IN.map(str::to_owned);
    let longest = settings.mcp.iter().map(|server| server.timeout).max()?;
    let toolbox = crate::cli::wiring::mcp::toolbox(settings, taken.into_iter().collect())?;
    // A first call may have to start the server.
    let limit = longest * 2;
    Some(LimitedToolbox { toolbox, limit, setting: "mcp.servers.timeout_seconds".into() })
}

/// The search of the web; none if none is configured.
pub(crate) fn search(settings: &Settings) -> Option<SearchWeb> {
    let most = settings.tools.search.as_ref()?.most_results;
    let (local_only, secrets) = (settings.privacy.local_only, settings.article_generation.secrets());
    Some(SearchWeb::new(local_only, secrets, settings.search_service()?, most))
}

/// Reads the article of a page, and what the page says of itself.
fn article(_: &str, name: &str, body: &[u8]) -> Result<Document, PageError> {
    reading::article(name, body).map_err(|error| unreadable(&error))
}

/// Opens what a search for outside evidence cites, as a reader would: robots.txt is not asked.
pub(crate) fn cited(settings: &Settings) -> WebPages {
    let fetch = FetchSettings { respects_robots: false, ..settings.tools.fetch.clone() };
    WebPages { fetcher: Arc::new(Fetcher::new(settings.privacy.local_only, &fetch)), read: Arc::new(article) }
}

fn unreadable(error: &NotRead) -> PageError {
    if error.is_empty() {
        return PageError::Empty;
    }
    // The rest of the message tells how to mend one's own file.
    let why = error.to_string();
    PageError::Unreadable(why.split([':', ';']).next().unwrap_or_default().to_owned())
}
