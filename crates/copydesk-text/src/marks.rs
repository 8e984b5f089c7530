//! Where quotations stand: between double marks of any house and either direction, or single ones outside them. They may reach over several
//! paragraphs if each opens anew. Blocks that are set off with `>` count too. An apostrophe opens none.

use std::ops::Range;

/// Bytes in which a single mark must close, so that a text full of apostrophes costs no more than another.
const REACH: usize = 2_000;

/// The place of a text between two quotation marks.
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
pub fn quotations(text: &str) -> Vec<Quotation> {
    walk(text).0
}

/// The marks that close a quotation which none has opened, each with what stands before it in its paragraph.
pub fn unopened(text: &str) -> Vec<Range<usize>> {
    walk(text).1
}

fn walk(text: &str) -> (Vec<Quotation>, Vec<Range<usize>>) {
    let mut found: Vec<Quotation> = Vec::new();
    let (mut all, mut strays) = (Vec::new(), Vec::new());
    let mut start = 0;
    let mut paragraphs = split_paragraphs(text).peekable();
    while let Some(paragraph) = paragraphs.next() {
        let goes_on = mark_at(paragraph, paragraph.len() - paragraph.trim_start().len()).is_some();
        if let Some(last) = found.last_mut().filter(|last| goes_on && last.mark == QuoteMark::Open && last.end <= start)
        {
            last.mark = QuoteMark::Closed;
        }
        let before = found.len();
        let next = paragraphs.peek().is_some_and(|next| next.trim_start().starts_with('‘'));
        read(paragraph, start, next, &mut found, &mut strays);
        if found.len() == before {
            blocks(paragraph, start, &mut found);
        }
        for stray in strays.drain(..) {
            let behind = found.partition_point(|quotation| quotation.start < stray);
            let last = behind.checked_sub(1).and_then(|at| found.get_mut(at));
            match last {
                // The quotation of the paragraph before ends here, without a mark at this one's head.
                Some(last) if behind == before && last.mark == QuoteMark::Open => {
                    last.mark = QuoteMark::Closed;
                    found.insert(behind, Quotation { start, end: stray, mark: QuoteMark::Closed });
                }
                last => all.push(last.map_or(start, |last| last.end.max(start))..stray),
            }
        }
        start += paragraph.len();
    }
    (found, all)
}

/// A text between quotation marks, for a reader. Its own double marks become single ones, as print sets a quotation within a quotation; marks
/// of inches and pointed ones stay.
pub fn in_marks(text: &str) -> String {
    let mut said = String::with_capacity(text.len() + 6);
    said.push('“');
    let mut open = 0_u32;
    let mut before = ' ';
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let begins = before.is_whitespace() || "([{—–-“‘‚".contains(before);
        let after = rest.peek().copied().unwrap_or(' ');
        said.push(match c {
            '“' | '‟' | '❝' => '‘',
            '”' | '❞' => '’',
            '„' => '‚',
            '"' if begins && !after.is_whitespace() => {
                open += 1;
                '‘'
            }
            '"' if open > 0 => {
                open -= 1;
                '’'
            }
            c => c,
        });
        before = c;
    }
    said.push('”');
    said
}

/// Paragraphs with the blank lines that end them.
fn split_paragraphs(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
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
        (!paragraph.is_empty()).then_some(paragraph)
    })
}

/// A mark that can begin or end a quotation.
#[derive(Clone, Copy)]
struct QuotingMark {
    /// The mark of its family and side: `„`, `“`, `”`, `"`, `«`, `»`, `‹`, `›`, `‚`, `‘`, `’`, `'`, `` ` ``.
    sign: char,
    /// Its bytes.
    length: usize,
}

/// Marks that are set as two signs.
const TWOFOLD: [(&str, char); 7] =
    [("``", '"'), ("''", '"'), ("´´", '"'), ("‘‘", '"'), ("’’", '"'), ("‚‚", '„'), (",,", '„')];

