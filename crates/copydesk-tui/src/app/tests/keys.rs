use crate::app::{actions::Action, offer::offer, tests::seat::Seat, ways::Hint};

fn said(seat: &Seat) -> String {
    seat.model.notice.as_ref().unwrap().text.clone()
}

#[test]
fn a_key_without_meaning_says_so_and_where_it_has_one() {
    let mut seat = Seat::at_gate();
    seat.keys("8 S");
    assert_eq!(said(&seat), "S does nothing here. It is Sign off on live and the article");
    seat.keys("b");
    assert_eq!(said(&seat), "b does nothing here. It is Send back on live and the article");
    seat.keys("%");
    assert_eq!(said(&seat), "% does nothing here. ? shows the keys that work");
    assert_eq!(seat.asked(), [], "nothing is decided");
    seat.keys("down");
    assert_eq!(seat.model.notice, None);
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
