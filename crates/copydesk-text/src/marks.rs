//! Where quotations stand: between double marks of any house, or single ones outside them, over several paragraphs if each
//! opens anew; and in blocks that are set off with `>`. An apostrophe opens none.

/// Double quotation marks.
const DOUBLE: [char; 6] = ['“', '”', '"', '„', '«', '»'];

/// Marks that can open a quotation or close a double one.
const ANY: [char; 8] = ['“', '”', '"', '„', '«', '»', '‘', '\''];

/// Bytes in which a single mark must close, so that a text full of apostrophes costs no more than another.
const REACH: usize = 2_000;

/// What stands between two quotation marks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quotation {
    /// First byte after the opening mark.
    pub start: usize,
    /// The closing mark's first byte, or the paragraph's end if no mark closes.
    pub end: usize,
    /// How it ends.
    pub mark: QuoteMark,
}

/// How a quotation is set off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuoteMark {
    /// By a mark at its end, or by one at the head of the paragraph in which it goes on.
    Closed,
    /// By nothing: its mark never closes.
    Open,
    /// As a block, without marks.
    Block,
}

/// The quotations of `text`, in order. A paragraph that ends with its quotation open and is followed by one that opens
/// again goes on, as house style has it; each paragraph is one quotation here.
#[must_use]
pub fn quotations(text: &str) -> Vec<Quotation> {
    let mut found: Vec<Quotation> = Vec::new();
    let mut start = 0;
    let mut paragraphs = split_paragraphs(text).peekable();
    while let Some(paragraph) = paragraphs.next() {
        let goes_on = paragraph.trim_start().starts_with(['“', '"', '„', '«', '‘']);
        if let Some(last) = found.last_mut().filter(|last| goes_on && last.mark == QuoteMark::Open && last.end <= start)
        {
            last.mark = QuoteMark::Closed;
        }
        let before = found.len();
        let next = paragraphs.peek().is_some_and(|next| next.trim_start().starts_with('‘'));
        read(paragraph, start, next, &mut found);
        if found.len() == before {
            blocks(paragraph, start, &mut found);
        }
        start += paragraph.len();
    }
    found
}

/// Paragraphs with the blank lines that end them.
fn split_paragraphs(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (mut end, mut seen) = (0, false);
        for line in rest.split_inclusive('\n') {
            end += line.len();
            let blank = line.trim().is_empty();
            if blank && seen {
                break;
            }
            seen |= !blank;
        }
        let (paragraph, tail) = rest.split_at_checked(end)?;
        rest = tail;
        Some(paragraph)
    })
}

/// An opening mark that waits for its closing one.
struct Opened {
    start: usize,
    mark: char,
    /// Marks of the same kind that were opened inside.
    nested: usize,
}

