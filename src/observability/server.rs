//! Serves metrics and health over HTTP: small answers, few callers at once, and none that takes its time.

use std::{
    convert::Infallible,
    io,
    net::{IpAddr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use http_body_util::Full;
use hyper::{
    Method, Request, Response, StatusCode,
    body::Bytes,
    header::{ALLOW, CONTENT_TYPE, HOST, HeaderValue},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{net::TcpListener, sync::Semaphore, time::timeout};

use super::{
    exposition,
    health::{self, HealthCheck},
    metrics::Meter,
};

/// Most connections at once; further ones wait.
const CONNECTIONS: usize = 16;

/// Most bytes of a request's head.
const MOST_HEAD: usize = 16 << 10;

/// How long a caller may take to ask, and a look may take to be answered.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long a connection may stand, also if its caller does not read.
const CONNECTION: Duration = Duration::from_mins(2);

/// How long it is waited before a taken port is tried again.
const AGAIN: Duration = Duration::from_secs(5);

/// A port that cannot be had.
#[derive(Debug, thiserror::Error)]
#[error(
    "metrics: {address} (observability.metrics_addr) cannot be listened on: {error}. If another copydesk serves them there, that is \
     enough: it sees the work of all. Stories go on, and this program tries again"
)]
pub struct CannotServe {
    address: SocketAddr,
    error: io::Error,
}

/// The server of metrics and health.
pub struct MetricsServer {
    address: SocketAddr,
    listener: Option<TcpListener>,
    meter: Meter,
    health: Arc<dyn HealthCheck>,
}

impl MetricsServer {
    /// Listens at the address. If it is taken, [`Self::serve`] waits until it is free; the reason is for the person.
    pub async fn listen(
        address: SocketAddr,
        meter: Meter,
        health: Arc<dyn HealthCheck>,
    ) -> (Self, Result<SocketAddr, CannotServe>) {
        let bound = TcpListener::bind(address).await.and_then(|listener| Ok((listener.local_addr()?, listener)));
        let (listener, said) = match bound {
            Ok((at, listener)) => (Some(listener), Ok(at)),
            Err(error) => (None, Err(CannotServe { address, error })),
        };
        (Self { address, listener, meter, health }, said)
    }

    /// Answers until the future is dropped.
    pub async fn serve(self) {
        let Self { address, mut listener, meter, health } = self;
        let listener = loop {
            match listener.take() {
                Some(listener) => break listener,
                None => tokio::time::sleep(AGAIN).await,
            }
            listener = TcpListener::bind(address).await.ok();
        };
        let desk = Arc::new(Served { meter, health, here: address.ip().is_loopback() });
        let places = Arc::new(Semaphore::new(CONNECTIONS));
        loop {
            let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
            // A caller that is gone before it was heard is no reason to stop, nor is a shortage of files that passes.
            let Ok((stream, _)) = listener.accept().await else {
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            let desk = Arc::clone(&desk);
            tokio::spawn(async move {
                let answer = service_fn(move |request| {
                    let desk = Arc::clone(&desk);
                    async move { Ok::<_, Infallible>(desk.answer(&request).await) }
                });
                let mut connection = http1::Builder::new();
                connection.timer(TokioTimer::new()).header_read_timeout(PATIENCE).max_buf_size(MOST_HEAD);
                // The caller knows if it breaks off the connection, so the error is dropped.
                let _ended = timeout(CONNECTION, connection.serve_connection(TokioIo::new(stream), answer)).await;
                drop(place);
            });
        }
    }
}

struct Served {
    meter: Meter,
    health: Arc<dyn HealthCheck>,
    /// Whether only this machine can ask.
    here: bool,
}

impl Served {
    async fn answer<B>(&self, request: &Request<B>) -> Response<Full<Bytes>> {
        if let Some(refusal) = refused(request, self.here) {
            return refusal;
        }
        let late = || text(StatusCode::SERVICE_UNAVAILABLE, "the database did not answer in time\n");
        match request.uri().path() {
            "/healthz" => text(StatusCode::OK, "ok\n"),
            "/metrics" => match timeout(PATIENCE, self.meter.text()).await {
                Ok(Ok(metrics)) => typed(StatusCode::OK, metrics, exposition::CONTENT_TYPE),
                Ok(Err(error)) => text(StatusCode::SERVICE_UNAVAILABLE, format!("{error}\n")),
                Err(_) => late(),
            },
            "/readyz" => match timeout(PATIENCE, self.health.parts()).await {
                Ok(parts) => {
                    let (ready, report) = health::report(&parts);
                    let status = if ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
                    typed(status, report, "application/json")
                }
                Err(_) => late(),
            },
            _ => text(StatusCode::NOT_FOUND, "Here are /metrics, /healthz and /readyz.\n"),
        }
    }
}

/// The answer to a request that is not let in.
fn refused<B>(request: &Request<B>, here: bool) -> Option<Response<Full<Bytes>>> {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        let mut refusal = text(StatusCode::METHOD_NOT_ALLOWED, "Ask with GET.\n");
        refusal.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
        return Some(refusal);
    }
    // A page of another site can have its visitor's browser ask, although it does not get the answer. Browsers say so.
    let site = request.headers().get("sec-fetch-site").map(HeaderValue::as_bytes);
    if matches!(site, Some(b"cross-site" | b"same-site")) {
        return Some(text(StatusCode::FORBIDDEN, "Web pages of other sites are not answered.\n"));
    }
    // A page of another site can have its name point to this machine. Its requests keep that name.
    let host = request.headers().get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let name = host.rsplit_once(':').filter(|(_, port)| port.bytes().all(|byte| byte.is_ascii_digit()));
    let name = name.map_or(host, |(name, _)| name);
    let address = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    let is_here = name == "localhost" || address.is_ok_and(|address| address.is_loopback());
    (here && !is_here).then(|| text(StatusCode::FORBIDDEN, "Ask by an address of this machine, such as 127.0.0.1.\n"))
}

fn text(status: StatusCode, body: impl Into<Bytes>) -> Response<Full<Bytes>> {
    typed(status, body, "text/plain; charset=utf-8")
}

fn typed(status: StatusCode, body: impl Into<Bytes>, kind: &'static str) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(body.into()));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_questions_by_an_address_of_this_machine_are_let_in() {
        let status = |method: Method, host: &str, here| {
            let request = Request::builder().method(method).uri("/metrics").header(HOST, host).body(()).unwrap();
            refused(&request, here).map(|refusal| refusal.status().as_u16())
        };
        for host in ["127.0.0.1:9464", "localhost", "localhost:9464", "[::1]:9464", "127.0.0.2"] {
            assert_eq!(status(Method::GET, host, true), None, "{host}");
        }
        for host in ["evil.example:9464", "", "127.evil.example", "[::2]:1"] {
            assert_eq!(status(Method::GET, host, true), Some(403), "{host}");
        }
        for (site, expected) in
            [("cross-site", Some(403)), ("same-site", Some(403)), ("same-origin", None), ("none", None)]
        {
            for host in ["127.0.0.1:9464", "desk.example"] {
                let request = Request::builder().uri("/readyz").header(HOST, host).header("Sec-Fetch-Site", site);
                let refusal = refused(&request.body(()).unwrap(), host.starts_with("127"));
                assert_eq!(refusal.map(|refusal| refusal.status().as_u16()), expected, "{site} at {host}");
            }
        }
        assert_eq!(status(Method::HEAD, "desk.example", false), None);
        assert_eq!(status(Method::POST, "127.0.0.1", true), Some(405));
    }
}
