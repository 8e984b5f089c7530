//! docs/KEYS.md, from the table of actions.

use std::fmt::Write as _;

use copydesk::tui::app::{
    actions::ACTIONS,
    verbs::{EXCEPTIONS, VERBS},
};

/// docs/KEYS.md: every action with its default keys.
pub fn keys_markdown() -> String {
    let mut page = String::from(
        "# Keys\n\n\
         This page lists every action of the screen with its default keys. The table in `crates/copydesk-tui/src/app/actions.rs` is its source.\n\
         On the screen, `?` shows the keys that work there. `ctrl-p` finds any action by a few letters of its name.\n\n\
         You can change the keys of an action in the configuration. A list replaces all keys of the action; an empty list removes them:\n\n\
         ```yaml\n\
         tui:\n  \
           keys:\n    \
             palette: [ctrl-k]\n    \
             next-hit: [\")\", f3]\n\
         ```\n\n\
         Write a key as the character that it types (`E`, `?`, `+`), or by its name: `enter`, `esc`, `tab`, `space`, `backspace`, `delete`,\n\
         `insert`, `up`, `down`, `left`, `right`, `home`, `end`, `pgup`, `pgdn`, or `f1` to `f12`. Put `ctrl-`, `alt-` or `shift-` before it\n\
         if needed. In a text field, a key that types or moves the cursor does nothing else.\n",
    );
    page.push_str("\n## One verb a key\n\nOn every page these keys do the same, or nothing. A key that does nothing says so. Any other key has one action.\n\n");
    page.push_str("| key | verb | actions |\n|---|---|---|\n");
    for verb in VERBS {
        let actions: Vec<&str> = verb.actions.iter().map(|action| action.title()).collect();
        // Writing into a text cannot fail.
        let _ = writeln!(page, "| `{}` | {} | {} |", verb.key, verb.name, actions.join(", "));
    }
    page.push_str("\nTwo verbs have:\n\n");
    for (key, _, why) in EXCEPTIONS {
        // Writing into a text cannot fail.
        let _ = writeln!(page, "- `{key}`: {why}.");
    }
    for rows in ACTIONS.chunk_by(|one, other| one.group == other.group) {
        let group = rows.first().map_or("", |row| row.group.title());
        // Writing into a text cannot fail.
        let _ =
            write!(page, "\n## {group}\n\n| keys | action | name | where | what it does |\n|---|---|---|---|---|\n");
        for row in rows {
            let keys: Vec<String> = row.keys.iter().map(|key| format!("`{}`", key.replace('|', "\\|"))).collect();
            let places: Vec<&str> = row.places.iter().map(|place| place.title()).collect();
            let (title, name, places, help) = (row.title, row.name, places.join(", "), row.help);
            let _ = writeln!(page, "| {} | {title} | `{name}` | {places} | {help} |", keys.join(" "));
        }
    }
    page
}
