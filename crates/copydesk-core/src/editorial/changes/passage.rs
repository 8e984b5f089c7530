//! The figures and quotations of a changed paragraph, which an editor looks at first.

use std::{collections::BTreeSet, ops::Range};

use copydesk_text::{
    alignment::AlignedRow,
    words::{NumberWord, fold, is_stop_word, number_word, stem, words},
};

/// A changed paragraph with what its figures and quotations became. Byte ranges are of the field.
pub(super) struct ChangedPassage<'a> {
    pub old: &'a str,
    pub new: &'a str,
    /// The whole paragraph in the old draft.
    pub place: Range<usize>,
    /// All figures of the old paragraph.
    pub figures: BTreeSet<String>,
    lost: BTreeSet<String>,
    gained: BTreeSet<String>,
    /// Quotations of the old paragraph that the new one does not have word for word.
    altered: Vec<Range<usize>>,
    /// Quotations of the new paragraph that the old one did not have.
    fresh: Vec<Range<usize>>,
}

impl<'a> ChangedPassage<'a> {
    pub fn new(old: &'a str, new: &'a str, row: &AlignedRow) -> Self {
        let (before, after) =
            (old.get(row.old.clone()).unwrap_or_default(), new.get(row.new.clone()).unwrap_or_default());
        let (was, is) = (figures(before), figures(after));
        let spoken = |text: &str, all: &[Range<usize>]| -> Vec<Vec<String>> {
            all.iter().map(|range| folded(text.get(range.clone()).unwrap_or_default())).collect()
        };
        let (in_old, in_new) = (quotations(before), quotations(after));
        let (said, says) = (spoken(before, &in_old), spoken(after, &in_new));
        let without = |ranges: Vec<Range<usize>>, own: &[Vec<String>], other: &[Vec<String>], at: usize| {
            let kept = ranges.into_iter().zip(own).filter(|(_, words)| !other.contains(words));
            kept.map(|(range, _)| range.start + at..range.end + at).collect()
        };
        Self {
            old,
            new,
            place: row.old.clone(),
            lost: was.difference(&is).cloned().collect(),
            gained: is.difference(&was).cloned().collect(),
            figures: was,
            altered: without(in_old, &said, &says, row.old.start),
            fresh: without(in_new, &says, &said, row.new.start),
        }
    }

    /// Figures among the removed words that the paragraph no longer has, and among the added words that it did not have.
    pub fn figures_changed(&self, removed: &str, added: &str) -> (BTreeSet<String>, BTreeSet<String>) {
        let of = |text: &str, changed: &BTreeSet<String>| figures(text).intersection(changed).cloned().collect();
        (of(removed, &self.lost), of(added, &self.gained))
    }

    /// The old quotation whose words or marks these ranges change; an empty range if a quotation was added; none otherwise.
    pub fn quotation_changed(&self, old: &Range<usize>, new: &Range<usize>) -> Option<Range<usize>> {
        let meets = |range: &&Range<usize>, with: &Range<usize>| range.start < with.end && with.start < range.end;
        let inside = |range: &&Range<usize>, at: usize| range.start < at && at < range.end;
        let altered =
            self.altered.iter().find(|range| meets(range, old) || (old.is_empty() && inside(range, old.start)));
        altered.cloned().or_else(|| self.fresh.iter().find(|range| meets(range, new)).map(|_| old.start..old.start))
    }
}

/// The figures of a text: digits without separators, and spelled-out numbers below a hundred as digits. `one` is none.
pub(super) fn figures(text: &str) -> BTreeSet<String> {
    words(text)
        .into_iter()
        .filter_map(|word| {
            let word = fold(word.text);
            if word.contains(|c: char| c.is_ascii_digit()) {
                return Some(word.replace(',', ""));
            }
            match number_word(&word)? {
                NumberWord::Unit(1) => None,
                NumberWord::Unit(number) => Some(number.to_string()),
                NumberWord::Scale(_) => Some(word),
            }
        })
        .collect()
}

/// The words of a text in the form in which they are compared.
pub(super) fn folded(text: &str) -> Vec<String> {
    words(text).into_iter().map(|word| fold(word.text)).collect()
}

/// The words that say what a text is about, without their endings.
pub(super) fn content(text: &str) -> BTreeSet<String> {
    folded(text).into_iter().filter(|word| !is_stop_word(word)).map(|word| stem(&word)).collect()
}

/// The quotations in double marks, as byte ranges with the marks. A quotation inside a quotation belongs to it; one that is not closed goes
/// to the end.
pub(in crate::editorial) fn quotations(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open: Option<(usize, char)> = None;
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match (open, c) {
            (None, '“' | '"' | '„' | '«') => (open, depth) = (Some((at, c)), 1),
            (Some((_, '“')), '“') => depth += 1,
            (Some((start, mark)), _) if closes(mark, c) => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    found.push(start..at + c.len_utf8());
                    open = None;
                }
            }
            _ => {}
        }
    }
    found.extend(open.map(|(start, _)| start..text.len()));
    found
}

fn closes(mark: char, c: char) -> bool {
    match mark {
        '“' => c == '”',
        '„' => matches!(c, '“' | '”'),
        '«' => c == '»',
        mark => c == mark,
    }
}
