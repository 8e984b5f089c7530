//! What an agent asks, before the sources are put in: how much of them fits is known only then.

use crate::{newsroom::Agent, ports::Schema};

/// A prompt to be made: its template, its values without the sources, and the form of its answer.
pub(super) struct Draught<'a> {
    pub(super) agent: Agent,
    pub(super) template: &'a str,
    pub(super) values: Vec<(&'static str, String)>,
    pub(super) schema: Option<Schema>,
}
