//! Messages that break the protocol: each is answered, and the server goes on.

use super::*;

impl Editor {
    fn send_bytes(&mut self, bytes: &[u8]) {
        self.input.write_all(bytes).and_then(|()| self.input.flush()).unwrap();
    }

    fn send_body(&mut self, body: &[u8]) {
        self.send_bytes(&[format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes(), body].concat());
    }

    /// The next answer; what is told meanwhile is passed over.
    fn next_answer(&self) -> Value {
        loop {
            let message = self.read();
            if message.get("id").is_some() {
                return message;
            }
        }
    }

    /// The id and the code of the next answer, an error.
    fn next_error(&self) -> (Value, i64) {
        let answer = self.next_answer();
        assert!(answer["error"]["message"].as_str().is_some_and(|why| !why.is_empty()), "{answer}");
        (answer["id"].clone(), answer["error"]["code"].as_i64().unwrap())
    }
}

#[test]
fn a_body_that_is_no_message_is_answered_and_the_server_goes_on() {
    let newsroom = desk();
    let mut editor = Editor::open(&newsroom, DRAFT);
    let hover = json!({ "jsonrpc": "2.0", "id": 70, "method": "textDocument/hover", "params": editor.at(0, 0) });
    let with = |key: &str, value: Value| {
        let mut message = hover.clone();
        message[key] = value;
        message.to_string().into_bytes()
    };
    let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000)).into_bytes();
    for (body, id, code) in [
        (b"{\"jsonrpc\": \"2.0\", \"id\": 70, ".to_vec(), Value::Null, -32700),
        (b"".to_vec(), Value::Null, -32700),
        (b"{\"jsonrpc\": \"2.0\", \"method\": \"\xff\xfe\"}".to_vec(), Value::Null, -32700),
        (deep, Value::Null, -32700),
        (b"{\"jsonrpc\": \"2.0\", \"id\": 1e999, \"method\": \"x\"}".to_vec(), Value::Null, -32700),
        (b"[]".to_vec(), Value::Null, -32600),
        (json!([hover, hover]).to_string().into_bytes(), Value::Null, -32600),
        (b"7".to_vec(), Value::Null, -32600),
        (b"null".to_vec(), Value::Null, -32600),
        (b"{}".to_vec(), Value::Null, -32600),
        (with("jsonrpc", json!("1.0")), json!(70), -32600),
        (with("jsonrpc", json!(2)), json!(70), -32600),
        (with("method", json!(7)), json!(70), -32600),
        (with("method", Value::Null), json!(70), -32600),
        (with("id", json!({ "n": 1 })), Value::Null, -32600),
        (with("id", json!(true)), Value::Null, -32600),
        (with("id", Value::Null), Value::Null, -32600),
        (with("id", json!(1.5)), json!(1.5), -32600),
        (with("id", json!(5_000_000_000_u64)), json!(5_000_000_000_u64), -32600),
        (with("method", json!("no/such")), json!(70), -32601),
        (with("method", json!("")), json!(70), -32601),
        (with("params", json!("text")), json!(70), -32602),
        (with("params", Value::Null), json!(70), -32602),
    ] {
        editor.send_body(&body);
        assert_eq!(editor.next_error(), (id, code), "{}", String::from_utf8_lossy(&body));
    }
    // An id in words is an id.
    editor.send_body(&with("id", json!("a")));
    let answer = editor.next_answer();
    assert_eq!(answer["id"], "a");
    assert!(answer.get("error").is_none(), "{answer}");
    // A key that is given twice: the last one counts, as in every reader of JSON that the editors use.
    let twice = String::from_utf8(with("id", json!(71))).unwrap().replacen("\"id\"", "\"id\":70,\"id\"", 1);
    editor.send_body(twice.as_bytes());
    assert_eq!(editor.next_answer()["id"], 71);
    assert_eq!(editor.end(), (Some(0), String::new()));
}

