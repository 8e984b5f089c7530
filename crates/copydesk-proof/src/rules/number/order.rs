//! Two things in the wrong order: 1–3 for 3–1, `from B to A` for `from A to B`, `B beat A` for `A beat B`.
//!
//! Why: every word and figure is in the source, so that only their order shows the error.

use std::ops::Range;

use crate::{
    reading::near,
    rules::{number::bound::places, prelude::*},
    sources::{common, of_line, siblings},
};

pub static RULE: Rule = Rule {
    name: "number.order",
    kind: SpanKind::Number,
    standing: Standing::Contradicted,
    concern_type: ConcernType::InferredFact,
    why: "The source has this the other way round.",
    source: "The two numbers of a result, the two ends of a way or a change, and who beat whom, in the order of the passages.",
    ..Rule::USUAL
};

/// Verbs with a result: the same verb with the numbers turned round tells of another one.
static RESULTS: WordList =
    words("won win wins lost lose loses beat beats voted vote passed approved rejected defeated led leads");

/// Verbs that take a winner and a loser.
static AGAINST: WordList =
    words("beat beats defeated defeats outbid sued sues bought acquired overtook succeeded replaced");

pub fn check(ledger: &mut LedgerWriter<'_, '_>) {
    let texts = ledger.texts;
    for Spot { field, index: line, item } in texts.sentences().filter(|spot| !spot.item.heading) {
        let reading = &field.reading;
        let found: Vec<Fault> = siblings(reading, line)
            .iter()
            .filter_map(|figure| tally(ledger, field, line, figure))
            .chain(item.tokens.clone().filter_map(|at| turned(ledger, field, line, at)))
            .collect();
        for fault in found {
            ledger.enter(fault);
        }
    }
}

/// A result with its numbers turned round.
fn tally(ledger: &LedgerWriter<'_, '_>, field: &DraftField<'_>, line: usize, figure: &Figure) -> Option<Fault> {
    let reading = &field.reading;
    let second = figure.partner.filter(|second| figure.written.leads && !near(*second, figure.value))?;
    let quoted = reading.tokens.get(figure.tokens.start).is_none_or(Token::quoted);
    let archive = &ledger.texts.archive;
    let mut reversed = None;
    for (place, theirs) in archive.equal(figure).into_iter().filter(|_| !quoted) {
        if !theirs.partner.is_some_and(|partner| near(partner, second)) {
            continue;
        }
        if theirs.written.leads {
            return None;
        }
        let verb = |token: &&Token| RESULTS.contains(&token.word);
        let own = reading.line_tokens(line).iter().filter(verb);
        let shared =
            own.clone().any(|token| archive.tokens(place).iter().any(|other| verb(&other) && other.stem == token.stem));
        let told =
            archive.reading(place).map_or(0, |source| common(&of_line(reading, line), &of_line(source, place.line)));
        if shared && told > 1 {
            reversed = Some(place);
        }
    }
    let place = reversed?;
    let end =
        siblings(reading, line).iter().find(|other| other.start > figure.start).map_or(figure.end, |other| other.end);
    Some(Fault::new(&RULE, field, figure.start..end).passage(archive.sentence(place)))
}

/// The two ends that begin at a word: those of `from A to B`, or of `A beat B`.
fn ends(reading: &ParsedText<'_>, at: usize) -> Option<(Range<usize>, Range<usize>, bool)> {
    let token = reading.tokens.get(at)?;
    if token.word == "from" {
        let first = end(reading, at + 1)?;
        let to = reading.tokens.get(first.end).filter(|to| to.word == "to" && to.line == token.line)?;
        let second = end(reading, first.end + 1).filter(|_| to.line == token.line)?;
        return Some((first, second, true));
    }
    if !AGAINST.contains(&token.word) {
        return None;
    }
    let name = |at: usize| reading.tokens.get(at).is_some_and(|other| other.capital && other.line == token.line);
    let before = at.checked_sub(1).filter(|at| name(*at))?;
    let second = end(reading, at + 1).filter(|second| name(second.start))?;
    Some((before..at, second, false))
}

