//! `desk`: the number and the order of steps worked on at once, the limits of servers, the budgets.

use std::{collections::HashMap, time::Duration};

use serde::{Deserialize, Deserializer, de::Error};

use super::fields::{list, minutes, number_or_null, some_time, time, whole, whole_or_null};
use copydesk_core::ports::ServerLimits;
use copydesk_newsroom::Pool;

/// `desk`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeskSettings {
    /// How many stories a program works on at once.
    #[serde(deserialize_with = "whole::<1, 1000, _, _>")]
    pub stories_at_once: usize,
    /// How many specialists of one story may work at once.
    #[serde(deserialize_with = "whole::<1, 1000, _, _>")]
    pub specialists_of_a_story: usize,
    /// How many steps of each kind a program does at once.
    #[serde(deserialize_with = "pools")]
    pub pools: HashMap<Pool, usize>,
    pub queue: QueueSettings,
    pub servers: ServerSettings,
    pub budget: BudgetSettings,
}

fn pools<'de, D: Deserializer<'de>>(value: D) -> Result<HashMap<Pool, usize>, D::Error> {
    #[derive(Deserialize)]
    struct Slots(#[serde(deserialize_with = "whole::<1, 1000, _, _>")] usize);
    let mut slots = HashMap::<String, Slots>::deserialize(value)?;
    let read = |pool: Pool| slots.remove(pool.name()).map(|slots| (pool, slots.0)).ok_or(pool.name());
    let pools: Result<_, _> = Pool::ALL.into_iter().map(read).collect();
    let pools = pools.map_err(D::Error::missing_field)?;
    match slots.keys().next() {
        Some(unknown) => Err(D::Error::custom(format!(".{unknown}: is not a pool; the template has all of them"))),
        None => Ok(pools),
    }
}

/// `desk.queue`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QueueSettings {
    /// How often a step that failed for now is tried again.
    #[serde(deserialize_with = "whole::<0, 100, _, _>")]
    pub max_redeliveries: u32,
    /// The wait before the first redelivery.
    #[serde(rename = "backoff_seconds", deserialize_with = "time::<3600, _>")]
    pub backoff: Duration,
    /// The longest of these waits.
    #[serde(rename = "longest_backoff_seconds", deserialize_with = "time::<86_400, _>")]
    pub longest_backoff: Duration,
    /// The time after which a step has waited long.
    #[serde(rename = "ageing_minutes", deserialize_with = "minutes::<1, _>")]
    pub ageing: Duration,
    /// How long a step is a program's. Less than a few seconds would take steps from programs that work.
    #[serde(rename = "lease_seconds", deserialize_with = "lease")]
    pub lease: Duration,
    /// How long a program without a screen waits for a server that is down.
    #[serde(rename = "give_up_after_minutes", deserialize_with = "minutes::<0, _>")]
    pub give_up_after: Duration,
    /// The longest wait that a server may ask for.
    #[serde(rename = "longest_wait_minutes", deserialize_with = "minutes::<0, _>")]
    pub longest_wait: Duration,
}

fn lease<'de, D: Deserializer<'de>>(value: D) -> Result<Duration, D::Error> {
    time::<3600, _>(value)
        .ok()
        .filter(|lease| lease.as_secs() >= 5)
        .ok_or_else(|| D::Error::custom("must be a number from 5 to 3600"))
}

/// `desk.servers`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServerSettings {
    /// How many requests a server without limits of its own gets at once.
    #[serde(deserialize_with = "whole::<1, 10_000, _, _>")]
    pub requests_at_once: u32,
    #[serde(deserialize_with = "whole_or_null::<1, 1_000_000, _, _>")]
    pub requests_per_minute: Option<u32>,
    #[serde(deserialize_with = "whole_or_null::<1, 1_000_000_000_000, _, _>")]
    pub tokens_per_minute: Option<u64>,
    /// How many failures make a server count as down: 0 for never.
    #[serde(deserialize_with = "whole::<0, 1000, _, _>")]
    pub down_after_failures: u32,
    /// How long a server that is down is left alone at first.
    #[serde(rename = "rest_seconds", deserialize_with = "some_time")]
    pub rest: Duration,
    /// The most of that.
    #[serde(rename = "longest_rest_seconds", deserialize_with = "some_time")]
    pub longest_rest: Duration,
    /// Servers with limits of their own.
    #[serde(deserialize_with = "list")]
    pub own: Vec<OwnLimits>,
}

