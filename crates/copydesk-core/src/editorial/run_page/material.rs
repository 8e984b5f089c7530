//! The material of the page, as plain data.

use std::collections::{BTreeMap, HashMap};

use crate::editorial::control_record::ControlRecord;
use copydesk_newsroom::{Cost, EventRecord, Journal, Ledger, Step};

/// An attempt at a call of a model, as the page shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct ReportedCall {
    pub step: Step,
    pub attempt: u32,
    pub agent: String,
    pub model: String,
    /// The host that saw the text.
    pub host: String,
    /// Whether a usable answer came.
    pub is_answered: bool,
    pub error: Option<String>,
    pub prompt_tokens: Option<u64>,
    pub completion_tokens: Option<u64>,
    pub worked_ms: Option<u64>,
    pub cost: Option<Cost>,
    /// Of its whole input: model, settings, prompt, schema. Hex.
    pub digest: Option<String>,
}

/// Everything that the page is made from.
#[derive(Debug, Clone, Copy)]
pub struct RunMaterial<'a> {
    pub journal: &'a Journal,
    /// The events of the run and of those that it took over from, in the order of time.
    pub events: &'a [EventRecord],
    pub calls: &'a [ReportedCall],
    /// How long each step worked, in milliseconds.
    pub worked: &'a HashMap<Step, u64>,
    /// The proof of each round's draft.
    pub ledgers: &'a BTreeMap<u32, Ledger>,
    pub record: &'a ControlRecord,
    /// The time before which nothing may be published, if that is still to come.
    pub embargo: Option<&'a str>,
}
