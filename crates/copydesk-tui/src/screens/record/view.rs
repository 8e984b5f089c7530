//! Draws the record page: its sections, and below them the selected one.

use ratatui::{buffer::Buffer, layout::Rect, style::Style};

use crate::{
    app::actions::Action,
    screens::record::model::{StoryRecordPage, size},
    widgets::{
        columns::{Column, Table},
        draw,
        list_and_text::ListStage,
        theme::Theme,
        words,
    },
};
use copydesk_core::editorial::control_record::RecordSection;
use copydesk_text::sanitise;

pub fn page(page: &mut StoryRecordPage, area: Rect, buf: &mut Buffer, theme: &Theme) {
    draw::clear(buf, area);
    let story = sanitise::one_line(&page.story.to_string());
    let title = words::dotted([Action::ShowRecord.title(), &story]);
    let inner = draw::margins(draw::pane(buf, area, &title, theme, true));
    let columns =
        [Column::text("Section", 16, 24, 0), Column::text("Holds", 12, 14, 1), Column::text("Note", 12, 60, 0)];
    let StoryRecordPage { list, sections, .. } = page;
    let cells = |place: usize, _: &Table<'_>| sections.get(place).map(|section| cells(section, theme));
    let (below, position) = if sections.is_empty() {
        (inner, String::new())
    } else {
        list.view_list(sections.len(), &columns, cells, inner, buf, theme)
    };
    let title = sections.get(list.selected).map_or("Record", |section| section.name);
    let at_text = draw::rule(buf, below, title, theme, list.stage == ListStage::Text);
    list.page.view(at_text, buf, theme);
    draw::on_frame(buf, area, true, 0, &words::dotted([&*position, &draw::place_in(&list.page)]), theme);
}

fn cells(section: &RecordSection, theme: &Theme) -> [(String, Style); 3] {
    [
        (section.name.to_owned(), theme.text),
        (size(section), theme.dim),
        (section.warning.unwrap_or_default().to_owned(), theme.bad),
    ]
}
