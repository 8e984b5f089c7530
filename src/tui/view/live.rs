//! A story as it is made: the rail at the left; at the right what is being written now, or where the run stands.

use jiff::Timestamp;
use ratatui::{buffer::Buffer, layout::Rect, style::Style, text::Line};

use super::{draw, gate, rail, words};
use crate::{
    editorial::{decisions, report},
    newsroom::{Choice, Decision, Step, Wait},
    text::sanitise,
    tui::{
        model::{
            Model,
            live::OnItsWay,
            story::{StoryView, Tab},
        },
        page::Page,
        theme::Theme,
    },
};

/// Draws the page.
pub fn live(model: &mut Model, area: Rect, buf: &mut Buffer) {
    let (theme, now) = (model.theme, model.now);
    let Some(story) = model.story.as_deref_mut() else { return };
    let width = if area.width < 80 { 24 } else { 30 };
    let left = Rect { width: width.min(area.width), ..area };
    rail::rail(story, now, left, buf, &theme);
    let right = draw::indented(area, left.width);
    let story = &*story;
    let under_way = model.live.get(&story.run.story);
    let latest = under_way.and_then(|live| {
        let step = live.latest.or_else(|| live.calls.keys().next().copied())?;
        Some((step, live.calls.get(&step)?))
    });
    match latest {
        Some((step, call)) => writing(step, call, &story.live_page, now, right, buf, &theme),
        None => standing(story, right, buf, &theme),
    }
}

/// What is on its way, its end in sight.
fn writing(step: Step, call: &OnItsWay, page: &Page, now: Timestamp, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let title = format!("{} · {}", agent_words(&call.agent), step_words(step));
    let inner = draw::pane(buf, area, &title, theme, true);
    let inner = inside(inner);
    let room = usize::from(inner.width);
    let time = words::since(&call.since, now).map_or_else(String::new, words::elapsed);
    let tokens = format!("{} tokens", words::tokens(u64::try_from(call.pieces).unwrap_or(u64::MAX)));
    let attempt = if call.attempt > 1 { format!("attempt {}", call.attempt) } else { String::new() };
    let numbers = words::dotted([time.as_str(), &tokens, &attempt]);
    let server = format!("{} at {}", call.model, call.host);
    let server = words::fit(&sanitise::one_line(&server), room.saturating_sub(words::width(&numbers) + 3));
    let about = words::fit(&words::dotted([server.as_str(), &numbers]), room);
    let rest = draw::lines(buf, inner, [Line::styled(about, theme.running)]);
    let trouble = call
        .trouble
        .iter()
        .flat_map(|trouble| words::wrap_to(&format!("✗ the attempt before: {}", sanitise::one_line(trouble)), room, 2));
    let rest = draw::lines(buf, rest, trouble.map(|text| Line::styled(text, theme.bad)));
    let rest = draw::below(rest, u16::from(rest.height > 3));
    if call.pieces == 0 {
        draw::put(buf, rest, Line::styled(words::fit("Nothing has arrived yet.", room), theme.dim));
        return;
    }
    page.view(rest, buf, theme);
}

/// Nothing is on its way: the failure, the gate's question, or the latest draft.
fn standing(story: &StoryView, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let journal = &story.journal;
    let (title, mut lines): (String, Vec<(String, Style)>) = if let Some((step, failure)) = journal.failure() {
        let after = "What is done is kept. When what went wrong is put right, the story can be reopened: it goes on with this step \
                     and repeats nothing that is done.";
        (
            "It could not be finished".to_owned(),
            vec![
                (format!("✗ {} could not be done.", capital(&step_words(step))), theme.bad),
                (sanitise::clean(&failure.message).into_owned(), theme.text),
                (String::new(), theme.text),
                (after.to_owned(), theme.dim),
            ],
        )
    } else if let Some(wait) = story.waits() {
        asked(story, wait, theme)
    } else if journal.publication().is_some() {
        let error = report::error(journal);
        let (said, style) = match (&error, decisions::signed_by(journal)) {
            (Some(error), _) => (format!("✗ {}", sanitise::one_line(error)), theme.bad),
            (None, Some(by)) => (format!("✓ Signed off by {by}."), theme.good),
            (None, None) => ("✓ Passed; nobody has signed it off.".to_owned(), theme.good),
        };
        ("The end".to_owned(), vec![(said, style), (String::new(), theme.text)])
    } else {
        ("The latest draft".to_owned(), Vec::new())
    };
    let kept = if lines.is_empty() {
        story.latest_round()
    } else {
        report::kept_round(journal).unwrap_or(story.latest_round())
    };
    let shows_draft = journal.failure().is_none() && !matches!(story.waits(), Some(Wait::Gate { .. }));
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
    let inner = inside(draw::pane(buf, area, &title, theme, true));
    let (room, rows) = (usize::from(inner.width), usize::from(inner.height));
    let mut drawn: Vec<Line<'_>> = Vec::new();
    for (text, style) in lines {
        if text.is_empty() {
            drawn.push(Line::default());
        }
        drawn.extend(words::wrap(&text, room).into_iter().map(|text| Line::styled(text, style)));
    }
    if drawn.len() > rows && rows > 0 {
        drawn.truncate(rows - 1);
        let more = if shows_draft {
            format!("… the page {} shows all of it", Tab::Article.name())
        } else {
            "…".to_owned()
        };
        drawn.push(Line::styled(words::fit(&more, room), theme.dim));
    }
    draw::lines(buf, inner, drawn);
}

