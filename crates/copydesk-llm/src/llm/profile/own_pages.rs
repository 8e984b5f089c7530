//! Reads the pages on which servers describe themselves, each as its documentation defines it.
//!
//! - llama.cpp: `tools/server/README.md`, "GET /props" (`default_generation_settings.n_ctx`, `total_slots`) and "GET /v1/models"
//!   (`meta.n_params`; `owned_by` is `llamacpp`). Started without `--parallel` it has four slots that share one memory (pull request
//!   16736): each claims the whole window, and what does not fit together ends all of them (issue 23652).
//! - Ollama: `docs/api.md`, "Show model information" (`parameters`, `details.parameter_size`, `model_info`) and "List running models"
//!   (`context_length`, in newer versions); `docs/context-length.mdx` and `docs/faq.mdx` for what is usual (4,096 tokens; 2,048 before
//!   0.6.7; one request at once unless `OLLAMA_NUM_PARALLEL` says more, which no page tells).
//! - LM Studio: "REST API v0" (`GET /api/v0/models`: `state`, `max_context_length`; newer versions: `loaded_context_length`). It does not
//!   say how many predictions it makes at once.
//! - vLLM: the model cards of `GET /v1/models` (`max_model_len`). Groq, Mistral, `OpenRouter` and others put the same under other names.

use std::time::Duration;

use serde_json::{Value, json};

use super::{
    facts::{ServerKind, Stated},
    size,
};
use crate::llm::HttpService;
use copydesk_config::{Endpoint, ModelSettings};
use copydesk_text::{count, thousands};

/// How long a page may take.
pub(super) const PATIENCE: Duration = Duration::from_secs(3);
/// Requests at once for a server that is made for many.
const MANY: u32 = 16;
/// The slots that llama.cpp has if its command line names no number; they share one memory.
const SHARED_SLOTS: u64 = 4;
/// Tokens that each of them should have at least.
const SHARE: u64 = 16_384;
/// The window that Ollama gives by default, and the one before version 0.6.7.
const OLLAMA: (u64, u64) = (4096, 2048);

/// The facts from the pages.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct OwnWords {
    pub(super) kind: ServerKind,
    pub(super) window: Option<Stated<u64>>,
    pub(super) at_once: Stated<u32>,
    pub(super) billions: Option<Stated<f64>>,
}

/// Where the pages are: beside `/v1`.
struct Pages<'a> {
    service: HttpService,
    base: &'a Endpoint,
    root: Endpoint,
    model: &'a ModelSettings,
}

impl Pages<'_> {
    async fn ask(&self, endpoint: &Endpoint, path: &str, body: Option<&Value>) -> Option<Value> {
        let asked = self.service.json(endpoint, path, Some(&self.model.api_key), body);
        tokio::time::timeout(PATIENCE, asked).await.ok()?.ok()
    }
}

/// The place of a server's own pages: beside `/v1`.
pub(super) fn above(endpoint: &Endpoint) -> Endpoint {
    let mut root = endpoint.clone();
    let path = root.base.path().trim_end_matches('/');
    let above = path.strip_suffix("/v1").unwrap_or(path).to_owned();
    root.base.set_path(&above);
    root
}

/// Asks the pages of a server.
pub(super) async fn ask(model: &ModelSettings, local_only: bool) -> OwnWords {
    let service = HttpService::with_key(local_only, Some(&model.api_key));
    let pages = Pages { service, base: &model.endpoint, root: above(&model.endpoint), model };
    let list = pages.ask(pages.base, "/models", None).await;
    let entry = list.as_ref().and_then(|list| entry(list, &model.model)).cloned().unwrap_or_default();
    let owner = entry.get("owned_by").and_then(Value::as_str).unwrap_or_default().to_ascii_lowercase();
    if owner == "llamacpp" {
        return llama_cpp(&pages, &entry).await;
    }
    if owner == "vllm" {
        let many = Stated::new(MANY, "vLLM takes many");
        return OwnWords { kind: ServerKind::Vllm, ..listed(&entry, "vLLM", many) };
    }
    let said = pages.ask(&pages.root, "/api/version", None).await;
    if let Some(version) = said.as_ref().and_then(|said| said.get("version")) {
        return ollama(&pages, version.as_str().unwrap_or_default()).await;
    }
    let studio = pages.ask(&pages.root, "/api/v0/models", None).await;
    if let Some(entry) = studio.as_ref().and_then(|list| entry_of_studio(list, &model.model)) {
        return lm_studio(entry);
    }
    let at_once = if model.endpoint.is_loopback() {
        Stated::new(1, "the server does not say; 1 is safe")
    } else {
        Stated::new(MANY, "a service takes many")
    };
    listed(&entry, "the server", at_once)
}

/// The model's entry in a list; else the only one.
fn entry<'v>(list: &'v Value, model: &str) -> Option<&'v Value> {
    let entries = list.get("data")?.as_array()?;
    let own = entries.iter().find(|entry| entry.get("id").and_then(Value::as_str) == Some(model));
    own.or_else(|| entries.first().filter(|_| entries.len() == 1))
}

/// LM Studio answers every address, so that only a list of its own form counts.
fn entry_of_studio<'v>(list: &'v Value, model: &str) -> Option<&'v Value> {
    entry(list, model).filter(|entry| entry.get("max_context_length").is_some())
}

/// The value at `place`, if it is a possible count of tokens or parameters.
fn number(value: &Value, place: &str) -> Option<u64> {
    value.pointer(place)?.as_u64().filter(|number| (1..=1 << 40).contains(number))
}

#[expect(clippy::cast_precision_loss, reason = "billions are told with one decimal")]
fn in_billions(parameters: u64) -> f64 {
    parameters as f64 / 1e9
}

