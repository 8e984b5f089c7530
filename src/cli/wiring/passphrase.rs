//! The passphrase of the database, read from the file that the configuration names.

use crate::cli::prelude::*;
use crate::{knowledge::regular, store};

/// Most bytes of a passphrase, and fewest characters: shorter ones are tried out in a short time.
const MOST_BYTES: u64 = 1 << 10;
const FEWEST: usize = 12;

/// Hands the passphrase over to the store, if there is one.
///
/// # Errors
/// If its file cannot be read or holds none, or if this build cannot encrypt.
pub(crate) fn unlock(settings: &Settings) -> Result<()> {
    let Some(file) = &settings.privacy.passphrase_file else { return Ok(()) };
    let wrong = |why: String| WrongUse(format!("privacy.passphrase_file: {} {why}", file.display()));
    if !cfg!(feature = "sqlcipher") {
        return Err(wrong(
            "names a passphrase, but this build of copydesk encrypts nothing: build it with `--features sqlcipher`, or set the key to null"
                .to_owned(),
        )
        .into());
    }
    let text = regular::read_to_string(file, MOST_BYTES).map_err(|error| wrong(format!("cannot be read: {error}")))?;
    let passphrase = text.trim_end_matches(['\r', '\n']);
    if passphrase.contains(['\r', '\n']) || passphrase.chars().count() < FEWEST {
        return Err(wrong(format!("has to hold one line of at least {FEWEST} characters")).into());
    }
    store::unlock(passphrase.to_owned());
    Ok(())
}
