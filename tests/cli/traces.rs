//! Traces for a collector: what it is sent, and that no story waits for it.

#[cfg(feature = "otlp")]
mod collected {
    use std::{
        collections::BTreeMap,
        net::SocketAddr,
        sync::{Arc, Mutex},
    };

    use axum::{
        Router,
        body::Bytes,
        http::{HeaderMap, StatusCode, Uri},
    };
    use opentelemetry_proto::tonic::{
        collector::trace::v1::ExportTraceServiceRequest, common::v1::any_value::Value, trace::v1::Span,
    };
    use prost::Message as _;
    use serde_json::json;

    use crate::support::{
        newsroom::Newsroom,
        script,
        server::{Call, Reply, Server},
    };

    /// Path, headers and body of each request.
    type Requests = Arc<Mutex<Vec<(String, HeaderMap, Bytes)>>>;

    /// A collector that notes what it is sent.
    struct Collector {
        address: SocketAddr,
        requests: Requests,
        _runtime: tokio::runtime::Runtime,
    }

    impl Collector {
        /// At this address; `status` answers each request by its number.
        fn at(address: &str, status: fn(usize) -> u16) -> Self {
            let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
            let requests = Requests::default();
            let seen = Arc::clone(&requests);
            let app = Router::new().fallback(move |uri: Uri, headers: HeaderMap, body: Bytes| async move {
                let mut seen = seen.lock().unwrap();
                seen.push((uri.path().to_owned(), headers, body));
                StatusCode::from_u16(status(seen.len())).unwrap()
            });
            let listener = runtime.block_on(tokio::net::TcpListener::bind(address)).unwrap();
            let address = listener.local_addr().unwrap();
            runtime.spawn(async move { axum::serve(listener, app).await });
            Self { address, requests, _runtime: runtime }
        }

        fn new() -> Self {
            Self::at("127.0.0.1:0", |_| 200)
        }

        fn spans(&self) -> Vec<Span> {
            let requests = self.requests.lock().unwrap();
            let read = requests.iter().map(|(_, _, body)| ExportTraceServiceRequest::decode(body.clone()).unwrap());
            read.flat_map(|request| request.resource_spans)
                .flat_map(|of_program| of_program.scope_spans)
                .flat_map(|scope| scope.spans)
                .collect()
        }
    }

    /// A newsroom whose traces go to this address.
    fn traced(server: &Server, collector: SocketAddr, more: &str) -> Newsroom {
        Newsroom::at_with(&server.base(), |yaml| {
            let section = format!(
                "traces:\n    api_base: http://{collector}{more}\n    headers: {{Authorization: Basic cGs6c2stMTIzNDU2Nzg5MA==}}\n    \
                 content: CONTENT\n    timeout_seconds: 5"
            );
            yaml.replace("traces: null", &section.replace("CONTENT", "false"))
        })
    }

    fn text(span: &Span, name: &str) -> Option<String> {
        match value(span, name)? {
            Value::StringValue(text) => Some(text),
            _ => None,
        }
    }

    fn number(span: &Span, name: &str) -> Option<i64> {
        match value(span, name)? {
            Value::IntValue(number) => Some(number),
            _ => None,
        }
    }

    fn value(span: &Span, name: &str) -> Option<Value> {
        let attribute = span.attributes.iter().find(|attribute| attribute.key == name)?;
        attribute.value.clone()?.value
    }

