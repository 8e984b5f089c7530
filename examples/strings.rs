//! Prints tests/screen/strings.txt: `cargo run --example strings > tests/screen/strings.txt`.

#![allow(clippy::print_stdout, reason = "its output is the file")]

use std::{io, path::Path};

#[path = "../tests/support/strings.rs"]
mod strings;

fn main() -> io::Result<()> {
    print!("{}", strings::listed(Path::new(env!("CARGO_MANIFEST_DIR")))?);
    Ok(())
}
