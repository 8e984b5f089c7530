//! Where sentences begin and end.
//!
//! A few rules, not a model: a stop ends a sentence unless an abbreviation, an initial or a number holds it; marks that
//! close a quotation or a bracket belong to the sentence before them; a blank line, a heading, a list item and a
//! speaker's line of a transcript end a sentence whatever stands there.

use std::ops::Range;

/// Abbreviations that are followed by what they belong to, so that their point never ends a sentence.
const BEFORE_A_NAME: &[&str] = &[
    "mr", "mrs", "ms", "dr", "prof", "st", "sen", "rep", "gov", "gen", "col", "lt", "sgt", "capt", "rev", "hon",
    "pres", "supt", "messrs", "mt", "ft", "vs", "no", "nos", "fig", "approx", "ca",
];

/// Abbreviations whose point ends a sentence only where the next word could begin one.
const ANYWHERE: &[&str] = &[
    "a.m", "p.m", "u.s", "u.k", "u.n", "e.g", "i.e", "etc", "inc", "ltd", "co", "corp", "jr", "sr", "jan", "feb",
    "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec", "mon", "tue", "wed", "thu", "fri", "sat",
    "ave", "blvd", "dept", "ed",
];

/// Words that begin a sentence and no name.
const STARTERS: &[&str] =
    &["the", "it", "he", "she", "they", "we", "a", "an", "in", "on", "at", "but", "and", "this", "that", "there"];

/// The sentences of `text`, in order, as byte ranges without the white space around them.
#[must_use]
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let at = |index: usize| chars.get(index).map_or('\0', |&(_, c)| c);
    let byte = |index: usize| chars.get(index).map_or(text.len(), |&(byte, _)| byte);
    let mut index = 0;
    while index < chars.len() {
        let c = at(index);
        if c == '\n' {
            let end = byte(index);
            let head = text.get(start..end).unwrap_or_default();
            if line_ends_here(head, text.get(end + 1..).unwrap_or_default()) {
                push(text, start..end, &mut found);
                start = end + 1;
            }
            index += 1;
            continue;
        }
        if !matches!(c, '.' | '!' | '?' | '…') {
            index += 1;
            continue;
        }
        let mut past = index + 1;
        while matches!(at(past), '.' | '!' | '?' | '…') {
            past += 1;
        }
        let closing = past;
        while matches!(at(past), '"' | '”' | '’' | '\'' | ')' | ']' | '»' | '*' | '_') {
            past += 1;
        }
        let head = text.get(start..byte(index)).unwrap_or_default();
        let mut next = past;
        while at(next).is_whitespace() {
            next += 1;
        }
        let breaks = next > past || past >= chars.len();
        if breaks && ends(c, closing - index, head, text.get(byte(next)..).unwrap_or_default()) {
            push(text, start..byte(past), &mut found);
            start = byte(past);
        }
        index = past;
    }
    push(text, start..text.len(), &mut found);
    found
}

/// Whether the stop `c` after `head` ends a sentence before `rest`.
fn ends(c: char, stops: usize, head: &str, rest: &str) -> bool {
    let next = rest.chars().next().unwrap_or('\0');
    let next_word = rest.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    let opens =
        matches!(next, '"' | '“' | '‘' | '\'' | '(' | '[' | '*' | '_' | '#' | '-' | '•' | '—' | '–' | '\0' | '$');
    let could_begin = next.is_uppercase() || next.is_numeric() || opens || !next.is_alphabetic();
    if c == '…' || stops > 1 || matches!(c, '!' | '?') {
        return next.is_uppercase() || opens || next.is_numeric();
    }
    let last = head.rsplit(|c: char| c.is_whitespace() || matches!(c, '(' | '“' | '"' | '[' | '–' | '—')).next();
    let last = last.unwrap_or_default().to_lowercase();
    if last.chars().count() == 1 && last.chars().all(char::is_alphabetic) && last != "i" {
        // An initial ("J. Doe"), or the last letter of "Plan B." before a new sentence: only a word that no name
        // begins with tells them apart.
        return matches!(next, '\0' | '"' | '“') || STARTERS.contains(&next_word.to_lowercase().as_str());
    }
    if BEFORE_A_NAME.contains(&last.as_str()) && (last != "no" || next.is_numeric()) {
        return next == '\0';
    }
    if ANYWHERE.contains(&last.as_str()) {
        // "at 7 p.m. Tuesday" goes on; "at 7 p.m. The board" ends. A number after a month is its day.
        let month = last.len() <= 4 && !last.contains('.');
        return match next {
            '\0' | '"' | '“' => true,
            n if n.is_numeric() => !month,
            n if n.is_uppercase() => {
                !month && (matches!(last.as_str(), "a.m" | "p.m") || !last.contains('.')) && !is_weekday(next_word)
            }
            _ => false,
        };
    }
    could_begin
}

fn is_weekday(word: &str) -> bool {
    word.ends_with("day") && word.len() <= 9
}

