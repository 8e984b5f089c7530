//! A draft that was on the screen long enough is noted for the log, once for each gate.

use jiff::{SignedDuration, Timestamp};

use crate::{
    app::{
        messages::Request,
        tests::seat::*,
        update::{Arrival, update},
    },
    testing::demo_claims::{checked, claims},
};
use copydesk_core::editorial::{testing::at_gate, version::version_of};
use copydesk_core::ports::RunKey;
use copydesk_newsroom::{ExaminedObject, Outcome, Wait};

/// Lets the time pass.
fn passes(seat: &mut Seat, milliseconds: i64) {
    let now: Timestamp = seat.model.now + SignedDuration::from_millis(milliseconds);
    let effects = update(&mut seat.model, Arrival::Tick(now));
    seat.take(effects);
}

/// The objects that the screen asked to be noted, with the gate.
fn noted(seat: &mut Seat) -> Vec<(Option<Wait>, ExaminedObject)> {
    let asked = seat.asked().into_iter();
    let noted = asked.filter_map(|request| match request {
        Request::NoteExamined { run, gate, what } => {
            assert_eq!(run, RunKey(1));
            Some((gate, what))
        }
        _ => None,
    });
    noted.collect()
}

#[test]
fn a_draft_is_noted_after_a_second_and_once_at_a_gate() {
    let mut seat = Seat::with(at_gate());
    let journal = at_gate();
    let version = version_of(&journal.draft(1).unwrap().article);
    let gate = Some(Wait::Gate { round: 1 });
    assert!(seat.model.on_screen.waits(), "each second counts");
    passes(&mut seat, 999);
    assert_eq!(noted(&mut seat), []);
    passes(&mut seat, 1);
    assert_eq!(noted(&mut seat), [(gate, ExaminedObject::Draft { round: 1, version })]);
    assert!(!seat.model.on_screen.waits());
    passes(&mut seat, 60_000);
    seat.keys("1 4");
    passes(&mut seat, 60_000);
    assert_eq!(noted(&mut seat), [], "it was noted at this gate");
}

#[test]
fn a_claim_is_noted_by_its_place_in_the_draft() {
    let mut seat = Seat::with(checked(at_gate(), Some(Outcome::Claims(claims()))));
    passes(&mut seat, 1_000);
    assert_eq!(noted(&mut seat).len(), 1, "the draft");
    // The worst claim is the first of the list; it is the second of the draft.
    seat.keys("9 right");
    passes(&mut seat, 1_000);
    let claim = ExaminedObject::Claim { round: 1, claim: 2 };
    assert_eq!(noted(&mut seat), [(Some(Wait::Gate { round: 1 }), claim)]);
}

#[test]
fn a_screen_that_nobody_is_at_reads_nothing() {
    let mut seat = Seat::with(at_gate());
    passes(&mut seat, 121_000);
    assert!(!seat.model.on_screen.waits());
    passes(&mut seat, 5_000);
    // The part that was shown before the person went away counts.
    assert_eq!(noted(&mut seat).len(), 1);
    let mut alone = Seat::with(at_gate());
    alone.model.touched = None;
    alone.model.on_screen = crate::app::on_screen::OnScreen::default();
    passes(&mut alone, 1_000);
    passes(&mut alone, 5_000);
    assert_eq!(noted(&mut alone), []);
}

#[test]
fn a_held_key_passes_over_concerns_and_the_one_that_stays_is_noted() {
    let mut seat = Seat::with(at_gate());
    let gate = Some(Wait::Gate { round: 1 });
    let concern = |concern| (gate, ExaminedObject::Concern { round: 1, concern });
    seat.keys("2");
    for _ in 0..40 {
        passes(&mut seat, 30);
        seat.keys("down up");
    }
    assert_eq!(noted(&mut seat), []);
    seat.keys("down");
    passes(&mut seat, 1_000);
    assert_eq!(noted(&mut seat), [concern(2)]);
    // The next key notes what was on the screen until then.
    seat.keys("up");
    seat.model.now += SignedDuration::from_secs(2);
    seat.keys("tab tab tab");
    assert_eq!(noted(&mut seat), [concern(1)]);
    passes(&mut seat, 1_000);
    let sources = noted(&mut seat);
    assert!(matches!(&sources[..], [(_, ExaminedObject::Source { .. })]), "{sources:?}");
}

#[test]
fn what_a_page_lies_over_is_not_read_and_an_opened_source_is() {
    let mut seat = Seat::with(at_gate());
    seat.keys("?");
    passes(&mut seat, 5_000);
    assert_eq!(noted(&mut seat), []);
    seat.keys("esc 0");
    passes(&mut seat, 5_000);
    assert_eq!(noted(&mut seat), [], "it is listed, not opened");
    seat.keys("enter");
    passes(&mut seat, 5_000);
    let source = at_gate().sources().remove(0).name;
    assert_eq!(noted(&mut seat), [(Some(Wait::Gate { round: 1 }), ExaminedObject::Source { source })]);
}
