//! A server over streamable HTTP, by this program's own client: allowed hosts only, no redirection.

use std::{collections::HashMap, io, sync::Arc, time::Duration};

use futures_util::{StreamExt, stream::BoxStream};
use reqwest::{
    RequestBuilder, Response, StatusCode,
    header::{ACCEPT, CONTENT_TYPE, HeaderName, HeaderValue, LOCATION, RETRY_AFTER},
};
use rmcp::{
    ErrorData,
    model::{ClientJsonRpcMessage, ClientRequest, JsonRpcMessage, ServerJsonRpcMessage},
    transport::{
        common::http_header::{EVENT_STREAM_MIME_TYPE, HEADER_LAST_EVENT_ID, HEADER_SESSION_ID, JSON_MIME_TYPE},
        streamable_http_client::{
            HttpStatusError, SseError, StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse,
        },
    },
};
use sse_stream::{Sse, SseStream};

use super::mishaps::Mishaps;
use crate::llm::{Egress, beginning};
use copydesk_config::{Endpoint, Secret};
use copydesk_core::ports::{CallError, Occasion};
use copydesk_text::sanitise;

/// Most bytes of a refusal that are read.
const MOST_REFUSAL: usize = 16 << 10;
/// Most characters of a refusal that are shown.
const LONGEST_REFUSAL: usize = 200;
/// How long an old server may take to say that it is one.
const PROBE: Duration = Duration::from_secs(3);

type Failure = StreamableHttpError<CallError>;
type Events = BoxStream<'static, Result<Sse, SseError>>;

/// A server's address, and the way to it.
#[derive(Clone)]
pub(super) struct Address {
    pub(super) egress: Arc<Egress>,
    pub(super) endpoint: Arc<Endpoint>,
    pub(super) bearer: Option<Secret>,
    pub(super) mishaps: Arc<Mishaps>,
    /// The purpose of the connection: it serves every story.
    pub(super) occasion: Arc<Occasion>,
}

impl Address {
    async fn send(
        &self,
        occasion: &Arc<Occasion>,
        session: Option<Arc<str>>,
        headers: HashMap<HeaderName, HeaderValue>,
        build: impl FnOnce(&reqwest::Client) -> RequestBuilder,
    ) -> Result<Response, Failure> {
        let endpoint = &self.endpoint;
        let request = |http: &reqwest::Client, _: &str| {
            let mut request = build(http);
            for (name, value) in headers {
                request = request.header(name, value);
            }
            if let Some(session) = &session {
                request = request.header(HEADER_SESSION_ID, session.as_ref());
            }
            if let Some(bearer) = &self.bearer {
                request = request.bearer_auth(bearer.reveal());
            }
            request
        };
        let sent = self.egress.send(endpoint, "", request);
        let response = Occasion::again(Some(Arc::clone(occasion)), sent).await.map_err(StreamableHttpError::Client)?;
        if response.status().is_redirection() {
            let to = response.headers().get(LOCATION).and_then(|to| to.to_str().ok()).unwrap_or("nowhere");
            let to = sanitise::excerpt(to, LONGEST_REFUSAL);
            return Err(unexpected(format!(
                "it redirects to {to}, which is not followed: set {} to that address",
                endpoint.setting
            )));
        }
        Ok(response)
    }

    /// The events of a body; each may have the size of a message.
    fn events(&self, response: Response) -> Events {
        let mishaps = Arc::clone(&self.mishaps);
        let (mut size, mut blank) = (0, true);
        let chunks = response.bytes_stream().map(move |chunk| {
            let chunk = chunk.map_err(io::Error::other)?;
            for byte in &chunk {
                size += 1;
                match byte {
                    b'\n' if blank => size = 0,
                    b'\n' => blank = true,
                    b'\r' => {}
                    _ => blank = false,
                }
                if size > mishaps.limit {
                    mishaps.oversized();
                    return Err(io::Error::other("a message is too large"));
                }
            }
            Ok(chunk)
        });
        // After a message that is too large, the rest would be read from the middle of it, so the stream ends.
        let chunks = chunks.scan(false, |ended, chunk| {
            let go_on = !*ended;
            *ended = chunk.is_err();
            std::future::ready(go_on.then_some(chunk))
        });
        SseStream::from_bytes_stream(chunks).boxed()
    }

