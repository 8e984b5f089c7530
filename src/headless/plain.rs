//! Events as plain lines, for screen readers and for logs: no colour, no cursor, nothing that is printed over.

use crate::{
    editorial::event_words::event_in_words,
    newsroom::{Event, EventRecord, ListedRun, Priority, local_time},
    text::{count, sanitise},
};

/// Most characters of an event in a line; `copydesk log --json` has it whole.
const LONGEST: usize = 1000;

/// An event as a line: time, story, what happened.
pub fn event_line(record: &EventRecord) -> String {
    format!(
        "{}  {}  {}",
        local_time(&record.at),
        sanitise::one_line(&record.story),
        sanitise::excerpt(&event_in_words(&record.event), LONGEST)
    )
}

/// An event in its story's log: time, what happened, and the name of a step that is done, as `copydesk fork --at` takes it.
pub fn log_line(record: &EventRecord) -> String {
    let step = match &record.event {
        Event::StepDone { step, .. } => format!("  ({step})"),
        _ => String::new(),
    };
    format!("{}  {}{step}", local_time(&record.at), sanitise::one_line(&event_in_words(&record.event)))
}

/// A story's state as a line: when it last changed, story, state.
pub fn state_line(run: &ListedRun) -> String {
    let mut said = vec![format!("{}: {}", run.title, run.state.as_str())];
    said.extend(run.error.clone());
    if run.paused {
        said.push("paused".to_owned());
    }
    if run.priority != Priority::Normal {
        said.push(format!("{} priority", run.priority.name()));
    }
    said.extend(run.waits_at().map(|wait| format!("waiting for {} (`copydesk show {}`)", wait.in_words(), run.story)));
    said.push(format!("round {} of {}", run.rounds, run.max_rounds.max(run.rounds)));
    said.push(count(run.open_concerns, "open concern"));
    said.extend(run.reasons().iter().map(|flag| format!("flagged: {flag}")));
    said.extend(run.withdrawn.as_ref().map(|killed| format!("withdrawn: {}", killed.reason)));
    said.extend(run.signed_in_words());
    said.extend(run.settled_by.as_ref().map(|editor| format!("flags accepted by {editor}")));
    let said = sanitise::excerpt(&said.join("; "), LONGEST);
    format!("{}  {}  {said}", local_time(&run.updated_at), sanitise::one_line(&run.story))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::newsroom::{Status, Step};

    const STEP: Step = Step::Judge { round: 1, concern: 2 };

    #[test]
    fn an_event_is_one_clean_line() {
        let record = EventRecord {
            at: "2026-10-06T12:00:00.000Z".into(),
            story: "desk/park".into(),
            run: "R1".into(),
            event: Event::VerdictGiven { step: STEP, excerpt: "two\nlines\u{1b}[31m".into(), status: Status::Rewrite },
        };
        assert_eq!(
            event_line(&record),
            format!("{}  desk/park  Round 1, concern 2: REWRITE for “two lines”", local_time(&record.at))
        );
        let done = Event::StepDone { step: STEP, summary: "KEEP".into() };
        let line = log_line(&EventRecord { event: done, ..record.clone() });
        assert_eq!(line, format!("{}  Round 1, concern 2: KEEP  (r1.c2.judge)", local_time(&record.at)));
        let quotes_nothing = Event::VerdictGiven { step: STEP, excerpt: String::new(), status: Status::Rewrite };
        assert_eq!(event_in_words(&quotes_nothing), "Round 1, concern 2: REWRITE");
    }
}
