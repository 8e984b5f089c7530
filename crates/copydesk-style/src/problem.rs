//! Problems in the files of a style.

/// Something wrong with a rule's file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
#[error("{file}:{line}: {message}")]
pub struct StyleProblem {
    /// The file, as it was named to `Style::read`.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The problem, and what belongs there.
    pub message: String,
}
