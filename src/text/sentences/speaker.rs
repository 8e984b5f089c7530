//! Who speaks in a line of a transcript.

use std::ops::Range;

/// The speaker's label at the head of a line (`VOSS: …`, `[00:01:05] R. HALE: …`, `Dr. Mary Poe: …`) as a byte range of
/// the line without time code and colon: up to five words, each capitalised or all in capitals.
#[must_use]
pub fn speaker(line: &str) -> Option<Range<usize>> {
    let mut start = line.len() - line.trim_start().len();
    if line.get(start..)?.starts_with(['[', '(']) {
        let close = line.get(start..)?.find([']', ')'])?;
        if !line.get(start..start + close)?.contains(|c: char| c.is_ascii_digit()) {
            return None;
        }
        start += close + 1;
        start += line.get(start..)?.len() - line.get(start..)?.trim_start().len();
    }
    let rest = line.get(start..)?;
    let bold = rest.len() - rest.trim_start_matches(['*', '_']).len();
    let start = start + bold;
    let rest = line.get(start..)?;
    let window: String = rest.chars().take(60).collect();
    let colon = window.find(':')?;
    let label = rest.get(..colon)?.trim_end_matches(['*', '_']);
    let after = rest.get(colon + 1..)?.trim_start_matches(['*', '_']);
    let spaced = after.is_empty() || after.starts_with(char::is_whitespace);
    // What stands in brackets behind the name is a role, not a part of it.
    let name = if label.ends_with(')') { label.split('(').next().unwrap_or_default().trim_end() } else { label };
    let count = name.split_whitespace().count();
    let named = name
        .split_whitespace()
        .all(|word| word.starts_with(char::is_uppercase) || matches!(word, "de" | "van" | "von" | "of"));
    let plain = label.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '.' | '-' | '\'' | '’' | '(' | ')'));
    (spaced && named && plain && (1..=5).contains(&count)).then(|| start..start + label.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_is_a_few_capitalised_words_before_a_colon() {
        let label = |line: &'static str| speaker(line).and_then(|range| line.get(range));
        assert_eq!(label("[00:11:50] R. HALE: I own it."), Some("R. HALE"));
        assert_eq!(label("Elena Castellan: \"No.\""), Some("Elena Castellan"));
        assert_eq!(label("It is 7:30 now"), None);
        assert_eq!(label("The vote was this: no."), None);
    }
}
