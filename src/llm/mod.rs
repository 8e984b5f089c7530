//! Talking to model servers: any OpenAI-compatible one, streamed or whole, with its embedder and its transcription, and Perplexity's
//! search, whose citations are opened.
//!
//! Every request of the program leaves through `egress::Egress`, which refuses hosts that the privacy setting does not allow, follows no
//! redirection and uses no proxy. `pages` follows a few redirections, each checked there. The desk decides whether to ask a model again,
//! because it records each attempt; an embedder is no part of a story and retries by itself.

mod addresses;
mod answer;
mod budget;
mod client;
mod egress;
mod embeddings;
mod pages;
mod probe;
mod refusal;
mod stream;
mod transcription;
mod vectors;

pub use client::Client;
pub use embeddings::Embeddings;
pub use pages::{PageReader, WebPages};
pub use probe::{Probe, probe};
pub use transcription::TranscriptionClient;
