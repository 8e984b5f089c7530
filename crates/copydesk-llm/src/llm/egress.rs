//! The one place that sends requests, to allowed hosts only.
//!
//! Each request belongs to an occasion ([`Occasion`]): the story that it is sent for, and why. A confidential story's requests go to no other
//! machine, hidden names leave in none, and the ledger has each. `leave` is the last look at a request.

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

use super::{
    addresses::is_public,
    hiding,
    noted::{self, NotedRequest},
};
use copydesk_config::Endpoint;
use copydesk_core::editorial::aliasing::Aliasing;
use copydesk_core::ports::{CallError, Occasion, PageError, Withheld};

/// The longest wait for a connection, within the call's own time-out.
const CONNECT: Duration = Duration::from_secs(10);

pub(crate) struct Egress {
    local_only: bool,
    plain: OnceLock<reqwest::Result<reqwest::Client>>,
    encrypted: OnceLock<reqwest::Result<reqwest::Client>>,
    outside: OnceLock<reqwest::Result<reqwest::Client>>,
}

impl Egress {
    /// `local_only`: refuse every host that is not this machine.
    pub(crate) fn new(local_only: bool) -> Self {
        Self { local_only, plain: OnceLock::new(), encrypted: OnceLock::new(), outside: OnceLock::new() }
    }

    /// The client for a host that the configuration names. The system's certificates are read for the first encrypted request only:
    /// that takes milliseconds, and a model on this machine needs none.
    fn named_host(&self, endpoint: &Endpoint) -> &reqwest::Result<reqwest::Client> {
        if endpoint.base.scheme() == "https" {
            self.encrypted.get_or_init(|| at_home(client()))
        } else {
            self.plain.get_or_init(|| at_home(client().tls_certs_only([])))
        }
    }

    /// Whether anything may be sent to a host on the occasion of the current task.
    pub(crate) fn allow(&self, endpoint: &Endpoint) -> Result<(), CallError> {
        if self.local_only && !endpoint.is_loopback() {
            return Err(CallError::NotLocal { host: endpoint.host().to_owned(), setting: endpoint.setting.clone() });
        }
        Ok(stays(endpoint, Occasion::now().as_deref())?)
    }

    /// Notes what is about to be sent to a host in another way than by [`Self::send`], if it may be.
    #[cfg(any(feature = "mail", feature = "mcp"))]
    pub(crate) async fn admit(&self, endpoint: &Endpoint, body: &[u8]) -> Result<NotedRequest, CallError> {
        self.allow(endpoint)?;
        let occasion = Occasion::now().unwrap_or_default();
        let noted = noted::start(&occasion, &endpoint.base, endpoint.is_loopback(), body.len());
        Ok(NotedRequest::begin(noted, hiding::check_body(body, endpoint.host(), &occasion)).await?)
    }

