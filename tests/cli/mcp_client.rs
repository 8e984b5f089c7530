//! MCP servers: what `doctor` says of them, and what a build without MCP says.

use crate::support::{newsroom::Newsroom, script, server::Server};

/// A desk whose Reporter has a model and two servers: a script that answers, and a program that is not there.
fn newsroom(server: &Server) -> Newsroom {
    Newsroom::at_with(&server.base(), |yaml| {
        yaml.replace("reporter_llm: null", "reporter_llm:\n      use: local\n      tool_calls: native").replace(
            "  servers: null\n",
            r"  servers:
    - name: archive
      command: /bin/sh
      args: [archive.sh]
      env: {}
      stays_home: true
      agents: [reporter]
      tools: null
      acts: []
      timeout_seconds: 20
      longest_result_kb: 64
      sources: []
    - name: gone
      command: ./none
      args: []
      env: {}
      stays_home: true
      agents: [reporter]
      tools: null
      acts: []
      timeout_seconds: 20
      longest_result_kb: 64
      sources: []
",
        )
    })
}

#[cfg(all(feature = "mcp", unix))]
#[test]
fn the_doctor_says_what_each_server_offers_or_why_not() {
    const SCRIPT: &str = r#"
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case $line in
    *server/discover*) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"unknown"}}\n' "$id" ;;
    *'"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"minutes","version":"1.2"}}}\n' "$id" ;;
    *tools/list*) printf '{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"search","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}},{"name":"post","inputSchema":{"type":"object"}}]}}\n' "$id" ;;
  esac
done
"#;
    let server = Server::start(script::usual);
    let newsroom = newsroom(&server);
    newsroom.write("archive.sh", SCRIPT.as_bytes());
    let done = newsroom.run(&["doctor"]);
    assert_eq!(done.code, 1, "{}", done.err);
    let fine = "fine   MCP server archive: minutes 1.2 (protocol 2025-11-25), 2 tools. Agents may call: search. They may not call: post\n";
    assert!(done.out.contains(fine), "{}", done.out);
    assert!(done.out.contains("TO DO  MCP server gone: ./none cannot be started ("), "{}", done.out);
    assert!(done.out.contains("); mcp.servers[1].command names it\n"), "{}", done.out);
}

#[cfg(not(feature = "mcp"))]
#[test]
fn a_build_without_mcp_refuses_a_configuration_with_servers() {
    let server = Server::start(script::usual);
    let newsroom = newsroom(&server);
    let why = "mcp.servers names a server, but this build of copydesk leaves MCP out: use a released binary, build with `--features mcp`, \
               or set mcp.servers to null";
    let refused = newsroom.run(&["list"]);
    assert_eq!(refused.code, 2, "{}", refused.err);
    assert!(refused.err.contains(why), "{}", refused.err);
    let done = newsroom.run(&["doctor"]);
    assert!(done.out.contains(&format!("TO DO  MCP servers: {why}")), "{}", done.out);
}

/// A server that opens a page and posts. It writes each post down first, and waits while there is a file `hold`.
#[cfg(all(feature = "mcp", unix))]
const WIRE: &str = r##"
reply() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$1"; }
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case $line in
    *server/discover*) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"unknown"}}\n' "$id" ;;
    *'"initialize"'*) reply '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"wire","version":"1"}}' ;;
    *tools/list*) reply '{"tools":[{"name":"open_page","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}},{"name":"post","inputSchema":{"type":"object"}}]}' ;;
    *'"name":"open_page"'*) reply '{"content":[{"type":"text","text":"# Minutes\n\nThe council of Eastbrook voted seven to two on Tuesday to renovate Miller Park. It costs 2.4 million dollars."}]}' ;;
    *'"name":"post"'*)
      echo post >>posts
      while [ -e hold ]; do sleep 0.05; done
      reply '{"content":[{"type":"text","text":"sent"}]}' ;;
  esac
done
"##;

