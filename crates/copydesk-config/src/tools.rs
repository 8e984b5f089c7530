//! The section `tools`: the tools with which agents research.

use super::{
    fields::{endpoint, seconds},
    reader::Section,
    service::Perplexity,
    tool_settings::{BuiltInTools, FetchSettings, SearchService, WebSearch},
};

#[derive(Clone, Copy)]
enum Provider {
    Searxng,
    Perplexity,
}

/// Reads the section. `perplexity` is that of `article_generation`.
pub(super) fn read_tools(tools: &Section<'_>, perplexity: Option<&Perplexity>) -> Option<BuiltInTools> {
    let fetch = tools.section("fetch", "how pages are opened", |fetch| FetchSettings {
        timeout_seconds: seconds(fetch),
        longest_page_kb: whole(fetch, "longest_page_kb", 16..=65_536, "the most kilobytes of a page"),
        respects_robots: fetch.yes_or_no("respects_robots", "whether a site's robots.txt is honoured"),
    });
    let most_entries = tools.section("feeds", "how feeds are read", |feeds| {
        whole(feeds, "most_entries", 1..=500, "the most entries of a feed that are listed")
    });
    let search = tools.section_or_null("search", "who searches the web", |search| {
        let service = read_service(search, perplexity);
        let timeout_seconds = seconds(search);
        let most_results = whole(search, "most_results", 1..=50, "the most results of one search");
        Some(WebSearch { service: service?, timeout_seconds, most_results })
    });
    // A section that is there but broken has reported its own problem.
    Some(BuiltInTools { fetch: fetch?, most_entries: most_entries?, search: search.flatten() })
}

fn read_service(search: &Section<'_>, perplexity: Option<&Perplexity>) -> Option<SearchService> {
    let providers = [("searxng", Provider::Searxng), ("perplexity", Provider::Perplexity)];
    match search.one_of("provider", &providers, "the service that searches") {
        Some(Provider::Searxng) => endpoint(search, "api_base").map(SearchService::Searxng),
        Some(Provider::Perplexity) => {
            let own = "null, because article_generation.perplexity names the address";
            if search.text_or_null("api_base", own).is_some() {
                search.problem("api_base", format!("is set; with provider: perplexity, {own}, belongs there"));
            }
            if perplexity.is_none() {
                let message = "is perplexity, and article_generation.perplexity is null: fill that in, or name searxng";
                search.problem("provider", message);
            }
            perplexity.cloned().map(SearchService::Perplexity)
        }
        None => {
            search.pass_over(&["api_base"]);
            None
        }
    }
}

fn whole(section: &Section<'_>, key: &'static str, range: std::ops::RangeInclusive<u64>, belongs: &str) -> usize {
    usize::try_from(section.whole(key, range, belongs)).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::{ConfigError, Settings, TEMPLATE, load};

    fn with(search: &str) -> Result<Settings, ConfigError> {
        assert!(TEMPLATE.contains("\n  search: null"));
        load(Path::new("config.yaml"), &TEMPLATE.replace("\n  search: null", search), Path::new("/desk"))
    }

    fn problems(search: &str) -> Vec<String> {
        let problems = with(search).unwrap_err().problems;
        problems.into_iter().map(|problem| format!("{} {}", problem.key, problem.message)).collect()
    }

    #[test]
    fn the_template_fetches_and_does_not_search() {
        let tools = with("\n  search: null").unwrap().tools;
        assert_eq!(tools.fetch, FetchSettings { timeout_seconds: 20.0, longest_page_kb: 8192, respects_robots: true });
        assert_eq!((tools.most_entries, tools.search.is_none()), (30, true));
    }

    #[test]
    fn searxng_has_an_address_that_the_privacy_setting_covers() {
        let search = |base: &str| {
            format!(
                "\n  search:\n    provider: searxng\n    api_base: {base}\n    timeout_seconds: 5\n    most_results: 8"
            )
        };
        let settings = with(&search("http://127.0.0.1:8888")).unwrap();
        let found = settings.tools.search.as_ref().unwrap();
        assert_eq!((found.service.endpoint().authority().as_str(), found.most_results), ("127.0.0.1:8888", 8));
        assert!(settings.endpoints().iter().any(|endpoint| endpoint.setting == "tools.search.api_base"));
        let outside = problems(&search("https://search.example"));
        assert!(outside[0].starts_with("tools.search.api_base names search.example"), "{outside:?}");
        let nowhere = problems(&search("null"));
        assert!(nowhere[0].starts_with("tools.search.api_base is empty"), "{nowhere:?}");
    }

    #[test]
    fn perplexity_takes_what_the_search_for_evidence_has() {
        let search =
            "\n  search:\n    provider: perplexity\n    api_base: null\n    timeout_seconds: 5\n    most_results: 8";
        assert_eq!(
            problems(search),
            [
                "tools.search.provider is perplexity, and article_generation.perplexity is null: fill that in, or name searxng"
            ]
        );
        let yaml = TEMPLATE.replace("\n  search: null", search).replace(
            "perplexity: null",
            "perplexity:\n    api_base: http://127.0.0.1:9\n    api_key: k\n    model: sonar\n    timeout_seconds: 45",
        );
        let settings = load(Path::new("config.yaml"), &yaml, Path::new("/desk")).unwrap();
        assert_eq!(settings.tools.search.unwrap().service.endpoint().authority(), "127.0.0.1:9");
        let named =
            load(Path::new("c"), &yaml.replace("api_base: null", "api_base: http://127.0.0.1:8"), Path::new("/"));
        assert!(named.unwrap_err().to_string().contains("tools.search.api_base is set"));
    }
}
