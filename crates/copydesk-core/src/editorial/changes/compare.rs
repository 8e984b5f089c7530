//! Compares two drafts.

use std::ops::Range;

use super::{
    asked::AskedFor,
    comparison::{Change, ChangeKind, ChangeReason, ComparedParagraph, Comparison, Segment},
    hunks, passage, why,
};
use copydesk_newsroom::ArticleResponse;
use copydesk_text::{
    alignment::{AlignedRow, RowKind, align},
    diff::DiffPiece,
    sentences::sentences,
};

/// Compares two drafts and says of each change which of `asked` explains it; the module `why` has the rules.
#[must_use]
pub fn compare(old: &ArticleResponse, new: &ArticleResponse, asked: &[AskedFor]) -> Comparison {
    let reasons = why::Reasons::new(asked, old);
    explained(old, new, asked.to_vec(), |place, site| reasons.why(place, site))
}

/// Compares the draft that an editor changed by hand with what it was.
#[must_use]
pub fn by_hand(old: &ArticleResponse, new: &ArticleResponse) -> Comparison {
    explained(old, new, Vec::new(), |_, _| ChangeReason::ByHand)
}

/// Compares two drafts; `why` is asked about each changed stretch within a sentence, and about each paragraph that moved.
pub(super) fn explained(
    old: &ArticleResponse,
    new: &ArticleResponse,
    asked: Vec<AskedFor>,
    why: impl Fn(usize, &why::Site<'_>) -> ChangeReason,
) -> Comparison {
    let mut comparison = Comparison { asked, ..Comparison::default() };
    for (place, ((field, before), (_, after))) in old.fields().into_iter().zip(new.fields()).enumerate() {
        if before == after {
            comparison.paragraphs.extend(align(before, after).into_iter().map(|row| unchanged(field, after, &row)));
            continue;
        }
        let (old_sentences, new_sentences) = (sentences(before), sentences(after));
        let mut moved = Vec::new();
        for row in align(before, after) {
            if row.kind == RowKind::Same {
                comparison.paragraphs.push(unchanged(field, after, &row));
                continue;
            }
            if row.kind == RowKind::MovedAway {
                moved.push((comparison.paragraphs.len(), row.clone()));
            }
            let passage = passage::ChangedPassage::new(before, after, &row);
            let site = |old: Range<usize>, new: Range<usize>, kind| why::Site { passage: &passage, old, new, kind };
            let mut paragraph = ComparedParagraph { field, kind: row.kind, moved: None, segments: Vec::new() };
            if row.kind == RowKind::MovedHere {
                paragraph.moved = Some(comparison.changes.len());
                comparison.changes.push(Change {
                    field,
                    kind: ChangeKind::Moved,
                    pieces: vec![DiffPiece::Same(after.get(row.new.clone()).unwrap_or_default().to_owned())],
                    old: row.old.clone(),
                    new: row.new.clone(),
                    why: why(place, &site(row.old.clone(), row.new.clone(), ChangeKind::Moved)),
                });
            }
            let atoms = hunks::atoms(&row.runs, &old_sentences, &new_sentences);
            let reason = |old: &Range<usize>, new: &Range<usize>| {
                why(place, &site(old.clone(), new.clone(), ChangeKind::Wording))
            };
            let grouped = hunks::group(before, after, &atoms, reason);
            let (segments, changes) = grouped.written(field, before, after, comparison.changes.len());
            paragraph.segments = segments;
            comparison.changes.extend(changes);
            comparison.paragraphs.push(paragraph);
        }
        for (index, row) in moved {
            let found = comparison.changes.iter().position(|change| {
                change.field == field
                    && change.kind == ChangeKind::Moved
                    && change.old == row.old
                    && change.new == row.new
            });
            if let Some(paragraph) = comparison.paragraphs.get_mut(index) {
                paragraph.moved = found;
            }
        }
    }
    comparison
}

fn unchanged(field: &'static str, text: &str, row: &AlignedRow) -> ComparedParagraph {
    let words = text.get(row.new.clone()).unwrap_or_default().to_owned();
    let segment = Segment { piece: DiffPiece::Same(words), old: row.old.clone(), new: row.new.clone(), change: None };
    ComparedParagraph { field, kind: RowKind::Same, moved: None, segments: vec![segment] }
}
