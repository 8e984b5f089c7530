//! Text that was taken from a printed page: numbers in the margin, heads and feet of pages amid a sentence, words that a line's end
//! divides. A line of the file stays a line.

use std::{collections::HashMap, sync::LazyLock};

use copydesk_text::sentences::speaker;
use regex::Regex;

use super::hyphens;

/// Of so many lines each third of a hundred must go on a sentence, so that numbers before them are no ranks of a table.
const GOING_ON: usize = 5;

/// A line of prose is longer than so many bytes.
const PROSE: usize = 24;

/// A head or foot of a page is at most so long.
const HEAD: usize = 90;

/// The text as it was before it was set on pages.
pub(super) fn unset(text: &str) -> String {
    let text = without_heads(text);
    let text = without_numbers(&text).unwrap_or(text);
    joined(&text)
}

/// The text without line numbers in its margin; none if it has no such numbers.
fn without_numbers(text: &str) -> Option<String> {
    let parted = |line: &'_ str| -> Option<(u32, usize)> {
        let own = line.trim_start();
        let digits = own.bytes().take_while(u8::is_ascii_digit).count();
        let rest = own.get(digits..)?;
        let number = own.get(..digits).filter(|digits| (1..=4).contains(&digits.len()))?.parse().ok()?;
        // Nothing behind it: an empty line of the page.
        (rest.is_empty() || rest.starts_with([' ', '\t'])).then_some((number, line.len() - rest.len()))
    };
    let lines: Vec<&str> = text.lines().collect();
    let filled = lines.iter().filter(|line| !line.trim().is_empty()).count();
    let numbered: Vec<(u32, &str)> = lines
        .iter()
        .filter_map(|line| parted(line).map(|(number, at)| (number, line.get(at..).unwrap_or_default())))
        .collect();
    let pairs = || numbered.iter().zip(numbered.iter().skip(1));
    let in_order =
        pairs().filter(|((one, _), (two, _))| *two == one + 1 || *two == 1 || *one % 5 == 0 && *two == one + 5).count();
    let going_on = numbered.iter().filter(|(_, rest)| rest.trim_start().starts_with(char::is_lowercase)).count();
    let spoken = numbered.iter().any(|(_, rest)| speaker(rest).is_some());
    let columns = numbered.iter().filter(|(_, rest)| rest.trim().contains("   ") || rest.trim().contains('\t')).count();
    let margin = numbered.len() >= 3
        && numbered.len() * 10 >= filled * 6
        && in_order * 10 >= (numbered.len() - 1) * 9
        && (spoken || going_on * GOING_ON >= numbered.len())
        && columns * 5 < numbered.len();
    margin.then(|| {
        let bare = lines
            .iter()
            .map(|line| parted(line).map_or(*line, |(_, at)| line.get(at..).unwrap_or_default().trim_start()));
        bare.collect::<Vec<&str>>().join("\n")
    })
}

