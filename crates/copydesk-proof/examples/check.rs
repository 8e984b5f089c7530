//! `copydesk check` without the rest of the program, for work on the proof: it is built in seconds.
//!
//!     cargo run -p copydesk-proof --example check -- DRAFT --source FILE... [--all]
//!
//! Prints the findings, and with `--all` every row of the ledger. Exit code 1 if there is a finding, 0 if there is none, 2 if a file
//! cannot be read. Other options of `copydesk check` are passed over.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command")]

use std::{error::Error, fs, path::Path, process::ExitCode};

use copydesk_documents::{ReadingPurpose, drafts, read};
use copydesk_newsroom::Source;
use copydesk_proof::{Gravity, at_the_name, ledger};

fn text(path: &str, purpose: ReadingPurpose) -> Result<String, Box<dyn Error>> {
    let name = Path::new(path).file_name().and_then(|name| name.to_str()).ok_or("no file's name")?;
    Ok(read(name, &fs::read(path)?, purpose).map_err(|error| format!("{path}: {error}"))?.text)
}

fn main() -> ExitCode {
    run().unwrap_or_else(|error| {
        eprintln!("{error}");
        ExitCode::from(2)
    })
}

fn run() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let all = arguments.iter().any(|argument| argument == "--all");
    // The word `check` may stand first, as in the program's own command.
    let given = arguments.strip_prefix(&["check".to_owned()]).unwrap_or(&arguments);
    let mut files = given.iter().filter(|argument| !argument.starts_with("--"));
    let draft = files.next().ok_or("usage: check DRAFT --source FILE... [--all]")?;
    let article = drafts::own(&text(draft, ReadingPurpose::Draft)?)?;
    let mut sources = Vec::new();
    for file in files {
        sources.push(Source { name: file.clone(), text: text(file, ReadingPurpose::Source)? });
    }
    let ledger = ledger(&article, &sources, Gravity::Concern);
    for row in ledger.rows.iter().filter(|row| all || row.is_finding()) {
        println!("{} ({:?}) “{}”: {}", row.rule, row.standing, row.text, row.note.as_deref().unwrap_or_default());
        if let Some(replacement) = &row.replacement {
            println!("    instead: “{replacement}”");
        }
        let named = row.clone().finding().and_then(|finding| at_the_name(&finding, &article, &sources));
        if let Some((text, name)) = named.and_then(|finding| Some((finding.text, finding.replacement?))) {
            println!("    instead of “{text}”: “{name}”");
        }
    }
    Ok(if ledger.findings().next().is_none() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
