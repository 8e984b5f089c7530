//! Tests the decisions of an editor at the keyboard. Helpers for several test files are in this file.

mod deciding;
mod editing;
mod notes;
mod waiting;

use crate::{
    app::{
        Effect,
        messages::Request,
        news::News,
        tests::seat::*,
        update::{Arrival, update},
    },
    screens::{article::page::shown_article, forms::field_name::FieldName, story::tabs::Tab},
};
use copydesk_core::desk::ForkedAnswer;
use copydesk_core::editorial::{
    testing::{add, add_round, article, opening, verdict},
    testing::{at_gate, decide, go_on, overrule},
};
use copydesk_core::ports::RunKey;
use copydesk_newsroom::{Choice, Outcome, PublishingCheck, PublishingNote, Specialist, Status, Step};
use std::sync::Arc;

/// The draft of a gate, open to be typed.
fn typing(journal: copydesk_newsroom::Journal) -> Seat {
    let mut seat = Seat::with(journal);
    seat.keys("e");
    seat.asked();
    seat.answer(Ok(()));
    seat
}

fn edited(seat: &Seat) -> &crate::screens::forms::model::Form {
    let form = seat.model.forms().find(|form| form.keeps());
    form.unwrap_or_else(|| panic!("{}", seat.state()))
}

fn said(seat: &Seat) -> &str {
    &seat.model.notice.as_ref().unwrap().text
}

/// A gate whose draft rests on a short source.
fn with_source() -> copydesk_newsroom::Journal {
    let mut journal = at_gate();
    journal.opening.topic.source_text = "The council voted to spend $131,500 on the swings.".into();
    journal
}

/// The gate of a second draft.
fn at_second_gate() -> copydesk_newsroom::Journal {
    use copydesk_core::editorial::testing::{add, add_round, verdict};
    let mut journal = at_gate();
    decide(&mut journal, 1, Choice::Continue);
    go_on(&mut journal);
    add_round(&mut journal, 2, &[copydesk_newsroom::Specialist::Opinion]);
    let step = copydesk_newsroom::Step::Judge { round: 2, concern: 1 };
    add(&mut journal, step, copydesk_newsroom::Outcome::Verdict(verdict(1, Status::Rewrite, Some("Say when."))));
    journal
}
