//! The file browser: a typed path, the folder that it leads to, and the files that were marked.

use crossterm::event::KeyEvent;
use ratatui::prelude::{Buffer, Line, Position, Rect};

use crate::app::{
    Action, Beginning, Effect, FolderEntry, FolderListing, KeyContext, Model, News, Overlay, Reaction, Request, Scene,
    Ticket, Trouble, Ways, listed,
};
use crate::screens::forms::model::expanded;
use crate::widgets::field::type_into;
use crate::widgets::{Column, Table, Theme, draw, words};
use copydesk_text::sanitise;

/// The result of Enter.
pub enum Chosen {
    /// Another folder is shown.
    Into(String),
    /// Stories begin with these paths, as they were typed.
    Open(Vec<String>),
    Nothing,
}

#[derive(Debug, Clone, Default)]
pub struct FileBrowser {
    pub typed: String,
    pub listing: Option<FolderListing>,
    pub selected: usize,
    pub top: usize,
    /// Whether the selection was moved since the last key that typed.
    pub moved: bool,
    /// Paths that were marked, as they would be typed.
    pub marked: Vec<String>,
    pub problem: Option<String>,
    pub sent: Option<Ticket>,
    /// The area of the entries in the last frame, for the mouse.
    pub rows: Rect,
}

impl FileBrowser {
    /// The folder of what is typed, with its last slash.
    pub(crate) fn folder(&self) -> &str {
        self.typed.rfind('/').map_or("", |at| self.typed.get(..=at).unwrap_or_default())
    }

    /// The typed part of a name in the folder.
    fn name(&self) -> &str {
        self.typed.get(self.folder().len()..).unwrap_or_default()
    }

    /// The entries that match what is typed; those that begin with it first.
    pub(crate) fn shown(&self) -> Vec<&FolderEntry> {
        let Some(listing) = self.listing.as_ref().filter(|listing| listing.folder == self.folder()) else {
            return Vec::new();
        };
        let wanted = self.name().to_lowercase();
        let has = |entry: &&FolderEntry| entry.name.to_lowercase().contains(&wanted);
        let visible = |entry: &&FolderEntry| wanted.starts_with('.') || !entry.name.starts_with('.');
        let mut found: Vec<&FolderEntry> = listing.entries.iter().filter(has).filter(visible).collect();
        found.sort_by_key(|entry| !entry.name.to_lowercase().starts_with(&wanted));
        found
    }

    /// An entry's path, as it would be typed.
    pub(crate) fn path(&self, entry: &FolderEntry) -> String {
        format!("{}{}", self.folder(), entry.name)
    }

    pub fn select(&mut self, by: isize) {
        self.moved = true;
        self.selected = self.selected.saturating_add_signed(by).min(self.shown().len().saturating_sub(1));
    }

    /// The typed text has changed.
    pub fn retyped(&mut self) {
        (self.selected, self.moved, self.problem) = (0, false, None);
    }

    /// The typed text changes. If the path then leads to another folder, asks for that folder's list.
    fn retype(&mut self, change: impl FnOnce(&mut String)) -> Reaction {
        if self.sent.is_some() {
            return Reaction::CHANGED;
        }
        let before = self.folder().to_owned();
        change(&mut self.typed);
        self.retyped();
        if self.folder() == before { Reaction::CHANGED } else { Reaction::Done(vec![list_folder(self.folder())]) }
    }

    /// Tab: completes to a folder, or marks a file and goes on to the next.
    fn mark(&mut self) -> Reaction {
        let Some(entry) = self.shown().get(self.selected).map(|entry| (*entry).clone()) else {
            return Reaction::CHANGED;
        };
        let path = self.path(&entry);
        if entry.is_folder {
            return self.retype(|typed| *typed = format!("{path}/"));
        }
        match self.marked.iter().position(|marked| *marked == path) {
            Some(place) => drop(self.marked.remove(place)),
            None => self.marked.push(path),
        }
        self.typed.truncate(self.folder().len());
        let next = self.shown().iter().position(|shown| shown.name == entry.name).map_or(0, |place| place + 1);
        self.selected = next.min(self.shown().len().saturating_sub(1));
        Reaction::CHANGED
    }

