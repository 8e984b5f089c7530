//! `copydesk lsp`: JSON-RPC over the real program's pipes, as an editor speaks it.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    process::{Child, ChildStdin, ChildStdout, Stdio},
};

use serde_json::{Value, json};

use crate::support::newsroom::Newsroom;

const NOTES: &str = "Minutes of the council, 6 October 2026\n\nThe council voted on Tuesday to spend $1.8 million on the park, which opened in \
                     1958. 😀 Inez Calloway spoke.\n\n\"In eleven years I have not once got to the pond,\" she said.\n";

const DRAFT: &str = "# Council votes for a ramp at the park\n\nThe council voted on Tuesday to spend $1.8 million on the park, which opened \
                     in 1958.\n";

/// An editor with a running server.
struct Editor {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    next: u64,
    uri: String,
}

#[expect(clippy::needless_pass_by_value, reason = "a test hands over what it has just made")]
impl Editor {
    /// Opens `draft.md` with this text.
    fn open(newsroom: &Newsroom, text: &str) -> Self {
        let uri = format!("file://{}/draft.md", newsroom.path().canonicalize().unwrap().display());
        let mut command = newsroom.command(&["lsp", "--stdio"]);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program");
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let mut editor = Self { child, input, output, next: 1, uri };
        let hello = editor.ask("initialize", json!({ "processId": null, "rootUri": null, "capabilities": {} }));
        assert_eq!(hello["serverInfo"]["name"], "copydesk", "{hello}");
        assert_eq!(hello["capabilities"]["textDocumentSync"], 2, "changes alone are sent");
        editor.tell("initialized", json!({}));
        let document = json!({ "uri": editor.uri, "languageId": "markdown", "version": 1, "text": text });
        editor.tell("textDocument/didOpen", json!({ "textDocument": document }));
        editor
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).and_then(|()| self.input.flush()).unwrap();
    }

    fn read(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "the program ended");
            match line.trim_end().split_once(": ") {
                Some(("Content-Length", value)) => length = value.parse().unwrap(),
                Some(_) => {}
                None => break,
            }
        }
        let mut text = vec![0; length];
        self.output.read_exact(&mut text).unwrap();
        serde_json::from_slice(&text).expect("nothing but messages on standard output")
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// The whole answer, errors as well.
    fn answer(&mut self, method: &str, params: Value) -> Value {
        let id = self.next;
        self.next += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let message = self.read();
            if message["id"] == id {
                return message;
            }
        }
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        let answer = self.answer(method, params);
        assert!(answer.get("error").is_none(), "{answer}");
        answer["result"].clone()
    }

    /// What is said of a version, once it fulfils a condition.
    fn told(&mut self, version: i64, is: impl Fn(&[Value]) -> bool) -> Vec<Value> {
        loop {
            let message = self.read();
            let told = &message["params"];
            if message["method"] == "textDocument/publishDiagnostics" && told["version"] == version {
                let diagnostics = told["diagnostics"].as_array().unwrap().clone();
                if is(&diagnostics) {
                    return diagnostics;
                }
            }
        }
    }

    fn change(&mut self, version: i64, changes: Value) {
        let document = json!({ "uri": self.uri, "version": version });
        self.tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }

    fn at(&self, line: u64, character: u64) -> Value {
        json!({ "textDocument": { "uri": self.uri }, "position": { "line": line, "character": character } })
    }

    /// Ends the server as an editor does. Returns its exit code and standard error.
    fn end(mut self) -> (Option<i32>, String) {
        self.ask("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        let mut said = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        (self.child.wait().unwrap().code(), said)
    }
}

fn range(line: u64, start: u64, end: u64) -> Value {
    json!({ "start": { "line": line, "character": start }, "end": { "line": line, "character": end } })
}

/// Without grammar: its word list takes seconds to load in a build for tests.
fn desk() -> Newsroom {
    let newsroom = Newsroom::with(|yaml| yaml.replace("grammar: true", "grammar: false"));
    newsroom.write("draft.sources/notes.txt", NOTES.as_bytes());
    newsroom
}

fn rules(diagnostics: &[Value]) -> Vec<&str> {
    diagnostics.iter().filter_map(|one| one["code"].as_str()).filter(|code| code.contains("number")).collect()
}

