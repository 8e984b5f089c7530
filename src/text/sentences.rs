//! Where sentences begin and end.
//!
//! A few rules, not a model: a stop ends a sentence unless an abbreviation, an initial or a number holds it; marks that
//! close a quotation or a bracket belong to the sentence before them; a blank line, a heading, a list item and a
//! speaker's line of a transcript end a sentence whatever stands there.

use std::ops::Range;

/// Abbreviations that are followed by what they belong to, so that their point never ends a sentence.
const BEFORE_A_NAME: &[&str] = &[
    "mr", "mrs", "ms", "mx", "dr", "prof", "sen", "rep", "gov", "gen", "col", "lt", "lieut", "sgt", "cpl", "pvt",
    "capt", "cmdr", "adm", "maj", "brig", "insp", "det", "supt", "rev", "fr", "msgr", "hon", "pres", "amb", "messrs",
    "mme", "mlle", "vol", "art", "sec", "chap", "mt", "ft", "vs", "no", "nos", "fig", "figs", "pp", "approx", "ca",
    "cf", "viz",
];

/// Abbreviations whose point ends a sentence only where the next word could begin no name.
const ANYWHERE: &[&str] = &[
    "u.s", "u.k", "u.n", "e.u", "u.s.a", "d.c", "e.g", "i.e", "inc", "ltd", "co", "cos", "corp", "bros", "plc", "jr",
    "sr", "st", "ave", "blvd", "rd", "hwy", "dept", "univ", "assn", "ed", "eds", "al", "est", "ph.d", "m.d", "b.a",
    "m.a", "a.k.a", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec", "mon", "tue",
    "tues", "wed", "thu", "thur", "thurs", "fri", "sat", "sun",
];

/// Abbreviations of places, which are words or names of their own in small letters.
const PLACES: &[&str] = &[
    "Ala", "Ariz", "Ark", "Calif", "Colo", "Conn", "Del", "Fla", "Ga", "Ill", "Ind", "Kan", "Ky", "La", "Md", "Mass",
    "Mich", "Minn", "Miss", "Mo", "Mont", "Neb", "Nev", "Okla", "Ore", "Pa", "Penn", "Tenn", "Tex", "Va", "Vt", "Wash",
    "Wis", "Wyo", "Ont", "Que", "Alta",
];

/// Words that begin a sentence and no name.
const STARTERS: &[&str] = &[
    "the",
    "it",
    "he",
    "she",
    "they",
    "we",
    "i",
    "you",
    "a",
    "an",
    "in",
    "on",
    "at",
    "but",
    "and",
    "this",
    "that",
    "there",
    "these",
    "those",
    "his",
    "her",
    "its",
    "their",
    "our",
    "my",
    "as",
    "after",
    "before",
    "when",
    "while",
    "if",
    "for",
    "from",
    "since",
    "although",
    "though",
    "however",
    "according",
    "what",
    "who",
    "why",
    "how",
    "where",
    "not",
    "some",
    "many",
    "most",
    "more",
    "all",
    "both",
    "each",
    "one",
    "two",
    "three",
    "another",
    "meanwhile",
    "also",
    "so",
    "then",
    "yet",
    "or",
    "because",
    "during",
    "despite",
    "under",
    "with",
    "by",
    "to",
    "about",
    "until",
    "nobody",
    "no",
    "nothing",
    "police",
    "officials",
    "later",
    "earlier",
    "today",
    "yesterday",
    "asked",
    "last",
];

/// Verbs behind a name that give it the question or cry before it: `“Why?” Reyes asked.`
const ASKS: &[&str] = &[
    "asked",
    "asks",
    "said",
    "says",
    "cried",
    "shouted",
    "wrote",
    "told",
    "added",
    "replied",
    "answered",
    "exclaimed",
    "wondered",
    "yelled",
    "joked",
    "quipped",
    "called",
];

/// The sentences of `text`, in order, as byte ranges without the white space around them.
#[must_use]
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let (mut start, mut from) = (0, 0);
    while let Some(at) = text.get(from..).and_then(|rest| rest.find(['\n', '.', '!', '?', '…'])).map(|at| from + at) {
        let (head, rest) = (text.get(start..at).unwrap_or_default(), text.get(at..).unwrap_or_default());
        if let Some(rest) = rest.strip_prefix('\n') {
            if line_ends_here(head, rest) {
                push(text, start..at, &mut found);
                start = at + 1;
            }
            from = at + 1;
            continue;
        }
        let behind = rest.trim_start_matches(['.', '!', '?', '…']);
        let stops = rest.get(..rest.len() - behind.len()).unwrap_or_default();
        let tail = footnotes(behind.trim_start_matches(CLOSING));
        let next = tail.trim_start();
        let past = text.len() - tail.len();
        let closed = behind.len() > tail.len();
        if (next.len() < tail.len() || tail.is_empty()) && ends(stops, head, closed, next) {
            push(text, start..past, &mut found);
            start = past;
        }
        from = past;
    }
    push(text, start..text.len(), &mut found);
    found
}