    #[test]
    fn a_story_is_a_trace_of_its_steps_and_calls() {
        let server = Server::start(|call: &Call| match (call.agent.as_str(), call.before) {
            ("writer", 0) => Reply::Text("no JSON".into()),
            _ => script::usual(call),
        });
        let collector = Collector::new();
        let newsroom = traced(&server, collector.address, "/api/public/otel");
        let done = newsroom.auto(&newsroom.topic());
        assert_eq!((done.code, done.err.contains("traces")), (0, false), "{}", done.err);
        let spans = collector.spans();

        // Langfuse's path, and its header.
        for (path, headers, body) in collector.requests.lock().unwrap().iter() {
            assert_eq!(path, "/api/public/otel/v1/traces");
            assert_eq!(headers["content-type"], "application/x-protobuf");
            assert_eq!(headers["authorization"], "Basic cGs6c2stMTIzNDU2Nzg5MA==");
            let sent = String::from_utf8_lossy(body);
            for secret in ["Eastbrook", "park plan", "lm-studio", "sk-123"] {
                assert!(!sent.contains(secret), "{secret}");
            }
        }
        // One trace, one root, and every other span inside another.
        let ids: BTreeMap<&[u8], &Span> = spans.iter().map(|span| (&*span.span_id, span)).collect();
        assert_eq!(ids.len(), spans.len());
        assert!(spans.iter().all(|span| span.trace_id == spans[0].trace_id && span.trace_id.len() == 16));
        let roots: Vec<&Span> = spans.iter().filter(|span| span.parent_span_id.is_empty()).collect();
        assert_eq!(roots.len(), 1);
        for span in spans.iter().filter(|span| !span.parent_span_id.is_empty()) {
            let parent = ids[&*span.parent_span_id];
            let inside = parent.start_time_unix_nano <= span.start_time_unix_nano
                && span.end_time_unix_nano <= parent.end_time_unix_nano;
            assert!(inside && span.start_time_unix_nano <= span.end_time_unix_nano, "{span:?} {parent:?}");
        }
        assert_eq!((roots[0].name.as_str(), text(roots[0], "copydesk.story")), ("story", Some("desk/park".into())));
        assert_eq!(number(roots[0], "copydesk.rounds"), Some(2));

        // The calls are those of the record, with its tokens.
        let shown: serde_json::Value = serde_json::from_str(&newsroom.ran(&["show", "park", "--json"]).out).unwrap();
        let calls: Vec<&Span> = spans.iter().filter(|span| span.name.starts_with("chat ")).collect();
        let known = shown["calls"].as_array().unwrap();
        assert_eq!(calls.len(), known.len());
        let sum = |name: &str| calls.iter().filter_map(|span| number(span, name)).sum::<i64>();
        let kept = |name: &str| known.iter().filter_map(|call| call["usage"][name].as_i64()).sum::<i64>();
        assert_eq!(sum("gen_ai.usage.input_tokens"), kept("prompt_tokens"));
        assert_eq!(sum("gen_ai.usage.output_tokens"), kept("completion_tokens"));
        let failed: Vec<_> = calls.iter().filter(|span| text(span, "error.type").is_some()).collect();
        assert_eq!(failed.len(), 1);
        assert_eq!(text(failed[0], "error.type").unwrap(), "unusable_answer");
        assert_eq!(failed[0].status.as_ref().unwrap().code, 2);
        let review = calls.iter().find(|span| text(span, "gen_ai.agent.name").unwrap() == "article_review").unwrap();
        assert_eq!(text(review, "server.address").unwrap(), "127.0.0.1");
        assert_eq!(ids[&*review.parent_span_id].name, "invoke_agent article_review");
        // And the steps are those of the log.
        let log = newsroom.ran(&["log", "park", "--json"]).out;
        let steps = log.lines().filter(|line| {
            let event: serde_json::Value = serde_json::from_str(line).unwrap();
            event["event"] == json!("step_done")
        });
        assert_eq!(spans.iter().filter(|span| text(span, "copydesk.step").is_some()).count(), steps.count());
    }

