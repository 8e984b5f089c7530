//! The keys that the tests of the screen press, in one place: they follow the table of actions (docs/KEYS.md).

pub const LIVE: &str = "1";
pub const CONCERNS: &str = "2";
pub const CHANGES: &str = "3";
pub const ARTICLE: &str = "4";
pub const CALLS: &str = "5";
pub const LOG: &str = "6";
pub const RUNS: &str = "7";

pub const NEXT: &str = "down";
pub const OVERRIDE: &str = "o";
/// In the dialog of an override: from where it opens to KEEP, then to the reason.
pub const KEEP_THEN_REASON: &str = "k tab";
pub const FEEDBACK: &str = "f";
pub const EDIT: &str = "e";
pub const CONTINUE: &str = "c";
pub const SIGN_OFF: &str = "S";
pub const UNDO: &str = "z";
pub const HELP: &str = "?";
pub const PALETTE: &str = "ctrl-p";
/// Saves what is typed in an editor of several lines.
pub const SAVE: &str = "ctrl-s";
/// Says yes where the screen asks.
pub const YES: &str = "enter";
pub const QUIT: &str = "q";