/// Adds the quotations of a paragraph. `goes_on` says that the next one opens with a single mark.
fn read(paragraph: &str, offset: usize, goes_on: bool, found: &mut Vec<Quotation>) {
    let mut open: Option<Opened> = None;
    let mut from = 0;
    // Inside double marks, single ones are a quotation's own affair.
    let next = |from: usize, inside: bool| {
        let rest = paragraph.get(from..)?;
        let at = if inside { rest.find(DOUBLE) } else { rest.find(ANY) }?;
        let c = rest.get(at..)?.chars().next()?;
        Some((from + at, c))
    };
    while let Some((at, c)) = next(from, open.is_some()) {
        from = at + c.len_utf8();
        let before = paragraph.get(..at).and_then(|head| head.chars().next_back()).unwrap_or(' ');
        let after = paragraph.get(from..).and_then(|rest| rest.chars().next()).unwrap_or(' ');
        let begin = |start: usize| Some(Opened { start, mark: c, nested: 0 });
        let closed = |start: usize| Quotation { start: offset + start, end: offset + at, mark: QuoteMark::Closed };
        match (c, &mut open) {
            // A straight mark after a digit with none open is an inch; one that touches no word opens nothing.
            ('"', None) if before.is_ascii_digit() || after.is_whitespace() => {}
            ('“' | '"' | '„' | '«' | '»', None) => open = begin(at + c.len_utf8()),
            ('‘' | '\'', None) if before.is_whitespace() || "([—–-*_".contains(before) => {
                let rest = paragraph.get(from..).unwrap_or_default();
                let head = c == '‘' && paragraph.get(..at).is_some_and(|head| head.trim().is_empty());
                let end = match single_end(rest, c) {
                    Some(SingleEnd::Firm(end)) => Some(end),
                    _ if head && goes_on => Some(rest.trim_end().len()),
                    Some(SingleEnd::Weak(end)) => Some(end),
                    None => None,
                };
                if let Some(end) = end {
                    let start = offset + from;
                    found.push(Quotation { start, end: start + end, mark: QuoteMark::Closed });
                    from += end;
                }
            }
            ('”' | '"' | '»', Some(opened)) if opened.nested > 0 && c != '"' => opened.nested -= 1,
            // »…« opens the other way round, and German marks close with what opens an English quotation.
            ('«', Some(opened)) if opened.mark == '»' => {
                found.push(closed(opened.start));
                open = None;
            }
            ('“', Some(opened)) if opened.mark == '„' => {
                found.push(closed(opened.start));
                open = None;
            }
            // House style sometimes mixes the marks; a curly closing mark closes a straight one, and the reverse.
            ('”' | '»' | '"', Some(opened)) if c != opened.mark || c == '"' => {
                found.push(closed(opened.start));
                open = None;
            }
            ('“', Some(opened)) if !before.is_alphanumeric() && opened.mark == '“' => {
                if closes_twice(paragraph.get(at + c.len_utf8()..).unwrap_or_default()) {
                    opened.nested += 1;
                } else {
                    // A second opening mark: the first was never closed.
                    found.push(Quotation { mark: QuoteMark::Open, ..closed(opened.start) });
                    open = begin(at + c.len_utf8());
                }
            }
            _ => {}
        }
    }
    if let Some(Opened { start, .. }) = open {
        let end = offset + paragraph.trim_end().len();
        if end > offset + start {
            found.push(Quotation { start: offset + start, end, mark: QuoteMark::Open });
        }
    }
}

/// Whether what follows a second opening mark closes both before a third one opens.
fn closes_twice(rest: &str) -> bool {
    rest.chars().filter(|c| matches!(c, '“' | '”')).take(2).collect::<Vec<char>>() == ['”', '”']
}

/// Bytes up to the single mark that closes a quotation.
enum SingleEnd {
    Firm(usize),
    /// It can be an apostrophe, too: `the teachers’ vote`, `nothin’ doing`.
    Weak(usize),
}

/// The place at which a single mark closes that may have opened a quotation; none if it was an apostrophe.
fn single_end(rest: &str, mark: char) -> Option<SingleEnd> {
    let close = if mark == '‘' { '’' } else { '\'' };
    if !rest.starts_with(|c: char| c.is_alphanumeric() || "“\"[(…£$€".contains(c)) {
        return None;
    }
    // "’90s" and "the class of ’98" are years.
    let year = rest.chars().take_while(char::is_ascii_digit).count() == 2;
    let short = year || elided(rest);
    let enough = |end: usize| {
        // A straight mark is an apostrophe more often than not: it quotes if three words and more stand between two.
        !short && (mark == '‘' || rest.get(..end).is_some_and(|quoted| quoted.split_whitespace().count() > 2))
    };
    let (mut weak, mut inner, mut before) = (None, false, ' ');
    let mut chars = rest.char_indices().take_while(|(at, _)| *at < REACH).peekable();
    while let Some((at, c)) = chars.next() {
        let after = chars.peek().map_or(' ', |&(_, next)| next);
        let behind = rest.get(at + c.len_utf8()..).unwrap_or_default();
        let opens = c == mark && (before.is_whitespace() || before == '(') && after.is_alphabetic();
        if !inner && opens && !elided(behind) {
            break;
        }
        match c {
            '“' => inner = true,
            '”' => inner = false,
            '"' => inner = !inner,
            _ if c == close && !inner && !after.is_alphanumeric() && !before.is_whitespace() => {
                if !before.is_alphanumeric() {
                    return Some(SingleEnd::Firm(at));
                }
                let apostrophe = rest.get(..at).is_some_and(clipped);
                if !apostrophe || weak.is_none() && !behind.trim_start().starts_with(char::is_alphabetic) {
                    return enough(at).then_some(SingleEnd::Firm(at));
                }
                weak = weak.or(Some(at));
            }
            _ => {}
        }
        before = c;
    }
    weak.filter(|end| enough(*end)).map(SingleEnd::Weak)
}

