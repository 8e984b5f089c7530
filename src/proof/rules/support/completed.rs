//! A source that breaks off, and a draft that knows how it goes on.
//!
//! Why: a recording stops, a page is torn; whoever writes the sentence to its end invents it, and it reads like a quotation of
//! the source. Only where nothing else in the sources says it to the end is it reported.

use crate::{
    newsroom::{ConcernType, SpanKind, Standing},
    proof::{
        ledger::{Fault, LedgerWriter},
        reading::{stream::Stream, text::ParsedText, token::Token},
        rule::{Gravity, Rule},
        sources::{
            archive::SourceLine,
            texts::{ProofTexts, Spot},
        },
    },
};

/// The rule.
pub static RULE: Rule = Rule {
    name: "support.completed",
    kind: SpanKind::Support,
    standing: Standing::NotFound,
    concern_type: ConcernType::TruncationCompletion,
    gravity: Gravity::Concern,
    why: "The source breaks off here; the draft completes the sentence.",
    source: "A sentence without an end, at the end of a source or before a mark such as [inaudible], has no known end.",
    measured: None,
};

/// The rules of this file.
pub static RULES: [&Rule; 1] = [&RULE];

/// Last words of what breaks off by which a draft's sentence is known to be the same; fewer are anybody's.
const WORDS: usize = 5;

/// Marks of what could not be heard or read.
const MARKS: &[&str] = &[
    "inaudible",
    "unintelligible",
    "cut off",
    "cuts off",
    "breaks off",
    "recording ends",
    "recording stops",
    "illegible",
];

/// More places than these at which the sources break off are a habit of who wrote them down.
const PLACES: usize = 64;

/// Enters every sentence that says to the end what a source does not.
pub fn check(ledger: &mut LedgerWriter<'_, '_>) {
    let desk = ledger.desk;
    let broken: Vec<(SourceLine, Vec<&str>)> = broken(desk);
    if broken.is_empty() {
        return;
    }
    for Spot { at, field, index, item: line } in desk.sentences() {
        let tokens = field.reading.line_tokens(index);
        let place = broken.iter().find(|(_, words)| completes(tokens, words, &desk.stream)).map(|(place, _)| *place);
        let Some(place) = place.filter(|_| !ledger.taken(at, line.start, line.end)) else { continue };
        ledger.enter(Fault::new(&RULE, at, line.start..line.end).passage(desk.archive.sentence(place)).removable());
    }
}

/// Whether a sentence goes on behind the last words of what breaks off, and no source does so.
fn completes(tokens: &[Token], words: &[&str], stream: &Stream) -> bool {
    let starts = tokens
        .windows(words.len())
        .position(|window| window.iter().zip(words).all(|(token, word)| token.word.as_str() == *word));
    let Some(behind) = starts.and_then(|at| tokens.get(at + words.len()..)) else { return false };
    let brings = behind.iter().filter(|token| !token.stop).count();
    let next = words.iter().copied().chain(behind.iter().take(1).map(|token| token.word.as_str()));
    let needle: Vec<u32> = next.map(|word| stream.look_up(word)).collect();
    brings >= 2 && stream.find(&[needle], 1).is_empty()
}

/// Where the sources break off, with the last words there.
fn broken<'d>(desk: &'d ProofTexts<'_>) -> Vec<(SourceLine, Vec<&'d str>)> {
    let mut found = Vec::new();
    for (source, reading) in desk.archive.readings.iter().enumerate() {
        let ends = reading.lines.len().checked_sub(1).filter(|last| unfinished(reading, *last));
        let marked = (0..reading.lines.len()).filter(|line| mark(reading, *line).is_some());
        for line in marked.chain(ends).take(PLACES) {
            let end = mark(reading, line).unwrap_or(usize::MAX);
            let tokens: Vec<&str> = reading
                .line_tokens(line)
                .iter()
                .filter(|token| !token.aside() && token.end <= end)
                .map(|token| token.word.as_str())
                .collect();
            if let Some(words) = tokens.len().checked_sub(WORDS).and_then(|from| tokens.get(from..)) {
                found.push((SourceLine { source, line }, words.to_vec()));
            }
        }
    }
    found.dedup();
    found
}

/// Whether a text's last sentence has no end: no stop, and no heading or line of a list either.
fn unfinished(reading: &ParsedText<'_>, line: usize) -> bool {
    let text = reading.line_text(line).trim_end_matches(['”', '"', '’', ')', ']', '*', '_', ' ']);
    let heading = reading.lines.get(line).is_some_and(|line| line.heading);
    let item = text.starts_with(['-', '•', '|', '*', '#', '>']);
    !heading && !item && !text.ends_with(['.', '!', '?', ':'])
}

/// Where a mark of what could not be heard stands in a sentence that ends with it, as a byte of the text.
fn mark(reading: &ParsedText<'_>, line: usize) -> Option<usize> {
    let start = reading.lines.get(line)?.start;
    let written = reading.line_text(line);
    if !written.ends_with([']', ')', '.', '”', '"', ' ']) || !written.contains(['[', '(']) {
        return None;
    }
    let text = written.to_ascii_lowercase();
    let open = text.rfind(['[', '('])?;
    let inner = text.get(open + 1..)?.trim_end_matches(['.', '”', '"', ' ']);
    let inner = inner.strip_suffix([']', ')'])?;
    let head = text.get(..open)?.trim_end();
    (MARKS.iter().any(|mark| inner.contains(mark)) && !head.ends_with(['.', '!', '?'])).then_some(start + open)
}

#[cfg(test)]
mod tests {
    use crate::proof::trial::check_texts;

    fn rules(draft: &str, source: &str) -> Vec<String> {
        check_texts(draft, source).into_iter().map(|found| found.rule).collect()
    }

    #[test]
    fn what_breaks_off_is_not_written_to_its_end() {
        let torn = "The pump failed at dawn. The mayor has told the council that she will resign";
        let draft = "The mayor has told the council that she will resign in April over the pump.";
        assert_eq!(rules(draft, torn), ["support.completed"]);
        // Repeated as far as it goes, or said to the end elsewhere, it is no invention.
        assert_eq!(rules("The mayor has told the council that she will resign.", torn), [""; 0]);
        let whole = format!("The mayor has told the council that she will resign in April over the pump.\n\n{torn}");
        assert_eq!(rules(draft, &whole), [""; 0]);
        assert_eq!(rules(draft, &format!("{torn}.")), [""; 0]);
    }

    #[test]
    fn what_could_not_be_heard_is_not_known() {
        let heard = "VOSS: The repair of the old pump will cost us about [inaudible]\n\nTULL: Thank you.";
        let draft = "The repair of the old pump will cost us about a new roof and a boat.";
        assert_eq!(rules(draft, heard), ["support.completed"]);
        assert_eq!(rules("The repair of the old pump will be dear.", heard), [""; 0]);
    }

    #[test]
    fn a_heading_or_a_list_at_the_end_breaks_nothing_off() {
        let list = "The fair opens.\n\n- Bread from the mill on the old quay";
        assert_eq!(rules("There is bread from the mill on the old quay and soup for dogs.", list), [""; 0]);
    }
}