#[cfg(all(feature = "mcp", unix))]
#[test]
fn a_page_of_a_server_becomes_a_source_and_a_post_that_a_kill_interrupted_is_not_repeated() {
    use serde_json::{Value, json};

    use crate::support::{
        many::until,
        server::{Call, Reply},
    };

    let server = Server::start(|call: &Call| {
        let messages = call.body["messages"].as_array().cloned().unwrap_or_default();
        let system = messages.first().and_then(|message| message["content"].as_str()).unwrap_or_default();
        let answer = if system.contains("You plan the research") {
            json!({ "questions": ["How did the council of Eastbrook vote?"] })
        } else if system.starts_with("You are the Editor of a newsroom. Before the first draft") {
            json!({ "questions": [{ "question": 1, "answered": true, "why": "The minutes say it." }], "requests": [] })
        } else if system.starts_with("You are the Reporter of a newsroom. You find out") {
            if !messages.iter().any(|message| message["role"] == "tool") {
                let called = |id: &str, name: &str, arguments: &str| json!({ "id": id, "type": "function", "function": { "name": name, "arguments": arguments } });
                let calls = [
                    called("1", "open_page", r#"{"url": "https://council.example/minutes"}"#),
                    called("2", "post", "{}"),
                ];
                let message = json!({ "role": "assistant", "content": null, "tool_calls": calls });
                let body = json!({ "choices": [{ "message": message, "finish_reason": "tool_calls" }] });
                return Reply::raw("application/json", body.to_string());
            }
            json!({ "findings": [{ "question": 1, "statement": "Seven to two.", "source": "S1", "quotation": "voted seven to two on Tuesday" }] })
        } else {
            return script::usual(call);
        };
        Reply::Text(answer.to_string())
    });
    let newsroom = Newsroom::at_with(&server.base(), |yaml| {
        let model = format!(
            "reporter_llm:\n      tool_calls: native\n      model: scripted\n      api_base: {}\n      api_key: lm-studio\n      \
             context_window: 32768\n      max_tokens: 2048\n      temperature: 0.3\n      context_window_threshold: 90\n      \
             max_retries: 1\n      retry_delay: 0.0\n      timeout_seconds: 60\n      response_format: none\n      request: null",
            server.base()
        );
        let editor = model.replace("reporter_llm", "editor_llm").replace("tool_calls: native\n      ", "");
        let servers = r"  servers:
    - name: wire
      command: /bin/sh
      args: [wire.sh]
      env: {}
      stays_home: true
      agents: [reporter]
      tools: null
      acts: [post]
      timeout_seconds: 60
      longest_result_kb: 64
      sources: [open_page]
";
        yaml.replace("reporter_llm: null", &model)
            .replace("editor_llm: null", &editor)
            .replace("  servers: null\n", servers)
            .replace("local_only: false", "local_only: true")
    });
    // Without an `AGENTS.md` the configuration alone says what the Reporter may call.
    super::questions::own_prompts(&newsroom);
    super::questions::research_prompts(&newsroom);
    newsroom.write("wire.sh", WIRE.as_bytes());
    newsroom.write("hold", b"");
    let mut child = newsroom.start(&["assign", "How did the council vote?", "--auto"]);
    until("nothing was posted", || newsroom.path().join("posts").exists());
    child.kill().unwrap();
    child.wait().unwrap();
    std::fs::remove_file(newsroom.path().join("hold")).unwrap();
    let done = newsroom.run(&["resume"]);
    assert!(done.code < 2, "{}\n{}", done.out, done.err);
    assert_eq!(newsroom.read("posts"), "post\n", "it was posted once");
    let files = newsroom.files();
    let file = |name: &str| {
        files
            .iter()
            .find(|(path, _)| path.ends_with(name))
            .map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned())
            .unwrap()
    };
    let research: Value = serde_json::from_str(&file("/research_p1.json")).unwrap();
    assert_eq!(research["sources"][0]["address"], "https://council.example/minutes", "{research}");
    assert!(file("/dossier.md").contains("seven to two on Tuesday"), "{}", file("/dossier.md"));
    let told = server.calls().into_iter().map(|call| call.body.to_string()).any(|body| {
        body.contains("It is not known whether post did it: the program stopped during the call. Do not call it again; tell the editor.")
    });
    assert!(told, "the Reporter is told");
    let listed: Value = serde_json::from_str(&newsroom.ran(&["list", "--json"]).out).unwrap();
    let story = listed[0]["story"].as_str().expect("a story").to_owned();
    let acts = newsroom.record(&story).events_of("tool_acts");
    assert_eq!(acts.len(), 1, "{acts:?}");
    newsroom.ran(&["replay", &story]);
}

