//! A value that no log, error, event, database or artifact may show.

use std::fmt;

use crate::text::sanitise;

/// Shortest secret that is also taken out of a server's answer: anything shorter (`lm-studio`, `ollama`, `none`) is a
/// placeholder that an article may well contain.
pub(super) const SHORTEST_REAL_SECRET: usize = 12;

/// Shortest key that is taken out of a message; `a` would make it unreadable.
const SHORTEST_HIDDEN: usize = 4;

/// What is shown in a secret's place.
pub(super) const SHOWN: &str = "[secret]";

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
}

/// Every secret of a configuration: what a server says is searched for all of them, for one server may hold several.
#[derive(Debug, Clone, Default)]
pub struct Secrets(Vec<Secret>);

impl Secrets {
    /// Holds `secrets`.
    #[must_use]
    pub fn new(secrets: Vec<Secret>) -> Self {
        Self(secrets)
    }

    /// With `more`.
    #[must_use]
    pub fn and<'a>(mut self, more: impl Iterator<Item = &'a Secret>) -> Self {
        self.0.extend(more.cloned());
        self
    }

    /// Those that are long enough to be one.
    pub(super) fn real(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|secret| secret.0.as_str()).filter(|secret| secret.len() >= SHORTEST_REAL_SECRET)
    }

    /// A server's message, cleaned, without any secret: it may repeat what it was sent.
    #[must_use]
    pub fn hide_in_message(&self, text: &str) -> String {
        self.hide(sanitise::clean(text).into_owned(), SHORTEST_HIDDEN)
    }

    /// An answer without any secret that is long enough to be one. Also one that stands there in JSON's escapes or parted by
    /// control characters is found; then the answer is kept in its plain form.
    #[must_use]
    pub fn hide_in_answer(&self, text: String) -> String {
        let found =
            |text: &str| self.0.iter().any(|secret| secret.0.len() >= SHORTEST_REAL_SECRET && text.contains(&secret.0));
        if found(&text) {
            return self.hide(text, SHORTEST_REAL_SECRET);
        }
        let plain = sanitise::clean(&unescaped(&text)).into_owned();
        if found(&plain) { self.hide(plain, SHORTEST_REAL_SECRET) } else { text }
    }

    fn hide(&self, mut text: String, shortest: usize) -> String {
        for secret in self.0.iter().filter(|secret| secret.0.len() >= shortest) {
            if text.contains(&secret.0) {
                text = text.replace(&secret.0, SHOWN);
            }
        }
        text
    }
}

/// `\u0070` as `p`, for ASCII that means nothing to JSON.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut pieces = text.split("\\u");
    out.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        let character = piece.get(..4).and_then(|code| u8::from_str_radix(code, 16).ok()).map(char::from);
        if let Some(character) = character.filter(|c| c.is_ascii() && !"\"\\".contains(*c)) {
            out.push(character);
            out.push_str(piece.get(4..).unwrap_or_default());
        } else {
            out.push_str("\\u");
            out.push_str(piece);
        }
    }
    out
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
        let secrets = Secrets::new(vec![secret, Secret::new("lm-studio".into()), Secret::new("a".into())]);
        assert_eq!(secrets.hide_in_message("bad key sk-0123\u{7}456789!"), "bad key [secret]!");
        assert_eq!(secrets.hide_in_answer("key sk-0123456789".into()), "key [secret]");
        assert_eq!(secrets.hide_in_answer("key s\\u006b-0123456789".into()), "key [secret]");
        assert_eq!(secrets.hide_in_answer("They use lm-studio \\u0041.".into()), "They use lm-studio \\u0041.");
    }
}
