//! The memory: the list of earlier checks, which typing filters.

use crossterm::event::KeyEvent;
use ratatui::prelude::{Buffer, Rect, Style};

use crate::app::{Action, KeyContext, Model, News, Overlay, Reaction, Request, Scene, Ways, listed};
use crate::screens::memory::record::RecordPage;
use crate::widgets::field::type_into;
use crate::widgets::{Column, Table, Theme, draw, words};
use copydesk_core::ports::{Book, Remembered};
use copydesk_newsroom::Status;
use copydesk_text::sanitise;

#[derive(Debug, Clone, Default)]
pub struct MemoryList {
    /// Only records that contain each typed word are shown.
    pub query: String,
    /// Index among the shown records.
    pub selected: usize,
    pub top: usize,
    /// Older records are expired.
    pub since: Option<String>,
    pub unreadable: usize,
    /// All records; none until they are read.
    rows: Option<Vec<Remembered>>,
    shown: Vec<usize>,
}

impl MemoryList {
    pub fn new(since: Option<String>) -> Self {
        Self { since, ..Self::default() }
    }

    pub fn set(&mut self, book: Book) {
        self.unreadable = book.unreadable;
        self.rows = Some(book.records);
        self.arrange();
    }

    /// Takes the current state of the records with this key.
    pub fn refresh(&mut self, cache_key_hash: &str, book: &Book) {
        let rows = self.rows.iter_mut().flatten();
        for kept in rows.filter(|kept| kept.record.cache_key_hash() == cache_key_hash) {
            if let Some(now) = book.records.iter().find(|now| now.record == kept.record) {
                *kept = now.clone();
            }
        }
        self.arrange();
    }

    /// Filters again. The selected record stays selected while it is shown.
    pub fn arrange(&mut self) {
        let before = self.shown.get(self.selected).copied();
        let typed = self.query.to_lowercase();
        let rows = self.rows.as_deref().unwrap_or_default();
        let since = self.since.as_deref();
        let fits = |kept: &Remembered| {
            let text = words_of(kept, since);
            typed.split_whitespace().all(|word| text.contains(word))
        };
        self.shown = rows.iter().enumerate().filter(|(_, kept)| fits(kept)).map(|(place, _)| place).collect();
        let again = self.shown.iter().position(|place| Some(*place) == before);
        self.selected = again.unwrap_or(0);
    }

    pub fn shown(&self) -> impl Iterator<Item = &Remembered> {
        let rows = self.rows.as_deref().unwrap_or_default();
        self.shown.iter().filter_map(|place| rows.get(*place))
    }

    /// How many records are shown, and how many there are.
    pub fn count(&self) -> (usize, usize) {
        (self.shown.len(), self.rows.as_ref().map_or(0, Vec::len))
    }

    fn row(&self) -> Option<&Remembered> {
        self.shown().nth(self.selected)
    }
}

impl Overlay for MemoryList {
    fn keys(&self) -> (KeyContext, &'static [Action]) {
        (KeyContext::Input, listed![Confirm Cancel])
    }

    fn titles(&self) -> Vec<(Action, String)> {
        vec![(Action::Confirm, "Open".into()), (Action::Cancel, "Close".into())]
    }

    fn act(&mut self, action: Action, _: &Scene<'_>) -> Reaction {
        match self.row() {
            _ if !matches!(action, Action::Confirm | Action::Save) => Reaction::Ignored,
            Some(kept) => Reaction::open(RecordPage::listed(kept.clone(), self.since.clone())),
            None => Reaction::CHANGED,
        }
    }

    fn move_by(&mut self, by: isize, _: &Scene<'_>) -> Reaction {
        self.selected = self.selected.saturating_add_signed(by).min(self.shown.len().saturating_sub(1));
        Reaction::CHANGED
    }

    fn type_key(&mut self, event: KeyEvent) -> Reaction {
        type_into(&mut self.query, event);
        self.arrange();
        Reaction::CHANGED
    }