    /// Sends one request to `path` below `endpoint`; `build` adds method, headers and body.
    pub(crate) async fn send(
        &self,
        endpoint: &Endpoint,
        path: &str,
        build: impl FnOnce(&reqwest::Client, &str) -> RequestBuilder,
    ) -> Result<Response, CallError> {
        let host = endpoint.authority();
        self.sent(endpoint, path, build, true).await.map_err(|fault| match fault {
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

    /// Likewise, for who has to know whether the request can have arrived. Its body goes as it is, or not at all: a name in it is not
    /// replaced.
    pub(super) async fn attempt(
        &self,
        endpoint: &Endpoint,
        path: &str,
        build: impl FnOnce(&reqwest::Client, &str) -> RequestBuilder,
    ) -> Result<Response, SendFault> {
        self.sent(endpoint, path, build, false).await
    }

    async fn sent(
        &self,
        endpoint: &Endpoint,
        path: &str,
        build: impl FnOnce(&reqwest::Client, &str) -> RequestBuilder,
        hides: bool,
    ) -> Result<Response, SendFault> {
        let url = format!("{}{path}", endpoint.base.as_str().trim_end_matches('/'));
        if let Err(error) = self.allow(endpoint) {
            if let (CallError::Withheld(withheld), Some(occasion)) = (&error, Occasion::now()) {
                noted::refused(noted::start(&occasion, &endpoint.base, endpoint.is_loopback(), 0), withheld);
            }
            return Err(SendFault::NotAllowed(error));
        }
        let unbuilt = |error: &reqwest::Error| {
            let (host, detail) = (endpoint.authority(), root_cause(error));
            SendFault::NotAllowed(CallError::Unreachable { host, detail })
        };
        let http = self.named_host(endpoint).as_ref().map_err(unbuilt)?;
        let mut request = build(http, &url).build().map_err(|error| unbuilt(&error))?;
        let occasion = Occasion::now().unwrap_or_default();
        if hides {
            hiding::hide(&mut request, &Aliasing::of(&occasion.secrecy.aliases));
        }
        let sent = leave(http, request, endpoint.is_loopback(), &occasion).await;
        sent.map_err(|withheld| SendFault::NotAllowed(withheld.into()))?
            .map_err(|error| if error.is_connect() { SendFault::Unsent(error) } else { SendFault::Unanswered(error) })
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
            true if !page.is_loopback() => return Err(PageError::NotLocal { host }),
            false if inside => return Err(PageError::NotPublic { host }),
            _ => {}
        }
        Ok(stays(page, Occasion::now().as_deref())?)
    }

    /// Asks for a page whose address a stranger chose. With `local_only`, the page must be on this machine. Otherwise it must be neither
    /// here nor in any other private network: the resolved address is checked, and it is the one connected to.
    pub(super) async fn page(&self, page: &Endpoint) -> Result<Response, PageError> {
        self.may_open(page)?;
        let host = page.authority();
        let http = if self.local_only {
            self.named_host(page)
        } else {
            self.outside.get_or_init(|| client().dns_resolver(PublicOnly).build())
        };
        let unreachable =
            |error: &reqwest::Error| PageError::Unreachable { host: host.clone(), detail: root_cause(error) };
        let http = http.as_ref().map_err(unreachable)?;
        let request = http.get(page.base.clone()).build().map_err(|error| unreachable(&error))?;
        let occasion = Occasion::now().unwrap_or_default();
        leave(http, request, page.is_loopback(), &occasion).await?.map_err(|error| {
            if is_inside(&error) { PageError::NotPublic { host: host.clone() } } else { unreachable(&error) }
        })
    }

    /// Admits a program that opens a page by itself, and notes it. The page's address is checked as [`Self::page`] checks it.
    pub(super) async fn admit_program(&self, page: &Endpoint) -> Result<NotedRequest, PageError> {
        self.may_open(page)?;
        if let (false, Some(Host::Domain(name))) = (self.local_only, page.base.host()) {
            let refused = |error: BoxError| {
                let host = page.authority();
                if error.is::<Inside>() {
                    PageError::NotPublic { host }
                } else {
                    PageError::Unreachable { host, detail: error.to_string() }
                }
            };
            public_addresses(name).await.map_err(refused)?;
        }
        let occasion = Occasion::now().unwrap_or_default();
        Ok(NotedRequest::begin(noted::start(&occasion, &page.base, page.is_loopback(), 0), Ok(())).await?)
    }

    /// The variables that such a program gets.
    pub(super) fn variables(&self) -> &'static [(&'static str, &'static str)] {
        if self.local_only { &STAYS_HOME } else { &[] }
    }
}

/// Variables that keep a program on this machine as far as it heeds them: nobody answers at the proxy.
const STAYS_HOME: [(&str, &str); 4] = [
    ("http_proxy", "http://127.0.0.1:9"),
    ("https_proxy", "http://127.0.0.1:9"),
    ("all_proxy", "http://127.0.0.1:9"),
    ("no_proxy", "localhost,127.0.0.1,::1"),
];

/// Refuses another machine to a confidential story, and to whoever does not say what it is asked for.
fn stays(endpoint: &Endpoint, occasion: Option<&Occasion>) -> Result<(), Withheld> {
    let host = || endpoint.host().to_owned();
    match occasion {
        _ if endpoint.is_loopback() => Ok(()),
        None => Err(Withheld::Unexplained { host: host() }),
        Some(occasion) if occasion.secrecy.confidential => Err(Withheld::Confidential {
            story: occasion.story.as_ref().map_or_else(|| "this".to_owned(), ToString::to_string),
            host: host(),
            setting: endpoint.setting.clone(),
        }),
        Some(_) => Ok(()),
    }
}

/// Takes a last look at a request and sends it: no hidden name is in it, and the ledger has it.
async fn leave(
    http: &reqwest::Client,
    request: reqwest::Request,
    here: bool,
    occasion: &Occasion,
) -> Result<reqwest::Result<Response>, Withheld> {
    let length = |header: &reqwest::header::HeaderValue| header.to_str().ok()?.parse().ok();
    let bytes = request.body().and_then(reqwest::Body::as_bytes).map(<[u8]>::len);
    // A file that is read piece by piece says how long it is.
    let bytes = bytes.or_else(|| request.headers().get(reqwest::header::CONTENT_LENGTH).and_then(length)).unwrap_or(0);
    let noted = noted::start(occasion, request.url(), here, bytes);
    let noted = NotedRequest::begin(noted, hiding::check(&request, occasion)).await?;
    Ok(match http.execute(request).await {
        Ok(response) => Ok(noted.follows(response)),
        Err(error) => {
            let why = if is_inside(&error) {
                "not sent: no public address".to_owned()
            } else {
                format!("no answer: {}", root_cause(&error))
            };
            noted.ended(0, &why);
            Err(error)
        }
    })
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
        Box::pin(async move { Ok(Box::new(public_addresses(name.as_str()).await?.into_iter()) as Addrs) })
    }
}

type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// The addresses of a name; none of them is in a private network.
async fn public_addresses(name: &str) -> Result<Vec<SocketAddr>, BoxError> {
    let found: Vec<SocketAddr> = tokio::net::lookup_host((name, 0)).await?.collect();
    if found.iter().any(|address| !is_public(address.ip())) {
        return Err(Inside.into());
    }
    Ok(found)
}

/// Whether a request failed because its host's name leads to an address that is not public.
fn is_inside(error: &reqwest::Error) -> bool {
    causes(error).any(<dyn std::error::Error + 'static>::is::<Inside>)
}

/// The causes of an error, the outermost first.
fn causes(error: &dyn std::error::Error) -> impl Iterator<Item = &(dyn std::error::Error + 'static)> {
    std::iter::successors(error.source(), |&cause| cause.source())
}

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
fn at_home(client: reqwest::ClientBuilder) -> reqwest::Result<reqwest::Client> {
    // This name means this machine, even if a hosts file says otherwise.
    let here = [SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), SocketAddr::from((Ipv6Addr::LOCALHOST, 0))];
    client.resolve_to_addrs("localhost", &here).build()
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
pub(crate) fn root_cause(error: &dyn std::error::Error) -> String {
    causes(error).last().map_or_else(|| error.to_string(), ToString::to_string)
}
