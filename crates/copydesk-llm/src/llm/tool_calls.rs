//! The calls of tools in an answer, put together from their pieces. Servers differ in how they tell one call from the next: by an index, by
//! an id, by both, by the same index for all, or not at all. All pieces are bounded here.

use std::{borrow::Cow, collections::HashSet};

use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use copydesk_config::Secrets;
use copydesk_newsroom::ToolCall;
use copydesk_text::sanitise;

/// Most calls of one turn.
const MOST_CALLS: usize = 32;
/// Most bytes of a call's arguments.
const MOST_ARGUMENTS: usize = 64 << 10;
/// Most characters of a tool's name: OpenAI's limit.
const LONGEST_NAME: usize = 64;
/// Most bytes of a server's id. Gemini's hold a signature of some kilobytes, which must come back.
const LONGEST_ID: usize = 16 << 10;

/// The calls as far as they came.
#[derive(Debug, Default)]
pub(super) struct PartialCalls {
    calls: Vec<PartialCall>,
    /// How many lists of pieces came.
    lists: usize,
    /// Why the calls cannot be used, as far as they came.
    pub(super) flaw: Option<String>,
}

#[derive(Debug, Default)]
struct PartialCall {
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
    /// The list that its last piece came in.
    list: usize,
}

/// A piece of a call, or a whole one.
struct CallPiece<'a> {
    index: Option<u64>,
    id: &'a str,
    name: &'a str,
    arguments: Cow<'a, str>,
}

impl<'a> CallPiece<'a> {
    fn read(piece: &'a Value) -> Self {
        // Some servers leave the level `function` out.
        let function = piece.get("function").unwrap_or(piece);
        let text = |of: &'a Value, key: &str| of.get(key).and_then(Value::as_str).unwrap_or_default();
        let arguments = match function.get("arguments") {
            None | Some(Value::Null) => Cow::Borrowed(""),
            Some(Value::String(text)) => Cow::Borrowed(text.as_str()),
            Some(value) => Cow::Owned(value.to_string()),
        };
        Self {
            index: piece.get("index").and_then(Value::as_u64),
            id: text(piece, "id"),
            name: text(function, "name"),
            arguments,
        }
    }
}

impl PartialCalls {
    /// Adds a message's `tool_calls`. In a whole body each of them is a call of its own; in a stream it may go on with an earlier one.
    pub(super) fn add(&mut self, pieces: &Value, whole: bool) {
        self.lists += 1;
        for piece in pieces.as_array().map(Vec::as_slice).unwrap_or_default() {
            if self.flaw.is_none() {
                self.take(&CallPiece::read(piece), whole);
            }
        }
    }