/// A server with limits of its own.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnLimits {
    /// Its host with its port, such as `127.0.0.1:1234`.
    pub host: String,
    #[serde(deserialize_with = "whole::<1, 10_000, _, _>")]
    pub requests_at_once: u32,
    #[serde(deserialize_with = "whole_or_null::<1, 1_000_000, _, _>")]
    pub requests_per_minute: Option<u32>,
    #[serde(deserialize_with = "whole_or_null::<1, 1_000_000_000_000, _, _>")]
    pub tokens_per_minute: Option<u64>,
}

/// `desk.budget`; none if there is no limit. Costs are in the currency of `prices`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BudgetSettings {
    #[serde(deserialize_with = "whole_or_null::<1, 1_000_000_000_000, _, _>")]
    pub story_tokens: Option<u64>,
    #[serde(deserialize_with = "number_or_null::<1_000_000_000, _>")]
    pub story_cost: Option<f64>,
    #[serde(deserialize_with = "whole_or_null::<1, 1_000_000_000_000, _, _>")]
    pub batch_tokens: Option<u64>,
    #[serde(deserialize_with = "number_or_null::<1_000_000_000, _>")]
    pub batch_cost: Option<f64>,
}

impl ServerSettings {
    /// The limits of the server at a host and port.
    pub fn limits(&self, host: &str) -> ServerLimits {
        let home = at_home(host);
        let own = self.own.iter().find(|own| at_home(&own.host) == home);
        let usual = (self.requests_at_once, self.requests_per_minute, self.tokens_per_minute);
        let (at_once, per_minute, tokens_per_minute) =
            own.map_or(usual, |own| (own.requests_at_once, own.requests_per_minute, own.tokens_per_minute));
        ServerLimits { server: host.to_owned(), at_once, per_minute, tokens_per_minute }
    }
}

/// Returns a host and port in lower case, with `127.0.0.1` in place of every name of this machine.
pub(super) fn at_home(host: &str) -> String {
    let name = ["localhost", "[::1]", "::1"].into_iter().find_map(|name| {
        let port = host.to_ascii_lowercase().strip_prefix(name)?.to_owned();
        (port.is_empty() || port.starts_with(':')).then_some(port)
    });
    name.map_or_else(|| host.to_ascii_lowercase(), |port| format!("127.0.0.1{port}"))
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
        assert_eq!((desk.stories_at_once, desk.specialists_of_a_story, desk.queue.max_redeliveries), (4, 8, 3));
        assert_eq!(desk.pools.len(), Pool::ALL.len());
        assert_eq!(desk.budget, BudgetSettings::default());
        assert_eq!(desk.servers.limits("127.0.0.1:1234").at_once, 16);
    }

    #[test]
    fn a_server_has_its_own_limits() {
        let own = "own:\n      - host: api.example.com\n        requests_at_once: 2\n        requests_per_minute: 50\n        tokens_per_minute: 30000\n";
        let yaml = TEMPLATE.replacen("own: null\n", own, 1);
        let limits = |host: &str| {
            let (at_once, per_minute, tokens_per_minute) = (2, Some(50), Some(30_000));
            ServerLimits { server: host.into(), at_once, per_minute, tokens_per_minute }
        };
        let servers = read(&yaml).unwrap().desk.servers;
        assert_eq!(servers.limits("api.example.com"), limits("api.example.com"));
        assert_ne!(servers.limits("127.0.0.1:1234"), limits("127.0.0.1:1234"));
        let home = read(&yaml.replacen("host: api.example.com", "host: \"localhost:1234\"", 1)).unwrap().desk.servers;
        for host in ["127.0.0.1:1234", "localhost:1234", "[::1]:1234", "LOCALHOST:1234"] {
            assert_eq!(home.limits(host), limits(host), "{host}");
        }
        assert_eq!(home.limits("localhost:12345").at_once, 16);
        let twice = yaml.replacen(own, &format!("{own}{}", own.trim_start_matches("own:\n")), 1);
        let error = read(&twice).unwrap_err();
        assert!(error.contains("own[1].host: must be a name of its own"), "{error}");
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
