//! A value that no log, error, event, database or artifact may show.

use std::fmt;

/// Shortest secret that is also taken out of a server's answer: anything shorter (`lm-studio`, `ollama`, `none`) is a
/// placeholder that an article may well contain.
const SHORTEST_REAL_SECRET: usize = 12;

/// Shortest key that is taken out of a message; `a` would make it unreadable.
const SHORTEST_HIDDEN: usize = 4;

/// What is shown in a secret's place.
const SHOWN: &str = "[secret]";

/// An API key. It has no `Serialize`, its `Debug` shows nothing, and only [`Secret::reveal`] gives it away.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Holds `value`.
    #[must_use]
    pub fn new(value: String) -> Self {
        Self(value)
    }

    /// The value itself: for the authorisation header, nothing else.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// `text` without this secret: for messages of a server, which may repeat what it was sent.
    #[must_use]
    pub fn hide_in_message(&self, text: &str) -> String {
        if self.0.len() < SHORTEST_HIDDEN { text.to_owned() } else { text.replace(&self.0, SHOWN) }
    }

    /// `text` without this secret, where it is long enough to be one: for answers that become articles.
    #[must_use]
    pub fn hide_in_answer(&self, text: String) -> String {
        if self.0.len() >= SHORTEST_REAL_SECRET && text.contains(&self.0) { text.replace(&self.0, SHOWN) } else { text }
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(SHOWN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_never_shown() {
        let secret = Secret::new("sk-0123456789".into());
        assert_eq!(format!("{secret:?}"), "[secret]");
        assert_eq!(secret.hide_in_message("bad key sk-0123456789!"), "bad key [secret]!");
        assert_eq!(secret.hide_in_answer("key sk-0123456789".into()), "key [secret]");
        let placeholder = Secret::new("lm-studio".into());
        assert_eq!(placeholder.hide_in_answer("They use lm-studio.".into()), "They use lm-studio.");
        assert_eq!(Secret::new(String::new()).hide_in_message("text"), "text");
    }
}
