//! Talking to model servers: any OpenAI-compatible one, streamed or whole, with its embedder, and Perplexity's search, whose
//! citations are opened.
//!
//! Every request of the program leaves through `egress::Egress`, which refuses hosts that the privacy setting does not
//! allow, follows no redirection and uses no proxy; who opens a page follows a few, each through that door. Whether to ask a model again is decided by the desk, because each attempt is
//! recorded there; an embedder is no part of a story, and tries again by itself.

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
mod vectors;

pub use client::Client;
pub use embeddings::Embeddings;
pub use pages::{PageReader, WebPages};
pub use probe::{Probe, probe};