/// Whether an apostrophe can follow the last word: that of a genitive, or of a letter left out.
fn clipped(head: &str) -> bool {
    let word = head.rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    word.ends_with('s') || word.len() > 3 && word.ends_with("in") || matches!(word, "o" | "an" | "th" | "ol")
}

/// Words that begin with an apostrophe: `'em`, `'tis`, `'n'`.
fn elided(rest: &str) -> bool {
    let word: String = rest.chars().take_while(|c| c.is_alphabetic()).collect::<String>().to_lowercase();
    matches!(
        word.as_str(),
        "em" | "tis" | "twas" | "n" | "til" | "till" | "cause" | "cos" | "bout" | "round" | "im" | "er" | "ere" | "s"
    )
}

/// Lines that are set off with `>`, each run of them one quotation; a last line that begins with a dash names the speaker.
fn blocks(paragraph: &str, offset: usize, found: &mut Vec<Quotation>) {
    let mut at = 0;
    let mut block: Option<(usize, usize)> = None;
    for line in paragraph.split_inclusive('\n') {
        let own = line.trim_start();
        let inner = own.strip_prefix('>').map(|rest| rest.trim_start_matches(['>', ' ']).trim_end());
        let start = at + line.len() - own.len();
        match inner.filter(|inner| !inner.is_empty() && !inner.starts_with(['—', '–', '-', '[', '#', '*'])) {
            Some(inner) => {
                let end = start + own.trim_end().len();
                let first = end - inner.len();
                block = Some((block.map_or(first, |(first, _)| first), end));
            }
            None => found.extend(block.take().map(|block| quoted(block, offset))),
        }
        at += line.len();
    }
    found.extend(block.map(|block| quoted(block, offset)));
}

