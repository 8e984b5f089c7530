//! Arithmetic in words: `half as much`, `$2 million higher than`, `revenue outruns expenses`. The figures beside it decide.
//!
//! Why: such a sum needs no source that says it, and no search finds it wrong. A reader with a pencil does.

use std::ops::Range;

use crate::{
    reading::grammar::Grammar,
    rules::{number::absent::SMALL, prelude::*},
    sources::{
        companions,
        derived::derivation_of,
        siblings,
    },
};
use copydesk_text::tagger::Tag;

pub static RULE: Rule = Rule {
    name: "number.worked",
    kind: SpanKind::Number,
    standing: Standing::Contradicted,
    concern_type: ConcernType::InferredFact,
    why: "The figures do not work out to this.",
    source: "A share of two figures, their difference, or which of them is larger, worked out from the draft's or the passage's own figures.",
    ..Rule::USUAL
};

/// A share may be off by so much of itself.
const ROUND: f64 = 0.15;

/// The share and its figure stand so close together.
const CLOSE: usize = 6;

/// A passage with the two figures has so many words of the draft's stretch, at least.
const SHARED: usize = 1;

/// At most so many figures of a sentence are compared in pairs.
const FIGURES: usize = 24;

/// At most so many sentences with a word are read.
const PLACES: usize = 40;

/// Verbs that say that the first of two is larger.
static EXCEED: WordList = words(
    "exceed exceeds exceeded outnumber outnumbers outnumbered outpace outpaces outpaced outrun outruns outran outstrip outstrips \
     outstripped surpass surpasses surpassed",
);

/// Words before `than` that say that the first of two is larger, or smaller.
static MORE: WordList = words("more higher larger greater bigger");
static LESS: WordList = words("less lower smaller fewer");

pub fn check(ledger: &mut LedgerWriter<'_, '_>) {
    let texts = ledger.texts;
    for Spot { field, index, item: line } in texts.sentences().filter(|spot| !spot.item.heading) {
        let figures = field.reading.figures_between(line.start, line.end);
        let quoted = |figure: &Figure| field.reading.tokens.get(figure.tokens.start).is_none_or(Token::quoted);
        for figure in figures.iter().filter(|figure| !quoted(figure)) {
            let found = match figure.kind {
                FigureKind::Fraction => {
                    changed(ledger, field, index, figure).or_else(|| share(ledger, field, index, figure))
                }
                FigureKind::Percent => {
                    changed(ledger, field, index, figure).or_else(|| apart(ledger, field, index, figure))
                }
                FigureKind::Count | FigureKind::Money(_) => apart(ledger, field, index, figure),
                _ => None,
            };
            if let Some(found) = found {
                ledger.enter(found);
            }
        }
        if let Some(found) = larger(ledger, field, index) {
            ledger.enter(found);
        }
    }
}

/// `About two-thirds of those admitted, 6,715,` where the sentence before has 12,843 admitted.
fn share(ledger: &LedgerWriter<'_, '_>, field: &DraftField<'_>, line: usize, share: &Figure) -> Option<Fault> {
    let reading = &field.reading;
    let next = reading.tokens.get(share.tokens.end)?;
    if !matches!(next.word.as_str(), "of" | "as") || next.line != line {
        return None;
    }
    let part = companions(reading, share).find(|other| {
        let (first, second) = if other.start < share.start { (*other, share) } else { (share, *other) };
        let gap = first.tokens.end..second.tokens.start;
        let set_off = reading.slice(first.end..second.start).contains(',');
        let grammar = reading.grammar(line);
        let told = gap.clone().any(|at| matches!(grammar.tag(at), Tag::Present | Tag::Past) && !owned(grammar, at));
        let counted = matches!(other.kind, FigureKind::Money(_) | FigureKind::Count);
        counted && set_off && gap.len() <= CLOSE && !told
    })?;
    let before = line.checked_sub(1).and_then(|line| reading.lines.get(line)).map_or(0, |line| line.start);
    let wholes = reading.figures_between(before, part.start).iter();
    let wholes: Vec<&Figure> = wholes.filter(|whole| whole.comparable(part) && whole.value > part.value).collect();
    let whole = *wholes.last()?;
    let fits = |whole: &&Figure| (part.value / whole.value - share.value).abs() <= ROUND * share.value;
    let archive = &ledger.texts.archive;
    let stated = ledger.aligned(field, line).windows.iter().any(|window| {
        let lines = archive.reading(window.place).map_or(0..0, |source| {
            let at = |line: usize| source.lines.get(line);
            at(window.lines.start).map_or(0, |line| line.start)..at(window.lines.end - 1).map_or(0, |line| line.end)
        });
        let figures =
            archive.reading(window.place).map_or(&[][..], |source| source.figures_between(lines.start, lines.end));
        figures.iter().any(|theirs| theirs.same(share))
    });
    if wholes.iter().any(fits) || stated {
        return None;
    }
    let shown = |figure: &Figure| one_line(reading.slice(figure.start..figure.end));
    let note = format!("{} are {:.0} per cent of {}.", shown(part), 100.0 * part.value / whole.value, shown(whole));
    Some(Fault::new(&RULE, field, share.start..share.end).note(note))
}

