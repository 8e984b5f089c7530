//! The day on which something was said or decided, against the day of the minutes that record it.
//!
//! Why: minutes name other days, too: of the minutes before, of the next meeting, of what comes of a vote. On none of these was
//! anything said that they record.

use crate::{
    binding::day_of,
    reading::weekday,
    rules::{
        number::{bound::places, contradicted::RULE},
        prelude::*,
    },
    sources::{common, of_line},
    words::Class,
};

/// Decisions, beside verbs of speech.
static DECIDES: WordList = words(
    "voted approved decided agreed rejected adopted passed elected resolved refused ordered appointed acquitted convicted",
);

/// Words of a heading whose day is that of what was said.
static MEETING: WordList = words("meeting hearing session held minutes proceedings protocol");

/// Words for a day that another one tells.
static TOLD: WordList = words("yesterday today tomorrow tonight earlier later");

/// The act stands at most so many words before its day.
const NEAR: usize = 8;

/// The act that a day is told of: the verb before it, with `on` between.
fn act<'r>(reading: &'r ParsedText<'_>, line: usize, day: usize) -> Option<&'r Token> {
    let first = reading.lines.get(line)?.tokens.start;
    let on = day.checked_sub(1).filter(|on| reading.tokens.get(*on).is_some_and(|token| token.word == "on"))?;
    let grammar = reading.grammar(line);
    let mut before = (first.max(day.saturating_sub(NEAR))..on).rev();
    let verb = before.find(|at| {
        let token = reading.tokens.get(*at);
        grammar.tag(*at).is_verb() || token.is_some_and(|token| DECIDES.contains(&token.word))
    })?;
    let verb = reading.tokens.get(verb)?;
    (!verb.quoted() && (verb.class.has(Class::SAYS) || DECIDES.contains(&verb.word))).then_some(verb)
}

/// The source of a sentence with its day.
fn source<'l>(
    ledger: &'l LedgerWriter<'_, '_>,
    field: &DraftField<'_>,
    line: usize,
) -> Option<(usize, &'l ParsedText<'l>, &'l Figure)> {
    let place = *places(ledger, field, line).first()?;
    let reading = ledger.texts.archive.reading(place)?;
    Some((place.source, reading, day_of(reading)?))
}

fn fault(
    ledger: &LedgerWriter<'_, '_>,
    field: &DraftField<'_>,
    range: std::ops::Range<usize>,
    source: usize,
    reading: &ParsedText<'_>,
    day: &Figure,
) -> Fault {
    let line = reading.line_of(&day.tokens);
    let note = format!("The source is of {}.", one_line(reading.slice(day.start..day.end)));
    let passage = ledger.texts.archive.sentence(SourceLine { source, line });
    Fault::new(&RULE, field, range).note(note).passage(passage)
}

/// The finding if something was said or decided on a day after that of its source, or on the day of the minutes before.
pub fn elsewhen(
    ledger: &LedgerWriter<'_, '_>,
    field: &DraftField<'_>,
    figure: &Figure,
    matches: &[(SourceLine, &Figure)],
) -> Option<Fault> {
    let own = &field.reading;
    let line = own.line_of(&figure.tokens);
    let (source, reading, day) = source(ledger, field, line).filter(|_| figure.kind == FigureKind::Date)?;
    let act = act(own, line, figure.tokens.start)?;
    let number = |figure: &Figure| figure.year.map(|year| f64::from(year) * 10_000.0 + figure.value);
    let date = number(figure).or_else(|| matches.iter().find_map(|(_, theirs)| number(theirs)))?;
    let later = number(day).is_some_and(|day| date > day);
    let of_another = |(place, theirs): &(SourceLine, &Figure)| {
        let line = reading.lines.get(place.line).map_or(0, |line| line.tokens.start);
        let before = reading.tokens.get(line..theirs.tokens.start).unwrap_or_default();
        let recorded =
            before.iter().rev().take(3).any(|token| matches!(token.word.as_str(), "minutes" | "protocol" | "record"));
        // "Voted to close it on May 3"
        let told = before.iter().rev().take_while(|token| token.word != "to").any(|token| token.stem == act.stem);
        place.source == source && !told && (later || recorded)
    };
    (!matches.is_empty() && !figure.same(day) && matches.iter().all(of_another))
        .then(|| fault(ledger, field, figure.start..figure.end, source, reading, day))
}

/// Whether something was said or decided on the day of its source.
pub fn recorded(ledger: &LedgerWriter<'_, '_>, field: &DraftField<'_>, figure: &Figure) -> bool {
    let line = field.reading.line_of(&figure.tokens);
    figure.kind == FigureKind::Date
        && act(&field.reading, line, figure.tokens.start).is_some()
        && source(ledger, field, line).is_some_and(|(.., day)| day.same(figure))
}