/// The text without the heads and feet of its pages: page numbers by themselves, and lines by themselves that come again on other pages.
fn without_heads(text: &str) -> String {
    // One number of a page is as another.
    let shape = |line: &str| -> String {
        let line = line.trim();
        let foot = FOOT.as_ref().and_then(|foot| foot.find(line)).map(|foot| foot.start());
        let bare = foot.and_then(|foot| line.get(..foot)).filter(|bare| bare.len() >= SHORTEST_HEAD).unwrap_or(line);
        bare.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect()
    };
    let short = |line: &str| {
        (1..=HEAD).contains(&line.trim().len()) && !line.trim().ends_with(['.', '!', '?', ':', ',', ';', '”', '"'])
    };
    let pages = text.matches('\u{C}').count() + 1;
    let lines: Vec<&str> = text.split('\n').collect();
    let blank = |at: Option<usize>| {
        at.and_then(|at| lines.get(at)).is_none_or(|line| line.trim_matches(['\u{C}', ' ', '\t', '\r']).is_empty())
    };
    // Beside a blank line or a page's end, and amid what goes on.
    let beside = |at: usize| {
        let broken = |at: Option<usize>| at.and_then(|at| lines.get(at)).is_some_and(|line| line.contains('\u{C}'));
        blank(at.checked_sub(1)) && blank(Some(at + 1)) || broken(Some(at)) || broken(Some(at + 1))
    };
    let mut counts: HashMap<String, usize> = HashMap::new();
    for (_, line) in lines.iter().enumerate().filter(|(at, line)| short(line) && beside(*at)) {
        *counts.entry(shape(line.trim_matches('\u{C}'))).or_default() += 1;
    }
    // "24" by itself amid a sentence: prose stands before it.
    let number = |at: usize, line: &str| {
        (1..=4).contains(&line.len()) && line.bytes().all(|byte| byte.is_ascii_digit()) && is_amid_prose(&lines, at)
    };
    let goes = |at: usize, line: &str| {
        let bare = line.trim_matches(['\u{C}', ' ', '\t', '\r']);
        let again = counts
            .get(&shape(bare))
            .is_some_and(|count| *count >= 2 && (*count * 2 >= pages || bare.contains(|c: char| c.is_ascii_digit())));
        let counted = bare.contains(|c: char| c.is_ascii_digit()) || pages > 1;
        beside(at)
            && (is_page_number(bare) || number(at, bare) || short(bare) && again && counted && goes_on(&lines, at))
    };
    let gone: Vec<bool> =
        lines.iter().enumerate().map(|(at, line)| !line.trim().is_empty() && goes(at, line)).collect();
    if !gone.contains(&true) {
        return text.to_owned();
    }
    let mut out: Vec<&str> = Vec::with_capacity(lines.len());
    let mut pending = 0usize;
    let mut headed = false;
    for (line, gone) in lines.iter().zip(gone) {
        let bare = line.trim_matches('\u{C}');
        if gone || bare.trim().is_empty() {
            pending += 1;
            headed |= gone;
            continue;
        }
        // A sentence that a head interrupts goes on in the next line.
        let open = out.last().is_some_and(|last| !last.trim_end().ends_with(['.', '!', '?', ':', '”', '"']));
        let blanks = if headed && open && bare.trim_start().starts_with(char::is_lowercase) { 0 } else { pending };
        out.extend(std::iter::repeat_n("", blanks));
        out.push(bare);
        (pending, headed) = (0, false);
    }
    out.extend(std::iter::repeat_n("", pending));
    out.join("\n")
}

/// The page number behind the words of a head: `Page 3 of 8`, `3/8`.
static FOOT: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?i)[\s|–-]+(?:page\s+|p\.\s*)?\d+(?:\s*(?:of|/)\s*\d+)?$").ok());

/// A head without its number has at least so many bytes.
const SHORTEST_HEAD: usize = 8;

/// Whether a line stands in a sentence that goes on behind it.
fn goes_on(lines: &[&str], at: usize) -> bool {
    let after = lines.get(at + 1..).unwrap_or_default().iter().take(FAR).find(|line| !line.trim().is_empty());
    after.is_some_and(|line| line.trim_start_matches(['\u{C}', ' ']).starts_with(char::is_lowercase))
        || is_amid_prose(lines, at)
}

/// Whether the line before is one of a sentence that goes on.
fn is_amid_prose(lines: &[&str], at: usize) -> bool {
    let before = lines.get(..at).unwrap_or_default().iter().rev().take(FAR).find(|line| !line.trim().is_empty());
    before.is_some_and(|line| line.trim().len() > PROSE && !line.trim_end().ends_with(['.', '!', '?', ':', '”', '"']))
}

/// At most so many blank lines are passed over.
const FAR: usize = 20;

