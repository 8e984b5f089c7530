//! The desk's own tools, served to other programs: JSON-RPC over the real program's standard input and output, and over HTTP.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    process::{Child, ChildStdin, ChildStdout, Stdio},
};

use serde_json::{Value, json};

use crate::support::{
    newsroom::Newsroom,
    server::{Call, Reply, Server},
};

/// A program that talks to the server.
struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    next: u64,
}

#[expect(clippy::needless_pass_by_value, reason = "a test hands over what it has just made")]
impl Client {
    fn new(newsroom: &Newsroom, agent: &str) -> Self {
        let mut command = newsroom.command(&["mcp", agent]);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program");
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().expect("its output")));
        let mut client = Self { child, input, output, next: 1 };
        let info = client.ask("initialize", hello("2025-06-18"));
        assert_eq!(info["result"]["serverInfo"]["name"], format!("copydesk-{agent}"), "{info}");
        client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        client
    }

    fn send(&mut self, message: &Value) {
        let input = self.input.as_mut().expect("an open input");
        writeln!(input, "{message}").and_then(|()| input.flush()).expect("a reader");
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.next;
        self.next += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        let mut line = String::new();
        self.output.read_line(&mut line).expect("an answer");
        let answer: Value = serde_json::from_str(&line).expect("nothing but JSON on standard output");
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    fn call(&mut self, name: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({ "name": name, "arguments": arguments }))["result"].clone()
    }

    /// Closes the input. Returns the exit code, what else stood on standard output, and standard error.
    fn end(mut self) -> (Option<i32>, String, String) {
        drop(self.input.take());
        let (mut rest, mut said) = (String::new(), String::new());
        self.output.read_to_string(&mut rest).unwrap();
        self.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        (self.child.wait().unwrap().code(), rest, said)
    }
}

fn hello(version: &str) -> Value {
    json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } })
}

const MINUTES: &str = "“In eleven years I have not once got to the pond,” Inez Calloway said.";

#[test]
fn each_agent_serves_its_tools_and_nothing_else_stands_on_standard_output() {
    let newsroom = Newsroom::offline();
    for (agent, count) in [("reporter", 5), ("editor", 7), ("fact-checker", 7), ("publisher", 5)] {
        let mut client = Client::new(&newsroom, agent);
        let tools = client.ask("tools/list", json!({}))["result"]["tools"].clone();
        assert_eq!(tools.as_array().unwrap().len(), count, "{agent}");
        for tool in tools.as_array().unwrap() {
            let hints = &tool["annotations"];
            assert_eq!((&hints["readOnlyHint"], &hints["destructiveHint"]), (&json!(true), &json!(false)), "{tool}");
            assert!(tool["title"].is_string() && tool["inputSchema"]["type"] == "object", "{tool}");
            assert_eq!(tool["outputSchema"]["type"], "object", "{tool}");
            assert_eq!(tool["inputSchema"]["properties"]["format"]["enum"], json!(["json", "toon"]), "{tool}");
            let name = tool["name"].as_str().unwrap();
            assert_eq!(hints["openWorldHint"], ["fetch_content", "parse_RSS"].contains(&name), "{tool}");
        }
        assert_eq!(client.end(), (Some(0), String::new(), String::new()), "{agent}");
    }
}

