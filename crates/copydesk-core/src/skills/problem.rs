//! A problem of a skill.

/// Something wrong with a skill's file or folder.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}{}: {message}", .line.map(|line| format!(":{line}")).unwrap_or_default())]
pub struct SkillProblem {
    /// The file or folder, as a person knows it.
    pub file: String,
    /// The line, from 1; none if it is about the whole.
    pub line: Option<usize>,
    /// The fault and the remedy.
    pub message: String,
}

impl SkillProblem {
    /// A problem of a whole file or folder.
    pub fn new(file: &str, message: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line: None, message: message.into() }
    }
}
