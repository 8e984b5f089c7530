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

#[cfg(test)]
mod tests {
    use strum::VariantArray as _;

    use super::*;
    use crate::app::{action::KeyContext, keymap::KeyMap};

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
