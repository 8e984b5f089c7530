//! The letters of a page, each at its place, as paragraphs.
//!
//! A PDF has no words, lines or paragraphs: it has glyphs at places, in the order in which some program drew them. That
//! order is kept, since it follows a column; by places alone the text would read across two columns. This file finds
//! the blanks between words, the ends of lines (a line's end is no end of a sentence) and of paragraphs.

use super::{hyphens, raised::raised};

/// One letter, or the letters of a ligature.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Letter {
    pub text: String,
    /// Where its baseline begins.
    pub x: f64,
    pub y: f64,
    /// The baseline's direction, of length one.
    pub along: (f64, f64),
    /// How far it reaches along the baseline.
    pub width: f64,
    /// The font's size on the page.
    pub size: f64,
}

/// A line as it was drawn.
#[derive(Debug)]
struct Line {
    text: String,
    /// Its first letter's place, along and across the line.
    start: f64,
    across: f64,
    end: f64,
    size: f64,
    along: (f64, f64),
}

/// A gap wider than this share of the font's size parts two words. The narrowest blanks of justified text are about a fifth.
const BLANK: f64 = 0.17;

/// The page's paragraphs.
pub(super) fn paragraphs(letters: &[Letter]) -> Vec<String> {
    let lines = lines(letters);
    let mut found: Vec<String> = Vec::new();
    let mut widest: f64 = 0.0;
    let mut leading: Option<f64> = None;
    for (place, line) in lines.iter().enumerate() {
        let before = place.checked_sub(1).and_then(|place| lines.get(place));
        let joined = before.is_some_and(|before| {
            let down = before.across - line.across;
            let turned = before.along.0 * line.along.0 + before.along.1 * line.along.1 < 0.99;
            let resized = (before.size - line.size).abs() > before.size * 0.12;
            let far = down < -0.2 * line.size
                || down > 2.2 * line.size
                || leading.is_some_and(|usual| down > usual * 1.35 && down > usual + 0.25 * line.size);
            let indented = line.start - before.start > 0.8 * line.size && line.start - before.start < 6.0 * line.size;
            let ended =
                before.text.ends_with(['.', '!', '?', ':', '”', '"']) && before.end - before.start < widest * 0.8;
            let listed = line.text.starts_with(['•', '‣', '▪']);
            if !(turned || resized || far) && down > 0.5 * line.size {
                leading = Some(leading.map_or(down, |usual| usual.min(down)));
            }
            !(turned || resized || far || indented || ended || listed)
        });
        if let Some(paragraph) = found.last_mut().filter(|_| joined) {
            join(paragraph, &line.text);
        } else {
            // A new column or block has a width and a leading of its own.
            if before.is_some_and(|before| before.across - line.across < 0.0) {
                (widest, leading) = (0.0, None);
            }
            found.push(line.text.clone());
        }
        widest = widest.max(line.end - line.start);
    }
    found.retain(|paragraph| !paragraph.trim().is_empty());
    found.pop_if(|last| is_page_number(last));
    if found.first().is_some_and(|first| is_page_number(first)) {
        found.remove(0);
    }
    found
}

/// Puts a line below another of its paragraph, or a paragraph's rest on the next page. A soft hyphen divides a word; of a hard one
/// only the whole document can tell (see [`hyphens`](super::hyphens)), so it is marked.
pub(super) fn join(paragraph: &mut String, line: &str) {
    let lower = line.starts_with(char::is_lowercase);
    let head = paragraph.strip_suffix(['-', '‐', '\u{AD}']).filter(|head| head.ends_with(char::is_lowercase) && lower);
    if head.is_some() && paragraph.ends_with('\u{AD}') {
        paragraph.pop();
    } else if head.is_some() {
        paragraph.push(hyphens::DOUBT);
    } else if !paragraph.ends_with(['—', '–', '-', '/']) {
        paragraph.push(' ');
    }
    paragraph.push_str(line);
}