/// Whether the line break after `head` and before `rest` ends a sentence.
fn line_ends_here(head: &str, rest: &str) -> bool {
    let line = rest.lines().next().unwrap_or_default().trim_start();
    let own = head.trim_start();
    line.is_empty()
        || own.starts_with('#')
        || line.starts_with(['#', '>', '[', '•', '|'])
        || ["- ", "* ", "+ "].iter().any(|mark| line.starts_with(mark))
        || is_numbered(line)
        || speaker(line).is_some()
        || (own.lines().next_back().unwrap_or_default().chars().count() < 60
            && line.starts_with(char::is_uppercase)
            && !own.trim_end().ends_with([',', ';', '-', '–', '—']))
}

fn is_numbered(line: &str) -> bool {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    (1..=3).contains(&digits) && line.get(digits..).is_some_and(|rest| rest.starts_with(". ") || rest.starts_with(") "))
}

/// The speaker's label at the head of a line (`VOSS: …`, `[00:01:05] R. HALE: …`, `Dr. Mary Poe: …`) as a byte range of
/// the line without time code and colon: up to five words, each capitalised or all in capitals.
#[must_use]
pub fn speaker(line: &str) -> Option<Range<usize>> {
    let mut start = line.len() - line.trim_start().len();
    if line.get(start..)?.starts_with(['[', '(']) {
        let close = line.get(start..)?.find([']', ')'])?;
        if !line.get(start..start + close)?.contains(|c: char| c.is_ascii_digit()) {
            return None;
        }
        start += close + 1;
        start += line.get(start..)?.len() - line.get(start..)?.trim_start().len();
    }
    let rest = line.get(start..)?;
    let bold = rest.len() - rest.trim_start_matches(['*', '_']).len();
    let start = start + bold;
    let rest = line.get(start..)?;
    let window: String = rest.chars().take(60).collect();
    let colon = window.find(':')?;
    let label = rest.get(..colon)?.trim_end_matches(['*', '_']);
    let after = rest.get(colon + 1..)?.trim_start_matches(['*', '_']);
    let spaced = after.is_empty() || after.starts_with(char::is_whitespace);
    // What stands in brackets behind the name is a role, not a part of it.
    let name = if label.ends_with(')') { label.split('(').next().unwrap_or_default().trim_end() } else { label };
    let count = name.split_whitespace().count();
    let named = name
        .split_whitespace()
        .all(|word| word.starts_with(char::is_uppercase) || matches!(word, "de" | "van" | "von" | "of"));
    let plain = label.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '.' | '-' | '\'' | '’' | '(' | ')'));
    (spaced && named && plain && (1..=5).contains(&count)).then(|| start..start + label.len())
}

fn push(text: &str, range: Range<usize>, found: &mut Vec<Range<usize>>) {
    let Some(inner) = text.get(range.clone()) else { return };
    let start = range.start + (inner.len() - inner.trim_start().len());
    let end = range.end - (inner.len() - inner.trim_end().len());
    if text.get(start..end).is_some_and(|sentence| sentence.contains(char::is_alphanumeric)) {
        found.push(start..end);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        sentences(text).into_iter().filter_map(|range| text.get(range)).collect()
    }

    #[test]
    fn abbreviations_initials_and_decimals_hold_a_sentence_together() {
        assert_eq!(
            texts("Dr. J. Roth paid $8.50 at 7 p.m. on Oct. 6. The U.S. rate is 4.2 percent. It fell."),
            ["Dr. J. Roth paid $8.50 at 7 p.m. on Oct. 6.", "The U.S. rate is 4.2 percent.", "It fell."]
        );
        assert_eq!(texts("It ended at 9:24 p.m. The clerk left."), ["It ended at 9:24 p.m.", "The clerk left."]);
    }

    #[test]
    fn closing_marks_belong_to_the_sentence_before() {
        assert_eq!(
            texts("“It is late.” She left. (He stayed.) \"Why?\" he asked. \"No,\" she said. \"Never.\""),
            ["“It is late.”", "She left.", "(He stayed.)", "\"Why?\" he asked.", "\"No,\" she said.", "\"Never.\""]
        );
    }

    #[test]
    fn paragraphs_and_speakers_end_a_sentence() {
        assert_eq!(
            texts("No stop here\n\nNext one\n[00:01] VOSS: Good evening\nTULL: Thanks. Yes"),
            ["No stop here", "Next one", "[00:01] VOSS: Good evening", "TULL: Thanks.", "Yes"]
        );
        assert_eq!(
            texts("This is a long line of a press release that was wrapped by hand at\neighty columns."),
            ["This is a long line of a press release that was wrapped by hand at\neighty columns."]
        );
    }

    #[test]
    fn a_label_is_a_few_capitalised_words_before_a_colon() {
        let label = |line: &'static str| speaker(line).and_then(|range| line.get(range));
        assert_eq!(label("[00:11:50] R. HALE: I own it."), Some("R. HALE"));
        assert_eq!(label("Elena Castellan: \"No.\""), Some("Elena Castellan"));
        assert_eq!(label("It is 7:30 now"), None);
        assert_eq!(label("The vote was this: no."), None);
    }

    proptest! {
        #[test]
        fn sentences_are_in_order_and_lose_nothing(text in "\\PC*|[A-Za-z .!?\"\n:0-9]*") {
            let mut last = 0;
            for range in sentences(&text) {
                prop_assert!(range.start >= last && range.end > range.start);
                prop_assert!(text.get(range.clone()).is_some());
                last = range.end;
            }
        }
    }
}
