//! Prints docs/KEYS.md: `cargo run --example keys > docs/KEYS.md`.

#![allow(clippy::print_stdout, reason = "its output is the file")]

#[path = "../tests/support/keys.rs"]
mod keys;

fn main() {
    print!("{}", keys::keys_markdown());
}
