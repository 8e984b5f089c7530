//! The actions that are possible now, with their keys, as the views show them. Plain data.

use crate::app::actions::Action;

/// Something that can be done, with its keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hint {
    pub action: Action,
    /// The keys, such as `ctrl-p`.
    pub keys: String,
    pub title: String,
    /// Why it cannot be used now.
    pub off: Option<String>,
}

/// One action of the `?` page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HelpLine {
    /// Rows of a group follow each other.
    pub group: String,
    /// Empty if it has none.
    pub keys: String,
    pub title: String,
    pub sentence: String,
}

/// One action of the palette.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaletteLine {
    pub title: String,
    /// Its keys.
    pub keys: String,
    /// The characters of the title that fit what is typed, as places.
    pub matched: Vec<u32>,
    /// The other word for it that was typed.
    pub also: Option<&'static str>,
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
    pub help: Vec<HelpLine>,
    /// The actions on the page below the help.
    pub help_here: Vec<Hint>,
    /// The rows of the palette that fit its query, in order.
    pub palette: Vec<PaletteLine>,
}