#[test]
fn a_wrong_figure_is_shown_while_it_is_typed_with_its_passage_and_a_fix() {
    let newsroom = desk();
    let mut editor = Editor::open(&newsroom, DRAFT);
    editor.told(1, |told| rules(told).is_empty());
    let at = u64::try_from(DRAFT.lines().nth(2).unwrap().find("1.8").unwrap()).unwrap();
    editor.change(2, json!([{ "range": range(2, at, at + 1), "text": "2" }]));
    let told = editor.told(2, |told| !rules(told).is_empty());
    let wrong = told.iter().find(|one| one["code"].as_str().unwrap().contains("number")).unwrap();
    assert_eq!(wrong["range"], range(2, at - 1, at + 11), "{wrong}");
    let message = wrong["message"].as_str().unwrap();
    assert!(message.contains("notes.txt, line 3: “The council voted on Tuesday to spend $1.8 million"), "{message}");

    let hover = editor.ask("textDocument/hover", editor.at(2, at + 1));
    assert!(hover["contents"]["value"].as_str().unwrap().contains("$1.8 million"), "{hover}");
    let places = editor.ask("textDocument/definition", editor.at(2, at + 1));
    assert!(places[0]["uri"].as_str().unwrap().ends_with("/draft.sources/notes.txt"), "{places}");
    assert_eq!(places[0]["range"]["start"]["line"], 2, "{places}");

    let uri = editor.uri.clone();
    let asked = json!({ "textDocument": { "uri": uri }, "range": range(2, at, at), "context": { "diagnostics": [] } });
    let actions = editor.ask("textDocument/codeAction", asked);
    let title = actions[0]["title"].as_str().unwrap();
    assert!(title.starts_with("Replace “$2.8 million” with “$1.8 million”: “The council voted"), "{title}");
    let edit = &actions[0]["edit"]["changes"][&uri][0];
    editor.change(3, json!([{ "range": edit["range"], "text": edit["newText"] }]));
    editor.told(3, |told| rules(told).is_empty());
    assert_eq!(editor.end(), (Some(0), String::new()));
}

#[test]
fn what_the_author_lets_stand_needs_a_reason_in_the_front_matter() {
    let newsroom = desk();
    let wrong = DRAFT.replace("$1.8", "$2.8");
    let mut editor = Editor::open(&newsroom, &wrong);
    editor.told(1, |told| !rules(told).is_empty());
    let at = u64::try_from(wrong.lines().nth(2).unwrap().find("2.8").unwrap()).unwrap();
    let uri = editor.uri.clone();
    let asked = json!({ "textDocument": { "uri": uri }, "range": range(2, at, at), "context": { "diagnostics": [] } });
    let actions = editor.ask("textDocument/codeAction", asked);
    let letting =
        actions.as_array().unwrap().iter().find(|one| one["title"].as_str().unwrap().starts_with("Let “")).unwrap();
    let edit = &letting["edit"]["changes"][&uri][0];
    editor.change(2, json!([{ "range": edit["range"], "text": edit["newText"] }]));
    editor.told(2, |told| !rules(told).is_empty());
    let front = "---\naccepted:\n  \"$2.8 million\": \"The clerk corrected it by telephone.\"\n---\n\n";
    editor.change(3, json!([{ "text": format!("{front}{wrong}") }]));
    editor.told(3, |told| rules(told).is_empty());
    editor.end();
    newsroom.write("draft.md", format!("{front}{wrong}").as_bytes());
    let checked = newsroom.run(&["check", "draft.md", "--no-style"]);
    assert_eq!(checked.code, 0, "{}", checked.out);
    assert!(checked.err.contains("“$2.8 million” stands, the draft says: The clerk corrected it"), "{}", checked.err);
}

#[test]
fn changes_in_a_source_are_seen_while_the_draft_is_open() {
    let newsroom = desk();
    let mut editor = Editor::open(&newsroom, &DRAFT.replace("$1.8", "$2.8"));
    editor.told(1, |told| !rules(told).is_empty());
    newsroom.write("draft.sources/notes.txt", NOTES.replace("$1.8", "$2.8").as_bytes());
    editor.told(1, |told| rules(told).is_empty());
    std::fs::remove_dir_all(newsroom.path().join("draft.sources")).unwrap();
    let told = editor.told(1, |told| told.iter().any(|one| one["code"] == "copydesk"));
    assert!(told[0]["message"].as_str().unwrap().contains("no sources belong to"), "{told:?}");
    newsroom.write("draft.sources/notes.txt", NOTES.as_bytes());
    editor.told(1, |told| !rules(told).is_empty());
    editor.end();
}

