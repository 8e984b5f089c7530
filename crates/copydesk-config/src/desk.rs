//! `desk`: the number and the order of steps worked on at once, the limits of servers, the budgets.

use std::{collections::HashMap, time::Duration};

use super::reader::Section;
use copydesk_newsroom::Pool;

/// `desk`.
#[derive(Debug, Clone, PartialEq)]
pub struct DeskSettings {
    /// `stories_at_once`: how many stories a program works on at once.
    pub stories_at_once: usize,
    /// `specialists_of_a_story`: how many specialists of one story may work at once.
    pub specialists_of_a_story: usize,
    /// `pools`: how many steps of each kind a program does at once.
    pub pools: HashMap<Pool, usize>,
    /// `queue`.
    pub queue: QueueSettings,
    /// `servers`.
    pub servers: ServerSettings,
    /// `budget`.
    pub budget: BudgetSettings,
}

/// `desk.queue`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueueSettings {
    /// `max_redeliveries`.
    pub max_redeliveries: u32,
    /// `backoff_seconds`: before the first redelivery.
    pub backoff: Duration,
    /// `longest_backoff_seconds`.
    pub longest_backoff: Duration,
    /// `ageing_minutes`.
    pub ageing: Duration,
    /// `lease_seconds`.
    pub lease: Duration,
    /// `give_up_after_minutes`: how long a program without a screen waits for a server that is down.
    pub give_up_after: Duration,
    /// `longest_wait_minutes`: the longest wait that a server may ask for.
    pub longest_wait: Duration,
}

/// `desk.servers`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerSettings {
    /// The limits of every server without limits of its own.
    pub any: Limits,
    /// `down_after_failures`: 0 for never.
    pub down_after_failures: u32,
    /// `rest_seconds`: how long a server that is down is left alone at first.
    pub rest: Duration,
    /// `longest_rest_seconds`.
    pub longest_rest: Duration,
    /// `own`: servers with limits of their own, by host and port.
    pub own: Vec<(String, Limits)>,
}

/// The most requests and tokens of one server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// `requests_at_once`.
    pub at_once: u32,
    /// `requests_per_minute`.
    pub per_minute: Option<u32>,
    /// `tokens_per_minute`.
    pub tokens_per_minute: Option<u64>,
}

/// `desk.budget`; none if there is no limit. Costs are in the currency of `prices`.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct BudgetSettings {
    /// `story_tokens`.
    pub story_tokens: Option<u64>,
    /// `story_cost`.
    pub story_cost: Option<f64>,
    /// `batch_tokens`.
    pub batch_tokens: Option<u64>,
    /// `batch_cost`.
    pub batch_cost: Option<f64>,
}

impl ServerSettings {
    /// The limits of the server at a host and port.
    #[must_use]
    pub fn limits(&self, host: &str) -> Limits {
        let host = at_home(host);
        self.own.iter().find(|(own, _)| at_home(own) == host).map_or(self.any, |(_, limits)| *limits)
    }
}

/// Returns a host and port in lower case, with `127.0.0.1` in place of every name of this machine.
fn at_home(host: &str) -> String {
    let name = ["localhost", "[::1]", "::1"].into_iter().find_map(|name| {
        let port = host.to_ascii_lowercase().strip_prefix(name)?.to_owned();
        (port.is_empty() || port.starts_with(':')).then_some(port)
    });
    name.map_or_else(|| host.to_ascii_lowercase(), |port| format!("127.0.0.1{port}"))
}

pub(super) fn read_desk(desk: &Section<'_>) -> Option<DeskSettings> {
    let stories_at_once = count(desk, "stories_at_once", "how many stories a program works on at once");
    let specialists_of_a_story =
        count(desk, "specialists_of_a_story", "how many specialists of one story may work at once");
    let pools = desk.section("pools", "the sizes of the pools", |pools| {
        Pool::ALL.into_iter().map(|pool| (pool, count(pools, pool.name(), "how many of these work at once"))).collect()
    });
    let queue = desk.section("queue", "the section of the queue", read_queue);
    let servers = desk.section("servers", "the section of model servers", read_servers);
    let budget = desk.section("budget", "the section of what may be spent", |budget| BudgetSettings {
        story_tokens: budget.whole_or_null("story_tokens", 1..=1_000_000_000_000, "the most tokens of a story"),
        story_cost: budget.number_or_null("story_cost", 0.0..=1e9, "the most that a story may cost"),
        batch_tokens: budget.whole_or_null("batch_tokens", 1..=1_000_000_000_000, "the most tokens of a batch"),
        batch_cost: budget.number_or_null("batch_cost", 0.0..=1e9, "the most that a batch may cost"),
    });
    Some(DeskSettings {
        stories_at_once,
        specialists_of_a_story,
        pools: pools?,
        queue: queue?,
        servers: servers?,
        budget: budget?,
    })
}

fn count(section: &Section<'_>, key: &'static str, belongs: &str) -> usize {
    usize::try_from(section.whole(key, 1..=1000, belongs)).unwrap_or(1)
}

fn seconds(section: &Section<'_>, key: &'static str, range: std::ops::RangeInclusive<f64>, belongs: &str) -> Duration {
    Duration::try_from_secs_f64(section.number(key, range, belongs)).unwrap_or_default()
}

