//! The size of a window that no page tells: a question that asks for an answer far beyond it. Servers refuse it before they begin, and
//! name the window in the refusal (vLLM's and `llama-cpp-python`'s "maximum context length is 4096 tokens", TGI's "must be <= 4096"); those
//! that take it answer one word.

use std::time::Duration;

use super::{
    facts::Stated,
    trials::{Trials, question},
};
use copydesk_config::ResponseFormat;
use copydesk_core::ports::CallError;
use copydesk_text::thousands;

/// More tokens than any window has.
const TOO_MANY: u64 = 9_000_000;
/// How long the question may take.
const PATIENCE: Duration = Duration::from_secs(8);

pub(super) async fn by_overflow(trials: &Trials<'_>) -> Option<Stated<u64>> {
    let ask = question("You answer in one word.", "Answer with the one word: ready");
    let error = trials.ask(&trials.model(TOO_MANY, ResponseFormat::None), ask, PATIENCE, &|_| {}).await.err()?;
    let window = match error {
        CallError::Overflow { window, .. } => window?,
        _ => return None,
    };
    let how = format!("it refused a longer answer and named {}", thousands(window));
    Some(Stated::new(window, how))
}