/// Enters each weekday that something was said or decided on, if its source is of a meeting on another one.
pub fn check(ledger: &mut LedgerWriter<'_, '_>) {
    let texts = ledger.texts;
    for Spot { field, index: line, item } in texts.sentences().filter(|spot| !spot.item.heading) {
        let days = item
            .tokens
            .clone()
            .filter(|at| field.reading.tokens.get(*at).is_some_and(|token| weekday(token).is_some()));
        let found =
            days.filter_map(|at| another(ledger, field, line, at).or_else(|| other_weekday(ledger, field, line, at)));
        let found: Vec<Fault> = found.collect();
        for fault in found {
            ledger.enter(fault);
        }
    }
}

/// The finding for a weekday that no source has, if the passage on the same thing names another one.
fn other_weekday(ledger: &LedgerWriter<'_, '_>, field: &DraftField<'_>, line: usize, at: usize) -> Option<Fault> {
    let archive = &ledger.texts.archive;
    let token = field.reading.tokens.get(at).filter(|token| !token.quoted())?;
    let own = weekday(token)?;
    let dated = field.reading.figures_between(token.start, token.end).iter().any(|date| date.kind == FigureKind::Date);
    let told = archive.readings.iter().any(|reading| {
        let year = day_of(reading).and_then(|day| day.year);
        let falls = |date: &Figure| {
            date.day(date.year.or(year)).is_none_or(|day| day.weekday().to_monday_zero_offset() == own.cast_signed())
        };
        let days = reading.figures.iter().filter(|figure| figure.kind == FigureKind::Date && !figure.bare_month());
        reading.tokens.iter().any(|word| weekday(word) == Some(own) || TOLD.contains(&word.word))
            || days.into_iter().any(falls)
    });
    if dated || told {
        return None;
    }
    let place = *places(ledger, field, line).first()?;
    let reading = archive.reading(place)?;
    let stems = of_line(&field.reading, line);
    if 2 * common(&stems, &of_line(reading, place.line)) < stems.len() {
        return None;
    }
    let mut days = reading.line_tokens(place.line).iter().filter(|word| word.capital && weekday(word).is_some());
    let day = days.next().filter(|_| days.next().is_none())?;
    let note = format!("The source has {} here.", reading.slice(day.start..day.end));
    let passage = archive.sentence(place);
    Some(Fault::new(&RULE, field, token.start..token.end).note(note).passage(passage))
}

fn another(ledger: &LedgerWriter<'_, '_>, field: &DraftField<'_>, line: usize, at: usize) -> Option<Fault> {
    let token = field.reading.tokens.get(at)?;
    act(&field.reading, line, at)?;
    if field.reading.figures_between(token.start, token.end).iter().any(|figure| figure.kind == FigureKind::Date) {
        return None;
    }
    let (source, reading, day) = source(ledger, field, line)?;
    let head = reading.line_tokens(reading.line_of(&day.tokens));
    let own = day.weekday()?;
    let told = ledger.texts.archive.readings.iter().flat_map(|reading| &reading.tokens);
    let mut told = told.filter(|word| weekday(word) == weekday(token) || TOLD.contains(&word.word));
    (weekday(token) != Some(own) && head.iter().any(|word| MEETING.contains(&word.word)) && told.next().is_none())
        .then(|| fault(ledger, field, token.start..token.end, source, reading, day))
}

#[cfg(test)]
mod tests {
    use crate::testing::rules_of;

    #[test]
    fn another_weekday_than_that_of_the_passage_is_found() {
        let source = "The council of Marsk voted on Wednesday to keep the crane. The pier was closed in June.";
        for (draft, found) in [
            ("The council of Marsk voted on Tuesday to keep the crane.", true),
            ("The council of Marsk voted on Wednesday to keep the crane.", false),
            ("The pier was closed on a Tuesday in June.", false),
        ] {
            assert_eq!(rules_of(draft, source), vec!["number.contradicted"; usize::from(found)], "{draft}");
            let dated = format!("{source} It opens on Tuesday.");
            assert_eq!(rules_of(draft, &dated), [""; 0], "{draft}");
        }
    }

    #[test]
    fn another_day_than_that_of_the_minutes_is_found() {
        let source = "Pier trust of Marsk\nMinutes of the meeting, 5 March 2019, Old Mill\n\nThe minutes of 6 February 2019 were approved.\n\n\
                      The trust voted 5-2 to sell the crane on 9 April 2019.\n\nInga Stahl said: \"The crane has rusted for a decade.\"\n\n\
                      Next meeting: 2 April 2019.";
        for (draft, found) in [
            ("The trust voted 5-2 on 6 February 2019 to sell the crane.", true),
            ("The trust voted 5-2 on 9 April 2019 to sell the crane.", true),
            ("“The crane has rusted for a decade,” Inga Stahl said on 2 April 2019.", true),
            ("The trust voted 5-2 on Friday to sell the crane.", true),
            ("The trust voted 5-2 on 5 March 2019 to sell the crane.", false),
            ("The trust voted 5-2 on Tuesday to sell the crane.", false),
            ("The trust voted 5-2 to sell the crane on 9 April.", false),
            ("“The crane has rusted for a decade,” Inga Stahl said on Tuesday.", false),
        ] {
            assert_eq!(rules_of(draft, source), vec!["number.contradicted"; usize::from(found)], "{draft}");
        }
    }
}
