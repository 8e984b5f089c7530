//! The section `observability`: what others may read of the desk's work while it goes on.

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
};

use super::reader::Section;

/// `observability`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObservabilitySettings {
    /// `metrics_addr`: where metrics and health are served; none if nowhere.
    pub metrics_addr: Option<SocketAddr>,
    /// `log`: the file of log lines, resolved against the workspace; none if there is none.
    pub log: Option<PathBuf>,
    /// `log_mb`: the most megabytes of that file.
    pub log_mb: u64,
}

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
    ObservabilitySettings { metrics_addr, log: log.map(|file| workspace.join(file).components().collect()), log_mb }
}
