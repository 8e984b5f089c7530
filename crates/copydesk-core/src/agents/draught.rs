//! An agent's question before the sources are put in. Its other parts decide how much of the sources fits.

use crate::ports::Schema;
use copydesk_newsroom::Agent;

/// A prompt to be made: its template, its values without the sources, and the form of its answer.
pub(super) struct Draught<'a> {
    pub(super) agent: Agent,
    pub(super) template: &'a str,
    pub(super) values: Vec<(&'static str, String)>,
    /// The values that are shorter in the short form of the template.
    pub(super) brief: Vec<(&'static str, String)>,
    pub(super) schema: Option<Schema>,
}