#[test]
fn notifications_and_answers_that_nobody_expects_are_left_out() {
    let newsroom = desk();
    let mut editor = Editor::open(&newsroom, DRAFT);
    for message in [
        json!({ "jsonrpc": "2.0", "method": "initialized" }),
        json!({ "jsonrpc": "2.0", "method": "textDocument/didChange" }),
        json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": null }),
        json!({ "jsonrpc": "2.0", "method": "$/cancelRequest" }),
        json!({ "jsonrpc": "2.0", "method": "no/such" }),
        json!({ "jsonrpc": "2.0", "id": 99, "result": 1 }),
        json!({ "jsonrpc": "2.0", "id": null, "error": { "code": 1, "message": "x" } }),
        json!({ "jsonrpc": "2.0", "id": {}, "error": 7 }),
    ] {
        editor.send(&message);
    }
    let hover = editor.answer("textDocument/hover", editor.at(0, 0));
    assert!(hover.get("error").is_none(), "{hover}");
    editor.ask("shutdown", Value::Null);
    editor.send(&json!({ "jsonrpc": "2.0", "method": "exit" }));
    assert_eq!(editor.child.wait().unwrap().code(), Some(0));
}

#[test]
fn after_a_wrong_length_reading_goes_on_at_the_next_header() {
    let newsroom = desk();
    let mut editor = Editor::open(&newsroom, DRAFT);
    let hover = |id: u64| {
        let at = json!({ "textDocument": { "uri": editor.uri }, "position": { "line": 0, "character": 0 } });
        json!({ "jsonrpc": "2.0", "id": id, "method": "textDocument/hover", "params": at }).to_string()
    };
    let (first, second) = (hover(70), hover(71));
    let framed = |length: usize, text: &str| format!("Content-Length: {length}\r\n\r\n{text}");
    let next = framed(second.len(), &second);
    let parse_error = (Value::Null, -32700);
    for broken in [
        framed(first.len() - 20, &first),
        framed(0, &first),
        format!("Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n{first}"),
        format!("Content-Length: many\r\n\r\n{first}"),
        format!("Content-Length: -4\r\n\r\n{first}"),
        format!("Content-Length: 99999999999999\r\n\r\n{first}"),
        format!("{first}\r\n"),
        "\r\n\r\n".to_owned(),
        "no header at all\n".repeat(5_000),
    ] {
        editor.send_bytes(format!("{broken}{next}").as_bytes());
        let shown: String = broken.chars().take(60).collect();
        assert_eq!(editor.next_error(), parse_error, "{shown}");
        let answer = editor.next_answer();
        assert_eq!(answer["id"], 71, "{shown}: {answer}");
    }
    // Too large a length: the message was whole, and so is the next one.
    for more in [1, 9, 25] {
        editor.send_bytes(format!("{}{next}", framed(first.len() + more, &first)).as_bytes());
        assert_eq!((&editor.next_answer()["id"], &editor.next_answer()["id"]), (&json!(70), &json!(71)), "{more}");
    }
    // Headers as other programs write them.
    for header in ["Content-Type: x\r\nContent-Length: ", "content-length:", "CONTENT-LENGTH: "] {
        editor.send_bytes(format!("{header}{}\r\n\r\n{second}", second.len()).as_bytes());
        assert_eq!(editor.next_answer()["id"], 71, "{header}");
    }
    assert_eq!(editor.end(), (Some(0), String::new()));
}

#[test]
fn an_input_that_ends_without_a_header_is_told_in_one_line() {
    let newsroom = desk();
    let mut editor = Editor::open(&newsroom, DRAFT);
    editor.send_bytes(b"no header at all");
    drop(editor.input);
    let mut said = String::new();
    editor.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.contains("the editor's messages cannot be read: 16 bytes have no Content-Length"), "{said}");
    assert_eq!(editor.child.wait().unwrap().code(), Some(2));
}
