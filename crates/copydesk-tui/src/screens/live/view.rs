//! The Live page: the steps at the left; at the right the text that is being written, or the state of the run. While a draft waits for its
//! editor, it stands beside what is asked; in a narrow window the steps make room for it and take one row.

use jiff::Timestamp;
use ratatui::prelude::{Buffer, Constraint, Layout, Line, Rect, Style};

use crate::app::{Action, Model, able};
use crate::screens::desk::StoryHolder;
use crate::screens::live::choices::GateOffer;
use crate::screens::live::pace::{expected, pace};
use crate::screens::live::{OnItsWay, choices, rail_view};
use crate::screens::story::{StoryView, Tab};
use crate::screens::{article, gate};
use crate::widgets::said::{agent_words, decision_words};
use crate::widgets::{Page, Theme, draw, words};
use copydesk_core::editorial::extract::{Extract, FactKind};
use copydesk_core::editorial::{decisions, report, research};
use copydesk_core::ports::ServerDown;
use copydesk_newsroom::{Step, Wait};
use copydesk_text::sanitise;

/// Most characters of the words that a concern is about.
const LONGEST_ABOUT: usize = 80;

/// Most facts of each part of a fact sheet.
const FACTS: usize = 6;

/// Columns and rows from which a draft stands beside what is asked about it, and columns from which the steps stand there, too.
const BESIDE_FROM: (u16, u16) = (78, 14);
const STEPS_BESIDE_FROM: u16 = 100;

