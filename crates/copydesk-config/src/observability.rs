//! The section `observability`: the metrics, logs and traces of the desk's work that others may read while it goes on.

use std::{collections::BTreeMap, net::SocketAddr, path::PathBuf, time::Duration};

use serde::{Deserialize, Deserializer, de::Error};

use super::{
    Endpoint, Secret,
    fields::{nullable, secrets, some_time, whole},
};

/// `observability`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObservabilitySettings {
    /// The address at which metrics and health are served; none if they are not served.
    #[serde(deserialize_with = "address")]
    pub metrics_addr: Option<SocketAddr>,
    /// The file of log lines, resolved against the workspace; none if there is none.
    #[serde(deserialize_with = "nullable")]
    pub log: Option<PathBuf>,
    /// The most megabytes of that file.
    #[serde(deserialize_with = "whole::<1, 10_000, _, _>")]
    pub log_mb: u64,
    /// The collector of traces. It gets a span for each story, step and call. None if traces are off.
    #[serde(deserialize_with = "nullable")]
    pub traces: Option<TraceSettings>,
}

/// A collector of OpenTelemetry's traces.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TraceSettings {
    /// Its address; `/v1/traces` is added.
    #[serde(rename = "api_base")]
    pub endpoint: Endpoint,
    /// The headers that it is sent beside the spans, such as `Authorization`.
    #[serde(deserialize_with = "headers")]
    pub headers: BTreeMap<String, Secret>,
    /// Whether prompts and answers are among the spans.
    pub content: bool,
    #[serde(rename = "timeout_seconds", deserialize_with = "some_time")]
    pub timeout: Duration,
}

fn address<'de, D: Deserializer<'de>>(value: D) -> Result<Option<SocketAddr>, D::Error> {
    let text: Option<String> = nullable(value)?;
    let wrong = || D::Error::custom("must be null or an address with its port, such as 127.0.0.1:9464");
    text.map(|text| text.parse().map_err(|_| wrong())).transpose()
}

fn headers<'de, D: Deserializer<'de>>(value: D) -> Result<BTreeMap<String, Secret>, D::Error> {
    let headers = secrets(value)?;
    for (name, value) in &headers {
        let is_token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
        if name.is_empty() || !name.chars().all(is_token) {
            return Err(D::Error::custom(format!("has {name:?}, which is no name of a header")));
        }
        if !value.reveal().chars().all(|c| c == ' ' || c.is_ascii_graphic()) {
            let message = format!("has a value for {name} that no header can have; use ASCII alone");
            return Err(D::Error::custom(message));
        }
    }
    Ok(headers)
}
