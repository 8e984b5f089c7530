//! The words for a round without a concern. If no model reviewed, its silence is not a reviewer's consent.

use copydesk_newsroom::Journal;

/// The remark in the result of a story that no model reviewed.
pub const NOBODY: &str = "No model reviewed this draft";

/// Describes a round without a concern, in a sentence.
pub fn no_concerns(journal: &Journal) -> &'static str {
    if journal.opening.settings.no_reviewer {
        "No model reviewed this draft; the proof found nothing."
    } else {
        "No concerns."
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::testing::opening;
    use copydesk_newsroom::{Opening, RunSettings};

    #[test]
    fn the_silence_of_nobody_is_no_consent() {
        assert_eq!(no_concerns(&Journal::new(opening())), "No concerns.");
        let said = no_concerns(&Journal::new(Opening {
            settings: RunSettings { no_reviewer: true, ..opening().settings },
            ..opening()
        }));
        assert!(said.starts_with(NOBODY), "{said}");
    }
}
