//! The documentation of the keys is what the table of actions says.

#[path = "../support/keys.rs"]
mod written;

#[test]
fn the_documentation_of_the_keys_is_current() {
    let current = include_str!("../../docs/KEYS.md") == written::keys_markdown();
    assert!(current, "write it again: cargo run --example keys > docs/KEYS.md");
}
