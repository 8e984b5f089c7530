//! The article as it would be printed, and beside it what a person should know before putting a name under it: what is open,
//! what the editor changed, who signed.

use ratatui::{
    buffer::Buffer,
    layout::{Constraint, Layout, Rect},
    text::Line,
};

use super::{concerns, draw, words};
use crate::{
    editorial::{decisions, report},
    newsroom::{Choice, Journal, Status},
    text::sanitise,
    tui::{model::story::StoryView, theme::Theme},
};

/// Columns from which the notes stand beside the article; below it otherwise.
const BESIDE_FROM: u16 = 100;

/// Widest column of text that is easy to read.
const WIDEST: u16 = 84;

/// Draws the page.
pub fn view(story: &mut StoryView, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let notes = notes(&story.journal, theme);
    let (text, aside) = if area.width >= BESIDE_FROM {
        let [text, aside] = Layout::horizontal([Constraint::Fill(3), Constraint::Fill(2)]).areas(area);
        (text, aside)
    } else {
        let rows = u16::try_from(notes.len()).unwrap_or(u16::MAX).saturating_add(2).min(area.height / 3);
        draw::bottom(area, rows)
    };
    let title = match story.journal.publication() {
        Some(_) => "Article".to_owned(),
        None => format!("Article, draft {}", story.round),
    };
    let inside = draw::pane(buf, text, &title, theme, true);
    let column = Rect { width: inside.width.min(WIDEST), ..inside };
    if story.article.article().is_none() {
        draw::put(buf, inside, Line::styled("There is no draft yet.", theme.dim));
    }
    concerns::printed(&mut story.article, column, buf, theme);
    draw::on_frame(buf, text, true, 0, &format!("{} %", story.article.position()), theme);
    if aside.height > 2 {
        let inside = draw::pane(buf, aside, "Before you sign", theme, false);
        let room = usize::from(inside.width);
        let lines = notes
            .into_iter()
            .flat_map(|(text, style)| words::wrap(&text, room).into_iter().map(move |line| Line::styled(line, style)));
        draw::lines(buf, inside, lines);
    }
}

type Note = (String, ratatui::style::Style);

/// What is open, what the editor decided, how the run stands.
fn notes(journal: &Journal, theme: &Theme) -> Vec<Note> {
    let mut notes: Vec<Note> = Vec::new();
    if let Some(publication) = journal.publication() {
        match (publication.success, decisions::signed_by(journal)) {
            (true, Some(by)) => notes.push((format!("✓ signed off by {by}"), theme.good)),
            (true, None) => notes.push(("✓ passed; nobody has signed it".into(), theme.warn)),
            (false, _) => notes.push((format!("✗ {}", report::error(journal).unwrap_or_default()), theme.bad)),
        }
        for flag in &publication.flags {
            notes.push((format!("! flagged: {}", flag.words()), theme.warn));
        }
    }
    let round =
        if journal.publication().is_some() { report::kept_round(journal).unwrap_or(0) } else { journal.rounds() };
    let open = report::open_concerns(journal, round);
    if open.is_empty() {
        notes.push(("No concern is open.".into(), theme.good));
    } else {
        notes.push((format!("{} open:", words::count(open.len(), "concern")), theme.warn));
        for concern in &open {
            notes.push((format!("  {}. {}", concern.concern_id, sanitise::one_line(&concern.review_note)), theme.text));
        }
    }
    if let Some(draft) = journal.draft(round) {
        for undone in &draft.undone {
            notes.push((format!("! left undone: {}", sanitise::one_line(undone)), theme.warn));
        }
        for stripped in &draft.stripped {
            notes.push((format!("! taken out: {}", sanitise::one_line(stripped)), theme.warn));
        }
    }
    notes.extend(decided(journal, theme));
    notes
}

/// What the editor changed in every round.
fn decided(journal: &Journal, theme: &Theme) -> Vec<Note> {
    let mut notes = Vec::new();
    for round in 1..=decisions::max_rounds(journal) {
        let verdicts = journal.verdicts(round);
        for decided in decisions::standing(journal, round) {
            let by = &decided.decision.by;
            let said = match &decided.decision.choice {
                Choice::Override { concern, status, reason, .. } => {
                    let before = verdicts.iter().find(|verdict| verdict.concern_id == *concern);
                    let before = before.map_or("no verdict", |verdict| verdict.status.name());
                    format!("concern {concern}: {before} overruled, {} ({reason})", status.name())
                }
                Choice::Feedback { text } => format!("to-dos: {}", sanitise::one_line(text)),
                Choice::Edit { .. } => "the draft edited by hand".to_owned(),
                Choice::AnotherRound => "one more round".to_owned(),
                Choice::Stet { reason } => {
                    let open = verdicts.iter().filter(|verdict| verdict.status != Status::Keep).count();
                    format!("stet over {}: {reason}", words::count(open, "verdict"))
                }
                Choice::Spike { reason } => format!("spiked: {reason}"),
                Choice::SendBack { text } => format!("sent back: {}", sanitise::one_line(text)),
                Choice::SignOff { .. } => "signed off".to_owned(),
                Choice::Continue | Choice::Undo { .. } => continue,
            };
            if notes.is_empty() {
                notes.push((String::new(), theme.text));
                notes.push(("What the editor decided:".into(), theme.heading));
            }
            notes.push((format!("  round {round}, {by}: {said}"), theme.text));
        }
    }
    notes
}
