//! Text that was taken from a printed page: numbers in the margin, heads and feet of pages amid a sentence, words that a line's end
//! divides. A line of the file stays a line.

use std::{borrow::Cow, collections::HashMap, ops::Range};

use super::hyphens;
use copydesk_text::{pattern::TextPattern, sentences::speaker};

/// Of so many lines each third of a hundred must go on a sentence, so that numbers before them are no ranks of a table.
const GOING_ON: usize = 5;

/// A line of prose is longer than so many bytes.
const PROSE: usize = 24;

/// A head or foot of a page is at most so long.
const HEAD: usize = 90;

/// The text as it was before it was set on pages.
pub(super) fn unset(text: &str) -> String {
    let text = without_numbers(text).map_or(Cow::Borrowed(text), Cow::Owned);
    let text = without_heads(&text);
    if text.lines().any(|line| is_divided(line) || is_counted(line)) { joined(&text) } else { text.into_owned() }
}

/// A number before a line (`12`, `00012`, `4:`, `41:12`, `12|`), before it as in a list (`12.`), or behind it, and the line's words.
static MARGINS: [TextPattern; 3] = [
    TextPattern::new(
        r"^\s*(?:\d\d?:\d\d:\d\d(?:[.:]\d+)?\s+)?(?:L(?:ine )?|\[|\d+:)?(?<number>\d{1,6})(?:\||[\]:]?(?:\s|$))(?<words>.*)$",
    ),
    TextPattern::new(r"^(?<words>.*?)(?:\s{2,}|\t)(?<number>\d{1,6})\s*$"),
    TextPattern::new(r"^\s*(?<number>\d{1,6})[.)-](?:\s|$)(?<words>.*)$"),
];

/// A line's number in the margin with its place, if it has one, and its words.
type Numbered<'l> = (Option<(u32, Range<usize>)>, &'l str);

/// The text without line numbers in its margin, and without the heads and feet between them; none if it has no such numbers.
fn without_numbers(text: &str) -> Option<String> {
    let whole: Vec<&str> = text.lines().collect();
    MARGINS.iter().enumerate().find_map(|(form, margin)| {
        // A look at the margin's first letter spares most lines the expression.
        let ends = |line: &str| line.trim_end().ends_with(|c: char| c.is_ascii_digit());
        let begins = |line: &str| {
            let line = line.trim_start();
            let number = line.strip_prefix('L').map_or(line, |rest| rest.strip_prefix("ine ").unwrap_or(rest));
            number.starts_with(|c: char| c.is_ascii_digit() || c == '[')
        };
        let parted = whole.iter().map(|line| {
            let numbered = if form == 1 { ends(line) } else { begins(line) };
            let found = if numbered { margin.captures(line) } else { None };
            let found = found.and_then(|found| Some((found.name("number")?, found.name("words")?)));
            let read =
                found.and_then(|(number, words)| Some((number.as_str().parse().ok()?, number.range(), words.as_str())));
            read.map_or((None, *line), |(number, place, words)| (Some((number, place)), words))
        });
        let mut lines: Vec<Numbered<'_>> = parted.collect();
        let numbers: Vec<u32> = lines.iter().filter_map(|line| line.0.as_ref().map(|(number, _)| *number)).collect();
        if numbers.is_empty() {
            return None;
        }
        let mut behind = numbers.iter().skip(1).chain([&0]);
        let mut last = None;
        for (line, own) in lines.iter_mut().zip(&whole) {
            let Some((number, _)) = line.0 else { continue };
            let next = behind.next().is_some_and(|next| *next == number + 1);
            if next || number == 1 || last.is_none_or(|last| number == last + 1 || last % 5 == 0 && number == last + 5)
            {
                last = Some(number);
            } else {
                // A number out of order is one of the text.
                *line = (None, own);
            }
        }
        is_margin(&whole, &lines, form == 2)
    })
}

