//! How a tool is offered, and the arguments of a call, read strictly.

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};

use copydesk_newsroom::{Tool, ToolCall, ToolEffect, ToolResult};

/// Most bytes of a call's arguments.
const MOST: usize = 16 << 10;

/// The arguments of a tool that opens an address.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct UrlArguments {
    pub(super) url: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct QueryArguments {
    query: String,
    count: Option<usize>,
}

/// The offer of one tool that only reads: the JSON schemas of its arguments, and the one that must be there.
pub(super) fn offer(name: &str, description: &str, properties: &Value, required: &str) -> Vec<Tool> {
    let parameters = json!({
        "type": "object",
        "properties": properties,
        "required": [required],
        "additionalProperties": false
    });
    vec![Tool { name: name.into(), description: description.into(), parameters, effect: ToolEffect::Reads }]
}

/// Reads the arguments of a call; if they cannot be read, the result that tells the model so. `example` shows a call as it should be.
pub(super) fn read<T: DeserializeOwned>(call: &ToolCall, example: &str) -> Result<T, ToolResult> {
    let wrong = |why: &str| {
        ToolResult::failure(format!("The arguments of {} cannot be read: {why}. Call it with {example}.", call.name))
    };
    if call.arguments.len() > MOST {
        return Err(wrong(&format!("they are longer than {MOST} bytes")));
    }
    serde_json::from_str(&call.arguments).map_err(|error| wrong(&error.to_string()))
}

/// Reads the arguments of a search: its query, as [`query`] checks it, and how many results are wanted.
pub(super) fn search(call: &ToolCall, example: &str, most: usize) -> Result<(String, Option<usize>), ToolResult> {
    let QueryArguments { query: asked, count } = read(call, example)?;
    Ok((query(call, &asked, most)?.to_owned(), count))
}

/// A query, if it is not blank and has at most so many characters; otherwise the result that says so.
fn query<'q>(call: &ToolCall, query: &'q str, most: usize) -> Result<&'q str, ToolResult> {
    let query = query.trim();
    let failure = |why: String| Err(ToolResult::failure(format!("{} did not search: {why}.", call.name)));
    match query.chars().count() {
        0 => failure("the query is empty; write what to look for".to_owned()),
        long if long > most => failure(format!("the query has {long} characters, and {most} are allowed; shorten it")),
        _ => Ok(query),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn called(arguments: &str) -> ToolCall {
        ToolCall { id: "1".into(), name: "fetch_content".into(), arguments: arguments.into() }
    }

    #[test]
    fn a_model_is_told_what_is_wrong_with_its_arguments() {
        let read = |arguments: &str| read::<UrlArguments>(&called(arguments), r#"{"url": "https://…"}"#);
        assert_eq!(read(r#"{"url":"x"}"#).unwrap(), UrlArguments { url: "x".into() });
        for (arguments, says) in [
            ("", "EOF while parsing"),
            ("{}", "missing field `url`"),
            (r#"{"url": 3}"#, "invalid type: integer"),
            (r#"{"url": "x", "to": "y"}"#, "unknown field `to`"),
            (&"[".repeat(MOST + 1), "longer than 16384 bytes"),
        ] {
            let failed = read(arguments).unwrap_err();
            assert!(failed.failed && failed.text.contains(says), "{}", failed.text);
            assert!(failed.text.ends_with(r#"Call it with {"url": "https://…"}."#), "{}", failed.text);
        }
    }

    #[test]
    fn a_query_is_neither_blank_nor_long() {
        assert_eq!(query(&called(""), " park \n", 9), Ok("park"));
        assert!(query(&called(""), " \n", 9).unwrap_err().text.contains("empty"));
        assert!(query(&called(""), "ten letters", 9).unwrap_err().text.contains("11 characters, and 9"));
    }
}
