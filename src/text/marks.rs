//! Where quotations stand: between curly or straight double marks, over several paragraphs where each opens anew.

/// What stands between two quotation marks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quotation {
    /// First byte after the opening mark.
    pub start: usize,
    /// The closing mark's first byte, or the paragraph's end where no mark closes.
    pub end: usize,
}

/// The quotations of `text`, in order. A paragraph that ends with its quotation open and is followed by one that opens
/// again goes on, as house style has it; each paragraph is one quotation here.
#[must_use]
pub fn quotations(text: &str) -> Vec<Quotation> {
    let mut found = Vec::new();
    let mut start = 0;
    for paragraph in split_paragraphs(text) {
        read(paragraph, start, &mut found);
        start += paragraph.len();
    }
    found
}

/// Paragraphs with the blank lines that end them.
fn split_paragraphs(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut end = rest.len();
        let mut blank = true;
        let mut seen = false;
        for (at, c) in rest.char_indices() {
            if c == '\n' {
                if blank && seen {
                    end = at + 1;
                    break;
                }
                blank = true;
            } else if !c.is_whitespace() {
                blank = false;
                seen = true;
            }
        }
        let (paragraph, tail) = rest.split_at_checked(end)?;
        rest = tail;
        Some(paragraph)
    })
}

fn read(paragraph: &str, offset: usize, found: &mut Vec<Quotation>) {
    let mut open: Option<(usize, char)> = None;
    let mut before = ' ';
    let mut chars = paragraph.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let after = chars.peek().map_or(' ', |&(_, next)| next);
        match (c, open) {
            // A straight mark after a digit with none open is an inch; one that touches no word opens nothing.
            ('"', None) if before.is_ascii_digit() || after.is_whitespace() => {}
            ('“' | '"' | '„' | '«', None) => open = Some((at + c.len_utf8(), c)),
            // House style sometimes mixes the marks; a curly closing mark closes a straight one, and the reverse.
            ('”' | '»' | '"', Some((start, _))) | ('“', Some((start, '„'))) => {
                found.push(Quotation { start: offset + start, end: offset + at });
                open = None;
            }
            ('“', Some((start, _))) if before.is_whitespace() => {
                // A second opening mark: the first was never closed.
                found.push(Quotation { start: offset + start, end: offset + at });
                open = Some((at + c.len_utf8(), c));
            }
            _ => {}
        }
        before = c;
    }
    if let Some((start, _)) = open {
        let end = offset + paragraph.trim_end().len();
        if end > offset + start {
            found.push(Quotation { start: offset + start, end });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        quotations(text).into_iter().filter_map(|q| text.get(q.start..q.end)).collect()
    }

    #[test]
    fn curly_and_straight_marks_quote() {
        assert_eq!(texts("“One,” she said. \"Two.\" A 6\" nail."), ["One,", "Two."]);
    }

    #[test]
    fn an_unclosed_quotation_ends_with_its_paragraph() {
        assert_eq!(texts("“It goes on.\n\n“And ends here,” he said."), ["It goes on.", "And ends here,"]);
    }
}
