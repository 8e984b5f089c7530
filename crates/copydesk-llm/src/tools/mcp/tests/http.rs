//! Servers over HTTP.

use std::sync::{Arc, Mutex};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::{Path as InPath, State},
    http::{HeaderMap, Method, StatusCode},
    response::{IntoResponse, Response},
    routing::any,
};
use serde_json::json;

use super::*;

const TOKEN: &str = "wire-token-0123456789";

/// The requests to the server: method, path, the message's method, and the authorisation.
type Asked = Arc<Mutex<Vec<String>>>;

fn json(message: &Value, result: &Value) -> Response {
    let body = json!({"jsonrpc": "2.0", "id": id_of(message), "result": result}).to_string();
    ([("content-type", "application/json")], body).into_response()
}

fn events(data: &Value) -> Response {
    ([("content-type", "text/event-stream; charset=utf-8")], format!(": hello\n\nevent: message\ndata: {data}\n\n"))
        .into_response()
}

/// One address for each way to answer.
async fn answer(
    InPath(kind): InPath<String>,
    State(asked): State<Asked>,
    method: Method,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let message: Value = serde_json::from_slice(&body).unwrap_or_default();
    let what = message["method"].as_str().unwrap_or_default().to_owned();
    let key = headers.get("authorization").map_or("", |key| key.to_str().unwrap());
    asked.lock().unwrap().push(format!("{method} {what} {key}").trim().to_owned());
    if kind == "old" && method == Method::GET {
        let stream = "event: endpoint\ndata: /messages?session=1\n\n";
        return ([("content-type", "text/event-stream")], stream).into_response();
    }
    match (kind.as_str(), method) {
        (_, Method::GET) | ("old", _) => return StatusCode::METHOD_NOT_ALLOWED.into_response(),
        (_, Method::DELETE) => return StatusCode::NO_CONTENT.into_response(),
        ("moved", _) => {
            return (StatusCode::TEMPORARY_REDIRECT, [("location", "http://127.0.0.1:9/mcp")]).into_response();
        }
        ("locked", _) => return (StatusCode::UNAUTHORIZED, format!("who is {TOKEN}?")).into_response(),
        ("page", _) => return ([("content-type", "text/html")], "<h1>It works</h1>").into_response(),
        ("broken", _) => return StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        _ => {}
    }
    match what.as_str() {
        "server/discover" => StatusCode::NOT_FOUND.into_response(),
        "initialize" => {
            let version = message["params"]["protocolVersion"].clone();
            let answer = json!({"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": {"name": "wire", "version": "3"}});
            let mut response = json(&message, &answer);
            response.headers_mut().insert("mcp-session-id", "s-1".parse().unwrap());
            response
        }
        "tools/list" => {
            let tool = |name: &str| json!({"name": name, "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true}});
            let tools = ["search", "stream", "huge", "huge_stream", "endless"].map(tool);
            json(&message, &json!({"tools": tools}))
        }
        "tools/call" => called(&message, headers.get("mcp-session-id").is_some()),
        _ => StatusCode::ACCEPTED.into_response(),
    }
}

fn called(message: &Value, in_session: bool) -> Response {
    let text = |text: &str| json!({"content": [{"type": "text", "text": text}]});
    match message["params"]["name"].as_str().unwrap() {
        "search" => json(message, &text(&format!("{} {in_session}", message["params"]["arguments"]["query"]))),
        "stream" => events(&json!({"jsonrpc": "2.0", "id": id_of(message), "result": text("from a stream")})),
        "huge" => ([("content-type", "application/json")], "a".repeat(100_000_000)).into_response(),
        "huge_stream" => {
            ([("content-type", "text/event-stream")], format!("data: {}", "a".repeat(100_000_000))).into_response()
        }
        _ => {
            let never = futures_util::stream::pending::<Result<Bytes, std::io::Error>>();
            ([("content-type", "text/event-stream")], Body::from_stream(never)).into_response()
        }
    }
}

/// Starts the server; its port, and what it is asked.
async fn serve() -> (u16, Asked) {
    let asked = Asked::default();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let app = Router::new().route("/{kind}", any(answer)).with_state(Arc::clone(&asked));
    tokio::spawn(async move { axum::serve(listener, app).await });
    (port, asked)
}

fn wire(endpoint: Endpoint) -> McpServer {
    let bearer = Some(Secret::new(TOKEN.into()));
    McpServer {
        at: McpAt::Address(McpAddress { endpoint, bearer }),
        timeout: Duration::from_secs(5),
        ..script("wire", "")
    }
}

fn of(server: McpServer) -> McpToolbox {
    let secrets = Secrets::new(vec![Secret::new(TOKEN.into())]);
    McpToolbox::new(vec![server], secrets, true, Path::new("/"), BTreeSet::new(), Arc::new(Noon))
}

async fn why(port: u16, path: &str) -> McpError {
    of(wire(here(port, path))).states().await.remove(0).found.unwrap_err()
}

#[tokio::test]
async fn a_server_over_http_answers_whole_or_in_a_stream() {
    let (port, asked) = serve().await;
    let tools = of(wire(here(port, "/mcp")));
    assert_eq!(call(&tools, "search", r#"{"query": "council"}"#).await, said("\"council\" true"));
    assert_eq!(call(&tools, "stream", "{}").await, said("from a stream"));
    let offer = tools.states().await.remove(0).found.unwrap();
    assert_eq!((offer.version.as_str(), offer.tools.len()), ("wire 3", 5));
    let asked = asked.lock().unwrap().clone();
    assert!(asked.iter().all(|asked| asked.ends_with(&format!("Bearer {TOKEN}"))), "{asked:?}");
}

#[tokio::test]
async fn an_answer_over_http_is_bounded_in_size_and_time() {
    let (port, _) = serve().await;
    let tools = of(McpServer { timeout: Duration::from_secs(3), ..wire(here(port, "/mcp")) });
    let too_large = "it sent a message of more than 4480 KB; mcp.servers[0].longest_result_kb sets the limit";
    for name in ["huge", "huge_stream"] {
        assert_eq!(call(&tools, name, "{}").await, Ok(ToolResult::failure(too_large)), "{name}");
    }
    let late =
        ToolError::TimedOut { tool: "endless".into(), seconds: 3, setting: "mcp.servers[0].timeout_seconds".into() };
    assert_eq!(call(&tools, "endless", "{}").await, Err(late));
    assert_eq!(call(&tools, "stream", "{}").await, said("from a stream"));
}

#[tokio::test]
async fn an_address_that_is_no_such_server_says_what_it_is() {
    let (port, asked) = serve().await;
    assert_eq!(why(port, "/old").await, McpError::OldTransport);
    let unusable = |detail: &str| McpError::Unusable { detail: detail.into(), setting: "mcp.servers[0]".into() };
    let to = "it redirects to http://127.0.0.1:9/mcp, which is not followed: set mcp.servers[0].url to that address";
    assert_eq!(why(port, "/moved").await, unusable(&format!("unexpected server response: {to}")));
    let locked =
        "unexpected server response: it answered 401: who is [secret]?: it asks for a token, which `bearer` holds";
    assert_eq!(why(port, "/locked").await, unusable(locked));
    assert_eq!(why(port, "/page").await, unusable("Unexpected content type: Some(\"text/html\")"));
    assert_eq!(why(port, "/broken").await, unusable("HTTP 500"));
    assert!(
        matches!(why(9, "/mcp").await, McpError::Unusable { detail, .. } if detail.contains("no connection to 127.0.0.1:9"))
    );
    assert!(asked.lock().unwrap().iter().all(|asked| !asked.contains("tools/")));
}

#[tokio::test]
async fn a_local_desk_reaches_no_other_machine() {
    let (port, asked) = serve().await;
    let mut endpoint = here(port, "/mcp");
    endpoint.base.set_host(Some("192.0.2.1")).unwrap();
    let refused = of(wire(endpoint)).states().await.remove(0).found.unwrap_err();
    let detail = "192.0.2.1 is not this machine and privacy.local_only is true; mcp.servers[0].url names it";
    assert!(matches!(refused, McpError::Unusable { detail: said, .. } if said.contains(detail)));
    assert_eq!(asked.lock().unwrap().len(), 0);
}
