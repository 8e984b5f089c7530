//! The server over HTTP, on this machine alone: a loopback address, a token, and neither a foreign `Host` nor a foreign page's `Origin`.

use std::{convert::Infallible, net::SocketAddr, sync::Arc};

use http_body_util::{BodyExt as _, Full, combinators::BoxBody};
use hyper::{
    Request, Response, StatusCode,
    body::{Bytes, Incoming},
    header::{AUTHORIZATION, WWW_AUTHENTICATE},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
};
use subtle::ConstantTimeEq as _;
use tokio::{net::TcpListener, sync::Semaphore};

use super::server::ToolServer;
use copydesk_config::Secret;

/// The path of the server.
pub const PATH: &str = "/mcp";

/// Most bytes of a request: it holds texts of a call, and each character of them may be escaped.
const MOST_BYTES: usize = 8 << 20;

/// Most connections at once.
const CONNECTIONS: usize = 64;

/// An address that is not served, or a port that cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum HttpError {
    #[error(
        "{0} is no address of this machine alone. Name one such as 127.0.0.1:8765 or [::1]:8765; for others use a tunnel"
    )]
    NotLoopback(SocketAddr),
    #[error("{address} cannot be listened on: {error}. Name another port, or 0 for any that is free")]
    NotListening { address: SocketAddr, error: std::io::Error },
}

type Answer = Response<BoxBody<Bytes, Infallible>>;

/// A server that listens.
#[derive(Debug)]
pub struct HttpServer {
    listener: TcpListener,
    /// The address that it listens on.
    pub address: SocketAddr,
}

impl HttpServer {
    /// Listens on a loopback address.
    ///
    /// # Errors
    /// [`HttpError`] if the address is another machine's to reach, or its port is taken.
    pub async fn listen(address: SocketAddr) -> Result<Self, HttpError> {
        if !address.ip().is_loopback() {
            return Err(HttpError::NotLoopback(address));
        }
        let failed = |error| HttpError::NotListening { address, error };
        let listener = TcpListener::bind(address).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        Ok(Self { listener, address })
    }

    /// Answers whoever has the token, until the future is dropped.
    pub async fn serve(self, server: ToolServer, token: Secret) {
        let config = StreamableHttpServerConfig::default()
            .with_allowed_hosts(["127.0.0.1", "localhost", "[::1]", "::1"])
            // A program sends no origin. Of web pages those of this machine alone may ask, such as an inspector's, and they need the token too.
            .with_allowed_origins(["http://127.0.0.1:*", "http://localhost:*", "http://[::1]:*"])
            .with_max_request_body_bytes(MOST_BYTES);
        let service =
            StreamableHttpService::new(move || Ok(server.clone()), Arc::new(LocalSessionManager::default()), config);
        let token = Arc::new(token);
        let places = Arc::new(Semaphore::new(CONNECTIONS));
        loop {
            let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
            // A caller that is gone before it was heard is no reason to stop, nor is a shortage of files that passes.
            let Ok((stream, _)) = self.listener.accept().await else {
                tokio::time::sleep(std::time::Duration::from_millis(50)).await;
                continue;
            };
            let (service, token) = (service.clone(), Arc::clone(&token));
            tokio::spawn(async move {
                let answer = service_fn(move |request: Request<Incoming>| {
                    let (service, token) = (service.clone(), Arc::clone(&token));
                    async move {
                        Ok::<Answer, Infallible>(match refused(&request, &token) {
                            Some(refusal) => refusal,
                            None => service.handle(request).await,
                        })
                    }
                });
                let mut connection = http1::Builder::new();
                connection.timer(TokioTimer::new());
                // The caller knows if it breaks off the connection, so the error is dropped.
                let _ended = connection.serve_connection(TokioIo::new(stream), answer).await;
                drop(place);
            });
        }
    }
}

/// The answer to a request that is not let in.
fn refused<B>(request: &Request<B>, token: &Secret) -> Option<Answer> {
    let given = request.headers().get(AUTHORIZATION).map(hyper::header::HeaderValue::as_bytes).unwrap_or_default();
    let given = given.strip_prefix(b"Bearer ").or_else(|| given.strip_prefix(b"bearer ")).unwrap_or_default();
    if !bool::from(given.ct_eq(token.reveal().as_bytes())) {
        return Some(answer(
            StatusCode::UNAUTHORIZED,
            "The token is missing or wrong. Send it as \"Authorization: Bearer TOKEN\".\n",
        ));
    }
    (request.uri().path() != PATH).then(|| answer(StatusCode::NOT_FOUND, "The server is at /mcp.\n"))
}

fn answer(status: StatusCode, text: &'static str) -> Answer {
    let mut response = Response::new(Full::new(Bytes::from_static(text.as_bytes())).boxed());
    *response.status_mut() = status;
    if status == StatusCode::UNAUTHORIZED {
        response.headers_mut().insert(WWW_AUTHENTICATE, hyper::header::HeaderValue::from_static("Bearer"));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_needs_the_token_and_the_path() {
        let token = Secret::new("s3cret-token".into());
        let status = |given: Option<&str>, path: &str| {
            let mut request = Request::builder().uri(path);
            if let Some(given) = given {
                request = request.header(AUTHORIZATION, given);
            }
            refused(&request.body(()).unwrap(), &token).map(|answer| answer.status().as_u16())
        };
        assert_eq!(status(Some("Bearer s3cret-token"), "/mcp"), None);
        assert_eq!(status(Some("bearer s3cret-token"), "/mcp"), None);
        assert_eq!(status(Some("Bearer s3cret-token"), "/"), Some(404));
        for wrong in
            [None, Some("s3cret-token"), Some("Bearer s3cret-toke"), Some("Bearer "), Some("Basic s3cret-token")]
        {
            assert_eq!(status(wrong, "/mcp"), Some(401), "{wrong:?}");
        }
    }

    #[tokio::test]
    async fn only_a_loopback_address_is_listened_on() {
        let error = HttpServer::listen("0.0.0.0:0".parse().unwrap()).await.unwrap_err();
        assert!(error.to_string().starts_with("0.0.0.0:0 is no address of this machine alone."), "{error}");
        let first = HttpServer::listen("127.0.0.1:0".parse().unwrap()).await.unwrap();
        let taken = HttpServer::listen(first.address).await.unwrap_err();
        assert!(taken.to_string().contains("cannot be listened on"), "{taken}");
    }
}
