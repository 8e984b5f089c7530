//! Chooses the model that writes among all models that a server lists: one that makes text, and of several the one that is loaded.

use serde_json::Value;

use super::own_pages::{PATIENCE, above};
use crate::llm::HttpService;
use copydesk_config::Endpoint;

/// Parts of the names of models for something else than text: vectors, order, speech, pictures, safety.
const ELSE: &str = "embed minilm rerank whisper stable-diffusion dall-e moderation guardian kokoro colbert";

/// The same as whole words of a name.
const WORDS: &str = "bge gte e5 clip siglip tts asr piper parakeet flux sdxl guard";

/// The model that writes; none if the server lists none that could. A server that says which one is loaded is heard: LM Studio on its own
/// list, llama.cpp's router beside each name.
pub async fn choose_writer(endpoint: &Endpoint, models: &[String]) -> Option<String> {
    let writers: Vec<&String> = models.iter().filter(|model| writes(model)).collect();
    let [first, _, ..] = writers.as_slice() else { return writers.first().map(|only| (*only).clone()) };
    let service = HttpService::with_key(false, None);
    let root = above(endpoint);
    for (endpoint, path) in [(&root, "/api/v0/models"), (endpoint, "/models")] {
        let asked = tokio::time::timeout(PATIENCE, service.json(endpoint, path, None, None)).await;
        let Ok(Ok(list)) = asked else { continue };
        if let Some(loaded) = writers.iter().find(|model| is_loaded(&list, model)) {
            return Some((*loaded).clone());
        }
    }
    Some((*first).clone())
}

/// Whether a model makes text, by its name.
fn writes(model: &str) -> bool {
    let name = model.to_lowercase();
    let mut words = name.split(|c: char| !c.is_alphanumeric());
    !ELSE.split(' ').any(|part| name.contains(part)) && !words.any(|word| WORDS.split(' ').any(|known| known == word))
}

/// Whether a list says that a model is loaded.
fn is_loaded(list: &Value, model: &str) -> bool {
    let entries = list.get("data").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let state = |entry: &Value| entry.get("state").or_else(|| entry.pointer("/status/value")).cloned();
    entries.iter().any(|entry| entry.get("id").is_some_and(|id| id == model) && state(entry) == Some("loaded".into()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_model_for_something_else_does_not_write() {
        for model in [
            "text-embedding-nomic-embed-text-v1.5",
            "mxbai-embed-large:latest",
            "all-minilm:l6-v2",
            "snowflake-arctic-embed2",
            "BAAI/bge-m3",
            "bge-reranker-v2-m3",
            "jina-reranker-v2",
            "multilingual-e5-large",
            "gte-qwen2-7b",
            "whisper-large-v3",
            "kokoro-tts",
            "tts-1",
            "dall-e-3",
            "black-forest-labs/FLUX.1-dev",
            "stable-diffusion-3.5-large",
            "omni-moderation-latest",
            "llama-guard-3-8b",
            "granite3-guardian:8b",
        ] {
            assert!(!writes(model), "{model}");
        }
        for model in ["mistral-nemo-instruct-2407-12b", "qwen3-8b", "gpt-4o", "vanguard-7b", "/models/Gemma-2.gguf"] {
            assert!(writes(model), "{model}");
        }
    }

    #[test]
    fn the_loaded_model_is_known_in_both_forms() {
        let studio = json!({"data": [{"id": "a", "state": "not-loaded"}, {"id": "b", "state": "loaded"}]});
        let router =
            json!({"data": [{"id": "a", "status": {"value": "unloaded"}}, {"id": "b", "status": {"value": "loaded"}}]});
        for list in [studio, router] {
            assert!(is_loaded(&list, "b") && !is_loaded(&list, "a"), "{list}");
        }
        assert!(!is_loaded(&json!({"data": [{"id": "b"}]}), "b") && !is_loaded(&json!([]), "b"));
    }
}
