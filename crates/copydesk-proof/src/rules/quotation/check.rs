//! Quotations: what stands between quotation marks was said in these words, and by the person named.
//!
//! Why: a quotation promises the reader that these are the words. The newsroom may change case, white space,
//! typography and punctuation between words, but not the words.

use crate::{
    reading::{StreamMatch, Voice, voice},
    rules::{
        prelude::*,
        quotation::{
            altered, elision, not_found,
            pieces::{QuotePieces, pieces},
            sound,
            speaker::{self, Mistaken},
            unclosed,
        },
    },
    sources::known::known,
};
use copydesk_newsroom::Finding;
use copydesk_text::marks::{self, QuoteMark};

pub static RULES: [&Rule; 4] = [&altered::RULE, &not_found::RULE, &unclosed::RULE, &elision::RULE];

/// Rules whose findings no program may repair.
pub static FOR_AN_EDITOR: [&Rule; 1] = [&elision::RULE];

/// Fewer words than this between quotation marks are a title, a term or irony, unless the draft says that a person spoke them.
const FEWEST: usize = 3;

/// At most so many places of a quotation are looked at.
const PLACES: usize = 16;

/// A quotation, or a sentence of one, that a source has.
struct Carried {
    pieces: QuotePieces,
    /// Its places in the sources, at least one.
    passages: Vec<StreamMatch>,
}

/// The places in the sources that have all words between two bytes of the draft, in order and word for word.
fn carried(texts: &ProofTexts<'_>, reading: &ParsedText<'_>, range: &Range<usize>) -> Option<Carried> {
    // Brackets inside a word are read as its letters first, then as the editor's. Speakers' labels are left out
    // first, then kept.
    let ways = [(true, false), (false, false), (true, true)];
    ways.into_iter().find_map(|(joins, labels)| {
        let pieces = pieces(reading, range.clone(), &texts.stream, joins, labels);
        let passages = texts.stream.find(&pieces.needles, PLACES);
        (!passages.is_empty()).then_some(Carried { pieces, passages })
    })
}

/// Enters every quotation that no source has, that leaves out what it must not, or that has the wrong speaker.
pub fn check(ledger: &mut LedgerWriter<'_, '_>) {
    let texts = ledger.texts;
    unopened(ledger);
    for Spot { field, index, item: quotation } in texts.quotations() {
        let range = quotation.start..quotation.end;
        if quotation.mark == QuoteMark::Open {
            ledger.enter(Fault::new(&unclosed::RULE, field, range));
            continue;
        }
        let count = field.reading.between(range.start, range.end).iter().filter(|token| !token.aside()).count();
        let whole = carried(texts, &field.reading, &range).filter(|_| count > 0);
        let term = count < FEWEST && !spoken(field, index) && !attributed(texts, field, &range);
        if let Some(whole) = whole {
            judge_carried(ledger, field, index, &whole);
        } else if term || texts.are_translated() && altered::nearest(texts, field, &range).is_none() {
            unchecked(ledger, field, &range);
        } else {
            let told = || voice(&field.reading, &field.names, index) != Voice::Untold;
            // A block that resembles nothing may be no quotation.
            let is_one = quotation.mark != QuoteMark::Block || altered::nearest(texts, field, &range).is_some();
            judge_parts(ledger, field, range.clone(), is_one || led_in(field, &range) || told());
        }
    }
}

/// Enters the marks that close a quotation which the draft never opened.
fn unopened(ledger: &mut LedgerWriter<'_, '_>) {
    for field in &ledger.texts.fields {
        for range in marks::unopened(field.reading.text) {
            let why = "This mark closes a quotation that is never opened.";
            ledger.enter(Fault::new(&unclosed::RULE, field, range).note(why.to_owned()));
        }
    }
}

/// The quotations of at least three words that no source has, as index of the field and bytes.
pub fn unknown(texts: &ProofTexts<'_>) -> impl Iterator<Item = (usize, Range<usize>)> {
    let closed = texts.quotations().filter(|spot| spot.item.mark == QuoteMark::Closed);
    closed.map(|spot| (spot.field, spot.item.start..spot.item.end)).filter_map(|(field, range)| {
        let long = field.reading.between(range.start, range.end).len() >= FEWEST;
        (long && carried(texts, &field.reading, &range).is_none()).then_some((field.at, range))
    })
}

/// Whether a colon leads in what is set off as a block: `Ana Reyes wrote:`.
fn led_in(field: &DraftField<'_>, range: &Range<usize>) -> bool {
    let before = field.reading.text.get(..range.start).unwrap_or_default().trim_end_matches(['>', ' ', '\n']);
    let line = field.reading.line_at(before.len().saturating_sub(1));
    before.ends_with(':') && field.reading.line_tokens(line).iter().any(|token| token.class.has(Class::SAYS))
}

