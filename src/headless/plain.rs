//! Events as plain lines, for screen readers and for logs: no colour, no cursor, nothing that is printed over.
//!
//! The words of [`what`] are also those of the progress line.

use crate::{
    newsroom::{Event, EventRecord, ListedRun, Priority, Step, StoryKey},
    ports::Watch,
    text::{count, sanitise},
};

/// Most characters of an event in a line; `copydesk log --json` has it whole.
const LONGEST: usize = 1000;

/// Prints each event to standard output once it is committed, a line each.
#[derive(Debug, Default)]
pub struct PlainLines;

impl Watch for PlainLines {
    fn happened(&self, record: &EventRecord) {
        // A reader that has gone is no reason to stop a story: it is in the database.
        let _ = super::data(&event_line(record));
    }

    fn heard(&self, _: &StoryKey, _: Step, _: &str) {}
}

/// An event as a line: time, story, what happened.
#[must_use]
pub fn event_line(record: &EventRecord) -> String {
    format!(
        "{}  {}  {}",
        record.at,
        sanitise::one_line(&record.story),
        sanitise::excerpt(&what(&record.event), LONGEST)
    )
}

/// Where a story stands, as a line: when it last changed, story, state.
#[must_use]
pub fn state_line(run: &ListedRun) -> String {
    let mut said = vec![format!("{}: {}", run.title, run.state)];
    said.extend(run.error.clone());
    if run.paused {
        said.push("paused".to_owned());
    }
    if run.priority != Priority::Normal {
        said.push(format!("{} priority", run.priority.name()));
    }
    said.extend(run.waits.as_ref().map(|gate| format!("waits at {gate}, `copydesk show {}` says what for", run.story)));
    said.push(format!("round {} of {}", run.rounds, run.max_rounds.max(run.rounds)));
    said.push(count(run.open_concerns, "open concern"));
    said.extend(run.flags.iter().map(|flag| format!("flagged: {flag}")));
    said.extend(run.signed_by.as_ref().map(|editor| format!("signed off by {editor}")));
    said.extend(run.settled_by.as_ref().map(|editor| format!("let stand by {editor}")));
    let said = sanitise::excerpt(&said.join("; "), LONGEST);
    format!("{}  {}  {said}", run.updated_at, sanitise::one_line(&run.story))
}

