//! The place of a stretch of a source, as a reader finds it again.

use std::ops::Range;

use super::time_code::turn_code;

/// Stands where a page of a document ends: two spaces that no text has side by side. To every reader of words they are white space.
pub const PAGE_END: &str = "\u{2006}\u{200A}";

/// The page that a byte of a text is on, from 1; none of a text without pages.
pub fn page(text: &str, at: usize) -> Option<usize> {
    text.contains(PAGE_END).then(|| text.get(..at).unwrap_or_default().matches(PAGE_END).count() + 1)
}

/// The line that a byte of a text is in, from 1.
pub fn line(text: &str, at: usize) -> usize {
    text.get(..at).unwrap_or_default().matches('\n').count() + 1
}

/// `00:01:02` of a recording, `page 3` of a document with pages, else `other`, such as `line 12`.
pub fn place(text: &str, span: &Range<usize>, other: impl FnOnce() -> String) -> String {
    let page = || page(text, span.start).map(|page| format!("page {page}"));
    let code = turn_code(text, span).map(str::to_owned);
    code.or_else(page).unwrap_or_else(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_time_a_page_or_a_line() {
        let text = format!("One.\n\nTwo goes{PAGE_END}on. Three.{PAGE_END}\n\nFour.");
        let of = |text: &str, part: &str| {
            let at = text.find(part).unwrap();
            place(text, &(at..at + 1), || format!("line {}", line(text, at)))
        };
        for (part, page) in [("One", "page 1"), ("goes", "page 1"), ("on.", "page 2"), ("Four", "page 3")] {
            assert_eq!(of(&text, part), page);
        }
        assert_eq!(of("One.\n\nTwo.", "Two"), "line 3");
        assert_eq!(of("[00:01] VOSS: Good.", "Good"), "00:01");
    }
}