/// The figure, or the name in capitals, that begins at a word.
fn end(reading: &ParsedText<'_>, at: usize) -> Option<Range<usize>> {
    let first = reading.tokens.get(at)?;
    let figure = reading.figures.partition_point(|figure| figure.tokens.end <= at);
    if let Some(figure) = reading
        .figures
        .get(figure)
        .filter(|figure| figure.tokens.start <= at + 1 && !matches!(figure.kind, FigureKind::Year | FigureKind::Time))
    {
        return Some(figure.tokens.clone());
    }
    let capital = |at: usize| {
        reading.tokens.get(at).is_some_and(|token| token.capital && token.line == first.line && !token.stop)
    };
    let start = if first.word == "the" { at + 1 } else { at };
    let close = |at: usize| {
        let (Some(one), Some(two)) = (reading.tokens.get(at - 1), reading.tokens.get(at)) else { return false };
        at == start
            || reading.text.get(one.end..two.start).is_some_and(|gap| matches!(gap, " " | "-" | "\u{A0}" | "\n"))
    };
    let end = (start.max(1)..start + 4).take_while(|at| capital(*at) && close(*at)).last()? + 1;
    Some(start..end)
}

/// Two ends that the passages have only the other way round.
fn turned(ledger: &LedgerWriter<'_, '_>, field: &DraftField<'_>, line: usize, at: usize) -> Option<Fault> {
    let reading = &field.reading;
    if reading.tokens.get(at)?.quoted() {
        return None;
    }
    let (first, second, way) = ends(reading, at)?;
    let archive = &ledger.texts.archive;
    let same = |one: &Range<usize>, source: &ParsedText<'_>, other: &Range<usize>| {
        let figure = |reading: &ParsedText<'_>, range: &Range<usize>| {
            reading.figures.iter().find(|figure| figure.tokens == *range).cloned()
        };
        match (figure(reading, one), figure(source, other)) {
            (Some(one), Some(other)) => one.same(&other),
            (None, None) => {
                let last = |reading: &ParsedText<'_>, range: &Range<usize>| {
                    reading.tokens.get(range.end - 1).map(|token| token.word.clone())
                };
                last(reading, one) == last(source, other)
            }
            _ => false,
        }
    };
    if same(&first, reading, &second) {
        return None;
    }
    let verb = reading.tokens.get(at)?;
    let mut reversed = None;
    for place in places(ledger, field, line) {
        let Some(source) = archive.reading(place) else { continue };
        for theirs in archive.line(place).map_or(0..0, |line| line.tokens.clone()) {
            let Some((one, two, their_way)) = ends(source, theirs) else { continue };
            let stem = source.tokens.get(theirs).map(|token| &token.stem);
            if way != their_way || !way && stem != Some(&verb.stem) {
                continue;
            }
            if same(&first, source, &one) && same(&second, source, &two) {
                return None;
            }
            if same(&first, source, &two) && same(&second, source, &one) {
                reversed = Some(place);
            }
        }
    }
    let place = reversed?;
    let (start, end) = (reading.tokens.get(first.start)?.start, reading.tokens.get(second.end - 1)?.end);
    Some(Fault::new(&RULE, field, start..end).passage(archive.sentence(place)))
}

#[cfg(test)]
mod tests {
    use crate::testing::rules_of;

    fn order(draft: &str, source: &str) -> bool {
        rules_of(draft, source).contains(&"number.order".to_owned())
    }

    #[test]
    fn the_other_way_round_is_found() {
        let source = "The Elm Ward bowlers lost 2-5. The tram was moved from Elm Street to Quay Road. The fare went from $4 to $6. \
                      Fenwick beat Harlow in the final. The board voted 7–2 for it.";
        for wrong in [
            "The Elm Ward bowlers lost 5-2.",
            "The tram was moved from Quay Road to Elm Street.",
            "The fare went from $6 to $4.",
            "Harlow beat Fenwick in the final.",
            "The board voted 2-7 for it.",
        ] {
            assert!(order(wrong, source), "{wrong}");
        }
        for fine in [
            "The bowlers of Elm Ward lost 2-5.",
            "The tram moved from Elm Street to Quay Road.",
            "The fare rose from $4 to $6.",
            "Fenwick beat Harlow.",
            "The board won the vote, 7–2.",
            "The others beat the Elm Ward bowlers 5-2.",
        ] {
            assert!(!order(fine, source), "{fine}");
        }
    }
}