/// A content system that takes a story as a file. It writes each call down, and answers as the file `answer` says: `sent`, `no` or `cut`.
#[cfg(all(feature = "mcp", unix))]
const CMS: &str = r#"
reply() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$1"; }
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case $line in
    *server/discover*) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"unknown"}}\n' "$id" ;;
    *'"initialize"'*) reply '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"cms","version":"1"}}' ;;
    *tools/list*) reply '{"tools":[{"name":"file_story","inputSchema":{"type":"object"}},{"name":"delete_all","inputSchema":{"type":"object"}}]}' ;;
    *'"name":"file_story"'*)
      printf '%s\n' "$line" >>stories
      case $(cat answer) in
        sent) reply '{"content":[{"type":"text","text":"filed as 17"}]}' ;;
        no) reply '{"isError":true,"content":[{"type":"text","text":"the desk is closed"}]}' ;;
        cut) exit 1 ;;
      esac ;;
  esac
done
"#;

#[cfg(all(feature = "mcp", unix))]
#[test]
fn a_signed_story_goes_to_a_servers_tool_once_and_what_became_of_it_is_said() {
    use serde_json::Value;

    let newsroom = Newsroom::with(|yaml| {
        let server = r"  servers:
    - name: cms
      command: /bin/sh
      args: [cms.sh]
      env: {}
      stays_home: true
      agents: []
      tools: null
      acts: []
      timeout_seconds: 60
      longest_result_kb: 64
      sources: []
";
        yaml.replace("  servers: null\n", server).replace(
            "  targets: null",
            "  targets:\n    - {name: system, kind: mcp, format: ninjs, server: cms, tool: file_story}\n    - {name: word, kind: mcp, \
             format: docx, server: cms, tool: file_story}\n    - {name: wrong, kind: mcp, format: html, server: cms, tool: none}",
        )
    });
    newsroom.write("cms.sh", CMS.as_bytes());
    crate::publish::sign(&newsroom);
    newsroom.write("answer", b"no");
    let done = newsroom.run(&["publish", "park", "--to", "system"]);
    assert!(done.code == 1 && done.out.contains("the desk is closed"), "{} {}", done.out, done.err);
    newsroom.write("answer", b"cut");
    let done = newsroom.run(&["publish", "park", "--to", "word"]);
    assert_eq!(done.code, 1, "{} {}", done.out, done.err);
    let again = newsroom.run(&["publish", "park", "--to", "word"]);
    assert!(again.out.contains("not known"), "nobody knows whether it is there: {} {}", again.out, again.err);
    newsroom.write("answer", b"sent");
    for _ in 0..2 {
        let done = newsroom.ran(&["publish", "park", "--to", "system"]);
        assert!(done.out.contains("system (file_story of cms)"), "{}", done.out);
    }
    let done = newsroom.run(&["publish", "park", "--to", "wrong"]);
    assert!(done.code == 1 && done.out.contains("the server cms has no tool none"), "{} {}", done.out, done.err);
    let told = newsroom.read("stories");
    let calls: Vec<Value> = told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let given: Vec<&Value> = calls.iter().map(|call| &call["params"]["arguments"]).collect();
    assert_eq!(given.len(), 3, "refused, cut off, taken: {told}");
    assert_eq!((&given[0]["idempotency_key"], &given[0]["encoding"]), (&given[2]["idempotency_key"], &"utf-8".into()));
    assert_eq!((&given[1]["encoding"], &given[1]["file_name"]), (&"base64".into(), &"newsroom-park.docx".into()));
    let sent: Value = serde_json::from_str(given[2]["content"].as_str().unwrap()).unwrap();
    assert_eq!(sent["pubStatus"], "usable");
}
