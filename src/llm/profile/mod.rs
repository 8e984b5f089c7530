//! Learns what a model server is: its kind and window, how much it takes at once and how fast, whether it keeps to a JSON schema and
//! calls tools.
//!
//! It asks the server's own pages first (`own_pages.rs`), then the model a few short questions (`trials.rs`). It decides nothing: what
//! follows for a configuration is `cli/wiring/fitting.rs`. Each question has a limit of time, and dropping the future stops all of it.

mod fields;
mod own_pages;
mod size;
mod trials;
mod windows;

use crate::{
    config::{ModelSettings, RequestFields, ResponseFormat, Settings},
    ports::{CallError, Heard},
    text::{count, thousands},
};

/// The window that is assumed if nobody says how large it is.
pub const CAREFUL_WINDOW: u64 = 4096;

/// The program that serves a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServerKind {
    LlamaCpp,
    Ollama,
    LmStudio,
    Vllm,
    Other,
}

impl ServerKind {
    /// Its name in a sentence.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::LlamaCpp => "llama.cpp",
            Self::Ollama => "Ollama",
            Self::LmStudio => "LM Studio",
            Self::Vllm => "vLLM",
            Self::Other => "the server",
        }
    }
}

/// A fact, and how it is known.
#[derive(Debug, Clone, PartialEq)]
pub struct Stated<T> {
    pub value: T,
    /// Such as `llama.cpp says 1 slot`.
    pub how: String,
}

impl<T> Stated<T> {
    pub(super) fn new(value: T, how: impl Into<String>) -> Self {
        Self { value, how: how.into() }
    }
}

/// What is known of a model at its server. None: it could not be learned.
#[derive(Debug, Clone, PartialEq)]
pub struct ServerProfile {
    pub kind: ServerKind,
    /// Tokens that one request may have, its answer included.
    pub window: Option<Stated<u64>>,
    /// Requests that the server works on at once.
    pub at_once: Stated<u32>,
    /// How it can be held to a JSON schema.
    pub format: Option<Stated<ResponseFormat>>,
    /// The fields of its requests, if it refused one of the usual.
    pub request: Option<Stated<RequestFields>>,
    /// Whether the model calls tools.
    pub tools: Option<Stated<bool>>,
    pub speed: Speed,
    /// Billions of parameters.
    pub billions: Option<Stated<f64>>,
}

/// How fast a model is.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Speed {
    /// Tokens of a prompt in a second.
    pub reading: Option<f64>,
    /// Tokens of an answer in a second.
    pub writing: Option<f64>,
    /// Whether an answer came in one piece.
    pub whole: bool,
    /// Whether no answer came in time: the server is busy or slow, and both numbers are a careful guess.
    pub late: bool,
}

impl ServerProfile {
    /// What was learned, a line each, for a person.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let name = self.kind.name();
        let mut lines = vec![match &self.window {
            Some(window) => format!("window: {} tokens ({})", thousands(window.value), window.how),
            None => format!("window: {name} does not say; {} tokens is a careful guess", thousands(CAREFUL_WINDOW)),
        }];
        lines.push(format!("at once: {} ({})", count(self.at_once.value, "request"), self.at_once.how));
        lines.push(match self.format.as_ref().map(|format| format.value) {
            Some(ResponseFormat::JsonSchema) => "JSON: it keeps to a schema (json_schema)".to_owned(),
            Some(ResponseFormat::JsonObject) => "JSON: it keeps to a schema (json_object)".to_owned(),
            Some(ResponseFormat::None) => "JSON: it does not keep to a schema".to_owned(),
            None => "JSON: not known; it gave no answer to try it on".to_owned(),
        });
        lines.push(match self.tools.as_ref().map(|tools| tools.value) {
            Some(true) => "tools: the model calls them".to_owned(),
            Some(false) => "tools: the model does not call them".to_owned(),
            None => "tools: not known; it gave no answer to try them on".to_owned(),
        });
        let per_second = |speed: Option<f64>| match speed {
            Some(speed) if speed >= 10.0 => format!("{speed:.0} tokens a second"),
            Some(speed) => format!("{speed:.1} tokens a second"),
            None => "not measured".to_owned(),
        };
        let Speed { reading, writing, whole, late } = self.speed;
        let one = if whole { "; an answer comes in one piece" } else { "" };
        lines.push(if late {
            format!("speed: no answer in time, the server is busy or slow; time-outs are for {}", per_second(reading))
        } else {
            format!("speed: reads {}, writes {}{one}", per_second(reading), per_second(writing))
        });
        lines.push(match &self.billions {
            Some(size) => format!("size: {:.1} billion parameters ({})", size.value, size.how),
            None => "size: not known".to_owned(),
        });
        lines.extend(self.request.as_ref().map(|request| format!("requests: {}, and answers without", request.how)));
        lines
    }
}

/// Asks a server and its model. `model` says where, under which name and with which key; `settings` say what may be asked
/// of whom. A server that loads its model first is waited for. `told` hears what is being asked, for a person who waits.
///
/// # Errors
/// If the model gives no answer at all.
pub async fn measure(model: &ModelSettings, settings: &Settings, told: Heard<'_>) -> Result<ServerProfile, CallError> {
    let mut trials = trials::Trials::new(model, settings);
    told("asking for one word; a server may load its model first");
    trials.first_answer(told).await?;
    let said = own_pages::ask(model, settings.local_only).await;
    told("measuring how fast it reads and writes");
    let speed = trials.speed().await;
    told("trying whether it keeps to a JSON schema");
    let format = trials.format().await;
    told("trying whether it calls tools");
    let tools = trials.tools().await;
    let window = if said.window.is_some() {
        said.window
    } else {
        told("asking for the size of its window");
        windows::by_overflow(&trials).await
    };
    let billions = said.billions.or_else(|| size::in_name(&model.model).map(|size| Stated::new(size, "by its name")));
    let request = trials.request();
    Ok(ServerProfile { kind: said.kind, window, at_once: said.at_once, format, request, tools, speed, billions })
}
