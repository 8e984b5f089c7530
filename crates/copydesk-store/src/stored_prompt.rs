//! A prompt as it is stored: long parts by reference.

use serde::{Deserialize, Serialize};

use copydesk_newsroom::Role;

/// A prompt without tools is its messages alone, as versions before tools wrote it.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum StoredPrompt {
    Plain(Vec<StoredMessage>),
    /// `tools` is the JSON of all tools: each turn of a conversation repeats it.
    WithTools {
        messages: Vec<StoredMessage>,
        tools: StoredPart,
    },
}

#[derive(Serialize, Deserialize)]
pub(super) struct StoredMessage {
    pub(super) role: Role,
    pub(super) parts: Vec<StoredPart>,
    /// The JSON of its calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) calls: Option<StoredPart>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) answers: Option<String>,
}

/// A part has either its text or the key of the stored text.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredPart {
    pub(super) name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) blob: Option<i64>,
}

impl StoredPrompt {
    /// All parts, in their order.
    pub(super) fn parts(&mut self) -> impl Iterator<Item = &mut StoredPart> {
        let (messages, tools) = match self {
            Self::Plain(messages) => (messages, None),
            Self::WithTools { messages, tools } => (messages, Some(tools)),
        };
        let parts = messages.iter_mut().flat_map(|message| message.parts.iter_mut().chain(&mut message.calls));
        parts.chain(tools)
    }
}

/// The keys of the texts that a stored prompt refers to; none if it is not a prompt.
pub(super) fn references_in(prompt: &[u8]) -> Option<Vec<i64>> {
    let mut prompt: StoredPrompt = serde_json::from_slice(prompt).ok()?;
    Some(prompt.parts().filter_map(|part| part.blob).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_without_tools_is_stored_as_it_always_was() {
        let stored =
            r#"[{"role":"system","parts":[{"name":"t","blob":3}]},{"role":"user","parts":[{"name":"p","text":"x"}]}]"#;
        let prompt: StoredPrompt = serde_json::from_str(stored).unwrap();
        assert_eq!(serde_json::to_string(&prompt).unwrap(), stored);
        assert_eq!(references_in(stored.as_bytes()), Some(vec![3]));
        let with_tools = r#"{"messages":[{"role":"assistant","parts":[{"name":"t","blob":3}],"calls":{"name":"calls","blob":4}},
            {"role":"tool","parts":[{"name":"r","blob":5}],"answers":"a"}],"tools":{"name":"tools","blob":6}}"#;
        assert_eq!(references_in(with_tools.as_bytes()), Some(vec![3, 4, 5, 6]));
        assert_eq!(references_in(b"no prompt"), None);
    }
}
