//! The `?` page and docs/KEYS.md, from the table of actions.

use std::fmt::Write as _;

use strum::VariantArray as _;

use crate::app::verbs::{EXCEPTIONS, VERBS};
use crate::app::{ACTIONS, Group, HelpRow, Key, KeyContext, KeyMap};

/// The actions of a context, in the table's order.
pub(crate) fn help_rows(keys: &KeyMap, place: KeyContext) -> Vec<HelpRow> {
    let row = |row| HelpRow { row, keys: joined(keys.keys_at(place, row.action)) };
    ACTIONS.iter().filter(|row| row.is_at(place)).map(row).collect()
}

/// Keys with blanks between them.
pub(crate) fn joined(keys: impl Iterator<Item = Key>) -> String {
    keys.map(|key| key.to_string()).collect::<Vec<_>>().join(" ")
}

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
    for group in Group::VARIANTS.iter().copied() {
        // Writing into a text cannot fail.
        let _ = write!(
            page,
            "\n## {}\n\n| keys | action | name | where | what it does |\n|---|---|---|---|---|\n",
            group.title()
        );
        for row in ACTIONS.iter().filter(|row| row.group == group) {
            let keys: Vec<String> = row.keys.iter().map(|key| format!("`{}`", key.replace('|', "\\|"))).collect();
            let places: Vec<&str> = row.places.iter().map(|place| place.title()).collect();
            let (title, name, places, help) = (row.title, row.name, places.join(", "), row.help);
            let _ = writeln!(page, "| {} | {title} | `{name}` | {places} | {help} |", keys.join(" "));
        }
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::actions::Action;
    use copydesk_config::Remap;

    #[test]
    fn the_page_shows_the_keys_that_work_here() {
        let map =
            KeyMap::new(&[Remap { action: "quit".into(), keys: vec!["f10".into(), "&".into()], line: 1 }]).unwrap();
        let keys = |place: KeyContext| -> Vec<(Action, String)> {
            help_rows(&map, place).into_iter().map(|help| (help.row.action, help.keys)).collect()
        };
        assert!(keys(KeyContext::Desk).contains(&(Action::Quit, "f10 &".into())));
        assert!(keys(KeyContext::Editor).contains(&(Action::Quit, "f10".into())));
        assert!(keys(KeyContext::Editor).contains(&(Action::EditOutside, "ctrl-e".into())));
        assert!(!keys(KeyContext::Desk).iter().any(|(action, _)| *action == Action::Stet));
        let order: Vec<Action> = keys(KeyContext::Concerns).into_iter().map(|(action, _)| action).collect();
        let mut sorted = order.clone();
        sorted.sort();
        assert_eq!(order, sorted);
    }
}
