//! The one door through which requests leave.

use std::{
    net::{Ipv4Addr, Ipv6Addr, SocketAddr},
    sync::OnceLock,
    time::Duration,
};

use reqwest::{RequestBuilder, Response, redirect};

use crate::{config::Endpoint, ports::CallError};

/// How long a connection may take to be made, within the call's own time-out.
const CONNECT: Duration = Duration::from_secs(10);

/// Sends requests, to allowed hosts only.
pub(super) struct Egress {
    local_only: bool,
    http: OnceLock<Result<reqwest::Client, String>>,
}

impl Egress {
    /// `local_only`: refuse every host that is not this machine.
    pub(super) fn new(local_only: bool) -> Self {
        Self { local_only, http: OnceLock::new() }
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
            .get_or_init(client)
            .as_ref()
            .map_err(|detail| CallError::Unreachable { host: host.clone(), detail: detail.clone() })?;
        build(http, &url).send().await.map_err(|error| {
            if error.is_connect() {
                return CallError::Unreachable { host, detail: root_cause(&error) };
            }
            CallError::Unreadable {
                host,
                detail: format!("it took the connection and gave no answer ({})", root_cause(&error)),
            }
        })
    }
}

/// Made at the first request: reading the system's certificates takes some milliseconds that an offline run need not pay.
fn client() -> Result<reqwest::Client, String> {
    // Another part of the process may have installed a provider; either will do.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder()
        // An answer must not send us to a host that the configuration does not name.
        .redirect(redirect::Policy::none())
        .no_proxy()
        .connect_timeout(CONNECT)
        // Whatever a hosts file says, this name is this machine.
        .resolve_to_addrs(
            "localhost",
            &[SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), SocketAddr::from((Ipv6Addr::LOCALHOST, 0))],
        )
        .user_agent(concat!("copydesk/", env!("CARGO_PKG_VERSION")))
        .build()
        .map_err(|error| root_cause(&error))
}

/// The innermost message of an error: "connection refused" rather than "error sending request".
pub(super) fn root_cause(error: &dyn std::error::Error) -> String {
    let mut inner = error;
    while let Some(source) = inner.source() {
        inner = source;
    }
    inner.to_string()
}
