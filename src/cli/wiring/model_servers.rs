//! The model servers that people run on their own machine.

use futures_util::future;
use url::Url;

use crate::{
    config::{Endpoint, Secret},
    llm::{Probe, probe, probe_loaded},
    ports::{Occasion, RequestBooks},
};

/// The usual ones, each with its address. llama.cpp moves from 8080 to 9931 (its pull request 26508).
pub(crate) const USUAL: [(&str, &str); 4] = [
    ("LM Studio", "http://127.0.0.1:1234/v1"),
    ("Ollama", "http://127.0.0.1:11434/v1"),
    ("llama.cpp", "http://127.0.0.1:8080/v1"),
    ("llama.cpp", "http://127.0.0.1:9931/v1"),
];

/// A server and what it answered.
pub(crate) struct ProbedServer {
    pub(crate) name: &'static str,
    pub(crate) endpoint: Endpoint,
    pub(crate) answer: Probe,
}

/// Asks the usual servers, all at once. If none offers a model and one is loading its own, that one is waited for.
pub(crate) async fn usual() -> Vec<ProbedServer> {
    let asked = USUAL.into_iter().filter_map(|(name, address)| {
        let endpoint = Endpoint { base: Url::parse(address).ok()?, setting: "the usual servers".into() };
        Some(async move {
            let answer = probe(&endpoint, None, true).await;
            ProbedServer { name, endpoint, answer }
        })
    });
    let mut servers = future::join_all(asked).await;
    if servers.iter().all(|server| !matches!(&server.answer, Probe::Models(models) if !models.is_empty())) {
        for server in &mut servers {
            if server.answer == Probe::Loading {
                server.answer = probe_loaded(&server.endpoint, None, true, || {}).await;
            }
        }
    }
    servers
}

/// Asks one server, and waits if it loads its model.
pub(crate) async fn named(endpoint: Endpoint, key: Option<&Secret>, books: Option<RequestBooks>) -> ProbedServer {
    let asked = probe_loaded(&endpoint, key, false, || {});
    let answer = Occasion::of_house("settings: list of models", books).during(asked).await;
    ProbedServer { name: "server", endpoint, answer }
}