    #[test]
    fn prompts_and_answers_are_sent_only_if_it_is_wanted_and_never_of_a_secret_story() {
        let server = Server::start(script::usual);
        let collector = Collector::new();
        let newsroom = traced(&server, collector.address, "");
        let config = newsroom.read("config/config.yaml").replace("content: false", "content: true");
        newsroom.write("config/config.yaml", config.as_bytes());
        assert_eq!(newsroom.auto(&newsroom.topic_with(|topic| topic["confidential"] = json!(true))).code, 0);
        let told = |collector: &Collector| {
            collector.spans().iter().filter_map(|span| text(span, "gen_ai.input.messages")).collect::<Vec<_>>()
        };
        assert!(!collector.spans().is_empty());
        assert_eq!(told(&collector), Vec::<String>::new());
        let open = newsroom.topic_with(|topic| topic["source_metadata"]["topic_slug"] = json!("open"));
        assert_eq!(newsroom.auto(&open).code, 0);
        let told = told(&collector);
        assert!(told.iter().any(|messages| messages.contains("Eastbrook")), "{told:?}");
        let messages: serde_json::Value = serde_json::from_str(&told[0]).unwrap();
        assert_eq!(messages[0]["role"], json!("system"));
        assert_eq!(messages[0]["parts"][0]["type"], json!("text"));
        let answers = collector.spans();
        let answers: Vec<_> = answers.iter().filter_map(|span| text(span, "gen_ai.output.messages")).collect();
        assert_eq!(answers.len(), told.len());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_confidential_story_is_no_trace_on_another_machine() {
        let server = Server::start(script::usual);
        let collector = Collector::new();
        // An address that leads here and is not known as this machine.
        let newsroom = traced(&server, SocketAddr::from(([0, 0, 0, 0], collector.address.port())), "");
        let config = newsroom.read("config/config.yaml").replace("local_only: true", "local_only: false");
        newsroom.write("config/config.yaml", config.as_bytes());
        newsroom.ran(&["list", "--trust"]);
        let done = newsroom.auto(&newsroom.topic_with(|topic| topic["confidential"] = json!(true)));
        assert_eq!(done.code, 0, "{}", done.err);
        assert_eq!(collector.spans(), Vec::<Span>::new());
        let open = newsroom.topic_with(|topic| topic["source_metadata"]["topic_slug"] = json!("open"));
        let done = newsroom.auto(&open);
        assert_eq!(done.code, 0, "{}", done.err);
        let stories: Vec<_> = collector.spans().iter().filter_map(|span| text(span, "copydesk.story")).collect();
        assert!(!stories.is_empty() && stories.iter().all(|story| story == "desk/open"), "{stories:?}");
        let ledger = newsroom.ran(&["audit", "requests", "--json"]).out;
        assert!(ledger.contains(r#""why":"traces""#) || ledger.contains(r#""why": "traces""#), "{ledger}");
    }

    #[test]
    fn a_step_that_came_to_nothing_is_an_error() {
        for (status, error) in [(400, "no_usable_answer"), (503, "given_up")] {
            let server = Server::start(move |call: &Call| match call.agent.as_str() {
                "article_review" => Reply::Status(status, vec![], "no".into()),
                _ => script::usual(call),
            });
            let collector = Collector::new();
            let newsroom = traced(&server, collector.address, "");
            // A server that fails is not left alone.
            let config =
                newsroom.read("config/config.yaml").replace("down_after_failures: 3", "down_after_failures: 0");
            newsroom.write("config/config.yaml", config.as_bytes());
            assert_eq!(newsroom.auto(&newsroom.topic()).code, 1);
            let spans = collector.spans();
            let ends = |name: &str| {
                let found = spans.iter().find(|span| span.name == name).unwrap();
                (text(found, "error.type"), found.status.as_ref().unwrap().code)
            };
            assert_eq!(ends("invoke_agent article_review"), (Some(error.into()), 2));
            assert_eq!(ends("invoke_agent writer"), (None, 0));
            assert_eq!(ends("story"), (Some("run_failed".into()), 2));
        }
    }

    #[test]
    fn what_no_collector_took_is_sent_when_one_is_there() {
        let server = Server::start(script::usual);
        let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = taken.local_addr().unwrap();
        drop(taken);
        let newsroom = traced(&server, address, "");
        let done = newsroom.auto(&newsroom.topic());
        assert_eq!(done.code, 0, "{}", done.err);
        assert_eq!(done.err.matches("traces: no connection to").count(), 1, "{}", done.err);
        let collector = Collector::at(&address.to_string(), |_| 200);
        let second = newsroom.topic_with(|topic| topic["source_metadata"]["topic_slug"] = json!("second"));
        assert_eq!(newsroom.auto(&second).code, 0);
        let mut stories: Vec<String> = collector
            .spans()
            .iter()
            .filter(|span| span.name == "story")
            .filter_map(|span| text(span, "copydesk.story"))
            .collect();
        stories.sort();
        assert_eq!(stories, ["desk/park", "desk/second"]);
        // Nothing is sent twice.
        let before = collector.spans().len();
        assert_eq!(newsroom.run(&["worker", "--until-empty"]).code, 0);
        assert_eq!(collector.spans().len(), before);
    }

    #[test]
    fn a_collector_that_is_slow_or_wrong_holds_up_no_story_and_is_said_once() {
        let server = Server::start(script::usual);
        let refusing = Collector::at("127.0.0.1:0", |_| 401);
        let newsroom = traced(&server, refusing.address, "");
        let done = newsroom.auto(&newsroom.topic());
        assert_eq!(done.code, 0, "{}", done.err);
        assert_eq!(done.err.matches("(observability.traces)").count(), 1, "{}", done.err);
        assert!(done.err.contains("answered 401"), "{}", done.err);
        let before = refusing.requests.lock().unwrap().len();
        // A refused trace is not sent again.
        assert_eq!(newsroom.run(&["worker", "--until-empty"]).code, 0);
        assert_eq!(refusing.requests.lock().unwrap().len(), before);

        // One that takes the connection and says nothing.
        let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let newsroom = traced(&server, silent.local_addr().unwrap(), "");
        let config = newsroom.read("config/config.yaml").replace("timeout_seconds: 5\n", "timeout_seconds: 600\n");
        newsroom.write("config/config.yaml", config.as_bytes());
        let begun = std::time::Instant::now();
        let done = newsroom.auto(&newsroom.topic());
        assert_eq!(done.code, 0, "{}", done.err);
        // It does not wait for the answer.
        assert!(begun.elapsed() < std::time::Duration::from_mins(2));
    }

    #[test]
    fn headers_and_addresses_are_checked_and_hosts_must_be_allowed() {
        let server = Server::start(script::usual);
        let newsroom = traced(&server, "203.0.113.9:4318".parse().unwrap(), "");
        let done = newsroom.auto(&newsroom.topic());
        assert_eq!(done.code, 2, "{}", done.err);
        assert!(done.err.contains("observability.traces.api_base"), "{}", done.err);
        let config = newsroom.read("config/config.yaml").replace("Authorization: Basic", "\"Auth orization\": Basic");
        newsroom.write("config/config.yaml", config.as_bytes());
        let done = newsroom.auto(&newsroom.topic());
        assert!(
            done.code == 2 && done.err.contains("\"Auth orization\", which is no name of a header"),
            "{}",
            done.err
        );
    }
}

#[cfg(not(feature = "otlp"))]
#[test]
fn a_build_without_traces_says_so_and_works() {
    use crate::support::newsroom::Newsroom;

    let section = "traces: {api_base: \"http://127.0.0.1:4318\", headers: {}, content: false, timeout_seconds: 5}";
    let newsroom = Newsroom::with(|yaml| yaml.replace("traces: null", section));
    let done = newsroom.auto(&newsroom.topic());
    assert_eq!(done.err.matches("traces: this build cannot send them").count(), 1, "{}", done.err);
    assert!(newsroom.canonical()["article"].is_object(), "{}", done.err);
}
