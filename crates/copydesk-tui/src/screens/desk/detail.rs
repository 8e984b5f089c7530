//! The selected story of the desk in full.

use jiff::Timestamp;
use ratatui::prelude::{Buffer, Line, Rect, Span, Style};

use crate::app::Model;
use crate::screens::desk::StoryState;
use crate::widgets::{Theme, draw, words};
use copydesk_config::Price;
use copydesk_newsroom::ListedRun;
use copydesk_text::sanitise;

/// Draws the story. Without a frame it takes two lines.
pub fn detail(model: &Model, area: Rect, framed: bool, buf: &mut Buffer) {
    let Some(story) = model.desk.selected() else {
        if framed {
            draw::pane(buf, area, "", &model.theme, false);
        }
        return;
    };
    let run = &story.run;
    let title = sanitise::one_line(&run.title);
    if !framed {
        let room = usize::from(area.width).saturating_sub(2);
        let area = draw::indented(area, 1);
        let trouble = trouble(run).map(|trouble| (trouble, model.theme.warn));
        let said = trouble.unwrap_or_else(|| (dates(run, model.now), model.theme.dim));
        let line = |(text, style): (String, Style)| Line::styled(words::fit(&text, room), style);
        draw::lines(buf, area, [(title, model.theme.heading), said].map(line));
        return;
    }
    let inner = draw::margins(draw::pane(buf, area, &title, &model.theme, false));
    let (mark, said) = story.standing().words();
    let state = Span::styled(format!("{mark} {said}"), standing_style(story.standing(), &model.theme));
    draw::lines(buf, inner, run_lines(run, state, &model.house.prices, model.now, inner, &model.theme));
}

/// A run in full, in as many lines as `area` has: first why an editor should look, then dates and numbers.
pub fn run_lines(
    run: &ListedRun,
    state: Span<'static>,
    prices: &[Price],
    now: Timestamp,
    area: Rect,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let width = usize::from(area.width);
    let signed = match &run.signed_by {
        // The state has said it.
        Some(by) if state.content.contains("signed") => format!("by {}", sanitise::one_line(by)),
        _ => run.signed_in_words().unwrap_or_default(),
    };
    let rest = words::dotted([
        &*signed,
        &*format!("round {}", rounds(run.rounds, run.max_rounds)),
        &words::count(run.open_concerns, "open concern"),
        &format!("priority {}", run.priority.name()),
        &run.due.as_ref().map_or_else(String::new, |due| format!("due {}", words::day_and_time(due))),
        &run.assigned.as_ref().map_or_else(String::new, |editor| format!("editor {}", sanitise::one_line(editor))),
        &run.desk.as_ref().map_or_else(String::new, |desk| format!("desk {desk}")),
    ]);
    let rest = words::fit(&rest, width.saturating_sub(words::width(&state.content) + 3));
    let mut lines = vec![Line::from(vec![state, Span::styled(" · ", theme.dim), Span::raw(rest)])];
    let after = vec![sanitise::one_line(&run.story), dates(run, now), spent(run, prices)];
    // The reason gets the lines that the numbers leave, but at least two.
    let height = usize::from(area.height);
    let for_reason = height.saturating_sub(1 + after.len()).max(2);
    if let Some(said) = trouble(run) {
        let style = if run.error.is_some() { theme.bad } else { theme.warn };
        lines.extend(words::wrap_to(&said, width, for_reason).into_iter().map(|text| Line::styled(text, style)));
    }
    let after = if lines.len() + after.len() > height {
        vec![format!("{} · {}", spent(run, prices), dates(run, now)), sanitise::one_line(&run.story)]
    } else {
        after
    };
    lines.extend(after.into_iter().map(|text| Line::styled(words::fit(&text, width), theme.dim)));
    lines
}

/// Why an editor should look, and what went wrong.
fn trouble(run: &ListedRun) -> Option<String> {
    let reasons = run.reasons();
    let flagged = (!reasons.is_empty()).then(|| format!("Flagged: {}.", reasons.join("; ")));
    let settled = run.settled_by.as_ref().map(|by| format!("{by} accepted the flags."));
    let failed = run.error.as_ref().map(|error| format!("What went wrong: {}", words::failure(error)));
    let said: Vec<String> =
        flagged.into_iter().chain(settled).chain(failed).map(|text| sanitise::one_line(&text)).collect();
    (!said.is_empty()).then(|| said.join(" "))
}

fn dates(run: &ListedRun, now: Timestamp) -> String {
    let changed = match words::age(&run.updated_at, now) {
        age if age == "now" => "just now".to_owned(),
        age => format!("{age} ago"),
    };
    format!("opened {}, last change {changed}", words::day_and_time(&run.opened_at))
}

fn spent(run: &ListedRun, prices: &[Price]) -> String {
    let cost = words::cost(run.prompt_tokens, run.completion_tokens, prices);
    let cost = cost.map_or_else(String::new, |cost| format!(", about {cost}"));
    format!("{} tokens sent, {} received{cost}", words::tokens(run.prompt_tokens), words::tokens(run.completion_tokens))
}

/// `1/3`; only the rounds so far if the limit is not known.
pub fn rounds(rounds: u32, limit: u32) -> String {
    if limit == 0 { rounds.to_string() } else { format!("{rounds}/{limit}") }
}

/// The colour of a state. Its mark and words say the same without colour.
pub fn standing_style(standing: StoryState, theme: &Theme) -> Style {
    match standing {
        StoryState::AtGate | StoryState::AtSignOff | StoryState::Flagged => theme.warn,
        StoryState::Failed | StoryState::Withdrawn => theme.bad,
        StoryState::AtWork | StoryState::Elsewhere => theme.running,
        StoryState::Queued | StoryState::Spiked | StoryState::Stopped | StoryState::Paused | StoryState::Replaced => {
            theme.dim
        }
        StoryState::Passed | StoryState::Extracted | StoryState::Signed | StoryState::SignedAsNotes => theme.good,
    }
}
