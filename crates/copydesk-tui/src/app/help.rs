//! The rows of the `?` page, from the table of actions.

use crate::app::{ACTIONS, HelpRow, Key, KeyContext, KeyMap};

/// The actions of a context, in the table's order.
pub(crate) fn help_rows(keys: &KeyMap, place: KeyContext) -> Vec<HelpRow> {
    let row = |row| HelpRow { row, keys: joined(keys.keys_at(place, row.action)) };
    ACTIONS.iter().filter(|row| row.is_at(place)).map(row).collect()
}

/// Keys with blanks between them.
pub(crate) fn joined(keys: impl Iterator<Item = Key>) -> String {
    keys.map(|key| key.to_string()).collect::<Vec<_>>().join(" ")
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