/// Whether the draft clearly says that a person spoke these few words: `“Never again,” she said.`
fn spoken(field: &DraftField<'_>, index: usize) -> bool {
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

/// Whether the draft attributes a few words, and one of them is in no source: `called it “very evasive”`.
fn attributed(texts: &ProofTexts<'_>, field: &DraftField<'_>, range: &Range<usize>) -> bool {
    let reading = &field.reading;
    let line = reading.line_at(range.start);
    let own = reading.line_tokens(line).iter().filter(|token| !token.quoted() && token.start < range.start);
    let own: Vec<&Token> = own.collect();
    let last = own.last().map_or("", |token| token.word.as_str());
    let near = |reach: usize| own.iter().rev().take(reach);
    // "They asked for “more shade”" attributes the words to no speaker.
    let told = |token: &&&Token| token.class.has(Class::SAYS) && !token.word.starts_with("ask");
    let says = near(SAID).any(|token| told(&token)) || near(CALLED).any(|token| CALLS.contains(&token.word));
    let inside = reading.between(range.start, range.end);
    let strange =
        inside.iter().any(|token| !token.stop && !token.aside() && !known(&texts.archive, &token.word, &token.stem));
    // “Moby Dick” is a title.
    let title = inside.iter().all(|token| token.capital);
    says && strange && !title && inside.len() + 1 >= FEWEST && last != "so-called" && last != "called"
}

/// The verb stands so many words before the quotation, at most: one of saying, and one that gives a name.
const SAID: usize = 3;
const CALLED: usize = 5;

/// Verbs with which a person gives something a name of their own.
static CALLS: WordList = words(
    "called calling describe describes described describing termed dismiss dismissed dismissing labelled labeled \
     denounced condemned branded praised hailed spoke speaks",
);

/// Judges a quotation that a source has: its speaker, and what it leaves out. A wrong speaker comes first. The words
/// left out are checked once the speaker is right.
fn judge_carried(ledger: &mut LedgerWriter<'_, '_>, field: &DraftField<'_>, index: usize, found: &Carried) {
    let (texts, reading) = (ledger.texts, &field.reading);
    let (pieces, range) = (&found.pieces, &found.pieces.range);
    speaker::check(ledger, field, index, &found.passages);
    let fault = |passage: &StreamMatch| {
        let (source, first) = (texts.archive.readings.get(passage.source)?, passage.whole().start);
        elision::fault(texts, pieces, passage).or_else(|| elision::begun_late(source, first, reading, range))
    };
    if let Some(passage) = found.passages.iter().find(|passage| fault(passage).is_none()) {
        let open = speaker::is_open(texts, field, index, &found.passages);
        ledger.pass(|| sound::row(texts, field, pieces, passage).loose_if(open));
    } else if let Some((passage, note)) = found.passages.first().and_then(|first| Some((first, fault(first)?))) {
        let span = texts.archive.words(passage.source, &passage.whole());
        ledger.enter(Fault::new(&elision::RULE, field, range.clone()).note(note).passage(span));
    }
}

/// A finding about a wrong speaker, moved to the speaker's name in the draft. The replacement is the right name, if the sources leave no doubt.
pub fn moved_to_the_name(finding: &Finding, texts: &ProofTexts<'_>) -> Option<Finding> {
    let field = texts.fields.iter().find(|field| field.name == finding.field)?;
    let draft = &field.reading;
    let quotation = draft.quotations.iter().position(|q| (q.start, q.end) == (finding.start, finding.end))?;
    let found = carried(texts, draft, &(finding.start..finding.end));
    let stands = found.map_or_else(Vec::new, |found| found.passages);
    let Mistaken { named, right, .. } = speaker::mistaken(texts, field, quotation, &stands)?;
    Some(Finding {
        start: named.start,
        end: named.end,
        text: draft.slice(named).to_owned(),
        replacement: right,
        ..finding.clone()
    })
}

/// Judges a quotation that no source has as a whole, sentence by sentence. If it is not `sure` that it is a
/// quotation, its missing sentences are only left unchecked.
fn judge_parts(ledger: &mut LedgerWriter<'_, '_>, field: &DraftField<'_>, range: Range<usize>, sure: bool) {
    let texts = ledger.texts;
    let reading = &field.reading;
    let text = reading.slice(range.clone());
    let sentences = copydesk_text::sentences::sentences(text);
    let (mut intact, mut faulty) = (Vec::new(), Vec::new());
    for sentence in sentences {
        let part = range.start + sentence.start..range.start + sentence.end;
        match carried(texts, reading, &part) {
            Some(found) => intact.push(found),
            None if reading.between(part.start, part.end).is_empty() => {}
            None => faulty.push(part),
        }
    }
    if faulty.is_empty() && sure {
        // The source has each sentence, but not one after the other.
        ledger.enter(altered::judge(texts, field, range));
        return;
    }
    for Carried { pieces, passages } in &intact {
        if let Some(passage) = passages.first() {
            ledger.pass(|| sound::row(texts, field, pieces, passage));
        }
    }
    for part in faulty {
        if sure {
            ledger.enter(altered::judge(texts, field, part));
        } else {
            unchecked(ledger, field, &part);
        }
    }
}

fn unchecked(ledger: &mut LedgerWriter<'_, '_>, field: &DraftField<'_>, range: &Range<usize>) {
    let (kind, standing) = (SpanKind::Quotation, Standing::Unchecked);
    ledger.pass(|| Sound::new("quotation.term", kind, standing, field, range.clone(), None));
}