    fn paste(&mut self, text: &str) -> Reaction {
        self.query.push_str(&sanitise::excerpt(text, 100));
        self.arrange();
        Reaction::CHANGED
    }

    fn hear(&mut self, news: &News, _: &Scene<'_>) -> Reaction {
        match news {
            News::Memory(book) => self.set(book.clone()),
            News::Record(hash, book) => self.refresh(hash, book),
            _ => {}
        }
        Reaction::Ignored
    }

    fn view(&mut self, scene: &Scene<'_>, _: &Ways, area: Rect, buf: &mut Buffer) {
        let (list, theme) = (self, &scene.theme);
        let inner = draw::cover(buf, area, Action::ShowMemory.title(), theme);
        let (row, rest) = draw::top(inner, 1);
        draw::typed(buf, row, &list.query, theme);
        let (shown, all) = list.count();
        if shown == 0 {
            let said = match (list.rows.is_some(), all) {
                (false, _) => "Loading the memory…",
                (true, 0) => "The memory is empty. Fact checks and evidence searches fill it.",
                (true, _) => "No record matches what you typed.",
            };
            draw::said(buf, draw::below(rest, 1), said, theme);
            return;
        }
        let (head, rows) = draw::top(rest, 1);
        let room = usize::from(rows.height);
        list.top = draw::in_sight(list.top, list.selected, room, shown);
        let count = if shown == all {
            words::count(all, "record")
        } else {
            format!("{shown} of {}", words::count(all, "record"))
        };
        let place = draw::position(list.top, room, shown);
        draw::on_frame(buf, area, true, 0, &words::dotted([place.as_str(), &count, &unreadable(list)]), theme);
        let columns = [
            Column::text("Status", 9, 9, 0),
            Column::text("Verdict", 7, 7, 0),
            Column::text("Question", 20, 90, 0),
            Column::text("Story", 16, 36, 1),
            Column::text("Checked", 17, 17, 2),
            Column::text("Model", 10, 30, 3),
            Column::text("Agent", 16, 16, 4),
        ];
        let table = Table::new(&columns, rows.width);
        table.head(buf, head, theme);
        let since = list.since.as_deref();
        for ((place, kept), row) in list.shown().enumerate().skip(list.top).zip(rows.rows()) {
            table.row(buf, row, &cells(kept, since, theme), place == list.selected, theme);
        }
    }
}

pub(crate) fn show(model: &mut Model) {
    let list = MemoryList::new(model.memory_since());
    model.lay_over_and_ask(list, Request::ReadMemory);
}

/// The text that typed words are looked for in.
fn words_of(kept: &Remembered, since: Option<&str>) -> String {
    let record = &kept.record;
    [
        record.query(),
        record.article_id(),
        record.model_name(),
        record.verdict().status.name(),
        kept.state(since),
        &words::plain(record.specialist().name()),
        record.timestamp(),
        record.cache_key_hash(),
    ]
    .join(" ")
    .to_lowercase()
}

fn unreadable(list: &MemoryList) -> String {
    match list.unreadable {
        0 => String::new(),
        number => format!("{number} cannot be read"),
    }
}

fn cells(kept: &Remembered, since: Option<&str>, theme: &Theme) -> [(String, Style); 7] {
    let record = &kept.record;
    let state = kept.state(since);
    let style = if state == "offered" { theme.text } else { theme.dim };
    let status = record.verdict().status;
    let verdict = match status {
        Status::Keep => theme.good,
        Status::Rewrite | Status::Remove => theme.bad,
    };
    [
        (state.to_owned(), style),
        (status.name().to_owned(), verdict),
        (sanitise::excerpt(&record.query().replace('⟦', "“").replace('⟧', "”"), 200), style),
        (sanitise::excerpt(record.article_id(), 60), theme.dim),
        (words::day_and_time(record.timestamp()), theme.dim),
        (sanitise::excerpt(record.model_name(), 60), theme.dim),
        (words::plain(record.specialist().name()), theme.dim),
    ]
}
