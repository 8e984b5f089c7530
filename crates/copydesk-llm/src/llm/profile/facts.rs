//! The known facts about a model at its server, and how each is known.

use copydesk_config::{RequestFields, ResponseFormat};
use copydesk_text::{count, thousands};

/// The window that is assumed if no source gives its size.
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

/// The known facts about a model at its server. None: it could not be learned.
#[derive(Debug, Clone, PartialEq)]
pub struct ServerProfile {
    pub kind: ServerKind,
    /// Tokens that one request may have, its answer included.
    pub window: Option<Stated<u64>>,
    /// Most tokens of an answer, if the server refuses more. Many servers do not say.
    pub longest_answer: Option<Stated<u64>>,
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
    /// The findings, a line each, for a person.
    pub fn lines(&self) -> Vec<String> {
        let name = self.kind.name();
        let mut lines = vec![match &self.window {
            Some(window) => format!("window: {} tokens ({})", thousands(window.value), window.how),
            None => format!("window: {name} does not say, so {} tokens are taken", thousands(CAREFUL_WINDOW)),
        }];
        let longest = self.longest_answer.as_ref();
        lines.extend(longest.map(|longest| format!("answers: {} tokens ({})", thousands(longest.value), longest.how)));
        lines.push(format!("at once: {} ({})", count(self.at_once.value, "request"), self.at_once.how));
        lines.push(match &self.format {
            Some(Stated { value: ResponseFormat::JsonSchema, how }) => format!("JSON: json_schema ({how})"),
            Some(Stated { value: ResponseFormat::JsonObject, how }) => format!("JSON: json_object ({how})"),
            Some(Stated { value: ResponseFormat::None, how }) => format!("JSON: without a schema ({how})"),
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