#[test]
fn the_publisher_sends_what_a_person_signed_to_the_configured_targets_and_once() {
    let newsroom = Newsroom::with(|yaml| {
        yaml.replace("  targets: null", "  targets:\n    - {name: site, kind: folder, format: html, folder: ./site}")
            .replace("  auto: false", "  auto: true")
    });
    let topic = newsroom.topic();
    newsroom.ran(&["run", "--auto", topic.to_str().unwrap()]);
    let mut client = Client::new(&newsroom, "publisher");
    let tools = client.ask("tools/list", json!({}))["result"]["tools"].clone();
    let publish = tools.as_array().unwrap().iter().find(|tool| tool["name"] == "publish").unwrap();
    let hints = &publish["annotations"];
    assert_eq!((&hints["readOnlyHint"], &hints["openWorldHint"]), (&json!(false), &json!(true)), "{publish}");
    assert!(tools.as_array().unwrap().iter().all(|tool| tool["name"] != "send_email"), "there is no mail target");
    let refused = client.call("publish", json!({"story": "park"}));
    let said = refused["content"][0]["text"].as_str().unwrap();
    assert!(said.starts_with("publish: Nothing was sent: ") && said.contains("sign"), "{said}");
    newsroom.ran(&["decide", "park", "reopen"]);
    let refused = newsroom.run(&["decide", "park", "sign-off"]);
    assert!(refused.code == 2 && refused.err.contains("This is a fact sheet, not an article"), "{}", refused.err);
    newsroom.ran(&["decide", "park", "sign-off", "--as-notes", "--resume"]);
    for (arguments, says) in [
        (json!({"story": "park", "targets": ["cms"]}), "there is no target \"cms\"; there are: site"),
        (json!({"story": "nowhere"}), "nowhere"),
        (json!({"story": "park", "to": "x@example.com"}), "unknown field"),
    ] {
        let refused = client.call("publish", arguments);
        assert_eq!(refused["isError"], true, "{refused}");
        assert!(refused["content"][0]["text"].as_str().unwrap().contains(says), "{says}: {refused}");
    }
    assert!(!newsroom.path().join("site").exists());
    for _ in 0..2 {
        let sent = client.call("publish", json!({"story": "park", "targets": ["site"]}));
        assert_eq!(sent["structuredContent"]["deliveries"][0]["state"], "sent", "{sent}");
        assert_eq!(sent["structuredContent"]["deliveries"][0]["attempts"], 1, "{sent}");
    }
    assert_eq!(std::fs::read_dir(newsroom.path().join("site")).unwrap().count(), 1);
    assert_eq!(client.end().0, Some(0));
}

