//! Draws the failed steps: the list, and the attempts of the selected one.

use jiff::Timestamp;
use ratatui::{buffer::Buffer, layout::Rect, style::Style};

use crate::{
    app::actions::Action,
    screens::failed_steps::model::FailedStepsPage,
    widgets::{
        columns::{Column, Table},
        draw,
        list_and_text::ListStage,
        said::{capital, step_words},
        theme::Theme,
        words,
    },
};
use copydesk_core::desk::FailedStep;
use copydesk_text::sanitise;

pub fn page(page: &mut FailedStepsPage, now: Timestamp, area: Rect, buf: &mut Buffer, theme: &Theme) {
    draw::clear(buf, area);
    let inner = draw::margins(draw::pane(buf, area, Action::ShowFailedSteps.title(), theme, true));
    let all = page.failed_steps().len();
    if all == 0 {
        draw::said(buf, inner, "No failed steps: each was tried again or dropped.", theme);
        return;
    }
    let columns = [
        Column::text("Story", 18, 36, 0),
        Column::text("Step", 20, 36, 0),
        Column::number("Age", 6, 0),
        Column::number("Retries", 8, 1),
        Column::text("Why", 13, 200, 2),
    ];
    let FailedStepsPage { failed_steps, list, .. } = page;
    let cells = |place: usize, table: &Table<'_>| {
        let name = table.width(0).map_or(0, usize::from);
        failed_steps.get(place).map(|failed| cells(failed, name, now, theme))
    };
    let (below, position) = list.view_list(all, &columns, cells, inner, buf, theme);
    let title = format!("Failed step {} of {all}", list.selected + 1);
    let at_text = draw::rule(buf, below, &title, theme, list.stage == ListStage::Text);
    list.page.view(at_text, buf, theme);
    draw::on_frame(buf, area, true, 0, &words::dotted([&*position, &draw::place_in(&list.page)]), theme);
}

fn cells(failed: &FailedStep, name: usize, now: Timestamp, theme: &Theme) -> [(String, Style); 5] {
    [
        (words::fit_name(&failed.story.to_string(), name), theme.text),
        (capital(&step_words(failed.step)), theme.text),
        (words::age(&failed.since, now), theme.dim),
        (failed.redeliveries.to_string(), theme.dim),
        (sanitise::excerpt(&failed.error, 300), theme.bad),
    ]
}
