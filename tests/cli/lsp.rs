//! `copydesk lsp`: JSON-RPC over the real program's pipes, as an editor speaks it.

use std::{
    io::{BufRead, BufReader, Read, Write as _},
    process::{Child, ChildStdin, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
    time::Duration,
};

mod broken_messages;

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
    /// What the server says, read at once as editors do: a full pipe would hold it up.
    said: Receiver<Value>,
    next: u64,
    uri: String,
}

#[expect(clippy::needless_pass_by_value, reason = "a test hands over what it has just made")]
impl Editor {
    /// Opens `draft.md` with this text.
    fn open(newsroom: &Newsroom, text: &str) -> Self {
        Self::open_file(newsroom, "draft.md", text)
    }

    fn open_file(newsroom: &Newsroom, name: &str, text: &str) -> Self {
        let path = newsroom.path().canonicalize().unwrap().join(name);
        let uri = url::Url::from_file_path(path).unwrap().to_string();
        let mut command = newsroom.command(&["lsp", "--stdio"]);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program");
        let (input, mut output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let (sender, said) = channel();
        thread::spawn(move || {
            while let Some(message) = message(&mut output)
                && sender.send(message).is_ok()
            {}
        });
        let mut editor = Self { child, input, said, next: 1, uri };
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

    fn read(&self) -> Value {
        // An answer that does not come must not hold up all tests.
        self.said.recv_timeout(Duration::from_mins(5)).expect("the program ended, or said nothing for five minutes")
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
    fn told(&self, version: i64, is: impl Fn(&[Value]) -> bool) -> Vec<Value> {
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

/// The next message; none if the program has ended.
fn message(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).unwrap() == 0 {
            return None;
        }
        match line.trim_end().split_once(": ") {
            Some(("Content-Length", value)) => length = value.parse().unwrap(),
            Some(_) => {}
            None => break,
        }
    }
    let mut text = vec![0; length];
    output.read_exact(&mut text).unwrap();
    Some(serde_json::from_slice(&text).expect("nothing but messages on standard output"))
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
fn a_quotation_of_any_length_can_stand() {
    let newsroom = desk();
    let said = format!("I went to the pond and saw {}and then went home", "birds and fish and \n".repeat(80));
    let text = format!("# Council votes\n\nInez Calloway said: “{said}.”\n");
    let mut editor = Editor::open(&newsroom, &text);
    let quoted = |told: &[Value]| told.iter().any(|one| one["code"].as_str().unwrap().starts_with("quotation."));
    editor.told(1, quoted);
    let uri = editor.uri.clone();
    let asked = json!({ "textDocument": { "uri": uri }, "range": range(3, 0, 0), "context": { "diagnostics": [] } });
    let actions = editor.ask("textDocument/codeAction", asked);
    let letting =
        actions.as_array().unwrap().iter().find(|one| one["title"].as_str().unwrap().starts_with("Let “")).unwrap();
    let front = letting["edit"]["changes"][&uri][0]["newText"].as_str().unwrap();
    let front = front.replace(": \"\"", ": \"She told me so.\"");
    editor.change(2, json!([{ "text": format!("{front}{text}") }]));
    editor.told(2, |told| told.iter().all(|one| one["code"] != "copydesk") && !quoted(told));
    editor.end();
}

#[test]
fn changes_in_a_source_are_seen_while_the_draft_is_open() {
    let newsroom = desk();
    let editor = Editor::open(&newsroom, &DRAFT.replace("$1.8", "$2.8"));
    editor.told(1, |told| !rules(told).is_empty());
    newsroom.write("draft.sources/notes.txt", NOTES.replace("$1.8", "$2.8").as_bytes());
    editor.told(1, |told| rules(told).is_empty());
    std::fs::remove_dir_all(newsroom.path().join("draft.sources")).unwrap();
    let remark = |told: &[Value], part: &str| {
        told.iter().any(|one| one["code"] == "copydesk" && one["message"].as_str().unwrap().contains(part))
    };
    editor.told(1, |told| remark(told, "no sources belong to"));
    // A file above the draft names its sources, then others.
    newsroom.write("right.txt", NOTES.replace("$1.8", "$2.8").as_bytes());
    newsroom.write(".copydesk.yaml", b"sources: right.txt\n");
    editor.told(1, <[Value]>::is_empty);
    newsroom.write("wrong.txt", NOTES.as_bytes());
    newsroom.write(".copydesk.yaml", b"sources: wrong.txt\n");
    editor.told(1, |told| !rules(told).is_empty());
    // A folder beside it gets one source after another, and a file that is none.
    newsroom.write("draft.sources/notes.txt", NOTES.as_bytes());
    newsroom.write("draft.sources/plan.zip", b"PK");
    let told = editor.told(1, |told| remark(told, "plan.zip was left out"));
    assert!(!rules(&told).is_empty(), "{told:?}");
    newsroom.write("draft.sources/correction.txt", NOTES.replace("$1.8", "$2.8").as_bytes());
    editor.told(1, |told| rules(told).is_empty() && remark(told, "plan.zip"));
    editor.end();
}

#[test]
fn a_path_with_blanks_and_umlauts_is_found_and_sources_in_utf_16_are_read() {
    let newsroom = desk();
    let wide: Vec<u8> = format!("\u{feff}{NOTES}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    newsroom.write("Größe e\u{301} 1%/Park & Ü.sources/Notizen ä.txt", &wide);
    let wrong = DRAFT.replace("$1.8", "$2.8");
    let mut editor = Editor::open_file(&newsroom, "Größe e\u{301} 1%/Park & Ü.md", &wrong);
    let told = editor.told(1, |told| !rules(told).is_empty());
    let at = &told.iter().find(|one| one["code"].as_str().unwrap().contains("number")).unwrap()["range"]["start"];
    let place = json!({ "textDocument": { "uri": editor.uri.clone() }, "position": at });
    let places = editor.ask("textDocument/definition", place);
    let file = url::Url::parse(places[0]["uri"].as_str().unwrap()).unwrap().to_file_path().unwrap();
    assert_eq!(std::fs::read(file).unwrap(), wide);
    editor.end();
}

#[test]
fn hints_on_style_stay_at_their_words_while_the_text_above_is_typed() {
    let newsroom = Newsroom::offline();
    newsroom.write("draft.sources/notes.txt", NOTES.as_bytes());
    let text = DRAFT.replace("the park,", "the zorbing park,");
    let at = u64::try_from(text.lines().nth(2).unwrap().find("zorbing").unwrap()).unwrap();
    let hint = |told: &[Value]| {
        told.iter().find(|one| one["message"].as_str().unwrap().contains("zorbing")).map(|one| one["range"].clone())
    };
    let mut editor = Editor::open(&newsroom, &text);
    let told = editor.told(1, |told| hint(told).is_some());
    assert_eq!(hint(&told), Some(range(2, at, at + 7)), "{told:?}");
    editor.change(2, json!([{ "range": range(2, 0, 0), "text": "So " }]));
    assert_eq!(hint(&editor.told(2, |_| true)), Some(range(2, at + 3, at + 10)));
    editor.end();
}

#[test]
fn signs_that_nobody_sees_move_no_finding() {
    let newsroom = desk();
    // As text has them that was copied from a web page or a telephone.
    let text = DRAFT.replace("The council", "\u{2068}The council\u{2069}").replace("$1.8 m", "$2.8\u{202C}&nbsp;m");
    let line = text.lines().nth(2).unwrap();
    let units = |part: &str| u64::try_from(line.split(part).next().unwrap().encode_utf16().count()).unwrap();
    let (start, end) = (units("$"), units(" on the park"));
    let mut editor = Editor::open(&newsroom, &text);
    let told = editor.told(1, |told| !rules(told).is_empty());
    let wrong = told.iter().find(|one| one["code"].as_str().unwrap().contains("number")).unwrap();
    assert_eq!(wrong["range"], range(2, start, end), "{wrong}");
    let uri = editor.uri.clone();
    let asked = |kinds: Value| json!({ "textDocument": { "uri": uri }, "range": range(2, start, start), "context": { "diagnostics": [], "only": kinds } });
    // An editor that saves asks for other kinds of actions.
    assert_eq!(editor.ask("textDocument/codeAction", asked(json!(["source.fixAll"]))), Value::Null);
    let actions = editor.ask("textDocument/codeAction", asked(json!(["quickfix"])));
    let letting =
        actions.as_array().unwrap().iter().find(|one| one["title"].as_str().unwrap().starts_with("Let “")).unwrap();
    let edit = letting["edit"]["changes"][&uri][0]["newText"].as_str().unwrap().replace("\"\"", "\"So it is.\"");
    editor.change(2, json!([{ "text": format!("{edit}{text}") }]));
    editor.told(2, |told| rules(told).is_empty());
    editor.end();
}

#[test]
fn a_client_that_cancels_everything_gets_an_answer_to_everything() {
    let newsroom = desk();
    let wrong = DRAFT.replace("$1.8", "$2.8");
    let mut editor = Editor::open(&newsroom, &wrong);
    editor.told(1, |told| !rules(told).is_empty());
    let at = u64::try_from(wrong.lines().nth(2).unwrap().find("2.8").unwrap()).unwrap();
    for id in 1_000..1_300 {
        let method = ["textDocument/hover", "textDocument/definition", "textDocument/codeAction"][id % 3];
        let mut asked = editor.at(2, at);
        asked["range"] = range(2, at, at);
        asked["context"] = json!({ "diagnostics": [] });
        editor.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": asked }));
        editor.tell("$/cancelRequest", json!({ "id": id }));
    }
    let mut answered: Vec<u64> = (0..300).map(|_| editor.read()["id"].as_u64().unwrap()).collect();
    answered.sort_unstable();
    assert_eq!(answered, (1_000..1_300).collect::<Vec<_>>());
    assert!(editor.ask("textDocument/hover", editor.at(2, at))["contents"]["value"].is_string());
    editor.end();
}

#[test]
fn a_draft_of_five_megabytes_is_refused_with_a_reason_and_a_killed_server_begins_anew() {
    let newsroom = desk();
    let wrong = DRAFT.replace("$1.8", "$2.8");
    let mut editor = Editor::open(&newsroom, &wrong.repeat(5_000_000 / wrong.len()));
    let told = editor.told(1, |_| true);
    assert_eq!(told[0]["message"], "This draft is not proved: it has more than 2 MB.", "{told:?}");
    assert_eq!(editor.ask("textDocument/hover", editor.at(2, 40)), Value::Null);
    editor.change(2, json!([{ "text": wrong }]));
    let before = editor.told(2, |told| !rules(told).is_empty());
    editor.child.kill().and_then(|()| editor.child.wait()).unwrap();
    let again = Editor::open(&newsroom, &wrong);
    assert_eq!(again.told(1, |told| told.len() == before.len()), before);
    again.end();
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
fn an_exit_that_no_shutdown_came_before_ends_with_one() {
    let newsroom = desk();
    let ended = |methods: &[&str]| {
        let mut editor = Editor::open(&newsroom, DRAFT);
        for method in methods {
            match *method {
                "exit" => editor.tell("exit", Value::Null),
                method => drop(editor.answer(method, Value::Null)),
            }
        }
        editor.child.wait().unwrap().code()
    };
    assert_eq!(ended(&["exit"]), Some(1));
    assert_eq!(ended(&["textDocument/hover", "exit"]), Some(1));
    assert_eq!(ended(&["shutdown", "exit"]), Some(0));
}

#[test]
fn a_draft_in_utf_16_is_read_from_disk_as_the_editor_shows_it() {
    let newsroom = desk();
    let wide: Vec<u8> = format!("\u{feff}{DRAFT}").encode_utf16().flat_map(u16::to_be_bytes).collect();
    newsroom.write("draft.md", &wide);
    let wrong = DRAFT.replace("$1.8", "$2.8");
    let mut editor = Editor::open(&newsroom, DRAFT);
    editor.told(1, |told| rules(told).is_empty());
    editor.change(2, json!([{ "text": wrong }]));
    editor.told(2, |told| !rules(told).is_empty());
    assert_eq!(editor.end(), (Some(0), String::new()));
    assert_eq!(std::fs::read(newsroom.path().join("draft.md")).unwrap(), wide, "the file is the editor's");
    assert_eq!(newsroom.run(&["check", "draft.md", "--no-style"]).code, 0);
}

/// Memory of a process, in KB; none where the system does not tell.
fn memory(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// How many random edits are made: `COPYDESK_EDITS=10000 cargo test --test cli -- lsp::edits --nocapture`.
#[expect(clippy::disallowed_methods, reason = "it says how much is tried, and is no setting of the program")]
fn edits() -> usize {
    std::env::var("COPYDESK_EDITS").ok().and_then(|count| count.parse().ok()).unwrap_or(300)
}

#[test]
fn edits_of_a_person_end_with_the_findings_of_a_check() {
    let edits = edits();
    let newsroom = desk();
    let paragraph = "The park opened in 1958. 😀 She said it was e\u{301}clair. The council met.\n\n";
    let long = paragraph.repeat(20);
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
    let (mut version, mut early) = (1, None);
    for edit in 1..=edits {
        let start = boundary(&units, 12 + random(units.len() - 12));
        let end = boundary(&units, (start + random(6)).min(units.len() - 1)).max(start);
        // What is typed comes from the notes as well, and names come and go, many of them in a day.
        let name =
            format!(" {}ar{} Vossik ", char::from(b'A' + u8::try_from(edit % 26).unwrap()), "o".repeat(edit % 9));
        let words =
            ["", "9", " 1985 ", "😀", "\n", "é", "“", "” ", &name, " $2.8 million ", "Ines Calloway said "][random(11)];
        // Such edits take more than they bring.
        let new = if units.len() < 1_000 { paragraph } else { words };
        version += 1;
        let range = json!({ "start": place(&units, start), "end": place(&units, end) });
        editor.change(version, json!([{ "range": range, "text": new }]));
        units.splice(start..end, new.encode_utf16());
        if edit % 50 == 0 && edit < edits {
            editor.told(version, |_| true);
        }
        if edit == edits / 10 {
            early = memory(editor.child.id());
        }
    }
    let text = String::from_utf16(&units).unwrap();
    newsroom.write("draft.md", text.as_bytes());
    let checked = newsroom.run(&["check", "draft.md", "--no-style", "--format", "sarif"]);
    let checked: Value = serde_json::from_str(&checked.out).unwrap();
    let lines: Vec<&str> = text.split('\n').collect();
    // Each finding's rule and first character, in units of UTF-16.
    let place = |found: &Value| {
        let at = &found["locations"][0]["physicalLocation"]["region"];
        let [line, column] =
            ["startLine", "startColumn"].map(|key| usize::try_from(at[key].as_u64().unwrap()).unwrap() - 1);
        let column: usize = lines[line].chars().take(column).map(char::len_utf16).sum();
        (found["ruleId"].as_str().unwrap().to_owned(), line, column)
    };
    let mut wanted: Vec<_> = checked["runs"][0]["results"].as_array().unwrap().iter().map(place).collect();
    wanted.sort();
    editor.told(version, |told| {
        let proof = |one: &&Value| !one["code"].as_str().unwrap().starts_with(char::is_uppercase);
        let place = |one: &Value| {
            let at = ["line", "character"].map(|key| one["range"]["start"][key].as_u64().unwrap());
            let [line, column] = at.map(|at| usize::try_from(at).unwrap());
            (one["code"].as_str().unwrap().to_owned(), line, column)
        };
        let mut found: Vec<_> = told.iter().filter(proof).map(place).collect();
        found.sort();
        found == wanted
    });
    if let (Some(early), Some(late)) = (early, memory(editor.child.id())) {
        println!("{early} KB after {} edits, {late} KB after {edits}; {} findings", edits / 10, wanted.len());
        assert!(late < 2 * early, "{early} KB, then {late} KB");
    }
    editor.end();
}

#[test]
fn a_figure_is_said_to_be_of_another_subject_by_its_passage() {
    let newsroom = desk();
    newsroom.write("draft.sources/budget.txt", b"Budget of 2025\n\nThe library on Canal Road cost $2.8 million.\n");
    let wrong = DRAFT.replace("$1.8", "$2.8");
    let mut editor = Editor::open(&newsroom, &wrong);
    editor.told(1, |told| !rules(told).is_empty());
    let at = u64::try_from(wrong.lines().nth(2).unwrap().find("2.8").unwrap()).unwrap();
    let uri = editor.uri.clone();
    let asked = json!({ "textDocument": { "uri": uri }, "range": range(2, at, at), "context": { "diagnostics": [] } });
    let actions = editor.ask("textDocument/codeAction", asked);
    let said: Vec<&Value> = actions
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["title"].as_str().unwrap().starts_with("This is"))
        .collect();
    let title = "This is said of “The library on Canal Road cost $2.8 million.” (budget.txt, line 3)";
    assert!(said.len() == 1 && said[0]["title"] == title, "{actions}");
    let edit = &said[0]["edit"]["changes"][&uri][0];
    editor.change(2, json!([{ "range": edit["range"], "text": edit["newText"] }]));
    editor.told(2, |told| rules(told).is_empty());
    let hover = editor.ask("textDocument/hover", editor.at(7, at));
    let reason = "said of “The library on Canal Road cost $2.8 million.” (budget.txt, line 3)";
    assert!(hover["contents"]["value"].as_str().unwrap().starts_with(&format!("Accepted: {reason}")), "{hover}");
    editor.end();
    newsroom.write("draft.md", format!("{}{wrong}", edit["newText"].as_str().unwrap()).as_bytes());
    let checked = newsroom.run(&["check", "draft.md", "--no-style"]);
    assert_eq!(checked.code, 0, "{}", checked.out);
    assert!(checked.err.contains(&format!("“$2.8 million” stands, the draft says: {reason}")), "{}", checked.err);
    // If the proof only asks to compare the two passages, the reason answers it as well.
    newsroom.write("draft.md", b"# Council votes\n\nThe council voted to spend $2.8 million.\n");
    let row = "COMPARE number “$2.8 million” budget.txt, line 3";
    let listed = || newsroom.run(&["check", "draft.md", "--no-style", "--all"]);
    assert!(listed().out.contains(row), "{}", listed().out);
    newsroom.write(
        "draft.md",
        b"---\naccepted: {$2.8 million: the library}\n---\n\nThe council voted to spend $2.8 million.\n",
    );
    let accepted = listed();
    assert!(
        !accepted.out.contains(row) && accepted.err.contains("stands, the draft says: the library"),
        "{}",
        accepted.out
    );
}

#[test]
fn two_editors_on_a_draft_know_what_each_other_accepts_and_add_words_to_one_dictionary() {
    let newsroom = Newsroom::with(|yaml| yaml);
    newsroom.write("draft.sources/notes.txt", NOTES.as_bytes());
    let wrong = DRAFT.replace("$1.8", "$2.8").replace("the park,", "the zorbing park,");
    newsroom.write("draft.md", wrong.as_bytes());
    let unknown = |told: &[Value]| told.iter().any(|one| one["message"].as_str().unwrap().contains("zorbing"));
    let mut editors = [Editor::open(&newsroom, &wrong), Editor::open(&newsroom, &wrong)];
    for editor in &editors {
        editor.told(1, |told| !rules(told).is_empty() && unknown(told));
    }
    // The first one saves a reason. The second one has another text by then.
    let front = "---\naccepted:\n  \"$2.8 million\": \"The clerk corrected it by telephone.\"\n---\n\n";
    newsroom.write("draft.md", format!("{front}{wrong}").as_bytes());
    let end = json!({ "start": { "line": 9, "character": 0 }, "end": { "line": 9, "character": 0 } });
    editors[1].change(2, json!([{ "range": end, "text": "\nThe council met.\n" }]));
    editors[1].told(2, |told| rules(told).is_empty());
    // The author of the second one takes it over, and then back.
    editors[1].change(3, json!([{ "text": format!("{front}{wrong}") }]));
    editors[1].told(3, |told| rules(told).is_empty());
    editors[1].change(4, json!([{ "text": wrong }]));
    editors[1].told(4, |told| !rules(told).is_empty() && unknown(told));
    // Both add words at the same time.
    let words = |editor: usize| (0..20).map(move |at| format!("{}zorb{}", ["q", "x"][editor], "o".repeat(at + 1)));
    thread::scope(|scope| {
        for (at, editor) in editors.iter_mut().enumerate() {
            scope.spawn(move || {
                for word in words(at).chain(["zorbing".to_owned()]) {
                    let asked = json!({ "command": "copydesk.addToDictionary", "arguments": [word] });
                    editor.ask("workspace/executeCommand", asked);
                }
            });
        }
    });
    let mut listed: Vec<String> = newsroom.read("config/dictionary.txt").lines().map(str::to_owned).collect();
    let mut wanted: Vec<String> = words(0).chain(words(1)).chain(["zorbing".to_owned()]).collect();
    listed.sort();
    wanted.sort();
    assert_eq!(listed, wanted);
    for (editor, version) in editors.iter_mut().zip([2, 5]) {
        editor.change(version, json!([{ "text": format!("{wrong}\nThe council met again.\n") }]));
        editor.told(version, |told| !unknown(told));
    }
    for editor in editors {
        assert_eq!(editor.end().0, Some(0));
    }
}