/// Whether a page's first or last paragraph is its number, which is no figure of the story: `12`, `- 12 -`, `Page 3 of 8`, `3/8`.
fn is_page_number(paragraph: &str) -> bool {
    let lower = paragraph.trim().to_lowercase();
    let rest = lower.strip_prefix("page").unwrap_or(&lower);
    let bare: String =
        rest.replace("of", " ").chars().filter(|c| !matches!(c, '-' | '–' | '—' | '/' | '|' | ' ')).collect();
    (1..=8).contains(&bare.len()) && bare.bytes().all(|byte| byte.is_ascii_digit()) && lower.len() <= 16
}

fn lines(letters: &[Letter]) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for letter in letters {
        let (dx, dy) = letter.along;
        let along = letter.x * dx + letter.y * dy;
        let across = letter.y * dx - letter.x * dy;
        let blank = letter.text.chars().all(char::is_whitespace);
        let open = lines.last_mut().filter(|line| {
            let turned = line.along.0 * dx + line.along.1 * dy < 0.99;
            // A raised or lowered figure stays in its line.
            let close = (line.across - across).abs() < 0.45 * line.size.max(letter.size);
            let back = along < line.end - 1.5 * line.size.max(letter.size) && along < line.start + 0.1;
            let column = along - line.end > 6.0 * line.size.max(letter.size);
            !turned && close && !back && !column
        });
        match open {
            Some(line) => {
                let gap = along - line.end;
                let spaced = line.text.ends_with(char::is_whitespace);
                if !spaced && (blank || gap > BLANK * letter.size.max(line.size * 0.5)) {
                    line.text.push(' ');
                }
                if !blank {
                    // The number of a note is set small and high.
                    let high = letter.size < 0.8 * line.size && across - line.across > 0.2 * line.size;
                    if high {
                        line.text.push_str(&raised(&letter.text));
                    } else {
                        line.text.push_str(&letter.text);
                    }
                    line.end = line.end.max(along + letter.width);
                    line.size = line.size.max(letter.size);
                }
            }
            None if blank => {}
            None => lines.push(Line {
                text: letter.text.clone(),
                start: along,
                across,
                end: along + letter.width,
                size: letter.size,
                along: letter.along,
            }),
        }
    }
    for line in &mut lines {
        line.text.truncate(line.text.trim_end().len());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Text in a font of size 10 whose letters are 5 wide.
    fn set(text: &str, x: f64, y: f64) -> Vec<Letter> {
        text.chars()
            .zip(0..)
            .filter(|(c, _)| *c != ' ')
            .map(|(c, place)| Letter {
                text: c.to_string(),
                x: x + 5.0 * f64::from(place),
                y,
                along: (1.0, 0.0),
                width: 5.0,
                size: 10.0,
            })
            .collect()
    }

    #[test]
    fn lines_of_a_paragraph_are_one() {
        let page = [
            set("The council voted on the renova\u{AD}", 50.0, 700.0),
            set("tion of the park. It is well-known, and", 50.0, 688.0),
            set("it is old.", 50.0, 676.0),
            set("A new paragraph.", 50.0, 652.0),
            set("1958", 50.0, 600.0),
            set("A last one.", 50.0, 560.0),
            set("12", 300.0, 40.0),
        ]
        .concat();
        assert_eq!(
            paragraphs(&page),
            [
                "The council voted on the renovation of the park. It is well-known, and it is old.",
                "A new paragraph.",
                "1958",
                "A last one."
            ]
        );
    }

    #[test]
    fn two_columns_are_read_one_after_the_other() {
        let page = [
            set("Left one goes", 50.0, 700.0),
            set("on here.", 50.0, 688.0),
            set("Right one goes", 300.0, 700.0),
            set("on there.", 300.0, 688.0),
        ]
        .concat();
        assert_eq!(paragraphs(&page), ["Left one goes on here.", "Right one goes on there."]);
    }
}
