//! The one place that sends requests, to allowed hosts only.

use std::{
    error::Error as _,
    io::{self, ErrorKind},
    net::{Ipv4Addr, Ipv6Addr, SocketAddr},
    sync::OnceLock,
    time::Duration,
};

use reqwest::{
    RequestBuilder, Response,
    dns::{Addrs, Name, Resolve, Resolving},
    redirect,
};
use url::Host;

use super::addresses::is_public;
use crate::{
    config::Endpoint,
    ports::{CallError, PageError},
};

/// How long a connection may take to be made, within the call's own time-out.
const CONNECT: Duration = Duration::from_secs(10);

pub(super) struct Egress {
    local_only: bool,
    http: OnceLock<Result<reqwest::Client, String>>,
    outside: OnceLock<Result<reqwest::Client, String>>,
}

impl Egress {
    /// `local_only`: refuse every host that is not this machine.
    pub(super) fn new(local_only: bool) -> Self {
        Self { local_only, http: OnceLock::new(), outside: OnceLock::new() }
    }

    /// Sends one request to `path` below `endpoint`; `build` adds method, headers and body.
    pub(super) async fn send(
        &self,
        endpoint: &Endpoint,
        path: &str,
        build: impl FnOnce(&reqwest::Client, &str) -> RequestBuilder,
    ) -> Result<Response, CallError> {
        if self.local_only && !endpoint.is_loopback() {
            return Err(CallError::NotLocal { host: endpoint.host().to_owned(), setting: endpoint.setting.clone() });
        }
        let host = endpoint.authority();
        let url = format!("{}{path}", endpoint.base.as_str().trim_end_matches('/'));
        let http = self
            .http
            .get_or_init(at_home)
            .as_ref()
            .map_err(|detail| CallError::Unreachable { host: host.clone(), detail: detail.clone() })?;
        build(http, &url).send().await.map_err(|error| {
            if error.is_connect() {
                return CallError::Unreachable { host, detail: root_cause(&error) };
            }
            let detail = format!("it took the connection and gave no answer ({})", root_cause(&error));
            // A server that goes away, or is started anew, breaks connections off: it may be back later.
            if broke_off(&error) {
                return CallError::Unreachable { host, detail };
            }
            CallError::Unreadable { host, detail }
        })
    }

    /// Asks for a page that a stranger named. If only this machine is allowed, the page must be on it. If every host is allowed, the page must
    /// be neither on it nor in any other private net: the address that the name resolves to is checked, and is the one connected to.
    pub(super) async fn page(&self, page: &Endpoint) -> Result<Response, PageError> {
        let host = page.authority();
        let inside = match page.base.host() {
            Some(Host::Ipv4(address)) => !is_public(address.into()),
            Some(Host::Ipv6(address)) => !is_public(address.into()),
            Some(Host::Domain(_)) => false,
            None => return Err(PageError::NoAddress),
        };
        let http = match self.local_only {
            true if !page.is_loopback() => return Err(PageError::NotLocal { host }),
            true => self.http.get_or_init(at_home),
            false if inside => return Err(PageError::NotPublic { host }),
            false => self.outside.get_or_init(|| finished(client().dns_resolver(PublicOnly))),
        };
        let http =
            http.as_ref().map_err(|detail| PageError::Unreachable { host: host.clone(), detail: detail.clone() })?;
        http.get(page.base.clone()).send().await.map_err(|error| {
            if is_inside(&error) {
                return PageError::NotPublic { host };
            }
            PageError::Unreachable { host, detail: root_cause(&error) }
        })
    }
}

/// Resolves names, but to addresses of the open net alone. A name that has one of either kind is refused.
struct PublicOnly;

/// A name that leads to an address that is not public.
#[derive(Debug, thiserror::Error)]
#[error("it is no public address")]
struct Inside;

impl Resolve for PublicOnly {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let found: Vec<SocketAddr> = tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            if found.iter().any(|address| !is_public(address.ip())) {
                return Err(Inside.into());
            }
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

/// Whether a request failed because its host's name leads inside.
fn is_inside(error: &reqwest::Error) -> bool {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(error) = cause {
        if error.is::<Inside>() {
            return true;
        }
        cause = error.source();
    }
    false
}

/// Made at the first request: reading the system's certificates takes some milliseconds that an offline run need not pay.
fn client() -> reqwest::ClientBuilder {
    // Another part of the process may have installed a provider; either will do.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder()
        // An answer must not send us to a host that the configuration does not name.
        .redirect(redirect::Policy::none())
        .no_proxy()
        .connect_timeout(CONNECT)
        .user_agent(concat!("copydesk/", env!("CARGO_PKG_VERSION")))
}

/// For the hosts that the configuration names.
fn at_home() -> Result<reqwest::Client, String> {
    // Whatever a hosts file says, this name is this machine.
    let here = [SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), SocketAddr::from((Ipv6Addr::LOCALHOST, 0))];
    finished(client().resolve_to_addrs("localhost", &here))
}

fn finished(client: reqwest::ClientBuilder) -> Result<reqwest::Client, String> {
    client.build().map_err(|error| root_cause(&error))
}

/// Whether the other side, or the way there, broke the connection off.
fn broke_off(error: &reqwest::Error) -> bool {
    let mut cause = error.source();
    while let Some(inner) = cause {
        let kind = inner.downcast_ref::<io::Error>().map(io::Error::kind);
        if matches!(kind, Some(ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted | ErrorKind::BrokenPipe)) {
            return true;
        }
        cause = inner.source();
    }
    false
}

/// The innermost message of an error: "connection refused" rather than "error sending request".
pub(super) fn root_cause(error: &dyn std::error::Error) -> String {
    let mut inner = error;
    while let Some(source) = inner.source() {
        inner = source;
    }
    inner.to_string()
}
