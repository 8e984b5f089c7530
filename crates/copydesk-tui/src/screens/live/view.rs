//! The Live page: the steps at the left; at the right the text that is being written, or the state of the run.

use jiff::Timestamp;
use ratatui::{buffer::Buffer, layout::Rect, style::Style, text::Line};

use crate::{
    app::{able, actions::Action, model::Model},
    screens::{
        desk::model::StoryHolder,
        gate,
        live::{
            choices::{self, GateOffer},
            model::OnItsWay,
            pace::{expected, pace},
            rail_view,
        },
        story::{model::StoryView, tabs::Tab},
    },
    widgets::{
        draw,
        page::Page,
        said::{agent_words, capital, decision_words, step_words},
        theme::Theme,
        words,
    },
};
use copydesk_core::editorial::{decisions, extract::Extract, report, research};
use copydesk_core::ports::ServerDown;
use copydesk_newsroom::{Step, Wait};
use copydesk_text::sanitise;

/// Most characters of the words that a concern is about.
const LONGEST_ABOUT: usize = 80;

/// Most sentences that are named of those an extract leaves out.
const LEFT_OUT: usize = 6;

pub fn live(model: &mut Model, area: Rect, buf: &mut Buffer) {
    let (theme, now) = (model.theme, model.now);
    let choices = choices::choices(model);
    let connect = model.keys.keys(Action::ConnectModel).first().map(ToString::to_string);
    let connect = connect.filter(|_| able::why_not(model, Action::ConnectModel).is_none());
    let Some(story) = model.story.as_deref_mut() else { return };
    let width = if area.width < 80 { 24 } else { 30 };
    let left = Rect { width: width.min(area.width), ..area };
    rail_view::rail(story, now, left, buf, &theme);
    let right = draw::indented(area, left.width);
    let story = &*story;
    let under_way = model.live.get(&story.run.story);
    let latest = under_way.and_then(|live| {
        let step = live.latest.or_else(|| live.calls.keys().next().copied())?;
        Some((step, live.calls.get(&step)?))
    });
    if let Some((step, call)) = latest {
        let speed = pace(call, expected(&story.journal, step), now);
        writing((step, call, speed), &story.live.text, now, right, buf, &theme);
    } else {
        let hands = model.desk.row(&story.run.story).map_or(StoryHolder::Nobody, |row| row.hands);
        standing(story, hands, (&model.servers_down, &choices, connect.as_deref()), right, buf, &theme);
    }
}

/// The running call with its pace, and the end of its text in sight.
fn writing(
    (step, call, speed): (Step, &OnItsWay, Option<String>),
    page: &Page,
    now: Timestamp,
    area: Rect,
    buf: &mut Buffer,
    theme: &Theme,
) {
    let (agent, step) = (agent_words(&call.agent), step_words(step));
    // If the step's name begins with the agent's, the agent is not named twice.
    let title = if step.starts_with(&agent.to_lowercase()) { capital(&step) } else { format!("{agent} · {step}") };
    let inner = draw::pane(buf, area, &title, theme, true);
    let inner = draw::margins(inner);
    let room = usize::from(inner.width);
    let time = words::since(&call.since, now).map_or_else(String::new, words::elapsed);
    let tokens = words::tokens_of(u64::try_from(call.pieces).unwrap_or(u64::MAX));
    let attempt = if call.attempt > 1 { format!("attempt {}", call.attempt) } else { String::new() };
    let numbers = words::dotted([time.as_str(), &tokens, &attempt]);
    let server = format!("{} at {}", call.model, call.host);
    let server = sanitise::one_line(&server);
    let one_line = words::dotted([server.as_str(), &numbers]);
    let about = if words::width(&one_line) <= room {
        vec![one_line]
    } else if inner.height >= 8 {
        vec![server, numbers]
    } else {
        vec![numbers]
    };
    let speed = speed.filter(|_| inner.height >= 8);
    let about = about.into_iter().chain(speed).map(|text| Line::styled(words::fit(&text, room), theme.running));
    let rest = draw::lines(buf, inner, about);
    let trouble = call
        .trouble
        .iter()
        .flat_map(|trouble| words::wrap_to(&format!("✗ Previous attempt: {}", sanitise::one_line(trouble)), room, 2));
    let rest = draw::lines(buf, rest, trouble.map(|text| Line::styled(text, theme.bad)));
    let rest = draw::below(rest, u16::from(rest.height > 3));
    if call.pieces == 0 {
        draw::put(buf, rest, Line::styled(words::fit("Nothing has arrived yet.", room), theme.dim));
        return;
    }
    page.view(rest, buf, theme);
}

