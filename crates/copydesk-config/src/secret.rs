//! A value that no log, error, event, database or artifact may show.

use std::fmt;

use serde::{Deserialize, Deserializer, de::Error};

use copydesk_text::sanitise;

/// From this length on every secret is also taken out of a server's answer. A shorter one (`lm-studio`, `ollama`, `none`) may be a
/// placeholder that an article may well contain.
const SURELY_REAL: usize = 12;

/// Fewest bytes of a real secret that has other characters than placeholders have (lower-case letters, `-`, `_`, spaces).
pub(super) const SHORTEST_REAL_SECRET: usize = 6;

/// Shortest key that is taken out of a message; `a` would make it unreadable.
const SHORTEST_HIDDEN: usize = 4;

/// The text shown in place of a secret.
const SHOWN: &str = "[secret]";

/// An API key. It has no `Serialize`, its `Debug` shows nothing, and only [`Secret::reveal`] gives it away.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Whether it is a key, and no placeholder for one.
    fn is_real(&self) -> bool {
        let is_plain = || self.0.chars().all(|c| c.is_ascii_lowercase() || "-_ ".contains(c));
        self.0.len() >= SURELY_REAL || (self.0.len() >= SHORTEST_REAL_SECRET && !is_plain())
    }

    /// Holds `value`.
    pub fn new(value: String) -> Self {
        Self(value)
    }

    /// The value itself: for the authorisation header, nothing else.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for Secret {
    /// Reads a secret for a request, which no placeholder of the template is.
    fn deserialize<D: Deserializer<'de>>(value: D) -> Result<Self, D::Error> {
        let text = String::deserialize(value)?;
        if text.starts_with('<') && text.ends_with('>') {
            return Err(D::Error::custom("must be a secret of your own in place of the template's placeholder"));
        }
        if text.chars().any(|c| !(' '..='~').contains(&c)) {
            return Err(D::Error::custom("must be printable ASCII; no request can carry other characters"));
        }
        Ok(Self(text))
    }
}

/// Every secret of a configuration: a server's message is searched for all of them, for one server may hold several.
#[derive(Debug, Clone, Default)]
pub struct Secrets(Vec<Secret>);

impl Secrets {
    /// Holds `secrets`.
    pub fn new(secrets: Vec<Secret>) -> Self {
        Self(secrets)
    }

    /// With `more`.
    #[must_use]
    pub fn and<'a>(mut self, more: impl Iterator<Item = &'a Secret>) -> Self {
        self.0.extend(more.cloned());
        self
    }

    /// Returns every one, also possible placeholders.
    pub fn all(&self) -> impl Iterator<Item = &Secret> {
        self.0.iter()
    }

    /// Those that are no placeholders.
    pub(super) fn real(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter(|secret| secret.is_real()).map(|secret| secret.0.as_str())
    }

    /// Returns a server's message, cleaned, without any secret: it may repeat its request.
    pub fn hide_in_message(&self, text: &str) -> String {
        let keys = || self.0.iter().map(|secret| secret.0.as_str()).filter(|key| key.len() >= SHORTEST_HIDDEN);
        let shown = hide(sanitise::clean(text).into_owned(), keys());
        let plain = sanitise::without_marks(&shown);
        if keys().any(|key| plain.contains(key)) { hide(plain, keys()) } else { shown }
    }

    /// An answer without the secrets of the configuration. A secret may also stand there in JSON's escapes, or with control characters or
    /// zero-width marks between its letters. Then the answer is kept in its plain form. A placeholder such as `none` is no secret.
    pub fn hide_in_answer(&self, text: String) -> String {
        let found = |text: &str| self.real().any(|secret| text.contains(secret));
        let shown = if found(&text) { hide(text, self.real()) } else { text };
        let plain = sanitise::without_marks(&unescaped(&shown));
        if found(&plain) { hide(plain, self.real()) } else { shown }
    }
}

/// A text with [`SHOWN`] in place of each of these secrets.
pub(super) fn hide<'s>(mut text: String, secrets: impl Iterator<Item = &'s str>) -> String {
    for secret in secrets {
        if text.contains(secret) {
            text = text.replace(secret, SHOWN);
        }
    }
    text
}

/// `\u0070` as `p`, for ASCII that means nothing to JSON and for zero-width marks.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut pieces = text.split("\\u");
    out.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        let code = piece.get(..4).and_then(|code| u32::from_str_radix(code, 16).ok());
        let is_plain = |c: &char| c.is_ascii() && !"\"\\".contains(*c) || sanitise::is_zero_width(*c);
        if let Some(character) = code.and_then(char::from_u32).filter(is_plain) {
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
        // Zero-width marks part it, also beside one that stands there plainly.
        for parted in ["sk\u{200b}-01234\u{2060}56789", "sk-0123\\u200b456789", "s\u{fe0f}k-0123456789"] {
            assert_eq!(secrets.hide_in_message(&parted.replace("\\u200b", "\u{200b}")), "[secret]", "{parted}");
            let both = format!("sk-0123456789 {parted}");
            assert_eq!(secrets.hide_in_answer(both), "[secret] [secret]", "{parted}");
        }
        assert_eq!(secrets.hide_in_answer("نمی\u{200c}خواهم".into()), "نمی\u{200c}خواهم");
        let short = Secrets::new(vec![Secret::new("k3y-Ab9x".into()), Secret::new("ollama".into())]);
        assert_eq!(short.hide_in_answer("ollama says k3y-Ab9x".into()), "ollama says [secret]");
        assert_eq!(secrets.hide_in_answer("They use lm-studio \\u0041.".into()), "They use lm-studio \\u0041.");
    }

    #[test]
    fn no_character_that_shows_nothing_hides_a_secret() {
        let secrets = Secrets::new(vec![Secret::new("sk-0123456789".into())]);
        for mark in ('\0'..=char::MAX).filter(|c| sanitise::is_zero_width(*c)) {
            let parted = format!("sk-01{mark}23456789");
            assert_eq!(secrets.hide_in_answer(parted.clone()), "[secret]", "{:x}", u32::from(mark));
            assert_eq!(secrets.hide_in_message(&parted), "[secret]", "{:x}", u32::from(mark));
        }
    }
}
