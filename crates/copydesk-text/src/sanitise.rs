//! Hostile text is cleaned once, at its entry: sources, drafts, answers of models and servers.

use std::borrow::Cow;

/// Removes what could move a cursor, hide text or reorder a line on a screen:
///
/// - control characters but line feed and tab,
/// - whole terminal escape sequences (ECMA-48 CSI, OSC, DCS and two-character ones),
/// - the explicit bidirectional controls (Unicode UAX #9, the "Trojan Source" set),
/// - the byte order mark.
///
/// CR LF and lone CR become line feeds.
///
/// Borrows if nothing had to go.
pub fn clean(text: &str) -> Cow<'_, str> {
    CleanedText::of(text).text
}

/// A text as [`clean`] leaves it, with the places that its characters had before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CleanedText<'t> {
    text: Cow<'t, str>,
    /// Where bytes are missing, in bytes of `text`, and how many are missing so far.
    missing: Vec<(usize, usize)>,
}

impl<'t> CleanedText<'t> {
    pub fn of(text: &'t str) -> Self {
        if first_unwanted(text).is_none() {
            return Self { text: Cow::Borrowed(text), missing: Vec::new() };
        }
        let (mut out, mut missing, mut so_far) = (String::with_capacity(text.len()), Vec::new(), 0);
        keep(text, |at, stretch| {
            if at - out.len() > so_far {
                so_far = at - out.len();
                missing.push((out.len(), so_far));
            }
            out.push_str(stretch);
        });
        Self { text: Cow::Owned(out), missing }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// The place that a byte of this text had before it was cleaned.
    pub fn before(&self, byte: usize) -> usize {
        let past = self.missing.partition_point(|(at, _)| *at <= byte);
        let missing = past.checked_sub(1).and_then(|last| self.missing.get(last));
        byte + missing.map_or(0, |(_, bytes)| *bytes)
    }
}

/// Hands over the stretches that [`clean`] keeps, each with its place in `text`.
fn keep(text: &str, mut kept: impl FnMut(usize, &str)) {
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let (plain, tail) = rest.split_at_checked(first_unwanted(rest).unwrap_or(rest.len())).unwrap_or((rest, ""));
        if !plain.is_empty() {
            kept(at, plain);
        }
        at += plain.len();
        let mut chars = tail.char_indices().peekable();
        match chars.next() {
            Some((_, '\r')) if chars.peek().is_none_or(|(_, next)| *next != '\n') => kept(at, "\n"),
            Some((_, '\u{1B}')) => skip_escape(&mut chars),
            Some((_, '\u{9B}')) => skip_csi(&mut chars),
            Some((_, '\u{90}' | '\u{98}' | '\u{9D}' | '\u{9E}' | '\u{9F}')) => skip_string(&mut chars),
            _ => {}
        }
        at += chars.peek().map_or(tail.len(), |(skipped, _)| *skipped);
    }
}

/// Like [`clean`], but colours stay (ECMA-48 SGR): for lines that we coloured ourselves and that may quote anything.
pub fn clean_but_colours(text: &str) -> Cow<'_, str> {
    if !text.contains("\u{1B}[") {
        return clean(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\u{1B}[") {
        let end = after.find(|c: char| !c.is_ascii_digit() && c != ';').unwrap_or(after.len());
        let (numbers, behind) = after.split_at_checked(end).unwrap_or((after, ""));
        out.push_str(&clean(before));
        if let Some(behind) = behind.strip_prefix('m') {
            out.extend(["\u{1B}[", numbers, "m"]);
            rest = behind;
        } else {
            // Something else than a colour: it goes with its parameters, as in `clean`.
            let mut chars = after.char_indices().peekable();
            skip_csi(&mut chars);
            rest = chars.next().and_then(|(at, _)| after.get(at..)).unwrap_or_default();
        }
    }
    out.push_str(&clean(rest));
    Cow::Owned(out)
}

/// Like [`clean`], in one line: line feeds and tabs become spaces. For headlines, names and messages.
pub fn one_line(text: &str) -> String {
    clean(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A name in one line from which the name itself can be told again: what [`clean`] removes, line feeds and tabs stand there escaped, as in
/// `\x1b`. For names of files.
pub fn visible(name: &str) -> String {
    let shown = |c: char| match c {
        '\n' | '\t' | '\r' => c.escape_default().to_string(),
        c if is_unwanted(c) && u32::from(c) < 0x100 => format!("\\x{:02x}", u32::from(c)),
        c if is_unwanted(c) => c.escape_unicode().to_string(),
        c => c.to_string(),
    };
    name.chars().map(shown).collect()
}

/// Whether nothing of a text can be seen: white space, zero-width characters, or what [`clean`] removes.
pub fn is_blank(text: &str) -> bool {
    let shows = |c: char| !c.is_whitespace() && !is_zero_width(c);
    // Most texts begin with a word, and need not be cleaned for the answer.
    !text.chars().take_while(|c| !is_unwanted(*c)).any(shows) && !clean(text).chars().any(shows)
}

/// Like [`clean`], without zero-width marks: to find words that such marks part. Other scripts need some of them, so no text is kept in
/// this form for nothing.
pub fn without_marks(text: &str) -> String {
    clean(text).chars().filter(|c| !is_zero_width(*c)).collect()
}

/// Whether a character shows nothing: soft hyphens, joiners, direction marks, fillers, variation selectors, tags. These are all characters
/// that Unicode lets a program ignore by default.
pub fn is_zero_width(c: char) -> bool {
    matches!(
        c,
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180F}'
            | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}'
            | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFF8}' | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}'
            | '\u{E0000}'..='\u{E0FFF}'
    )
}