fn read_queue(queue: &Section<'_>) -> QueueSettings {
    let redeliveries = queue.whole("max_redeliveries", 0..=100, "how often a step that failed for now is tried again");
    QueueSettings {
        max_redeliveries: u32::try_from(redeliveries).unwrap_or(0),
        backoff: seconds(queue, "backoff_seconds", 0.0..=3600.0, "the seconds before a step is first tried again"),
        longest_backoff: seconds(queue, "longest_backoff_seconds", 0.0..=86_400.0, "the most seconds of that"),
        ageing: Duration::from_secs(
            60 * queue.whole("ageing_minutes", 1..=10_080, "the minutes after which a step has waited long"),
        ),
        lease: seconds(queue, "lease_seconds", 5.0..=3600.0, "the seconds that a step is a program's"),
        give_up_after: Duration::from_secs(
            60 * queue.whole(
                "give_up_after_minutes",
                0..=10_080,
                "the minutes that a server that is down is waited for",
            ),
        ),
        longest_wait: Duration::from_secs(
            60 * queue.whole("longest_wait_minutes", 0..=10_080, "the most minutes that a server may ask to wait"),
        ),
    }
}

fn read_limits(section: &Section<'_>) -> Limits {
    let narrow = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    Limits {
        at_once: narrow(section.whole("requests_at_once", 1..=10_000, "how many requests a server gets at once")),
        per_minute: section
            .whole_or_null("requests_per_minute", 1..=1_000_000, "how many requests a server gets in a minute")
            .map(narrow),
        tokens_per_minute: section.whole_or_null(
            "tokens_per_minute",
            1..=1_000_000_000_000,
            "how many tokens a server gets in a minute",
        ),
    }
}

fn read_servers(servers: &Section<'_>) -> ServerSettings {
    let failures = servers.whole("down_after_failures", 0..=1000, "how many failures make a server count as down");
    let own = servers.sections_or_null("own", "a list of servers with limits of their own", |own| {
        (own.text("host", "a host with its port, such as 127.0.0.1:1234,"), read_limits(own))
    });
    for (index, (host, _)) in own.iter().enumerate() {
        if host.contains(['/', ' ']) {
            let problem =
                format!("names the server {host:?}; a server is a host with its port, such as 127.0.0.1:1234");
            servers.problem("own", problem);
        }
        if !host.is_empty() && own.iter().take(index).any(|(earlier, _)| at_home(earlier) == at_home(host)) {
            servers.problem("own", format!("names the server {host} twice; give each server once"));
        }
    }
    ServerSettings {
        any: read_limits(servers),
        down_after_failures: u32::try_from(failures).unwrap_or(0),
        rest: seconds(servers, "rest_seconds", 0.05..=3600.0, "the seconds that a server that is down is left alone"),
        longest_rest: seconds(servers, "longest_rest_seconds", 0.05..=86_400.0, "the most seconds of that"),
        own,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::{Settings, TEMPLATE, load};

    fn read(yaml: &str) -> Result<Settings, String> {
        load(Path::new("config.yaml"), yaml, Path::new("/desk")).map_err(|error| error.to_string())
    }

    #[test]
    fn the_template_has_what_the_design_says() {
        let desk = read(TEMPLATE).unwrap().desk;
        assert_eq!((desk.stories_at_once, desk.specialists_of_a_story, desk.queue.max_redeliveries), (4, 4, 3));
        assert_eq!(desk.pools.len(), Pool::ALL.len());
        assert_eq!(desk.budget, BudgetSettings::default());
        assert_eq!(desk.servers.limits("127.0.0.1:1234"), desk.servers.any);
    }

    #[test]
    fn a_server_has_its_own_limits() {
        let own = "own:\n      - host: api.example.com\n        requests_at_once: 2\n        requests_per_minute: 50\n        tokens_per_minute: 30000\n";
        let yaml = TEMPLATE.replacen("own: null\n", own, 1);
        let limits = Limits { at_once: 2, per_minute: Some(50), tokens_per_minute: Some(30_000) };
        let servers = read(&yaml).unwrap().desk.servers;
        assert_eq!(servers.limits("api.example.com"), limits);
        assert_ne!(servers.limits("127.0.0.1:1234"), limits);
        let home = read(&yaml.replacen("host: api.example.com", "host: \"localhost:1234\"", 1)).unwrap().desk.servers;
        for host in ["127.0.0.1:1234", "localhost:1234", "[::1]:1234", "LOCALHOST:1234"] {
            assert_eq!(home.limits(host), limits, "{host}");
        }
        assert_eq!(home.limits("localhost:12345"), home.any);
        let twice = yaml.replacen(own, &format!("{own}{}", own.trim_start_matches("own:\n")), 1);
        let error = read(&twice).unwrap_err();
        assert!(error.contains("names the server api.example.com twice"), "{error}");
    }

    #[test]
    fn every_problem_of_the_section_is_reported_at_once() {
        let yaml = TEMPLATE
            .replacen("max_redeliveries: 3", "max_redeliveries: -1", 1)
            .replacen("publisher: ", "printer: ", 1)
            .replacen("story_cost: null", "story_cost: much", 1);
        let error = read(&yaml).unwrap_err();
        for key in
            ["desk.queue.max_redeliveries", "desk.pools.publisher", "desk.pools.printer", "desk.budget.story_cost"]
        {
            assert!(error.contains(key), "{key}: {error}");
        }
    }
}
