//! `tools`: the tools that are built in, with which agents research.

use std::path::Path;

use serde::{Deserialize, Deserializer, de::Error};
use serde_yaml::Value;

use super::{
    Endpoint, Perplexity,
    fields::{nullable, seconds, whole},
};

/// `tools`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BuiltInTools {
    pub fetch: FetchSettings,
    pub feeds: FeedSettings,
    /// None if the web is not searched.
    #[serde(deserialize_with = "nullable")]
    pub search: Option<WebSearch>,
}

/// `tools.fetch`: how pages are opened.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FetchSettings {
    /// Seconds that one page may take.
    #[serde(deserialize_with = "seconds")]
    pub timeout_seconds: f64,
    /// Most kilobytes (of 1,024 bytes) of a page's body.
    #[serde(deserialize_with = "whole::<16, 65_536, _, _>")]
    pub longest_page_kb: usize,
    /// Whether a site's robots.txt is honoured.
    pub respects_robots: bool,
    /// The program that draws pages without text; none if such pages are refused.
    #[serde(deserialize_with = "renderer")]
    pub render: Option<Renderer>,
}

/// `tools.fetch.render`: a program that prints a page as a browser shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renderer {
    /// A name that is looked up in the search path, or a whole path.
    pub program: String,
    /// Its arguments. One of them is [`Self::ADDRESS`].
    pub arguments: Vec<String>,
}

impl Renderer {
    /// The argument in whose place the address of a page stands.
    pub const ADDRESS: &str = "{url}";

    /// The arguments for the page at `address`, which is one of them.
    pub fn arguments_for<'a>(&'a self, address: &'a str) -> Vec<&'a str> {
        let argument = |argument: &'a String| if argument == Self::ADDRESS { address } else { argument.as_str() };
        self.arguments.iter().map(argument).collect()
    }
}

/// Reads a program and its arguments, or null.
fn renderer<'de, D: Deserializer<'de>>(value: D) -> Result<Option<Renderer>, D::Error> {
    let value = Value::deserialize(value)?;
    if value.is_null() {
        return Ok(None);
    }
    let form = "must be null, or a program and its arguments, such as [chromium, --headless, --dump-dom, \"{url}\"]";
    let words: Vec<String> = serde_yaml::from_value(value).map_err(|_| D::Error::custom(form))?;
    // A word that is empty is told of each key.
    let (program, arguments) = words.split_first().ok_or_else(|| D::Error::custom(form))?;
    if arguments.iter().filter(|argument| *argument == Renderer::ADDRESS).count() != 1 {
        return Err(D::Error::custom(format!("{form}: one argument must be \"{}\"", Renderer::ADDRESS)));
    }
    if program.contains(std::path::is_separator) && !Path::new(program).is_absolute() {
        return Err(D::Error::custom("must begin with the name of a program or its whole path"));
    }
    Ok(Some(Renderer { program: program.clone(), arguments: arguments.to_vec() }))
}

/// `tools.feeds`: how feeds are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FeedSettings {
    /// Most entries of a feed that are listed.
    #[serde(deserialize_with = "whole::<1, 500, _, _>")]
    pub most_entries: usize,
}

/// `tools.search`: the service that searches the web.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WebSearch {
    pub provider: SearchProvider,
    /// The address of a `SearXNG` server; none for the other service.
    #[serde(deserialize_with = "nullable")]
    pub api_base: Option<Endpoint>,
    /// Seconds that one search may take.
    #[serde(deserialize_with = "seconds")]
    pub timeout_seconds: f64,
    /// Most results of one search.
    #[serde(deserialize_with = "whole::<1, 50, _, _>")]
    pub most_results: usize,
}

/// The kind of service that searches the web.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SearchProvider {
    Searxng,
    Perplexity,
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
    pub fn endpoint(&self) -> &Endpoint {
        match self {
            Self::Searxng(endpoint) => endpoint,
            Self::Perplexity(search) => &search.endpoint,
        }
    }
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
        assert_eq!(
            tools.fetch,
            FetchSettings { timeout_seconds: 20.0, longest_page_kb: 8192, respects_robots: true, render: None }
        );
        assert_eq!((tools.feeds.most_entries, tools.search.is_none()), (30, true));
    }

    #[test]
    fn a_program_that_draws_pages_is_named_with_a_place_for_the_address() {
        let render = |value: &str| {
            assert!(TEMPLATE.contains("\n    render: null"));
            let yaml = TEMPLATE.replace("\n    render: null", &format!("\n    render: {value}"));
            load(Path::new("config.yaml"), &yaml, Path::new("/desk"))
        };
        let settings = render("[chromium, --headless, --dump-dom, \"{url}\"]").unwrap();
        let renderer = settings.tools.fetch.render.unwrap();
        assert_eq!(renderer.program, "chromium");
        assert_eq!(
            renderer.arguments_for("http://a.example/?a b"),
            ["--headless", "--dump-dom", "http://a.example/?a b"],
            "it is one argument"
        );
        for (value, why) in [
            ("[]", "must be null, or a program and its arguments"),
            ("chromium {url}", "must be null, or a program and its arguments"),
            // Without quotation marks, YAML reads a map.
            ("[chromium, {url}]", "must be null, or a program and its arguments"),
            ("[chromium, --dump-dom]", "one argument must be \"{url}\""),
            ("[chromium, \"--at={url}\"]", "one argument must be \"{url}\""),
            ("[chromium, \"{url}\", \"{url}\"]", "one argument must be \"{url}\""),
            ("[./chromium, \"{url}\"]", "must begin with the name of a program or its whole path"),
        ] {
            let problems = render(value).unwrap_err().problems;
            let [problem] = &problems[..] else { panic!("{value}: {problems:?}") };
            assert!(problem.key == "tools.fetch.render" && problem.message.contains(why), "{value}: {problem:?}");
        }
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
        assert_eq!(
            (settings.search_service().unwrap().endpoint().authority().as_str(), found.most_results),
            ("127.0.0.1:8888", 8)
        );
        assert!(settings.endpoints().iter().any(|endpoint| endpoint.setting == "tools.search.api_base"));
        let outside = problems(&search("https://search.example"));
        assert!(outside[0].starts_with("tools.search.api_base names search.example"), "{outside:?}");
        let nowhere = problems(&search("null"));
        assert!(nowhere[0].starts_with("tools.search.api_base must be the address of the server"), "{nowhere:?}");
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
        assert_eq!(settings.search_service().unwrap().endpoint().authority(), "127.0.0.1:9");
        let named =
            load(Path::new("c"), &yaml.replace("api_base: null", "api_base: http://127.0.0.1:8"), Path::new("/"));
        assert!(named.unwrap_err().to_string().contains("tools.search.api_base: must be null, because"));
    }
}
