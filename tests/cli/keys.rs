//! The documentation of the keys is what the table of actions says.

#[test]
fn the_documentation_of_the_keys_is_current() {
    let current = include_str!("../../docs/KEYS.md") == copydesk::tui::app::help::keys_markdown();
    assert!(current, "write it again: cargo run --example keys > docs/KEYS.md");
}
