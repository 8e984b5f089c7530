//! The line below the comparison: which change this is, who asked for it, how many have no request.

use ratatui::prelude::{Line, Span, Style};

use crate::widgets::words::{fit, width as columns};
use crate::widgets::{DiffState, Theme};
use copydesk_core::editorial::changes::{Change, ChangeKind, ChangeReason, Comparison};
use copydesk_text::{count, sanitise};

/// Fewest columns in which a reason says anything.
const SHORTEST_REASON: usize = 8;

/// The status line, cut to `width` columns: the reason first, then the count in a word, never which change it is.
pub(crate) fn line(comparison: &Comparison, state: &DiffState, width: usize, theme: &Theme) -> Line<'static> {
    let Some(change) = comparison.changes.get(state.selected) else {
        let text = match comparison.changes.len() {
            0 => "No changes".to_owned(),
            count => format!("{count} changes"),
        };
        return Line::styled(fit(&text, width), theme.dim);
    };
    let mark = if state.accepted.contains(&state.selected) { "✓ " } else { "" };
    let which = format!("{mark}Change {} of {}", state.selected + 1, comparison.changes.len());
    let (reason, style) = reason(comparison, change, theme);
    let unasked = comparison.unasked();
    // In a narrow pane the reason needs the room.
    let counted = (unasked > 0).then(|| match width {
        ..72 => format!("{unasked} not asked for"),
        _ => format!("{} nobody asked for", count(unasked, "change")),
    });
    let taken = columns(&which) + 3 + counted.as_ref().map_or(0, |text| columns(text) + 3);
    let room = width.saturating_sub(taken);
    let mut spans = vec![Span::styled(fit(&which, width), theme.text)];
    if room >= SHORTEST_REASON.min(columns(&reason)) {
        spans.push(Span::styled(" · ", theme.dim));
        spans.push(Span::styled(fit(&reason, room), style));
    }
    if let Some(counted) = counted {
        let so_far: usize = spans.iter().map(Span::width).sum();
        let room = width.saturating_sub(so_far + 3);
        if room > 0 {
            spans.push(Span::styled(" · ", theme.dim));
            spans.push(Span::styled(fit(&counted, room), theme.bad));
        }
    }
    Line::from(spans)
}

fn reason(comparison: &Comparison, change: &Change, theme: &Theme) -> (String, Style) {
    let moved = if change.kind == ChangeKind::Moved { "moved, " } else { "" };
    match (change.why, comparison.asked_for(change)) {
        (ChangeReason::ByHand, _) => (format!("{moved}by hand: the editor's own"), theme.accent),
        (ChangeReason::Asked(_), Some(asked)) => {
            (sanitise::one_line(&format!("{moved}asked by: {}: {}", asked.label, asked.to_do)), theme.text)
        }
        (ChangeReason::Citation, _) => ("a citation of a verdict".to_owned(), theme.dim),
        _ => (format!("{moved}nobody asked for this"), theme.bad),
    }
}
