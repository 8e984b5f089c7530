//! The time.

use jiff::Timestamp;

/// Tells the time. It is a trait so that a replay can set the time.
pub trait Clock: Send + Sync {
    fn now(&self) -> Timestamp;
}
