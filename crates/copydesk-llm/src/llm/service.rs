//! Asks a service for something that is no answer of a model: JSON, vectors, a transcript.

use reqwest::{
    RequestBuilder,
    header::{ACCEPT, CONTENT_TYPE},
};
use serde_json::Value;

use super::{
    broken::Broken,
    egress::Egress,
    refusal::{self, Refusal},
    stream,
};
use copydesk_config::{Endpoint, Secret, Secrets};
use copydesk_core::ports::CallError;

/// Most bytes of an answer in JSON.
const MOST_JSON: usize = 4 << 20;

/// Asks services that the configuration names. Its results have no secrets in them. The caller limits the time.
pub struct HttpService {
    egress: Egress,
    pub(super) secrets: Secrets,
}

impl HttpService {
    /// `local_only`: refuse every host that is not this machine. `secrets` are hidden in answers.
    pub fn new(local_only: bool, secrets: Secrets) -> Self {
        Self { egress: Egress::new(local_only), secrets }
    }

    /// Likewise, with no other secret than a key.
    pub(super) fn with_key(local_only: bool, key: Option<&Secret>) -> Self {
        Self::new(local_only, Secrets::new(key.into_iter().cloned().collect()))
    }

    /// The JSON at `path` below `endpoint`; with a body it is asked for by POST.
    pub(crate) async fn json(
        &self,
        endpoint: &Endpoint,
        path: &str,
        key: Option<&Secret>,
        body: Option<&Value>,
    ) -> Result<Value, CallError> {
        let build = |http: &reqwest::Client, url: &str| {
            let request = match body {
                Some(body) => http.post(url).header(CONTENT_TYPE, "application/json").body(body.to_string()),
                None => http.get(url),
            };
            let request = request.header(ACCEPT, "application/json");
            key.into_iter().fold(request, |request, key| request.bearer_auth(key.reveal()))
        };
        let body = self.bytes(endpoint, path, MOST_JSON, build).await?;
        let body = self.secrets.hide_in_answer(String::from_utf8_lossy(&body).into_owned());
        serde_json::from_str(&body).map_err(|error| CallError::Unreadable {
            host: endpoint.authority(),
            detail: format!("its answer is not JSON: {error}"),
        })
    }

    /// A whole answer of at most `most` bytes, as it came.
    pub(super) async fn bytes(
        &self,
        endpoint: &Endpoint,
        path: &str,
        most: usize,
        build: impl FnOnce(&reqwest::Client, &str) -> RequestBuilder,
    ) -> Result<Vec<u8>, CallError> {
        let response = self.egress.send(endpoint, path, build).await?;
        let host = endpoint.authority();
        if !response.status().is_success() {
            let Refusal { status, message, retry_after, .. } = refusal::read(response, &self.secrets).await;
            return Err(CallError::Status { host, status, message, retry_after });
        }
        stream::collect(response, most).await.map_err(|broken| match broken {
            Broken::TooLarge => CallError::AnswerTooLarge { host, limit_mb: most >> 20 },
            _ => CallError::CutOff { host },
        })
    }
}