#[test]
fn a_quotation_is_checked_and_wrong_calls_say_what_to_do() {
    let mut client = Client::new(&Newsroom::offline(), "fact-checker");
    let sources = json!([{ "name": "Minutes", "text": MINUTES }]);
    let quoted = "In eleven years I have only once got to the pond";
    let answer = client.call("check_quotation", json!({ "quotation": quoted, "sources": sources }));
    assert_eq!(
        (&answer["isError"], &answer["structuredContent"]["stands"]),
        (&json!(false), &json!(false)),
        "{answer}"
    );
    assert_eq!(answer["structuredContent"]["rows"][0]["status"], "ALTERED");
    let text: Value = serde_json::from_str(answer["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(text, answer["structuredContent"]);
    let wrong = client.call("check_quotation", json!({ "quote": quoted }));
    assert_eq!(wrong["isError"], true);
    assert!(wrong["content"][0]["text"].as_str().unwrap().starts_with("check_quotation: The arguments cannot be read"));
    for no_object in [json!("{\"quotation\": "), json!([1]), json!(7)] {
        let wrong = client.ask("tools/call", json!({ "name": "check_quotation", "arguments": no_object }));
        assert_eq!(wrong["error"]["code"], -32602, "{wrong}");
        let says = "The arguments of a tool are a JSON object. Send the call again with one.";
        assert_eq!(wrong["error"]["message"], says, "{wrong}");
    }
    let none = client.ask("tools/call", json!({ "name": "delete_story", "arguments": {} }));
    assert_eq!(none["error"]["code"], -32602, "{none}");
    let long = client.call("identify_claims", json!({ "text": "word ".repeat(300_000) }));
    assert!(long["content"][0]["text"].as_str().unwrap().contains("at most 1000000 are read"), "{long}");
    assert_eq!(client.end().0, Some(0));
}

#[test]
fn the_editor_knows_house_style_and_the_reporter_the_knowledge_base() {
    let newsroom = Newsroom::offline();
    newsroom.write("data/knowledgebase/parks.md", b"# Parks\n\nMiller Park opened in 1958 on Canal Road.\n");
    let indexed = newsroom.run(&["kb", "index"]);
    assert_eq!(indexed.code, 0, "{}", indexed.err);
    let mut editor = Client::new(&newsroom, "editor");
    let notes = editor.call("check_spelling", json!({ "text": "The counsil met." }));
    assert_eq!(notes["structuredContent"]["notes"]["entries"][0]["text"], "counsil", "{notes}");
    editor.end();
    let mut reporter = Client::new(&newsroom, "reporter");
    let found =
        reporter.call("search_knowledge_base", json!({ "query": "When did Miller Park open?", "min_credibility": 0 }));
    assert!(found["structuredContent"]["passages"][0]["text"].as_str().unwrap().contains("1958"), "{found}");
    assert_eq!(reporter.end().0, Some(0));
}

#[test]
fn an_answer_is_written_in_toon_where_that_is_asked_for_and_shorter() {
    let mut editor = Client::new(&Newsroom::offline(), "editor");
    let text = "Inez Calloway paid $40 on May 5. Dennis Pruitt paid $50 on May 6. Ann Lee paid $60 on May 7.";
    let plain = editor.call("identify_facts", json!({ "text": text }));
    let short = editor.call("identify_facts", json!({ "text": text, "format": "toon" }));
    assert_eq!(plain["structuredContent"], short["structuredContent"], "a program reads the same");
    assert_eq!(plain.get("_meta"), None);
    let counts = &short["_meta"]["copydesk/tokens"];
    assert_eq!((&counts["written"], &counts["encoding"]), (&json!("toon"), &json!("o200k_base")), "{short}");
    assert!(counts["toon"].as_u64() < counts["json"].as_u64(), "{counts}");
    let toon = short["content"][0]["text"].as_str().unwrap();
    let read: Value = toon_format::decode_default(toon).unwrap();
    assert_eq!(read, plain["structuredContent"]);
    // A result that TOON would make longer stays JSON, and says so.
    let longer = editor.call("check_spelling", json!({ "text": "The council met.", "format": "toon" }));
    assert_eq!(longer["_meta"]["copydesk/tokens"]["written"], "json", "{longer}");
    let wrong = editor.call("check_spelling", json!({ "text": "The council met.", "format": "xml" }));
    assert_eq!(wrong["isError"], true);
    assert!(wrong["content"][0]["text"].as_str().unwrap().contains("format is \"json\" or \"toon\""), "{wrong}");
    editor.end();
}

#[test]
fn the_reporter_searches_opens_pages_and_reads_feeds_as_the_configuration_says() {
    let server = Server::start(|call: &Call| match call.user.as_str() {
        "/v1/minutes" => Reply::raw(
            "text/html",
            "<html><head><title>Minutes</title></head><body><main><h1>Minutes</h1><p>The council of Eastbrook \
            voted seven to two on Tuesday to renovate Miller Park, the clerk wrote in the minutes of the meeting.</p></main></body></html>",
        ),
        "/v1/feed" => Reply::raw(
            "application/rss+xml",
            "<rss version=\"2.0\"><channel><title>Wire</title><item><title>Council votes</title>\
            <link>https://wire.example/1</link></item></channel></rss>",
        ),
        "/search" => Reply::raw(
            "application/json",
            json!({ "results": [{ "url": "https://a.example/park", "title": "Park", "content": "A vote." }] })
                .to_string(),
        ),
        _ => Reply::Status(404, vec![], "gone".into()),
    });
    let newsroom = Newsroom::with(|yaml| {
        yaml.replace("local_only: false", "local_only: true").replace("respects_robots: true", "respects_robots: false").replace(
            "  search: null\n",
            &format!(
                    "  search:\n    provider: searxng\n    api_base: {}\n    timeout_seconds: 20\n    most_results: 5\n",
                    server.page("")
                ),
        )
    });
    let mut reporter = Client::new(&newsroom, "reporter");
    let tools = reporter.ask("tools/list", json!({}))["result"]["tools"].clone();
    let names: Vec<&str> = tools.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        [
            "evaluate_credibility",
            "analyze_research",
            "search_knowledge_base",
            "fetch_content",
            "parse_RSS",
            "search_web"
        ]
    );
    let page = reporter.call("fetch_content", json!({ "url": format!("{}/minutes", server.base()) }));
    assert_eq!(page["isError"], false, "{page}");
    assert!(page["structuredContent"]["found"][0]["text"].as_str().unwrap().contains("seven to two"), "{page}");
    let feed = reporter.call("parse_RSS", json!({ "url": format!("{}/feed", server.base()) }));
    assert!(feed["structuredContent"]["text"].as_str().unwrap().contains("Council votes"), "{feed}");
    let hits = reporter.call("search_web", json!({ "query": "Miller Park" }));
    assert!(hits["structuredContent"]["text"].as_str().unwrap().contains("https://a.example/park"), "{hits}");
    let gone = reporter.call("fetch_content", json!({ "url": format!("{}/none", server.base()) }));
    assert_eq!(gone["isError"], true, "{gone}");
    reporter.end();
}

#[test]
fn who_says_nothing_or_nonsense_gets_no_server() {
    let newsroom = Newsroom::offline();
    let talk = |input: &str| {
        let mut child = newsroom
            .command(&["mcp", "editor"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        child.wait_with_output().unwrap()
    };
    let nothing = talk("");
    assert_eq!((nothing.status.code(), nothing.stderr.len()), (Some(0), 0));
    let nonsense = talk("hello\n{\"a\":1}\n");
    assert!(nonsense.status.code().is_some() && !String::from_utf8_lossy(&nonsense.stdout).contains("panicked"));
}

/// A request over HTTP, by hand. Returns the status and the whole answer.
fn post(address: &str, headers: &str, body: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(address).expect("the server");
    let host = if headers.contains("Host:") { String::new() } else { format!("Host: {address}\r\n") };
    let request = format!(
        "POST /mcp HTTP/1.1\r\n{host}{headers}Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n\
         Connection: close\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    (answer[9..12].parse().unwrap(), answer)
}

/// A server over HTTP; ends with it.
struct Serving(Child, BufReader<std::process::ChildStderr>);

impl Drop for Serving {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

fn serving(newsroom: &Newsroom, more: &[&str]) -> (Serving, String) {
    let arguments = [&["mcp", "fact-checker", "--http", "127.0.0.1:0"], more].concat();
    let mut child = newsroom.command(&arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    said.read_line(&mut line).unwrap();
    let address =
        line.trim().strip_prefix("Serving the tools of fact-checker at http://").and_then(|at| at.strip_suffix("/mcp"));
    let address = address.unwrap_or_else(|| panic!("{line}")).to_owned();
    (Serving(child, said), address)
}

#[test]
fn http_asks_for_the_token_and_refuses_web_pages_and_other_hosts() {
    let newsroom = Newsroom::offline();
    let (mut server, address) = serving(&newsroom, &[]);
    let mut line = String::new();
    server.1.read_line(&mut line).unwrap();
    let token = line.trim().rsplit(' ').next().unwrap().to_owned();
    assert_eq!(token.len(), 64, "{line}");
    let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello("2025-06-18") }).to_string();
    let with = format!("Authorization: Bearer {token}\r\n");
    let (status, answer) = post(&address, &with, &hello);
    assert!(status == 200 && answer.contains("copydesk-fact-checker"), "{answer}");
    let (status, answer) = post(&address, "", &hello);
    assert!(status == 401 && answer.to_lowercase().contains("www-authenticate: bearer"), "{answer}");
    assert_eq!(post(&address, "Authorization: Bearer nonsense\r\n", &hello).0, 401);
    assert_eq!(post(&address, &format!("{with}Host: evil.example\r\n"), &hello).0, 403);
    assert_eq!(post(&address, &format!("{with}Origin: https://evil.example\r\n"), &hello).0, 403);
    assert_eq!(
        post(&address, &format!("{with}Origin: http://localhost:6274\r\n"), &hello).0,
        200,
        "an inspector of this machine"
    );
    assert_eq!(post(&address, &with, "{").0 / 100, 4);
}

#[test]
fn the_token_may_come_from_a_file_and_only_loopback_is_served() {
    let newsroom = Newsroom::offline();
    newsroom.write("token", b"a-token-of-the-newsroom\n");
    newsroom.write("short", b"short\n");
    let (_server, address) = serving(&newsroom, &["--token-file", "token"]);
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello("2025-11-25") }).to_string();
    assert_eq!(post(&address, "Authorization: Bearer a-token-of-the-newsroom\r\n", &ping).0, 200);
    for (arguments, said) in [
        (vec!["--http", "0.0.0.0:0"], "is no address of this machine alone"),
        (vec!["--http", &address], "cannot be listened on"),
        (vec!["--http", "127.0.0.1:0", "--token-file", "short"], "a token has at least 16 letters"),
        (vec!["--http", "127.0.0.1:0", "--token-file", "none"], "--token-file none: "),
        (vec!["--token-file", "token"], "--http"),
    ] {
        let done = newsroom.run(&[&["mcp", "editor"], &arguments[..]].concat());
        assert!(done.code == 2 && done.err.contains(said), "{arguments:?}: {}", done.err);
    }
}
