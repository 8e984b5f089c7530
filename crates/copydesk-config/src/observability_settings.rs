//! The settings of the section `observability`.

use std::{collections::BTreeMap, net::SocketAddr, path::PathBuf, time::Duration};

use super::{secret::Secret, service::Endpoint};

/// `observability`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObservabilitySettings {
    /// `metrics_addr`: the address at which metrics and health are served; none if they are not served.
    pub metrics_addr: Option<SocketAddr>,
    /// `log`: the file of log lines, resolved against the workspace; none if there is none.
    pub log: Option<PathBuf>,
    /// `log_mb`: the most megabytes of that file.
    pub log_mb: u64,
    /// The collector of traces (`traces`). It gets a span for each story, step and call. None if traces are off.
    pub traces: Option<TraceSettings>,
}

/// A collector of OpenTelemetry's traces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceSettings {
    /// Its address; `/v1/traces` is added.
    pub endpoint: Endpoint,
    /// The headers that it is sent beside the spans, such as `Authorization`.
    pub headers: BTreeMap<String, Secret>,
    /// Whether prompts and answers are among the spans.
    pub content: bool,
    pub timeout: Duration,
}
