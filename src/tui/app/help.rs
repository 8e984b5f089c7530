//! The `?` page and docs/KEYS.md, from the table of actions.

use std::fmt::Write as _;

use crate::tui::app::{
    action::{Group, Place},
    actions::{ACTIONS, ActionRow},
    key::Key,
    keymap::KeyMap,
};

/// One line of the `?` page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HelpRow {
    /// The action's row of the table.
    pub row: &'static ActionRow,
    /// The keys that work at the place; empty where the configuration took them away (the palette still finds it).
    pub keys: Vec<Key>,
}

/// What can be done at a place, in the table's order.
#[must_use]
pub fn help_rows(keys: &KeyMap, place: Place) -> Vec<HelpRow> {
    ACTIONS
        .iter()
        .filter(|row| row.is_at(place))
        .map(|row| HelpRow { row, keys: keys.keys_at(place, row.action).collect() })
        .collect()
}

/// docs/KEYS.md: every action with its default keys.
#[must_use]
pub fn keys_markdown() -> String {
    let mut page = String::from(
        "# Keys\n\n\
         Every action of the screen with its keys, as the table in `src/tui/app/actions.rs` has them. In the program `?` shows the keys that\n\
         work where you are, and `ctrl-p` finds any action by a few letters of its name.\n\n\
         An action's keys can be changed in the configuration, by its name; a list replaces all of its keys, an empty one takes them away:\n\n\
         ```yaml\n\
         tui:\n  \
           keys:\n    \
             palette: [ctrl-k]\n    \
             next-hit: [\"n\", f3]\n\
         ```\n\n\
         Keys are written as here: a character as it is typed (`E`, `?`, `+`), a name (`enter`, `esc`, `tab`, `space`, `backspace`, `delete`,\n\
         `insert`, `up`, `down`, `left`, `right`, `home`, `end`, `pgup`, `pgdn`, `f1` to `f12`), with `ctrl-`, `alt-` or `shift-` before it.\n\
         One key may do different things in different places. Where text is typed, keys that type or move the cursor only do that.\n",
    );
    for group in Group::ALL {
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
    use crate::config::Remap;
    use crate::tui::app::actions::Action;

    #[test]
    fn the_page_shows_the_keys_that_work_here() {
        let map =
            KeyMap::new(&[Remap { action: "quit".into(), keys: vec!["f10".into(), "Q".into()], line: 1 }]).unwrap();
        let keys = |place: Place| -> Vec<(Action, Vec<String>)> {
            help_rows(&map, place)
                .into_iter()
                .map(|help| (help.row.action, help.keys.iter().map(ToString::to_string).collect()))
                .collect()
        };
        assert!(keys(Place::Desk).contains(&(Action::Quit, vec!["f10".into(), "Q".into()])));
        assert!(keys(Place::Editor).contains(&(Action::Quit, vec!["f10".into()])));
        assert!(keys(Place::Editor).contains(&(Action::EditOutside, vec!["ctrl-e".into()])));
        assert!(!keys(Place::Desk).iter().any(|(action, _)| *action == Action::Stet));
        let order: Vec<Action> = keys(Place::Concerns).into_iter().map(|(action, _)| action).collect();
        let mut sorted = order.clone();
        sorted.sort();
        assert_eq!(order, sorted);
    }
}
