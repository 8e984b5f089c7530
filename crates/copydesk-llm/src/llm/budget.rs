//! Checks that a prompt fits its model's window. If its bytes fit, its tokens do too and are not counted.

use tokio::task::JoinError;

use copydesk_core::ports::CallError;
use copydesk_newsroom::{Prompt, Usage};
use copydesk_text::{thousands, tokens};

/// The tokenizer that a server's count is compared with, whatever prompts are counted with: of those in use none makes half as many
/// tokens of a text.
const DENSEST: &str = "o200k_base";
/// A server that says that it read fewer tokens counts only those that it did not have in its cache. No window is smaller.
const LEAST_WINDOW: u64 = 1000;
/// The tokens that Ollama may keep of a prompt's beginning, beside half of its context.
const CUT_SLACK: u64 = 8;
/// Bytes of a token in texts of any language that is written in letters. A prompt with no more of them was read whole, and is not counted.
const MOST_BYTES_A_TOKEN: u64 = 5;

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
    let counted = counted(prompt, encoding)
        .await
        .map_err(|error| too_large(format!("tokens that could not be counted ({error})"), Vec::new()))?;
    let total: u64 = counted.iter().map(|(_, tokens)| tokens).sum();
    if total <= limit { Ok(()) } else { Err(too_large(format!("{total} tokens"), largest_first(counted, "tokens"))) }
}

/// The tokens of a prompt.
pub(super) async fn count(prompt: &Prompt, encoding: &str) -> Option<u64> {
    Some(counted(prompt, encoding).await.ok()?.iter().map(|(_, tokens)| tokens).sum())
}

/// The tokens of each part of a prompt. The table takes a third of a second to load and counting a large source as long again.
async fn counted(prompt: &Prompt, encoding: &str) -> Result<Vec<(String, u64)>, JoinError> {
    let (parts, encoding) = (parts(prompt), encoding.to_owned());
    let count = move || parts.into_iter().map(|(name, text)| (name, tokens::count(&encoding, &text))).collect();
    tokio::task::spawn_blocking(count).await
}

/// Checks that a server read the whole prompt. Ollama cuts one that is longer than its context, and says nothing of it but the number of
/// tokens that it read.
///
/// Tokenizers differ, and a server may count fewer tokens than we do. But none counts less than half. Ollama cuts to a power of two,
/// or a few tokens more: its context, or half of it (<https://github.com/ollama/ollama/issues/17427>). Then a quarter is enough.
///
/// # Errors
/// [`CallError::Overflow`] with both numbers.
pub(super) async fn check_read(prompt: &Prompt, usage: Usage, host: &str) -> Result<(), CallError> {
    let cached = usage.cached_tokens.unwrap_or(0);
    // Some count what was in the cache apart.
    let read = usage.prompt_tokens.map(|read| if cached > read { read.saturating_add(cached) } else { read });
    let Some(read) = read.filter(|read| *read >= LEAST_WINDOW) else { return Ok(()) };
    if prompt.bytes() as u64 <= read.saturating_mul(MOST_BYTES_A_TOKEN) {
        return Ok(());
    }
    let sent = count(prompt, DENSEST).await.unwrap_or(0);
    let is_cut_size = (0..=CUT_SLACK).any(|more| read.saturating_sub(more).is_power_of_two());
    let most = if is_cut_size { read.saturating_add(read / 4) } else { read.saturating_mul(2) };
    if sent <= most {
        return Ok(());
    }
    let [few, all] = [read, sent].map(thousands);
    let detail = format!("the server read only {few} of {all} tokens; raise its context (num_ctx)");
    Err(CallError::Overflow { host: host.to_owned(), sent: Some(sent), window: Some(read), detail })
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
    use copydesk_newsroom::{Message, Part, Role, Tool, ToolCall, ToolEffect};

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
    async fn a_prompt_that_the_server_cut_without_a_word_is_an_overflow() {
        let usage = |read: u64, cached: Option<u64>| Usage {
            prompt_tokens: Some(read),
            cached_tokens: cached,
            ..Usage::default()
        };
        let prompt = prompt(&"The council voted on the plan for the park. ".repeat(980));
        let sent = count(&prompt, DENSEST).await.unwrap();
        assert!((9_700..9_900).contains(&sent), "{sent}");
        let check =
            async |read, cached| check_read(&prompt, usage(read, cached), "h").await.map_err(|error| error.to_string());
        let told = check(4096, None).await.unwrap_err();
        let says = format!("the server read only 4,096 of {} tokens; raise its context (num_ctx)", thousands(sent));
        assert!(told.contains(&says), "{told}");
        for (read, cached) in [(3000, None), (4096, Some(3000)), (4099, None), (2050, None)] {
            assert!(check(read, cached).await.is_err(), "{read}");
        }
        let short = self::prompt(&"The council voted on the plan for the park. ".repeat(400));
        assert!(check_read(&short, usage(2050, None), "h").await.is_err(), "half of 4,096 was read of 4,000");
        // A denser tokenizer, a template around the prompt, what was in a cache and is counted apart, and nothing that a window can be.
        for (read, cached) in [
            (sent, None),
            (sent + 500, Some(sent)),
            (sent * 6 / 10, None),
            (1800, Some(sent - 1800)),
            (12, None),
            (700, None),
        ] {
            assert_eq!(check(read, cached).await, Ok(()), "{read} {cached:?}");
        }
        assert_eq!(check(8192, None).await, Ok(()), "a fifth is no proof");
        assert_eq!(check_read(&prompt, Usage::default(), "h").await, Ok(()));
    }

    #[tokio::test]
    async fn a_prompt_far_beyond_is_not_counted() {
        let error = check(&prompt(&"x".repeat(1_000_000)), 100, "m", "o200k_base").await.unwrap_err();
        assert!(error.to_string().contains("SOURCE_TEXT 1000000 bytes"), "{error}");
    }
}