    /// Enter: the marked files; else what is typed, if it is a whole name, also that of a folder; else the selected entry.
    pub fn choose(&mut self) -> Chosen {
        if !self.marked.is_empty() {
            return Chosen::Open(self.marked.clone());
        }
        let shown = self.shown();
        let exact = !self.name().is_empty() && shown.iter().any(|entry| entry.name == self.name());
        let typed = !self.typed.is_empty() && !self.moved && (exact || shown.is_empty());
        if typed {
            return Chosen::Open(vec![self.typed.clone()]);
        }
        match shown.get(self.selected).map(|entry| (self.path(entry), entry.is_folder)) {
            Some((path, true)) => {
                self.typed = format!("{path}/");
                self.retyped();
                Chosen::Into(self.typed.clone())
            }
            Some((path, false)) => Chosen::Open(vec![path]),
            None => Chosen::Nothing,
        }
    }
}

impl Overlay for FileBrowser {
    fn keys(&self) -> (KeyContext, &'static [Action]) {
        (KeyContext::Input, listed![Confirm NextPane Cancel])
    }

    fn titles(&self) -> Vec<(Action, String)> {
        vec![(Action::Confirm, "Open".into()), (Action::NextPane, "Mark".into()), (Action::Cancel, "Close".into())]
    }

    fn act(&mut self, action: Action, _: &Scene<'_>) -> Reaction {
        match action {
            Action::Confirm | Action::Save => Reaction::Then(confirm),
            Action::NextPane => self.mark(),
            // Back to an empty line, and to the folder in which the program was started.
            Action::UndoTyping | Action::SelectAll => self.retype(String::clear),
            _ => Reaction::Ignored,
        }
    }

    fn move_by(&mut self, by: isize, _: &Scene<'_>) -> Reaction {
        self.select(by);
        Reaction::CHANGED
    }

    fn type_key(&mut self, event: KeyEvent) -> Reaction {
        self.retype(|typed| type_into(typed, event))
    }

    fn paste(&mut self, text: &str) -> Reaction {
        // Terminals put quotation marks around the name of a file that is dropped on them.
        self.retype(|typed| typed.push_str(sanitise::excerpt(text, 4096).trim().trim_matches(['\'', '"'])))
    }

    /// The first click selects an entry, the second opens it.
    fn click(&mut self, at: Position) -> Option<Action> {
        let wanted = draw::entry_at(at, self.rows, self.top, self.shown().len())?;
        if wanted == self.selected {
            return Some(Action::Confirm);
        }
        (self.selected, self.moved) = (wanted, true);
        None
    }

    fn hear(&mut self, news: &News, _: &Scene<'_>) -> Reaction {
        if let News::Folder(listing) = news
            && self.folder() == listing.folder
        {
            self.listing = Some(listing.clone());
        }
        Reaction::Ignored
    }

    fn view(&mut self, scene: &Scene<'_>, _: &Ways, area: Rect, buf: &mut Buffer) {
        self.rows = files(self, area, buf, &scene.theme);
    }
}

/// Opens the browser on the folder in which the program was started.
pub fn show(model: &mut Model) {
    model.lay_over_and_ask(FileBrowser::default(), Request::ListFolder(String::new()));
}

fn list_folder(folder: &str) -> Effect {
    Effect::Ask(Request::ListFolder(folder.to_owned()))
}

fn confirm(model: &mut Model) {
    let Some(files) = model.on_top_mut::<FileBrowser>().filter(|files| files.sent.is_none()) else { return };
    match files.choose() {
        Chosen::Into(folder) => model.ask(Request::ListFolder(folder)),
        Chosen::Open(paths) => {
            let ticket = model.ticket();
            if let Some(files) = model.on_top_mut::<FileBrowser>() {
                files.sent = Some(ticket);
            }
            // The new story opens, unless the person goes elsewhere first.
            model.next.ticket = Some(ticket);
            let paths = paths.iter().map(|path| expanded(path)).collect();
            model.ask_for(ticket, Request::Begin(Beginning::Files(paths)));
        }
        Chosen::Nothing => {
            files.problem = Some("type a path, or choose a file".into());
        }
    }
}

