//! Abbreviations that an article does not write out at first use (WCAG 3.1.4).

use std::ops::Range;

use super::reading::note;
use crate::editorial::listed::is_listed;
use copydesk_newsroom::{PublishingCheck, PublishingNote};
use copydesk_text::words::{Word, fold, is_stop_word, words};

/// Short forms that every reader knows, and what only looks like one.
const KNOWN: &str = "AIDS AM BBC CD CEO CIA CNN COVID DC DNA DVD EU FBI GMT GPS HIV HTML ID II III IRS IT IV LED MP \
    NASA NATO NBA NFL OK PC PDF PM SMS SUV TV UFO UK UN URL US USA VI WWII";

/// Fewest and most letters of an abbreviation.
const LETTERS: std::ops::RangeInclusive<usize> = 2..=6;

/// A note at the first place of each abbreviation that no place before explains.
pub(super) fn notes(body: &str) -> Vec<PublishingNote> {
    let all = words(body);
    let mut seen: Vec<&str> = Vec::new();
    let mut found = Vec::new();
    for (at, word) in all.iter().enumerate() {
        if !is_abbreviation(word.text) || seen.contains(&word.text) || is_shouted(&all, at) || in_address(body, word) {
            continue;
        }
        seen.push(word.text);
        if !explained(body, word) {
            found.push(note_on(body, word, written_out(body, &all, word.text)));
        }
    }
    found
}

fn is_abbreviation(word: &str) -> bool {
    LETTERS.contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_uppercase()) && !is_listed(word, KNOWN)
}

/// Whether a neighbour is in capitals too: then the text shouts.
fn is_shouted(all: &[Word<'_>], at: usize) -> bool {
    let loud = |word: Option<&Word<'_>>| {
        word.is_some_and(|word| word.text.len() > 1 && word.text.chars().all(char::is_uppercase))
    };
    loud(at.checked_sub(1).and_then(|before| all.get(before))) || loud(all.get(at + 1))
}

/// Whether it is part of an address or of a word with points, slashes or underscores.
fn in_address(body: &str, word: &Word<'_>) -> bool {
    let joins = |c: char| matches!(c, '/' | '_' | '@' | '#' | '=' | '&' | '$');
    let before = body.get(..word.start).and_then(|text| text.chars().next_back());
    let after = body.get(word.end..).and_then(|text| text.chars().next());
    before.is_some_and(|c| joins(c) || c == '.') || after.is_some_and(joins)
}

/// Whether its first place is an explanation: `Parent Teacher Association (PTA)` or `PTA (Parent Teacher Association)`.
fn explained(body: &str, word: &Word<'_>) -> bool {
    let before = body.get(..word.start).unwrap_or_default();
    let after = body.get(word.end..).unwrap_or_default();
    before.ends_with('(') && after.starts_with(')') || after.starts_with(" (")
}

/// The words of the body whose initials are the abbreviation.
fn written_out<'b>(body: &'b str, all: &[Word<'b>], short: &str) -> Option<&'b str> {
    let letters: Vec<char> = short.to_lowercase().chars().collect();
    (0..all.len()).find_map(|from| {
        let mut wanted = letters.iter();
        let mut next = wanted.next();
        let mut end = None;
        for word in all.get(from..)?.iter().take(letters.len() * 2) {
            let initial = fold(word.text).chars().next();
            let capital = word.text.chars().next().is_some_and(char::is_uppercase) && word.text != short;
            if capital && initial.as_ref() == next {
                end = Some(word.end);
                next = wanted.next();
                if next.is_none() {
                    break;
                }
            } else if end.is_none() || !is_stop_word(&fold(word.text)) {
                return None;
            }
        }
        let range: Range<usize> = all.get(from)?.start..end?;
        let text = body.get(range)?;
        (next.is_none() && !text.contains('\n')).then_some(text)
    })
}

fn note_on(body: &str, word: &Word<'_>, long: Option<&str>) -> PublishingNote {
    let short = word.text;
    let what = format!("“{short}” is not written out where it stands first.");
    let fix = match long {
        Some(long) => format!("Write “{long} ({short})”."),
        None => format!(
            "Write its words in full and “{short}” in brackets behind them, or leave it out if it stands only once."
        ),
    };
    let note = note(PublishingCheck::Accessibility, ("articleBody", body), word.start..word.end, what, fix);
    match long {
        Some(long) => note.replaced_by(format!("{long} ({short})")),
        None => note,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::publishing::tests::told;

    #[test]
    fn an_abbreviation_is_written_out_at_first_use() {
        let fixed = |body: &str| {
            told(body, PublishingCheck::Accessibility).into_iter().map(|(text, _, fix)| (text, fix)).collect::<Vec<_>>()
        };
        assert_eq!(fixed("The Parent Teacher Association (PTA) met. The PTA voted."), []);
        assert_eq!(fixed("The PTA (Parent Teacher Association) met. The PTA voted."), []);
        assert_eq!(
            fixed("The PTA met. Later the Parent Teacher Association voted."),
            [("PTA".to_owned(), Some("Parent Teacher Association (PTA)".to_owned()))]
        );
        assert_eq!(
            fixed("The DOT met. The Department of Transportation waits."),
            [("DOT".to_owned(), None)],
            "“of” has a small letter"
        );
        assert_eq!(fixed("The PTA met. The PTA voted."), [("PTA".to_owned(), None)]);
        assert_eq!(fixed("The US and NASA agree. STOP THE VOTE, a sign says."), []);
        assert_eq!(fixed("See [the page](https://x.example/ABC?Q=DEF) for it."), []);
    }
}
