//! Corrections in the text of an article.

use crate::editorial::corrections::PrintedCorrection;

/// A body in Markdown with the corrections as its first paragraphs.
pub(super) fn with_corrections(body: &str, corrections: &[PrintedCorrection]) -> String {
    let paragraph =
        |correction: &PrintedCorrection| format!("**{}:** {}\n\n", correction.label(), plain(&correction.note));
    corrections.iter().map(paragraph).chain([body.to_owned()]).collect()
}

/// Text that Markdown reads as the words that it is: no mark in it means anything (backslash escapes of `CommonMark`).
pub(super) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii_punctuation()
            && !matches!(c, '.' | ',' | ';' | ':' | '?' | '\'' | '"' | '(' | ')' | '/' | '%' | '-')
        {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::export::html;

    #[test]
    fn a_note_is_words_whatever_marks_it_has() {
        for note in [
            "It was *4*, not `5`; see [the minutes](javascript:x) or <b>here</b>.",
            "1. # - + > | ~~x~~ ![y](z) &amp; https://a.example \\ [^1] \"so\"",
            "- no list",
        ] {
            let correction = PrintedCorrection { note: note.into(), at: None };
            let body = with_corrections("Text.", &[correction]);
            let escaped = html::escaped(note).replace("&#39;", "'").replace("&quot;", "\"");
            assert_eq!(html::body(&body), format!("<p><strong>Correction:</strong> {escaped}</p>\n<p>Text.</p>\n"));
        }
        assert_eq!(with_corrections("Text.", &[]), "Text.");
    }
}
