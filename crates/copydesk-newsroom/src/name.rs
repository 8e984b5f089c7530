//! Names that become folders and files, checked before they do.

use std::fmt;

use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization as _;

/// Longest name in bytes that every usual file system takes with our endings and a temporary name's added.
const MAX_BYTES: usize = 120;

/// File names that Windows reserves, whatever their ending.
const RESERVED: [&str; 22] = [
    "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9", "lpt1", "lpt2",
    "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
];

/// A channel or a slug: one path component that stays in its folder on every system.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PathName(String);

/// Why a name cannot become a file or a folder.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PathNameError {
    /// Nothing is there.
    #[error("is empty; write a short name such as miller-park")]
    Empty,
    #[error("is {bytes} bytes long; {MAX_BYTES} at most")]
    TooLong { bytes: usize },
    /// A character that leaves the folder or that some system refuses.
    #[error("holds {found}, which cannot stand in a file's name; use letters, digits, '-', '_', '.' or spaces")]
    Character { found: String },
    /// `.`, `..`, a leading or trailing dot or space.
    #[error("starts or ends with a dot or a space; use a name such as miller-park")]
    Edge,
    /// A name such as `CON`.
    #[error("is a name that Windows reserves ({name}); choose another")]
    Reserved { name: String },
}

/// A name as it is compared: in lower case, and with accents composed, because some file systems take these for the same.
pub fn fold_name(name: &str) -> String {
    if name.is_ascii() { name.to_ascii_lowercase() } else { name.to_lowercase().nfc().collect() }
}

impl PathName {
    /// Checks `name`.
    ///
    /// # Errors
    /// If the name could leave its folder or be refused by a usual file system.
    pub fn new(name: impl Into<String>) -> Result<Self, PathNameError> {
        let name = name.into();
        if name.is_empty() {
            return Err(PathNameError::Empty);
        }
        if name.len() > MAX_BYTES {
            return Err(PathNameError::TooLong { bytes: name.len() });
        }
        let refused = |c: char| {
            c.is_control()
                || r#"/\:*?"<>|"#.contains(c)
                || matches!(c, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}')
        };
        if let Some(found) = name.chars().find(|c| refused(*c)) {
            return Err(PathNameError::Character { found: format!("{found:?}") });
        }
        let edge = |c: Option<char>| matches!(c, Some('.' | ' '));
        if edge(name.chars().next()) || edge(name.chars().last()) {
            return Err(PathNameError::Edge);
        }
        let stem = name.split('.').next().unwrap_or_default().trim_end().to_lowercase();
        if RESERVED.contains(&stem.as_str()) {
            return Err(PathNameError::Reserved { name: stem });
        }
        Ok(Self(name))
    }

    /// The name as it is written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A name made from free text: lower-case words joined by hyphens, at most 60 bytes; `story` where none is left.
    pub fn slugify(text: &str) -> Self {
        let mut slug = String::new();
        for c in text.chars().flat_map(char::to_lowercase) {
            if slug.len() >= 60 {
                break;
            }
            if c.is_alphanumeric() {
                slug.push(c);
            } else if !slug.is_empty() && !slug.ends_with('-') {
                slug.push('-');
            }
        }
        let slug = slug.trim_end_matches('-');
        Self::new(slug).unwrap_or_else(|_| Self(format!("story-{slug}").trim_end_matches('-').to_owned()))
    }
}

impl TryFrom<String> for PathName {
    type Error = PathNameError;
    fn try_from(name: String) -> Result<Self, PathNameError> {
        Self::new(name)
    }
}

impl From<PathName> for String {
    fn from(name: PathName) -> Self {
        name.0
    }
}

impl fmt::Display for PathName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A story's name in the house: `channel/slug`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoryKey {
    pub channel: PathName,
    pub slug: PathName,
}

impl StoryKey {
    /// The story `slug` of `channel`.
    pub fn new(channel: PathName, slug: PathName) -> Self {
        Self { channel, slug }
    }

    /// The key under which the story is known.
    pub fn folded(&self) -> String {
        fold_name(&self.to_string())
    }
}

impl fmt::Display for StoryKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.channel, self.slug)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_would_leave_their_folder_are_refused() {
        for bad in [
            "",
            ".",
            "..",
            "../x",
            "/abs",
            "a/b",
            "a\\b",
            "a\0b",
            "CON",
            "con.txt",
            "Lpt1",
            " x",
            "x ",
            "x.",
            "\u{202E}x",
            "C:x",
        ] {
            assert!(PathName::new(bad).is_err(), "{bad:?}");
        }
        assert_eq!(PathName::new("x".repeat(300)), Err(PathNameError::TooLong { bytes: 300 }));
        for good in ["miller-park", "Local News", "a.b", "école", "console"] {
            assert!(PathName::new(good).is_ok(), "{good:?}");
        }
    }

    #[test]
    fn a_slug_is_made_from_any_text() {
        assert_eq!(PathName::slugify("Notes from Tuesday, 6 Oct.").as_str(), "notes-from-tuesday-6-oct");
        assert_eq!(PathName::slugify("../..").as_str(), "story");
        assert_eq!(PathName::slugify("CON").as_str(), "story-con");
    }
}
