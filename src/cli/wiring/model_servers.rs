//! The model servers that people run on their own machine.

use futures_util::future;
use url::Url;

use crate::{
    config::{Endpoint, Secret},
    llm::{Probe, probe},
    ports::{Occasion, RequestBooks},
};

/// The usual ones, each with its address.
pub(crate) const USUAL: [(&str, &str); 3] = [
    ("LM Studio", "http://127.0.0.1:1234/v1"),
    ("Ollama", "http://127.0.0.1:11434/v1"),
    ("llama.cpp", "http://127.0.0.1:8080/v1"),
];

/// A server and what it answered.
pub(crate) struct ProbedServer {
    pub(crate) name: &'static str,
    pub(crate) endpoint: Endpoint,
    pub(crate) answer: Probe,
}

/// Asks the usual servers, all at once.
pub(crate) async fn usual() -> Vec<ProbedServer> {
    let asked = USUAL.into_iter().filter_map(|(name, address)| {
        let endpoint = Endpoint { base: Url::parse(address).ok()?, setting: "the usual servers".into() };
        Some(async move {
            let answer = probe(&endpoint, None, true).await;
            ProbedServer { name, endpoint, answer }
        })
    });
    future::join_all(asked).await
}

/// Asks one server.
pub(crate) async fn named(endpoint: Endpoint, key: Option<&Secret>, books: Option<RequestBooks>) -> ProbedServer {
    let answer = Occasion::of_house("settings: list of models", books).during(probe(&endpoint, key, false)).await;
    ProbedServer { name: "server", endpoint, answer }
}