/// The stories have begun, or cannot: the browser closes, or shows the problem. False if it did not ask.
pub(crate) fn answered(model: &mut Model, ticket: Ticket, result: &Result<(), Trouble>) -> bool {
    let asked = |overlay: &dyn Overlay| overlay.page::<FileBrowser>().is_some_and(|files| files.sent == Some(ticket));
    let Some(place) = model.overlays.iter().position(|overlay| asked(&**overlay)) else { return false };
    match result {
        Ok(()) => drop(model.overlays.remove(place)),
        Err(problem) => {
            if let Some(files) = model.laid_mut::<FileBrowser>() {
                (files.sent, files.problem) = (None, Some(problem.to_string()));
            }
        }
    }
    true
}

/// Rows below which the explanation gives way to the list.
const EXPLAINED_FROM: u16 = 12;

/// Returns the area of the entries.
fn files(files: &mut FileBrowser, area: Rect, buf: &mut Buffer, theme: &Theme) -> Rect {
    let inner = draw::cover(buf, area, Action::NewFromFile.title(), theme);
    let room = usize::from(inner.width);
    let mut rest = inner;
    if area.height >= EXPLAINED_FROM {
        let about = "Type a path or choose: a topic (.json), a folder of topics, or a document. Tab marks several documents as \
                     sources of one story. ~ is your home folder.";
        rest = draw::lines(buf, rest, words::wrap(about, room).into_iter().map(Line::raw));
    }
    let (row, rest) = draw::top(rest, 1);
    draw::typed(buf, row, &sanitise::one_line(&files.typed), theme);
    let mut foot: Vec<Line<'_>> = Vec::new();
    if !files.marked.is_empty() {
        let marked = sanitise::one_line(&format!("Marked: {}", files.marked.join(", ")));
        foot.extend(words::wrap_to(&marked, room, 2).into_iter().map(|line| Line::styled(line, theme.accent)));
    }
    if let Some(problem) = &files.problem {
        let said = words::sentence(problem.clone());
        foot.extend(words::wrap_to(&said, room, 4).into_iter().map(|line| Line::styled(line, theme.bad)));
    }
    if files.sent.is_some() {
        foot.push(Line::styled("Reading…", theme.running));
    }
    let (rows, at_foot) = draw::bottom(rest, u16::try_from(foot.len()).unwrap_or(u16::MAX));
    draw::lines(buf, at_foot, foot);
    let shown: Vec<(String, String, bool)> = files
        .shown()
        .into_iter()
        .map(|entry| {
            let slash = if entry.is_folder { "/" } else { "" };
            let name = format!("{}{slash}", sanitise::one_line(&entry.name));
            (name, entry.what.clone(), files.marked.contains(&files.path(entry)))
        })
        .collect();
    if shown.is_empty() {
        let listing = files.listing.as_ref().filter(|listing| listing.folder == files.folder());
        let said = match listing {
            None => "Reading the folder…".to_owned(),
            Some(listing) => listing.trouble.clone().unwrap_or_else(|| {
                if listing.entries.is_empty() {
                    "Nothing here that Copydesk can read.".to_owned()
                } else {
                    "No file here has that name.".to_owned()
                }
            }),
        };
        draw::said(buf, rows, &said, theme);
        return Rect::ZERO;
    }
    let height = usize::from(rows.height);
    files.top = draw::in_sight(files.top, files.selected, height, shown.len());
    draw::on_frame(buf, area, true, 0, &draw::position(files.top, height, shown.len()), theme);
    let columns = [Column::text("", 1, 1, 0), Column::text("Name", 24, 100, 0), Column::text("Kind", 12, 26, 1)];
    let table = Table::new(&columns, rows.width);
    for ((place, (name, what, marked)), row) in shown.iter().enumerate().skip(files.top).zip(rows.rows()) {
        let mark = if *marked { "●" } else { "" };
        let cells = [(mark.to_owned(), theme.accent), (name.clone(), theme.text), (what.clone(), theme.dim)];
        table.row(buf, row, &cells, place == files.selected, theme);
    }
    rows
}

#[cfg(test)]
mod tests;
