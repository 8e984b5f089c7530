//! Quotations: what stands between quotation marks was said so, word for word, and by the one who is named.
//!
//! Why: a quotation is a promise to the reader that these are the words. Case, white space, typography and the
//! punctuation between words are the newsroom's; the words are the speaker's.

use std::ops::Range;

use crate::newsroom::{ConcernType, SpanKind, Standing};

use super::{
    archive::{Place, Stand},
    desk::{Desk, Found, Ledger, Sound},
    reading::Reading,
    rules::{Gravity, Rule},
    stream::{Lexicon, Resemblance, Stream},
    token::Token,
    voices,
};

/// Words that the source has otherwise.
pub(super) static ALTERED: Rule = Rule {
    name: "quotation.altered",
    kind: SpanKind::Quotation,
    standing: Standing::Altered,
    concern_type: ConcernType::UnsupportedFact,
    gravity: Gravity::Block,
    why: "The source has other words here.",
    source: "Case, white space, typographic marks and Markdown may differ, and what an ellipsis or brackets leave out; the words may not.",
    measured: None,
};

/// Words that nobody said.
pub(super) static NOT_FOUND: Rule = Rule {
    name: "quotation.not_found",
    kind: SpanKind::Quotation,
    standing: Standing::NotFound,
    concern_type: ConcernType::UnsupportedFact,
    gravity: Gravity::Block,
    why: "These words stand in no source; nobody there said them.",
    source: "What stands between quotation marks is a promise that these are the words.",
    measured: None,
};

/// The rules of this file.
pub(super) static RULES: [&Rule; 2] = [&ALTERED, &NOT_FOUND];

/// Fewer words than these between marks are a title, a term or irony.
const FEWEST: usize = 3;

/// Furthest that two fragments around an ellipsis may stand apart, in words.
const LEAP: usize = 250;

/// The sources as streams of words.
pub(super) struct Record {
    lexicon: Lexicon,
    /// For each source: everything, and without interrupting attributions.
    streams: Vec<[Stream; 2]>,
}

impl Record {
    pub fn new(desk: &Desk<'_>) -> Self {
        let mut lexicon = Lexicon::default();
        let streams = desk
            .archive
            .readings
            .iter()
            .map(|reading| [Stream::uninterrupted(reading, &mut lexicon), Stream::whole(reading, &mut lexicon)])
            .collect();
        Self { lexicon, streams }
    }

    fn needle(&self, tokens: &[Token]) -> Vec<u32> {
        // As the streams have them: a speaker's label is nobody's words.
        tokens.iter().filter(|token| !token.aside()).map(|token| self.lexicon.look_up(&token.word)).collect()
    }

    /// Where all fragments stand in order in one source, each word for word.
    pub fn find(&self, fragments: &[&[Token]]) -> Vec<Stand> {
        let needles: Vec<Vec<u32>> = fragments.iter().map(|tokens| self.needle(tokens)).collect();
        let Some((first, rest)) = needles.split_first() else { return Vec::new() };
        let mut stands = Vec::new();
        for (source, streams) in self.streams.iter().enumerate() {
            for stream in streams {
                for start in stream.find(first, 0, 8) {
                    let mut end = start.end;
                    let all = rest.iter().all(|needle| {
                        let next = stream.find(needle, end, 1).into_iter().next().filter(|r| r.start - end <= LEAP);
                        end = next.as_ref().map_or(end, |range| range.end);
                        next.is_some()
                    });
                    if let (true, Some(a), Some(b)) = (all, stream.token(start.start), stream.token(end - 1)) {
                        stands.push(Stand { source, tokens: a..b + 1 });
                    }
                }
                if !stands.is_empty() {
                    break;
                }
            }
        }
        stands
    }

    /// The passage that resembles the words most: source, stream, resemblance.
    fn closest(&self, tokens: &[Token]) -> Option<(usize, usize, Resemblance)> {
        let needle = self.needle(tokens);
        let mut best: Option<(usize, usize, Resemblance)> = None;
        for (source, streams) in self.streams.iter().enumerate() {
            for (which, stream) in streams.iter().enumerate() {
                let Some(found) = stream.closest(&needle) else { continue };
                if best.as_ref().is_none_or(|(_, _, held)| found.agreeing > held.agreeing) {
                    best = Some((source, which, found));
                }
            }
        }
        best
    }
}

