//! Limits on the data of a story that may leave this machine.

use serde::{Deserialize, Serialize};

/// How a story is kept secret. Once a story has it, all its runs do.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Secrecy {
    /// No request that is made for the story goes to another machine.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub confidential: bool,
    /// The persons whose names stand in no request that is made for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<Alias>,
    /// The users or groups of a database server to whom the server shows the confidential story; its administrator sees all stories.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub readers: Vec<String>,
}

/// A person, and what stands for the name in requests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Alias {
    /// The real name in full.
    pub name: String,
    /// Capitals, a hyphen and a number, such as `SOURCE-1`.
    pub label: String,
}

impl Secrecy {
    /// Whether nothing of the story is secret.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// This and another: whatever either of them keeps secret. If both name a person, this one's label stays.
    #[must_use]
    pub fn and(mut self, other: &Self) -> Self {
        self.confidential |= other.confidential;
        for alias in &other.aliases {
            if !self.aliases.iter().any(|known| known.name == alias.name) {
                self.aliases.push(alias.clone());
            }
        }
        for reader in &other.readers {
            if !self.readers.contains(reader) {
                self.readers.push(reader.clone());
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_secret_once_stays_so() {
        let alias = |name: &str, label: &str| Alias { name: name.into(), label: label.into() };
        let secrecy = |confidential, aliases, readers: &[&str]| Secrecy {
            confidential,
            aliases,
            readers: readers.iter().map(ToString::to_string).collect(),
        };
        let known = secrecy(true, vec![alias("Ann Lee", "SOURCE-1")], &["ada"]);
        let next = secrecy(false, vec![alias("Ann Lee", "SOURCE-9"), alias("Bob", "SOURCE-2")], &["ben", "ada"]);
        let both = known.clone().and(&next);
        let wanted = secrecy(true, vec![alias("Ann Lee", "SOURCE-1"), alias("Bob", "SOURCE-2")], &["ada", "ben"]);
        assert_eq!(both, wanted);
        assert_eq!(known.clone().and(&Secrecy::default()), known);
        assert!(Secrecy::default().is_none() && !known.is_none());
    }
}
