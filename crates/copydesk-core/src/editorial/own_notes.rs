//! The notes that editors write to themselves: to-dos that only they can do. Each is a comment, and so is the word that it is done, so that
//! the record keeps both, and nothing follows from either.

use crate::editorial::decisions;
use copydesk_newsroom::{Choice, Journal};
use copydesk_text::sanitise;

/// The place of a comment that is such a note.
const ABOUT: &str = "note to self";
/// The text of a comment that ticks a note off.
const DONE: &str = "done";
/// Most characters of a note: a comment quotes no more when it ticks it off.
const LONGEST: usize = 300;

/// The decision that keeps notes, one a line.
pub fn keeping(lines: &[String]) -> Choice {
    Choice::Comment { about: ABOUT.to_owned(), text: lines.join("\n") }
}

/// The decision that ticks a note off.
pub fn ticking_off(note: &str) -> Choice {
    Choice::Comment { about: note.to_owned(), text: DONE.to_owned() }
}

/// Whether a decision keeps notes.
pub fn keeps(choice: &Choice) -> bool {
    matches!(choice, Choice::Comment { about, .. } if about == ABOUT)
}

/// Whether a decision ticks a note off that an editor kept in this run.
pub fn ticks_off(journal: &Journal, choice: &Choice) -> bool {
    let Choice::Comment { about, text } = choice else { return false };
    let decided = (0..=decisions::max_rounds(journal)).flat_map(|round| decisions::standing(journal, round));
    let mut kept = decided.map(|decided| &decided.decision.choice).filter(|choice| keeps(choice));
    text == DONE
        && kept.any(|kept| matches!(kept, Choice::Comment { text, .. } if noted(text).any(|note| note == *about)))
}

/// The words of the notes that a decision keeps, or of the one that it ticks off.
pub fn said(choice: &Choice) -> String {
    match choice {
        Choice::Comment { text, .. } if keeps(choice) => noted(text).collect::<Vec<_>>().join(" / "),
        Choice::Comment { about, .. } => about.clone(),
        _ => String::new(),
    }
}

/// The notes of a decision that keeps them, as they are ticked off.
fn noted(text: &str) -> impl Iterator<Item = String> {
    decisions::lines(text).into_iter().map(|line| sanitise::excerpt(&line, LONGEST))
}

/// The notes that are not ticked off, oldest first.
pub fn open(journal: &Journal) -> Vec<String> {
    let mut open: Vec<String> = Vec::new();
    for decided in (0..=decisions::max_rounds(journal)).flat_map(|round| decisions::standing(journal, round)) {
        match &decided.decision.choice {
            Choice::Comment { about, text } if about == ABOUT => open.extend(noted(text)),
            Choice::Comment { about, text } if text == DONE => {
                if let Some(at) = open.iter().position(|note| note == about) {
                    open.remove(at);
                }
            }
            _ => {}
        }
    }
    open
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::testing::{at_gate, decide};

    #[test]
    fn a_note_stays_open_until_it_is_ticked_off_and_an_undone_tick_opens_it_again() {
        let mut journal = at_gate();
        assert_eq!(open(&journal), Vec::<String>::new());
        let lines = ["Make it livelier.".to_owned(), "Call the mayor.".to_owned()];
        decide(&mut journal, 1, keeping(&lines));
        assert!(keeps(&keeping(&lines)) && !keeps(&ticking_off(&lines[0])));
        assert_eq!(open(&journal), lines);
        // A comment on the draft is not a note to oneself.
        decide(&mut journal, 1, Choice::Comment { about: "an x".into(), text: "Sure?".into() });
        decide(&mut journal, 1, ticking_off(&lines[0]));
        assert_eq!(open(&journal), lines[1..]);
        decide(&mut journal, 1, Choice::Undo { number: 3 });
        assert_eq!(open(&journal), lines);
        decide(&mut journal, 1, ticking_off("Something else."));
        assert_eq!(open(&journal), lines);
        let words = |journal: &Journal| {
            let last = journal.decisions(1).pop().unwrap();
            crate::editorial::control_record::decision_in_words(journal, &last)
        };
        assert_eq!(words(&journal), "noted on “Something else.”: done", "it is no note of theirs");
        decide(&mut journal, 1, ticking_off(&lines[1]));
        assert_eq!(words(&journal), "ticked off the note: Call the mayor.");
        decide(&mut journal, 1, keeping(&["See her.".to_owned()]));
        assert_eq!(words(&journal), "kept a note to self: See her.");
    }
}