    /// Adds a whole call.
    pub(super) fn push(&mut self, name: &str, arguments: String) {
        self.take(&CallPiece { index: None, id: "", name, arguments: Cow::Owned(arguments) }, true);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    fn take(&mut self, piece: &CallPiece<'_>, whole: bool) {
        let candidate = if whole { None } else { self.candidate(piece) };
        let place = match candidate.and_then(|place| self.calls.get(place).map(|call| (place, call))) {
            Some((_, call)) if repeats(call, piece) => return,
            Some((place, call)) if !begins(call, piece, self.lists) => place,
            _ if self.calls.len() == MOST_CALLS => {
                self.flaw = Some(format!("it calls tools more than {MOST_CALLS} times at once"));
                return;
            }
            _ => {
                self.calls.push(PartialCall { index: piece.index, ..PartialCall::default() });
                self.calls.len() - 1
            }
        };
        let Some(call) = self.calls.get_mut(place) else { return };
        call.list = self.lists;
        if call.id.is_empty() && piece.id.len() <= LONGEST_ID {
            piece.id.clone_into(&mut call.id);
        }
        // A name may come in pieces, or again with each piece. A name that is too long is cut below.
        if call.name != piece.name && call.name.len() <= LONGEST_NAME {
            call.name.extend(piece.name.chars().take(LONGEST_NAME));
        }
        if call.arguments.len() + piece.arguments.len() > MOST_ARGUMENTS {
            self.flaw = Some(format!("the arguments of a call have more than {} KiB", MOST_ARGUMENTS >> 10));
            return;
        }
        call.arguments.push_str(&piece.arguments);
    }

    /// The place of the call that a piece may go on with.
    fn candidate(&self, piece: &CallPiece<'_>) -> Option<usize> {
        let last = self.calls.len().checked_sub(1);
        match piece.index {
            Some(index) => self.calls.iter().rposition(|call| call.index == Some(index)),
            None if piece.id.is_empty() => last,
            None => self
                .calls
                .iter()
                .rposition(|call| call.id == piece.id)
                .or_else(|| last.filter(|_| piece.name.is_empty())),
        }
    }

    /// The calls in their order, without secrets. Each has an id of its own.
    ///
    /// # Errors
    /// Why they cannot be used.
    pub(super) fn finish(self, secrets: &Secrets) -> Result<Vec<ToolCall>, Flawed> {
        if let Some(flaw) = self.flaw {
            return Err(Flawed(flaw));
        }
        let mut ids = HashSet::new();
        let mut calls = Vec::new();
        for call in self.calls {
            if call.name.trim().is_empty() && call.arguments.trim().is_empty() {
                continue;
            }
            let name = name(&secrets.hide_in_message(&call.name));
            if name.is_empty() {
                return Err(Flawed("it calls a tool without a name".to_owned()));
            }
            let arguments = match call.arguments.trim() {
                "" => "{}".to_owned(),
                _ => secrets.hide_in_answer(call.arguments),
            };
            calls.push(ToolCall { id: id(call.id, calls.len() + 1, secrets, &mut ids), name, arguments });
        }
        Ok(calls)
    }
}

/// Why calls cannot be used.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Flawed(pub(super) String);

/// Whether a piece is the first of another call, although it has the index or the id of `call`.
fn begins(call: &PartialCall, piece: &CallPiece<'_>, list: usize) -> bool {
    if piece.name.is_empty() || call.name.is_empty() {
        return false;
    }
    let other_id = !piece.id.is_empty() && !call.id.is_empty() && piece.id != call.id;
    let other_name = piece.index.is_none() && piece.id.is_empty() && piece.name != call.name;
    call.list == list || other_id || other_name || begins_anew(call, piece)
}

/// Whether a piece is a call that came already: some servers close a stream with the calls whole.
fn repeats(call: &PartialCall, piece: &CallPiece<'_>) -> bool {
    let same = !piece.id.is_empty() && piece.id == call.id && piece.name == call.name;
    same && piece.arguments == call.arguments && begins_anew(call, piece)
}

/// Whether the call's arguments are whole and a piece begins others.
fn begins_anew(call: &PartialCall, piece: &CallPiece<'_>) -> bool {
    piece.arguments.trim_start().starts_with('{')
        && call.arguments.trim_end().ends_with('}')
        && serde_json::from_str::<IgnoredAny>(&call.arguments).is_ok()
}

/// A name that every server takes back, so that the conversation can go on: letters, digits, `_` and `-`, at most 64.
fn name(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    name.trim().chars().map(plain).take(LONGEST_NAME).collect()
}

/// The server's id if it can be used, else one that is made: `call_1` for the first.
fn id(given: String, number: usize, secrets: &Secrets, taken: &mut HashSet<String>) -> String {
    let usable = !given.is_empty() && sanitise::one_line(&given) == given && secrets.hide_in_message(&given) == given;
    if usable && taken.insert(given.clone()) {
        return given;
    }
    let made = |number: usize| format!("call_{number}");
    // One more than there are taken: one of them is free.
    let free = (number..=number + taken.len()).map(made).find(|id| !taken.contains(id)).unwrap_or_else(|| made(0));
    taken.insert(free.clone());
    free
}

/// The arguments as an object. Several servers refuse a conversation in which a call has others, so what is none stands inside one.
pub(super) fn arguments_object(arguments: &str) -> Map<String, Value> {
    serde_json::from_str(arguments)
        .unwrap_or_else(|_| Map::from_iter([("unreadable".to_owned(), Value::from(arguments))]))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use copydesk_config::Secret;

    fn call(id: &str, name: &str, arguments: &str) -> ToolCall {
        ToolCall { id: id.into(), name: name.into(), arguments: arguments.into() }
    }

    fn put_together(lists: &[Value], whole: bool) -> Result<Vec<ToolCall>, Flawed> {
        let mut calls = PartialCalls::default();
        for list in lists {
            calls.add(list, whole);
        }
        calls.finish(&Secrets::default())
    }

    fn streamed(lists: &[Value]) -> Vec<ToolCall> {
        put_together(lists, false).unwrap()
    }

    fn piece(index: Value, id: &str, name: &str, arguments: &str) -> Value {
        let mut piece = json!({"type": "function", "function": {"name": name, "arguments": arguments}});
        if !index.is_null() {
            piece["index"] = index;
        }
        if !id.is_empty() {
            piece["id"] = id.into();
        }
        piece
    }

    #[test]
    fn parallel_calls_come_in_pieces_by_their_index() {
        let none = Value::Null;
        let lists = [
            json!([{"index": 0, "id": "a", "type": "function", "function": {"name": "search", "arguments": ""}}]),
            json!([{"index": 0, "function": {"arguments": "{\"q\":"}}]),
            json!([{"index": 1, "id": "b", "function": {"name": "fetch", "arguments": "{\"u"}}]),
            json!([{"index": 0, "function": {"arguments": "\"park\"}"}}, {"index": 1, "function": {"arguments": "\":1}"}}]),
        ];
        let two = [call("a", "search", "{\"q\":\"park\"}"), call("b", "fetch", "{\"u\":1}")];
        assert_eq!(streamed(&lists), two);
        // Without an index: by the id, or by where the last one ended.
        let ids = [
            json!([piece(none.clone(), "a", "search", "{\"q\":")]),
            json!([piece(none.clone(), "b", "fetch", "{\"u")]),
            json!([piece(none.clone(), "a", "", "\"park\"}")]),
            json!([piece(none.clone(), "b", "", "\":1}")]),
        ];
        assert_eq!(streamed(&ids), two);
        let neither = [
            json!([piece(none.clone(), "", "search", "")]),
            json!([piece(none.clone(), "", "", "{\"q\":\"park\"}")]),
            json!([piece(none.clone(), "", "fetch", "{\"u\":1}")]),
            json!([piece(none, "", "fetch", "{\"u\":2}")]),
        ];
        let three = [
            call("call_1", "search", "{\"q\":\"park\"}"),
            call("call_2", "fetch", "{\"u\":1}"),
            call("call_3", "fetch", "{\"u\":2}"),
        ];
        assert_eq!(streamed(&neither), three);
    }

    #[test]
    fn the_same_index_for_all_and_other_ids_for_pieces_are_told_apart() {
        let zero = || json!(0);
        // Gemini's: whole calls, each with the index 0, with and without ids, in one list and in several.
        let lists = [
            json!([piece(zero(), "a", "search", "{\"q\":1}"), piece(zero(), "b", "search", "{\"q\":2}")]),
            json!([piece(zero(), "c", "search", "{\"q\":3}")]),
        ];
        let asked = |id: &str, q: u8| call(id, "search", &format!("{{\"q\":{q}}}"));
        assert_eq!(streamed(&lists), [asked("a", 1), asked("b", 2), asked("c", 3)]);
        let lists = [1, 2].map(|q| json!([piece(zero(), "", "search", &format!("{{\"q\":{q}}}"))]));
        assert_eq!(streamed(&lists), [asked("call_1", 1), asked("call_2", 2)]);
        // Some give each piece an id of its own, and no name.
        let lists = [json!([piece(zero(), "a", "search", "{\"q\"")]), json!([piece(zero(), "x", "", ":1}")])];
        assert_eq!(streamed(&lists), [asked("a", 1)]);
        let lists = [json!([piece(Value::Null, "a", "search", "{\"q\"")]), json!([piece(Value::Null, "x", "", ":1}")])];
        assert_eq!(streamed(&lists), [asked("a", 1)]);
        // The name again with each piece, or in pieces; the id before the name; the call once more at the end.
        let lists = [
            json!([piece(zero(), "a", "search", "{\"q\"")]),
            json!([piece(zero(), "a", "search", ":1}")]),
            json!([piece(zero(), "a", "search", "{\"q\":1}")]),
        ];
        assert_eq!(streamed(&lists), [asked("a", 1)]);
        let lists = [
            json!([{"index": 0, "id": "a"}]),
            json!([piece(zero(), "", "sea", "")]),
            json!([piece(zero(), "", "rch", "{\"q\":1}")]),
        ];
        assert_eq!(streamed(&lists), [asked("a", 1)]);
    }

    #[test]
    fn whole_calls_are_read_in_every_form_that_servers_send() {
        let body = json!([
            {"id": "x", "function": {"name": "search", "arguments": {"q": "park"}}},
            {"id": "x", "function": {"name": "search", "arguments": {"q": "park"}}},
            {"name": "now"},
            {"id": "call_2", "function": {"name": "functions.now", "arguments": null}},
            {"function": {"name": " ", "arguments": ""}},
        ]);
        let calls = put_together(&[body], true).unwrap();
        let search = "{\"q\":\"park\"}";
        let expected = [
            call("x", "search", search),
            call("call_2", "search", search),
            call("call_3", "now", "{}"),
            call("call_4", "functions_now", "{}"),
        ];
        assert_eq!(calls, expected);
        assert_eq!(put_together(&[json!("nothing")], true), Ok(vec![]));
        let named =
            put_together(&[json!([{"name": "se\u{1b}[2Jarch\u{202e} web".to_owned() + &"x".repeat(90)}])], true);
        assert_eq!(named.unwrap()[0].name, "search_web".to_owned() + &"x".repeat(49));
        let odd = json!([{"id": "a\nb", "name": "now"}, {"id": "y".repeat(LONGEST_ID + 1), "name": "now"}]);
        assert_eq!(put_together(&[odd], true).unwrap(), [call("call_1", "now", "{}"), call("call_2", "now", "{}")]);
    }

    #[test]
    fn too_many_too_long_or_nameless_calls_are_an_error() {
        let flaw = |lists: &[Value]| put_together(lists, false).unwrap_err().0;
        let many = |count: usize| json!((0..count).map(|at| piece(json!(at), "", "now", "{}")).collect::<Vec<_>>());
        assert_eq!(streamed(&[many(MOST_CALLS)]).len(), MOST_CALLS);
        assert_eq!(flaw(&[many(MOST_CALLS + 1)]), "it calls tools more than 32 times at once");
        let half = "x".repeat(MOST_ARGUMENTS / 2);
        let long = |more: &str| {
            [piece(json!(0), "", "now", &half), piece(json!(0), "", "", &half), piece(json!(0), "", "", more)]
                .map(|piece| json!([piece]))
        };
        assert_eq!(streamed(&long(""))[0].arguments.len(), MOST_ARGUMENTS);
        assert_eq!(flaw(&long("x")), "the arguments of a call have more than 64 KiB");
        assert_eq!(flaw(&[json!([{"function": {"arguments": "{}"}}])]), "it calls a tool without a name");
    }

    #[test]
    fn no_secret_is_left_in_a_call() {
        let key = "sk-0123456789";
        let secrets = Secrets::new(vec![Secret::new(key.into())]);
        let mut calls = PartialCalls::default();
        calls.add(&json!([piece(json!(0), key, key, "{\"q\":\"s\\u006b-0123456789\"}")]), true);
        let calls = calls.finish(&secrets).unwrap();
        assert_eq!(calls, [call("call_1", "_secret_", "{\"q\":\"[secret]\"}")]);
    }

    #[test]
    fn arguments_that_are_no_object_are_sent_inside_one() {
        assert_eq!(Value::from(arguments_object("{\"q\": 1}")), json!({"q": 1}));
        assert_eq!(Value::from(arguments_object("[1")), json!({"unreadable": "[1"}));
    }
}
