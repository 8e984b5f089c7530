//! The effects that an update asks for.

use std::sync::Arc;

use crate::app::{messages::Request, ticket::Ticket};

#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Ask the worker.
    Ask(Request),
    /// Ask the worker, and expect its answer.
    AskFor(Ticket, Request),
    /// Copy a text. `what` names it in the message.
    Copy { text: Arc<str>, what: String },
    /// Ring the terminal's bell.
    Bell,
    /// A notification of the desktop.
    Notify(String),
    /// Hand a text to the person's own editor; `Arrival::EditedOutside` brings it back.
    EditOutside(String),
    /// Take the mouse, or give it back to the terminal.
    Mouse(bool),
    /// Draw every cell again.
    Redraw,
}
