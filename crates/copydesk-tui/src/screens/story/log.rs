//! The audit log in plain words.

use ratatui::{
    buffer::Buffer,
    layout::Rect,
    text::{Line, Span},
};

use crate::{
    screens::story::model::StoryView,
    widgets::{
        columns::Column,
        draw,
        said::{agent_words, capital, choice_words, step_words},
        theme::Theme,
        words,
    },
};
use copydesk_newsroom::{Event, EventRecord, Step};
use copydesk_text::sanitise;

/// Draws the log, and the selected record in full below it. Returns the area of the rows.
pub fn log(story: &mut StoryView, area: Rect, buf: &mut Buffer, theme: &Theme) -> Rect {
    let (list, rest) = draw::bottom(area, if area.height >= 18 { 7 } else { 4 });
    let inner = draw::pane(buf, list, "Audit log", theme, true);
    let columns = [
        Column::text("Time", 8, 8, 0),
        Column::text("What happened", 20, 28, 0),
        Column::text("Details", 12, u16::MAX, 1),
    ];
    let cells = |record: &EventRecord| {
        let (what, detail) = told(&record.event);
        let style = if by_hand(&record.event) { theme.heading } else { theme.text };
        vec![(words::clock(&record.at), theme.dim), (what, style), (detail, theme.dim)]
    };
    let Some(rows_area) = story.log.draw((list, inner), &columns, buf, theme, cells) else {
        draw::put(buf, draw::indented(inner, 2), Line::styled("Reading the log…", theme.dim));
        draw::pane(buf, rest, "", theme, false);
        return Rect::ZERO;
    };
    let record = story.log.row();
    let title = record.map_or_else(String::new, |record| words::day_and_time(&record.at));
    let inner = draw::pane(buf, rest, &title, theme, false);
    let inner = draw::margins(inner);
    if let Some(record) = record {
        let (what, detail) = told(&record.event);
        let room = usize::from(inner.width);
        let rows = usize::from(inner.height).saturating_sub(1);
        let first = Line::from(Span::styled(words::fit(&what, room), theme.heading));
        let rest = words::wrap_to(&detail, room, rows).into_iter().map(Line::raw);
        draw::lines(buf, inner, std::iter::once(first).chain(rest));
    }
    rows_area
}

/// Whether a person did it.
fn by_hand(event: &Event) -> bool {
    matches!(
        event,
        Event::Decided { .. }
            | Event::PauseSet { .. }
            | Event::DeadlineSet { .. }
            | Event::EditorAssigned { .. }
            | Event::EmbargoSet { .. }
            | Event::DeliveryMade { .. }
            | Event::Examined { .. }
            | Event::PrioritySet { .. }
            | Event::FlagsSettled { .. }
            | Event::DeadLetterDropped { .. }
            | Event::MemoryImported { .. }
            | Event::MemoryStruck { .. }
            | Event::MemoryRestored { .. }
            | Event::RetentionApplied { .. }
    )
}

fn day_or_none(at: Option<&String>) -> String {
    at.map_or_else(|| "none".to_owned(), |at| words::day_and_time(at))
}

