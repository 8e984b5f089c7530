//! The events of a run, in the order of time.

use std::collections::HashMap;

use super::material::RunMaterial;
use crate::editorial::{
    control_record::told,
    page_frame::{line, name, section, table, time},
};
use copydesk_newsroom::{Decided, Event, Outcome, Step};
use copydesk_text::count;

/// A row of the timeline.
struct Moment {
    at: String,
    /// The round that it belongs to; 0 before the first review, the largest for the end.
    round: u32,
    what: String,
    detail: String,
    took: Option<u64>,
}

/// The timeline, a table for each round.
pub(super) fn timeline(run: &RunMaterial<'_>) -> String {
    let mut moments = steps(run);
    moments.extend(events(run));
    if moments.is_empty() {
        return section("timeline", "Timeline", "<p>Nothing has happened yet.</p>\n");
    }
    moments.sort_by(|one, other| (one.round, &one.at).cmp(&(other.round, &other.at)));
    let mut rounds: Vec<u32> = moments.iter().map(|moment| moment.round).collect();
    rounds.dedup();
    let mut body = String::new();
    for round in rounds {
        let of_round: Vec<&Moment> = moments.iter().filter(|moment| moment.round == round).collect();
        let heading = match round {
            0 => "Before the first review".to_owned(),
            u32::MAX => "The end".to_owned(),
            round => format!("Round {round}"),
        };
        let worked: u64 = of_round.iter().filter_map(|moment| moment.took).sum();
        let rows: Vec<Vec<String>> = of_round
            .iter()
            .map(|moment| {
                let took = moment.took.map_or_else(String::new, seconds);
                vec![time(&moment.at), moment.what.clone(), format!("<bdi>{}</bdi>", moment.detail), took]
            })
            .collect();
        body.extend([format!(
            "<details open>\n<summary>{heading}: {}, {} of work</summary>\n{}</details>\n",
            count(rows.len(), "moment"),
            seconds(worked),
            table(&["When", "What", "What came of it", "#Took"], &rows)
        )]);
    }
    section("timeline", "Timeline", &body)
}

/// Milliseconds for a person.
pub(super) fn seconds(milliseconds: u64) -> String {
    match milliseconds {
        0..10 => "0 s".to_owned(),
        10..10_000 => format!("{}.{:02} s", milliseconds / 1_000, milliseconds % 1_000 / 10),
        10_000..120_000 => format!("{} s", milliseconds / 1_000),
        _ => format!("{} min", milliseconds / 60_000),
    }
}

/// The entries of the journal.
fn steps(run: &RunMaterial<'_>) -> Vec<Moment> {
    let mut summaries: HashMap<Step, &str> = HashMap::new();
    for record in run.events {
        if let Event::StepDone { step, summary } = &record.event {
            summaries.insert(*step, summary);
        }
    }
    let entries = run.journal.entries().iter().map(|entry| {
        let (what, detail) = match (entry.step, &entry.outcome) {
            (Step::Decide { round, number }, Outcome::Decision(decision)) => {
                let decided = Decided { round, number, at: &entry.at, decision, undone: false };
                (format!("<strong>{}</strong> decided", name(&decision.by)), line(&told(run.journal, &decided)))
            }
            (step, Outcome::Failure(failure)) => {
                (format!("<strong class=\"bad\">{} failed</strong>", line(&step.in_words())), line(&failure.message))
            }
            (step, _) => {
                (line(&step.in_words()), summaries.get(&step).map(|summary| line(summary)).unwrap_or_default())
            }
        };
        Moment {
            at: entry.at.clone(),
            round: entry.step.round(),
            what,
            detail,
            took: run.worked.get(&entry.step).copied(),
        }
    });
    entries.collect()
}

/// The events beside the steps.
fn events(run: &RunMaterial<'_>) -> Vec<Moment> {
    let mut moments = Vec::new();
    for record in run.events {
        let (round, what, detail) = match &record.event {
            Event::RunResumed { steps_done } => (None, "Resumed".to_owned(), format!("{steps_done} steps were done")),
            Event::RunForked { from, at } => {
                let at = at.map_or_else(String::new, |step| format!(", from {} on", step.in_words()));
                (Some(0), "Took over".to_owned(), line(&format!("from the run {from}{at}")))
            }
            Event::GateWaits { gate, question } => {
                let round = gate.parse::<copydesk_newsroom::Wait>().ok().map(copydesk_newsroom::Wait::round);
                (round, "Waited for the editor".to_owned(), line(question))
            }
            Event::CallFailed { step, attempt, message, .. } => (
                Some(step.round()),
                format!("Call failed: {}, attempt {attempt}", line(&step.in_words())),
                line(message),
            ),
            Event::CallRepeated { step, attempt } => (
                Some(step.round()),
                format!("Call repeated: {}, attempt {attempt}", line(&step.in_words())),
                "The program had stopped during it.".to_owned(),
            ),
            Event::StepParked { step, server } => {
                (Some(step.round()), format!("{} waited", line(&step.in_words())), line(&format!("{server} is down")))
            }
            Event::Noted { step, message } => (Some(step.round()), "Note".to_owned(), line(message)),
            Event::PauseSet { paused, by } => {
                (None, if *paused { "Paused" } else { "Unpaused" }.to_owned(), line(&format!("by {by}")))
            }
            Event::StoryKilled { by, reason } => (None, format!("Withdrawn by {}", name(by)), line(reason)),
            Event::ReplyAsked { name: of, about, by, .. } => {
                (None, format!("{} asked {} for a reply", name(by), name(of)), line(about))
            }
            Event::ReplyAnswered { name: of, text, .. } => (None, format!("{} replied", name(of)), line(text)),
            _ => continue,
        };
        // An event of no round stands in the round that was under way.
        let under_way = || {
            let before = run.journal.entries().iter().filter(|entry| entry.at <= record.at);
            before.map(|entry| entry.step.round()).max().unwrap_or(0)
        };
        moments.push(Moment {
            at: record.at.clone(),
            round: round.unwrap_or_else(under_way),
            what,
            detail,
            took: None,
        });
    }
    moments
}