/// The gate's question, with what was decided so far.
fn asked(story: &StoryView, wait: Wait, theme: &Theme) -> (String, Vec<(String, Style)>) {
    let state = capital(gate::state(story, wait).trim_start_matches([':', '.', ' ']));
    let round = wait.round();
    let (title, question) = match wait {
        Wait::Gate { .. } => (
            format!("Round {round} waits for you"),
            "Read the concerns and decide: overrule a verdict, add to-dos of your own, edit the text by hand, or continue.",
        ),
        Wait::SignOff { .. } => (
            format!("The draft of round {round} passed"),
            "Read the article once more. Sign it off, or send it back with what is to be done.",
        ),
    };
    let mut lines = vec![(state, theme.warn), (question.to_owned(), theme.text), (String::new(), theme.text)];
    let decided: Vec<String> = decisions::standing(&story.journal, round)
        .map(|decided| format!("{}. {}", decided.number, decision_words(decided.decision)))
        .collect();
    if decided.is_empty() && matches!(wait, Wait::Gate { .. }) {
        lines.push(("Nothing is decided yet.".to_owned(), theme.dim));
    } else if !decided.is_empty() {
        lines.push(("Decided so far:".to_owned(), theme.heading));
        lines.extend(decided.into_iter().map(|text| (text, theme.text)));
        lines.push((String::new(), theme.text));
    }
    lines.retain({
        let mut first = true;
        move |(text, _)| !std::mem::replace(&mut first, false) || !text.is_empty()
    });
    (title, lines)
}

/// A decision in a sentence.
#[must_use]
pub fn decision_words(decision: &Decision) -> String {
    let said = match &decision.choice {
        Choice::Override { concern, status, fix, reason } => {
            let fix = fix.as_ref().map_or_else(String::new, |fix| format!(" To do: {fix}"));
            format!("concern {concern} is {}: {reason}{fix}", status.name())
        }
        Choice::Feedback { text } => format!("to do: {}", decisions::lines(text).join("; ")),
        Choice::Edit { article } => {
            let words = article.articleBody.split_whitespace().count();
            format!("the next draft is your own text of {}", words::count(words, "word"))
        }
        Choice::AnotherRound => "one round more".to_owned(),
        Choice::Undo { number } => format!("decision {number} no longer counts"),
        Choice::Continue => "continue".to_owned(),
        Choice::Stet { reason } => format!("stet, accepted as it stands: {reason}"),
        Choice::Spike { reason } => format!("spiked: {reason}"),
        Choice::SignOff { .. } => "signed off".to_owned(),
        Choice::SendBack { text } => format!("sent back: {}", decisions::lines(text).join("; ")),
    };
    sanitise::one_line(&format!("{}: {said}", decision.by))
}

/// An agent's name as a newsroom says it.
#[must_use]
pub fn agent_words(agent: &str) -> String {
    match agent {
        "article_review" => "Reviewer".to_owned(),
        "concern_mapping" => "Routing".to_owned(),
        "style_review" => "Style".to_owned(),
        "evidence_search" => "Search outside".to_owned(),
        other => capital(&sanitise::one_line(other).replace('_', " ")),
    }
}

/// A step as a newsroom says it.
#[must_use]
pub fn step_words(step: Step) -> String {
    match step {
        Step::Draft => "first draft".to_owned(),
        Step::Review { round } => format!("review of round {round}"),
        Step::Parse { round } => format!("concerns of round {round}"),
        Step::Map { round } => format!("routing in round {round}"),
        Step::LookUp { round, concern } => format!("look-up for concern {concern} of round {round}"),
        Step::Search { round, concern } => format!("search for concern {concern} of round {round}"),
        Step::Judge { round, concern } => format!("concern {concern} of round {round}"),
        Step::Decide { round, number } => format!("decision {number} of round {round}"),
        Step::Gate { round } => format!("gate of round {round}"),
        Step::Feedback { round } => format!("feedback of round {round}"),
        Step::Revise { round } => format!("revision after round {round}"),
        Step::Publish => "the end of the run".to_owned(),
    }
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

fn inside(area: Rect) -> Rect {
    draw::indented(Rect { width: area.width.saturating_sub(1), ..area }, 1)
}