/// Enters every quotation that no source carries, and every one that is given to the wrong speaker.
pub(super) fn check(ledger: &mut Ledger<'_, '_>) {
    let desk = ledger.desk;
    let record = Record::new(desk);
    for (at, field) in desk.fields.iter().enumerate() {
        for (index, quotation) in field.reading.quotations.iter().enumerate() {
            let range = quotation.start..quotation.end;
            let words = field.reading.between(range.start, range.end).iter().filter(|token| !token.aside());
            if words.count() < FEWEST {
                ledger.pass(|| Sound {
                    kind: SpanKind::Quotation,
                    standing: Standing::Unchecked,
                    rule: "quotation.term",
                    field: at,
                    start: range.start,
                    end: range.end,
                    passage: None,
                });
                continue;
            }
            let stands = record.find(&fragments(&field.reading, range.clone()));
            if stands.is_empty() {
                let mut pieces = sentences(&field.reading, range.clone());
                pieces.retain(|piece| {
                    let fragments = fragments(&field.reading, piece.clone());
                    !fragments.is_empty() && record.find(&fragments).is_empty()
                });
                if pieces.is_empty() {
                    pieces.push(range);
                }
                for piece in pieces {
                    ledger.enter(judge(desk, &record, at, piece));
                }
            } else {
                ledger.pass(|| carried(desk, at, range, &stands));
                voices::check(ledger, at, index, &stands);
            }
        }
    }
}

/// A quotation that a source has: how it has it, and where.
fn carried(desk: &Desk<'_>, field: usize, range: Range<usize>, stands: &[Stand]) -> Sound {
    let passage = stands.first().and_then(|stand| {
        let reading = desk.archive.readings.get(stand.source)?;
        let (first, last) = (reading.tokens.get(stand.tokens.start)?, reading.tokens.get(stand.tokens.end - 1)?);
        Some((desk.archive.span(stand.source, first.start, last.end)?, reading.line_at(first.start), stand.source))
    });
    let reading = desk.fields.get(field).map(|field| &field.reading);
    let pieces = reading.map_or(0, |reading| fragments(reading, range.clone()).len());
    let words = |text: &str| text.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let said = reading.map(|reading| words(reading.slice(range.clone()))).unwrap_or_default();
    let standing = match &passage {
        _ if pieces > 1 => Standing::Elided,
        Some((span, line, source)) if words(&span.text) == said => {
            let sentence = desk.archive.sentence(Place { source: *source, line: *line });
            let whole = sentence.is_some_and(|sentence| words(&sentence.text).len() <= said.len());
            if whole { Standing::Verbatim } else { Standing::Partial }
        }
        _ => Standing::Normalised,
    };
    Sound {
        kind: SpanKind::Quotation,
        standing,
        rule: "quotation.carried",
        field,
        start: range.start,
        end: range.end,
        passage: passage.map(|(span, ..)| span),
    }
}

/// The stretches between ellipses and bracketed insertions, without empty ones.
fn fragments<'r>(reading: &'r Reading<'_>, range: Range<usize>) -> Vec<&'r [Token]> {
    let text = reading.text.get(range.clone()).unwrap_or_default();
    let mut cuts = vec![range.start];
    let mut chars = text.char_indices().peekable();
    let mut bracket = None;
    while let Some((at, c)) = chars.next() {
        let place = range.start + at;
        match c {
            '…' => cuts.extend([place, place]),
            '.' if text.get(at..).is_some_and(|rest| rest.starts_with("...") || rest.starts_with(". . .")) => {
                cuts.extend([place, place]);
                while chars.peek().is_some_and(|&(_, c)| matches!(c, '.' | ' ')) {
                    chars.next();
                }
            }
            '[' => bracket = Some(place),
            ']' => {
                if let Some(open) = bracket.take() {
                    cuts.extend([open, place]);
                }
            }
            _ => {}
        }
    }
    cuts.push(range.end);
    let found: Vec<&[Token]> = cuts
        .chunks(2)
        .filter_map(|pair| match pair {
            [start, end] => Some(reading.between(*start, *end)),
            _ => None,
        })
        .filter(|tokens| tokens.iter().any(|token| !token.aside()))
        .collect();
    found
}