/// Marks that belong to the sentence before them.
const CLOSING: [char; 10] = ['"', '”', '’', '\'', ')', ']', '»', '*', '_', '“'];

/// What is left behind footnote marks: `[1][2]`.
fn footnotes(text: &str) -> &str {
    let mut rest = text;
    while let Some((mark, tail)) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        let inner = mark.trim_start_matches('^');
        if inner.is_empty() || inner.len() > 3 || !inner.bytes().all(|byte| byte.is_ascii_digit()) {
            break;
        }
        rest = tail;
    }
    rest
}

/// Whether `stops` after `head`, with closing marks behind them or not, end a sentence before `rest`.
fn ends(stops: &str, head: &str, closed: bool, rest: &str) -> bool {
    let next = rest.chars().next().unwrap_or('\0');
    let next_word = rest.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    let opens = matches!(
        next,
        '"' | '“'
            | '‘'
            | '\''
            | '('
            | '['
            | '*'
            | '_'
            | '#'
            | '-'
            | '•'
            | '—'
            | '–'
            | '\0'
            | '$'
            | '€'
            | '£'
            | '«'
            | '„'
            | '¿'
            | '¡'
    );
    let could_begin = next.is_uppercase() || next.is_numeric() || opens || !next.is_alphabetic();
    if stops != "." {
        let asked = closed && stops.ends_with(['!', '?']) && (is_asked(rest) || matches!(next, '—' | '–'));
        return (next.is_uppercase() || opens || next.is_numeric()) && !asked;
    }
    let written = head.rsplit(|c: char| c.is_whitespace() || matches!(c, '(' | '“' | '"' | '[' | '–' | '—')).next();
    let written = written.unwrap_or_default();
    let last = written.to_lowercase();
    let starts = || STARTERS.contains(&next_word.to_lowercase().as_str());
    if closed && !is_shortened(&last) {
        return could_begin;
    }
    if last.chars().count() == 1 && last.chars().all(char::is_alphabetic) && last != "i" {
        // An initial ("J. Doe"), or the last letter of "Plan B." before a new sentence: only a word that no name
        // begins with tells them apart.
        return matches!(next, '\0' | '"' | '“') || next.is_uppercase() && starts();
    }
    if BEFORE_A_NAME.contains(&last.as_str()) && (last != "no" || next.is_numeric()) {
        return next == '\0';
    }
    if matches!(last.as_str(), "a.m" | "p.m") {
        // "at 7 p.m. Tuesday" goes on; "at 7 p.m. The board" ends.
        let zone = next_word.len() <= 4 && next_word.len() > 1 && next_word.chars().all(char::is_uppercase);
        return matches!(next, '\0' | '"' | '“') || next.is_uppercase() && !is_day(next_word) && !zone;
    }
    if is_shortened(&last) || PLACES.contains(&written) {
        // "Oct. 6" and "U.S. President" go on.
        return matches!(next, '\0' | '"' | '“') || next.is_uppercase() && starts();
    }
    // The number of a list's item stands before it.
    let item = head.trim_start().len() == last.len() && last.len() <= 3 && last.bytes().all(|b| b.is_ascii_digit());
    could_begin && !(item && !last.is_empty() && next != '\0')
}

fn is_shortened(word: &str) -> bool {
    let initials = word.len() > 2 && word.split('.').all(|part| part.chars().count() == 1) && word.contains('.');
    ANYWHERE.contains(&word) || initials && !matches!(word, "a.m" | "p.m")
}

/// Whether a name and a verb of asking stand at the head of what follows a question: then both are one sentence.
fn is_asked(rest: &str) -> bool {
    for (at, word) in rest.split_whitespace().take(6).enumerate() {
        let bare = word.trim_end_matches([',', '.', ':']);
        if at > 0 && ASKS.contains(&bare) {
            return true;
        }
        if !word.starts_with(char::is_uppercase) || word.ends_with(['.', '?', '!']) && word.chars().count() > 4 {
            return false;
        }
    }
    false
}

/// Whether a word names a day or a month.
fn is_day(word: &str) -> bool {
    word.ends_with("day") && word.len() <= 9
        || [
            "January",
            "February",
            "March",
            "April",
            "May",
            "June",
            "July",
            "August",
            "September",
            "October",
            "November",
            "December",
        ]
        .contains(&word)
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
