//! The calls on the way to a first draft: section by section for small models, and once more if a whole draft misses its task.
//!
//! A section's prompt has its lines of the source alone, so it fits every window, and a model cannot add from elsewhere. The program
//! counts, checks and joins; the joined article is read as a whole one is.

mod again;
mod heads;
mod lines;
mod mend;
mod plan;
mod section;
#[cfg(test)]
mod tests;

pub(super) use section::paragraph;

use super::{
    material::Windows,
    reading::{self, ReadingNote, UnusableAnswer},
    template::Prompts,
};
use crate::{editorial::drafting, ports::Ask};
use copydesk_newsroom::{Answer, Journal, Outcome, Step, Writing};

/// The question of a call.
pub(super) fn ask(
    prompts: &Prompts,
    windows: &Windows,
    style: &str,
    journal: &Journal,
    writing: Writing,
) -> Option<Ask> {
    match writing {
        Writing::Plan => Some(plan::ask(prompts, windows, journal)),
        Writing::Section(number) => section::ask(prompts, journal, number),
        Writing::Mend(number) => mend::ask(prompts, journal, number),
        Writing::Heads => heads::ask(prompts, journal),
        Writing::Again => again::ask(prompts, windows, style, journal),
    }
}

/// Reads its answer.
pub(super) fn read(journal: &Journal, writing: Writing, answer: &Answer) -> Result<Outcome, UnusableAnswer> {
    match writing {
        Writing::Plan => plan::read(journal, answer).map(Outcome::ArticlePlan),
        Writing::Section(number) => section::read(journal, number, answer).map(Outcome::Prose),
        Writing::Mend(number) => mend::read(journal, number, answer).map(Outcome::Prose),
        Writing::Heads => heads::read(answer).map(Outcome::Heads),
        Writing::Again => again::read(journal, answer).map(Outcome::Draft),
    }
}

/// Returns the notes on what was taken off the answer to a plan, or mended in it.
pub(super) fn plan_notes(text: &str) -> Result<Vec<ReadingNote>, UnusableAnswer> {
    reading::notes::<plan::PlanAnswer>(text)
}

/// Returns the outcome of a call whose answers were no use, if the draft has enough without them.
pub(super) fn completed(journal: &Journal, step: Step, answer: &Answer) -> Option<Outcome> {
    let Step::Write(Writing::Section(number)) = step else { return None };
    section::left_out(journal, number, answer).map(Outcome::Prose)
}

/// Returns the outcome of a call that failed, if the run can do without it: the section or the draft as it was before. Else none.
pub fn without_answer(journal: &Journal, step: Step) -> Option<Outcome> {
    match step {
        Step::Write(Writing::Mend(number)) => drafting::written(journal, number).cloned().map(Outcome::Prose),
        Step::Write(Writing::Again) => again::without(journal),
        _ => None,
    }
}