/// The sentences of a quotation, as byte ranges.
fn sentences(reading: &Reading<'_>, range: Range<usize>) -> Vec<Range<usize>> {
    let text = reading.text.get(range.clone()).unwrap_or_default();
    crate::text::sentences::sentences(text).into_iter().map(|s| range.start + s.start..range.start + s.end).collect()
}

/// What is to be said of words that no source carries as they stand.
fn judge(desk: &Desk<'_>, record: &Record, field: usize, piece: Range<usize>) -> Found {
    let mut found = Found {
        kind: None,
        rule: &NOT_FOUND,
        field,
        start: piece.start,
        end: piece.end,
        note: NOT_FOUND.why.to_owned(),
        passage: None,
        replacement: None,
    };
    let Some(reading) = desk.fields.get(field).map(|field| &field.reading) else { return found };
    let tokens = reading.between(piece.start, piece.end);
    let Some((source, which, near)) = record.closest(tokens) else { return found };
    let content = tokens.iter().filter(|token| !token.stop).count().max(1);
    let long = near.range.len() > tokens.len() * 2 + 4;
    // Fillers agree with anything: more than half of the words, and at least three of them.
    let enough = near.agreeing * 100 >= tokens.len() * 58 && near.agreeing >= content.min(3);
    if long || !enough {
        return found;
    }
    let Some(stretch) = stretch(desk, record, source, which, &near) else { return found };
    let Some(archive) = desk.archive.readings.get(source) else { return found };
    let text = reading.text.get(piece.clone()).unwrap_or_default();
    found.rule = &ALTERED;
    ALTERED.why.clone_into(&mut found.note);
    found.passage = match (stretch.first(), stretch.last()) {
        (Some(first), Some(last)) => {
            let tokens = (archive.tokens.get(*first), archive.tokens.get(*last));
            if let (Some(first), Some(last)) = tokens { desk.archive.span(source, first.start, last.end) } else { None }
        }
        _ => None,
    };
    // A fragment within the draft's own sentence has no whole sentence's room, and an elision none for what was left out.
    let opens = text.chars().next().is_some_and(char::is_uppercase);
    let whole = opens && fragments(reading, piece.clone()).len() == 1;
    let room = stretch.len() <= tokens.len() * 2 + 2;
    let words = own_words(archive, &stretch);
    let stop = stretch.last().and_then(|last| archive.tokens.get(*last)).map_or("", |last| {
        archive.text.get(last.end..).and_then(|tail| tail.get(..1)).filter(|c| matches!(*c, "?" | "!")).unwrap_or("")
    });
    let words = if whole && room { dress(&words, stop, reading, &piece) } else { String::new() };
    found.replacement = Some(if words == text { String::new() } else { words });
    found
}

/// The reading's words that the quotation should have: the resembling stretch, and around it all that belongs to its
/// sentence within the marks, so that no sentence is cut before its end.
fn stretch(desk: &Desk<'_>, record: &Record, source: usize, which: usize, near: &Resemblance) -> Option<Vec<usize>> {
    let stream = record.streams.get(source)?.get(which)?;
    let reading = desk.archive.readings.get(source)?;
    let belongs = |place: usize, to: usize| {
        let (Some(a), Some(b)) = (
            stream.token(place).and_then(|at| reading.tokens.get(at)),
            stream.token(to).and_then(|at| reading.tokens.get(at)),
        ) else {
            return false;
        };
        a.line == b.line && a.quoted() == b.quoted()
    };
    let (mut start, mut end) = (near.range.start, near.range.end);
    while start > 0 && belongs(start - 1, start) {
        start -= 1;
    }
    while belongs(end, end - 1) {
        end += 1;
    }
    (start..end).map(|place| stream.token(place)).collect()
}

