//! Notes the faults of a connection beside its messages: a message that is too large, and a program's complaints.

use std::sync::{Mutex, PoisonError};

use tokio::sync::watch;

use copydesk_text::sanitise;

/// Most bytes of a program's complaints that are kept: the last ones.
const MOST_WORDS: usize = 4096;
/// Most characters of its last line.
const LONGEST_LINE: usize = 300;

/// The faults of one connection.
pub(super) struct Mishaps {
    /// Most bytes of a message.
    pub(super) limit: usize,
    /// How many messages were too large.
    oversized: watch::Sender<usize>,
    /// The end of what the program wrote to its standard error.
    words: Mutex<Vec<u8>>,
}

impl Mishaps {
    pub(super) fn new(limit: usize) -> Self {
        Self { limit, oversized: watch::Sender::new(0), words: Mutex::default() }
    }

    /// Notes a message that was too large to be held.
    pub(super) fn oversized(&self) {
        self.oversized.send_modify(|count| *count += 1);
    }

    /// Ends with the next message that is too large.
    pub(super) async fn next_oversized(&self) {
        let mut count = self.oversized.subscribe();
        if count.changed().await.is_err() {
            std::future::pending::<()>().await;
        }
    }

    /// Adds to the program's complaints.
    pub(super) fn complain(&self, bytes: &[u8]) {
        let mut words = self.words.lock().unwrap_or_else(PoisonError::into_inner);
        words.extend_from_slice(bytes);
        let over = words.len().saturating_sub(MOST_WORDS);
        words.drain(..over);
    }

    /// The last line that is not blank; none if it said nothing.
    pub(super) fn last_words(&self) -> Option<String> {
        let words = self.words.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&words);
        text.lines().map(|line| sanitise::excerpt(line, LONGEST_LINE)).rfind(|line| !line.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_is_kept_of_any_number() {
        let mishaps = Mishaps::new(1);
        assert_eq!(mishaps.last_words(), None);
        for _ in 0..1000 {
            mishaps.complain(b"a line of a log that never ends\n");
        }
        assert!(mishaps.words.lock().unwrap().len() <= MOST_WORDS);
        mishaps.complain(b"no \x1b[31mkey\xff\n\n  \n");
        assert_eq!(mishaps.last_words().unwrap(), "no key\u{fffd}");
    }
}
