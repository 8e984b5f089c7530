//! The one place that sends requests, to allowed hosts only.

use std::{
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

/// The longest wait for a connection, within the call's own time-out.
const CONNECT: Duration = Duration::from_secs(10);

pub(crate) struct Egress {
    local_only: bool,
    http: OnceLock<reqwest::Result<reqwest::Client>>,
    outside: OnceLock<reqwest::Result<reqwest::Client>>,
}

impl Egress {
    /// `local_only`: refuse every host that is not this machine.
    pub(crate) fn new(local_only: bool) -> Self {
        Self { local_only, http: OnceLock::new(), outside: OnceLock::new() }
    }

    /// Whether anything may be sent to a host.
    pub(crate) fn allow(&self, endpoint: &Endpoint) -> Result<(), CallError> {
        if self.local_only && !endpoint.is_loopback() {
            return Err(CallError::NotLocal { host: endpoint.host().to_owned(), setting: endpoint.setting.clone() });
        }
        Ok(())
    }

    /// Sends one request to `path` below `endpoint`; `build` adds method, headers and body.
    pub(crate) async fn send(
        &self,
        endpoint: &Endpoint,
        path: &str,
        build: impl FnOnce(&reqwest::Client, &str) -> RequestBuilder,
    ) -> Result<Response, CallError> {
        let host = endpoint.authority();
        self.attempt(endpoint, path, build).await.map_err(|fault| match fault {
            SendFault::NotAllowed(error) => error,
            SendFault::Unsent(error) => CallError::Unreachable { host, detail: root_cause(&error) },
            SendFault::Unanswered(error) => {
                let detail = format!("it accepted the connection but sent no answer ({})", root_cause(&error));
                // A server that stops or restarts resets its connections; it may be back later.
                if broke_off(&error) {
                    return CallError::Unreachable { host, detail };
                }
                // It closed the connection before its headers were whole.
                if is_incomplete(&error) {
                    return CallError::Closed { host, detail };
                }
                CallError::Unreadable { host, detail }
            }
        })
    }

    /// Likewise, for who has to know whether the request can have arrived.
    pub(super) async fn attempt(
        &self,
        endpoint: &Endpoint,
        path: &str,
        build: impl FnOnce(&reqwest::Client, &str) -> RequestBuilder,
    ) -> Result<Response, SendFault> {
        self.allow(endpoint).map_err(SendFault::NotAllowed)?;
        let url = format!("{}{path}", endpoint.base.as_str().trim_end_matches('/'));
        let http = match self.http.get_or_init(at_home) {
            Ok(http) => http,
            Err(error) => {
                let (host, detail) = (endpoint.authority(), root_cause(error));
                return Err(SendFault::NotAllowed(CallError::Unreachable { host, detail }));
            }
        };
        let sent = build(http, &url).send().await;
        sent.map_err(|error| if error.is_connect() { SendFault::Unsent(error) } else { SendFault::Unanswered(error) })
    }

    /// Whether a page may be asked for, as far as its address says.
    pub(super) fn may_open(&self, page: &Endpoint) -> Result<(), PageError> {
        let host = page.authority();
        let inside = match page.base.host() {
            Some(Host::Ipv4(address)) => !is_public(address.into()),
            Some(Host::Ipv6(address)) => !is_public(address.into()),
            Some(Host::Domain(_)) => false,
            None => return Err(PageError::NoAddress),
        };
        match self.local_only {
            true if !page.is_loopback() => Err(PageError::NotLocal { host }),
            false if inside => Err(PageError::NotPublic { host }),
            _ => Ok(()),
        }
    }

    /// Asks for a page whose address a stranger chose. With `local_only`, the page must be on this machine. Otherwise it must be neither
    /// here nor in any other private network: the resolved address is checked, and it is the one connected to.
    pub(super) async fn page(&self, page: &Endpoint) -> Result<Response, PageError> {
        self.may_open(page)?;
        let host = page.authority();
        let http = if self.local_only {
            self.http.get_or_init(at_home)
        } else {
            self.outside.get_or_init(|| client().dns_resolver(PublicOnly).build())
        };
        let unreachable =
            |error: &reqwest::Error| PageError::Unreachable { host: host.clone(), detail: root_cause(error) };
        let http = http.as_ref().map_err(unreachable)?;
        http.get(page.base.clone()).send().await.map_err(|error| {
            if is_inside(&error) { PageError::NotPublic { host: host.clone() } } else { unreachable(&error) }
        })
    }
}

/// Why a request has no response.
pub(super) enum SendFault {
    /// It was not sent.
    NotAllowed(CallError),
    /// There was no connection.
    Unsent(reqwest::Error),
    /// It may have arrived.
    Unanswered(reqwest::Error),
}

/// Resolves names to public addresses only. A name that has any other address is refused.
struct PublicOnly;

/// A name that leads to an address that is not public.
#[derive(Debug, thiserror::Error)]
#[error("it is not a public address")]
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

/// Whether a request failed because its host's name leads to an address that is not public.
fn is_inside(error: &reqwest::Error) -> bool {
    causes(error).any(<dyn std::error::Error + 'static>::is::<Inside>)
}

/// The causes of an error, the outermost first.
fn causes(error: &dyn std::error::Error) -> impl Iterator<Item = &(dyn std::error::Error + 'static)> {
    std::iter::successors(error.source(), |&cause| cause.source())
}

/// Called at the first request, because reading the system's certificates takes milliseconds that an offline run can save.
fn client() -> reqwest::ClientBuilder {
    // Another part of the process may have installed a provider. Either one works.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder()
        // An answer must not redirect to a host that the configuration does not name.
        .redirect(redirect::Policy::none())
        .no_proxy()
        .connect_timeout(CONNECT)
        .user_agent(concat!("copydesk/", env!("CARGO_PKG_VERSION")))
}

/// For the hosts that the configuration names.
fn at_home() -> reqwest::Result<reqwest::Client> {
    // This name means this machine, even if a hosts file says otherwise.
    let here = [SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), SocketAddr::from((Ipv6Addr::LOCALHOST, 0))];
    client().resolve_to_addrs("localhost", &here).build()
}

/// Whether the server or the network reset the connection.
fn broke_off(error: &reqwest::Error) -> bool {
    causes(error).filter_map(|cause| cause.downcast_ref::<io::Error>()).any(|cause| {
        matches!(cause.kind(), ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted | ErrorKind::BrokenPipe)
    })
}

/// Whether the connection was closed before the headers of an answer were whole. The library's own kind of error has no name here.
fn is_incomplete(error: &reqwest::Error) -> bool {
    causes(error).any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|cause| cause.kind() == ErrorKind::UnexpectedEof)
            || cause.to_string() == "connection closed before message completed"
    })
}

/// The innermost message of an error: "connection refused" rather than "error sending request".
pub(super) fn root_cause(error: &dyn std::error::Error) -> String {
    causes(error).last().map_or_else(|| error.to_string(), ToString::to_string)
}
