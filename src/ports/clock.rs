//! The time.

use jiff::Timestamp;

/// Tells the time. Behind a trait so that a replay can be told it.
pub trait Clock: Send + Sync {
    /// The current time.
    fn now(&self) -> Timestamp;
}
