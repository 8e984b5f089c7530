//! Reads fields that several sections have: folders, addresses, times, names.

use std::path::{Path, PathBuf};

use url::Url;

use super::{Endpoint, FolderSetting, reader::Section};
use copydesk_newsroom::PathName;

pub(super) fn seconds(section: &Section<'_>) -> f64 {
    section.number("timeout_seconds", 0.1..=86_400.0, "the seconds after which to give up")
}

/// Days, or none for `null`.
pub(super) fn days(section: &Section<'_>, key: &'static str, belongs: &str) -> Option<u32> {
    section.whole_or_null(key, 1..=36_500, belongs).and_then(|days| u32::try_from(days).ok())
}

pub(super) fn folder(section: &Section<'_>, key: &'static str, workspace: &Path, belongs: &str) -> FolderSetting {
    let configured = section.text(key, belongs);
    let path: PathBuf = workspace.join(&configured).components().collect();
    FolderSetting { configured, path }
}

pub(super) fn path_name(section: &Section<'_>, key: &'static str, belongs: &str) -> Option<PathName> {
    let text = section.text(key, belongs);
    if text.is_empty() {
        return None;
    }
    PathName::new(text).map_err(|error| section.problem(key, error.to_string())).ok()
}

pub(super) fn endpoint(section: &Section<'_>, key: &'static str) -> Option<Endpoint> {
    let belongs = "a server's address such as http://127.0.0.1:1234/v1";
    let text = section.text(key, belongs);
    if text.is_empty() {
        return None;
    }
    let refuse = |why: &str| section.problem(key, format!("{why}; {belongs} belongs there"));
    let Ok(base) = Url::parse(&text) else {
        refuse("is no address");
        return None;
    };
    if !matches!(base.scheme(), "http" | "https") || base.host_str().is_none_or(str::is_empty) {
        refuse("is no http or https address");
        return None;
    }
    if !base.username().is_empty() || base.password().is_some() || base.query().is_some() || base.fragment().is_some() {
        // A key in an address would reach logs and messages; api_key is where it belongs.
        refuse("holds a user name, a password, a query or a fragment");
        return None;
    }
    Some(Endpoint { base, setting: section.path_of(key) })
}
