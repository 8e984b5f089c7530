//! The file browser: a typed path, the folder that it leads to, and the files that were marked.

use std::path::PathBuf;

use crate::app::ticket::Ticket;

/// An entry of a folder that a story can begin with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderEntry {
    pub name: String,
    pub is_folder: bool,
    /// The kind of the entry, in words.
    pub what: String,
}

/// The entries of a folder, or why it cannot be read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FolderListing {
    /// The folder as it was typed, with its last slash; empty for the one in which the program was started.
    pub folder: String,
    pub entries: Vec<FolderEntry>,
    /// Why it cannot be read.
    pub trouble: Option<String>,
}

/// The result of Enter or Tab.
#[derive(Debug, Clone, PartialEq, Eq)]
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
}

impl FileBrowser {
    /// The folder of what is typed, with its last slash.
    #[must_use]
    pub fn folder(&self) -> &str {
        self.typed.rfind('/').map_or("", |at| self.typed.get(..=at).unwrap_or_default())
    }

    /// The typed part of a name in the folder.
    fn name(&self) -> &str {
        self.typed.get(self.folder().len()..).unwrap_or_default()
    }

    /// The entries that match what is typed; those that begin with it first.
    #[must_use]
    pub fn shown(&self) -> Vec<&FolderEntry> {
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
    #[must_use]
    pub fn path(&self, entry: &FolderEntry) -> String {
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

    fn enter(&mut self, path: &str) -> Chosen {
        self.typed = format!("{path}/");
        self.retyped();
        Chosen::Into(self.typed.clone())
    }

    /// Tab: completes to a folder, or marks a file and goes on to the next.
    pub fn mark(&mut self) -> Chosen {
        let Some(entry) = self.shown().get(self.selected).map(|entry| (*entry).clone()) else { return Chosen::Nothing };
        let path = self.path(&entry);
        if entry.is_folder {
            return self.enter(&path);
        }
        match self.marked.iter().position(|marked| *marked == path) {
            Some(place) => drop(self.marked.remove(place)),
            None => self.marked.push(path),
        }
        self.typed.truncate(self.folder().len());
        let next = self.shown().iter().position(|shown| shown.name == entry.name).map_or(0, |place| place + 1);
        self.selected = next.min(self.shown().len().saturating_sub(1));
        Chosen::Nothing
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
            Some((path, true)) => self.enter(&path),
            Some((path, false)) => Chosen::Open(vec![path]),
            None => Chosen::Nothing,
        }
    }
}

/// Expands `~`.
#[must_use]
pub fn expanded(path: &str) -> PathBuf {
    let rest = path.strip_prefix("~/");
    match (rest, directories::UserDirs::new()) {
        (Some(rest), Some(folders)) => folders.home_dir().join(rest),
        _ => PathBuf::from(path),
    }
}
