//! Fixes that say what no source says. A small specialist invents them, and a program must not put them in.

use crate::{
    agents::{offline::revise::replacements, writer},
    editorial::listener,
};
use copydesk_newsroom::Journal;
use copydesk_proof::unsaid;

/// A fix that adds so many content words which no source has is not made by a program.
const ADDED: usize = 3;

/// The numbers of a round's to-dos, from 1, whose words a program must not put in: a specialist's fix that says what no source says.
pub(super) fn of_fixes(journal: &Journal, round: u32) -> Vec<u32> {
    let asked = listener::asked(journal, round);
    if asked.is_empty() {
        return Vec::new();
    }
    let sources = journal.sources();
    let given = writer::source_text(&sources);
    let count = |text: &str| unsaid(text, &given, &sources).iter().map(|sentence| sentence.unsaid.len()).sum::<usize>();
    let adds = |fix: &str| replacements(fix).any(|(old, new)| count(&new) >= count(&old) + ADDED);
    let fixes = asked.into_iter().filter_map(|(number, verdict)| Some((number, verdict.suggested_fix.as_deref()?)));
    fixes.filter(|(_, fix)| adds(fix)).map(|(number, _)| number).collect()
}