/// A change that is told in per cent is off by at most so much of itself, or by so much.
const EXACT: f64 = 0.05;
const POINT: f64 = 0.006;

/// Words that lead from one amount to the other.
static LEADS: WordList = words("instead against from to compared after up down rather not");

/// `$100,000 instead of $75,000, a quarter more`: the sentence has two amounts before the share, and no others.
fn changed(ledger: &LedgerWriter<'_, '_>, field: &DraftField<'_>, line: usize, share: &Figure) -> Option<Fault> {
    let reading = &field.reading;
    let word =
        |at: usize| reading.tokens.get(at).filter(|token| token.line == line).map_or("", |token| token.word.as_str());
    let end = share.tokens.end;
    let more = MORE.contains(word(end));
    if !more && !LESS.contains(word(end)) || word(end + 1) == "than" {
        return None;
    }
    let amount = |figure: &&Figure| match figure.kind {
        FigureKind::Money(_) => true,
        FigureKind::Count => figure.value > SMALL,
        _ => false,
    };
    let amounts: Vec<&Figure> = siblings(reading, line).iter().filter(amount).collect();
    let [one, two] = amounts.as_slice() else { return None };
    let (low, high) = (one.value.min(two.value), one.value.max(two.value));
    if !one.comparable(two) || two.start > share.start || low <= 0.0 {
        return None;
    }
    // "340 children and 120 adults" are no change.
    let between = reading.between(one.end, two.start);
    if !between.iter().any(|token| LEADS.contains(&token.word)) {
        return None;
    }
    let told = if share.kind == FigureKind::Percent { share.value / 100.0 } else { share.value };
    let off = if share.kind == FigureKind::Percent { POINT.max(EXACT * told) } else { ROUND * told };
    let is = (high - low) / if more { low } else { high };
    let theirs = |place: SourceLine| archive_has(ledger, place, share);
    let stated = ledger.aligned(field, line).windows.iter().any(|window| theirs(window.place));
    if (is - told).abs() <= off || stated {
        return None;
    }
    let shown = |figure: &Figure| one_line(reading.slice(figure.start..figure.end));
    let note = format!("From {} to {} is a change of {:.0} per cent.", shown(two), shown(one), 100.0 * is);
    let archive = &ledger.texts.archive;
    let place = archive.equal(one).first().map(|(place, _)| *place);
    let passage = place.and_then(|place| archive.sentence(place));
    Some(Fault::new(&RULE, field, share.start..share.end).note(note).passage(passage))
}

/// Whether a sentence of the sources has a figure.
fn archive_has(ledger: &LedgerWriter<'_, '_>, place: SourceLine, figure: &Figure) -> bool {
    let source = ledger.texts.archive.reading(place);
    source.is_some_and(|source| siblings(source, place.line).iter().any(|theirs| theirs.same(figure)))
}

/// Whether a word in the past tense describes a noun: `those admitted`.
fn owned(grammar: &Grammar, at: usize) -> bool {
    at.checked_sub(1).is_some_and(|before| grammar.tag(before) == Tag::Determiner || grammar.tag(before).is_noun())
}

