//! Lines for a terminal: broken between words, never inside one that fits.

use unicode_width::UnicodeWidthChar as _;

/// Columns that a word takes. The colours of [`super::Paint`] take none.
pub(super) fn width(text: &str) -> usize {
    let (mut used, mut in_colour) = (0, false);
    for c in text.chars() {
        match c {
            '\u{1B}' => in_colour = true,
            'm' if in_colour => in_colour = false,
            _ if in_colour => {}
            c => used += c.width().unwrap_or(0),
        }
    }
    used
}

/// `line` in lines of at most `room` columns; `None` leaves it whole. Each line but the first begins with `indent` blanks more than the first.
pub(super) fn wrapped(line: &str, indent: usize, room: Option<usize>) -> String {
    let Some(room) = room.filter(|room| width(line) > *room) else { return line.to_owned() };
    let before = line.len() - line.trim_start_matches(' ').len();
    let (mut out, mut used) = (" ".repeat(before), before);
    let hanging = " ".repeat(before + indent);
    let mut begins = true;
    for word in line.split(' ').filter(|word| !word.is_empty()) {
        let needed = width(word);
        if begins {
            used += needed;
        } else if used + 1 + needed <= room {
            out.push(' ');
            used += 1 + needed;
        } else {
            out.push('\n');
            out.push_str(&hanging);
            used = hanging.len() + needed;
        }
        out.push_str(word);
        begins = false;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words_and_colours_take_no_room() {
        assert_eq!(wrapped("  one two three", 2, Some(10)), "  one two\n    three");
        assert_eq!(wrapped("\u{1B}[31mone\u{1B}[0m two", 0, Some(7)), "\u{1B}[31mone\u{1B}[0m two");
        assert_eq!(wrapped("one two", 2, None), "one two");
        assert_eq!(wrapped("incomprehensibilities are long", 2, Some(9)), "incomprehensibilities\n  are\n  long");
        assert_eq!(wrapped("", 2, Some(0)), "");
    }
}