/// What happened, in words; texts of models and people in it are not cleaned here.
pub(super) fn what(event: &Event) -> String {
    match event {
        Event::RunOpened { title, engine, max_rounds } => {
            format!("opened: {title} ({engine}, up to {})", count(*max_rounds, "round"))
        }
        Event::RunResumed { steps_done } => format!("goes on after {steps_done} steps"),
        Event::RunForked { from, at: None } => {
            format!("prompts or settings have changed: a new run takes over from {from}")
        }
        Event::RunForked { from, at: Some(step) } => format!("a new run takes over from {from} at {step}"),
        Event::GateWaits { gate, question } => format!("{gate} waits: {question}"),
        Event::Decided { step, by, choice, concern, reason } => {
            let of = concern.map_or_else(String::new, |concern| format!(" of concern {concern}"));
            let why = if reason.is_empty() { String::new() } else { format!(": {reason}") };
            format!("{step}: {by} decided: {}{of}{why}", choice.replace('_', " "))
        }
        Event::PauseSet { paused, by } => format!("{} by {by}", if *paused { "paused" } else { "no longer paused" }),
        Event::PrioritySet { priority, by } => format!("priority {} by {by}", priority.name()),
        Event::FlagsSettled { by, flags, reason } => {
            format!("{by} let stand: {reason} (flagged: {})", flags.join("; "))
        }
        Event::StoryDeleted { by, runs, calls } => {
            format!("deleted by {by} ({}, {})", count(*runs, "run"), count(*calls, "call"))
        }
        Event::MemoryImported { by, records } => {
            format!("{} read into the memory by {by}", count(*records, "record"))
        }
        Event::MemoryStruck { by, cache_key_hash, reason } => {
            format!("memory record {cache_key_hash} struck by {by}: {reason}")
        }
        Event::MemoryRestored { by, cache_key_hash } => format!("memory record {cache_key_hash} restored by {by}"),
        Event::RetentionApplied { by, calls, folders, records } => {
            format!("retention, by {by}: {}", retained(*calls, *folders, *records))
        }
        Event::CallStarted { step, attempt, agent, model, host } => {
            let again = if *attempt > 1 { format!(", attempt {attempt}") } else { String::new() };
            format!("{step}: {agent} asks {model} at {host}{again}")
        }
        Event::CallRepeated { step, .. } => format!("{step}: asked again, may have been billed twice"),
        Event::CallFailed { step, message, again_in_seconds, .. } => {
            let again = again_in_seconds.map_or_else(String::new, |seconds| format!("; again in {seconds} s"));
            format!("{step}: {message}{again}")
        }
        Event::StepRedelivered { step, redelivery, of, again_in_seconds } => {
            format!("{step}: put in the queue again, {redelivery} of {of} times; in {again_in_seconds:.0} s")
        }
        Event::StepParked { step, server } => format!("{step}: waits for {server}, which is down"),
        Event::StepDead { step, error } => format!("{step}: given up: {error}; `copydesk dead retry` tries it again"),
        Event::DeadLetterDropped { step, by, reason } => {
            let why = if reason.is_empty() { String::new() } else { format!(": {reason}") };
            format!("{step}: {by} dropped the dead letter{why}")
        }
        Event::ServerDown { server, again_in_seconds, error } => {
            format!("{server} is down ({error}); tried again in {again_in_seconds:.0} s")
        }
        Event::ServerBack { server } => format!("{server} is back"),
        Event::StepDone { step, summary } => format!("{step}: {summary}"),
        Event::VerdictGiven { step, excerpt, status } => format!("{step}: {} for “{excerpt}”", status.name()),
        Event::Noted { step, message } => format!("{step}: {message}"),
        Event::RunClosed { success, rounds, open_concerns, flags, error } => {
            let how = if *success { "success" } else { "failed" };
            let open = (*open_concerns > 0).then(|| count(*open_concerns, "open concern"));
            let flags = flags.iter().map(|flag| format!("flagged: {flag}"));
            let ended = format!("{how} after {}", count(*rounds, "round"));
            let said: Vec<String> = [ended].into_iter().chain(error.clone()).chain(open).chain(flags).collect();
            said.join("; ")
        }
    }
}