/// `$2.4 million higher than`, where the passage has 10.8 and 12.2.
fn apart(ledger: &LedgerWriter<'_, '_>, field: &DraftField<'_>, line: usize, figure: &Figure) -> Option<Fault> {
    let reading = &field.reading;
    let word =
        |at: usize| reading.tokens.get(at).filter(|token| token.line == line).map_or("", |token| token.word.as_str());
    let end = figure.tokens.end;
    let than = (MORE.contains(word(end)) || LESS.contains(word(end))) && word(end + 1) == "than";
    // "By a difference of 3"
    let of = figure.tokens.start.checked_sub(2).map_or("", word);
    let named = figure.tokens.start.checked_sub(1).map_or("", word) == "of" && matches!(of, "difference" | "gap");
    let level = reading.figures.iter().any(|other| other.tokens.start > end && other.tokens.start < end + 4);
    if !than && !named || level || derivation_of(ledger.texts, reading, figure).is_some() {
        return None;
    }
    let archive = &ledger.texts.archive;
    let alignment = ledger.aligned(field, line);
    let stretch = reading.grammar(line).stretch(figure.tokens.start);
    let own = reading.tokens.get(stretch).unwrap_or_default();
    let places = alignment
        .windows
        .iter()
        .flat_map(|window| window.lines.clone().map(|line| SourceLine { line, ..window.place }));
    let mut found = None;
    for place in places {
        let Some(source) = archive.reading(place) else { continue };
        let theirs = siblings(source, place.line).iter().filter(|theirs| theirs.comparable(figure));
        let theirs: Vec<&Figure> = theirs.take(FIGURES).collect();
        if theirs.iter().any(|theirs| theirs.same(figure)) {
            return None;
        }
        let shared = own
            .iter()
            .filter(|token| !token.stop && archive.tokens(place).iter().any(|other| other.stem == token.stem))
            .count();
        for (at, one) in theirs.iter().enumerate() {
            for two in theirs.iter().skip(at + 1) {
                let difference = (one.value - two.value).abs();
                if (difference - figure.value).abs() <= figure.slack.max(0.05 * figure.value) {
                    return None;
                }
            }
        }
        if let [one, two] = theirs.as_slice()
            && shared > SHARED
            && found.is_none()
        {
            let shown = |figure: &Figure| one_line(source.slice(figure.start..figure.end));
            found = Some((place, format!("The source has {} and {} here.", shown(one), shown(two))));
        }
    }
    let (place, note) = found?;
    Some(Fault::new(&RULE, field, figure.start..figure.end).note(note).passage(archive.sentence(place)))
}

/// `Revenue outruns expenses`, where the passage has less revenue.
fn larger(ledger: &LedgerWriter<'_, '_>, field: &DraftField<'_>, line: usize) -> Option<Fault> {
    let reading = &field.reading;
    let range = reading.lines.get(line)?.tokens.clone();
    let grammar = reading.grammar(line);
    let word =
        |at: usize| reading.tokens.get(at).filter(|_| range.contains(&at)).map_or("", |token| token.word.as_str());
    let (at, after, more) = range.clone().find_map(|at| {
        if EXCEED.contains(word(at)) {
            return Some((at, at + 1, true));
        }
        let more = MORE.contains(word(at));
        ((more || LESS.contains(word(at))) && word(at + 1) == "than").then_some((at, at + 2, more))
    })?;
    let by_phrase = (range.start..at).rev().any(|at| word(at) == "by");
    let noun = |at: usize| {
        grammar.tag(at).is_noun() && reading.tokens.get(at).is_some_and(|token| !token.stop && !token.quoted())
    };
    let subject = (range.start..at)
        .rev()
        .take(CLOSE)
        .filter(|at| !reading.figures.iter().any(|figure| figure.tokens.contains(at)))
        .find(|at| noun(*at))
        .and_then(|at| reading.tokens.get(at))?;
    let object = (after..range.end).take(4).find(|at| noun(*at)).and_then(|at| reading.tokens.get(at))?;
    if by_phrase || subject.stem == object.stem {
        return None;
    }
    let archive = &ledger.texts.archive;
    let alignment = ledger.aligned(field, line);
    // Of several pairs, the one that is as far apart as the draft says.
    let behind = after..(after + CLOSE).min(range.end);
    let told = reading.figures.iter().find(|figure| figure.tokens.end == at || behind.contains(&figure.tokens.start));
    let passages = || {
        alignment.windows.iter().flat_map(|window| window.lines.clone().map(|line| SourceLine { line, ..window.place }))
    };
    let everywhere = || {
        let lines = |source: usize| archive.lines_with(source, &[&object.stem]).into_iter().take(PLACES);
        (0..archive.readings.len()).flat_map(move |source| lines(source).map(move |line| SourceLine { source, line }))
    };
    let places: Vec<SourceLine> = if told.is_some() { everywhere().collect() } else { passages().collect() };
    let mut found = None;
    for place in places {
        let Some(source) = archive.reading(place) else { continue };
        let pair = beside(source, place.line, subject).zip(beside(source, place.line, object));
        let fits = |(one, two): &(&Figure, &Figure)| {
            let apart = (one.value - two.value).abs();
            let told = told.is_none_or(|told| told.comparable(one) && (apart - told.value).abs() <= 0.05 * told.value);
            one.comparable(two) && told && apart > 0.0
        };
        let Some((one, two)) = pair.filter(fits) else { continue };
        if (one.value > two.value) == more {
            return None;
        }
        let shown = |figure: &Figure| one_line(source.slice(figure.start..figure.end));
        let note = format!("The source has {} for {}, {} for {}.", shown(one), subject.word, shown(two), object.word);
        found.get_or_insert((place, note));
    }
    let (place, note) = found?;
    let span: Range<usize> = subject.start.min(object.start)..subject.end.max(object.end);
    Some(Fault::new(&RULE, field, span).note(note).passage(archive.sentence(place)))
}

