//! A server that answers by script, over real HTTP.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::State,
    http::{HeaderMap, StatusCode, Uri},
    response::{IntoResponse, Response},
    routing::{any, get, post},
};
use futures_util::{StreamExt as _, stream};
use serde_json::{Value, json};

/// One request, as the server saw it.
#[derive(Debug, Clone)]
pub struct Call {
    /// `writer`, `revision`, `article_review`, `concern_mapping`, a specialist, `evidence_search`, `questions`,
    /// `embedder`, or `page` for any page that is opened.
    pub agent: String,
    /// The user message; a page's path.
    pub user: String,
    /// The request's body; a page's query, or null.
    pub body: Value,
    /// The `Authorization` header.
    pub authorization: String,
    /// How many calls of this agent came before.
    pub before: usize,
}

/// How the server answers.
#[derive(Debug, Clone)]
pub enum Reply {
    /// A stream of three-character chunks with reason, usage and `[DONE]`.
    Text(String),
    /// A stream without any reason, ended by `[DONE]` alone, as LiteLLM's.
    Bare(String),
    /// A stream of so many characters at a time, each after a pause, with reason, usage and `[DONE]`.
    Slow(String, usize, Duration),
    /// A stream that stops after so many characters until the latch is opened.
    Held(String, usize, Latch),
    /// One whole body, whatever was asked for.
    Whole(String),
    /// A stream that ends with this reason.
    Finish(String, &'static str),
    /// A stream that breaks off after so many characters.
    Cut(String, usize),
    /// An error.
    Status(u16, Vec<(&'static str, String)>, String),
    /// A body of this type.
    Raw(&'static str, Vec<u8>),
    /// A body of this type in packets, each after a pause. With `true` the connection stays open behind the last.
    Packets(&'static str, Vec<(Duration, Vec<u8>)>, bool),
    /// A whole body with citations, as Perplexity's.
    Cited(String, Vec<String>),
    /// No answer at all.
    Hang,
    /// Another reply, later.
    Late(Duration, Box<Reply>),
}

impl Reply {
    pub fn raw(kind: &'static str, body: impl Into<Vec<u8>>) -> Self {
        Self::Raw(kind, body.into())
    }

    /// What a script answers, with something in it changed.
    pub fn changed(text: &str, change: fn(&mut Value)) -> Self {
        let mut value = serde_json::from_str(text).expect("JSON");
        change(&mut value);
        Self::Text(value.to_string())
    }
}

/// Holds an answer back until a test lets it go on: what is on the screen until then depends on no machine's speed.
#[derive(Debug, Clone)]
pub struct Latch(Arc<tokio::sync::watch::Sender<bool>>);

impl Default for Latch {
    fn default() -> Self {
        Self(Arc::new(tokio::sync::watch::Sender::new(false)))
    }
}

impl Latch {
    /// Lets everything go on that waits, now and later.
    pub fn open(&self) {
        self.0.send_replace(true);
    }

    async fn opened(&self) {
        let mut state = self.0.subscribe();
        let _ = state.wait_for(|open| *open).await;
    }
}

type Script = dyn Fn(&Call) -> Reply + Send + Sync;

/// What a server says of itself: by path, and by the body that was sent there. None: the usual.
type OwnPages = dyn Fn(&str, &Value) -> Option<Reply> + Send + Sync;

struct Shared {
    calls: Mutex<Vec<Call>>,
    script: Box<Script>,
    pages: Box<OwnPages>,
}

/// An address that nobody listens at. A port that was free a moment ago may be another test's by now.
pub const NOBODY: &str = "127.0.0.1:9";

/// A running server; it stops when it is dropped.
pub struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
    runtime: Option<tokio::runtime::Runtime>,
}

impl Server {
    pub fn start(script: impl Fn(&Call) -> Reply + Send + Sync + 'static) -> Self {
        Self::at(0, script)
    }

    /// At a port of this machine; 0: any that is free.
    pub fn at(port: u16, script: impl Fn(&Call) -> Reply + Send + Sync + 'static) -> Self {
        Self::begin(port, |_, _| None, script)
    }

    /// With pages of its own beside the model's answers.
    pub fn with_pages(
        pages: impl Fn(&str, &Value) -> Option<Reply> + Send + Sync + 'static,
        script: impl Fn(&Call) -> Reply + Send + Sync + 'static,
    ) -> Self {
        Self::begin(0, pages, script)
    }

    fn begin(
        port: u16,
        pages: impl Fn(&str, &Value) -> Option<Reply> + Send + Sync + 'static,
        script: impl Fn(&Call) -> Reply + Send + Sync + 'static,
    ) -> Self {
        let shared = Arc::new(Shared { calls: Mutex::default(), script: Box::new(script), pages: Box::new(pages) });
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime");
        let app = Router::new()
            .route("/v1/chat/completions", post(complete))
            .route("/v1/embeddings", post(complete))
            .route("/v1/models", get(models))
            .fallback(any(page))
            .with_state(Arc::clone(&shared));
        let listener = runtime.block_on(tokio::net::TcpListener::bind(("127.0.0.1", port))).expect("a port");
        let address = listener.local_addr().expect("an address");
        // Small packets at once: waiting for acknowledgements costs 40 ms a call.
        let listener = axum::serve::ListenerExt::tap_io(listener, |connection| drop(connection.set_nodelay(true)));
        runtime.spawn(async move { axum::serve(listener, app).await });
        Self { address, shared, runtime: Some(runtime) }
    }

    /// The address of a page.
    pub fn page(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// The address for `api_base`.
    pub fn base(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    pub fn calls(&self) -> Vec<Call> {
        self.shared.calls.lock().expect("calls").clone()
    }

    /// Who was asked, in turn.
    pub fn agents(&self) -> Vec<String> {
        self.calls().into_iter().map(|call| call.agent).collect()
    }

    pub fn count(&self, agent: &str) -> usize {
        self.calls().iter().filter(|call| call.agent == agent).count()
    }

    pub fn forget(&self) {
        self.shared.calls.lock().expect("calls").clear();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

async fn complete(State(shared): State<Arc<Shared>>, headers: HeaderMap, body: Bytes) -> Response {
    let body: Value = serde_json::from_slice(&body).unwrap_or(Value::Null);
    let text = |index: usize| body["messages"][index]["content"].as_str().unwrap_or_default().to_owned();
    let agent = if body.get("input").is_some() { "embedder".to_owned() } else { agent(&text(0)) };
    let user = text(1);
    answer(&shared, agent, user, &headers, body).await
}

async fn models(State(shared): State<Arc<Shared>>) -> Response {
    match (shared.pages)("/v1/models", &Value::Null) {
        Some(reply) => respond(reply).await,
        None => axum::Json(json!({"data": [{"id": "text-embedding-x"}, {"id": "scripted"}]})).into_response(),
    }
}

async fn page(State(shared): State<Arc<Shared>>, uri: Uri, headers: HeaderMap, body: Bytes) -> Response {
    let body: Value = serde_json::from_slice(&body).unwrap_or(Value::Null);
    if let Some(reply) = (shared.pages)(uri.path(), &body) {
        return respond(reply).await;
    }
    answer(&shared, "page".to_owned(), uri.path().to_owned(), &headers, json!(uri.query())).await
}

async fn answer(shared: &Shared, agent: String, user: String, headers: &HeaderMap, body: Value) -> Response {
    let call = {
        let mut calls = shared.calls.lock().expect("calls");
        let call = Call {
            before: calls.iter().filter(|call| call.agent == agent).count(),
            agent,
            user,
            authorization: headers.get("authorization").and_then(|v| v.to_str().ok()).unwrap_or_default().to_owned(),
            body,
        };
        calls.push(call.clone());
        call
    };
    let mut reply = (shared.script)(&call);
    while let Reply::Late(pause, later) = reply {
        tokio::time::sleep(pause).await;
        reply = *later;
    }
    respond(reply).await
}

/// A request of a chat by its body, for a server of a test's own.
pub fn call_of(body: Value) -> Call {
    let text = |index: usize| body["messages"][index]["content"].as_str().unwrap_or_default().to_owned();
    Call { agent: agent(&text(0)), user: text(1), body, authorization: String::new(), before: 0 }
}

/// Who asks, by the first line of the shipped prompts.
fn agent(system: &str) -> String {
    for (start, agent) in [
        ("You are the Writer (revision)", "revision"),
        ("You are the Writer", "writer"),
        ("You plan a news story", "draft_plan"),
        ("You are a news reporter", "draft_section"),
        ("You edit the sentences", "draft_mend"),
        ("You write the headlines", "draft_heads"),
        ("You revise a news story", "draft_revise"),
        ("You are the Article-Review", "article_review"),
        ("You are the Concern-Mapping", "concern_mapping"),
        ("You look for published evidence", "evidence_search"),
        ("You write the questions", "questions"),
        ("You give a second opinion", "second_opinion"),
        ("You are the Publisher", "publisher"),
        ("You answer a question of a journalist", "ask"),
    ] {
        if system.starts_with(start) {
            return agent.to_owned();
        }
    }
    let rest = system.strip_prefix("You are the specialist ").unwrap_or("unknown ");
    rest.split_whitespace().next().unwrap_or_default().to_owned()
}

fn chunk(delta: &Value, reason: Option<&str>) -> Bytes {
    Bytes::from(format!("data: {}\n\n", json!({"choices": [{"index": 0, "delta": delta, "finish_reason": reason}]})))
}

fn pieces(text: &str) -> Vec<Bytes> {
    pieces_of(text, 3)
}

fn pieces_of(text: &str, count: usize) -> Vec<Bytes> {
    // Bytes, not characters: a character may straddle two packets.
    let characters: Vec<char> = text.chars().collect();
    characters
        .chunks(count.max(1))
        .map(|piece| chunk(&json!({"content": piece.iter().collect::<String>()}), None))
        .collect()
}

/// What follows the last piece of a complete answer.
fn ending(text: &str) -> [Bytes; 3] {
    [
        chunk(&json!({}), Some("stop")),
        Bytes::from(format!("data: {}\n\n", json!({"choices": [], "usage": usage(text)}))),
        Bytes::from("data: [DONE]\n\n"),
    ]
}

fn usage(text: &str) -> Value {
    json!({"prompt_tokens": 100, "completion_tokens": text.len() / 4, "total_tokens": 100 + text.len() / 4})
}

fn events(chunks: Vec<Result<Bytes, std::io::Error>>) -> Response {
    streamed(stream::iter(chunks))
}

fn streamed(chunks: impl futures_util::Stream<Item = Result<Bytes, std::io::Error>> + Send + 'static) -> Response {
    Response::builder().header("content-type", "text/event-stream").body(Body::from_stream(chunks)).expect("a response")
}

async fn respond(reply: Reply) -> Response {
    let done = || Bytes::from("data: [DONE]\n\n");
    match reply {
        Reply::Text(text) => {
            let chunks = pieces(&text).into_iter().chain(ending(&text));
            events(chunks.map(Ok).collect())
        }
        Reply::Slow(text, characters, pause) => {
            // By the clock rather than by naps, so that a pause of a few milliseconds keeps its rate.
            let clock = tokio::time::interval(pause.max(Duration::from_micros(1)));
            let pieces = pieces_of(&text, characters).into_iter();
            let slow = stream::unfold((clock, pieces), |(mut clock, mut pieces)| async move {
                clock.tick().await;
                pieces.next().map(|piece| (Ok(piece), (clock, pieces)))
            });
            streamed(slow.chain(stream::iter(ending(&text).map(Ok))))
        }
        Reply::Held(text, after, latch) => {
            let place = text.char_indices().nth(after).map_or(text.len(), |(place, _)| place);
            let (first, rest) = text.split_at(place);
            let (first, rest) = (pieces(first), [pieces(rest), ending(&text).to_vec()].concat());
            let opened = async move {
                latch.opened().await;
                stream::iter(rest.into_iter().map(Ok))
            };
            streamed(stream::iter(first.into_iter().map(Ok)).chain(stream::once(opened).flatten()))
        }
        Reply::Bare(text) => {
            let body: Vec<u8> = pieces(&text).concat();
            // Packets of seven bytes cut through characters and lines.
            let mut chunks: Vec<_> = body.chunks(7).map(|piece| Ok(Bytes::copy_from_slice(piece))).collect();
            chunks.push(Ok(done()));
            events(chunks)
        }
        Reply::Finish(text, reason) => {
            let mut chunks = pieces(&text);
            chunks.push(chunk(&json!({}), Some(reason)));
            chunks.push(done());
            events(chunks.into_iter().map(Ok).collect())
        }
        Reply::Cut(text, after) => {
            let kept: String = text.chars().take(after).collect();
            let chunks: Vec<_> = pieces(&kept).into_iter().map(Ok).collect();
            // Later than what came before it: an error at hand at once would drop the headers too.
            let cut = async {
                tokio::time::sleep(Duration::from_millis(20)).await;
                Err(std::io::Error::other("cut"))
            };
            streamed(stream::iter(chunks).chain(stream::once(cut)))
        }
        Reply::Whole(text) => {
            let body = json!({"choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}], "usage": usage(&text)});
            axum::Json(body).into_response()
        }
        Reply::Cited(text, citations) => {
            let body =
                json!({"choices": [{"message": {"content": text}, "finish_reason": "stop"}], "citations": citations});
            axum::Json(body).into_response()
        }
        Reply::Status(status, headers, body) => {
            let mut response = (StatusCode::from_u16(status).expect("a status"), body).into_response();
            for (name, value) in headers {
                response.headers_mut().insert(name, value.parse().expect("a header"));
            }
            response
        }
        Reply::Raw(kind, bytes) => {
            Response::builder().header("content-type", kind).body(Body::from(bytes)).expect("a response")
        }
        Reply::Packets(kind, packets, stays_open) => {
            let slow = stream::iter(packets).then(|(pause, bytes)| async move {
                tokio::time::sleep(pause).await;
                Ok::<_, std::io::Error>(Bytes::from(bytes))
            });
            let more = stream::iter(stays_open.then_some(())).then(|()| std::future::pending());
            Response::builder()
                .header("content-type", kind)
                .body(Body::from_stream(slow.chain(more)))
                .expect("a response")
        }
        Reply::Hang => {
            tokio::time::sleep(Duration::from_hours(1)).await;
            StatusCode::OK.into_response()
        }
        Reply::Late(_, later) => Box::pin(respond(*later)).await,
    }
}
