//! A check's findings as comments in a copy of the journalist's own Word document.

use super::checked::Checked;
use crate::cli::handed_over;
use crate::cli::intake::files;
use crate::cli::prelude::*;
use crate::headless::LineNumbers;
use crate::newsroom::{ArticleResponse, LedgerRow};
use crate::style::StyleNote;
use crate::text::{
    count, in_marks,
    sanitise::{self, one_line},
};
use crate::{documents::WordComment, knowledge::reading};

/// Whose the comments are.
const BY: &str = "Copydesk";

/// Most characters of a passage that a comment quotes.
const LONGEST_QUOTE: usize = 400;

/// Refuses a draft that cannot get comments.
///
/// # Errors
/// If it is no Word document by its name.
pub(super) fn needs_word(option: &str, draft: &Path) -> Result<()> {
    if files::is(draft, &["docx"]) {
        return Ok(());
    }
    let shown = sanitise::one_line(&draft.display().to_string());
    Err(wrong_use(format!("{option} writes comments into a copy of a Word document, and {shown} is none. Use --html")))
}

/// Writes the copy under a temporary name and renames it. Returns what to know about it.
///
/// # Errors
/// If the draft cannot be read again, or the copy cannot be written.
pub(crate) fn write(copy: &Path, draft: &Path, checked: &Checked) -> Result<Option<String>> {
    let places = checked.places();
    let findings = checked.ledger.findings().map(|row| of_finding(&checked.article, row, &places));
    let heard = checked.ledger.rows.iter().filter_map(|row| {
        let listen = places.to_be_heard(row)?;
        let line = format!("It rests on words that the recogniser was unsure of, {listen}");
        Some(comment(&checked.article, (&row.field, row.start, row.end), &[line]))
    });
    let notes = checked.review.iter().flat_map(|review| &review.notes).map(|note| of_note(&checked.article, note));
    let comments = findings.chain(heard).chain(notes).collect();
    let commented = reading::commented(draft, comments, clock::now())
        .map_err(|error| WrongUse(format!("the draft {}: {error}", draft.display())))?;
    handed_over::write(copy, &commented.bytes, true)
        .with_context(|| format!("{} cannot be written", copy.display()))?;
    let lost = commented.without_place;
    Ok((lost > 0).then(|| {
        let shown = sanitise::one_line(&copy.display().to_string());
        format!("{shown}: {} at its beginning, since the words were not found in the document", count(lost, "comment"))
    }))
}

fn of_finding(article: &ArticleResponse, row: &LedgerRow, places: &LineNumbers<'_>) -> WordComment {
    let mut lines: Vec<String> = row.note.iter().cloned().collect();
    if let Some(passage) = &row.passage {
        let quoted = in_marks(&sanitise::excerpt(&passage.text, LONGEST_QUOTE));
        lines.push(format!("{}: {quoted}", places.in_source(passage)));
    }
    lines.extend(row.passage.as_ref().and_then(|passage| places.listen(passage)));
    lines.extend(row.replacement.as_deref().map(instead));
    comment(article, (&row.field, row.start, row.end), &lines)
}

fn of_note(article: &ArticleResponse, note: &StyleNote) -> WordComment {
    let lines = std::iter::once(note.message.clone()).chain(note.replacement.as_deref().map(instead));
    comment(article, (note.field, note.start, note.end), &lines.collect::<Vec<_>>())
}

fn instead(replacement: &str) -> String {
    if replacement.is_empty() { "Leave it out.".to_owned() } else { format!("Write “{replacement}”.") }
}

/// A comment on bytes of a field.
fn comment(article: &ArticleResponse, (field, start, end): (&str, usize, usize), lines: &[String]) -> WordComment {
    let fields = article.fields();
    let before = fields.iter().take_while(|(name, _)| *name != field).map(|(_, text)| *text);
    let text = fields.iter().find(|(name, _)| *name == field).map_or("", |(_, text)| *text);
    let words = one_line(text.get(start..end).unwrap_or_default());
    let so_far = one_line(&before.chain(text.get(..end)).collect::<Vec<_>>().join(" "));
    let times = if words.is_empty() { 0 } else { so_far.matches(&words).count() };
    WordComment { words, before: times.saturating_sub(1), by: BY.to_owned(), text: lines.join("\n") }
}
