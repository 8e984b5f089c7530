//! The verbs that have one letter on every page, in one table. Test and documentation are made from it.

use crate::app::actions::{Action, listed};

/// A verb that has the same letter on every page, and the actions that do it.
pub struct Verb {
    pub letter: &'static str,
    /// As the documentation names it.
    pub name: &'static str,
    pub actions: &'static [Action],
}

const fn verb(letter: &'static str, name: &'static str, actions: &'static [Action]) -> Verb {
    Verb { letter, name, actions }
}

/// One verb a letter: no page gives the letter to another action.
pub const VERBS: &[Verb] = &[
    verb("u", "accept", listed![ApplyFix AcceptChange AcceptNote AllowCall]),
    verb("o", "reject, or let stand", listed![OverruleVerdict AcceptFinding TakeBack RejectNote RefuseCall]),
    verb("e", "edit", listed![EditDraft CorrectStory]),
    verb("E", "edit in your own editor", listed![EditOutside]),
    verb("z", "undo", listed![UndoDecision]),
    verb("J", "next", listed![NextConcern NextFinding NextChange NextNote]),
    verb("K", "previous", listed![PreviousConcern PreviousFinding PreviousChange PreviousNote]),
    verb("c", "send on", listed![Continue SendStory]),
    verb("b", "send back", listed![SendBack]),
    verb("a", "add a round", listed![AnotherRound]),
    verb("s", "approve as it stands", listed![Stet]),
    verb("S", "sign", listed![SignOff]),
    verb("f", "feedback", listed![Feedback]),
    verb("Q", "ask", listed![AskSources AskForReply]),
    verb("p", "pause", listed![Pause]),
    verb("x", "stop, or use no longer", listed![Stop StrikeRecord DropFailedStep WithdrawStory]),
    verb("r", "take up again", listed![Resume RestoreRecord RetryFailedStep]),
    verb("w", "next in review", listed![NextWaiting]),
];

/// The letters that another page gives to another action, each with the reason. What costs something or cannot be undone asks first.
pub const BY_PAGE: &[(&str, &str)] = &[
    ("A", "begins a story on the desk, since nothing can be restarted there; in a story it restarts and asks again"),
    ("C", "connects a model; on the publish page, the capital of the key that sends to one target sends to all"),
    ("D", "parts with what is selected: the story on the desk, the trust in a source on the sources"),
    ("N", "goes to the hit before `n`'s in a text; the desk has no hits, and there it begins a story, as `n` does"),
    ("T", "tries the models on the desk; only an open story has flags to accept"),
    ("V", "watches a recorded story on the desk; an open story has a record of its own"),
    (
        "d",
        "is the deadline on the desk and the embargo on the publish page; elsewhere what the page names by it: drafts, dictionary, drop",
    ),
    ("h", "is left, as in vi, and the day before in the day's numbers"),
    ("i", "is the inbox on the desk, and adds or looks into something in a story"),
    ("l", "is right, as in vi, and the day after in the day's numbers"),
    ("n", "is next in a text, new on the desk, note on the record, and no in a dialog"),
    ("q", "leaves: the page that lies over the screen, else the program"),
    ("t", "is the theme, today in the day's numbers, and trusted in the search"),
    (
        "v",
        "shows in another way, or elsewhere; the desk shows nothing in two ways, and there it begins a story from pasted text",
    ),
    ("y", "copies (yanks), and is yes in a dialog"),
];

#[cfg(test)]
mod tests {
    use strum::VariantArray as _;

    use super::*;
    use crate::app::{action::KeyContext, keymap::KeyMap};

    #[test]
    fn a_letter_with_several_actions_is_a_verb_or_has_its_reason() {
        let keys = KeyMap::default();
        for letter in ('a'..='z').chain('A'..='Z').map(|letter| letter.to_string()) {
            let key = letter.parse().unwrap();
            let typing = [KeyContext::Input, KeyContext::Query, KeyContext::Editor, KeyContext::Choice];
            let places = KeyContext::VARIANTS.iter().copied().filter(|place| !typing.contains(place));
            let actions: std::collections::HashSet<Action> =
                places.filter_map(|place| keys.action(place, key)).collect();
            let is_verb = VERBS.iter().any(|verb| verb.letter == letter);
            let is_told = BY_PAGE.iter().any(|(told, _)| *told == letter);
            assert_eq!(is_told, actions.len() > 1 && !is_verb, "{letter}: {actions:?}");
        }
    }

    #[test]
    fn a_letter_is_one_verb_on_every_page() {
        let keys = KeyMap::default();
        for Verb { letter, name, actions } in VERBS {
            let key = letter.parse().unwrap();
            for action in *actions {
                assert!(action.row().keys.contains(letter), "{name}: {}", action.name());
            }
            for place in KeyContext::VARIANTS.iter().copied() {
                let found = keys.action(place, key).filter(|action| !actions.contains(action));
                assert!(found.is_none(), "{name}: {found:?} at {place:?}");
            }
        }
    }
}
