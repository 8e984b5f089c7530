//! Lines that end a sentence without a stop: headings, items of a list, what somebody says in a transcript.

use super::speaker::speaker;

/// Whether the line break after `head` and before `rest` ends a sentence.
pub(super) fn line_ends_here(head: &str, rest: &str) -> bool {
    let line = rest.lines().next().unwrap_or_default().trim_start();
    let own = head.trim_start();
    line.is_empty()
        || own.starts_with('#')
        || line.starts_with(['#', '>', '[', '•', '|'])
        || ["- ", "* ", "+ "].iter().any(|mark| line.starts_with(mark))
        || is_numbered(line)
        || speaker(line).is_some()
        || (own.lines().next_back().unwrap_or_default().chars().count() < 60
            && line.starts_with(char::is_uppercase)
            && !own.trim_end().ends_with([',', ';', '-', '–', '—']))
}

fn is_numbered(line: &str) -> bool {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    (1..=3).contains(&digits) && line.get(digits..).is_some_and(|rest| rest.starts_with(". ") || rest.starts_with(") "))
}
