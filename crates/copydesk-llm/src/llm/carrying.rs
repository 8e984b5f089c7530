//! What the carriers over HTTP have in common.

use std::time::Duration;

use super::egress::{SendFault, root_cause};
use copydesk_core::ports::CarryError;

/// Why `host` did not take a request, with whether it can have it all the same.
pub(super) fn unsent(host: &str, fault: SendFault) -> CarryError {
    match fault {
        SendFault::NotAllowed(error) => CarryError::Refused(error.to_string()),
        SendFault::Unsent(error) => {
            CarryError::NotNow { detail: format!("no connection to {host}: {}", root_cause(&error)), after: None }
        }
        SendFault::Unanswered(error) => {
            CarryError::Doubtful(format!("{host} took the connection and gave no answer ({})", root_cause(&error)))
        }
    }
}

/// Waits for a delivery to `host` for at most so many seconds; then it is in doubt.
pub(super) async fn in_time(
    host: &str,
    seconds: f64,
    delivery: impl Future<Output = Result<String, CarryError>>,
) -> Result<String, CarryError> {
    let late = || CarryError::Doubtful(format!("{host} gave no answer within {seconds} s (timeout_seconds)"));
    tokio::time::timeout(Duration::from_secs_f64(seconds), delivery).await.unwrap_or_else(|_| Err(late()))
}
