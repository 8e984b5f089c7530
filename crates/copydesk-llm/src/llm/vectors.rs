//! Reads an embedder's answer: lenient in form, strict about what is kept.

use serde_json::Value;

use super::answer::{Failed, failed};
use copydesk_core::ports::{CallError, EmbedError, normalised};

/// The vectors in the answer of `host`, in the order of the texts, each of length 1 and all with the same number of components. An error's
/// words may have secrets in them.
pub(super) fn read(body: &[u8], texts: usize, host: &str) -> Result<Vec<Vec<f32>>, EmbedError> {
    let from = || host.to_owned();
    let unreadable = |detail: String| EmbedError::Call(CallError::Unreadable { host: from(), detail });
    // Python servers write NaN in place of a number, which is not JSON; it is read so that the message can name it.
    let lenient = |error| {
        let text = String::from_utf8_lossy(body);
        let odd =
            ["-Infinity", "Infinity", "NaN"].iter().fold(text.into_owned(), |text, odd| text.replace(odd, "null"));
        serde_json::from_str(&odd).map_err(|_| error)
    };
    let parsed: Value = serde_json::from_slice(body)
        .or_else(lenient)
        .map_err(|error: serde_json::Error| unreadable(format!("the body is not JSON: {error}")))?;
    if parsed.get("error").is_some()
        && let Some(failed) = failed(&parsed)
    {
        let Failed { status, message, .. } = failed;
        return Err(EmbedError::Call(CallError::Status { host: from(), status, message, retry_after: None }));
    }
    // llama.cpp's own form is the list alone.
    let Value::Array(items) = parsed.get("data").unwrap_or(&parsed) else {
        return Err(unreadable("the body has no list of vectors (data)".into()));
    };
    if items.len() != texts {
        return Err(EmbedError::Count { from: from(), got: items.len(), wanted: texts });
    }
    let mut vectors: Vec<Vec<f32>> = vec![Vec::new(); texts];
    let mut length = None;
    for (position, item) in items.iter().enumerate() {
        let index = item.get("index").and_then(Value::as_i64);
        let text = index.map_or(position, |index| usize::try_from(index).unwrap_or(usize::MAX));
        let numbers = numbers(item).map_err(|why| unreadable(why.into()))?;
        let vector = normalised(numbers).map_err(|problem| EmbedError::NoDirection {
            from: from(),
            text: text.saturating_add(1),
            texts,
            problem,
        })?;
        let (was, is) = (*length.get_or_insert(vector.len()), vector.len());
        if was != is {
            return Err(EmbedError::Dimension { from: from(), was, is });
        }
        match vectors.get_mut(text) {
            Some(place) if place.is_empty() => *place = vector,
            _ => return Err(unreadable("the numbers of its vectors (index) do not match the texts".into())),
        }
    }
    Ok(vectors)
}

/// The numbers of an item; null becomes NaN.
fn numbers(item: &Value) -> Result<Vec<f32>, &'static str> {
    let Some(mut list) = item.get("embedding").and_then(Value::as_array) else {
        return Err("an item has no list of numbers (embedding)");
    };
    if let Some(Value::Array(inner)) = list.first() {
        // Some servers put the vector into a list of its own, or give one for each token.
        if list.len() > 1 {
            return Err(
                "it gave a vector for each token of a text; the server has to pool them (llama.cpp: --pooling mean)",
            );
        }
        list = inner;
    }
    let number = |number: &Value| match number {
        Value::Null => Ok(f32::NAN),
        #[expect(
            clippy::cast_possible_truncation,
            reason = "vectors are kept in f32; what is beyond it becomes infinite"
        )]
        _ => number.as_f64().map(|number| number as f32).ok_or("a vector holds something that is not a number"),
    };
    list.iter().map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why(body: &str, texts: usize) -> String {
        match read(body.as_bytes(), texts, "h") {
            Err(EmbedError::Call(CallError::Unreadable { detail, .. })) => detail,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn vectors_come_in_several_forms() {
        let two = Ok(vec![vec![1.0, 0.0], vec![0.6, 0.8]]);
        for body in [
            r#"{"object": "list", "data": [{"index": 0, "embedding": [1, 0]}, {"index": 1, "embedding": [3.0, 4e0]}], "usage": {}}"#,
            r#"{"data": [{"index": 1, "embedding": [0.6, 0.8]}, {"index": 0, "embedding": [2.0, 0.0]}]}"#,
            r#"{"data": [{"embedding": [5, 0]}, {"embedding": [6, 8]}], "error": null}"#,
            r#"{"data": [{"index": 0, "embedding": [[1, 0]]}, {"index": null, "embedding": [[3, 4]]}]}"#,
            r#"[{"index": 0, "embedding": [[1, 0]]}, {"index": 1, "embedding": [[3, 4]]}]"#,
        ] {
            assert_eq!(read(body.as_bytes(), 2, "h"), two, "{body}");
        }
    }

    #[test]
    fn what_is_no_list_of_vectors_says_so() {
        assert!(why("<html>", 1).starts_with("the body is not JSON"));
        assert!(why(&"[".repeat(100_000), 1).starts_with("the body is not JSON"));
        assert_eq!(why(r#"{"choices": []}"#, 1), "the body has no list of vectors (data)");
        assert_eq!(why(r#"{"data": [[1, 0]]}"#, 1), "an item has no list of numbers (embedding)");
        assert_eq!(why(r#"{"data": [{"embedding": "AACAPw=="}]}"#, 1), "an item has no list of numbers (embedding)");
        assert_eq!(why(r#"{"data": [{"embedding": ["1", 0]}]}"#, 1), "a vector holds something that is not a number");
        assert!(why(r#"{"data": [{"embedding": [[1, 0], [0, 1]]}]}"#, 1).contains("--pooling mean"));
        for index in ["-1", "2", "0"] {
            let body =
                format!(r#"{{"data": [{{"index": 0, "embedding": [1]}}, {{"index": {index}, "embedding": [1]}}]}}"#);
            assert!(why(&body, 2).contains("(index) do not match the texts"), "{index}");
        }
    }

    #[test]
    fn what_is_no_vector_is_refused() {
        let reads = |first: &str, second: &str| {
            read(format!(r#"{{"data": [{{"embedding": {first}}}, {{"embedding": {second}}}]}}"#).as_bytes(), 2, "h")
        };
        let from = || "h".to_owned();
        let pointless = |text, problem| Err(EmbedError::NoDirection { from: from(), text, texts: 2, problem });
        for bad in ["[NaN, 1]", "[null, 1]", "[1, Infinity]", "[1, -Infinity]", "[1e300, 1]"] {
            let problem = "one of its numbers is not finite";
            assert_eq!(reads("[1, 0]", bad), pointless(2, problem), "{bad}");
        }
        assert_eq!(reads("[0, 0.0]", "[1, 0]"), pointless(1, "it holds only zeros"));
        assert_eq!(reads("[]", "[]"), pointless(1, "it is empty"));
        assert_eq!(reads("[1, 0]", "[1]"), Err(EmbedError::Dimension { from: from(), was: 2, is: 1 }));
        assert_eq!(read(br#"{"data": []}"#, 2, "h"), Err(EmbedError::Count { from: from(), got: 0, wanted: 2 }));
        let refused = CallError::Status { host: from(), status: 503, message: "loading".into(), retry_after: None };
        assert_eq!(read(br#"{"error": {"message": "loading", "code": 503}}"#, 2, "h"), Err(EmbedError::Call(refused)));
    }
}
