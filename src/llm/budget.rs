//! Checks that a prompt fits its model's window. If its bytes fit, its tokens do too and are not counted.

use crate::{newsroom::Prompt, ports::CallError, text::tokens};

/// Checks that `prompt` has at most `limit` tokens.
///
/// # Errors
/// [`CallError::PromptTooLarge`] with the size of each part.
pub(super) async fn check(prompt: &Prompt, limit: u64, model: &str, encoding: &str) -> Result<(), CallError> {
    let bytes = prompt.bytes() as u64;
    // Tokens never outnumber bytes.
    if bytes <= limit {
        return Ok(());
    }
    let too_large =
        |size: String, parts: Vec<String>| CallError::PromptTooLarge { model: model.to_owned(), size, limit, parts };
    if bytes / tokens::LONGEST_TOKEN > limit {
        let sizes = parts(prompt).into_iter().map(|(name, text)| (name, text.len() as u64)).collect();
        return Err(too_large(format!("{bytes} bytes"), largest_first(sizes, "bytes")));
    }
    let counted = {
        let (parts, encoding) = (parts(prompt), encoding.to_owned());
        // The table takes a third of a second to load and counting a large source as long again.
        tokio::task::spawn_blocking(move || {
            parts.into_iter().map(|(name, text)| (name, tokens::count(&encoding, &text))).collect::<Vec<_>>()
        })
        .await
        .map_err(|error| too_large(format!("tokens that could not be counted ({error})"), Vec::new()))?
    };
    let total: u64 = counted.iter().map(|(_, tokens)| tokens).sum();
    if total <= limit { Ok(()) } else { Err(too_large(format!("{total} tokens"), largest_first(counted, "tokens"))) }
}

/// The prompt's parts by name; parts of the same name are joined. Calls and tools are a part each.
fn parts(prompt: &Prompt) -> Vec<(String, String)> {
    let mut parts: Vec<(String, String)> = Vec::new();
    let mut add = |name: &str, text: &str| match parts.iter_mut().find(|(known, _)| known == name) {
        Some((_, joined)) => joined.push_str(text),
        None => parts.push((name.to_owned(), text.to_owned())),
    };
    for message in &prompt.messages {
        for part in &message.parts {
            add(&part.name, &part.text);
        }
        for text in
            message.calls.iter().flat_map(|call| [&call.id, &call.name, &call.arguments]).chain(&message.answers)
        {
            add("calls", text);
        }
    }
    for tool in &prompt.tools {
        add("tools", &tool.text());
    }
    parts
}

fn largest_first(mut sizes: Vec<(String, u64)>, unit: &str) -> Vec<String> {
    sizes.sort_by_key(|(_, size)| std::cmp::Reverse(*size));
    sizes.into_iter().map(|(name, size)| format!("{name} {size} {unit}")).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::newsroom::{Message, Part, Role, Tool, ToolCall, ToolEffect};

    fn prompt(source: &str) -> Prompt {
        let part = |name: &str, text: &str| Part { name: name.into(), text: text.into() };
        Prompt::new(vec![
            Message::new(Role::System, vec![part("writer.md", "Write.")]),
            Message::new(Role::User, vec![part("SOURCE_TEXT", source), part("writer.md", "Now.")]),
        ])
    }

    #[tokio::test]
    async fn a_prompt_that_does_not_fit_says_which_part_is_how_large() {
        let source = "word ".repeat(100);
        assert_eq!(check(&prompt(&source), 600, "m", "o200k_base").await, Ok(()), "its bytes fit");
        assert_eq!(check(&prompt(&source), 110, "m", "o200k_base").await, Ok(()), "its tokens fit");
        let error = check(&prompt(&source), 50, "m", "o200k_base").await.unwrap_err();
        let said = error.to_string();
        assert!(said.contains("and at most 50 tokens fit"), "{said}");
        assert!(said.ends_with("its parts: SOURCE_TEXT 101 tokens, writer.md 3 tokens"), "{said}");
        assert!(!error.may_retry());
    }

    #[tokio::test]
    async fn tools_and_calls_count() {
        let mut prompt = prompt("");
        assert_eq!(check(&prompt, 50, "m", "o200k_base").await, Ok(()));
        prompt.tools.push(Tool {
            name: "search".into(),
            description: "word ".repeat(100),
            parameters: json!({"type": "object"}),
            effect: ToolEffect::Reads,
        });
        let call = ToolCall { id: "call_1".into(), name: "search".into(), arguments: "word ".repeat(200) };
        prompt.messages.push(Message { calls: vec![call], ..Message::new(Role::Assistant, vec![]) });
        prompt.messages.push(Message { answers: Some("call_1".into()), ..Message::new(Role::Tool, vec![]) });
        let said = check(&prompt, 50, "m", "o200k_base").await.unwrap_err().to_string();
        assert!(said.contains("its parts: calls 207 tokens, tools 108 tokens, writer.md 3 tokens"), "{said}");
        let counted: usize = parts(&prompt).iter().map(|(_, text)| text.len()).sum();
        assert_eq!(prompt.bytes(), counted, "what is compared with the limit first is what is counted then");
    }

    #[tokio::test]
    async fn a_prompt_far_beyond_is_not_counted() {
        let error = check(&prompt(&"x".repeat(1_000_000)), 100, "m", "o200k_base").await.unwrap_err();
        assert!(error.to_string().contains("SOURCE_TEXT 1000000 bytes"), "{error}");
    }
}
