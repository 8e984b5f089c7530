//! Maps keys to actions in each context: the table's keys, changed by the configuration.

use std::collections::HashMap;

use strum::VariantArray as _;

use crate::app::{ACTIONS, Action, ActionRow, Key, KeyContext};
use copydesk_config::{ConfigProblem, Remap};

/// Actions that keep at least one key: a person needs them to leave a page or the program.
const NEVER_UNBOUND: [Action; 4] = [Action::Quit, Action::Palette, Action::Close, Action::Cancel];

/// The keys of every action, and the action of every key at every place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyMap {
    keys: HashMap<Action, Vec<Key>>,
    actions: HashMap<(KeyContext, Key), Action>,
}

impl KeyMap {
    /// The table's keys, with those of the configuration in place of an action's own.
    ///
    /// # Errors
    /// Every problem at once, each with its line and its key `tui.keys.…`. Problems are names that are no action, texts
    /// that are no key, actions left without a key that need one, and two actions with one key at one place.
    pub fn new(remaps: &[Remap]) -> Result<Self, Vec<ConfigProblem>> {
        let mut problems = Vec::new();
        let mut keys: HashMap<Action, Vec<Key>> = ACTIONS
            .iter()
            .map(|row| (row.action, row.keys.iter().filter_map(|key| key.parse().ok()).collect()))
            .collect();
        let mut remapped: HashMap<Action, &Remap> = HashMap::new();
        for remap in remaps {
            match Action::named(&remap.action) {
                Some(action) => {
                    let own = read_keys(action, remap, &mut problems);
                    remapped.insert(action, remap);
                    keys.insert(action, own);
                }
                None => problems.push(problem(remap, unknown(&remap.action))),
            }
        }
        let actions = actions(&keys, &remapped, &mut problems);
        problems.sort_by_key(|problem| problem.line);
        if problems.is_empty() { Ok(Self { keys, actions }) } else { Err(problems) }
    }

    /// The action of a key in a context; `None` if it types or does nothing.
    pub(crate) fn action(&self, place: KeyContext, key: Key) -> Option<Action> {
        self.actions.get(&(place, key)).copied()
    }

    /// An action's keys, the footer's first; empty if the configuration took them away.
    pub fn keys(&self, action: Action) -> &[Key] {
        self.keys.get(&action).map_or(&[], Vec::as_slice)
    }

    /// An action's keys that work at a place: without those that only type there.
    pub fn keys_at(&self, place: KeyContext, action: Action) -> impl Iterator<Item = Key> + '_ {
        self.keys(action).iter().copied().filter(move |key| self.action(place, *key) == Some(action))
    }
}

impl Default for KeyMap {
    /// The table's own keys; a test proves that they do not clash.
    fn default() -> Self {
        Self::new(&[]).unwrap_or_else(|_| Self { keys: HashMap::new(), actions: HashMap::new() })
    }
}

fn problem(remap: &Remap, message: String) -> ConfigProblem {
    ConfigProblem { line: remap.line, key: format!("tui.keys.{}", remap.action), message }
}

fn unknown(name: &str) -> String {
    let nearest = ACTIONS
        .iter()
        .map(|row| (strsim::damerau_levenshtein(&name.to_lowercase().replace('_', "-"), row.name), row.name))
        .min()
        .filter(|(distance, name)| *distance * 2 < name.len());
    match nearest {
        Some((_, nearest)) => format!("is not an action; did you mean {nearest}? docs/KEYS.md names them all"),
        None => "is not an action; docs/KEYS.md names them all".to_owned(),
    }
}

fn read_keys(action: Action, remap: &Remap, problems: &mut Vec<ConfigProblem>) -> Vec<Key> {
    let mut own: Vec<Key> = Vec::new();
    for text in &remap.keys {
        match text.parse::<Key>() {
            Ok(key) if own.contains(&key) => {}
            Ok(key) => own.push(key),
            Err(error) => problems.push(problem(remap, format!("cannot be read: {error}"))),
        }
    }
    if remap.keys.is_empty() && NEVER_UNBOUND.contains(&action) {
        problems.push(problem(remap, "has no key, and this action must keep one; write at least one".to_owned()));
    }
    let typing = [KeyContext::Editor, KeyContext::Input, KeyContext::Query];
    for place in typing.into_iter().filter(|place| action.row().places.contains(place)) {
        if !own.is_empty() && own.iter().all(|key| key.is_typing_at(place)) {
            let message = format!(
                "has only keys that type or move the cursor in {}; add a key with ctrl- or alt-, or f1 to f12",
                place.title()
            );
            problems.push(problem(remap, message));
            break;
        }
    }
    own
}