/// Without a running call: the failure, the gate's question, or the latest draft.
fn standing(
    story: &StoryView,
    hands: StoryHolder,
    (down, choices, connect): (&[ServerDown], &[GateOffer], Option<&str>),
    area: Rect,
    buf: &mut Buffer,
    theme: &Theme,
) {
    let journal = &story.journal;
    let (title, mut lines): (String, Vec<(String, Style)>) = if let Some((step, failure)) = journal.failure() {
        let after = "Finished steps are kept. Fix the problem, then reopen the story: it continues with this step.";
        (
            "Failed".to_owned(),
            vec![
                (format!("✗ {} failed.", capital(&step_words(step))), theme.bad),
                (capital(&sanitise::clean(&failure.message)), theme.text),
                (String::new(), theme.text),
                (after.to_owned(), theme.dim),
            ],
        )
    } else if let Some(wait) = story.waits() {
        asked(story, wait, choices, theme)
    } else if journal.publication().is_some() {
        let error = report::error(journal);
        let (said, style) = match (&error, decisions::signed_by(journal)) {
            (Some(error), _) => (format!("✗ {}", sanitise::one_line(error)), theme.bad),
            (None, Some(by)) => (format!("✓ Signed off by {by}."), theme.good),
            (None, None) if journal.opening.extract => {
                ("✓ The extract is made, not signed off.".to_owned(), theme.good)
            }
            (None, None) => ("✓ Passed, not signed off.".to_owned(), theme.good),
        };
        ("Finished".to_owned(), vec![(said, style), (String::new(), theme.text)])
    } else {
        let said = match hands {
            StoryHolder::Nobody if story.run.paused => "The story is paused.",
            StoryHolder::Nobody => "Nobody is working on this story.",
            StoryHolder::Ours => "Working on the next step.",
            StoryHolder::OursSoon | StoryHolder::Queued => "In the queue.",
            StoryHolder::Others => "Another program is working on it. Finished steps appear here.",
        };
        let mut lines = vec![(said.to_owned(), theme.dim)];
        lines.extend(down.iter().map(|down| (left_alone(down), theme.bad)));
        lines.push((String::new(), theme.text));
        ("The latest draft".to_owned(), lines)
    };
    if let Some(extract) = &story.gate.extract {
        lines.extend(extracted(extract, connect, theme));
    }
    let kept = report::shown_round(journal, journal.latest_draft());
    let shows_draft = journal.failure().is_none();
    if shows_draft {
        match journal.draft(kept) {
            Some(draft) => {
                lines.push((sanitise::one_line(&draft.article.headline), theme.heading));
                lines.push((String::new(), theme.text));
                lines.push((sanitise::clean(&draft.article.articleBody).into_owned(), theme.text));
            }
            None => lines.push(("There is no draft yet.".to_owned(), theme.dim)),
        }
    }
    let inner = draw::margins(draw::pane(buf, area, &title, theme, true));
    let (room, rows) = (usize::from(inner.width), usize::from(inner.height));
    let mut drawn: Vec<Line<'_>> = Vec::new();
    for (text, style) in lines {
        if text.is_empty() {
            drawn.push(Line::default());
        }
        drawn.extend(words::wrap(&text, room).into_iter().map(|text| Line::styled(text, style)));
    }
    if drawn.len() > rows && !shows_draft {
        drawn.retain(|line| !line.spans.is_empty());
    }
    if drawn.len() > rows && rows > 0 {
        drawn.truncate(if shows_draft { rows - 1 } else { rows });
        if shows_draft {
            let more = format!("… more on the {} page", Tab::Article.name());
            drawn.push(Line::styled(words::fit(&more, room), theme.dim));
        } else if let Some(last) = drawn.last_mut() {
            *last = Line::styled(words::fit(&format!("{last}…"), room), last.style);
        }
    }
    draw::lines(buf, inner, drawn);
}

/// Explains an extract: its nature, its omissions, and the key that connects a model.
fn extracted(extract: &Extract, connect: Option<&str>, theme: &Theme) -> Vec<(String, Style)> {
    let key = connect.map_or_else(String::new, |key| format!(" {key} connects a model that writes."));
    let mut lines = vec![(format!("{}{key}", extract.line()), theme.warn)];
    if !extract.left_out.is_empty() {
        lines.push(("Left out:".to_owned(), theme.heading));
        lines.extend(extract.left_out_lines(LEFT_OUT).into_iter().map(|line| (line, theme.dim)));
    }
    lines.push((String::new(), theme.text));
    lines
}