/// The source's text for some of its words, in one line; where words were left out between, the pieces are joined.
fn own_words(reading: &Reading<'_>, tokens: &[usize]) -> String {
    let mut pieces: Vec<Range<usize>> = Vec::new();
    let mut last: Option<usize> = None;
    for &index in tokens {
        let Some(token) = reading.tokens.get(index) else { continue };
        match pieces.last_mut() {
            Some(piece) if last.is_some_and(|last| last + 1 == index) => piece.end = token.end,
            Some(piece) => {
                // What ends the piece before: its comma or stop, not the mark.
                let tail = reading.text.get(piece.end..).unwrap_or_default();
                piece.end += tail
                    .chars()
                    .take_while(|c| matches!(c, ',' | '.' | '!' | '?' | ';'))
                    .map(char::len_utf8)
                    .sum::<usize>();
                pieces.push(token.start..token.end);
            }
            None => pieces.push(token.start..token.end),
        }
        last = Some(index);
    }
    let text: Vec<&str> = pieces.into_iter().map(|piece| reading.slice(piece)).collect();
    let text = text.join(" ").replace(['“', '”', '"'], "");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The source's words with the draft's closing punctuation, or the mark of a question that the source ends in.
fn dress(words: &str, stop: &str, reading: &Reading<'_>, piece: &Range<usize>) -> String {
    let last = reading.between(piece.start, piece.end).last().map_or(piece.end, |token| token.end);
    let tail = reading.text.get(last..piece.end).unwrap_or_default();
    let mut chars = words.chars();
    let Some(first) = chars.next() else { return String::new() };
    let first: String = first.to_uppercase().collect();
    // "Who pays?" for "Who paid,": the comma gives way to the mark, and so does a full stop.
    let tail = if stop.is_empty() { tail.to_owned() } else { tail.replacen([',', '.', '?', '!'], stop, 1) };
    format!("{first}{}{tail}", chars.as_str())
}

#[cfg(test)]
mod tests {
    use crate::proof::check_texts;

    const SOURCE: &str = "Inez Calloway spoke in favor. \"I can get to the gate,\" she said. \"In eleven years I have not \
                          once got to the pond.\"\n\nVOSS: We vote on Thursday, and I would not call it a party.";

    fn rules(draft: &str) -> Vec<(String, String, Option<String>)> {
        check_texts(draft, SOURCE).into_iter().map(|f| (f.rule, f.text, f.replacement)).collect()
    }

    #[test]
    fn a_quotation_may_differ_in_case_typography_and_punctuation() {
        for fine in [
            "“In eleven years I have not once got to the pond,” Calloway said.",
            "Calloway said “I have not once got to the pond.”",
            "“I can get to the gate. In eleven years I have not once got to the pond,” Calloway said.",
            "“In eleven years … not once got to the pond,” Calloway said.",
            "“I would not call [the hearing] a party,” Voss said.",
        ] {
            assert_eq!(rules(fine), [], "{fine}");
        }
    }

    #[test]
    fn changed_words_are_altered_and_the_source_has_the_right_ones() {
        assert_eq!(
            rules("“In eleven years I have only once got to the pond,” Calloway said."),
            [(
                "quotation.altered".to_owned(),
                "In eleven years I have only once got to the pond,".to_owned(),
                Some("In eleven years I have not once got to the pond,".to_owned())
            )]
        );
    }

    #[test]
    fn a_sentence_is_given_back_to_its_end_or_goes() {
        assert_eq!(
            check_texts(
                "“The dogs are at school, and the cat too,” Brand said.",
                "BRAND: The dogs are at school, and the cat isn’t."
            )
            .into_iter()
            .map(|f| f.replacement)
            .collect::<Vec<_>>(),
            [Some("The dogs are at school, and the cat isn’t,".to_owned())]
        );
        // A fragment within the draft's own sentence cannot take a whole sentence of the source.
        let found = rules("In all those years she has “not even once got to the pond,” Calloway said.");
        assert_eq!(found.iter().map(|(_, _, new)| new.as_deref()).collect::<Vec<_>>(), [Some("")]);
    }

    #[test]
    fn words_that_nobody_said_are_not_found() {
        let found = rules("“The swings are rusty and someone will be hurt,” Calloway said.");
        assert_eq!(found.first().map(|(rule, ..)| rule.as_str()), Some("quotation.not_found"));
    }
}
