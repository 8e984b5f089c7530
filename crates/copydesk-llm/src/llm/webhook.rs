//! Posts a signed story to a webhook.
//!
//! `Idempotency-Key` is the same for every attempt, so that the receiver takes a story once. `X-Copydesk-Signature` is
//! `sha256=` and the HMAC-SHA256 of the body under the configured secret, in hex. A receiver with the secret can tell
//! that the body is from this desk and whole.

use async_trait::async_trait;
use reqwest::header::CONTENT_TYPE;
use ring::hmac;

use super::{
    carrying,
    egress::Egress,
    refusal::{self, Refusal},
};
use copydesk_config::{Secrets, WebhookTarget};
use copydesk_core::ports::{Carrier, CarryError, Parcel};

/// A webhook that takes stories.
pub struct Webhook {
    egress: Egress,
    target: WebhookTarget,
    secrets: Secrets,
}

impl Webhook {
    /// `secrets` are those of the whole configuration; `local_only` refuses every host that is not this machine.
    pub fn new(target: WebhookTarget, secrets: Secrets, local_only: bool) -> Self {
        Self { egress: Egress::new(local_only), target, secrets }
    }

    async fn post(&self, parcel: &Parcel) -> Result<String, CarryError> {
        let WebhookTarget { endpoint, secret, .. } = &self.target;
        let host = endpoint.authority();
        // The address is meant as it is written.
        let path = if endpoint.base.path().len() > 1 && endpoint.base.path().ends_with('/') { "/" } else { "" };
        let sent = self.egress.attempt(endpoint, path, |http, url| {
            http.post(url)
                .header(CONTENT_TYPE, parcel.media_type)
                .header("Idempotency-Key", &parcel.key)
                .header("X-Copydesk-Signature", signature(secret.reveal(), &parcel.bytes))
                .body(parcel.bytes.clone())
        });
        let response = sent.await.map_err(|fault| carrying::unsent(&host, fault))?;
        let status = response.status();
        if status.is_success() {
            return Ok(format!("{host} answered {}", status.as_u16()));
        }
        let Refusal { status, message, retry_after, .. } = refusal::read(response, &self.secrets).await;
        let detail = format!("{host} answered {status}: {message}");
        Err(match status {
            // It says that it has not taken it, and that it may.
            425 | 429 | 503 => CarryError::NotNow { detail, after: retry_after.map(|wait| wait.as_secs()) },
            // Something behind it may have.
            408 | 500..=599 => CarryError::Doubtful(detail),
            300..=399 => CarryError::Refused(format!(
                "{detail}. No redirection is followed: set {} to the address itself",
                endpoint.setting
            )),
            _ => CarryError::Refused(detail),
        })
    }
}

/// `sha256=` and the HMAC-SHA256 of a body, hex.
fn signature(secret: &str, body: &[u8]) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
    format!("sha256={}", hex::encode(hmac::sign(&key, body)))
}

#[async_trait]
impl Carrier for Webhook {
    async fn carry(&self, parcel: &Parcel) -> Result<String, CarryError> {
        carrying::in_time(&self.target.endpoint.authority(), self.target.timeout_seconds, self.post(parcel)).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_that_of_other_programs() {
        // RFC 4231, test case 2.
        assert_eq!(
            signature("Jefe", b"what do ya want for nothing?"),
            "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        );
    }
}
