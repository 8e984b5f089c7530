//! The section `observability`: the metrics, logs and traces of the desk's work that others may read while it goes on.

use std::{path::Path, time::Duration};

use super::{
    fields::{endpoint, seconds},
    observability_settings::{ObservabilitySettings, TraceSettings},
    reader::Section,
};

/// Reads the section; a relative file starts from `workspace`.
pub(super) fn read_observability(section: &Section<'_>, workspace: &Path) -> ObservabilitySettings {
    let what = "an address with its port, such as 127.0.0.1:9464,";
    let metrics_addr = section.text_or_null("metrics_addr", what).and_then(|text| {
        let address = text.parse().ok();
        if address.is_none() {
            section.problem("metrics_addr", format!("is {text:?}; null, or {what} belongs there"));
        }
        address
    });
    let log = section.text_or_null("log", "a file, such as ./data/copydesk.log,");
    let log_mb = section.whole("log_mb", 1..=10_000, "the most megabytes of the log before it is set aside");
    let traces = section.section_or_null("traces", "a collector of OpenTelemetry's traces", read_traces).flatten();
    let log = log.map(|file| workspace.join(file).components().collect());
    ObservabilitySettings { metrics_addr, log, log_mb, traces }
}

fn read_traces(section: &Section<'_>) -> Option<TraceSettings> {
    let endpoint = endpoint(section, "api_base");
    let headers = section.secrets("headers", "headers, such as {Authorization: Bearer abc}, or {}");
    for (name, value) in &headers {
        let is_token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
        if name.is_empty() || !name.chars().all(is_token) {
            section.problem("headers", format!("holds {name:?}, which is no name of a header"));
        }
        if !value.reveal().chars().all(|c| c == ' ' || c.is_ascii_graphic()) {
            section.problem("headers", format!("holds a value for {name} that no header can have; use ASCII alone"));
        }
    }
    let content = section.yes_or_no("content", "whether prompts and answers are sent too");
    let timeout = Duration::from_secs_f64(seconds(section));
    Some(TraceSettings { endpoint: endpoint?, headers, content, timeout })
}