/// The action of each key at each place. Two for one are a problem, told once for each pair and key.
fn actions(
    keys: &HashMap<Action, Vec<Key>>,
    remapped: &HashMap<Action, &Remap>,
    problems: &mut Vec<ConfigProblem>,
) -> HashMap<(KeyContext, Key), Action> {
    let mut actions: HashMap<(KeyContext, Key), Action> = HashMap::new();
    let mut told: Vec<(Action, Action, Key)> = Vec::new();
    for place in KeyContext::VARIANTS.iter().copied() {
        for row in ACTIONS.iter().filter(|row| row.is_at(place)) {
            for key in keys.get(&row.action).into_iter().flatten().filter(|key| !key.is_typing_at(place)) {
                let Some(other) = actions.insert((place, *key), row.action) else { continue };
                if !told.contains(&(other, row.action, *key)) {
                    told.push((other, row.action, *key));
                    problems.push(clash(other.row(), row, *key, place, remapped));
                }
            }
        }
    }
    actions
}

fn clash(
    one: &ActionRow,
    other: &ActionRow,
    key: Key,
    place: KeyContext,
    remapped: &HashMap<Action, &Remap>,
) -> ConfigProblem {
    // The later line of the file, if both are in it: the reader comes from above.
    let at = [one, other].into_iter().filter_map(|row| remapped.get(&row.action)).max_by_key(|remap| remap.line);
    let message = format!(
        "gives two actions the key {key} in {}: {} and {}; give one of them another",
        place.title(),
        one.name,
        other.name
    );
    match at {
        Some(remap) => problem(remap, message),
        None => ConfigProblem { line: 1, key: "tui.keys".to_owned(), message },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: &str) -> Key {
        text.parse().unwrap()
    }

    fn remap(line: usize, action: &str, keys: &[&str]) -> Remap {
        Remap { action: action.into(), keys: keys.iter().map(|key| (*key).to_owned()).collect(), line }
    }

    fn problems(remaps: &[Remap]) -> Vec<String> {
        let problems = KeyMap::new(remaps).unwrap_err();
        problems.iter().map(|found| format!("{}: {} {}", found.line, found.key, found.message)).collect()
    }

    #[test]
    fn no_two_actions_of_one_place_share_a_key_by_default() {
        let map = KeyMap::new(&[]).unwrap();
        assert_eq!(map, KeyMap::default());
        for row in ACTIONS {
            let written: Vec<Key> = row.keys.iter().map(|text| key(text)).collect();
            assert_eq!(map.keys(row.action), written, "{}: every default key can be read", row.name);
            for text in row.keys {
                assert_eq!(key(text).to_string(), *text, "{}: written as it is printed", row.name);
            }
            for place in KeyContext::VARIANTS.iter().copied().filter(|place| row.is_at(*place)) {
                assert!(map.keys_at(place, row.action).next().is_some(), "{} has no key in {place:?}", row.name);
            }
        }
    }

    #[test]
    fn one_key_means_what_its_place_makes_of_it() {
        let map = KeyMap::default();
        let at = |place, text| map.action(place, key(text));
        assert_eq!(at(KeyContext::Desk, "/"), Some(Action::Filter));
        assert_eq!(at(KeyContext::Log, "/"), Some(Action::Search));
        assert_eq!(at(KeyContext::Desk, "ctrl-o"), Some(Action::Sort));
        assert_eq!(at(KeyContext::Concerns, "s"), Some(Action::Stet));
        assert_eq!(at(KeyContext::Concerns, "o"), Some(Action::OverruleVerdict));
        assert_eq!(at(KeyContext::Live, "o"), Some(Action::RefuseCall));
        assert_eq!(at(KeyContext::Log, "o"), None);
        assert_eq!(at(KeyContext::Diff, "v"), Some(Action::ToggleDiffLayout));
        assert_eq!(at(KeyContext::Calls, "v"), Some(Action::ToggleRaw));
        assert_eq!(at(KeyContext::Dialog, "n"), Some(Action::Close));
        assert_eq!(at(KeyContext::Editor, "ctrl-z"), Some(Action::UndoTyping));
        assert_eq!(at(KeyContext::Article, "ctrl-z"), Some(Action::Suspend));
        assert_eq!(at(KeyContext::Editor, "E"), None);
        assert_eq!(at(KeyContext::Editor, "ctrl-e"), Some(Action::EditOutside));
        assert_eq!(at(KeyContext::Input, "q"), None);
        assert_eq!(at(KeyContext::Input, "ctrl-c"), Some(Action::Quit));
        assert_eq!(at(KeyContext::Input, "k"), None);
        assert_eq!(at(KeyContext::Input, "up"), Some(Action::MoveUp));
        let keys: Vec<String> = map.keys_at(KeyContext::Input, Action::Quit).map(|key| key.to_string()).collect();
        assert_eq!(keys, ["ctrl-c", "ctrl-q"]);
    }

    #[test]
    fn nothing_that_types_runs_an_action_where_text_is_typed() {
        let map = KeyMap::default();
        for c in (' '..='~').chain(['é', 'ß', 'щ', '語']) {
            let key = if c == ' ' { key("space") } else { key(&c.to_string()) };
            for place in [KeyContext::Editor, KeyContext::Input, KeyContext::Query] {
                assert_eq!(map.action(place, key), None, "{key} in {place:?}");
            }
        }
    }

    #[test]
    fn the_configuration_replaces_an_actions_keys() {
        let map = KeyMap::new(&[remap(3, "palette", &["ctrl-k"]), remap(4, "toggle-mouse", &[])]).unwrap();
        assert_eq!(map.keys(Action::Palette), [key("ctrl-k")]);
        assert_eq!(map.action(KeyContext::Desk, key("ctrl-k")), Some(Action::Palette));
        assert_eq!(map.action(KeyContext::Desk, key("ctrl-p")), None);
        assert_eq!(map.keys(Action::ToggleMouse), []);
        assert_eq!(map.action(KeyContext::Desk, key("m")), None);
        // Two that change keys with each other do not clash.
        let map = KeyMap::new(&[remap(3, "stet", &["c"]), remap(4, "continue", &["s"])]).unwrap();
        assert_eq!(map.action(KeyContext::Live, key("c")), Some(Action::Stet));
    }

    #[test]
    fn every_problem_of_the_keys_is_told_at_once() {
        assert_eq!(
            problems(&[
                remap(10, "overule_verdict", &["o"]),
                remap(11, "make-coffee", &["k"]),
                remap(12, "feedback", &["ctrl-shift-f", "strg-f"]),
                remap(13, "quit", &[]),
                remap(14, "continue", &["s"]),
                remap(15, "sort", &["/", "/"]),
                remap(16, "save", &["w"]),
            ]),
            [
                "10: tui.keys.overule_verdict is not an action; did you mean overrule-verdict? docs/KEYS.md names them all",
                "11: tui.keys.make-coffee is not an action; docs/KEYS.md names them all",
                "12: tui.keys.feedback cannot be read: \"ctrl-shift-f\" does not reach a program from every terminal; ctrl- goes with a letter, space or a named key, without shift-",
                "12: tui.keys.feedback cannot be read: \"strg-f\" is not a key; write one like ctrl-p, alt-c, shift-tab, f5, enter, space, pgdn, ? or E",
                "13: tui.keys.quit has no key, and this action must keep one; write at least one",
                "14: tui.keys.continue gives two actions the key s in live: continue and stet; give one of them another",
                "15: tui.keys.sort gives two actions the key / in the desk: filter and sort; give one of them another",
                "16: tui.keys.save has only keys that type or move the cursor in the editor; add a key with ctrl- or alt-, or f1 to f12",
            ]
        );
    }

    #[test]
    fn a_clash_of_two_new_keys_stands_at_the_later_line() {
        assert_eq!(
            problems(&[remap(8, "pause", &["f9"]), remap(5, "stop", &["f9"])]),
            ["8: tui.keys.pause gives two actions the key f9 in the desk: pause and stop; give one of them another"]
        );
    }
}