/// The mark that stands at a byte of a text.
fn mark_at(text: &str, at: usize) -> Option<QuotingMark> {
    let rest = text.get(at..)?;
    let c = rest.chars().next()?;
    if c.is_ascii_alphanumeric() || c == ' ' {
        return None;
    }
    if let Some((written, sign)) = TWOFOLD.iter().find(|(written, _)| rest.starts_with(written)) {
        // Three are a fence of code or a rule, and two commas behind a word are a slip.
        let more = rest.get(written.len()..).is_some_and(|tail| tail.starts_with(c));
        let before = text.get(..at).and_then(|head| head.chars().next_back()).unwrap_or(' ');
        if !more && (c != ',' || before.is_whitespace()) {
            return Some(QuotingMark { sign: *sign, length: written.len() });
        }
    }
    let sign = match c {
        '“' | '‟' | '❝' => '“',
        '”' | '❞' => '”',
        '"' | '″' | '‶' | '＂' | '〃' | '˝' | '〝' | '〞' | '〟' => '"',
        '„' | '⹂' => '„',
        '«' | '「' | '『' => '«',
        '»' | '」' | '』' => '»',
        '‹' | '❮' => '‹',
        '›' | '❯' => '›',
        '‚' => '‚',
        '‘' | '‛' | '❛' => '‘',
        '`' => '`',
        '’' | '❜' | '´' => '’',
        '\'' | '′' | '‵' => '\'',
        _ => return None,
    };
    Some(QuotingMark { sign, length: c.len_utf8() })
}

/// Whether a mark can end what another began. `toward`: it stands behind a word and before none.
fn closes(opened: char, mark: char, toward: bool) -> bool {
    match opened {
        '„' => matches!(mark, '“' | '”' | '"') || mark == '„' && toward,
        '«' => mark == '»' || matches!(mark, '«' | '”' | '"') && toward,
        '»' => matches!(mark, '«') || mark == '»' && toward,
        '‹' => mark == '›' || mark == '‹' && toward,
        '›' => mark == '‹' || mark == '›' && toward,
        // House style sometimes mixes the marks, and a program may turn one the wrong way.
        '‘' => false,
        _ => matches!(mark, '”' | '"' | '»') || mark == '“' && toward,
    }
}

/// An opening mark that waits for its closing one.
struct Opened {
    start: usize,
    mark: char,
    /// Marks of the same kind that were opened inside.
    nested: usize,
}

