//! Quotations: what stands between quotation marks was said so, word for word, and by the one who is named.
//!
//! Why: a quotation is a promise to the reader that these are the words. Case, white space, typography and the
//! punctuation between words are the newsroom's; the words are the speaker's. Each rule is a file.

use std::ops::Range;

use crate::{
    newsroom::{SpanKind, Standing},
    proof::{
        ledger::{LedgerWriter, Sound},
        reading::{
            speakers::{Voice, voice},
            stream::{Stream, StreamMatch},
            text::ParsedText,
        },
        rule::Rule,
        rules::quotation::{
            altered, elision, not_found,
            pieces::{QuotePieces, pieces},
            sound, speaker,
        },
        sources::{
            archive::Stand,
            texts::{ProofTexts, Spot},
        },
    },
    text::marks::QuoteMark,
};

/// The rules of this folder.
pub static RULES: [&Rule; 3] = [&altered::RULE, &not_found::RULE, &elision::RULE];

/// Those whose findings no program repairs.
pub static FOR_AN_EDITOR: [&Rule; 1] = [&elision::RULE];

/// Fewer words than these between marks are a title, a term or irony, unless somebody is said to have spoken them.
const FEWEST: usize = 3;

/// Places of a quotation that are looked at.
const PLACES: usize = 16;

/// A quotation, or a sentence of one, that a source has.
struct Carried {
    pieces: QuotePieces,
    /// Where it stands; never empty.
    passages: Vec<StreamMatch>,
}

impl Carried {
    fn stands(&self) -> Vec<Stand> {
        self.passages.iter().map(|passage| Stand { source: passage.source, tokens: passage.whole() }).collect()
    }
}

/// Where all words between two bytes of the draft stand in a source, in order and word for word.
fn carried(reading: &ParsedText<'_>, range: &Range<usize>, stream: &Stream) -> Option<Carried> {
    // As letters of a word first, then as an editor's; without what looks like a speaker's label first, then with it.
    let ways = [(true, false), (false, false), (true, true)];
    ways.into_iter().find_map(|(joins, labels)| {
        let pieces = pieces(reading, range.clone(), stream, joins, labels);
        let passages = stream.find(&pieces.needles, PLACES);
        (!passages.is_empty()).then_some(Carried { pieces, passages })
    })
}

/// Enters every quotation that no source carries, every one that leaves out what it must not, and every one that is given to
/// the wrong speaker.
pub fn check(ledger: &mut LedgerWriter<'_, '_>) {
    let desk = ledger.desk;
    let stream = &desk.stream;
    for Spot { at, field, index, item: quotation } in desk.quotations() {
        let range = quotation.start..quotation.end;
        let count = field.reading.between(range.start, range.end).iter().filter(|token| !token.aside()).count();
        let whole = carried(&field.reading, &range, stream).filter(|_| count > 0);
        let term = count < FEWEST && !spoken(desk, at, index);
        if let Some(whole) = whole {
            judge_carried(ledger, at, index, &range, &whole);
        } else if term {
            unchecked(ledger, at, &range);
        } else {
            let sure = is_one(desk, stream, at, quotation.mark, &range);
            judge_parts(ledger, stream, at, range, sure);
        }
    }
}

/// The quotations, three words and more between two marks, that no source has: field and bytes.
pub fn unknown(desk: &ProofTexts<'_>) -> Vec<(usize, Range<usize>)> {
    let stream = &desk.stream;
    let mut found = Vec::new();
    for (at, field) in desk.fields.iter().enumerate() {
        for quotation in field.reading.quotations.iter().filter(|quotation| quotation.mark == QuoteMark::Closed) {
            let range = quotation.start..quotation.end;
            let long = field.reading.between(range.start, range.end).len() >= FEWEST;
            if long && carried(&field.reading, &range, stream).is_none() {
                found.push((at, range));
            }
        }
    }
    found
}

/// Whether fault can be found with words that no source has: not where the closing mark is missing, since nobody can tell
/// where such a quotation ends, nor with a block that resembles nothing and may be no quotation at all.
fn is_one(desk: &ProofTexts<'_>, stream: &Stream, field: usize, mark: QuoteMark, range: &Range<usize>) -> bool {
    match mark {
        QuoteMark::Closed => true,
        QuoteMark::Open => false,
        QuoteMark::Block => altered::nearest(desk, stream, field, range).is_some(),
    }
}

