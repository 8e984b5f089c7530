//! A change of the draft, and the trial whether it holds: the changed draft is proved again.

use std::ops::Range;

use crate::{
    ledger::{Fault, LedgerWriter},
    reading::ParsedText,
    sources::DraftField,
};

/// Asks the rules about a draft.
pub type AskRules = fn(&mut LedgerWriter<'_, '_>);

/// Other words for some bytes of a field.
pub(super) struct Edit {
    pub(super) span: Range<usize>,
    pub(super) words: String,
}

/// Bytes before and behind a change in which the trial reads whole paragraphs: more than most articles have.
const NEAR: usize = 16 << 10;

/// Whether the changed draft raises nothing in these bytes that `others` do not say of the draft as it is.
pub(super) fn holds(
    ledger: &LedgerWriter<'_, '_>,
    field: &DraftField<'_>,
    (edit, within): (&Edit, Range<usize>),
    others: &[&Fault],
    ask: AskRules,
) -> bool {
    let (text, span) = (field.reading.text, &edit.span);
    let read = near(text, &within);
    let (Some(head), Some(tail)) = (text.get(read.start..span.start), text.get(span.end..read.end)) else {
        return false;
    };
    let article = ledger.texts.article_with(field.at, &format!("{head}{}{tail}", edit.words));
    let moved = |at: usize| at + edit.words.len() - span.len() - read.start;
    let within = within.start - read.start..moved(within.end);
    let mut texts = ledger.texts.reread(&article);
    texts.keep_to(field.at, within.clone());
    let mut again = LedgerWriter::new(&texts, false, ledger.least);
    ask(&mut again);
    let known = |new: &Fault, old: &Fault| {
        let Some(start) = old.start.checked_sub(read.start) else { return false };
        let place = if old.end <= span.start {
            start..old.end - read.start
        } else if old.start >= span.end {
            moved(old.start)..moved(old.end)
        } else if old.start <= span.start && span.end <= old.end {
            start..moved(old.end)
        } else {
            return false;
        };
        old.field == new.field && old.rule == new.rule && place == (new.start..new.end)
    };
    let raised = |new: &&Fault| new.field == field.at && new.start < within.end && within.start < new.end;
    again.found.iter().filter(raised).all(|new| others.iter().any(|old| known(new, old)))
}

/// The paragraphs that are read again with a change: to read a long draft anew for each of its fixes takes minutes.
fn near(text: &str, within: &Range<usize>) -> Range<usize> {
    let from = text.floor_char_boundary(within.start.saturating_sub(NEAR));
    let to = text.ceil_char_boundary(within.end.saturating_add(NEAR));
    let before = text.get(..from).and_then(|head| head.rfind("\n\n")).map_or(0, |at| at + 2);
    let behind = text.get(to..).and_then(|tail| tail.find("\n\n")).map_or(text.len(), |at| to + at);
    before..behind
}

/// The bytes of the sentences that some bytes touch.
pub(super) fn sentences(reading: &ParsedText<'_>, span: &Range<usize>) -> Range<usize> {
    let line = |at: usize| reading.lines.get(reading.line_at(at));
    let first = line(span.start).map_or(span.start, |line| line.start.min(span.start));
    first..line(span.end.saturating_sub(1)).map_or(span.end, |line| line.end.max(span.end))
}