/// Adds the quotations of a paragraph, and the marks that close none. `goes_on` says that the next one opens with a single mark.
fn read(paragraph: &str, offset: usize, goes_on: bool, found: &mut Vec<Quotation>, strays: &mut Vec<usize>) {
    let mut open: Option<Opened> = None;
    let mut from = 0;
    let next = |from: usize| {
        let mut at = from;
        loop {
            // Most signs of a text are letters and blanks.
            let rest = paragraph.as_bytes().get(at..)?;
            at += rest.iter().position(|byte| !byte.is_ascii_alphanumeric() && *byte != b' ')?;
            if let Some(mark) = mark_at(paragraph, at) {
                return Some((at, mark));
            }
            at += paragraph.get(at..)?.chars().next()?.len_utf8();
        }
    };
    while let Some((at, mark)) = next(from) {
        let c = mark.sign;
        from = at + mark.length;
        let before = paragraph.get(..at).and_then(|head| head.chars().next_back()).unwrap_or(' ');
        let after = paragraph.get(from..).and_then(|rest| rest.chars().next()).unwrap_or(' ');
        let apart = before.is_whitespace()
            || "([{—–-―*_/|>:".contains(before)
            || mark_at(paragraph, at - before.len_utf8().min(at)).is_some();
        let toward = !before.is_whitespace() && !after.is_alphanumeric();
        let word = !after.is_whitespace() && !",.;:!?)]".contains(after);
        match &mut open {
            Some(opened) => {
                let own = matches!(opened.mark, '“' | '”' | '"');
                if opened.nested > 0 && matches!(c, '”' | '»') {
                    opened.nested -= 1;
                } else if closes(opened.mark, c, toward) {
                    found.push(Quotation { start: offset + opened.start, end: offset + at, mark: QuoteMark::Closed });
                    open = None;
                } else if (c == '“' && own || c == '„' && opened.mark == c) && !before.is_alphanumeric() {
                    if c == '“' && closes_twice(paragraph.get(from..).unwrap_or_default()) {
                        opened.nested += 1;
                    } else {
                        // A second opening mark: the first was never closed.
                        let (start, end) = (offset + opened.start, offset + at);
                        found.push(Quotation { start, end, mark: QuoteMark::Open });
                        open = Some(Opened { start: from, mark: c, nested: 0 });
                    }
                }
            }
            None => match c {
                '‘' | '\'' | '’' | '‚' | '`' => {
                    if apart && let Some(end) = single(paragraph, at, mark, goes_on) {
                        found.push(Quotation {
                            start: offset + from,
                            end: offset + from + end,
                            mark: QuoteMark::Closed,
                        });
                        from += end;
                    } else if apart
                        && (c == '‘' || leads_up_to_speech(paragraph.get(..at).unwrap_or_default()))
                        && opens_single(paragraph.get(from..).unwrap_or_default())
                        && (c == '‘' || !closes_soon(paragraph.get(from..).unwrap_or_default()))
                    {
                        open = Some(Opened { start: from, mark: '‘', nested: 0 });
                    }
                }
                // A straight mark after a digit with none open is an inch; one that touches no word opens nothing.
                '"' | '”' | '»' | '›' | '“' if before.is_numeric() || !word || c != '"' && c != '“' && !apart => {
                    if toward && !before.is_numeric() && !apart && c != '›' {
                        strays.push(offset + at);
                    }
                }
                _ => open = Some(Opened { start: from, mark: c, nested: 0 }),
            },
        }
    }
    if let Some(Opened { start, .. }) = open {
        let end = offset + paragraph.trim_end().len();
        if end > offset + start {
            found.push(Quotation { start: offset + start, end, mark: QuoteMark::Open });
        }
    }
}

/// Whether a single mark before a text opens a sentence, so that it is no apostrophe: `‘We …`, not `‘Tis`.
fn opens_single(rest: &str) -> bool {
    let letters = rest.chars().take_while(|c| c.is_alphabetic()).count();
    let word = letters > 1 || rest.starts_with("I ") || rest.starts_with("A ");
    rest.starts_with(char::is_uppercase) && !elided(rest) && word
}

/// Whether a single mark stands behind one of the next two words: `'Siskiyou Source' Water`.
fn closes_soon(rest: &str) -> bool {
    rest.split_whitespace().take(2).any(|word| word.ends_with(['\'', '’']))
}

/// Whether a text leads up to somebody's words: `she said: `.
fn leads_up_to_speech(head: &str) -> bool {
    head.trim_end().ends_with([':', ','])
}

