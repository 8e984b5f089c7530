//! Asks a service that the configuration names, and that is no model's server, for JSON.

use reqwest::{
    RequestBuilder,
    header::{ACCEPT, CONTENT_TYPE},
};
use serde_json::Value;

use super::{
    egress::Egress,
    refusal::{self, Refusal},
    stream,
};
use copydesk_config::{Endpoint, Secret, Secrets};
use copydesk_core::ports::CallError;

/// Most bytes of an answer.
const MOST_BODY: usize = 4 << 20;

/// Asks services for JSON. Its results have no secrets in them. The caller limits the time.
pub struct JsonService {
    egress: Egress,
    secrets: Secrets,
}

impl JsonService {
    /// `local_only`: refuse every host that is not this machine. `secrets` are hidden in answers.
    #[must_use]
    pub fn new(local_only: bool, secrets: Secrets) -> Self {
        Self { egress: Egress::new(local_only), secrets }
    }

    pub(crate) async fn get(&self, endpoint: &Endpoint, path: &str) -> Result<Value, CallError> {
        self.ask(endpoint, path, |http, url| http.get(url)).await
    }

    pub(crate) async fn post(
        &self,
        endpoint: &Endpoint,
        path: &str,
        key: &Secret,
        body: &Value,
    ) -> Result<Value, CallError> {
        let body = body.to_string();
        self.ask(endpoint, path, |http, url| {
            http.post(url).bearer_auth(key.reveal()).header(CONTENT_TYPE, "application/json").body(body)
        })
        .await
    }

    async fn ask(
        &self,
        endpoint: &Endpoint,
        path: &str,
        build: impl FnOnce(&reqwest::Client, &str) -> RequestBuilder,
    ) -> Result<Value, CallError> {
        let host = endpoint.authority();
        let build = |http: &reqwest::Client, url: &str| build(http, url).header(ACCEPT, "application/json");
        let response = self.egress.send(endpoint, path, build).await?;
        if !response.status().is_success() {
            let Refusal { status, message, retry_after, .. } = refusal::read(response, &self.secrets).await;
            return Err(CallError::Status { host, status, message, retry_after });
        }
        let hide = |text: &str| refusal::shown(text, &self.secrets);
        let body =
            stream::collect(response, MOST_BODY).await.map_err(|broken| broken.into_error(host.clone(), hide))?;
        let body = self.secrets.hide_in_answer(String::from_utf8_lossy(&body).into_owned());
        serde_json::from_str(&body)
            .map_err(|error| CallError::Unreadable { host, detail: format!("its answer is not JSON: {error}") })
    }
}