pub fn live(model: &mut Model, area: Rect, buf: &mut Buffer) {
    let (theme, now) = (model.theme, model.now);
    let choices = choices::choices(model);
    let connect = model.keys.keys(Action::ConnectModel).first().map(ToString::to_string);
    let connect = connect.filter(|_| able::why_not(model, Action::ConnectModel).is_none());
    let Some(story) = model.story.as_deref_mut() else { return };
    let under_way = model.live.get(&story.run.story);
    let latest = under_way.and_then(|live| {
        let step = live.latest.or_else(|| live.calls.keys().next().copied())?;
        Some((step, live.calls.get(&step)?))
    });
    let shows_draft = latest.is_none()
        && story.waits().is_some()
        && story.concerns.draft.article().is_some()
        && area.width >= BESIDE_FROM.0
        && area.height >= BESIDE_FROM.1;
    let right = if shows_draft && area.width < STEPS_BESIDE_FROM {
        let (row, right) = draw::top(area, 1);
        rail_view::row(story, row, buf, &theme);
        right
    } else {
        let width = if area.width < 80 { 24 } else { 30 };
        let left = Rect { width: width.min(area.width), ..area };
        rail_view::rail(story, now, left, buf, &theme);
        draw::indented(area, left.width)
    };
    if let Some((step, call)) = latest {
        let speed = pace(call, expected(&story.journal, step), now);
        writing((step, call, speed), &story.live.text, now, right, buf, &theme);
        return;
    }
    let right = if shows_draft {
        let [asked, beside] = Layout::horizontal([Constraint::Fill(1), Constraint::Fill(1)]).areas(right);
        // The words of its concerns are marked.
        article::view::draft(&mut story.concerns.draft, (story.round, ""), false, beside, buf, &theme);
        asked
    } else {
        right
    };
    let hands = model.desk.row(&story.run.story).map_or(StoryHolder::Nobody, |row| row.hands);
    let told = (model.servers_down.as_slice(), choices.as_slice(), connect.as_deref());
    standing(story, hands, told, !shows_draft, right, buf, &theme);
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
    let title = format!("{} · {}", agent_words(&call.agent), step.in_words());
    let inner = draw::margins(draw::pane(buf, area, &title, theme, true));
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

/// Without a running call: the failure, the gate's question, or the latest draft, which may stand elsewhere.
fn standing(
    story: &StoryView,
    hands: StoryHolder,
    (down, choices, connect): (&[ServerDown], &[GateOffer], Option<&str>),
    has_draft: bool,
    area: Rect,
    buf: &mut Buffer,
    theme: &Theme,
) {
    let journal = &story.journal;
    let (title, mut lines): (String, Vec<(String, Style)>) = if let Some((step, failure)) = journal.failure() {
        let (what, after) = if journal.opening.is_unusable() {
            ("✗ The topic cannot be used.".to_owned(), "Fix the file, then start the story again.")
        } else {
            let after = "Finished steps are kept. Fix the problem, then reopen the story: it continues with this step.";
            (format!("✗ {}: failed.", step.in_words()), after)
        };
        (
            "Failed".to_owned(),
            vec![
                (what, theme.bad),
                (words::sentence(sanitise::clean(&failure.message).into_owned()), theme.text),
                (String::new(), theme.text),
                (after.to_owned(), theme.dim),
            ],
        )
    } else if let Some(wait) = story.waits() {
        asked(story, wait, choices, theme)
    } else if journal.publication().is_some() {
        let error = report::error(journal);
        let (said, style) = match (&error, decisions::signed_in_words(journal)) {
            (Some(error), _) => (format!("✗ {}", sanitise::one_line(error)), theme.bad),
            (None, Some(signed)) => (format!("✓ {}.", words::sentence(signed)), theme.good),
            (None, None) if journal.opening.extract => {
                ("✓ The fact sheet is made, not signed off.".to_owned(), theme.good)
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
    let inner = draw::margins(draw::pane(buf, area, &title, theme, true));
    let (room, rows) = (usize::from(inner.width), usize::from(inner.height));
    let mut drawn = wrapped(lines, room);
    let before_draft = drawn.len();
    let has_failed = journal.failure().is_some();
    if has_draft && !has_failed {
        let kept = report::shown_round(journal, journal.latest_draft());
        let lines = match journal.draft(kept) {
            Some(draft) => vec![
                (sanitise::one_line(&draft.article.headline), theme.heading),
                (String::new(), theme.text),
                (sanitise::clean(&draft.article.articleBody).into_owned(), theme.text),
            ],
            None => vec![("There is no draft yet.".to_owned(), theme.dim)],
        };
        drawn.extend(wrapped(lines, room));
    }
    if drawn.len() > rows && has_failed {
        drawn.retain(|line| !line.spans.is_empty());
    }
    if drawn.len() > rows && rows > 0 {
        if has_failed {
            drawn.truncate(rows);
            if let Some(last) = drawn.last_mut() {
                *last = Line::styled(words::fit(&format!("{last}…"), room), last.style);
            }
        } else {
            drawn.truncate(rows - 1);
            // A heading without a line of its own says nothing.
            while drawn.last().is_some_and(|line| line.spans.is_empty() || line.style == theme.heading) {
                drawn.pop();
            }
            let is_asked = matches!(story.waits(), Some(Wait::Gate { .. } | Wait::SignOff { .. }));
            // The facts of a fact sheet stand below the draft, too.
            let is_sheet = story.gate.extract.is_some();
            let page = if rows <= before_draft && is_asked && !is_sheet { Tab::Concerns } else { Tab::Article };
            let more = format!("… more on the {} page", page.name());
            drawn.push(Line::styled(words::fit(&more, room), theme.dim));
        }
    }
    draw::lines(buf, inner, drawn);
}

/// The texts in lines of that width; an empty text is an empty line.
fn wrapped(texts: Vec<(String, Style)>, room: usize) -> Vec<Line<'static>> {
    let lines = texts.into_iter().flat_map(|(text, style)| {
        let lines = if text.is_empty() { vec![text] } else { words::wrap(&text, room) };
        lines.into_iter().map(move |line| if line.is_empty() { Line::default() } else { Line::styled(line, style) })
    });
    lines.collect()
}

/// Shows a fact sheet: its nature, its facts, its omissions, and the key that connects a model.
fn extracted(extract: &Extract, connect: Option<&str>, theme: &Theme) -> Vec<(String, Style)> {
    let key = connect.map_or_else(String::new, |key| format!(" {key} connects a model that writes."));
    let mut lines = vec![(format!("{}{key}", extract.line()), theme.warn)];
    for (heading, facts) in extract.parts(&FactKind::BESIDE_DRAFT, FACTS) {
        lines.push((heading.to_owned(), theme.heading));
        lines.extend(facts.into_iter().map(|line| (line, theme.dim)));
    }
    lines.push((String::new(), theme.text));
    lines
}

/// Why a server is not called now, and what its stories do.
fn left_alone(down: &ServerDown) -> String {
    let server = sanitise::one_line(&down.server);
    if down.since.is_none() {
        return format!("{server} asked us to wait. Its stories wait until then.");
    }
    let why = down.error.as_deref().map_or_else(|| "no answer".into(), sanitise::one_line);
    format!("✗ {server} is down ({why}). Its stories wait. Retrying automatically.")
}

/// The page on which an editor decides: what was not done, what is open, the choices, and what was decided so far.
fn asked(story: &StoryView, wait: Wait, choices: &[GateOffer], theme: &Theme) -> (String, Vec<(String, Style)>) {
    let state = words::capital(gate::view::state(story, wait).trim_start_matches([':', '.', ' ']));
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
        lines.extend(research::plan_lines(&story.journal).into_iter().map(|line| (line, theme.text)));
        lines.push(space());
    }
    let decided = decisions::standing(&story.journal, round)
        .map(|decided| format!("{}. {}", decided.number, decision_words(decided.decision)))
        .collect();
    for (heading, texts) in [("Open:", open_concerns(story, round)), ("Decided so far:", decided)] {
        if !texts.is_empty() {
            lines.push((heading.to_owned(), theme.heading));
            lines.extend(texts.into_iter().map(|text| (text, theme.text)));
            lines.push(space());
        }
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
        let (verdict, note) = (concern.verdict.as_ref(), concern.note_alone());
        let said = match (&concern.overruled, verdict) {
            (Some(overruled), _) => overruled.fix.as_ref().unwrap_or(&overruled.reason),
            (None, Some(verdict)) => verdict.suggested_fix.as_ref().unwrap_or(&verdict.rationale),
            (None, None) => &note,
        };
        let about = words::excerpt(&concern.about(), LONGEST_ABOUT);
        format!("{}. {status} {about}: {}", concern.id, sanitise::one_line(said))
    })
    .collect()
}
