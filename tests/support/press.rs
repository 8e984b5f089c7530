//! The keys that the tests of the screen press, in one place: they follow the table of actions (docs/KEYS.md).

use std::time::Instant;

use super::terminal::{DEADLINE, Terminal};

pub const LIVE: &str = "1";
pub const CONCERNS: &str = "2";
pub const CHANGES: &str = "3";
pub const ARTICLE: &str = "4";
pub const CALLS: &str = "5";
pub const LOG: &str = "6";
pub const RUNS: &str = "7";
pub const PROOF: &str = "8";
pub const CLAIMS: &str = "9";
pub const SOURCES: &str = "0";
pub const ADD_SOURCE: &str = "n";
pub const REMOVE_SOURCE: &str = "D";
pub const SEND_REPORTER: &str = "I";
pub const ASK: &str = "Q";

pub const NEXT: &str = "down";
pub const NEXT_FINDING: &str = "J";
pub const PREVIOUS_FINDING: &str = "K";
pub const OVERRIDE: &str = "o";
/// In the form of an override, which opens with the opposite of the verdict: on to the reason.
pub const TO_REASON: &str = "tab";
/// On the Proof page.
pub const ACCEPT: &str = "o";
pub const LISTEN: &str = "v";
pub const ADD_WORD: &str = "n";
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
pub const OPEN: &str = "enter";
pub const RESUME: &str = "r";
pub const REOPEN: &str = "R";
pub const FORK: &str = "F";
pub const PAUSE: &str = "p";
pub const STOP: &str = "x";
pub const RAISE: &str = "+";
pub const LOWER: &str = "-";
pub const SEARCH: &str = "/";
pub const COPY_ARTICLE: &str = "Y";
pub const SAVE_MARKDOWN: &str = "ctrl-s";
pub const SAVE_HTML: &str = "H";
pub const DELETE: &str = "D";
pub const BACK_UP: &str = "B";
pub const MOUSE: &str = "m";
pub const THEME: &str = "t";
pub const NEW_FROM_FILE: &str = "n";
pub const NEW_FROM_TEXT: &str = "ctrl-v";
pub const NEW_BY_FORM: &str = "N";
pub const SAMPLE: &str = "Z";
pub const WAITING: &str = "w";
pub const WAITING_BEFORE: &str = "W";
pub const ACCEPT_FLAGS: &str = "T";
pub const FAILED_STEPS: &str = "U";
pub const DAY: &str = "#";
pub const DAY_BEFORE: &str = ",";
/// On the page of the failed steps.
pub const RETRY: &str = "r";
pub const DROP: &str = "x";
pub const SPIKE: &str = "X";
pub const NEXT_UNASKED: &str = "}";

impl Terminal {
    /// Leaves the screen where nothing is at work, and expects everything to be in order.
    #[track_caller]
    pub fn leave(&self) {
        let began = Instant::now();
        loop {
            self.keys(QUIT);
            let shot = self.wait_until("the end, or a question", |shot| self.has_closed() || shot.contains("Quit?"));
            if self.has_closed() {
                break;
            }
            // The last files of a story that has just come to its gate are still being written.
            assert!(began.elapsed() < DEADLINE, "it asks and asks\n{}", shot.text());
            self.keys("esc").wait_gone("Quit?");
        }
        assert_eq!(self.exit_code(), 0);
        assert_eq!(self.left_behind(), Vec::<String>::new());
    }
}