/// The only figure in the stretch of a source's sentence that has a word.
fn beside<'s>(source: &'s ParsedText<'_>, line: usize, token: &Token) -> Option<&'s Figure> {
    let range = source.lines.get(line)?.tokens.clone();
    let mut places = range.filter(|at| source.tokens.get(*at).is_some_and(|other| other.stem == token.stem));
    let place = places.next().filter(|_| places.next().is_none())?;
    let stretch = source.grammar(line).stretch(place);
    let within = |figure: &&Figure| {
        stretch.contains(&figure.tokens.start)
            && matches!(figure.kind, FigureKind::Money(_) | FigureKind::Percent | FigureKind::Count)
    };
    let mut figures = siblings(source, line).iter().filter(within);
    figures.next().filter(|_| figures.next().is_none())
}

#[cfg(test)]
mod tests {
    use crate::testing::check_texts;

    const SOURCE: &str = "The harbour fund has revenues of $10.8 million and expenses of $12.2 million. Of 4,800 sailors who applied, 1,200 were \
                          licensed. The school fund has $9.1 million in revenues and $7.3 million in expenses.";

    fn found(draft: &str) -> Vec<(String, String)> {
        let found = check_texts(draft, SOURCE).into_iter().filter(|found| found.rule == "number.worked");
        found.map(|found| (found.text, found.note)).collect()
    }

    #[test]
    fn what_does_not_work_out_is_found() {
        let one = |text: &str, note: &str| [(text.to_owned(), note.to_owned())];
        assert_eq!(
            found("Some 4,800 sailors applied. Two-thirds of those, 1,200, were licensed."),
            one("Two-thirds", "1,200 are 25 per cent of 4,800.")
        );
        assert_eq!(
            found("The fund spent $10.8 million instead of $12.2 million, a third less."),
            one("a third", "From $12.2 million to $10.8 million is a change of 11 per cent.")
        );
        assert_eq!(
            found("The harbour fund’s expenses are $3.6 million higher than its revenues."),
            one("$3.6 million", "The source has $10.8 million and $12.2 million here.")
        );
        assert_eq!(
            found("In the harbour fund, revenues outrun expenses by $1.4 million."),
            one("revenues outrun expenses", "The source has $10.8 million for revenues, $12.2 million for expenses.")
        );
    }

    #[test]
    fn what_works_out_may_stand() {
        for fine in [
            "Some 4,800 sailors applied. A quarter of those, 1,200, were licensed.",
            "Some 4,800 sailors applied. A half of the 2,400 on the list, the clerk said on a day when 1,200 came, were late.",
            "The harbour fund’s expenses are $1.4 million higher than its revenues.",
            "In the school fund, revenues outrun expenses by $1.8 million.",
            "Expenses outrun revenues in the harbour fund.",
            "The fund spent $12.2 million instead of $9.1 million, a third more.",
            "The fund spent $12.2 million instead of $9.1 million, a third more than the school.",
        ] {
            assert_eq!(found(fine), [], "{fine}");
        }
    }
}
