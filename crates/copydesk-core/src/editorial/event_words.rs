//! Events in plain English, for the log, the progress lines and the screen.

use copydesk_newsroom::{ConcernType, Event, Wait, local_time};
use copydesk_text::{count, sanitise};

/// The event in words. Texts of models and people in it are not cleaned here.
#[expect(clippy::too_many_lines, reason = "one arm an event")]
pub fn event_in_words(event: &Event) -> String {
    match event {
        Event::RunOpened { title, engine, max_rounds } => {
            format!("Opened: {title} ({engine}, up to {})", count(*max_rounds, "round"))
        }
        Event::RunResumed { steps_done } => format!("Resumed after {}", count(*steps_done, "step")),
        Event::RunForked { from, at: None } => {
            format!("Prompts or settings have changed: a new run replaces {from}")
        }
        Event::RunForked { from, at: Some(step) } => {
            format!("A new run replaces {from} from here: {}", step.in_words())
        }
        Event::CorrectionBegun { of, number, note, by } => {
            format!("Correction of {of} begun by {by}, as version {number}: {note}")
        }
        Event::GateWaits { gate, question } => {
            let wait = gate.parse().map_or_else(|_| gate.clone(), Wait::in_words);
            format!("Waiting for {wait}: {question}")
        }
        Event::Decided { step, by, choice, concern, reason } => {
            let of = concern.map_or_else(String::new, |concern| format!(", concern {concern}"));
            let why = if reason.is_empty() { String::new() } else { format!(": {reason}") };
            format!("Round {}: {by} decided: {}{of}{why}", step.round(), choice_in_words(choice))
        }
        Event::PauseSet { paused, by } => format!("{} by {by}", if *paused { "Paused" } else { "Pause ended" }),
        Event::DeadlineSet { due: Some(due), by } => format!("Due {} (set by {by})", local_time(due)),
        Event::DeadlineSet { due: None, by } => format!("Deadline removed by {by}"),
        Event::EditorAssigned { editor: Some(editor), by } => format!("Assigned to {editor} by {by}"),
        Event::EditorAssigned { editor: None, by } => format!("Assigned to nobody by {by}"),
        Event::EmbargoSet { until: Some(until), by } => format!("Embargoed until {} by {by}", local_time(until)),
        Event::EmbargoSet { until: None, by } => format!("Embargo lifted by {by}"),
        Event::DeliveryMade { delivery } => format!("{} ({})", delivery.line(), delivery.by),
        Event::StoryKilled { by, reason } => format!("Withdrawn by {by}: {reason}"),
        Event::ReplyAsked { name, about, due, by } => {
            let about = if about.is_empty() { String::new() } else { format!(" about {about}") };
            let due = due.as_ref().map_or_else(String::new, |due| format!(", to answer by {}", local_time(due)));
            format!("{name} was asked for a reply{about}{due} (noted by {by})")
        }
        Event::ReplyAnswered { name, text, by } => format!("{name} replied: {text} (noted by {by})"),
        Event::Examined { by, what, .. } => format!("{by} had {} on the screen", what.in_words()),
        Event::PrioritySet { priority, by } => format!("Priority set to {} by {by}", priority.name()),
        Event::FlagsSettled { by, flags, reason } => {
            format!("{by} accepted the flags: {reason} (flagged: {})", flags.join("; "))
        }
        Event::StoryDeleted { by, runs, calls } => {
            format!("Deleted by {by} ({}, {})", count(*runs, "run"), count(*calls, "call"))
        }
        Event::MemoryImported { by, records } => {
            format!("{} imported into the memory by {by}", count(*records, "record"))
        }
        Event::MemoryStruck { by, cache_key_hash, reason } => {
            format!("Memory record {cache_key_hash} struck by {by}: {reason}")
        }
        Event::MemoryRestored { by, cache_key_hash } => format!("Memory record {cache_key_hash} restored by {by}"),
        Event::RetentionApplied { by, calls, folders, records } => {
            format!("Retention, started by {by}: {}", retained(*calls, *folders, *records))
        }
        Event::CallStarted { step, attempt, agent, model, host } => {
            let again = if *attempt > 1 { format!(", attempt {attempt}") } else { String::new() };
            format!("{}: {agent} asks {model} at {host}{again}", step.in_words())
        }
        Event::CallRepeated { step, .. } => {
            format!("{}: asked again; the server may bill it twice", step.in_words())
        }
        Event::ToolActs { step, tool } => format!("{}: calls {tool}, which acts", step.in_words()),
        Event::CallFailed { step, message, again_in_seconds, .. } => {
            let again = again_in_seconds.map_or_else(String::new, |seconds| format!("; next try in {seconds} s"));
            format!("{}: {message}{again}", step.in_words())
        }
        Event::StepRedelivered { step, redelivery, of, again_in_seconds } => {
            format!("{}: retry {redelivery} of {of} in {again_in_seconds:.0} s", step.in_words())
        }
        Event::StepParked { step, server } => format!("{}: waiting for {server}, which is down", step.in_words()),
        Event::StepDead { step, error } => {
            format!("{}: failed: {error}. `copydesk dead retry` tries it again", step.in_words())
        }
        Event::DeadLetterDropped { step, by, reason } => {
            let why = if reason.is_empty() { String::new() } else { format!(": {reason}") };
            format!("{}: {by} dropped the failed step{why}", step.in_words())
        }
        Event::ServerDown { server, again_in_seconds, error } => {
            format!("{server} is down ({error}); next try in {again_in_seconds:.0} s")
        }
        Event::ServerBack { server } => format!("{server} is back"),
        Event::StepDone { step, summary } => format!("{}: {summary}", step.in_words()),
        Event::VerdictGiven { step, excerpt, status } if sanitise::is_blank(excerpt) => {
            format!("{}: {}", step.in_words(), status.name())
        }
        Event::VerdictGiven { step, excerpt, status } => {
            format!("{}: {} for “{}”", step.in_words(), status.name(), ConcernType::in_words(excerpt))
        }
        Event::Noted { step, message } => format!("{}: {message}", step.in_words()),
        Event::RunClosed { success, rounds, open_concerns, flags, error, extract } => {
            let how = match (*success, *extract) {
                (true, true) => "Fact sheet made",
                (true, false) => "Passed",
                (false, _) => "Failed",
            };
            let open = (*open_concerns > 0).then(|| count(*open_concerns, "open concern"));
            let flags = flags.iter().map(|flag| format!("flagged: {flag}"));
            let ended = format!("{how} after {}", count(*rounds, "round"));
            let said: Vec<String> = [ended].into_iter().chain(error.clone()).chain(open).chain(flags).collect();
            said.join("; ")
        }
    }
}

