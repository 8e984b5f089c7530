//! Lists a server's models, for `init` and `doctor`.

use std::time::Duration;

use serde_json::Value;

use super::{egress::Egress, stream};
use crate::{
    config::{Endpoint, Secret, Secrets},
    text::sanitise,
};

/// Most bytes of a list of models.
const MOST_LIST: usize = 4 << 20;

/// What a server answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Probe {
    /// The names of its models.
    Models(Vec<String>),
    /// The server did not answer, or not as a model server does; the reason.
    Nothing(String),
}

/// Asks `GET /models`. Gives up after two seconds.
pub async fn probe(endpoint: &Endpoint, api_key: Option<&Secret>, local_only: bool) -> Probe {
    let egress = Egress::new(local_only);
    let secrets = Secrets::new(api_key.into_iter().cloned().collect());
    let asked = async {
        let response = egress
            .send(endpoint, "/models", |http, url| match api_key {
                Some(key) => http.get(url).bearer_auth(key.reveal()),
                None => http.get(url),
            })
            .await
            .map_err(|error| error.to_string())?;
        let status = response.status();
        if !status.is_success() {
            return Err(format!("it answered {}", status.as_u16()));
        }
        let body = stream::collect(response, MOST_LIST).await.map_err(|_| "its answer was incomplete".to_owned())?;
        let body: Value = serde_json::from_slice(&body).map_err(|_| "its answer is not JSON".to_owned())?;
        let models = body.get("data").and_then(Value::as_array).ok_or("its answer lists no models")?;
        let ids = models.iter().filter_map(|model| model.get("id").and_then(Value::as_str));
        Ok(ids.map(|id| sanitise::excerpt(&secrets.hide_in_message(id), 200)).collect())
    };
    match tokio::time::timeout(Duration::from_secs(2), asked).await {
        Ok(Ok(models)) => Probe::Models(models),
        Ok(Err(why)) => Probe::Nothing(why),
        Err(_) => Probe::Nothing("it did not answer within 2 s".into()),
    }
}
