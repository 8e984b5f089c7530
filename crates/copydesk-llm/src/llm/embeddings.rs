//! An embedder behind any OpenAI-compatible server's `/v1/embeddings`.

use std::{sync::OnceLock, time::Duration};

use async_trait::async_trait;
use reqwest::header::{ACCEPT, CONTENT_TYPE};
use serde_json::json;

use super::{refusal, service::HttpService, slots, vectors};
use copydesk_config::{EmbeddingServer, Secrets, ServerSettings};
use copydesk_core::ports::{CallError, EmbedError, Embedder, WaitedFor};

/// Most texts of a request. Servers work on a few at once, and a failed request is repeated as a whole.
const MOST_TEXTS: usize = 32;
/// Most bytes of the texts of a request, unless one text alone has more.
const MOST_BYTES: usize = 256 << 10;
/// Most bytes of an answer: three times what 32 vectors of 4,096 numbers take, written out in full.
const MOST_ANSWER: usize = 8 << 20;
/// Attempts after the first.
const RETRIES: u32 = 3;
/// The pause before the second attempt; each further one is twice as long.
const PAUSE: Duration = Duration::from_secs(1);
/// The longest wait that a server's Retry-After may ask for.
const LONGEST_WAIT: Duration = Duration::from_mins(10);

/// Asks a server for vectors. It retries by itself, because a caller could do no more.
pub struct Embeddings {
    service: HttpService,
    server: EmbeddingServer,
    servers: Option<ServerSettings>,
    identity: String,
    /// The length of a vector, from the first answer.
    dimension: OnceLock<usize>,
    retries: u32,
    pause: Duration,
}

impl Embeddings {
    /// An embedder at this server. The first text opens the connection. `secrets` are those of the whole configuration; `local_only` refuses
    /// every host that is not this machine.
    pub fn new(server: EmbeddingServer, secrets: Secrets, local_only: bool) -> Self {
        Self {
            service: HttpService::new(local_only, secrets),
            identity: format!("server {}", server.model),
            server,
            servers: None,
            dimension: OnceLock::new(),
            retries: RETRIES,
            pause: PAUSE,
        }
    }

    /// Holds requests to the limits of their server.
    #[must_use]
    pub fn within(mut self, servers: ServerSettings) -> Self {
        self.servers = Some(servers);
        self
    }

    /// Sets the number of attempts after the first and the pause before the second.
    #[must_use]
    pub fn patience(mut self, retries: u32, pause: Duration) -> Self {
        (self.retries, self.pause) = (retries, pause);
        self
    }

    /// Asks for a batch until there is an answer or retrying is pointless.
    async fn batch(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let mut pause = self.pause;
        let mut left = self.retries;
        loop {
            let slot = match &self.servers {
                Some(servers) => Some(slots::take(&self.server.endpoint, servers).await),
                None => None,
            };
            let limit = Duration::from_secs_f64(self.server.timeout_seconds);
            let answer = tokio::time::timeout(limit, self.ask(texts)).await.unwrap_or_else(|_| {
                let (host, seconds) = (self.host(), self.server.timeout_seconds);
                Err(EmbedError::Call(CallError::TimedOut { host, seconds, wait: WaitedFor::WholeAnswer }))
            });
            drop(slot);
            let Err(error) = answer else { return answer };
            let wait = pause.max(error.retry_after().unwrap_or_default());
            if left == 0 || !error.may_retry() || wait > LONGEST_WAIT {
                return Err(error);
            }
            tokio::time::sleep(wait).await;
            left -= 1;
            pause = pause.saturating_mul(2);
        }
    }

    async fn ask(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let body = json!({ "model": self.server.model, "input": texts }).to_string();
        let build = |http: &reqwest::Client, url: &str| {
            http.post(url)
                .bearer_auth(self.server.api_key.reveal())
                .header(CONTENT_TYPE, "application/json")
                .header(ACCEPT, "application/json")
                .body(body)
        };
        let asked = self.service.bytes(&self.server.endpoint, "/embeddings", MOST_ANSWER, build).await;
        let (body, host) = (asked.map_err(EmbedError::Call)?, self.host());
        let vectors = vectors::read(&body, texts.len(), &host).map_err(|error| self.shown(error))?;
        if let Some(is) = vectors.first().map(Vec::len) {
            let was = *self.dimension.get_or_init(|| is);
            if was != is {
                return Err(EmbedError::Dimension { from: host, was, is });
            }
        }
        Ok(vectors)
    }

    /// The error with the server's words as a person may see them.
    fn shown(&self, mut error: EmbedError) -> EmbedError {
        if let EmbedError::Call(CallError::Unreadable { detail: said, .. } | CallError::Status { message: said, .. }) =
            &mut error
        {
            *said = refusal::shown(said, &self.service.secrets);
        }
        error
    }

    fn host(&self) -> String {
        self.server.endpoint.authority()
    }
}

#[async_trait]
impl Embedder for Embeddings {
    fn identity(&self) -> &str {
        &self.identity
    }

    fn is_elsewhere(&self) -> bool {
        !self.server.endpoint.is_loopback()
    }

    async fn embed(&self, texts: Vec<String>) -> Result<Vec<Vec<f32>>, EmbedError> {
        let mut vectors = Vec::with_capacity(texts.len());
        for batch in batches(&texts, MOST_TEXTS, MOST_BYTES, String::len) {
            let asked = self.batch(batch).await.map_err(|error| match error {
                // The text's number counts all texts, not those of this request.
                EmbedError::NoDirection { from, text, problem, .. } => {
                    EmbedError::NoDirection { from, text: vectors.len() + text, texts: texts.len(), problem }
                }
                other => other,
            });
            vectors.extend(asked?);
        }
        Ok(vectors)
    }
}

/// Divides items into batches of at most `most` items and `room` together, unless one item alone is larger.
pub(crate) fn batches<T>(items: &[T], most: usize, room: usize, size: impl Fn(&T) -> usize) -> Vec<&[T]> {
    let mut batches = Vec::new();
    let (mut left, mut held, mut used) = (items, 0, 0);
    for size in items.iter().map(size) {
        if held > 0 && (held == most || used + size > room) {
            let (batch, others) = left.split_at_checked(held).unwrap_or_default();
            batches.push(batch);
            (left, held, used) = (others, 0, 0);
        }
        held += 1;
        used += size;
    }
    if !left.is_empty() {
        batches.push(left);
    }
    batches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_are_bounded_by_number_and_by_bytes() {
        let sizes = |lengths: &[usize]| {
            let texts: Vec<String> = lengths.iter().map(|length| "x".repeat(*length)).collect();
            let batches = batches(&texts, MOST_TEXTS, MOST_BYTES, String::len);
            assert_eq!(batches.concat(), texts);
            batches.iter().map(|batch| batch.len()).collect::<Vec<_>>()
        };
        assert_eq!(sizes(&[]), [0; 0]);
        assert_eq!(sizes(&[10; 70]), [32, 32, 6]);
        assert_eq!(sizes(&[100 << 10; 5]), [2, 2, 1]);
        assert_eq!(sizes(&[1, 300 << 10, 1]), [1, 1, 1], "one that is too large stands alone");
    }
}