/// What retention took away, in words.
fn retained(calls: u64, folders: u64, records: u64) -> String {
    let texts = (calls > 0).then(|| format!("the texts of {} removed", count(calls, "call")));
    let folders = (folders > 0).then(|| format!("{} of artifacts deleted", count(folders, "folder")));
    let records = (records > 0).then(|| format!("{} deleted", count(records, "expired memory record")));
    [texts, folders, records].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::newsroom::Status;

    const STEP: Step = Step::Judge { round: 1, concern: 2 };

    #[test]
    fn an_event_is_one_clean_line() {
        let record = EventRecord {
            at: "2026-10-06T12:00:00.000Z".into(),
            story: "desk/park".into(),
            run: "R1".into(),
            event: Event::VerdictGiven { step: STEP, excerpt: "two\nlines\u{1b}[31m".into(), status: Status::Rewrite },
        };
        assert_eq!(event_line(&record), "2026-10-06T12:00:00.000Z  desk/park  r1.c2.judge: REWRITE for “two lines”");
    }

    #[test]
    fn every_event_says_what_happened_in_words() {
        let decide = Step::Decide { round: 1, number: 3 };
        for (event, words) in [
            (
                Event::RunOpened { title: "The park".into(), engine: "llm".into(), max_rounds: 1 },
                "opened: The park (llm, up to 1 round)",
            ),
            (Event::RunResumed { steps_done: 4 }, "goes on after 4 steps"),
            (
                Event::RunForked { from: "R1".into(), at: None },
                "prompts or settings have changed: a new run takes over from R1",
            ),
            (Event::RunForked { from: "R1".into(), at: Some(STEP) }, "a new run takes over from R1 at r1.c2.judge"),
            (
                Event::GateWaits { gate: "r1.gate".into(), question: "Back to the writer?".into() },
                "r1.gate waits: Back to the writer?",
            ),
            (
                Event::Decided {
                    step: decide,
                    by: "Ada".into(),
                    choice: "override".into(),
                    concern: Some(2),
                    reason: "KEEP: so it is".into(),
                },
                "r1.d3: Ada decided: override of concern 2: KEEP: so it is",
            ),
            (
                Event::Decided {
                    step: decide,
                    by: "Ada".into(),
                    choice: "another_round".into(),
                    concern: None,
                    reason: String::new(),
                },
                "r1.d3: Ada decided: another round",
            ),
            (Event::PauseSet { paused: true, by: "Ada".into() }, "paused by Ada"),
            (Event::PauseSet { paused: false, by: "Ada".into() }, "no longer paused by Ada"),
            (Event::PrioritySet { priority: Priority::High, by: "Ada".into() }, "priority high by Ada"),
            (
                Event::FlagsSettled { by: "Ada".into(), flags: vec!["a".into(), "b".into()], reason: "Known.".into() },
                "Ada let stand: Known. (flagged: a; b)",
            ),
            (Event::StoryDeleted { by: "Ada".into(), runs: 2, calls: 9 }, "deleted by Ada (2 runs, 9 calls)"),
            (Event::MemoryImported { by: "Ada".into(), records: 2 }, "2 records read into the memory by Ada"),
            (
                Event::MemoryStruck { by: "Ada".into(), cache_key_hash: "00ff".into(), reason: "outdated".into() },
                "memory record 00ff struck by Ada: outdated",
            ),
            (
                Event::MemoryRestored { by: "Ada".into(), cache_key_hash: "00ff".into() },
                "memory record 00ff restored by Ada",
            ),
            (
                Event::RetentionApplied { by: "Ada".into(), calls: 2, folders: 1, records: 0 },
                "retention, by Ada: the texts of 2 calls removed, 1 folder of artifacts deleted",
            ),
            (
                Event::RetentionApplied { by: "Ada".into(), calls: 0, folders: 0, records: 1 },
                "retention, by Ada: 1 expired memory record deleted",
            ),
            (
                Event::CallStarted {
                    step: STEP,
                    attempt: 2,
                    agent: "opinion".into(),
                    model: "m".into(),
                    host: "h".into(),
                },
                "r1.c2.judge: opinion asks m at h, attempt 2",
            ),
            (Event::CallRepeated { step: STEP, attempt: 1 }, "r1.c2.judge: asked again, may have been billed twice"),
            (
                Event::CallFailed { step: STEP, attempt: 1, message: "no".into(), again_in_seconds: Some(2.0) },
                "r1.c2.judge: no; again in 2 s",
            ),
            (Event::StepDone { step: STEP, summary: "KEEP".into() }, "r1.c2.judge: KEEP"),
            (Event::Noted { step: STEP, message: "a note".into() }, "r1.c2.judge: a note"),
            (
                Event::RunClosed {
                    success: false,
                    rounds: 2,
                    open_concerns: 1,
                    flags: vec!["a flag".into()],
                    error: Some("why".into()),
                },
                "failed after 2 rounds; why; 1 open concern; flagged: a flag",
            ),
        ] {
            assert_eq!(what(&event), words);
        }
    }

    #[test]
    fn what_becomes_of_a_step_that_was_given_up_is_said_in_words() {
        for (event, words) in [
            (
                Event::StepDead { step: STEP, error: "no answer".into() },
                "r1.c2.judge: given up: no answer; `copydesk dead retry` tries it again",
            ),
            (
                Event::DeadLetterDropped { step: STEP, by: "Ada".into(), reason: "Old news.".into() },
                "r1.c2.judge: Ada dropped the dead letter: Old news.",
            ),
            (
                Event::DeadLetterDropped { step: STEP, by: "Ada".into(), reason: String::new() },
                "r1.c2.judge: Ada dropped the dead letter",
            ),
        ] {
            assert_eq!(what(&event), words);
        }
    }
}
