//! The machine's clock.

use jiff::Timestamp;

use crate::ports::Clock;

/// Tells the machine's time.
pub(super) struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        #[expect(clippy::disallowed_methods, reason = "this is the clock's room")]
        Timestamp::now()
    }
}