/// The event and its details, each in one line, for a table.
pub fn event_and_details(event: &Event) -> (String, String) {
    let words = sanitise::one_line(&event_in_words(event));
    let (what, details) = words.split_once(": ").unwrap_or((&words, ""));
    (what.to_owned(), details.to_owned())
}

/// The stable word of a choice, in plain English.
pub fn choice_in_words(choice: &str) -> String {
    match choice {
        "override" => "verdict overruled".to_owned(),
        "accept" => "finding accepted".to_owned(),
        "allow" => "call allowed".to_owned(),
        "refuse" => "call refused".to_owned(),
        other => other.replace('_', " "),
    }
}

/// The removals by retention, in words.
fn retained(calls: u64, folders: u64, records: u64) -> String {
    let texts = (calls > 0).then(|| format!("the texts of {} removed", count(calls, "call")));
    let folders = (folders > 0).then(|| format!("{} of artifacts deleted", count(folders, "folder")));
    let records = (records > 0).then(|| format!("{} deleted", count(records, "expired memory record")));
    [texts, folders, records].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use copydesk_newsroom::{Priority, Status, Step};

    const STEP: Step = Step::Judge { round: 1, concern: 2 };

    #[test]
    fn what_happened_and_its_details_are_apart() {
        let told_of = |excerpt: &str| {
            event_and_details(&Event::VerdictGiven { step: STEP, excerpt: excerpt.to_owned(), status: Status::Keep })
        };
        let step = "Round 1, concern 2".to_owned();
        assert_eq!(told_of("in\nApril"), (step.clone(), "KEEP for “in April”".to_owned()));
        let bare = told_of("inferred_fact: It rained.").1;
        assert_eq!(bare, "KEEP for “not stated in the source: It rained.”");
        assert_eq!(told_of(" "), (step, "KEEP".to_owned()));
        let resumed = event_and_details(&Event::RunResumed { steps_done: 4 });
        assert_eq!(resumed, ("Resumed after 4 steps".to_owned(), String::new()));
    }

    #[test]
    #[expect(clippy::too_many_lines, reason = "one pair an event")]
    fn every_event_says_what_happened_in_words() {
        let decide = Step::Decide { round: 1, number: 3 };
        for (event, words) in [
            (
                Event::RunOpened { title: "The park".into(), engine: "llm".into(), max_rounds: 1 },
                "Opened: The park (llm, up to 1 round)",
            ),
            (Event::RunResumed { steps_done: 4 }, "Resumed after 4 steps"),
            (
                Event::CorrectionBegun { of: "R1".into(), number: 2, note: "It was 4.".into(), by: "Ada".into() },
                "Correction of R1 begun by Ada, as version 2: It was 4.",
            ),
            (
                Event::ReplyAsked { name: "Ann Lee".into(), about: "the money".into(), due: None, by: "Ada".into() },
                "Ann Lee was asked for a reply about the money (noted by Ada)",
            ),
            (
                Event::ReplyAnswered { name: "Ann Lee".into(), text: "No.".into(), by: "Ada".into() },
                "Ann Lee replied: No. (noted by Ada)",
            ),
            (
                Event::StoryKilled { by: "Ada".into(), reason: "It was forged.".into() },
                "Withdrawn by Ada: It was forged.",
            ),
            (
                Event::RunForked { from: "R1".into(), at: None },
                "Prompts or settings have changed: a new run replaces R1",
            ),
            (
                Event::RunForked { from: "R1".into(), at: Some(STEP) },
                "A new run replaces R1 from here: Round 1, concern 2",
            ),
            (
                Event::GateWaits { gate: "r1.gate".into(), question: "Back to the writer?".into() },
                "Waiting for your decision, round 1: Back to the writer?",
            ),
            (
                Event::Decided {
                    step: decide,
                    by: "Ada".into(),
                    choice: "override".into(),
                    concern: Some(2),
                    reason: "KEEP: so it is".into(),
                },
                "Round 1: Ada decided: verdict overruled, concern 2: KEEP: so it is",
            ),
            (
                Event::Decided {
                    step: decide,
                    by: "Ada".into(),
                    choice: "another_round".into(),
                    concern: None,
                    reason: String::new(),
                },
                "Round 1: Ada decided: another round",
            ),
            (Event::PauseSet { paused: true, by: "Ada".into() }, "Paused by Ada"),
            (Event::PauseSet { paused: false, by: "Ada".into() }, "Pause ended by Ada"),
            (Event::PrioritySet { priority: Priority::High, by: "Ada".into() }, "Priority set to high by Ada"),
            (
                Event::FlagsSettled { by: "Ada".into(), flags: vec!["a".into(), "b".into()], reason: "Known.".into() },
                "Ada accepted the flags: Known. (flagged: a; b)",
            ),
            (Event::StoryDeleted { by: "Ada".into(), runs: 2, calls: 9 }, "Deleted by Ada (2 runs, 9 calls)"),
            (Event::MemoryImported { by: "Ada".into(), records: 2 }, "2 records imported into the memory by Ada"),
            (
                Event::MemoryStruck { by: "Ada".into(), cache_key_hash: "00ff".into(), reason: "outdated".into() },
                "Memory record 00ff struck by Ada: outdated",
            ),
            (
                Event::MemoryRestored { by: "Ada".into(), cache_key_hash: "00ff".into() },
                "Memory record 00ff restored by Ada",
            ),
            (
                Event::RetentionApplied { by: "Ada".into(), calls: 2, folders: 1, records: 0 },
                "Retention, started by Ada: the texts of 2 calls removed, 1 folder of artifacts deleted",
            ),
            (
                Event::RetentionApplied { by: "Ada".into(), calls: 0, folders: 0, records: 1 },
                "Retention, started by Ada: 1 expired memory record deleted",
            ),
            (
                Event::CallStarted {
                    step: STEP,
                    attempt: 2,
                    agent: "opinion".into(),
                    model: "m".into(),
                    host: "h".into(),
                },
                "Round 1, concern 2: opinion asks m at h, attempt 2",
            ),
            (Event::ToolActs { step: STEP, tool: "post".into() }, "Round 1, concern 2: calls post, which acts"),
            (
                Event::CallRepeated { step: STEP, attempt: 1 },
                "Round 1, concern 2: asked again; the server may bill it twice",
            ),
            (
                Event::CallFailed { step: STEP, attempt: 1, message: "no".into(), again_in_seconds: Some(2.0) },
                "Round 1, concern 2: no; next try in 2 s",
            ),
            (Event::StepDone { step: STEP, summary: "KEEP".into() }, "Round 1, concern 2: KEEP"),
            (Event::Noted { step: STEP, message: "a note".into() }, "Round 1, concern 2: a note"),
            (
                Event::RunClosed {
                    success: false,
                    rounds: 2,
                    open_concerns: 1,
                    flags: vec!["a flag".into()],
                    error: Some("why".into()),
                    extract: false,
                },
                "Failed after 2 rounds; why; 1 open concern; flagged: a flag",
            ),
        ] {
            assert_eq!(event_in_words(&event), words);
        }
    }

    #[test]
    fn what_becomes_of_a_step_that_was_given_up_is_said_in_words() {
        for (event, words) in [
            (
                Event::StepDead { step: STEP, error: "no answer".into() },
                "Round 1, concern 2: failed: no answer. `copydesk dead retry` tries it again",
            ),
            (
                Event::DeadLetterDropped { step: STEP, by: "Ada".into(), reason: "Old news.".into() },
                "Round 1, concern 2: Ada dropped the failed step: Old news.",
            ),
            (
                Event::DeadLetterDropped { step: STEP, by: "Ada".into(), reason: String::new() },
                "Round 1, concern 2: Ada dropped the failed step",
            ),
        ] {
            assert_eq!(event_in_words(&event), words);
        }
    }
}