fn quoted((start, end): (usize, usize), offset: usize) -> Quotation {
    Quotation { start: offset + start, end: offset + end, mark: QuoteMark::Block }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        quotations(text).into_iter().filter_map(|q| text.get(q.start..q.end)).collect()
    }

    #[test]
    fn curly_and_straight_marks_quote() {
        assert_eq!(texts("“One,” she said. \"Two.\" A 6\" nail."), ["One,", "Two."]);
    }

    #[test]
    fn marks_of_other_houses_quote() {
        assert_eq!(
            texts("„Eins“, sagte er. „Zwei”. « Trois », dit-il. »Vier« und »fünf«."),
            ["Eins", "Zwei", " Trois ", "Vier", "fünf"]
        );
    }

    #[test]
    fn an_unclosed_quotation_ends_with_its_paragraph() {
        assert_eq!(texts("“It goes on.\n\n“And ends here,” he said."), ["It goes on.", "And ends here,"]);
        let marks = |text: &str| quotations(text).into_iter().map(|q| q.mark).collect::<Vec<_>>();
        assert_eq!(marks("“It goes on.\n\n“And ends here,” he said."), [QuoteMark::Closed, QuoteMark::Closed]);
        assert_eq!(marks("“It never closes.\n\nHe said so."), [QuoteMark::Open]);
        assert_eq!(marks("“One. “Two.”"), [QuoteMark::Open, QuoteMark::Closed]);
    }

    #[test]
    fn what_is_quoted_inside_a_quotation_is_part_of_it() {
        assert_eq!(texts("“She said “no” to me,” he said."), ["She said “no” to me,"]);
        assert_eq!(texts("“She said ‘no’ to me,” he said."), ["She said ‘no’ to me,"]);
    }

    #[test]
    fn single_marks_quote_where_no_double_ones_do() {
        assert_eq!(
            texts("‘It’s the teachers’ vote,’ he said of the ‘rich’ ’90s. She voted ‘not once’."),
            ["It’s the teachers’ vote,", "rich", "not once"]
        );
        assert_eq!(
            texts("'We don't know yet,' he said. 'Tis the dogs' rock 'n' roll of the '90s."),
            ["We don't know yet,"]
        );
        assert_eq!(texts("the dogs' and the cats' homes"), [""; 0]);
    }

    #[test]
    fn single_marks_quote_outside_double_ones() {
        for (text, quoted) in [
            ("‘He said “no” to me,’ she said. “Yes,” he said.", &["He said “no” to me,", "Yes,"][..]),
            ("'He said \"no\" to me,' she said of the 'gin'. 'Stop!' he cried.", &["He said \"no\" to me,", "Stop!"]),
            (
                "‘It’s the workers’ union that won’t go,’ she said. ‘20 of us did.’",
                &["It’s the workers’ union that won’t go,", "20 of us did."],
            ),
            ("‘There’s nothin’ doing in the dogs’ home,’ he said.", &["There’s nothin’ doing in the dogs’ home,"]),
            ("'We saw the dogs' home' and 'left it at once'.", &["We saw the dogs' home", "left it at once"]),
            ("‘“No” is no word,’ she said.", &["“No” is no word,"]),
            ("the workers' union \"won't\" go, says 'em all in '98, in the '90s 'til noon, o' course", &["won't"]),
            ("the workers’ union “won’t” go in ’98, or the ’90s, said the dogs’ home", &["won’t"]),
            ("He said “they ‘won’t’ go” to the men’s home.", &["they ‘won’t’ go"]),
        ] {
            assert_eq!(texts(text), quoted, "{text}");
        }
    }

    #[test]
    fn a_quotation_in_single_marks_goes_on_in_the_next_paragraph() {
        let text = "‘It goes on about the workers’ union.\n\n‘And ends here,’ he said. ‘It";
        assert_eq!(texts(text), ["It goes on about the workers’ union.", "And ends here,"]);
        assert_eq!(texts("‘It never closes.\n\nHe said so."), [""; 0]);
        assert_eq!(texts("‘It closes,’ he said.\n\n‘It does,’ she said."), ["It closes,", "It does,"]);
    }

    #[test]
    fn a_block_is_a_quotation() {
        assert_eq!(
            texts("He wrote:\n\n> We vote on\n> Thursday.\n> — Voss\n\nThen:\n\n> “So it is,” he said.\n"),
            ["We vote on\n> Thursday.", "So it is,"]
        );
    }

    #[test]
    fn however_many_marks_there_are_each_is_read_once() {
        let apart = |text: &str| {
            let mut last = 0;
            for found in quotations(text) {
                assert!(last <= found.start && found.start <= found.end && found.end <= text.len(), "{found:?}");
                last = found.end;
            }
        };
        // Code that takes the square of a text's length would not come to an end here; single marks are looked at as
        // far as they reach.
        for marks in ["“", "“a ", "“a” ", "“a “b” c” ", "„a ", "«a ", "»a ", "\"a ", "> a\n"] {
            apart(&marks.repeat(200_000));
        }
        for marks in ["‘a ", "'a ", "’a ", "a' "] {
            apart(&marks.repeat(5_000));
        }
        apart(&format!("{}no{}", "“a ".repeat(200_000), " b”".repeat(200_000)));
    }

    #[test]
    fn a_single_mark_closes_within_its_reach() {
        let said = |length: usize| format!("‘{}’", "a".repeat(length));
        assert_eq!(quotations(&said(REACH - 1)).len(), 1);
        assert_eq!(quotations(&said(REACH)), []);
    }
}