/// A few words that the draft plainly gives to somebody: `“Never again,” she said.`
fn spoken(desk: &ProofTexts<'_>, field: usize, index: usize) -> bool {
    let Some(field) = desk.fields.get(field) else { return false };
    let Some(quotation) = field.reading.quotations.get(index) else { return false };
    let text = field.reading.slice(quotation.start..quotation.end);
    let opens = field.reading.lines.get(field.reading.line_at(quotation.start)).is_some_and(|line| {
        let head = field.reading.slice(line.start.min(quotation.start)..quotation.start);
        let head = head.trim_end_matches(['“', '"', '‘', '\'', '«', '»', '„']).trim_end();
        head.is_empty() || head.ends_with([',', ':'])
    });
    let sentence = text.starts_with(char::is_uppercase) && text.ends_with([',', '.', '!', '?']);
    opens && sentence && voice(&field.reading, &field.names, index) != Voice::Untold
}

/// A quotation that a source has: who said it, and what it leaves out. Words of somebody else come first: what they leave out
/// is looked at again when they have their speaker.
fn judge_carried(ledger: &mut LedgerWriter<'_, '_>, field: usize, index: usize, range: &Range<usize>, found: &Carried) {
    let desk = ledger.desk;
    let Some(reading) = desk.fields.get(field).map(|field| &field.reading) else { return };
    speaker::check(ledger, field, index, &found.stands());
    let fault = |passage: &StreamMatch| {
        elision::fault(desk, &found.pieces, passage).or_else(|| elision::begun_late(desk, reading, range, passage))
    };
    let faults: Vec<Option<String>> = found.passages.iter().map(fault).collect();
    let best = faults.iter().position(Option::is_none);
    if let (None, Some(passage), Some(Some(note))) = (best, found.passages.first(), faults.first()) {
        ledger.enter(elision::found(field, range, note.clone(), desk, passage));
    } else if let Some(passage) = found.passages.get(best.unwrap_or_default()) {
        ledger.pass(|| sound::row(desk, field, range, &found.pieces, passage));
    }
}

/// Every place of the sources that has a quotation of the draft.
pub fn stands(desk: &ProofTexts<'_>, field: usize, index: usize) -> Vec<Stand> {
    let Some(reading) = desk.fields.get(field).map(|field| &field.reading) else { return Vec::new() };
    let Some(quotation) = reading.quotations.get(index) else { return Vec::new() };
    let found = carried(reading, &(quotation.start..quotation.end), &desk.stream);
    found.map_or_else(Vec::new, |found| found.stands())
}

/// A quotation that no source has as a whole: its sentences, each by itself, where some of them are there.
/// Without being `sure` that it is one, no more is said than that.
fn judge_parts(ledger: &mut LedgerWriter<'_, '_>, stream: &Stream, field: usize, range: Range<usize>, sure: bool) {
    let desk = ledger.desk;
    let Some(reading) = desk.fields.get(field).map(|field| &field.reading) else { return };
    let text = reading.slice(range.clone());
    let sentences = crate::text::sentences::sentences(text);
    let (mut intact, mut faulty) = (Vec::new(), Vec::new());
    for sentence in sentences {
        let part = range.start + sentence.start..range.start + sentence.end;
        match carried(reading, &part, stream) {
            Some(found) => intact.push((part, found)),
            None if reading.between(part.start, part.end).is_empty() => {}
            None => faulty.push(part),
        }
    }
    if faulty.is_empty() && sure {
        // Each sentence is there, but not one behind the other.
        ledger.enter(altered::judge(desk, stream, field, range));
        return;
    }
    for (part, found) in &intact {
        if let Some(passage) = found.passages.first() {
            ledger.pass(|| sound::row(desk, field, part, &found.pieces, passage));
        }
    }
    for part in faulty {
        if sure {
            ledger.enter(altered::judge(desk, stream, field, part));
        } else {
            unchecked(ledger, field, &part);
        }
    }
}

fn unchecked(ledger: &mut LedgerWriter<'_, '_>, field: usize, range: &Range<usize>) {
    ledger.pass(|| Sound {
        kind: SpanKind::Quotation,
        standing: Standing::Unchecked,
        rule: "quotation.term",
        field,
        start: range.start,
        end: range.end,
        passage: None,
    });
}
