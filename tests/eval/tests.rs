//! The evaluations, with the real program in a folder of its own.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stdout,
    reason = "a test that meets the unexpected should stop there and say so; some print what they leave out"
)]

mod data;
mod stories;
mod support;

use serde_json::Value;

/// The rows of one table of an evaluation.
fn rows<'t>(evaluation: &'t Value, table: &str) -> &'t Vec<Value> {
    let tables = evaluation["tables"].as_array().unwrap();
    tables.iter().find(|one| one["key"] == table).unwrap_or_else(|| panic!("{table}: {evaluation:#}"))["rows"]
        .as_array()
        .unwrap()
}

fn cells<'t>(evaluation: &'t Value, table: &str, key: &str) -> &'t Value {
    &rows(evaluation, table).iter().find(|row| row["key"] == key).unwrap_or_else(|| panic!("{key}"))["cells"]
}
