//! What is to be done about what arrived.

use std::sync::Arc;

use crate::tui::app::{
    messages::Request,
    model::{Model, Opens},
    ticket::Ticket,
};

/// What is to be done about it.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Ask the back room.
    Ask(Request),
    /// Ask the back room, and wait for how it ends.
    AskFor(Ticket, Request),
    /// Put a text on the clipboard.
    Copy {
        /// The text.
        text: Arc<str>,
        /// What it is, for the message.
        what: String,
    },
    /// Ring.
    Bell,
    /// Hand a text to the person's own editor; [`Input::EditedOutside`] brings it back.
    EditOutside(String),
    /// Take the mouse, or leave it to the terminal.
    Mouse(bool),
    /// Draw the whole screen again.
    Redraw,
}

/// Asks for a story that is shown once it is read, unless its person has gone elsewhere by then.
pub(crate) fn ask_to_open(model: &mut Model, request: Request) -> Vec<Effect> {
    let ticket = model.ticket();
    model.opening = Some(ticket);
    model.opens = Opens::Nothing;
    model.opening_at = None;
    vec![Effect::AskFor(ticket, request)]
}