    async fn body(&self, response: Response) -> Result<Vec<u8>, Failure> {
        let limit = self.mishaps.limit;
        let mut body = Vec::new();
        let mut chunks = response.bytes_stream();
        while let Some(chunk) = chunks.next().await {
            let chunk = chunk.map_err(|_| StreamableHttpError::UnexpectedEndOfStream)?;
            if body.len() + chunk.len() > limit {
                self.mishaps.oversized();
                return Err(StreamableHttpError::ResponseBodyTooLarge { max_size: limit });
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    }

    /// Whether the server speaks HTTP+SSE: a stream whose first event is the address for messages.
    pub(super) async fn is_old(&self) -> bool {
        let asked = async {
            let headers = HashMap::new();
            let url = self.endpoint.base.clone();
            let get = |http: &reqwest::Client| http.get(url).header(ACCEPT, EVENT_STREAM_MIME_TYPE);
            let response = self.send(&self.occasion, None, headers, get).await.ok()?;
            is_type(&response, EVENT_STREAM_MIME_TYPE).then_some(())?;
            self.events(response).next().await?.ok()?.event
        };
        tokio::time::timeout(PROBE, asked).await.is_ok_and(|event| event.is_some_and(|event| event == "endpoint"))
    }

    /// The outcome of a request that the server refused: the server's own error if it sent one in the protocol's form.
    async fn refused(
        &self,
        response: Response,
        message: &ClientJsonRpcMessage,
        in_session: bool,
    ) -> Result<StreamableHttpPostResponse, Failure> {
        let status = response.status();
        let (retry_after, session) = (header(&response, RETRY_AFTER.as_str()), header(&response, HEADER_SESSION_ID));
        let keyless = matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN);
        let body = beginning(response, MOST_REFUSAL).await;
        let error = match serde_json::from_slice(&body) {
            Ok(JsonRpcMessage::Error(error)) if !keyless => Some(error),
            Ok::<ServerJsonRpcMessage, _>(_) | Err(_) => None,
        };
        let said = sanitise::excerpt(&String::from_utf8_lossy(&body), LONGEST_REFUSAL);
        // A server of an older version does not know this request, and may refuse it in any form. Its error must bear the request's id.
        if let JsonRpcMessage::Request(request) = message
            && matches!(request.request, ClientRequest::DiscoverRequest(_))
            && status.is_client_error()
            && !keyless
            && !in_session
        {
            let error =
                error.map_or_else(|| ErrorData::invalid_request(refusal(status, &said), None), |error| error.error);
            let answer = ServerJsonRpcMessage::error(error, Some(request.id.clone()));
            return Ok(StreamableHttpPostResponse::Json(answer, None));
        }
        if let Some(error) = error {
            return Ok(StreamableHttpPostResponse::Json(JsonRpcMessage::Error(error), session));
        }
        if keyless {
            return Err(unexpected(format!("{}: it asks for a token, which `bearer` holds", refusal(status, &said))));
        }
        if status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error() {
            return Err(HttpStatusError::new(status.as_u16(), retry_after).into());
        }
        Err(unexpected(refusal(status, &said)))
    }
}

impl StreamableHttpClient for Address {
    type Error = CallError;

    async fn post_message(
        &self,
        _: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        _: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<StreamableHttpPostResponse, Failure> {
        let in_session = session.is_some();
        let asks = matches!(message, JsonRpcMessage::Request(_));
        let body = serde_json::to_vec(&message)?;
        let url = self.endpoint.base.clone();
        // A call is noted by whoever makes it, for its story.
        let calls = matches!(&message, JsonRpcMessage::Request(request) if matches!(request.request, ClientRequest::CallToolRequest(_)));
        let mut occasion = Arc::clone(&self.occasion);
        if calls {
            occasion = Arc::new(Occasion { books: None, ..Occasion::clone(&occasion) });
        }
        let response = self
            .send(&occasion, session, headers, |http| {
                let accept = format!("{EVENT_STREAM_MIME_TYPE}, {JSON_MIME_TYPE}");
                http.post(url).header(ACCEPT, accept).header(CONTENT_TYPE, JSON_MIME_TYPE).body(body)
            })
            .await?;
        let status = response.status();
        let session = header(&response, HEADER_SESSION_ID);
        if matches!(status, StatusCode::ACCEPTED | StatusCode::NO_CONTENT) || (status.is_success() && !asks) {
            return Ok(StreamableHttpPostResponse::Accepted);
        }
        if status == StatusCode::NOT_FOUND && in_session {
            return Err(StreamableHttpError::SessionExpired);
        }
        if !status.is_success() {
            return self.refused(response, &message, in_session).await;
        }
        if is_type(&response, EVENT_STREAM_MIME_TYPE) {
            return Ok(StreamableHttpPostResponse::Sse(self.events(response), session));
        }
        if !is_type(&response, JSON_MIME_TYPE) {
            return Err(StreamableHttpError::UnexpectedContentType(header(&response, CONTENT_TYPE.as_str())));
        }
        let body = self.body(response).await?;
        Ok(StreamableHttpPostResponse::Json(serde_json::from_slice(&body)?, session))
    }

    async fn delete_session(
        &self,
        _: Arc<str>,
        session: Arc<str>,
        _: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<(), Failure> {
        let url = self.endpoint.base.clone();
        // A server may refuse to end a session, and then ends it by itself.
        self.send(&self.occasion, Some(session), headers, |http| http.delete(url)).await.map(drop)
    }

    async fn get_stream(
        &self,
        _: Arc<str>,
        session: Option<Arc<str>>,
        last_event: Option<String>,
        _: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<Events, Failure> {
        let url = self.endpoint.base.clone();
        let response = self
            .send(&self.occasion, session, headers, |http| {
                let request = http.get(url).header(ACCEPT, EVENT_STREAM_MIME_TYPE);
                last_event.into_iter().fold(request, |request, id| request.header(HEADER_LAST_EVENT_ID, id))
            })
            .await?;
        if !response.status().is_success() || !is_type(&response, EVENT_STREAM_MIME_TYPE) {
            return Err(StreamableHttpError::ServerDoesNotSupportSse);
        }
        Ok(self.events(response))
    }
}

fn refusal(status: StatusCode, said: &str) -> String {
    format!("it answered {}{}{said}", status.as_u16(), if said.is_empty() { "" } else { ": " })
}

fn unexpected(what: String) -> Failure {
    StreamableHttpError::UnexpectedServerResponse(what.into())
}

fn header(response: &Response, name: &str) -> Option<String> {
    response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned)
}

/// Whether the body has this media type, whatever its parameters.
fn is_type(response: &Response, wanted: &str) -> bool {
    let given = header(response, CONTENT_TYPE.as_str()).unwrap_or_default();
    given.split(';').next().is_some_and(|given| given.trim().eq_ignore_ascii_case(wanted))
}
