//! Whether an answer is much longer than it was asked to be, of a server that does not keep to `max_tokens`.

use super::broken::Broken;
use copydesk_text::tokens;

/// Tokenizers differ: from so many times the tokens that were asked for on, an answer is too long by any of them.
const TIMES: u64 = 2;
/// Tokens beyond that.
const SLACK: u64 = 64;
/// The tokenizer that counts. It is in the program, and no other one that is used makes half as many tokens of a text.
const ENCODING: &str = "o200k_base";

#[derive(Default)]
pub(super) struct Length {
    max_tokens: Option<u64>,
    /// Bytes from which on the tokens are counted again: always some more, so that counting costs little.
    next: usize,
}

impl Length {
    pub(super) fn new(max_tokens: Option<u64>) -> Self {
        let first = max_tokens.map_or(u64::MAX, |most| most.saturating_mul(TIMES).saturating_add(SLACK));
        Self { max_tokens, next: usize::try_from(first).unwrap_or(usize::MAX) }
    }

    /// # Errors
    /// [`Broken::TooLong`] if text and thinking together have far more tokens than were asked for.
    pub(super) fn check(&mut self, text: &str, thinking: &str) -> Result<(), Broken> {
        let bytes = text.len() + thinking.len();
        let Some(max_tokens) = self.max_tokens.filter(|_| bytes > self.next) else { return Ok(()) };
        self.next = bytes + bytes / 4;
        let counted = tokens::count(ENCODING, text) + tokens::count(ENCODING, thinking);
        let most = max_tokens.saturating_mul(TIMES).saturating_add(SLACK);
        if counted > most { Err(Broken::TooLong { max_tokens }) } else { Ok(()) }
    }
}
