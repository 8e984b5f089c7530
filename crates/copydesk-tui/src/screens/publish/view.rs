//! Draws the publish page: the targets, and below them the selected one with the article.

use ratatui::{buffer::Buffer, layout::Rect, style::Style};

use crate::{
    app::actions::Action,
    screens::publish::model::{PublishPage, state},
    widgets::{
        columns::{Column, Table},
        draw,
        list_and_text::ListStage,
        theme::Theme,
        words,
    },
};
use copydesk_core::desk::TargetStanding;
use copydesk_text::sanitise;

pub fn page(page: &mut PublishPage, area: Rect, buf: &mut Buffer, theme: &Theme) {
    draw::clear(buf, area);
    let story = sanitise::one_line(&page.story.to_string());
    let title = words::dotted([Action::ShowPublish.title(), &story, if page.sending { "sending…" } else { "" }]);
    let inner = draw::margins(draw::pane(buf, area, &title, theme, true));
    let columns = [
        Column::text("Target", 12, 24, 0),
        Column::text("Kind", 8, 8, 1),
        Column::text("Format", 8, 9, 2),
        Column::text("Now", 22, 22, 0),
        Column::text("Place", 16, 200, 1),
    ];
    let PublishPage { list, standing, .. } = page;
    let targets = standing.as_ref().map_or(&[][..], |standing| &standing.targets);
    let cells = |place: usize, _: &Table<'_>| targets.get(place).map(|target| cells(target, theme));
    let (below, position) = if targets.is_empty() {
        (inner, String::new())
    } else {
        list.view_list(targets.len(), &columns, cells, inner, buf, theme)
    };
    let title = targets.get(list.selected).map_or("Preview", |target| target.name.as_str());
    let at_text = draw::rule(buf, below, &sanitise::one_line(title), theme, list.stage == ListStage::Text);
    list.page.view(at_text, buf, theme);
    draw::on_frame(buf, area, true, 0, &words::dotted([&*position, &draw::place_in(&list.page)]), theme);
}

fn cells(target: &TargetStanding, theme: &Theme) -> [(String, Style); 5] {
    let (said, good) = state(target);
    let style = good.map_or(theme.text, |good| if good { theme.good } else { theme.bad });
    [
        (sanitise::excerpt(&target.name, 60), theme.text),
        (target.kind.name().to_owned(), theme.dim),
        (target.format.name().to_owned(), theme.dim),
        (said.to_owned(), style),
        (sanitise::excerpt(&target.place, 200), theme.dim),
    ]
}
