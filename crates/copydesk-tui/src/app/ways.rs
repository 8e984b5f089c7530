//! The actions that are possible now, with their keys, as the views show them. Plain data.

use crate::app::{Action, ActionRow};

/// Something that can be done, with its keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hint {
    pub action: Action,
    /// The keys, such as `ctrl-p`.
    pub keys: String,
    pub title: String,
}

/// One action of the `?` page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HelpRow {
    pub row: &'static ActionRow,
    /// The keys that work in the context; empty if the configuration removed them (the palette still finds the action).
    pub keys: String,
}

/// An action that fits what is typed into the palette.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaletteHit {
    pub row: &'static ActionRow,
    /// The matching characters of the title, in order. Empty if it is found by its name or by another word.
    pub matched: Vec<u32>,
    /// The other word for it that fits, if that is why it is found.
    pub also: Option<&'static str>,
}

/// One action of the palette.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaletteRow {
    pub hit: PaletteHit,
    /// Its title now.
    pub title: &'static str,
    /// Its keys.
    pub keys: String,
    /// Why it cannot be used now.
    pub off: Option<String>,
}

/// The actions that are possible now. Views get their keys from here.
#[derive(Debug, Clone, Default)]
pub struct Ways {
    /// The most useful first. The last two (help and back) are never left out.
    pub hints: Vec<Hint>,
    /// The ways to begin a story, for an empty desk: sample, file, paste, form.
    pub begin: Vec<Hint>,
    /// The rows of the `?` page.
    pub help: Vec<HelpRow>,
    /// The actions on the page below the help.
    pub help_here: Vec<Hint>,
    /// The actions of that page that cannot be used now.
    pub help_off: Vec<Hint>,
    /// The rows of the palette that fit its query, in order.
    pub palette: Vec<PaletteRow>,
}