/// The bytes of what a single mark at a byte of a paragraph quotes.
fn single(paragraph: &str, at: usize, mark: QuotingMark, goes_on: bool) -> Option<usize> {
    let rest = paragraph.get(at + mark.length..)?;
    let head = mark.sign == '‘' && paragraph.get(..at)?.trim().is_empty();
    // ‘…' closes with a straight mark only if it does with no other.
    let straight = || if mark.sign == '‘' { single_end(rest, '\'') } else { None };
    match single_end(rest, mark.sign).or_else(straight) {
        Some(SingleEnd::Firm(end)) => Some(end),
        _ if head && goes_on => Some(rest.trim_end().len()),
        Some(SingleEnd::Weak(end)) => Some(end),
        None => None,
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
    let closing = |c: char| match mark {
        '‚' => matches!(c, '‘' | '’'),
        '`' => matches!(c, '\'' | '`' | '´' | '’'),
        '‘' => matches!(c, '’' | '‘' | '´'),
        '’' => matches!(c, '’' | '´'),
        _ => c == '\'' || c == '′',
    };
    if !rest.starts_with(|c: char| c.is_alphanumeric() || "“\"[(…£$€".contains(c)) {
        return None;
    }
    // "’90s" and "the class of ’98" are years.
    let year = rest.chars().take_while(char::is_ascii_digit).count() == 2;
    if year && (mark == '’' || rest.get(2..).is_some_and(|behind| behind.starts_with("s "))) {
        return None;
    }
    let short = year || elided(rest);
    let enough = |end: usize| {
        // A straight mark or a closing one is an apostrophe more often than not: it quotes if three words and more stand between two.
        !short
            && (matches!(mark, '‘' | '‚')
                || rest.get(..end).is_some_and(|quoted| quoted.split_whitespace().count() > 2))
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
            _ if closing(c) && !inner && !after.is_alphanumeric() && !before.is_whitespace() => {
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

    #[test]
    fn a_quotation_within_marks_has_single_ones() {
        for (text, shown) in [
            ("The dock burns", "“The dock burns”"),
            ("“The dock burns,” the clerk said.", "“‘The dock burns,’ the clerk said.”"),
            ("He said: \"No.\"", "“He said: ‘No.’”"),
            ("\"No,\" he said, \"never.\"", "“‘No,’ he said, ‘never.’”"),
            ("„Nein“, sagte er.", "“‚Nein‘, sagte er.”"),
            ("a 6\" board of the “Anna…", "“a 6\" board of the ‘Anna…”"),
            ("« Non », dit-il. It’s", "“« Non », dit-il. It’s”"),
            ("", "“”"),
        ] {
            assert_eq!(in_marks(text), shown);
        }
    }

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
    fn any_mark_quotes_whichever_way_it_is_turned() {
        for marked in [
            "He said ”it is late” twice.",
            "He said “it is late“ twice.",
            "He said „it is late\" twice.",
            "He said—”it is late”.",
            "He said ‹it is late› twice.",
            "He said ›it is late‹ twice.",
            "He said »it is late» twice.",
            "He said ‚it is late‘ twice.",
            "He said ’it is late’ twice.",
            "He said `it is late' twice.",
            "He said ″it is late″ twice.",
            "He said ``it is late'' twice.",
            "He said ,,it is late`` twice.",
            "He said ＂it is late＂ twice.",
            "He said 「it is late」 twice.",
            "He said ❝it is late❞ twice.",
        ] {
            assert_eq!(texts(marked), ["it is late"], "{marked}");
        }
        for none in [
            "a 6\" nail and a 5'10\" man",
            "a 6″ nail",
            "More » here » there",
            "late,, and ``` code ```",
            "It’s the dogs’ home, as ’twas.",
        ] {
            assert_eq!(texts(none), [""; 0], "{none}");
        }
    }

    #[test]
    fn a_mark_that_nothing_opened_is_told() {
        let told =
            |text: &'static str| unopened(text).into_iter().filter_map(|range| text.get(range)).collect::<Vec<_>>();
        assert_eq!(told("It is late,” he said. “Yes.”"), ["It is late,"]);
        assert_eq!(told("It is late\", he said."), ["It is late"]);
        assert!(quotations("Lawsuit: 'Siskiyou Source' Water Came From the Tap").is_empty(), "a name in a headline");
        for none in
            ["“It goes on.\n\nAnd it ends here,” he said.", "A 6\" nail, a 5½\" one and a 5'10\" man.", "More » here"]
        {
            assert_eq!(told(none), [""; 0], "{none}");
        }
        assert_eq!(texts("“It goes on.\n\nAnd it ends here,” he said."), ["It goes on.", "And it ends here,"]);
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
        assert_eq!(texts(text), ["It goes on about the workers’ union.", "And ends here,", "It"]);
        assert_eq!(quotations("‘It never closes.\n\nHe said so.").first().map(|q| q.mark), Some(QuoteMark::Open));
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
