//! The problems of a configuration file, in words for the person who wrote it.

use std::{fmt, path::PathBuf};

/// One problem of a configuration file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigProblem {
    /// The line, from 1. If the key itself is missing, the line of its section.
    pub line: usize,
    /// The key with its sections, such as `article_generation.engine`.
    pub key: String,
    /// The mistake, and the value that belongs there.
    pub message: String,
    /// Whether the key is not there at all, so that `copydesk doctor --add-keys` can add it.
    pub missing: bool,
}

impl ConfigProblem {
    /// Makes the problem of a key that is there and wrong.
    #[must_use]
    pub fn wrong(line: usize, key: String, message: String) -> Self {
        Self { line, key, message, missing: false }
    }
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
            let ConfigProblem { line, key, message, .. } = problem;
            if key.is_empty() {
                writeln!(f, "  {file}:{line}: {message}")?;
            } else {
                writeln!(f, "  {file}:{line}: {key} {message}")?;
            }
        }
        write!(f, "config/config.yaml.template shows every key, explained; `copydesk init` writes a new file")?;
        if self.problems.iter().any(|problem| problem.missing) {
            write!(
                f,
                ";\n`copydesk doctor --add-keys` adds the missing keys with their comments and leaves the rest as it is"
            )?;
        }
        Ok(())
    }
}
