//! Talking to model servers: any OpenAI-compatible one, streamed or whole, and Perplexity's search.
//!
//! Every request of the program leaves through `egress::Egress`, which refuses hosts that the privacy setting does not
//! allow, follows no redirection and uses no proxy. Whether to try again is decided by the desk, because each attempt is
//! recorded there; nothing here retries.

mod answer;
mod budget;
mod client;
mod egress;
mod probe;
mod stream;

pub use client::Client;
pub use probe::{Probe, probe};