/// Why a server is not called now, and what its stories do.
fn left_alone(down: &ServerDown) -> String {
    let server = sanitise::one_line(&down.server);
    match (&down.since, &down.error) {
        (Some(_), error) => format!(
            "✗ {server} is down ({}). Its stories wait. Retrying automatically.",
            error.as_deref().map_or_else(|| "no answer".into(), sanitise::one_line)
        ),
        (None, _) => format!("{server} asked us to wait. Its stories wait until then."),
    }
}

/// The page on which an editor decides: what was not done, what is open, the choices, and what was decided so far.
fn asked(story: &StoryView, wait: Wait, choices: &[GateOffer], theme: &Theme) -> (String, Vec<(String, Style)>) {
    let state = capital(gate::view::state(story, wait).trim_start_matches([':', '.', ' ']));
    let round = wait.round();
    let title = match wait {
        Wait::Gate { .. } if round >= decisions::max_rounds(&story.journal) => {
            format!("Round {round}, the last one, waits for you")
        }
        Wait::Gate { .. } => format!("Round {round} waits for you"),
        Wait::SignOff { .. } => format!("The draft of round {round} passed"),
        Wait::Plan => "The questions of this assignment wait for you".to_owned(),
        Wait::Call { .. } => "A call of the Reporter waits for you".to_owned(),
    };
    let space = || (String::new(), theme.text);
    let mut lines = Vec::new();
    if !story.gate.left.is_empty() {
        lines.extend(story.gate.left.iter().map(|to_do| (to_do.line(), theme.warn)));
        lines.push(space());
    }
    if !state.is_empty() {
        lines.push((state, theme.warn));
    }
    let keys = choices.iter().map(|offer| words::width(&offer.key)).max().unwrap_or(0);
    let (first, more): (Vec<&GateOffer>, Vec<&GateOffer>) = choices.iter().partition(|offer| offer.is_first);
    lines.extend(first.into_iter().map(|offer| {
        let gap = " ".repeat(keys.saturating_sub(words::width(&offer.key)));
        (format!("{}{gap}  {}", offer.key, offer.said), theme.accent)
    }));
    if !more.is_empty() {
        let more: Vec<String> = more.into_iter().map(|offer| format!("{} {}", offer.key, offer.said)).collect();
        lines.push((format!("More: {}", more.join(" · ")), theme.dim));
    }
    lines.push(space());
    if wait == Wait::Plan {
        let questions = research::plan_text(&story.journal);
        lines.extend(questions.lines().map(|line| (format!("– {line}"), theme.text)));
        lines.push(space());
    }
    let open = open_concerns(story, round);
    if !open.is_empty() {
        lines.push(("Open:".to_owned(), theme.heading));
        lines.extend(open.into_iter().map(|text| (text, theme.text)));
        lines.push(space());
    }
    let decided: Vec<String> = decisions::standing(&story.journal, round)
        .map(|decided| format!("{}. {}", decided.number, decision_words(decided.decision)))
        .collect();
    if !decided.is_empty() {
        lines.push(("Decided so far:".to_owned(), theme.heading));
        lines.extend(decided.into_iter().map(|text| (text, theme.text)));
        lines.push(space());
    }
    (title, lines)
}

/// The open concerns of the round, each with what is to be done or why it is one.
fn open_concerns(story: &StoryView, round: u32) -> Vec<String> {
    if story.round != round {
        return Vec::new();
    }
    let open = story.concerns.rows.iter().filter(|concern| concern.is_open());
    open.map(|concern| {
        let status = concern.status().map_or("not judged yet", |status| status.name());
        let verdict = concern.verdict.as_ref();
        let said = match (&concern.overruled, verdict) {
            (Some(overruled), _) => overruled.fix.as_ref().unwrap_or(&overruled.reason),
            (None, Some(verdict)) => verdict.suggested_fix.as_ref().unwrap_or(&verdict.rationale),
            (None, None) => &concern.note,
        };
        let about = sanitise::excerpt(&concern.about(), LONGEST_ABOUT);
        format!("{}. {status} {about}: {}", concern.id, sanitise::one_line(said))
    })
    .collect()
}
