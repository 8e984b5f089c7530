//! The documentation of the keys is what the table of actions says.

#[test]
fn the_documentation_of_the_keys_is_current() {
    assert_eq!(
        include_str!("../../docs/KEYS.md"),
        copydesk::tui::app::help::keys_markdown(),
        "write it again: cargo run --example keys > docs/KEYS.md"
    );
}