/// The event and its details, each in one line.
#[expect(clippy::too_many_lines, reason = "one arm an event")]
pub fn told(event: &Event) -> (String, String) {
    let (what, detail) = match event {
        Event::RunOpened { title, engine, max_rounds } => {
            ("Run opened".to_owned(), format!("{title}; engine {engine}, up to {}", words::count(*max_rounds, "round")))
        }
        Event::RunResumed { steps_done } => {
            ("Run resumed".to_owned(), format!("{} already done", words::count(*steps_done, "step")))
        }
        Event::RunForked { from, at: Some(step) } => {
            ("Run forked".to_owned(), format!("from {from}; repeats {} and all that follows", step_words(*step)))
        }
        Event::RunForked { from, at: None } => {
            ("Run forked".to_owned(), format!("from {from}: prompts or settings have changed"))
        }
        Event::CorrectionBegun { of, number, note, by } => {
            (format!("{by}: correction"), format!("of {of}, as version {number}: {note}"))
        }
        Event::GateWaits { gate: _, question } => ("Waiting for the editor".to_owned(), question.clone()),
        Event::Decided { step, by, choice, concern, reason } => {
            let about = concern.map_or_else(String::new, |concern| format!("concern {concern}"));
            let at = format!("round {}", step.round());
            (format!("{by}: {}", choice_words(choice)), words::dotted([at.as_str(), &about, reason]))
        }
        Event::PauseSet { paused: true, by } => (format!("{by}: paused"), "no new step begins".to_owned()),
        Event::PauseSet { paused: false, by } => (format!("{by}: resumed"), "no longer paused".to_owned()),
        Event::DeadlineSet { due, by } => (format!("{by}: deadline"), day_or_none(due.as_ref())),
        Event::EmbargoSet { until, by } => (format!("{by}: embargo"), day_or_none(until.as_ref())),
        Event::EditorAssigned { editor, by } => {
            (format!("{by}: editor"), editor.clone().unwrap_or_else(|| "nobody".to_owned()))
        }
        Event::PrioritySet { priority, by } => (format!("{by}: priority"), format!("now {}", priority.name())),
        Event::ReplyAsked { name, about, by, .. } => (format!("{by}: {name} asked for a reply"), about.clone()),
        Event::ReplyAnswered { name, text, .. } => (format!("{name} replied"), text.clone()),
        Event::StoryKilled { by, reason } => (format!("{by}: withdrawn"), reason.clone()),
        Event::DeliveryMade { delivery } => (format!("{}: publication", delivery.by), delivery.line()),
        Event::Examined { by, what, .. } => (format!("{by}: on the screen"), what.in_words()),
        Event::FlagsSettled { by, flags, reason } => {
            (format!("{by}: let it stand"), format!("{reason}; flagged: {}", flags.join(", ")))
        }
        Event::MemoryImported { by, records } => {
            (format!("{by}: memory"), format!("{} read from files", words::count(*records, "record")))
        }
        Event::MemoryStruck { by, cache_key_hash, reason } => {
            (format!("{by}: struck from the memory"), format!("record {cache_key_hash}: {reason}"))
        }
        Event::MemoryRestored { by, cache_key_hash } => {
            (format!("{by}: restored to the memory"), format!("record {cache_key_hash}"))
        }
        Event::RetentionApplied { by, calls, folders, records } => (
            format!("{by}: retention"),
            format!(
                "texts of {} removed; {} of artifacts and {} deleted",
                words::count(*calls, "call"),
                words::count(*folders, "folder"),
                words::count(*records, "expired memory record")
            ),
        ),
        Event::CallStarted { step, attempt, agent, model, host } => {
            let again = if *attempt > 1 { format!("attempt {attempt}") } else { String::new() };
            let server = format!("{model} at {host}");
            (format!("{} called", agent_words(agent)), words::dotted([&*step_words(*step), &server, &again]))
        }
        Event::CallRepeated { step, attempt } => (
            "Call repeated".to_owned(),
            format!(
                "{}, attempt {attempt}: the program stopped during this call; it may be billed twice",
                step_words(*step)
            ),
        ),
        Event::ToolActs { step, tool } => {
            ("Tool called".to_owned(), words::dotted([&*step_words(*step), tool, "it sends or changes something"]))
        }
        Event::CallFailed { step, attempt, message, again_in_seconds } => {
            let again = again_in_seconds.map_or_else(String::new, |seconds| format!(" (next try in {seconds} s)"));
            ("Call failed".to_owned(), format!("{}, attempt {attempt}: {message}{again}", step_words(*step)))
        }
        Event::StepRedelivered { step, redelivery, of, again_in_seconds } => (
            "Back in the queue".to_owned(),
            format!("{}, retry {redelivery} of {of} in {again_in_seconds:.0} s", step_words(*step)),
        ),
        Event::StepParked { step, server } => {
            ("Waiting for a server".to_owned(), format!("{}: {server} is down", step_words(*step)))
        }
        Event::StepDead { step, error } => ("Step failed".to_owned(), format!("{}: {error}", step_words(*step))),
        Event::DeadLetterDropped { step, by, reason } => {
            (format!("{by}: failed step dropped"), words::dotted([&*step_words(*step), reason]))
        }
        Event::ServerDown { server, again_in_seconds, error } => {
            (format!("{server} is down"), format!("{error}; next try in {again_in_seconds:.0} s"))
        }
        Event::ServerBack { server } => (format!("{server} is back"), "its stories resume".to_owned()),
        Event::StepDone { step: Step::Publish, summary } => ("Run finished".to_owned(), summary.clone()),
        Event::StepDone { step, summary } => (capital(&format!("{} done", step_words(*step))), summary.clone()),
        Event::VerdictGiven { step, excerpt, status } if sanitise::is_blank(excerpt) => {
            (format!("Verdict: {}", status.name()), step_words(*step))
        }
        Event::VerdictGiven { step, excerpt, status } => {
            (format!("Verdict: {}", status.name()), format!("{}: “{excerpt}”", step_words(*step)))
        }
        Event::Noted { step, message } => ("Note".to_owned(), format!("{}: {message}", step_words(*step))),
        Event::StoryDeleted { by, runs, calls } => (
            "Story deleted".to_owned(),
            format!("by {by}: {}, {}", words::count(*runs, "run"), words::count(*calls, "call")),
        ),
        Event::RunClosed { success, rounds, open_concerns, flags, error, extract } => {
            let flagged = if flags.is_empty() { String::new() } else { format!("flagged: {}", flags.join(", ")) };
            let open = format!("{} open", words::count(*open_concerns, "concern"));
            let error = error.clone().unwrap_or_default();
            let ended = match (*success, *extract) {
                (true, true) => "Run ended: extract made",
                (true, false) => "Run ended: passed",
                (false, _) => "Run ended: not passed",
            };
            (ended.to_owned(), words::dotted([&*error, &words::count(*rounds, "round"), &open, &flagged]))
        }
    };
    (sanitise::one_line(&what), sanitise::one_line(&detail))
}

#[cfg(test)]
mod tests {
    use super::*;
    use copydesk_newsroom::{Status, Step};

    #[test]
    fn a_verdict_shows_the_words_that_it_is_about_if_there_are_any() {
        let told_of = |excerpt: &str| {
            let step = Step::Judge { round: 1, concern: 2 };
            told(&Event::VerdictGiven { step, excerpt: excerpt.to_owned(), status: Status::Keep })
        };
        let step = step_words(Step::Judge { round: 1, concern: 2 });
        assert_eq!(told_of("in April"), ("Verdict: KEEP".to_owned(), format!("{step}: “in April”")));
        assert_eq!(told_of(" "), ("Verdict: KEEP".to_owned(), step));
    }
}