/// The facts about the model in the list of models, under the names that servers use.
fn listed(entry: &Value, name: &str, at_once: Stated<u32>) -> OwnWords {
    let places = ["/max_model_len", "/context_length", "/context_window", "/max_context_length", "/meta/n_ctx"];
    let window = places.into_iter().find_map(|place| number(entry, place));
    let parameters = number(entry, "/meta/n_params").map(in_billions);
    OwnWords {
        kind: ServerKind::Other,
        window: window.map(|window| Stated::new(window, format!("{name} says {}", thousands(window)))),
        at_once,
        billions: parameters.map(|size| Stated::new(size, format!("{name} says so"))),
    }
}

async fn llama_cpp(pages: &Pages<'_>, entry: &Value) -> OwnWords {
    let model: String = url::form_urlencoded::byte_serialize(pages.model.model.as_bytes()).collect();
    let props = pages.ask(&pages.root, &format!("/props?model={model}"), None).await.unwrap_or_default();
    let slots = number(&props, "/total_slots");
    let window = number(&props, "/default_generation_settings/n_ctx");
    let said = listed(entry, "llama.cpp", Stated::new(1, "llama.cpp does not say; 1 is safe"));
    let kind = ServerKind::LlamaCpp;
    let (Some(slots), Some(window)) = (slots, window) else { return OwnWords { kind, ..said } };
    let told = format!("llama.cpp says {} of {} tokens", count(slots, "slot"), thousands(window));
    let (at_once, window, told) = if slots == SHARED_SLOTS {
        let fit = (window / SHARE).clamp(1, SHARED_SLOTS);
        (fit, window / fit, format!("{told}, which may share one memory: so {fit} at once"))
    } else {
        (slots, window, told)
    };
    OwnWords {
        kind,
        window: Some(Stated::new(window, told.clone())),
        at_once: Stated::new(u32::try_from(at_once).unwrap_or(MANY), told),
        ..said
    }
}

async fn ollama(pages: &Pages<'_>, version: &str) -> OwnWords {
    let name = pages.model.model.as_str();
    let wanted = json!({"model": name, "name": name});
    let (show, running) =
        tokio::join!(pages.ask(&pages.root, "/api/show", Some(&wanted)), pages.ask(&pages.root, "/api/ps", None),);
    let show = show.unwrap_or_default();
    let latest = format!("{name}:latest");
    let names = ["name", "model"];
    let loaded = running.as_ref().and_then(|running| {
        let entries = running.get("models")?.as_array()?;
        entries.iter().find(|entry| {
            let is =
                |key: &&str| entry.get(key).and_then(Value::as_str).is_some_and(|own| own == name || own == latest);
            names.iter().any(is)
        })
    });
    let loaded = loaded.and_then(|entry| number(entry, "/context_length"));
    let usual = if is_before(version, [0, 6, 7]) { OLLAMA.1 } else { OLLAMA.0 };
    let window = match (loaded, parameter(&show, "num_ctx")) {
        (Some(window), _) => Stated::new(window, format!("Ollama loaded it with {}", thousands(window))),
        (None, Some(window)) => Stated::new(window, format!("num_ctx of the model in Ollama is {}", thousands(window))),
        (None, None) => {
            Stated::new(usual, format!("Ollama {version} gives {} unless num_ctx says more", thousands(usual)))
        }
    };
    let exact = number(&show, "/model_info/general.parameter_count").map(in_billions);
    let rounded = || show.pointer("/details/parameter_size").and_then(Value::as_str).and_then(size::billions);
    OwnWords {
        kind: ServerKind::Ollama,
        window: Some(window),
        at_once: Stated::new(1, "Ollama does not tell OLLAMA_NUM_PARALLEL; 1 is its default"),
        billions: exact.or_else(rounded).map(|size| Stated::new(size, "Ollama says so")),
    }
}

/// A parameter of a model file: a line with its name and its number.
fn parameter(show: &Value, name: &str) -> Option<u64> {
    let lines = show.get("parameters")?.as_str()?;
    lines.lines().find_map(|line| {
        let mut words = line.split_whitespace();
        (words.next() == Some(name)).then(|| words.next()?.parse().ok()).flatten()
    })
}

/// Whether a version is an earlier one. One that cannot be read is not.
fn is_before(version: &str, other: [u32; 3]) -> bool {
    let number = |part: &str| part.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok();
    let parts: Option<Vec<u32>> = version.split('.').take(3).map(number).collect();
    parts.is_some_and(|parts| parts.len() == 3 && parts.as_slice() < other.as_slice())
}

fn lm_studio(entry: &Value) -> OwnWords {
    let loaded = number(entry, "/loaded_context_length")
        .map(|window| Stated::new(window, format!("LM Studio loaded it with {}", thousands(window))));
    let most = number(entry, "/max_context_length").map(|window| {
        let careful = window.min(super::CAREFUL_WINDOW);
        let how = format!("LM Studio does not say what it loaded; the model could have {}", thousands(window));
        Stated::new(careful, how)
    });
    OwnWords {
        kind: ServerKind::LmStudio,
        window: loaded.or(most),
        at_once: Stated::new(1, "LM Studio does not say; 1 is safe"),
        billions: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ollama_s_parameters_and_versions_are_read() {
        let show = json!({"parameters": "stop                           \"<|im_end|>\"\nnum_ctx                        8192\nnum_ctxx 1"});
        assert_eq!((parameter(&show, "num_ctx"), parameter(&show, "num_predict")), (Some(8192), None));
        let before = |version: &str| is_before(version, [0, 6, 7]);
        assert!(before("0.5.13") && before("0.6.6-rc1") && !before("0.6.7") && !before("0.40.12") && !before("dev"));
    }
}
