//! Ties an answer to what was asked.

/// Ties an answer to what was asked: a form to its outcome, a story that is shown to the key that opened it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Ticket(u64);

impl Ticket {
    /// The one after this.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0.wrapping_add(1))
    }
}