/// Whether more than one byte in fifty is one that no text has. Escape is let through: [`clean`] takes it out.
pub fn is_binary(bytes: &[u8]) -> bool {
    let control = |byte: &u8| *byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0C | 0x1B | 0x08);
    // Counted in bytes, a stretch at a time: so the compiler takes many at once.
    let of = |stretch: &[u8]| stretch.iter().map(|byte| u8::from(control(byte))).sum::<u8>();
    bytes.chunks(STRETCH).map(|stretch| usize::from(of(stretch))).sum::<usize>() * 50 > bytes.len()
}

/// At most `max` characters of [`one_line`], with an ellipsis if something was cut.
pub fn excerpt(text: &str, max: usize) -> String {
    let line = one_line(text);
    if line.chars().count() <= max {
        return line;
    }
    let mut cut: String = line.chars().take(max.saturating_sub(1)).collect();
    cut.push('…');
    cut
}

fn is_unwanted(c: char) -> bool {
    (c.is_control() && c != '\n' && c != '\t')
        || matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}')
}

/// So many bytes are asked at once whether one of them may begin an unwanted character.
const STRETCH: usize = 64;

/// The place of the first unwanted character.
fn first_unwanted(text: &str) -> Option<usize> {
    // Outside ASCII they are in the blocks that begin with these bytes in UTF-8.
    let may = |byte: u8| matches!(byte, 0..=0x08 | 0x0B..=0x1F | 0x7F | 0xC2 | 0xE2 | 0xEF);
    // No answer for a single byte ends the walk over a stretch, so the compiler takes many bytes at once.
    let stretches = (0..).step_by(STRETCH).zip(text.as_bytes().chunks(STRETCH));
    let suspicious = stretches.filter(|(_, stretch)| stretch.iter().fold(false, |any, byte| any | may(*byte)));
    let places = suspicious.flat_map(|(at, stretch)| (at..).zip(stretch)).filter(|(_, byte)| may(**byte));
    places.map(|(at, _)| at).find(|at| text.get(*at..).and_then(|rest| rest.chars().next()).is_some_and(is_unwanted))
}

type Chars<'a> = std::iter::Peekable<std::str::CharIndices<'a>>;

fn skip_escape(chars: &mut Chars<'_>) {
    match chars.next_if(|(_, c)| ('\u{20}'..='\u{7E}').contains(c)) {
        Some((_, '[')) => skip_csi(chars),
        Some((_, ']' | 'P' | 'X' | '^' | '_')) => skip_string(chars),
        // An intermediate byte; the final one is behind it.
        Some((_, '\u{20}'..='\u{2F}')) => {
            chars.next_if(|(_, c)| ('\u{30}'..='\u{7E}').contains(c));
        }
        _ => {}
    }
}

/// Parameters and intermediates up to the final byte; a broken sequence ends where it breaks.
fn skip_csi(chars: &mut Chars<'_>) {
    while chars.next_if(|(_, c)| ('\u{20}'..='\u{3F}').contains(c)).is_some() {}
    chars.next_if(|(_, c)| ('\u{40}'..='\u{7E}').contains(c));
}

