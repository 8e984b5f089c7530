//! The verbs that have one letter on every page, in one table. Test and documentation are made from it.

use crate::app::actions::{Action, Action as A};

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
    verb("u", "accept", &[A::ApplyFix, A::AcceptChange, A::AcceptNote, A::AllowCall]),
    verb(
        "o",
        "reject, or let stand",
        &[A::OverruleVerdict, A::AcceptFinding, A::TakeBack, A::RejectNote, A::RefuseCall],
    ),
    verb("e", "edit", &[A::EditDraft, A::CorrectStory]),
    verb("E", "edit in your own editor", &[A::EditOutside]),
    verb("z", "undo", &[A::UndoDecision]),
    verb("J", "next", &[A::NextConcern, A::NextFinding, A::NextChange, A::NextNote]),
    verb("K", "previous", &[A::PreviousConcern, A::PreviousFinding, A::PreviousChange, A::PreviousNote]),
    verb("c", "send on", &[A::Continue, A::SendStory]),
    verb("b", "send back", &[A::SendBack]),
    verb("a", "add a round", &[A::AnotherRound]),
    verb("s", "approve as it stands", &[A::Stet]),
    verb("S", "sign", &[A::SignOff]),
    verb("f", "feedback", &[A::Feedback]),
    verb("Q", "ask", &[A::AskSources, A::AskForReply]),
    verb("p", "pause", &[A::Pause]),
    verb("x", "stop, or use no longer", &[A::Stop, A::StrikeRecord, A::DropFailedStep, A::WithdrawStory]),
    verb("r", "take up again", &[A::Resume, A::RestoreRecord, A::RetryFailedStep]),
    verb("w", "next in review", &[A::NextWaiting]),
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
