//! A source that breaks off, and a draft that completes its sentence.
//!
//! Why: a recording stops, or a page is torn. Whoever completes the sentence invents the rest, and it reads as if the
//! source said it. It is reported only if nothing else in the sources completes it.

use crate::{reading::Stream, rules::prelude::*};

pub static RULE: Rule = Rule {
    name: "support.completed",
    kind: SpanKind::Support,
    standing: Standing::NotFound,
    concern_type: ConcernType::TruncationCompletion,
    why: "The source breaks off here; the draft completes the sentence.",
    source: "Nobody knows how a sentence ends if the source stops, or has a mark such as [inaudible].",
    ..Rule::USUAL
};

/// The draft's sentence is the same if it has so many of the last words before the break.
const WORDS: usize = 5;

/// Marks of what could not be heard or read, between bars.
const MARKS: &str = "inaudible|unintelligible|cut off|cuts off|breaks off|recording ends|recording stops|illegible";

/// If the sources break off more often than this, it is only the habit of whoever wrote them down.
const PLACES: usize = 64;

/// Enters every sentence that completes one that a source breaks off.
pub fn check(ledger: &mut LedgerWriter<'_, '_>) {
    let texts = ledger.texts;
    let broken: Vec<(SourceLine, Vec<&str>)> = broken(texts);
    if broken.is_empty() {
        return;
    }
    for Spot { field, index, item: line } in texts.sentences() {
        let tokens = field.reading.line_tokens(index);
        let place = broken.iter().find(|(_, words)| completes(tokens, words, &texts.stream)).map(|(place, _)| *place);
        let Some(place) = place.filter(|_| !ledger.taken(field, line.start, line.end)) else { continue };
        ledger.enter(Fault::new(&RULE, field, line.start..line.end).passage(texts.archive.sentence(place)).removable());
    }
}

/// Whether a sentence continues after the last words before a break, and no source does.
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

/// The places where the sources break off, with the last words there.
fn broken<'d>(texts: &'d ProofTexts<'_>) -> Vec<(SourceLine, Vec<&'d str>)> {
    let mut found = Vec::new();
    for (source, reading) in texts.archive.readings.iter().enumerate() {
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

/// Whether a text's last sentence is unfinished: it has no full stop, and is no heading or list item.
fn unfinished(reading: &ParsedText<'_>, line: usize) -> bool {
    let text = reading.line_text(line).trim_end_matches(['”', '"', '’', ')', ']', '*', '_', ' ']);
    let heading = reading.lines.get(line).is_some_and(|line| line.heading);
    let item = text.starts_with(['-', '•', '|', '*', '#', '>']);
    !heading && !item && !text.ends_with(['.', '!', '?', ':'])
}

/// The byte of a mark such as `[inaudible]` in a sentence that ends with it.
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
    (MARKS.split('|').any(|mark| inner.contains(mark)) && !head.ends_with(['.', '!', '?'])).then_some(start + open)
}

#[cfg(test)]
mod tests {
    use crate::testing::check_texts;

    fn rules(draft: &str, source: &str) -> Vec<String> {
        check_texts(draft, source).into_iter().map(|found| found.rule).collect()
    }

    #[test]
    fn what_breaks_off_is_not_written_to_its_end() {
        let torn = "The pump failed at dawn. The mayor has told the council that she will resign";
        let draft = "The mayor has told the council that she will resign in April over the pump.";
        assert_eq!(rules(draft, torn), ["support.completed"]);
        // A sentence that stops at the same place, or that another source completes, is not invented.
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
