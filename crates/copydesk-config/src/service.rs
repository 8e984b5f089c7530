//! Services that requests go to.

use url::Url;

use super::Secret;

/// An address and the key that names it, so that a refusal can say where to look.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// The address that paths such as `/chat/completions` are added to.
    pub base: Url,
    /// The key, such as `article_generation.perplexity.api_base`.
    pub setting: String,
}

impl Endpoint {
    /// The host that sees the text.
    #[must_use]
    pub fn host(&self) -> &str {
        self.base.host_str().unwrap_or("")
    }

    /// `host:port` as a person would write it.
    #[must_use]
    pub fn authority(&self) -> String {
        self.base.port().map_or_else(|| self.host().to_owned(), |port| format!("{}:{port}", self.host()))
    }

    /// The server's name for its limits: all names of this machine are one.
    #[must_use]
    pub fn server(&self) -> String {
        let host = if self.is_loopback() { "127.0.0.1" } else { self.host() };
        self.base.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
    }

    /// Whether the host is this machine: a loopback address, or the name `localhost`.
    #[must_use]
    pub fn is_loopback(&self) -> bool {
        match self.base.host() {
            Some(url::Host::Ipv4(address)) => address.is_loopback(),
            Some(url::Host::Ipv6(address)) => address.is_loopback(),
            Some(url::Host::Domain(name)) => name.eq_ignore_ascii_case("localhost"),
            None => false,
        }
    }
}

/// The search for outside evidence.
#[derive(Debug, Clone)]
pub struct Perplexity {
    /// The service; `/chat/completions` is added.
    pub endpoint: Endpoint,
    /// Its key.
    pub api_key: Secret,
    /// The model.
    pub model: String,
    /// Seconds that one call may take.
    pub timeout_seconds: f64,
}