/// The words of the lines, if their numbers are those of a margin.
fn is_margin(whole: &[&str], lines: &[Numbered<'_>], listed: bool) -> Option<String> {
    let filled = whole.iter().filter(|line| !line.trim().is_empty()).count();
    let numbered = || lines.iter().filter_map(|(number, words)| Some((number.as_ref()?, words.trim())));
    let count = numbered().count();
    let going_on = numbered().filter(|(_, words)| words.starts_with(char::is_lowercase)).count();
    // A court numbers empty lines, too. A table gives no rank to nothing.
    let empty = numbered().filter(|(_, words)| words.is_empty()).count();
    let going_on = going_on + if going_on > 0 { empty } else { 0 };
    // An item of a list begins anew.
    let broken = numbered().zip(numbered().skip(1)).filter(|((_, one), (_, two))| {
        two.starts_with(char::is_lowercase) && one.len() > PROSE && !one.ends_with(['.', '!', '?', ':', ';', ','])
    });
    let going_on = if listed { broken.count() } else { going_on };
    let spoken = !listed && numbered().any(|(_, words)| speaker(words).is_some());
    let columns = numbered().filter(|(_, words)| words.contains("   ") && speaker(words).is_none()).count();
    let dense = count >= 3 && count * 10 >= filled * 6;
    // Every fifth line has a number, and the others have nothing in its place.
    let place = numbered()
        .map(|((_, place), _)| place.clone())
        .reduce(|one, two| one.start.min(two.start)..one.end.max(two.end))?;
    let blank = |line: &str| line.get(place.clone()).is_none_or(|gap| gap.trim().is_empty());
    let hanging = || {
        numbered().all(|((number, _), _)| number % 5 == 0)
            && lines.iter().zip(whole).all(|((number, _), own)| number.is_some() || blank(own))
    };
    let margin = (dense && spoken || going_on * GOING_ON >= count && (dense || hanging())) && columns * 5 < count;
    if !margin {
        return None;
    }
    let mut out: Vec<&str> = Vec::with_capacity(lines.len());
    let mut last: Option<usize> = None;
    for (at, (number, words)) in lines.iter().enumerate() {
        let Some((number, _)) = number else {
            out.push(words);
            continue;
        };
        let between = last.and_then(|last| whole.get(last + 1..at)).unwrap_or_default();
        let goes_on = *number == 1 || words.trim_start().starts_with(char::is_lowercase);
        if dense && goes_on && is_furniture(between, true) {
            out.truncate(out.len() - between.len());
        }
        out.push(words.trim());
        last = Some(at);
    }
    Some(out.join("\n"))
}

/// Whether the lines between two others are the foot and head of pages. They are few, apart from the text, and have a page's number. One of
/// these is enough if nothing else can stand there (`certain`).
fn is_furniture(between: &[&str], certain: bool) -> bool {
    let blank = |line: Option<&&str>| line.is_some_and(|line| line.trim().is_empty());
    let apart = blank(between.first()) && blank(between.last());
    let paged = || between.iter().any(|line| PAGED.is_match(line.trim_end()));
    let filled = between.iter().filter(|line| !line.trim().is_empty()).count();
    (1..=4).contains(&filled) && if certain { apart || paged() } else { apart && paged() }
}

/// A line that ends in a page's number.
static PAGED: TextPattern = TextPattern::new(
    r"(?i)^\s*(?:page\s+)?\d{1,4}\s+[|–—-]\s|(?:^[-–—|\s]*|(?-u:\b)page\s+|(?-u:\b)p\.\s*|\|\s*|\s{6,})\d{1,4}(?:\s*(?:of|/)\s*\d+)?[-–—|\s]*$",
);

/// The text without the heads and feet of its pages: page numbers by themselves, and lines by themselves that come again on other pages.
fn without_heads(text: &str) -> Cow<'_, str> {
    // One number of a page is as another.
    let shape = |line: &str| -> String {
        let line = line.trim();
        let foot = FOOT.find(line).map(|foot| foot.start());
        let bare = foot.and_then(|foot| line.get(..foot)).filter(|bare| bare.len() >= SHORTEST_HEAD).unwrap_or(line);
        bare.replace(|c: char| c.is_ascii_digit(), "0")
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
        let numbered = bare.contains(|c: char| c.is_ascii_digit());
        let again = || counts.get(&shape(bare)).is_some_and(|count| *count >= 2 && (*count * 2 >= pages || numbered));
        beside(at)
            && (is_page_number(bare)
                || number(at, bare)
                || short(bare) && (numbered || pages > 1) && again() && goes_on(&lines, at))
    };
    let mut gone: Vec<bool> =
        lines.iter().enumerate().map(|(at, line)| !line.trim().is_empty() && goes(at, line)).collect();
    // A head by itself between two lines of a sentence, or within a word.
    for at in 0..lines.len() {
        let divided = lines.get(at).is_some_and(|line| is_divided(line));
        if blank(Some(at)) || !(divided || is_amid_prose(&lines, at + 1)) {
            continue;
        }
        let begun = |line: &&str| line.trim_start().starts_with(char::is_lowercase);
        let Some(far) = lines.get(at + 1..).and_then(|rest| rest.iter().take(FAR).position(begun)) else { continue };
        let between = lines.get(at + 1..=at + far).unwrap_or_default();
        if is_furniture(between, divided) {
            for (gone, line) in gone.iter_mut().skip(at + 1).zip(between) {
                *gone |= !line.trim().is_empty();
            }
        }
    }
    if !gone.contains(&true) {
        return Cow::Borrowed(text);
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
    Cow::Owned(out.join("\n"))
}

/// The page number behind the words of a head: `Page 3 of 8`, `3/8`.
static FOOT: TextPattern = TextPattern::new(r"(?i)[\s|–-]+(?:page\s+|p\.\s*)?\d+(?:\s*(?:of|/)\s*\d+)?$");

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

/// Bytes of a line that can be a page's number.
const LONGEST_PAGE_NUMBER: usize = 60;

/// Whether a line is a page's number: `- 12 -`, `Page 3 of 8`.
fn is_page_number(line: &str) -> bool {
    if line.len() > LONGEST_PAGE_NUMBER {
        return false;
    }
    let lower = line.to_lowercase();
    let worded = lower.strip_prefix("page ").or_else(|| lower.strip_prefix("p. "));
    let rest = worded.unwrap_or(&lower);
    let bare: String =
        rest.replace(" of ", " ").chars().filter(|c| !matches!(c, '-' | '–' | '—' | '/' | '|' | ' ')).collect();
    let dashed = rest.starts_with(['-', '–', '—', '|']) && rest.ends_with(['-', '–', '—', '|']);
    (worded.is_some() || dashed) && (1..=8).contains(&bare.len()) && bare.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a hyphen behind a small letter ends a line.
fn is_divided(line: &str) -> bool {
    let head = line.trim_end().strip_suffix(['-', '‐', '\u{AD}', '¬']);
    head.is_some_and(|head| head.ends_with(char::is_lowercase))
}

/// Whether a line ends in a number with a hyphen: `2021-` above `22`.
fn is_counted(line: &str) -> bool {
    line.trim_end().strip_suffix('-').is_some_and(|head| head.ends_with(|c: char| c.is_ascii_digit()))
}

/// The text with the words whole that a line's end divides: the rest of a word moves up to its beginning.
fn joined(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut lines = text.split('\n').peekable();
    let mut kept: Option<&str> = None;
    while let Some(line) = kept.take().or_else(|| lines.next()) {
        out.push_str(line);
        let divided = is_divided(line);
        let counted = is_counted(line);
        let next = lines.clone().enumerate().find(|(_, next)| !divided || !next.trim().is_empty());
        let next = next.map(|(blanks, next)| (blanks, next.trim_start()));
        let whole = |next: &str| {
            divided && next.starts_with(char::is_lowercase) || counted && next.starts_with(|c: char| c.is_ascii_digit())
        };
        if let Some((blanks, next)) = next.filter(|(_, next)| whole(next)) {
            let end = next.find(char::is_whitespace).unwrap_or(next.len());
            let (word, rest) = next.split_at_checked(end).unwrap_or((next, ""));
            out.truncate(out.trim_end().len());
            if out.ends_with(['\u{AD}', '¬']) {
                out.pop();
            } else if divided {
                out.push(hyphens::DOUBT);
            }
            out.push_str(word);
            lines.nth(blanks);
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
        for page in [
            "00031:\tMR. BERG:  The gate was\n00032:\told.\n00033:\tMS. LIE:  No.",
            "MR. BERG: The gate was      31\nold.  32\nMS. LIE: No.   33",
            "00:01:02  31  MR. BERG:  The gate was\n00:01:04  32  old.\n00:01:05  33  MS. LIE:  No.",
            "31|MR. BERG:  The gate was\n32|old.\n33|MS. LIE:  No.",
            "24  MR. BERG:  The gate was\n      Berg - cross           17\n\n 1  old.\n 2  MS. LIE:  No.",
        ] {
            assert_eq!(unset(page).replace("  ", " "), "MR. BERG: The gate was\nold.\nMS. LIE: No.");
        }
        let court = "1  STATE v. Berg\n2\n3  AFFIDAVIT\n4\n5  Berg said: “They’re my\n6  Father’s and the\n7  Harbour’s and\n8  gone.”";
        assert_eq!(
            unset(court),
            "STATE v. Berg\n\nAFFIDAVIT\n\nBerg said: “They’re my\nFather’s and the\nHarbour’s and\ngone.”"
        );
        let pointed = "8. MR. BERG: The gate was very\n9. old, and the men\n10. had no oil.";
        assert_eq!(unset(pointed), "MR. BERG: The gate was very\nold, and the men\nhad no oil.");
        let fifth = "    The board may\n    shut its\n10  gate and\n    its door.";
        assert_eq!(unset(fifth), "    The board may\n    shut its\ngate and\n    its door.");
        for table in [
            "1. Berg: a gate and a door\n2. Lie: two doors\n3. none",
            "    1998\n5   gates\n    and doors\n",
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
        for head in ["\n3\n", "\n\nHarbour Board\n\n", "\n\nHarbour Board\n| 3\n\n", "\n\n"] {
            assert_eq!(
                unset(&format!("It shut the har-{head}bour in the years 2016-\n17.")),
                "It shut the harbour\nin the years 2016-17."
            );
        }
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
