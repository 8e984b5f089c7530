//! Words of a recording that the recogniser was unsure of: the advice beside what rests on them, and their marks in the source.

use std::ops::Range;

use crate::widgets::{Mark, Sheet, TextRole};
use copydesk_newsroom::{RecordedSource, UnsureWords};
use copydesk_text::{in_marks, sanitise};

/// Most characters of such words: a whole segment can be unsure.
const LONGEST: usize = 200;

/// Each of the words on which a stretch of the source rests: `“fairy dog” (listen: 00:00:10)`. The stretch has these words, and begins at
/// byte `start` of the source; nothing if the source is not a recording's.
pub(crate) fn advice(recorded: Option<&RecordedSource>, start: usize, text: &str) -> Vec<String> {
    let unsure = recorded.map_or(&[][..], |recorded| &recorded.unsure);
    let line = |(words, said): (UnsureWords, &str)| {
        format!("{} ({})", in_marks(&sanitise::excerpt(&sanitise::one_line(said), LONGEST)), words.advice())
    };
    UnsureWords::within(unsure, start, text).map(line).collect()
}

/// Adds the advice, under a heading of its own; nothing if there is none.
pub(crate) fn section(sheet: &mut Sheet, advice: &[String]) {
    if !advice.is_empty() {
        sheet.section("The recogniser was unsure of these words");
    }
    for line in advice {
        sheet.line(line, TextRole::Text);
    }
}

/// The marks in a source: its passage, and around unsure words of a recording another, which stays visible within the passage.
pub(crate) fn marks(passage: Option<Range<usize>>, recorded: Option<&RecordedSource>) -> Vec<Mark> {
    let unsure = recorded.map(|recorded| recorded.unsure.as_slice()).unwrap_or_default();
    let mut marks: Vec<Mark> =
        unsure.iter().map(|words| Mark::new(words.start..words.end, TextRole::Concern)).collect();
    if let Some(passage) = passage {
        let mut from = passage.start;
        for words in unsure.iter().filter(|words| words.start < passage.end && words.end > passage.start) {
            marks.push(Mark::new(from..words.start.max(from), TextRole::Passage));
            from = words.end.max(from);
        }
        marks.push(Mark::new(from..passage.end.max(from), TextRole::Passage));
    }
    marks
}
