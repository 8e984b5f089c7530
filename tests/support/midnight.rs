//! Tests about one day have to end on the day on which they began.

use std::{
    thread,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

const DAY: u64 = 24 * 60 * 60;

/// Longest that such a test takes, on a slow machine.
const LONGEST: u64 = 60;

/// Waits for the next day, if what is left of this one (UTC, as on the screens of the tests) is not enough for a test.
pub fn wait_past_midnight() {
    #[expect(clippy::disallowed_methods, reason = "the program that is tested has the machine's clock")]
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("a time after 1970").as_secs();
    let left = DAY - now % DAY;
    if left <= LONGEST {
        thread::sleep(Duration::from_secs(left + 1));
    }
}
