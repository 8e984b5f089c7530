//! What an editor decides, at the keyboard. What several files need stands here.

mod deciding;
mod editing;
mod notes;
mod waiting;

use crate::desk::Known;
use crate::editorial::{
    decisions::tests::{at_gate, decide, go_on, overrule},
    next_steps::tests::{add, add_round, article, opening, verdict},
};
use crate::newsroom::{Choice, Outcome, PublishingCheck, PublishingNote, Specialist, Status, Step};
use crate::ports::RunKey;
use crate::tui::{
    app::{
        effects::Effect,
        messages::Request,
        model::Overlay,
        news::News,
        tests::seat::*,
        update::{Arrival, update},
    },
    screens::{article::page::shown_article, forms::field_name::FieldName, story::tabs::Tab},
};
use std::sync::Arc;

/// A run in which a hand edit costs no round, at its gate.
fn free() -> crate::newsroom::Journal {
    let mut journal = at_gate();
    journal.opening.edits_freely = true;
    journal
}

/// The draft of a gate, open to be typed.
fn typing(journal: crate::newsroom::Journal) -> Seat {
    let mut seat = Seat::with(journal);
    seat.keys("e");
    seat.asked();
    seat.answer(Ok(()));
    seat
}

fn edited(seat: &Seat) -> &crate::tui::screens::forms::model::Form {
    let form = seat.model.overlays.iter().find_map(|overlay| match overlay {
        Overlay::Form(form) if form.keeps() => Some(form),
        _ => None,
    });
    form.unwrap_or_else(|| panic!("{}", seat.state()))
}

fn said(seat: &Seat) -> &str {
    &seat.model.notice.as_ref().unwrap().text
}

/// A gate whose draft rests on a short source.
fn with_source() -> crate::newsroom::Journal {
    let mut journal = free();
    journal.opening.topic.source_text = "The council voted to spend $131,500 on the swings.".into();
    journal
}

/// The gate of a second draft.
fn at_second_gate() -> crate::newsroom::Journal {
    use crate::editorial::next_steps::tests::{add, add_round, verdict};
    let mut journal = free();
    decide(&mut journal, 1, Choice::Continue);
    go_on(&mut journal);
    add_round(&mut journal, 2, &[crate::newsroom::Specialist::Opinion]);
    let step = crate::newsroom::Step::Judge { round: 2, concern: 1 };
    add(&mut journal, step, crate::newsroom::Outcome::Verdict(verdict(1, Status::Rewrite, Some("Say when."))));
    journal
}
