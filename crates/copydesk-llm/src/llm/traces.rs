//! Posts spans to a collector: OpenTelemetry's protocol over HTTP, as protobuf (<https://opentelemetry.io/docs/specs/otlp/#otlphttp>).

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceResponse;
use prost::Message as _;
use reqwest::header::CONTENT_TYPE;

use super::{
    egress::{Egress, SendFault, root_cause},
    refusal::{self, Refusal},
    stream,
};
use copydesk_config::{Secrets, TraceSettings};
use copydesk_core::ports::TraceFault;

/// A collector of traces.
pub struct TraceCollector {
    egress: Egress,
    settings: TraceSettings,
    secrets: Secrets,
}

impl TraceCollector {
    /// `secrets` are those of the whole configuration; `local_only` refuses every host that is not this machine.
    pub fn new(settings: TraceSettings, secrets: Secrets, local_only: bool) -> Self {
        Self { egress: Egress::new(local_only), settings, secrets }
    }

    async fn post(&self, spans: Vec<u8>) -> Result<(), TraceFault> {
        let TraceSettings { endpoint, headers, .. } = &self.settings;
        let host = endpoint.authority();
        let sent = self.egress.attempt(endpoint, "/v1/traces", |http, url| {
            let plain = http.post(url).header(CONTENT_TYPE, "application/x-protobuf");
            let with = headers.iter().fold(plain, |request, (name, value)| request.header(name, value.reveal()));
            with.body(spans)
        });
        let response = sent.await.map_err(|fault| match fault {
            // A busy database cannot note the request now, but later.
            SendFault::NotAllowed(error) if error.passes() => TraceFault::NotNow(error.to_string()),
            SendFault::NotAllowed(error) => TraceFault::Refused(error.to_string()),
            SendFault::Unsent(error) => TraceFault::NotNow(format!("no connection to {host}: {}", root_cause(&error))),
            SendFault::Unanswered(error) => {
                TraceFault::NotNow(format!("{host} gave no answer ({})", root_cause(&error)))
            }
        })?;
        if !response.status().is_success() {
            let Refusal { status, message, .. } = refusal::read(response, &self.secrets).await;
            let detail = format!("{host} answered {status}: {message}");
            // The statuses that the protocol lets a client send again after.
            return Err(match status {
                429 | 502..=504 => TraceFault::NotNow(detail),
                _ => TraceFault::Refused(detail),
            });
        }
        // The body is a courtesy beside the status; a body of another type says nothing.
        let body = stream::beginning(response, stream::MOST_ERROR).await;
        let refused =
            ExportTraceServiceResponse::decode(body.as_slice()).ok().and_then(|answer| answer.partial_success);
        match refused {
            Some(part) if part.rejected_spans > 0 => Err(TraceFault::Refused(format!(
                "{host} did not take {} spans: {}",
                part.rejected_spans,
                refusal::shown(&part.error_message, &self.secrets)
            ))),
            _ => Ok(()),
        }
    }

    /// Whether it is on this machine.
    pub fn is_here(&self) -> bool {
        self.settings.endpoint.is_loopback()
    }

    /// Sends spans, as the bytes of an `ExportTraceServiceRequest`.
    ///
    /// # Errors
    /// [`TraceFault`] if they were not taken.
    pub async fn send(&self, spans: Vec<u8>) -> Result<(), TraceFault> {
        let timeout = self.settings.timeout;
        let late = |_| {
            let host = self.settings.endpoint.authority();
            let seconds = timeout.as_secs_f64();
            Err(TraceFault::NotNow(format!("{host} gave no answer within {seconds} s (timeout_seconds)")))
        };
        tokio::time::timeout(timeout, self.post(spans)).await.unwrap_or_else(late)
    }
}
