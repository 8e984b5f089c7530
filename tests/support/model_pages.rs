//! Copies of what model servers say of themselves and of how they answer short questions, after their documents.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use super::{
    script,
    server::{Call, Reply, Server},
};

/// How a model answers the questions of a trial.
#[derive(Debug, Clone, Copy)]
pub struct Manners {
    /// The form in which it can be held to a schema.
    pub schema: Option<&'static str>,
    pub tools: bool,
    /// The fields of a request that it refuses, with its words.
    pub refuses: &'static [(&'static str, &'static str)],
}

impl Default for Manners {
    fn default() -> Self {
        Self { schema: Some("json_schema"), tools: true, refuses: &[] }
    }
}

/// An answer to a question of a trial; the usual story's to all others.
pub fn answer(call: &Call, manners: Manners) -> Reply {
    let refused = |field: &str| {
        let messages = call.body["messages"].as_array().cloned().unwrap_or_default();
        call.body.get(field).is_some() || messages.iter().any(|message| message["role"] == field)
    };
    if let Some((_, words)) = manners.refuses.iter().find(|(field, _)| refused(field)) {
        let error = json!({"error": {"message": words, "type": "invalid_request_error"}});
        return Reply::Status(400, Vec::new(), error.to_string());
    }
    let asked = call.body["messages"].to_string();
    if asked.contains("Name a colour") {
        let keeps = manners.schema.is_some() && call.body["response_format"]["type"].as_str() == manners.schema;
        return Reply::Text(if keeps { r#"{"zebra_41":"qx-7"}"#.into() } else { r#"{"colour":"blue"}"#.into() });
    }
    if asked.contains("Look up the weather") && manners.tools {
        let called = json!({"index": 0, "id": "c1", "type": "function",
            "function": {"name": "weather", "arguments": "{\"place\":\"Larkmoor\"}"}});
        let chunk = json!({"choices": [{"delta": {"tool_calls": [called]}, "finish_reason": "tool_calls"}]});
        return Reply::raw("text/event-stream", format!("data: {chunk}\n\ndata: [DONE]\n\n"));
    }
    if asked.contains("Repeat the first two sentences") {
        return Reply::Text("The council of Eastbrook met on Tuesday evening. Nine members were present.".into());
    }
    if asked.contains("the one word: ready") || asked.contains("Look up the weather") {
        return Reply::Text("ready".into());
    }
    script::usual(call)
}

fn page(body: &Value) -> Reply {
    Reply::raw("application/json", body.to_string())
}

fn none() -> Reply {
    Reply::Status(404, Vec::new(), r#"{"error": "not found"}"#.into())
}

/// llama.cpp's server, with so many slots of so many tokens. Its first `loading` answers are 503.
pub fn llama_cpp(slots: u32, window: u32, loading: usize, manners: Manners) -> Server {
    let asked = AtomicUsize::new(0);
    let pages = move |path: &str, _: &Value| {
        if path != "/props" && asked.fetch_add(1, Ordering::Relaxed) < loading {
            let error = json!({"error": {"code": 503, "message": "Loading model", "type": "unavailable_error"}});
            return Some(Reply::Status(503, Vec::new(), error.to_string()));
        }
        Some(match path {
            "/v1/models" => {
                page(&json!({"object": "list", "data": [{"id": "qwen-1.5b", "object": "model", "owned_by": "llamacpp",
                "meta": {"n_ctx_train": 32768, "n_params": 1_543_714_304_u64, "size": 1_117_320_768}}]}))
            }
            "/props" => {
                page(&json!({"default_generation_settings": {"id": 0, "n_ctx": window, "params": {"n_predict": -1}},
                "total_slots": slots, "chat_template": "..."}))
            }
            _ => none(),
        })
    };
    Server::with_pages(pages, move |call| answer(call, manners))
}

/// Ollama of a version, with the window of the loaded model (newer versions tell it) and a `num_ctx` of its model file.
pub fn ollama(version: &'static str, loaded: Option<u32>, num_ctx: Option<u32>, manners: Manners) -> Server {
    let pages = move |path: &str, body: &Value| {
        Some(match path {
            "/v1/models" => page(
                &json!({"object": "list", "data": [{"id": "qwen2.5:7b", "object": "model", "owned_by": "library"}]}),
            ),
            "/api/version" => page(&json!({"version": version})),
            "/api/show" if body["model"] == "qwen2.5:7b" => {
                let num_ctx =
                    num_ctx.map_or_else(String::new, |window| format!("\nnum_ctx                        {window}"));
                page(&json!({"parameters": format!("stop                           \"<|im_end|>\"{num_ctx}"),
                "details": {"family": "qwen2", "parameter_size": "7.6B", "quantization_level": "Q4_K_M"},
                "model_info": {"general.architecture": "qwen2", "qwen2.context_length": 32768},
                "capabilities": ["completion", "tools"]}))
            }
            "/api/ps" => {
                let mut model = json!({"name": "qwen2.5:7b", "model": "qwen2.5:7b", "size_vram": 0});
                if let Some(window) = loaded {
                    model["context_length"] = window.into();
                }
                page(&json!({"models": [model]}))
            }
            _ => none(),
        })
    };
    Server::with_pages(pages, move |call| answer(call, manners))
}

/// LM Studio. It answers every address with 200, and tells the loaded window in newer versions.
pub fn lm_studio(loaded: Option<u32>, manners: Manners) -> Server {
    let pages = move |path: &str, _: &Value| {
        Some(match path {
            "/v1/models" => page(
                &json!({"data": [{"id": "llama-3.2-3b-instruct", "object": "model", "owned_by": "organization_owner"}]}),
            ),
            "/api/v0/models" => {
                let mut model = json!({"id": "llama-3.2-3b-instruct", "object": "model", "type": "llm", "state": "loaded",
                "max_context_length": 131_072});
                if let Some(window) = loaded {
                    model["loaded_context_length"] = window.into();
                }
                page(&json!({"object": "list", "data": [model]}))
            }
            path => page(&json!({"error": format!("Unexpected endpoint or method. (GET {path})")})),
        })
    };
    Server::with_pages(pages, move |call| answer(call, manners))
}

/// vLLM, or another server that says `max_model_len`, or none that says anything.
pub fn listed(entry: Value, manners: Manners) -> Server {
    let pages = move |path: &str, _: &Value| {
        Some(match path {
            "/v1/models" => page(&json!({"object": "list", "data": [entry]})),
            _ => none(),
        })
    };
    Server::with_pages(pages, move |call| answer(call, manners))
}
