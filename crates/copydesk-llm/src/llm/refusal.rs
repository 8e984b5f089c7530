//! Reads a response with an error status: the server's message and how long it asks to wait.

use std::time::Duration;

use jiff::{Timestamp, fmt::rfc2822};
use reqwest::{
    Response,
    header::{HeaderMap, LOCATION, RETRY_AFTER},
};
use serde_json::Value;

use super::{
    overflow::{self, Overflow},
    said, stream,
};
use copydesk_config::Secrets;
use copydesk_text::sanitise;

/// Most characters of a server's message that are passed on.
const MOST_MESSAGE: usize = 400;

pub(super) struct Refusal {
    pub(super) status: u16,
    /// Shortened and without secrets.
    pub(super) message: String,
    pub(super) retry_after: Option<Duration>,
    /// If it says that the prompt is too long.
    pub(super) overflow: Option<Overflow>,
    /// All words of the server's, in lower case, to look something up in.
    pub(super) words: String,
}

/// Reads a response with an error status.
pub(super) async fn read(response: Response, secrets: &Secrets) -> Refusal {
    let status = response.status().as_u16();
    let retry_after = retry_after(response.headers());
    let target = response.headers().get(LOCATION).and_then(|target| target.to_str().ok());
    let target = target.filter(|_| response.status().is_redirection()).map(|target| shown(target, secrets));
    let body = stream::beginning(response, stream::MOST_ERROR).await;
    let body =
        serde_json::from_slice(&body).unwrap_or_else(|_| Value::from(String::from_utf8_lossy(&body).into_owned()));
    let message = said::message(&body);
    let message = if message.trim().is_empty() { "no reason given".to_owned() } else { shown(&message, secrets) };
    let message = target.map_or(message, |target| format!("it sends on to {target}: check api_base"));
    let (overflow, words) = (overflow::read(status, &body), said::words(&body));
    Refusal { status, message, retry_after, overflow, words }
}

/// A server's words for a message: shortened, without secrets.
pub(super) fn shown(text: &str, secrets: &Secrets) -> String {
    sanitise::excerpt(&secrets.hide_in_message(text), MOST_MESSAGE)
}

/// `Retry-After` in its two forms (RFC 9110, section 10.2.3): seconds, or a date.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let value = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = value.parse::<u64>() {
        return Some(Duration::from_secs(seconds));
    }
    let date = rfc2822::parse(&value.replace("GMT", "+0000")).ok()?.timestamp();
    #[expect(clippy::disallowed_methods, reason = "a header's date is compared with the machine's clock")]
    let now = Timestamp::now();
    Duration::try_from(date.duration_since(now)).ok()
}

#[cfg(test)]
mod tests {
    use reqwest::header::HeaderValue;

    use super::*;

    fn after(value: &str) -> Option<Duration> {
        let mut headers = HeaderMap::new();
        headers.insert(RETRY_AFTER, HeaderValue::from_str(value).unwrap());
        retry_after(&headers)
    }

    #[test]
    fn retry_after_is_read_in_both_forms() {
        assert_eq!(after("7"), Some(Duration::from_secs(7)));
        assert!(after("Fri, 31 Dec 2100 23:59:59 GMT").is_some_and(|wait| wait > Duration::from_secs(1_000_000)));
        assert_eq!(after("Fri, 31 Dec 1999 23:59:59 GMT"), None);
        assert_eq!(after("soon"), None);
    }
}
