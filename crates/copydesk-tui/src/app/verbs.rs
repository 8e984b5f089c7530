//! The keys that several actions share, each with the one verb that it means on every page, in one table. Test and documentation are made from it.

use crate::app::actions::{Action, listed};

/// A verb that has the same key on every page, and the actions that do it.
pub struct Verb {
    pub key: &'static str,
    /// As the documentation names it.
    pub name: &'static str,
    pub actions: &'static [Action],
}

const fn verb(key: &'static str, name: &'static str, actions: &'static [Action]) -> Verb {
    Verb { key, name, actions }
}

/// One verb a key: no page gives the key to another action. A key that is not here belongs to one action alone.
pub const VERBS: &[Verb] = &[
    verb("u", "accept", listed![ApplyFix AcceptChange AcceptNote AllowCall]),
    verb(
        "o",
        "reject, or let stand",
        listed![OverruleVerdict AcceptFinding TakeBack RejectNote RefuseCall DistrustSource],
    ),
    verb("e", "edit", listed![EditDraft CorrectStory]),
    verb("z", "undo", listed![UndoDecision]),
    verb("J", "next", listed![NextConcern NextFinding NextChange NextNote]),
    verb("K", "previous", listed![PreviousConcern PreviousFinding PreviousChange PreviousNote]),
    verb(".", "later", listed![NextRound NextDay]),
    verb(",", "earlier", listed![PreviousRound PreviousDay]),
    verb("c", "send on", listed![Continue SendStory]),
    verb("b", "send back", listed![SendBack]),
    verb("a", "add a round", listed![AnotherRound]),
    verb("s", "approve as it stands", listed![Stet]),
    verb("S", "sign", listed![SignOff]),
    verb("f", "feedback", listed![Feedback]),
    verb("alt-m", "comment", listed![CommentHere]),
    verb("n", "new, or add", listed![NewFromFile AddSource AddWord NoteReply]),
    verb("D", "delete, or remove", listed![DeleteStory RemoveSource]),
    verb("d", "set a time", listed![SetDeadline SetEmbargo]),
    verb("Q", "ask", listed![NewFromQuestion AskSources AskForReply]),
    verb("p", "pause", listed![Pause]),
    verb("x", "stop, or use no longer", listed![Stop StrikeRecord DropFailedStep WithdrawStory]),
    verb("r", "take up again", listed![Resume RestoreRecord RetryFailedStep]),
    verb("v", "view", listed![WatchRecorded ToggleDiffLayout ToggleRaw ShowRemembered OpenPreview Listen]),
    verb("w", "next in review", listed![NextWaiting]),
    verb("/", "find", listed![Filter Search]),
    verb("ctrl-f", "find", listed![Filter Search FindReplace]),
    verb("f3", "find again", listed![NextHit FindAgain]),
    verb("ctrl-o", "choose the order, the place or the drafts", listed![Sort NextScope ChooseDrafts]),
    verb("ctrl-s", "save", listed![Save SaveMarkdown]),
    verb("ctrl-v", "paste", listed![Paste NewFromText]),
    verb("enter", "open, or do it", listed![Open Confirm]),
    verb("esc", "leave", listed![Back Close Cancel]),
    verb("q", "leave", listed![Close Quit]),
    verb("ctrl-c", "leave", listed![Close Quit]),
];

/// The keys with two verbs, each with the reason why another key would surprise more.
pub const EXCEPTIONS: &[(&str, &[Action], &str)] = &[
    ("y", listed![Copy CopyCitation Confirm], "copies from a text; a question is answered with *yes* by it"),
    ("n", listed![Close], "answers a question with *no*"),
    (
        "ctrl-z",
        listed![UndoTyping Suspend],
        "undoes typing; if nothing is typed it suspends the program, as in every terminal",
    ),
];

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use strum::VariantArray as _;

    use super::*;
    use crate::app::{action::KeyContext, actions::ACTIONS, keymap::KeyMap};

    /// The actions of each key, over all pages.
    fn shared() -> BTreeMap<&'static str, BTreeSet<Action>> {
        let keys = KeyMap::default();
        let mut shared: BTreeMap<&str, BTreeSet<Action>> = BTreeMap::new();
        for key in ACTIONS.iter().flat_map(|row| row.keys) {
            let places = KeyContext::VARIANTS.iter();
            let actions = places.filter_map(|place| keys.action(*place, key.parse().unwrap()));
            shared.entry(key).or_default().extend(actions);
        }
        shared
    }

    #[test]
    fn a_key_is_one_verb_on_every_page_or_a_named_exception() {
        let allowed = |key: &str| -> BTreeSet<Action> {
            let verbs = VERBS.iter().filter(|verb| verb.key == key).flat_map(|verb| verb.actions);
            let others = EXCEPTIONS.iter().filter(|(other, ..)| *other == key).flat_map(|(_, actions, _)| *actions);
            verbs.chain(others).copied().collect()
        };
        let shared = shared();
        let told: Vec<&str> =
            VERBS.iter().map(|verb| verb.key).chain(EXCEPTIONS.iter().map(|(key, ..)| *key)).collect();
        for (key, actions) in &shared {
            let is_right = if told.contains(key) { allowed(key) == *actions } else { actions.len() == 1 };
            assert!(is_right, "{key}: {actions:?}, and the table has {:?}", allowed(key));
        }
        assert!(told.iter().all(|key| shared.contains_key(key)), "every key of the table is used");
        assert!(EXCEPTIONS.len() <= 3, "a short list");
    }
}
