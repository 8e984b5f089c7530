//! Prints docs/KEYS.md: `cargo run --example keys > docs/KEYS.md`.

#![allow(clippy::print_stdout, reason = "its output is the file")]

fn main() {
    print!("{}", copydesk::tui::app::help::keys_markdown());
}
