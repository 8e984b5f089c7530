//! A check's report as a file: written whole or not at all, and never over what was checked.

use super::checked::Checked;
use crate::cli::handed_over::{self, folder_of};
use crate::cli::prelude::*;
use crate::{
    editorial::proof_page::{self, PlaceToHear},
    newsroom::SourceSpan,
    proof,
};

/// Refuses a name that the report cannot have.
///
/// # Errors
/// If it is a folder, lies in none, or is the draft or a source.
pub(crate) fn can_be_written(option: &str, report: &Path, draft: &Path, sources: &[PathBuf]) -> Result<()> {
    let shown = sanitise::one_line(&report.display().to_string());
    let wrong = |what: &str| Err(wrong_use(format!("{option} {shown}: {what}")));
    if report.is_dir() {
        return wrong("it is a folder; name a file");
    }
    if !folder_of(report).is_dir() {
        return wrong("there is no such folder");
    }
    let same = |other: &Path| match (report.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(two)) => one == two,
        _ => report == other,
    };
    if same(draft) {
        return wrong("That is the draft. Name another file for the report");
    }
    if sources.iter().any(|source| same(source)) {
        return wrong("That is a source. Name another file for the report");
    }
    // In a folder of sources it would be a source of the next check.
    if sources
        .iter()
        .any(|source| source.is_dir() && source.canonicalize().ok() == folder_of(report).canonicalize().ok())
    {
        return wrong("The report would become one of the sources. Name a file in another folder");
    }
    Ok(())
}

/// The report as a web page.
pub(crate) fn page(checked: &Checked) -> String {
    let measured = |rule: &str| Some(proof::rule(rule)?.measured?.to_string());
    let places = checked.places();
    let place = |passage: &SourceSpan| PlaceToHear { place: places.in_source(passage), listen: places.listen(passage) };
    proof_page::to_html(&checked.article, &checked.sources, &checked.ledger, &checked.notes, &measured, &place)
}

/// Writes a report under a temporary name and renames it.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn write(report: &Path, text: &str) -> Result<()> {
    handed_over::write(report, text.as_bytes(), true).with_context(|| format!("{} cannot be written", report.display()))
}
