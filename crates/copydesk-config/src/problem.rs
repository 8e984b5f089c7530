//! The problems of a configuration file, in words for the person who wrote it.

use std::{fmt, path::PathBuf};

/// One problem of a configuration file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigProblem {
    /// The line, from 1. If the key itself is missing, the line of its section.
    pub line: usize,
    /// The key with its sections, such as `article_generation.engine`.
    pub key: String,
    /// The mistake, or the value that belongs there.
    pub message: String,
}

/// A configuration that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct ConfigError {
    pub file: PathBuf,
    /// Its problems, in the order of their lines.
    pub problems: Vec<ConfigProblem>,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = self.file.display();
        let count = self.problems.len();
        writeln!(f, "the configuration has {count} problem{}:", if count == 1 { "" } else { "s" })?;
        for problem in &self.problems {
            let ConfigProblem { line, key, message } = problem;
            let colon = if key.is_empty() { "" } else { ": " };
            writeln!(f, "  {file}:{line}: {key}{colon}{message}")?;
        }
        write!(f, "config/config.yaml.template shows every key, explained; `copydesk init` writes a new file")
    }
}

/// The key that serde refused, and a message about it in plain words.
pub(super) fn located(error: &serde_path_to_error::Error<serde_yaml::Error>) -> (String, String) {
    let path = error.path().to_string();
    let said = error.inner().to_string();
    let mut key = if path == "." { String::new() } else { path };
    let mut message = said.as_str();
    // A part that was read by itself begins with its own key; see `fields::read_at`.
    if let Some((inner, rest)) = message.strip_prefix('.').and_then(|said| said.split_once(": ")) {
        key = joined(&key, inner);
        message = rest;
    }
    if let Some(name) = message.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`')) {
        return (joined(&key, name), MISSING.to_owned());
    }
    (key, plain(message))
}

/// The message of a key that is not there.
pub(super) const MISSING: &str = "is missing";

/// A key below a section.
pub(super) fn joined(section: &str, key: &str) -> String {
    let dot = if section.is_empty() || key.is_empty() || key.starts_with('[') { "" } else { "." };
    format!("{section}{dot}{key}")
}

/// A message of serde in words for the person who wrote the file.
fn plain(message: &str) -> String {
    let words = |list: &str| {
        let list = list.trim_start_matches("one of ").replace(" or ", ", ");
        list.replace('`', "")
    };
    if let Some((_, known)) = message.strip_prefix("unknown field ").and_then(|rest| rest.split_once(", expected ")) {
        return format!("is not a key of this section; its keys are {}", words(known));
    }
    if let Some((_, known)) = message.strip_prefix("unknown variant ").and_then(|rest| rest.split_once(", expected ")) {
        return format!("must be one of {}", words(known));
    }
    let Some((_, expected)) = message.strip_prefix("invalid ").and_then(|rest| rest.rsplit_once(", expected ")) else {
        return message.to_owned();
    };
    let belongs = match expected {
        "a boolean" => "true or false",
        "a string" | "path string" => "a text",
        "a sequence" => "a list",
        expected if expected.starts_with("struct ") || expected.contains("map") => "a section with its keys",
        expected if expected.starts_with("enum ") || expected.contains("variant") => "one of its words",
        other => other,
    };
    format!("must be {belongs}")
}
