//! Two people changed one text: what becomes of it if each keeps the changes of both.

use std::ops::Range;

use similar::DiffTag;

use crate::alignment::{numbers_of, same_or_not};

/// A text with the changes of two people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merged {
    pub text: String,
    /// Where both changed the same words, in the order of the text. There the first one's words stand.
    pub clashes: Vec<Clash>,
}

/// Words that both changed, each into others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clash {
    pub before: String,
    /// The second one's words, which do not stand in the merged text.
    pub theirs: String,
}

/// Some bytes of the text before, and what one person put there.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Edit {
    range: Range<usize>,
    put: String,
}

/// Merges by words. Two people made `mine` and `theirs` of `before`.
pub fn merge(before: &str, mine: &str, theirs: &str) -> Merged {
    let mut own = edits(before, mine).into_iter().peekable();
    let mut other = edits(before, theirs).into_iter().peekable();
    let (mut text, mut clashes, mut read) = (String::new(), Vec::new(), 0);
    let copy = |range: Range<usize>| before.get(range).unwrap_or_default();
    while let Some(start) = own.peek().into_iter().chain(other.peek()).map(|edit| edit.range.start).min() {
        // A group: edits that touch each other, by either person.
        let (mut ours, mut yours, mut end) = (Vec::new(), Vec::new(), start);
        loop {
            if let Some(edit) = own.next_if(|edit| edit.range.start <= end) {
                end = end.max(edit.range.end);
                ours.push(edit);
            } else if let Some(edit) = other.next_if(|edit| edit.range.start <= end) {
                end = end.max(edit.range.end);
                yours.push(edit);
            } else {
                break;
            }
        }
        let made = |edits: &[Edit]| {
            let (mut made, mut read) = (String::new(), start);
            for edit in edits {
                made.push_str(copy(read..edit.range.start));
                made.push_str(&edit.put);
                read = edit.range.end;
            }
            made + copy(read..end)
        };
        text.push_str(copy(read..start));
        text.push_str(&made(if ours.is_empty() { &yours } else { &ours }));
        if !ours.is_empty() && !yours.is_empty() && made(&ours) != made(&yours) {
            clashes.push(Clash { before: copy(start..end).to_owned(), theirs: made(&yours) });
        }
        read = end;
    }
    text.push_str(copy(read..before.len()));
    Merged { text, clashes }
}

/// Returns the edits that turn `before` into `after`, in order.
fn edits(before: &str, after: &str) -> Vec<Edit> {
    let (old, new) = (tokens(before), tokens(after));
    let [one, other] = numbers_of([(before, &old), (after, &new)].map(|(text, tokens)| {
        tokens.iter().map(|token| text.get(token.clone()).unwrap_or_default()).collect::<Vec<&str>>()
    }));
    let bytes = |tokens: &[Range<usize>], range: Range<usize>, all: usize| {
        let start = tokens.get(range.start).map_or(all, |token| token.start);
        start..tokens.get(range.end).map_or(all, |token| token.start)
    };
    let changed = same_or_not(&one, &other).into_iter().filter(|operation| operation.tag() != DiffTag::Equal);
    changed
        .map(|operation| {
            let put = bytes(&new, operation.new_range(), after.len());
            Edit {
                range: bytes(&old, operation.old_range(), before.len()),
                put: after.get(put).unwrap_or_default().to_owned(),
            }
        })
        .collect()
}

/// Words and the space between them, by their bytes.
fn tokens(text: &str) -> Vec<Range<usize>> {
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let stretches = chars.chunk_by(|(_, one), (_, next)| one.is_whitespace() == next.is_whitespace());
    let ends = stretches.filter_map(|stretch| stretch.first().zip(stretch.last()));
    ends.map(|((start, _), (end, last))| *start..end + last.len_utf8()).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn merged(before: &str, mine: &str, theirs: &str) -> (String, Vec<(String, String)>) {
        let Merged { text, clashes } = merge(before, mine, theirs);
        (text, clashes.into_iter().map(|clash| (clash.before, clash.theirs)).collect())
    }

    #[test]
    fn changes_of_two_people_stand_side_by_side_and_the_same_words_clash() {
        let before = "The path is 1.8 miles long.\n\nIt costs $2 million.";
        let theirs = "The path is 1.4 miles long.\n\nIt costs $2 million.";
        let both = "Today: The path is 1.4 miles long.\n\nIt costs $3 million.";
        let mine = "Today: The path is 1.8 miles long.\n\nIt costs $3 million.";
        assert_eq!(merged(before, mine, theirs), (both.to_owned(), vec![]));
        let mine = "The path is 1.5 miles long.\n\nIt costs $2 million.";
        assert_eq!(merged(before, mine, theirs), (mine.to_owned(), vec![("1.8".into(), "1.4".into())]));
        // One removes the paragraph in which the other changes a word.
        let short = "It costs $2 million.";
        let gone = ("The path is 1.8 miles long.\n\n".to_owned(), "The path is 1.4 miles long.\n\n".to_owned());
        assert_eq!(merged(before, short, theirs), (short.to_owned(), vec![gone]));
    }

    proptest! {
        #[test]
        fn a_text_that_one_left_alone_is_the_others(before in "[a-c \n]{0,30}", after in "[a-c \n]{0,30}") {
            prop_assert_eq!(merged(&before, &before, &after), (after.clone(), vec![]));
            prop_assert_eq!(merged(&before, &after, &before), (after.clone(), vec![]));
            prop_assert_eq!(merged(&before, &after, &after), (after, vec![]));
        }

        #[test]
        fn of_two_texts_the_first_stands_wherever_they_clash(
            before in "[a-c ]{0,20}", mine in "[a-c ]{0,20}", theirs in "[a-c ]{0,20}",
        ) {
            let (text, clashes) = merged(&before, &mine, &theirs);
            let (other, mirrored) = merged(&before, &theirs, &mine);
            prop_assert_eq!(clashes.len(), mirrored.len());
            prop_assert!(!clashes.is_empty() || text == other);
        }
    }
}