#[test]
fn odd_messages_lose_nothing_and_end_nothing() {
    let newsroom = desk();
    let mut editor = Editor::open(&newsroom, DRAFT);
    editor.told(1, |told| rules(told).is_empty());
    editor.tell("textDocument/didChange", json!({ "textDocument": 7 }));
    editor.tell("workspace/didChangeConfiguration", json!({ "settings": {} }));
    editor.tell("$/cancelRequest", json!({ "id": 999 }));
    let unknown = editor.answer("textDocument/rename", json!({}));
    assert_eq!(unknown["error"]["code"], -32601, "{unknown}");
    let document = json!({ "uri": "untitled:one", "languageId": "markdown", "version": 1, "text": "x" });
    editor.tell("textDocument/didOpen", json!({ "textDocument": document }));
    // A range behind the text, one that ends before it begins, a version that goes back.
    let odd = json!({ "start": { "line": 2, "character": 3 }, "end": { "line": 0, "character": 0 } });
    editor.change(
        9,
        json!([{ "range": odd, "text": "" }, { "range": range(99, 9, 9), "text": "It cost $9.9 million.\n" }]),
    );
    editor.told(9, |told| !rules(told).is_empty());
    editor.change(3, json!([{ "text": DRAFT }]));
    editor.told(3, |told| rules(told).is_empty());
    let uri = editor.uri.clone();
    editor.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    let hover = editor.ask("textDocument/hover", editor.at(2, 5));
    assert_eq!(hover, Value::Null);
    assert_eq!(editor.end().0, Some(0));
}

#[test]
fn edits_of_a_person_end_with_the_findings_of_a_check() {
    let newsroom = desk();
    let long = "The park opened in 1958. 😀 She said it was e\u{301}clair. The council met.\n\n".repeat(20);
    let text = format!("# The park\n\n{long}");
    let mut editor = Editor::open(&newsroom, &text);
    let mut units: Vec<u16> = text.encode_utf16().collect();
    let mut state = 7_u64;
    let mut random = move |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % below
    };
    let place = |units: &[u16], at: usize| {
        let before = String::from_utf16(&units[..at]).unwrap();
        let line = before.matches('\n').count();
        let column = before.rsplit('\n').next().unwrap().encode_utf16().count();
        json!({ "line": line, "character": column })
    };
    let boundary =
        |units: &[u16], at: usize| if (0xDC00..0xE000).contains(&units[at.min(units.len() - 1)]) { at - 1 } else { at };
    let mut version = 1;
    for _ in 0..300 {
        let start = boundary(&units, 12 + random(units.len() - 12));
        let end = boundary(&units, (start + random(6)).min(units.len() - 1)).max(start);
        let new = ["", "9", " 1985 ", "😀", "\n", "é"][random(6)];
        version += 1;
        let range = json!({ "start": place(&units, start), "end": place(&units, end) });
        editor.change(version, json!([{ "range": range, "text": new }]));
        units.splice(start..end, new.encode_utf16());
    }
    let text = String::from_utf16(&units).unwrap();
    newsroom.write("draft.md", text.as_bytes());
    let checked = newsroom.run(&["check", "draft.md", "--no-style", "--json"]);
    let checked: Value = serde_json::from_str(&checked.out).unwrap();
    let wanted: Vec<&str> =
        checked["findings"].as_array().unwrap().iter().map(|one| one["rule"].as_str().unwrap()).collect();
    let mut wanted: Vec<String> = wanted.into_iter().map(str::to_owned).collect();
    wanted.sort();
    editor.told(version, |told| {
        let style = |code: &&str| code.starts_with(char::is_uppercase);
        let mut codes: Vec<String> =
            told.iter().filter_map(|one| one["code"].as_str()).filter(|code| !style(code)).map(str::to_owned).collect();
        codes.sort();
        codes == wanted
    });
    editor.end();
}