/// Up to the string terminator or BEL. One that never ends on its line is dropped only to the line's end, so that a
/// stray introducer cannot swallow the rest of a source.
fn skip_string(chars: &mut Chars<'_>) {
    while let Some((_, c)) = chars.next_if(|(_, c)| *c != '\n') {
        match c {
            '\u{07}' | '\u{9C}' => return,
            '\u{1B}' => {
                chars.next_if(|(_, c)| *c == '\\');
                return;
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn escapes_go_and_text_stays() {
        assert_eq!(clean("plain \u{2014} text\n\ttab"), "plain \u{2014} text\n\ttab");
        assert_eq!(clean("a\x1b[31mred\x1b[0m b"), "ared b");
        assert_eq!(clean("a\x1b]0;title\x07b\x1b]8;;http://x\x1b\\c"), "abc");
        assert_eq!(clean("a\x1bcb\0c\u{202E}d\u{FEFF}"), "abcd");
        assert_eq!(clean("one\r\ntwo\rthree"), "one\ntwo\nthree");
        assert_eq!(clean("a\x1b]never ends\nnext line"), "a\nnext line");
        assert_eq!(clean("\u{9b}2Jx"), "x");
    }

    #[test]
    fn a_cleaned_text_knows_where_its_characters_stood() {
        let text = "\u{feff}a\x1b[31mré\u{202E}d\u{202C}\r\nb\rc";
        let cleaned = CleanedText::of(text);
        assert_eq!(cleaned.text(), "aréd\nb\nc");
        for (at, c) in cleaned.text().char_indices().filter(|(_, c)| *c != '\n') {
            assert!(text.get(cleaned.before(at)..).unwrap().starts_with(c), "{c}");
        }
        assert_eq!(CleanedText::of("aé").before(3), 3);
    }

    #[test]
    fn colours_stay_and_nothing_else_does() {
        let coloured = "\x1b[1;31mred\x1b[0m";
        assert_eq!(clean_but_colours(coloured), coloured);
        for (hostile, shown) in [
            ("a\x1b]52;c;Zm9v\x07b", "ab"),
            ("\x1b[31m\x1b[2Jx\x1b[0m", "\x1b[31mx\x1b[0m"),
            ("\x1b[31\u{9b}5mx", "x"),
            ("a\x1b]8;;\x1b[31mhttp://x\x07b", "a\x1b[31mhttp://xb"),
            ("\x1b\x1b[1mx\u{202E}", "\x1b[1mx"),
        ] {
            assert_eq!(clean_but_colours(hostile), shown, "{hostile:?}");
        }
    }

    #[test]
    fn a_name_shows_what_is_in_it() {
        assert_eq!(visible("a b  é.md"), "a b  é.md");
        assert_eq!(visible("a\x1b[2J\n\t\r\u{9b}\u{202E}b"), "a\\x1b[2J\\n\\t\\r\\x9b\\u{202e}b");
    }

    #[test]
    fn what_cannot_be_seen_is_blank() {
        for blank in ["", " \n", "\0\0", "\x1b[0m", "\u{200b}\u{200b}"] {
            assert!(is_blank(blank), "{blank:?}");
        }
        assert!(!is_blank("\u{200b}x"));
    }

    #[test]
    fn an_excerpt_is_one_line_and_bounded() {
        assert_eq!(excerpt("a\nb  c", 10), "a b c");
        assert_eq!(excerpt("abcdefghij", 5), "abcd…");
    }

    proptest! {
        #[test]
        fn nothing_but_colours_is_left(text in "(\\x1b|\\[|[0-9;mJ]|\\]|a|\u{9b}|\u{202e}|\\x07)*") {
            let cleaned = clean_but_colours(&text).into_owned();
            let colour = regex::Regex::new("\x1b\\[[0-9;]*m").unwrap();
            prop_assert!(!colour.replace_all(&cleaned, "").chars().any(is_unwanted), "{cleaned:?}");
        }

        #[test]
        fn nothing_unwanted_is_left(text in "\\PC*|[\\x00-\\x7f\u{80}-\u{a0}\u{202a}-\u{202e}]*") {
            let cleaned = clean(&text).into_owned();
            prop_assert!(!cleaned.chars().any(is_unwanted));
            prop_assert_eq!(clean(&cleaned).into_owned(), cleaned.clone());
        }
    }
}
