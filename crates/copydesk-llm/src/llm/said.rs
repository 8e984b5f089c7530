//! Reads a server's own words about a failure, from any form of error, and never the parts that repeat the prompt.

use std::collections::VecDeque;

use serde_json::Value;

/// Where servers put words of their own. A field such as FastAPI's `input` repeats the request, and is not read.
const FIELDS: &str =
    "error errors message detail details msg type code param loc reason title description metadata raw error_type";
/// Most characters that are looked at.
const MOST: usize = 4_000;

/// The words of an error, one below the other, in lower case.
pub(super) fn words(error: &Value) -> String {
    let mut words = String::new();
    let mut open = VecDeque::from([error]);
    while let Some(value) = open.pop_front().filter(|_| words.len() < MOST) {
        match value {
            Value::String(text) => add(&mut words, text),
            Value::Number(number) => add(&mut words, &number.to_string()),
            Value::Array(values) => open.extend(values),
            Value::Object(fields) => open.extend(FIELDS.split(' ').filter_map(|field| fields.get(field))),
            Value::Null | Value::Bool(_) => {}
        }
    }
    words
}

fn add(words: &mut String, text: &str) {
    let left = MOST.saturating_sub(words.len());
    words.extend(text.chars().take(left).flat_map(char::to_lowercase));
    words.push('\n');
}

/// The message of an error body: `{"error": {"message": …}}`, `{"error": "…"}`, `{"message": …}`, `{"detail": …}`, FastAPI's list.
pub(super) fn message(error: &Value) -> String {
    let inner = error.get("error").filter(|inner| !inner.is_null()).unwrap_or(error);
    let said = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Object(fields) => fields.get("detail").and_then(listed),
        other => listed(other),
    };
    let said = [inner.get("message"), inner.get("detail"), Some(inner)].into_iter().flatten().find_map(said);
    said.unwrap_or_else(|| if inner.is_null() { String::new() } else { inner.to_string() })
}

/// FastAPI's list of what is wrong, each with its place.
fn listed(details: &Value) -> Option<String> {
    let one = |detail: &Value| {
        let said = detail.get("msg")?.as_str()?;
        let place: Vec<&str> = detail.get("loc").and_then(Value::as_array)?.iter().filter_map(Value::as_str).collect();
        Some(format!("{}: {said}", place.join(".")))
    };
    let details: Vec<String> = details.as_array()?.iter().map(one).collect::<Option<_>>()?;
    (!details.is_empty()).then(|| details.join("; "))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_message_is_found_in_each_form() {
        for (error, says) in [
            (json!({"error": {"message": "no memory", "code": 500}}), "no memory"),
            (json!({"error": "plain"}), "plain"),
            (json!({"message": "bare", "object": "error"}), "bare"),
            (json!({"detail": "gone"}), "gone"),
            (
                json!({"detail": [{"loc": ["body", "stream_options"], "msg": "Extra inputs are not permitted", "input": {"a": 1}}]}),
                "body.stream_options: Extra inputs are not permitted",
            ),
            (json!({"object": "error", "message": {"detail": [{"loc": ["body"], "msg": "no"}]}}), "body: no"),
            (json!({"detail": [1]}), "{\"detail\":[1]}"),
        ] {
            assert_eq!(message(&error), says, "{error}");
        }
    }

    #[test]
    fn the_words_are_the_servers_and_not_the_prompts() {
        let error = json!({"error": {"message": "Odd", "code": 400, "metadata": {"raw": "{\"error\":\"Why\"}"}},
            "detail": [{"msg": "Extra", "input": {"messages": "the context length is exceeded"}}]});
        let said = words(&error);
        assert!(
            said.contains("odd") && said.contains("why") && said.contains("extra") && said.contains("400"),
            "{said}"
        );
        assert!(!said.contains("context"), "{said}");
    }
}