/// Whether a line is a page's number: `- 12 -`, `Page 3 of 8`.
fn is_page_number(line: &str) -> bool {
    let lower = line.to_lowercase();
    let worded = lower.strip_prefix("page ").or_else(|| lower.strip_prefix("p. "));
    let rest = worded.unwrap_or(&lower);
    let bare: String =
        rest.replace(" of ", " ").chars().filter(|c| !matches!(c, '-' | '–' | '—' | '/' | '|' | ' ')).collect();
    let dashed = rest.starts_with(['-', '–', '—', '|']) && rest.ends_with(['-', '–', '—', '|']);
    (worded.is_some() || dashed) && (1..=8).contains(&bare.len()) && bare.bytes().all(|byte| byte.is_ascii_digit())
}

/// The text with the words whole that a line's end divides: the rest of a word moves up to its beginning.
fn joined(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut lines = text.split('\n').peekable();
    let mut kept: Option<&str> = None;
    while let Some(line) = kept.take().or_else(|| lines.next()) {
        out.push_str(line);
        let divided = line
            .trim_end()
            .strip_suffix(['-', '‐', '\u{AD}', '¬'])
            .is_some_and(|head| head.ends_with(char::is_lowercase));
        let next = lines.peek().map(|next| next.trim_start());
        if let Some(next) = next.filter(|next| divided && next.starts_with(char::is_lowercase)) {
            let end = next.find(char::is_whitespace).unwrap_or(next.len());
            let (word, rest) = next.split_at_checked(end).unwrap_or((next, ""));
            out.truncate(out.trim_end().len());
            if out.ends_with(['\u{AD}', '¬']) {
                out.pop();
            } else {
                out.push(hyphens::DOUBT);
            }
            out.push_str(word);
            lines.next();
            kept = Some(rest.trim_start()).filter(|rest| !rest.is_empty());
            if kept.is_some() {
                out.push('\n');
                continue;
            }
        }
        if lines.peek().is_some() {
            out.push('\n');
        }
    }
    hyphens::settled(&out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_a_margin_are_no_words() {
        let page =
            " 1  MR. BERG: The gate was\n 2  old when we came, and\n 3  nobody had oiled it.\n 4\n 5  MS. LIE: No.";
        assert_eq!(unset(page), "MR. BERG: The gate was\nold when we came, and\nnobody had oiled it.\n\nMS. LIE: No.");
        for table in [
            "1  Norway   23\n2  Sweden   21\n3  Denmark  20",
            "1 Ruud\n2 Berg\n3 Lie\n4 Dahl",
            "12 gates\nand 13 doors",
        ] {
            assert_eq!(unset(table), table);
        }
    }

    #[test]
    fn a_word_that_a_line_divides_is_whole() {
        assert_eq!(
            unset("the harbour mas-\nter spoke of long-\nterm plans"),
            "the harbour master\nspoke of long-term\nplans"
        );
        assert_eq!(unset("a list -\nof things\nfrom A-\nB to c"), "a list -\nof things\nfrom A-\nB to c");
    }

    #[test]
    fn heads_and_feet_of_pages_go() {
        let text = "The board will shut\n\nHarbour Board Minutes  Page 3\n\nthe gate in May.\n\nIt will\n\nHarbour Board Minutes  Page 4\n\nopen in June.";
        assert_eq!(unset(text), "The board will shut\nthe gate in May.\n\nIt will\nopen in June.");
        assert_eq!(unset("It shut\n- 3 -\n\u{C}the gate."), "It shut\nthe gate.");
        for plain in [
            "Costs\n\n2023\n\nNone.\n\nCosts\n\n2024\n\nNone.",
            "It ended.\n\nFiscal Year 2023\n\nIt began.\n\nFiscal Year 2024\n\nIt goes on.",
            "Page 3 of the plan is blank.",
            "Ayes\n\nBerg\n\nAyes\n\nLie",
        ] {
            assert_eq!(unset(plain), plain);
        }
    }
}
