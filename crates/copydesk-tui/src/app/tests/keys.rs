use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::{
    app::{
        actions::Action,
        hints::place,
        key::Key,
        messages::Request,
        model::Model,
        offer::offer,
        tests::{
            pictures::{drawn, screens},
            random_keys::{SIZES, number},
            seat::Seat,
        },
        update::{Arrival, update},
        verbs::VERBS,
        ways::Hint,
    },
    testing::dump::dump,
};
use copydesk_core::ports::RunKey;

fn said(seat: &Seat) -> String {
    seat.model.notice.as_ref().unwrap().text.clone()
}

#[test]
fn a_key_without_meaning_says_so_and_where_it_has_one() {
    let mut seat = Seat::at_gate();
    seat.keys("8 S");
    assert_eq!(said(&seat), "S does nothing here. It is for the pages Live and Article: Sign off");
    seat.keys("b");
    assert_eq!(said(&seat), "b does nothing here. It is for the pages Live and Article: Send back");
    seat.keys("&");
    assert_eq!(said(&seat), "& does nothing here. ? shows the keys that work");
    assert_eq!(seat.asked(), [], "nothing is decided");
    seat.keys("down");
    assert_eq!(seat.model.notice, None);
}

#[test]
fn an_enter_from_before_the_screen_was_up_is_one() {
    let mut seat = Seat::at_desk();
    seat.keys("ctrl-j");
    assert_eq!(seat.asked(), [Request::Open(RunKey(1))]);
}

#[test]
fn the_help_names_every_key_of_the_page_below_it_also_one_that_cannot_be_used_now() {
    let shown = |keys: &str| -> (Vec<Action>, Vec<Action>) {
        let mut seat = Seat::at_gate();
        seat.keys(keys);
        if keys == "e" {
            // The edit that was kept is read first.
            seat.asked();
            seat.answer(Ok(()));
            seat.keys("f1");
        }
        let ways = offer(&seat.model);
        let actions = |hints: &[Hint]| hints.iter().map(|hint| hint.action).collect();
        (actions(&ways.help_here), actions(&ways.help_off))
    };
    let (can, cannot) = shown("V ?");
    for action in [Action::AskForReply, Action::NoteReply, Action::CorrectStory, Action::WithdrawStory] {
        assert!(cannot.contains(&action) && !can.contains(&action), "the record is still being read: {action:?}");
    }
    assert!(can.contains(&Action::Back), "{can:?}");
    let (can, cannot) = shown("P ?");
    assert!(can.contains(&Action::SetEmbargo) && can.contains(&Action::OpenPreview), "{can:?}");
    assert!(cannot.contains(&Action::SendStory) && cannot.contains(&Action::SendEverywhere), "{cannot:?}");
    let (can, cannot) = shown("e");
    for action in [Action::Save, Action::Cancel, Action::FindReplace, Action::NextNote, Action::AcceptNote] {
        assert!(can.contains(&action), "{action:?}: {can:?}");
    }
    assert!(cannot.contains(&Action::ForgetEdit), "nothing is typed yet: {cannot:?}");
}

/// Presses a key on a page, and says why that is silent; none if the person sees what it did.
fn silence(page: &str, model: &mut Model, event: KeyEvent, (width, height): (u16, u16)) -> Option<String> {
    let (key, at) = (Key::pressed(event)?, place(model));
    let action = model.keys.action(at, key);
    if key.is_typing_at(at) || action.is_some_and(|action| moves(action) || action == Action::Redraw) {
        return None;
    }
    model.notice = None;
    let before = dump(&drawn(model, width, height));
    let effects = update(model, Arrival::Key(event));
    let after = dump(&drawn(model, width, height));
    let says = action.is_some() || after.contains("does nothing here");
    let is_silent = !model.leaving && (!says || (effects.is_empty() && before == after));
    is_silent.then(|| format!("{key} on {page} ({at:?}): {action:?}"))
}

/// A movement stays silent at the end of a list.
fn moves(action: Action) -> bool {
    use Action as A;
    let moves = [A::MoveUp, A::MoveDown, A::MoveLeft, A::MoveRight, A::PageUp, A::PageDown, A::GoFirst, A::GoLast];
    moves.contains(&action) || matches!(action, A::NextPane | A::PreviousPane)
}

#[test]
fn no_key_is_silent_on_any_page() {
    let plain = |letter: char| KeyEvent::new(KeyCode::Char(letter), KeyModifiers::NONE);
    let mut silent = Vec::new();
    // A key without an action changes nothing, so one page does for all of them, and one is looked for on the screen.
    for (number, (page, mut model)) in screens().into_iter().enumerate() {
        let at = place(&model);
        let mut without = ('!'..='~').map(plain).filter(|event| {
            Key::pressed(*event).is_some_and(|key| !key.is_typing_at(at) && model.keys.action(at, key).is_none())
        });
        let (first, others): (Option<KeyEvent>, Vec<KeyEvent>) = (without.next(), without.collect());
        silent.extend(first.and_then(|event| silence(page, &mut model, event, SIZES[number % SIZES.len()])));
        for event in others {
            update(&mut model, Arrival::Key(event));
            let says = model.notice.as_ref().is_some_and(|notice| notice.text.contains("does nothing here"));
            silent.extend((!says).then(|| format!("{event:?} on {page}")));
        }
    }
    // Making the pages takes a while, so an ordinary run tries one of the verbs.
    let is_long = number("COPYDESK_RANDOM_MINUTES", 0) > 0;
    let letters = VERBS.iter().filter(|verb| verb.key.len() == 1).flat_map(|verb| verb.key.chars());
    for event in letters.filter(|letter| is_long || *letter == 'J').map(plain) {
        for (number, (page, mut model)) in screens().into_iter().enumerate() {
            silent.extend(silence(page, &mut model, event, SIZES[number % SIZES.len()]));
        }
    }
    assert!(silent.is_empty(), "{}:\n{}", silent.len(), silent.join("\n"));
}
