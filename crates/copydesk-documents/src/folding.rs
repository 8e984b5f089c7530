//! Marks within words that nobody sees, and letters of another alphabet that look like Latin ones: a search would miss such words, and a
//! reader would not see why.

use std::borrow::Cow;

use copydesk_text::{count, non_ascii};

/// Letters that look like Latin ones (Unicode's confusables, of Cyrillic and Greek), each above the one that it looks like.
const ALIKE: [[&str; 2]; 2] = [
    ["авсԁеһіјкӏмпорԛгѕтцѵԝхуАВСЕНІЈКМОРЅТХУ", "abcdehijklmnopqrstuvwxyABCEHIJKMOPSTXY"],
    ["αεικνορτυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "aeikvoptuxABEZHIKMNOPTYX"],
];

/// The Latin letter that another one looks like.
fn latin(c: char) -> Option<char> {
    // Most characters outside ASCII are marks and letters with accents, and not of the blocks of Greek and Cyrillic.
    if !('\u{370}'..='\u{52F}').contains(&c) {
        return None;
    }
    ALIKE
        .iter()
        .flat_map(|[strange, latin]| strange.chars().zip(latin.chars()))
        .find(|(strange, _)| *strange == c)
        .map(|(_, latin)| latin)
}

/// The text with its words as a reader sees them. A note says what was changed.
pub fn folded<'t>(text: &'t str, notes: &mut Vec<String>) -> Cow<'t, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let bare = without_marks(text, notes);
    without_strangers(&bare, notes).map_or(bare, Cow::Owned)
}

/// Leaves out zero-width marks between Latin letters and digits, and tag characters anywhere. Other scripts need their joiners.
fn without_marks<'t>(text: &'t str, notes: &mut Vec<String>) -> Cow<'t, str> {
    let is_mark = |c: char| matches!(c, '\u{200B}'..='\u{200D}' | '\u{2060}'..='\u{2064}');
    let is_tag = |c: char| ('\u{E0000}'..='\u{E007F}').contains(&c);
    let latin = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && c < '\u{250}');
    let mut strange = non_ascii(text).filter(|(_, c)| is_mark(*c) || is_tag(*c)).peekable();
    if strange.peek().is_none() {
        return Cow::Borrowed(text);
    }
    let (mut out, mut marks) = (String::with_capacity(text.len()), String::new());
    let (mut kept, mut gone) = (0, 0usize);
    // Adds what stands behind some marks, and before it those that stay.
    let add = |out: &mut String, marks: &mut String, stretch: &str| {
        let within = latin(out.chars().next_back()) && latin(stretch.chars().next());
        let left_out = if within { marks.chars().count() } else { 0 };
        if !within {
            out.push_str(marks);
        }
        marks.clear();
        out.push_str(stretch);
        left_out
    };
    for (at, c) in strange {
        if at > kept {
            gone += add(&mut out, &mut marks, text.get(kept..at).unwrap_or_default());
        }
        if is_tag(c) {
            gone += 1;
        } else {
            marks.push(c);
        }
        kept = at + c.len_utf8();
    }
    gone += add(&mut out, &mut marks, text.get(kept..).unwrap_or_default());
    if gone > 0 {
        notes.push(format!("{} that nobody sees stood within words and were left out", count(gone, "character")));
    }
    Cow::Owned(out)
}

/// Words that mix Latin letters with look-alikes, in Latin letters; none if there are none.
fn without_strangers(text: &str, notes: &mut Vec<String>) -> Option<String> {
    let mixed = |word: &str| {
        let strange = word.chars().filter(|c| !c.is_ascii());
        word.chars().any(|c| c.is_ascii_alphabetic())
            && strange.clone().any(|c| latin(c).is_some())
            && strange.clone().all(|c| latin(c).is_some() || c < '\u{250}')
    };
    let mut out = String::new();
    let (mut kept, mut examined) = (0, 0);
    let mut first = None;
    let mut found = 0usize;
    for (at, _) in non_ascii(text).filter(|(_, c)| latin(*c).is_some()) {
        if at < examined {
            continue;
        }
        let (before, behind) = text.split_at_checked(at)?;
        let start = before.trim_end_matches(char::is_alphabetic).len();
        examined = text.len() - behind.trim_start_matches(char::is_alphabetic).len();
        let Some(word) = text.get(start..examined).filter(|word| mixed(word)) else { continue };
        out.push_str(text.get(kept..start).unwrap_or_default());
        out.extend(word.chars().map(|c| latin(c).unwrap_or(c)));
        kept = examined;
        found += 1;
        first.get_or_insert(word);
    }
    let first = first?;
    out.push_str(text.get(kept..).unwrap_or_default());
    notes.push(format!(
        "{} Latin letters with others that look alike, such as “{first}”: they are read as Latin ones",
        if found == 1 { "1 word mixes".to_owned() } else { format!("{found} words mix") }
    ));
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_as_they_are_seen() {
        let mut notes = Vec::new();
        let text = "They v\u{200B}ot\u{2060}ed for the pаrk\u{E0041} in Мiller Street, “на улице”. Zo\u{EB} met می\u{200C}روم.";
        let folded = folded(text, &mut notes);
        assert_eq!(folded, "They voted for the park in Miller Street, “на улице”. Zo\u{EB} met می\u{200C}روم.");
        assert_eq!(
            notes,
            [
                "3 characters that nobody sees stood within words and were left out",
                "2 words mix Latin letters with others that look alike, such as “pаrk”: they are read as Latin ones"
            ]
        );
        for plain in ["plain", "“é”", "Москва и Лондон", "α-Wert, β, 5 µm", "👩\u{200D}🚒 a\u{200B} b"]
        {
            let mut notes = Vec::new();
            assert_eq!(super::folded(plain, &mut notes), plain);
            assert!(notes.is_empty(), "{plain}");
        }
    }
}
