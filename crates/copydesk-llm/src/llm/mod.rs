//! Talking to model servers: any OpenAI-compatible one, streamed or whole, with its embedder and its transcription, and Perplexity's
//! search, whose citations are opened. And the webhooks and buckets that signed stories go to.
//!
//! Every request of the program leaves through `egress::Egress`, which refuses hosts that the privacy setting does not allow, follows no
//! redirection and uses no proxy. `fetch` follows a few redirections, each checked there. The desk decides whether to ask a model again,
//! because it records each attempt; an embedder is no part of a story and retries by itself.

mod addresses;
mod answer;
mod broken;
#[cfg(feature = "s3")]
mod bucket;
mod budget;
mod carrying;
mod client;
mod egress;
mod embeddings;
mod fetch;
mod finish;
mod hiding;
mod length;
mod lines;
mod noted;
mod overflow;
mod pages;
mod patience;
mod probe;
mod profile;
mod recording;
mod refusal;
mod refused_field;
mod render;
mod repeats;
mod request;
mod robots;
mod said;
mod service;
mod slots;
mod stream;
mod tool_calls;
mod tool_form;
#[cfg(feature = "otlp")]
mod traces;
mod transcription;
mod vectors;
mod web_search;
mod webhook;

#[cfg(feature = "s3")]
pub use bucket::BucketCarrier;
pub use client::Client;
#[cfg(any(feature = "mail", feature = "mcp"))]
pub(crate) use egress::Egress;
#[cfg(feature = "mcp")]
pub(crate) use {
    egress::root_cause,
    hiding::{each_text, searched},
    stream::beginning,
};

pub use crate::process::is_installed;
pub use embeddings::Embeddings;
#[cfg(feature = "embedding")]
pub(crate) use embeddings::batches;
pub use fetch::Fetcher;
pub use pages::{PageReader, WebPages};
pub use probe::{Probe, probe, probe_loaded};
pub use profile::{CAREFUL_WINDOW, ServerKind, ServerProfile, Speed, Stated, choose_writer, measure};
pub use recording::{AnswerFile, Player, Recorder, RecordingError, Tape, ToolPlayer, ToolRecorder};
pub use service::HttpService;
#[doc(hidden)]
pub use stream::answer_in;
#[cfg(feature = "otlp")]
pub use traces::TraceCollector;
pub use transcription::TranscriptionClient;
pub use web_search::{WebResult, search_perplexity, search_searxng, try_searxng};
pub use webhook::Webhook;
