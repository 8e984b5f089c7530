//! The footer: the keys that work here, or the latest message.

use ratatui::prelude::{Line, Rect, Span, Style};

use crate::app::{Action, Hint, Model, Tone};
use crate::widgets::{Theme, words};
use copydesk_text::sanitise;

impl Hint {
    fn width(&self) -> usize {
        words::width(&self.keys) + 1 + words::width(&self.title)
    }
}

/// Hints at the end of the list that are never left out: the way to all keys, and the way back.
const KEPT: usize = 2;

/// The hints in one line, or in two if one is not enough and the window is high. The last two hints are always
/// shown.
pub fn lines(hints: &[Hint], area: Rect, theme: &Theme) -> Vec<Line<'static>> {
    let line = |line: &Vec<&Hint>| {
        let mut spans: Vec<Span<'static>> = Vec::new();
        for hint in line {
            if !spans.is_empty() {
                spans.push(Span::raw(" ".repeat(GAP)));
            }
            spans.push(Span::styled(hint.keys.clone(), theme.accent));
            spans.push(Span::raw(format!(" {}", hint.title)));
        }
        Line::from(spans)
    };
    placed(hints, area).iter().map(line).collect()
}

/// Where each hint stands, for the mouse, if the footer's lines begin at `foot`.
pub fn spots(hints: &[Hint], area: Rect, foot: Rect) -> Vec<(Rect, Action)> {
    let mut spots = Vec::new();
    for (line, row) in placed(hints, area).iter().zip(foot.rows()) {
        let mut x = row.x;
        for hint in line {
            let width = u16::try_from(hint.width()).unwrap_or(u16::MAX);
            spots.push((Rect { x, width, ..row }.intersection(row), hint.action));
            x = x.saturating_add(width).saturating_add(u16::try_from(GAP).unwrap_or(0));
        }
    }
    spots
}

/// Columns between two hints.
const GAP: usize = 3;

/// The hints of each line. The last two are never left out.
fn placed(hints: &[Hint], area: Rect) -> Vec<Vec<&Hint>> {
    let (others, last) = hints.split_at(hints.len().saturating_sub(KEPT));
    let (width, rows) = (usize::from(area.width), if area.height >= 20 { 2 } else { 1 });
    let mut placed: Vec<(Vec<&Hint>, usize)> = Vec::new();
    let needed: usize = last.iter().map(|hint| GAP + hint.width()).sum();
    for (place, hint) in hints.iter().enumerate() {
        let is_last = place >= others.len();
        // In the last row there must be room for the last hints.
        let kept = |row: usize| if row + 1 == rows && !is_last { needed } else { 0 };
        let row = placed.len();
        match placed.last_mut() {
            Some((line, used)) if *used + GAP + hint.width() + kept(row - 1) <= width => {
                line.push(hint);
                *used += GAP + hint.width();
            }
            _ if row < rows && (is_last || hint.width() + kept(row) <= width) => {
                placed.push((vec![hint], hint.width()));
            }
            // The others are left out; the last ones are still to come.
            _ => {}
        }
    }
    placed.into_iter().map(|(hints, _)| hints).collect()
}

/// The mark and the style of a message.
pub fn mark_and_style(tone: Tone, theme: &Theme) -> (&'static str, Style) {
    match tone {
        Tone::Done => ("✓ ", theme.good),
        Tone::Trouble => ("✗ ", theme.bad),
    }
}

/// The work beside the stories that takes long, in a line.
pub fn work(model: &Model, width: u16) -> Vec<Line<'static>> {
    let said = model.under_way.line(model.now).map(|said| words::fit(&format!("▸ {said}"), usize::from(width)));
    said.map(|said| Line::styled(said, model.theme.running)).into_iter().collect()
}

/// The latest message, in one or two lines, and the number of other messages since the last key.
pub fn notice(model: &Model, width: u16) -> Vec<Line<'static>> {
    let Some(notice) = &model.notice else { return Vec::new() };
    let (mark, style) = mark_and_style(notice.tone, &model.theme);
    let others = match notice.others {
        0 => String::new(),
        others => format!(" (+{others}, see {})", Action::ShowNotices.title()),
    };
    let room = usize::from(width).saturating_sub(words::width(mark));
    let text = sanitise::one_line(&notice.text);
    let whole = words::wrap(&format!("{text}{others}"), room);
    // If a message is cut, what follows it is not.
    let said = if whole.len() <= 2 {
        whole
    } else {
        let mut said = words::wrap_to(&text, room, 2);
        if let Some(last) = said.last_mut() {
            let cut =
                words::fit(&format!("{}…", last.trim_end_matches('…')), room.saturating_sub(words::width(&others)));
            *last = format!("{cut}{others}");
        }
        said
    };
    said.into_iter()
        .enumerate()
        .map(|(row, text)| Line::styled(format!("{}{text}", if row == 0 { mark } else { "  " }), style))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::widgets::theme::ThemeName;

    fn said(hints: &[(&str, &str)], width: u16, height: u16) -> Vec<String> {
        let hints: Vec<Hint> = hints
            .iter()
            .map(|(keys, title)| Hint { action: Action::Open, keys: (*keys).to_owned(), title: (*title).to_owned() })
            .collect();
        let area = Rect::new(0, 0, width, height);
        lines(&hints, area, &Theme::named(ThemeName::Dark)).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn what_is_most_useful_stands_first_and_the_last_two_hints_always() {
        let hints = [("enter", "open"), ("n", "new"), ("x", "stop"), ("?", "keys"), ("esc", "back")];
        assert_eq!(said(&hints, 60, 15), ["enter open   n new   x stop   ? keys   esc back"]);
        assert_eq!(said(&hints, 40, 15), ["enter open   n new   ? keys   esc back"]);
        assert_eq!(said(&hints, 32, 15), ["enter open   ? keys   esc back"]);
        assert_eq!(said(&hints, 22, 15), ["? keys   esc back"]);
        assert_eq!(said(&hints, 26, 24), ["enter open   n new", "x stop   ? keys   esc back"]);
        assert_eq!(said(&hints, 30, 24), ["enter open   n new   x stop", "? keys   esc back"]);
        assert_eq!(said(&hints[2..3], 22, 24), ["x stop"]);
        assert_eq!(said(&[], 22, 24), Vec::<String>::new());
    }
}
