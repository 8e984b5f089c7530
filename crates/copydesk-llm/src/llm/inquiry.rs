//! Asks a model server for a page of JSON that is no answer of a model: its list of models, its properties.

use reqwest::header::{ACCEPT, CONTENT_TYPE};
use serde_json::Value;

use super::{
    egress::Egress,
    refusal::{self, Refusal},
    stream,
};
use copydesk_config::{Endpoint, Secret, Secrets};
use copydesk_core::ports::CallError;

/// Most bytes of a page.
const MOST_PAGE: usize = 4 << 20;

/// The page at `path` below `endpoint`; with a body it is asked for by POST. The key is in nothing that comes back.
pub(super) async fn json(
    egress: &Egress,
    endpoint: &Endpoint,
    path: &str,
    api_key: Option<&Secret>,
    body: Option<Value>,
) -> Result<Value, CallError> {
    let secrets = Secrets::new(api_key.into_iter().cloned().collect());
    let host = endpoint.authority();
    let response = egress
        .send(endpoint, path, |http, url| {
            let request = match body {
                Some(body) => http.post(url).header(CONTENT_TYPE, "application/json").body(body.to_string()),
                None => http.get(url),
            };
            let request = request.header(ACCEPT, "application/json");
            match api_key {
                Some(key) => request.bearer_auth(key.reveal()),
                None => request,
            }
        })
        .await?;
    if !response.status().is_success() {
        let Refusal { status, message, retry_after, .. } = refusal::read(response, &secrets).await;
        return Err(CallError::Status { host, status, message, retry_after });
    }
    let page = stream::collect(response, MOST_PAGE).await;
    let page = page.map_err(|broken| broken.into_error(host.clone(), |text| refusal::shown(text, &secrets)))?;
    let page = secrets.hide_in_answer(String::from_utf8_lossy(&page).into_owned());
    let unreadable = |_| CallError::Unreadable { host, detail: "its answer is not JSON".to_owned() };
    serde_json::from_str(&page).map_err(unreadable)
}
