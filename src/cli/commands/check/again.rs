//! `check --watch`: the check again on every save, and the findings that came or went with it.

use std::io::IsTerminal as _;

use super::DraftCheck;
use crate::cli::intake::{
    belonging::{self, DraftFacts},
    watch,
};
use crate::cli::prelude::*;
use crate::newsroom::{LedgerRow, local_time};
use crate::text::{count, in_marks};

/// Most characters of a finding's words.
const LONGEST: usize = 60;

impl DraftCheck {
    /// Ends only if the output cannot be written any more.
    pub(super) async fn again_and_again(&mut self) -> Result<Exit> {
        let mut before: Option<Vec<String>> = None;
        loop {
            let draft = std::iter::once(&self.arguments.draft);
            let paths: Vec<PathBuf> = draft.chain(&self.arguments.source).cloned().collect();
            let seen = watch::files_seen(paths.iter().map(PathBuf::as_path));
            match self.once().await {
                Ok(checked) => {
                    let found: Vec<String> = checked.ledger.findings().map(in_words).collect();
                    if let Some(before) = before.replace(found.clone()) {
                        headless::message(&changes(before, found));
                    }
                }
                Err(error) if error.is::<std::io::Error>() => return Err(error),
                // A draft that is being saved may be missing or half there.
                Err(error) => headless::message(&format!("{error:#}")),
            }
            headless::message("Watching the draft and its sources. Press Ctrl-C to end.");
            watch::changed(&paths, &seen).await;
            if self.belongs {
                let draft = &self.arguments.draft;
                let named = DraftFacts::in_file(draft).and_then(|facts| belonging::sources_of(draft, &facts));
                // A draft that is being saved may name none. The earlier ones stay then.
                self.arguments.source = named.unwrap_or_else(|_| std::mem::take(&mut self.arguments.source));
            }
            if std::io::stdout().is_terminal() {
                headless::wipe()?;
            }
            headless::message(&rule());
        }
    }
}

/// The line between two checks. It has the time, so that a reader sees that there was another check.
fn rule() -> String {
    let time: String = local_time(&clock::now()).chars().skip(11).collect();
    format!("──── checked again at {time} {}", "─".repeat(36))
}

/// A finding without its place, which moves with the text above it.
fn in_words(row: &LedgerRow) -> String {
    format!("{} {} {}", row.standing.label(), row.kind.name(), in_marks(&sanitise::excerpt(&row.text, LONGEST)))
}

/// Which findings are gone since the last save, and which are new.
fn changes(before: Vec<String>, mut found: Vec<String>) -> String {
    let mut gone = before;
    gone.retain(|one| found.iter().position(|other| other == one).map(|at| found.remove(at)).is_none());
    if gone.is_empty() && found.is_empty() {
        return "Since the last save: the same findings.".to_owned();
    }
    let counted = format!("Since the last save: {} gone, {} new.", count(gone.len(), "finding"), found.len());
    let gone = gone.into_iter().map(|one| format!("  gone: {one}"));
    let new = found.into_iter().map(|one| format!("  new: {one}"));
    std::iter::once(counted).chain(gone).chain(new).collect::<Vec<_>>().join("\n")
}
