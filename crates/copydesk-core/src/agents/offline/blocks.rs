//! Divides a source into paragraphs, and reads their first lines: a letterhead, or a heading that names the speaker of a quotation.

use std::ops::Range;

use copydesk_text::{
    sanitise::one_line,
    sentences::{sentences, speaker},
    time_code::time_code,
    words::words,
};

/// Whether a paragraph begins with a line in capitals.
pub(super) fn is_letterhead(block: &str) -> bool {
    let heads: Vec<_> = words(block).into_iter().filter(|word| word.text.chars().count() > 1).take(3).collect();
    let quoted = block.chars().take(300).any(|c| matches!(c, '“' | '"'));
    !quoted
        && speaker(block).is_none()
        && heads.len() == 3
        && heads.iter().all(|word| !word.text.chars().any(char::is_lowercase))
}

/// Paragraphs as byte ranges, without time codes that have no speaker. Each labelled line of a transcript begins a paragraph.
pub(super) fn blocks(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.trim().is_empty() || speaker(line).is_some() {
            found.push(start..at);
            start = at;
        }
        at += line.len();
    }
    found.push(start..text.len());
    let trimmed = |range: Range<usize>| {
        let block = text.get(range.clone())?;
        let from = range.start + (block.len() - block.trim_start().len());
        let end = from + block.trim().len();
        // A time code without a name begins no turn. The line is running text, and the time code is not part of it.
        let unnamed = time_code(block).filter(|_| speaker(block).is_none());
        let from = unnamed.map_or(from, |(_, words)| end - words.trim_end().len());
        (from < end).then_some(from..end)
    };
    found.into_iter().filter_map(trimmed).collect()
}

/// Whether a heading names the speaker of the quotation below it: `CORRECTION, sent on Monday by Margit Haldane, operations manager`.
pub(super) fn signed(block: &str) -> Option<String> {
    let last = sentences(block).pop()?;
    let head = block.get(last)?;
    let (_, name) = head.split_once(" by ")?;
    let named = words(name).iter().take(2).all(|word| word.text.starts_with(char::is_uppercase));
    let open = !head.ends_with(['.', '!', '?', '”', '"', ':']) && words(name).len() >= 2;
    (named && open).then(|| one_line(head))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labelled_lines_are_paragraphs() {
        let text = "VOSS: Good evening.\nTULL: Thanks.\n\nThe end\nof it.";
        let found: Vec<&str> = blocks(text).into_iter().filter_map(|range| text.get(range)).collect();
        assert_eq!(found, ["VOSS: Good evening.", "TULL: Thanks.", "The end\nof it."]);
        let text = "[00:01] VOSS: Good evening.\n\n[00:00:05] The end\nof it. \n\n[00:00:09]\n";
        let found: Vec<&str> = blocks(text).into_iter().filter_map(|range| text.get(range)).collect();
        assert_eq!(found, ["[00:01] VOSS: Good evening.", "The end\nof it."]);
    }

    #[test]
    fn a_heading_can_sign_what_is_below() {
        assert_eq!(
            signed("DOCUMENT 3. CORRECTION, sent on Monday by Margit Haldane, operations manager").as_deref(),
            Some("CORRECTION, sent on Monday by Margit Haldane, operations manager")
        );
        assert_eq!(signed("The park was opened by Ada Roth."), None);
        assert!(is_letterhead("TOWN OF BRANDLE. Minutes of May 5.") && !is_letterhead("The town of Brandle met."));
    }
}
